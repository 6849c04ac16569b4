/*
 * batch.h - a stretch of a heap dump as a worker gets it: runs of whole
 * sub-records, and pieces of arrays that are too large for a batch
 */
#ifndef HP_FORMAT_BATCH_H
#define HP_FORMAT_BATCH_H

#include "common/format/heap.h"

enum hp_run_kind {
	HP_RUN_SUBS,  /* whole sub-records (up to a problem or a cut) */
	HP_RUN_ARRAY, /* a piece of one array too large for a batch */
	HP_RUN_BYTES, /* everything-passes: bytes between: the header, heads,
			 whole records that are no heap records; also what
			 follows a framing problem up to the record's end */
};

/*
 * An array that comes in pieces; also an instance longer than any class could
 * make it (elements are bytes then).
 */
struct hp_piece {
	struct hp_sub sub; /* its head: tag, id, count ...; data is NULL */
	uint64_t first;	   /* index of the first element here */
	uint64_t elements; /* elements here; 0 if the bodies are skipped */
	bool head;	   /* the first piece: count the array here. In passes
			      that want everything the head's bytes stand in
			      the batch's data before the run's */
	bool last;	   /* nothing of this array follows */
};

/* A stretch of the dump inside a batch. */
struct hp_run {
	enum hp_run_kind kind;
	uint64_t offset;   /* of its first byte, in the dump */
	uint64_t length;   /* bytes here */
	uint64_t limit;	   /* bytes from @offset to the heap record's end */
	size_t at;	   /* its place in the batch's data */
	uint64_t record;   /* ordinal of the record */
	uint32_t heap;	   /* Android heap in force at its start; 0 default */
	bool record_start; /* HP_RUN_BYTES: begins with a record's head (or
			      the file's header when record is 0) */
	struct hp_piece piece; /* HP_RUN_ARRAY */
};

struct hp_batch {
	uint64_t index;	 /* from 0, in file order */
	unsigned dump;	 /* from 1; 0: no heap record in it */
	unsigned worker; /* who has it: 0 .. threads-1 */
	uint8_t *data;	 /* to be changed by in_place passes only */
	size_t length;	 /* bytes of data */
	uint64_t offset; /* of data[0] (everything-passes: contiguous) */
	struct hp_run *runs;
	size_t nruns;
	/* replay after a deferral: start here, instances only */
	bool replay;
	size_t resume_run;
	uint64_t resume_at; /* offset, in the dump, inside that run */
	void *user;	    /* the pass's own, for retired(); NULL at first */
	/* kept by the scan */
	size_t data_cap, runs_cap;
	struct hp_error error;
};

/* Where in the dump a batch with runs begins, and the byte behind its last. */
static inline uint64_t
hp_batch_begin(const struct hp_batch *b)
{
	return b->runs[0].offset;
}

static inline uint64_t
hp_batch_end(const struct hp_batch *b)
{
	return b->runs[b->nruns - 1].offset + b->runs[b->nruns - 1].length;
}

/* Of a run that begins with a record's head: the record's bytes, as it says. */
static inline uint64_t
hp_run_record(const struct hp_batch *b, const struct hp_run *r)
{
	return r->record
		       ? HP_HEAD_SIZE + (uint64_t)hp_load4(b->data + r->at + 5)
		       : r->length;
}

/*
 * Put the batch's instances off from the sub-record at @offset of run @run on.
 * Only the first call on a batch counts.
 */
static inline void
hp_batch_defer(struct hp_batch *b, size_t run, uint64_t offset)
{
	if (b->resume_run == SIZE_MAX) {
		b->resume_run = run;
		b->resume_at = offset;
	}
}

/**
 * hp_run_iter() - the sub-records of a run of kind HP_RUN_SUBS
 *
 * In a replay the iterator starts where the batch was put off, for the run
 * @b->resume_run; earlier runs must be passed over by the caller.
 */
static inline struct hp_heap_iter
hp_run_iter(const struct hp_batch *b, size_t run)
{
	const struct hp_run *r = &b->runs[run];
	uint64_t skip = b->replay && run == b->resume_run
				? b->resume_at - r->offset
				: 0;

	return hp_heap_begin(b->data + r->at + skip, r->length - skip,
			     r->limit - skip, r->offset + skip);
}

/*
 * A walk over all sub-records of a batch, for passes that are not about speed
 * alone. Zeroed but for the choices at first.
 */
struct hp_batch_walk {
	bool every_piece;    /* not only the first one of an array in pieces */
	bool skip_instances; /* pass over them where that is fast */
	unsigned ahead;	     /* to prefetch, see hp_heap_prefetch_behind() */

	/* of the sub-record that was returned last */
	const struct hp_run *run;
	const struct hp_piece *piece; /* NULL: it is here whole */

	/* kept by hp_batch_next() */
	struct hp_heap_iter it;
	size_t next; /* run */
};

/**
 * hp_batch_next() - step to the next sub-record of a batch
 * @s: valid on true; of an array in pieces its head
 *
 * What a run has behind a problem is passed over.
 * Returns: true; false at the batch's end.
 */
HP_HOT bool
hp_batch_next(struct hp_batch_walk *w, const struct hp_batch *b,
	      struct hp_sub *s, unsigned id_size)
{
	for (;;) {
		if (w->skip_instances)
			hp_heap_skip_instances(&w->it, id_size);
		if (hp_heap_next(&w->it, s, id_size)) {
			hp_heap_prefetch_behind(w->it.at, s->size, w->ahead);
			return true;
		}
		if (w->next == b->nruns)
			return false;
		w->run = &b->runs[w->next];
		w->piece = NULL;
		w->it = (struct hp_heap_iter){0};
		if (w->run->kind == HP_RUN_SUBS) {
			w->it = hp_run_iter(b, w->next);
		} else if (w->run->kind == HP_RUN_ARRAY &&
			   (w->every_piece || w->run->piece.head)) {
			w->piece = &w->run->piece;
			*s = w->piece->sub;
			w->next++;
			return true;
		}
		w->next++;
	}
}

#endif
