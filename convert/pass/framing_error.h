/*
 * framing_error.h - whether an input is whole: what ends a conversion
 *
 * Damage as common/model/damage.h finds it, for passes that write: what stands
 * in a record or sub-record ends them there, what only the end of a dump tells
 * (instances' lengths, classes, a missing end) at the end. The reading thread
 * is ahead of the batches that are written, so what it finds is kept until they
 * have come that far; how far ahead it is depends on time, and what it knew
 * when it cut a batch does not. Callers lock: all calls but those of workers
 * are made under one lock of theirs.
 */
#ifndef HP_CONVERT_PASS_FRAMING_ERROR_H
#define HP_CONVERT_PASS_FRAMING_ERROR_H

#include "common/format/batch.h"
#include "common/model/damage.h"
#include "common/model/dialect.h"

#include <stdatomic.h>

struct hp_framing_worker {
	struct hp_instance_lengths lengths;
	struct hp_dialect_evidence evidence;
	uint64_t noted; /* bytes, in @held */
};

/* What the reader knew when it cut the first batch behind damage. */
struct hp_framing_known {
	bool any;
	uint64_t from; /* that batch's index: it and later ones may end */
	bool sure;     /* as in struct hp_damage */
	struct hp_symptom surest;
	/* as in struct hp_framing */
	uint64_t unknown_at;
	struct hp_error unknown;
};

struct hp_framing {
	unsigned id_size;
	unsigned dumps; /* begun */
	bool problem;	/* the reader had one */
	bool readable;	/* the header was: there are tables */
	bool in_dump;	/* there are classes */
	/*
	 * Only what keeps bytes from being decoded ends the pass: a pass before
	 * it found the input whole, or what it writes is mended.
	 */
	bool framing_only;
	struct hp_damage damage;
	struct hp_heap_records heap_records;
	struct hp_dialect_evidence evidence;
	struct hp_tables tables; /* strings and loads, for the dialect */
	struct hp_classes classes;
	struct hp_framing_worker *workers;
	unsigned nworkers;
	uint64_t memory;       /* bytes that may be taken; 0: no limit */
	_Atomic uint64_t held; /* by workers */
	/* the first record that cannot be stripped */
	uint64_t unknown_at; /* UINT64_MAX: none */
	struct hp_error unknown;
	struct hp_framing_known known;
};

/* HP_OK; HP_NOMEM. hp_framing_release() in any case. */
HP_MUST_USE enum hp_status hp_framing_init(struct hp_framing *f,
					   unsigned threads, uint64_t memory,
					   struct hp_error *err);
void hp_framing_release(struct hp_framing *f);

/* HP_OK; HP_DAMAGED: it is no header of a dump that can be read. */
HP_MUST_USE enum hp_status hp_framing_readable(const struct hp_header *h,
					       struct hp_error *err);

/* The reading thread met these; in file order. */
void hp_framing_problem(struct hp_framing *f, const struct hp_problem *p);
/* As hp_framing_readable(). */
HP_MUST_USE enum hp_status hp_framing_header(struct hp_framing *f,
					     const struct hp_header *h,
					     struct hp_error *err);
HP_MUST_USE enum hp_status hp_framing_record(struct hp_framing *f,
					     const struct hp_record *rec,
					     struct hp_cursor body,
					     struct hp_error *err);
HP_MUST_USE enum hp_status hp_framing_dump_begin(struct hp_framing *f,
						 struct hp_error *err);
HP_MUST_USE enum hp_status hp_framing_dump_end(struct hp_framing *f,
					       struct hp_error *err);
/*
 * Whoever strips has to know what is in a record: of an unknown one, or one
 * without a shape, it is not known what of it is payload.
 */
void hp_framing_unknown_payload(struct hp_framing *f,
				const struct hp_record *rec);
/* What is wrong with the input's compression; HP_OK: nothing. For its end. */
struct hp_error hp_framing_container(struct hp_source *src);
/* The same as a refusal, with what to do about it. HP_OK; HP_DAMAGED. */
HP_MUST_USE enum hp_status hp_framing_compression(struct hp_source *src,
						  struct hp_error *err);

/* The reader has cut a batch; in order. */
void hp_framing_cut(struct hp_framing *f, const struct hp_batch *b);
/*
 * Had the reader, when it cut the batch, met damage that stands before the
 * batch's end? HP_OK; HP_DAMAGED.
 */
HP_MUST_USE enum hp_status hp_framing_until(const struct hp_framing *f,
					    const struct hp_batch *b,
					    struct hp_error *err);
/*
 * The pass has ended with what hp_framing_until() told: where that follows from
 * the end of the input, and this from its compression, @err tells of the
 * latter.
 */
HP_MUST_USE enum hp_status hp_framing_cause(const struct hp_framing *f,
					    struct hp_source *src,
					    struct hp_error *err);
/* The batch is retired. HP_OK; HP_NOMEM; HP_LIMIT. */
HP_MUST_USE enum hp_status hp_framing_retired(struct hp_framing *f,
					      const struct hp_batch *b,
					      struct hp_error *err);
/* The input has ended: HP_OK, or HP_DAMAGED with what is wrong with it. */
HP_MUST_USE enum hp_status hp_framing_end(struct hp_framing *f,
					  struct hp_source *src,
					  struct hp_error *err);

/* ---- on workers ---- */

/* For hp_framing_subrecord(): what is no instance met before, and no array. */
HP_MUST_USE enum hp_status hp_framing_odd_sub(struct hp_framing *f,
					      const struct hp_batch *b,
					      const struct hp_run *r,
					      const struct hp_sub *s,
					      struct hp_error *err);

/**
 * hp_framing_subrecord() - a sub-record
 * @s: of a run, or the head of one that comes in pieces
 *
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
static inline HP_MUST_USE enum hp_status
hp_framing_subrecord(struct hp_framing *f, const struct hp_batch *b,
		     const struct hp_run *r, const struct hp_sub *s,
		     struct hp_error *err)
{
	struct hp_framing_worker *w = &f->workers[b->worker];

	if (HP_LIKELY(s->tag == HP_SUB_INSTANCE_DUMP && s->id != 0 && s->data &&
		      hp_instance_length_known(&w->lengths, s)))
		return HP_OK;
	if (HP_LIKELY((s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
		       s->tag == HP_SUB_OBJECT_ARRAY_DUMP) &&
		      s->id != 0 && s->data && s->count <= INT32_MAX)) {
		w->evidence.subs[s->tag]++;
		return HP_OK;
	}
	return hp_framing_odd_sub(f, b, r, s, err);
}

/*
 * Where hp_heap_next() returned false: HP_OK; HP_DAMAGED; HP_TRUNCATED: the
 * input ends there, of which the reader tells more, but maybe only later.
 */
HP_MUST_USE enum hp_status hp_framing_stop(const struct hp_heap_iter *it,
					   struct hp_error *err);

/* The batch is done: what the worker holds counts. */
void hp_framing_worked(struct hp_framing *f, const struct hp_batch *b);

#endif
