/*
 * strip.h - zeroing payload in the bytes of a batch
 */
#ifndef HP_CONVERT_STRIP_STRIP_H
#define HP_CONVERT_STRIP_STRIP_H

#include "common/format/batch.h"
#include "convert/strip/keep.h"
#include "convert/pass/class_prepass.h"

#include <xxhash.h>

/* What was removed; summed over workers. */
struct hp_strip_stats {
	uint64_t arrays, fields, strings, bytes;
	uint64_t kept; /* objects that --keep names */
	bool heaps;    /* a sub-record names a heap, which stays */
	bool reserved; /* so does a reserved id that is not 0 */
};

static inline void
hp_strip_stats_add(struct hp_strip_stats *to, const struct hp_strip_stats *s)
{
	to->arrays += s->arrays;
	to->fields += s->fields;
	to->strings += s->strings;
	to->bytes += s->bytes;
	to->kept += s->kept;
	to->heaps |= s->heaps;
	to->reserved |= s->reserved;
}

/* A stretch of the dump: the text of a STRING that goes. */
struct hp_text {
	uint64_t offset, length;
};

/*
 * A batch while it is stripped. What stays is hashed as it was; @from is where
 * that hash has got to.
 */
struct hp_stripper {
	const struct hp_policy *policy;
	const struct hp_prepass *prepass; /* empty, unless fields go */
	const struct hp_keep *keep;	  /* NULL: nothing is kept */
	XXH3_state_t *hash;
	const uint8_t *from;
	struct hp_dump_classes classes; /* of the batch's dump */
	struct hp_strip_stats stats;
};

/* Are there fields to strip? Else instances and classes stay as they are. */
static inline bool
hp_strip_fields(const struct hp_stripper *s)
{
	return s->policy->field_types != 0;
}

void hp_strip_begin(struct hp_stripper *s, const struct hp_batch *b);

/**
 * hp_strip_sub() - strip one whole sub-record
 *
 * Returns: false, with a text in @err: it cannot be understood.
 */
HP_MUST_USE bool hp_strip_sub(struct hp_stripper *s, const struct hp_sub *sub,
			      unsigned id_size, struct hp_error *err);
/* The same for a piece of a long one. */
HP_MUST_USE bool hp_strip_piece(struct hp_stripper *s, const struct hp_batch *b,
				const struct hp_run *run, unsigned id_size,
				struct hp_error *err);
/* The part of @text that is in the run, if any, is blanked. */
void hp_strip_text(struct hp_stripper *s, const struct hp_batch *b,
		   const struct hp_run *run, const struct hp_text *text);

/* Returns the hash of all that stays. */
uint64_t hp_strip_end(struct hp_stripper *s, const struct hp_batch *b);

#endif
