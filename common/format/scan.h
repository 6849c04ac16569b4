/*
 * scan.h - read a dump with several threads, which call the functions of a pass
 */
#ifndef HP_FORMAT_SCAN_H
#define HP_FORMAT_SCAN_H

#include "common/format/heap.h"
#include "common/format/reader.h"

/* ----------------------------------------------------------------------
 * A batch: a part of a heap dump that one worker processes
 *
 * A batch is a list of runs. A run contains whole sub-records, or one piece of
 * an array that is too large for a single batch.
 */

enum hp_run_kind {
	/* whole sub-records; the last one may be invalid or truncated */
	HP_RUN_SUBS,
	HP_RUN_ARRAY, /* a piece of one array that is too large for a batch */
	/*
	 * The bytes outside sub-records, only in passes that want all bytes:
	 * the file header, record headers, and whole records other than heap
	 * records. Also the rest of a record after a framing error.
	 */
	HP_RUN_BYTES,
};

/*
 * One piece of an array that is divided over several batches. Also used for an
 * instance that is longer than any class allows; its elements are bytes.
 */
struct hp_piece {
	/* the fields before the elements: tag, id, count ...; data is NULL */
	struct hp_sub sub;
	uint64_t first; /* index of the first element of this piece */
	/* number of elements of this piece; 0 if the elements are skipped */
	uint64_t elements;
	/*
	 * This is the first piece of the array; count the array only here. In
	 * passes that want all bytes, the bytes of the fixed fields come before
	 * the run in the data of the batch.
	 */
	bool head;
	bool last; /* this is the last piece of the array */
};

/* A range of bytes of the dump in a batch. */
struct hp_run {
	enum hp_run_kind kind;
	uint64_t offset; /* offset of the run's first byte in the dump */
	uint64_t length; /* bytes of this run */
	/* bytes from @offset to the end of the heap record */
	uint64_t limit;
	size_t at;	 /* index of its first byte in the batch's data */
	uint64_t record; /* number of the record in the file, from 1 */
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
	uint64_t index; /* number of the batch, from 0, in file order */
	/* number of the dump, from 1; 0: the batch has no heap record */
	unsigned dump;
	/* the number of the thread that handles the batch: 0 to threads - 1 */
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
	 * True if the batch was postponed and comes a second time. Then handle
	 * only the instances, from resume_run and resume_at on.
	 */
	bool replay;
	size_t resume_run;
	/* where to continue inside that run, as an offset in the dump */
	uint64_t resume_at;
	/* private to the pass, for retired(); NULL at first */
	void *user;
	/* private to hp_scan() */
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
 * Postpone the instances of the batch from the sub-record at @offset of run
 * @run on. Only the first call for a batch has an effect.
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
 * If the batch comes a second time, the iterator for the run @b->resume_run
 * starts at the first postponed instance. The caller must skip the earlier
 * runs.
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
	bool skip_instances; /* skip instances where this saves time */
	/* prefetch distance, see hp_heap_prefetch_behind() */
	unsigned ahead;

	/* the run that contains the sub-record that was returned last */
	const struct hp_run *run;
	/* the piece; NULL: the sub-record is not in pieces */
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

/* ----------------------------------------------------------------------
 * The callbacks of a pass over a dump: what a program receives, on which
 * thread, and in which order
 */

/* Which bytes a pass needs. */
enum hp_need {
	HP_NEED_HEADS, /* elements of large arrays may be left out */
	/* only elements of large primitive arrays may be left out */
	HP_NEED_REFERENCES,
	/* all elements of arrays; bytes outside heap records may be left out */
	HP_NEED_CONTENTS,
	/* every byte of the file, in order */
	HP_NEED_EVERYTHING,
};

struct hp_pass {
	enum hp_need need;
	bool in_place; /* batch() may change the bytes of the dump in memory */
	void *ctx;

	/* ---- on the caller's thread, in file order; each may be NULL ---- */

