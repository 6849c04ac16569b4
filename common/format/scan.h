/*
 * scan.h - the parallel pass: heap records cut into batches of whole
 * sub-records, handed to workers; everything else in file order
 *
 * One thread (the caller's) reads records and cuts; workers decode. Where input
 * is never waited for, and no output, the caller is one of the workers. Batches
 * are numbered in file order and cut at places that depend on the bytes alone,
 * so a pass whose merge is commutative, or which gathers in retired() order,
 * gives results that do not depend on the number of threads.
 */
#ifndef HP_FORMAT_SCAN_H
#define HP_FORMAT_SCAN_H

#include "common/format/heap.h"
#include "common/format/reader.h"

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

/* What a pass needs of the bytes. */
enum hp_need {
	HP_NEED_HEADS,	    /* elements of large arrays may be left out */
	HP_NEED_REFERENCES, /* ... of arrays of primitives only */
	HP_NEED_EVERYTHING, /* every byte of the file, in batches, in order */
};

struct hp_pass {
	enum hp_need need;
	bool in_place; /* batch() changes the data it is given */
	void *ctx;

	/* On the caller's thread, in file order; each may be NULL. */

	/* A framing problem of the reader. */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/* The header was read. Not HP_OK ends the pass with that status. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/*
	 * A record's head; for all but heap records with its body, which is
	 * cut short if rec->cut or rec->partial. A heap record's body is
	 * empty here and its batches have not been handed out yet.
	 */
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Instead of record(), where it is not NULL and the pass does not want
	 * everything: records that are strings. Steps over as many as it takes;
	 * if it does not take all that are here, record() has the next one.
	 */
	enum hp_status (*strings)(void *ctx, struct hp_string_run *run,
				  struct hp_error *err);
	/* A heap record was read to its end; its length and cut are final. */
	enum hp_status (*heap_end)(void *ctx, const struct hp_record *rec,
				   struct hp_error *err);
	enum hp_status (*dump_begin)(void *ctx, unsigned dump,
				     struct hp_error *err);
	/*
	 * All first-time batches of the dump are retired: what they defined
	 * is complete. Deferred ones are replayed after this.
	 */
	enum hp_status (*classes_complete)(void *ctx, unsigned dump,
					   struct hp_error *err);
	/* Everything of the dump is done. */
	enum hp_status (*dump_end)(void *ctx, unsigned dump,
				   struct hp_error *err);

	/*
	 * Is a batch worth looking at? One that is not goes to nobody, as if
	 * the dump ended before it and began behind it: its bytes are not even
	 * read where the input can be seeked. They are not there yet.
	 */
	bool (*wanted)(void *ctx, const struct hp_batch *b);

	/* On a worker's thread. Not HP_OK ends the pass. */

	/*
	 * A batch. To put instances off until all classes of the dump are
	 * known, hp_batch_defer() and leave all later instances of the batch
	 * alone: it comes again with replay set.
	 */
	enum hp_status (*batch)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	/*
	 * In the order of batch indexes, one at a time (under a lock), on any
	 * thread, after batch(); replays are not retired again.
	 */
	enum hp_status (*retired)(void *ctx, struct hp_batch *b,
				  struct hp_error *err);
	/*
	 * Instead of retired(), when something failed before the batch's
	 * turn: release what batch() left in @b->user, which may be NULL.
	 */
	void (*dropped)(void *ctx, struct hp_batch *b);
};

/* The input has @dumps and was asked for @dump: HP_UNSUPPORTED, and says so. */
enum hp_status hp_scan_no_dump(unsigned dump, unsigned dumps,
			       struct hp_error *err);

struct hp_scan_options {
	unsigned threads;      /* workers, from 1; the caller may be one */
	unsigned only_dump;    /* 0: all; others' batches are not made */
	struct hp_start from;  /* of only_dump: nothing else is looked at */
	uint64_t spill_memory; /* deferred bytes of a source without seeking
				  beyond this go to an unlinked file */
	const char *spill_dir; /* NULL: $TMPDIR or /tmp */
};

/*
 * How many of @wanted threads a quick pass over the source is worth: to start
 * one, and to bring together what it has found, takes as long as some MiB of a
 * dump do. Of compressed input the file's size tells; @wanted for a pipe.
 */
unsigned hp_scan_threads(const struct hp_source *src, unsigned wanted);

/**
 * hp_scan() - run a pass over a source, from its current first byte
 *
 * Returns: HP_OK at the end of the input, whatever is wrong with the dump;
 *          the status of a callback; HP_IO, HP_LIMIT, HP_NOMEM.
 * Memory:  some MiB a worker, plus one sub-record that is no array, plus the
 *          spill; of a source that unpacks also the blocks that its batches
 *          lie in.
 */
HP_MUST_USE enum hp_status hp_scan(struct hp_source *src,
				   const struct hp_pass *pass,
				   const struct hp_scan_options *options,
				   struct hp_error *err);

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

/* Is this instance put off (by hp_batch_defer) or, in a replay, done? */
static inline bool
hp_batch_deferred(const struct hp_batch *b)
{
	return !b->replay && b->resume_run != SIZE_MAX;
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
