/*
 * framing.h - the first framing error of an input, in file order
 *
 * What ends a conversion: the errors among the rules about containers,
 * headers, record framing and sub-record framing. Warnings of those rules do
 * not. The reading thread is ahead of the batches that are written, so what it
 * finds is kept until they have come that far.
 */
#ifndef HP_CONVERT_FRAMING_H
#define HP_CONVERT_FRAMING_H

#include "common/format/scan.h"

struct hp_framing {
	unsigned id_size;
	uint64_t records;
	uint64_t offset; /* of the first error; UINT64_MAX: none so far */
	struct hp_error error;
};

void hp_framing_init(struct hp_framing *f);

/* The reading thread met these; in file order. */
void hp_framing_problem(struct hp_framing *f, const struct hp_problem *p);
void hp_framing_header(struct hp_framing *f, const struct hp_header *h);
void hp_framing_record(struct hp_framing *f, const struct hp_record *rec,
		       struct hp_cursor body);
/*
 * Whoever strips has to know what is in a record: of an unknown one, or one
 * without a shape, nobody knows what of it is payload.
 */
void hp_framing_unknown(struct hp_framing *f, const struct hp_record *rec);
/* What is wrong with the input's compression; HP_OK: nothing. For its end. */
struct hp_error hp_framing_container(struct hp_source *src);
/* The input has ended: its container's problems, and no record at all. */
void hp_framing_end(struct hp_framing *f, struct hp_source *src);

/**
 * hp_framing_sub() - why a walk over sub-records stopped
 * @it: where hp_heap_next() returned false
 *
 * Returns: false, with a text in @err, if that is an error.
 */
HP_MUST_USE bool hp_framing_sub(const struct hp_heap_iter *it,
				struct hp_error *err);

/* An array of more elements than an int can count? */
static inline bool
hp_framing_too_long(const struct hp_sub *s)
{
	return s->count > INT32_MAX && (s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
					s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP);
}

#endif