	/* Called for damage in lengths or tags. */
	void (*problem)(void *ctx, const struct hp_problem *p);
	/*
	 * Receive the file header. A status other than HP_OK ends the pass with
	 * that status.
	 */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/*
	 * Receive a record. The body of a heap record is empty here, and its
	 * batches come later. Other records have their body, which is
	 * incomplete if rec->cut or rec->partial is set.
	 */
	enum hp_status (*record)(void *ctx, const struct hp_record *rec,
				 struct hp_cursor body, struct hp_error *err);
	/*
	 * Receive consecutive STRING records instead of record(). It steps over
	 * as many records as it processes; record() receives the next one. Not
	 * called in passes that want everything. May be NULL. If record() is
	 * NULL, too, the strings are skipped.
	 */
	enum hp_status (*strings)(void *ctx, struct hp_string_run *run,
				  struct hp_error *err);
	/*
	 * A heap record was read to its end: its length and cut are final now.
	 */
	enum hp_status (*heap_end)(void *ctx, const struct hp_record *rec,
				   struct hp_error *err);
	enum hp_status (*dump_begin)(void *ctx, unsigned dump,
				     struct hp_error *err);
	/*
	 * Whether the end of the dump has to wait for records after the heap,
	 * for example for names. Called after the last heap record of the dump,
	 * when all batches that were not deferred are retired. If it returns
	 * true, the dump ends where the next one begins, or at the end of the
	 * file. NULL: never wait.
	 */
	bool (*dump_waits)(void *ctx, unsigned dump);
	/*
	 * All batches of the dump were processed for the first time, so all its
	 * classes are known. Deferred batches are replayed after this call.
	 */
	enum hp_status (*classes_complete)(void *ctx, unsigned dump,
					   struct hp_error *err);
	/* Called when all batches and records of the dump have been handled. */
	enum hp_status (*dump_end)(void *ctx, unsigned dump,
				   struct hp_error *err);

	/*
	 * Whether a batch should be processed. If not, no worker receives it,
	 * as if its bytes were not in the dump; a seekable input does not even
	 * read them. The bytes are not available in this call.
	 */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/*
	 * Called by the reading thread when a batch is complete, before another
	 * thread gets it. Its bytes cannot be read in this call.
	 */
	void (*cut)(void *ctx, const struct hp_batch *b);

	/*
	 * ---- on a worker's thread; a status other than HP_OK ends the pass
	 * ----
	 */

	/*
	 * Handle a batch. To postpone instances until all classes of the dump
	 * are known, call hp_batch_defer(), and ignore all later instances of
	 * the batch. The batch comes a second time, with replay set.
	 */
	enum hp_status (*batch)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	/*
	 * Called after batch() in file order, one batch at a time (under a
	 * lock), on any thread. Not called for a batch that comes a second
	 * time.
	 */
	enum hp_status (*retired)(void *ctx, struct hp_batch *b,
				  struct hp_error *err);
	/*
	 * Called instead of retired() if an error occurred earlier. It frees
	 * what batch() has stored in @b->user, which may be NULL.
	 */
	void (*dropped)(void *ctx, struct hp_batch *b);
};

/* ----------------------------------------------------------------------
 * Run a pass over a dump with several threads: workers process batches of
 * whole sub-records of the heap; everything else is processed in file order
 *
 * The caller's thread reads the records and cuts the batches. If it never waits
 * for input or output, it also works as one of the workers. Batches are
 * numbered in file order, and the cuts depend only on the bytes. So the results
 * of a pass do not depend on the number of threads if it merges commutatively,
 * or collects its results in retired().
 */

/*
 * Fail with HP_UNSUPPORTED and a message: dump @dump was requested, but the
 * input contains only @dumps.
 */
enum hp_status hp_scan_no_dump(unsigned dump, unsigned dumps,
			       struct hp_error *err);

struct hp_scan_options {
	/* number of workers, at least 1; the caller may be one of them */
	unsigned threads;
	/*
	 * process only this dump, without making batches of the others; 0: all
	 * dumps
	 */
	unsigned only_dump;
	/*
	 * start of only_dump; nothing else is read. Zeroed: start at the
	 * beginning
	 */
	struct hp_start from;
	/*
	 * Memory in bytes for deferred batches of a source that is not
	 * seekable. More bytes go to an unnamed temporary file.
	 */
	uint64_t spill_memory;
	const char *spill_dir; /* folder of that file; NULL: $TMPDIR or /tmp */
};

/*
 * The number of threads, at most @wanted, that are worthwhile for a quick pass
 * over the source. Starting a thread and merging its results takes as long as
 * reading a few MiB. For compressed input this is estimated from the size of
 * the file. For a pipe it returns @wanted.
 */
unsigned hp_scan_threads(const struct hp_source *src, unsigned wanted);

/**
 * hp_scan() - run a pass over a source, from its current first byte
 *
 * Returns: HP_OK at the end of the input, even if the dump is damaged; the
 *          status of a callback that failed; HP_IO, HP_LIMIT, HP_NOMEM.
 * Memory:  a few MiB for each worker, plus the longest sub-record that is not
 * an array, plus the deferred batches; for compressed sources also the buffers
 * that the batches borrow.
 */
HP_MUST_USE enum hp_status hp_scan(struct hp_source *src,
				   const struct hp_pass *pass,
				   const struct hp_scan_options *options,
				   struct hp_error *err);

#endif
