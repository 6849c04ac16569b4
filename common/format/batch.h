/*
 * batch.h - a batch: a part of a heap dump that one worker processes
 *
 * A batch is a list of runs. A run contains whole sub-records, or one piece of
 * an array that is too large for a single batch.
 */
#ifndef HP_FORMAT_BATCH_H
#define HP_FORMAT_BATCH_H

#include "common/format/heap.h"

enum hp_run_kind {
	/* whole sub-records; the last one may be invalid or truncated */
	HP_RUN_SUBS,
	HP_RUN_ARRAY, /* a piece of one array that is too large for a batch */
	/*
	 * Only in passes that want everything: the bytes between the heap's
	 * sub-records. These are the file header, record headers, and whole
	 * records other than heap records. Also what follows a framing error,
	 * up to the end of the record.
	 */
	HP_RUN_BYTES,
};

/*
 * One piece of an array that is split over batches. Also used for an instance
 * that is longer than any class allows; its elements are bytes.
 */
struct hp_piece {
	/* the fields before the elements: tag, id, count ...; data is NULL */
	struct hp_sub sub;
	uint64_t first; /* index of the first element of this piece */
	/* number of elements of this piece; 0 if the elements are skipped */
	uint64_t elements;
	/*
	 * This is the first piece; count the array only here. In passes that
	 * want everything, the head's bytes are in the batch's data, before the
	 * run.
	 */
	bool head;
	bool last; /* this is the last piece of the array */
};

/* A contiguous part of the dump inside a batch. */
struct hp_run {
	enum hp_run_kind kind;
	uint64_t offset; /* offset of its first byte in the dump */
	uint64_t length; /* bytes of this run */
	/* bytes from @offset to the end of the heap record */
	uint64_t limit;
	size_t at;	 /* index of its first byte in the batch's data */
	uint64_t record; /* ordinal of the record, from 1 */
	/*
	 * the current Android heap at the start of the run; 0: the default heap
	 */
	uint32_t heap;
	/*
	 * HP_RUN_BYTES: the run begins with a record header, or with the file
	 * header if record is 0
	 */
	bool record_start;
	struct hp_piece piece; /* only for HP_RUN_ARRAY */
};

struct hp_batch {
	uint64_t index; /* from 0, in file order */
	/* number of the dump, from 1; 0: the batch has no heap record */
	unsigned dump;
	/* the worker that processes the batch: 0 to threads - 1 */
	unsigned worker;
	/* the bytes of the runs; only passes with in_place may change them */
	uint8_t *data;
	size_t length; /* bytes of data */
	/*
	 * offset of data[0] in the dump; contiguous in passes that want
	 * everything
	 */
	uint64_t offset;
	struct hp_run *runs;
	size_t nruns;
	/*
	 * True if the batch was deferred and comes a second time. Then process
	 * only the instances, from resume_run and resume_at on.
	 */
	bool replay;
	size_t resume_run;
	uint64_t resume_at; /* offset in the dump, inside that run */
	/* private to the pass, for retired(); NULL at first */
	void *user;
	/* private to the scan */
	size_t data_cap, runs_cap;
	struct hp_error error;
};

/*
 * The offset in the dump of the first byte of a batch, and of the byte after
 * its last one. The batch must have runs.
 */
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

/*
 * For a run that begins with a record header: the length of the header and of
 * the body, as the header claims.
 */
static inline uint64_t
hp_run_record(const struct hp_batch *b, const struct hp_run *r)
{
	return r->record
		       ? HP_HEAD_SIZE + (uint64_t)hp_load4(b->data + r->at + 5)
		       : r->length;
}

/*
 * Defer the instances of the batch from the sub-record at @offset of run @run
 * on. Only the first call for a batch has an effect.
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
 * hp_run_iter() - iterate over the sub-records of a run of kind HP_RUN_SUBS
 *
 * In a replay, the iterator for the run @b->resume_run starts where the batch
 * was deferred. The caller must skip the earlier runs.
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
 * A loop over all sub-records of a batch, for passes for which speed is not
 * everything. All members except the options are zero at first.
 */
struct hp_batch_walk {
	/* return every piece of an array, not only the first one */
	bool every_piece;
	bool skip_instances; /* skip instances where that is fast */
	/* prefetch distance, see hp_heap_prefetch_behind() */
	unsigned ahead;

	/* about the sub-record that was returned last */
	const struct hp_run *run;
	/* NULL: the sub-record is not in pieces */
	const struct hp_piece *piece;

	/* private to hp_batch_next() */
	struct hp_heap_iter it;
	size_t next; /* index of the next run */
};

/**
 * hp_batch_next() - step to the next sub-record of a batch
 * @s: set if the function returns true; for a piece, the head of the array
 *
 * If a sub-record of a run is invalid, the rest of the run is skipped.
 * Returns: true; false at the end of the batch.
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
