/*
 * scan.h - read a dump once (a pass) with several threads, which call functions
 * of the program
 */
#ifndef HP_FORMAT_SCAN_H
#define HP_FORMAT_SCAN_H

#include "common/format/heap.h"
#include "common/format/reader.h"

/*
 * ----------------------------------------------------------------------
 * A batch: a part of a heap dump that one worker thread processes
 *
 * A batch is a list of runs, which are ranges of bytes. A run contains whole
 * sub-records, or one piece of an array that is too large for a single batch.
 */

enum hp_run_kind {
	/* whole sub-records; the last one may be invalid or truncated */
	HP_RUN_SUBS,
	HP_RUN_ARRAY, /* a piece of one array that is too large for a batch */
	/*
	 * Bytes that are not part of a valid sub-record: the file header,
	 * record headers, records other than heap records, and the rest of a
	 * heap record after damage. Only in passes with HP_NEED_EVERYTHING.
	 */
	HP_RUN_BYTES,
};

/*
 * One piece of an array that is divided over several batches. Also used for an
 * instance that is longer than any class allows; its bytes are then treated as
 * the elements.
 */
struct hp_piece {
	/* the fixed fields of the array: tag, id, count ...; data is NULL */
	struct hp_sub sub;
	uint64_t first; /* index of the first element of this piece */
	/* number of elements of this piece; 0 if the elements are skipped */
	uint64_t elements;
	/*
	 * This is the first piece of the array. Code that counts arrays counts
	 * only first pieces. In passes with HP_NEED_EVERYTHING, the batch's
	 * data also contains the bytes of the fixed fields, directly before the
	 * run.
	 */
	bool head;
	bool last; /* this is the last piece of the array */
};

/* A run: a range of bytes of the dump in a batch. */
struct hp_run {
	enum hp_run_kind kind;
	uint64_t offset; /* offset of the first byte of the run in the dump */
	uint64_t length; /* length of the run in bytes */
	/*
	 * number of bytes from `offset` to the end of the heap record that
	 * contains the run
	 */
	uint64_t limit;
	/* index in the batch's `data` of the first byte of the run */
	size_t at;
	/*
	 * position, from 1, of the record that contains the run, among all
	 * records of the file
	 */
	uint64_t record;
	/*
	 * the Android heap that is current at the start of the run; 0: the
	 * default heap
	 */
	uint32_t heap;
	/*
	 * Only for HP_RUN_BYTES: the run begins with a record header or, if
	 * `record` is 0, with the file header.
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
	/*
	 * the bytes of all runs (ranges of bytes) of the batch; only a pass
	 * with the option in_place may change them
	 */
	uint8_t *data;
	size_t length; /* number of bytes at `data` */
	/*
	 * The offset of data[0] in the dump. With HP_NEED_EVERYTHING, the bytes
	 * at `data` are one range of the dump without gaps.
	 */
	uint64_t offset;
	struct hp_run *runs;
	size_t nruns;
	/*
	 * The worker gets this batch for the second time, because some of its
	 * instances were postponed. The worker must handle only instances,
	 * beginning with the one at the offset resume_at, in the range of bytes
	 * runs[resume_run].
	 */
	bool replay;
	size_t resume_run;
	/*
	 * offset of the first postponed instance in the dump; the instance is
	 * in the range of bytes runs[resume_run]
	 */
	uint64_t resume_at;
	/*
	 * A pointer that the function batch() of the pass can set for its
	 * function retired(). It is NULL at first.
	 */
	void *user;
	/* private to hp_scan() */
	size_t data_cap, runs_cap;
	struct hp_error error;
};

/*
 * Two functions that return the offsets in the dump at which a batch begins and
 * ends. The end is the offset after its last byte. The batch must have at least
 * one run (range of bytes).
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
 * For a run that begins with a record header: returns the length of the whole
 * record, header and body, as the header states it.
 */
static inline uint64_t
hp_run_record(const struct hp_batch *b, const struct hp_run *r)
{
	return r->record
		       ? HP_HEAD_SIZE + (uint64_t)hp_load4(b->data + r->at + 5)
		       : r->length;
}

/*
 * Postpone the instances of the batch, because a class is not known yet: the
 * instance at @offset, in the range b->runs[@run], and all later ones. The
 * worker gets the batch a second time when all classes are known. Only the
 * first call for a batch has an effect.
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
 * hp_run_iter() - iterate over the sub-records of a run (range of bytes) of
 * kind HP_RUN_SUBS
 *
 * If the worker gets the batch a second time (b->replay), the iterator for the
 * run b->resume_run starts at the first postponed instance. The caller must
 * skip the earlier runs.
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
 * The state of a loop over all sub-records of a batch. It is simpler than a
 * loop with hp_run_iter(), but slower. The caller sets the options, and zeroes
 * all other members.
 */
struct hp_batch_walk {
	/* option: return every piece of an array, not only the first one */
	bool every_piece;
	/* option: the caller does not need instances, so they may be skipped */
	bool skip_instances;
	/*
	 * option: how many bytes ahead to prefetch: HP_AHEAD or HP_AHEAD_BUSY
	 */
	unsigned ahead;

	/*
	 * the run (range of bytes) that contains the last returned sub-record
	 */
	const struct hp_run *run;
	/*
	 * If the last returned sub-record is a piece of an array: this piece.
	 * Otherwise NULL.
	 */
	const struct hp_piece *piece;

	/* private to hp_batch_next() */
	struct hp_heap_iter it;
	/* index of the next run (range of bytes) of the batch to read */
	size_t next;
};

/**
 * hp_batch_next() - step to the next sub-record of a batch
 * @s: receives the sub-record if the function returns true; for a piece of an
 *     array, its fixed fields
 *
 * If a sub-record of a run (range of bytes) is invalid, the rest of the run is
 * skipped.
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

/*
 * ----------------------------------------------------------------------
 * The callbacks of a pass (one reading of a dump): what a program receives, on
 * which thread, and in which order
 */

/* Which bytes a pass needs. */
enum hp_need {
	/*
	 * the pass does not need the elements of large arrays, so they may be
	 * skipped
	 */
	HP_NEED_HEADS,
	/*
	 * the pass needs all references: only elements of large primitive
	 * arrays may be skipped
	 */
	HP_NEED_REFERENCES,
	/*
	 * the pass needs all elements of arrays; bytes outside heap records may
	 * be skipped
	 */
	HP_NEED_CONTENTS,
	/* the pass needs every byte of the file */
	HP_NEED_EVERYTHING,
};

struct hp_pass {
	enum hp_need need;
	bool in_place; /* batch() may change the bytes of the dump in memory */
	void *ctx;

	/*
	 * ---- called on the caller's thread, in file order; may be NULL ----
	 */

	/* Receive a problem: damage in the length or tag of a record. */
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
	 * Receive consecutive STRING records together, instead of one by one in
	 * record(). The function may process only some of them: it removes
	 * these from @run, and record() receives the next record. Not called
	 * with HP_NEED_EVERYTHING. May be NULL. If record() is also NULL,
	 * strings are skipped.
	 */
	enum hp_status (*strings)(void *ctx, struct hp_string_run *run,
				  struct hp_error *err);
	/*
	 * Called at the end of a heap record: rec->body (its length) and
	 * rec->cut are final now.
	 */
	enum hp_status (*heap_end)(void *ctx, const struct hp_record *rec,
				   struct hp_error *err);
	enum hp_status (*dump_begin)(void *ctx, unsigned dump,
				     struct hp_error *err);
	/*
	 * Returns whether dump_end() must wait for records after the heap, for
	 * example because a class has no name yet. Called after the last heap
	 * record of the dump, when all batches except postponed ones were
	 * handled. If it returns true, dump_end() is called when the next dump
	 * begins, or at the end of the file. NULL: never wait.
	 */
	bool (*dump_waits)(void *ctx, unsigned dump);
	/*
	 * Called when all batches of the dump were handled once, so that all
	 * its classes are known. Postponed batches are handled a second time
	 * after this call.
	 */
	enum hp_status (*classes_complete)(void *ctx, unsigned dump,
					   struct hp_error *err);
	/* Called when all batches and records of the dump have been handled. */
	enum hp_status (*dump_end)(void *ctx, unsigned dump,
				   struct hp_error *err);

	/*
	 * Returns whether the pass needs the batch. If not, no worker receives
	 * the batch; if the input is seekable, its bytes are not even read. The
	 * bytes of the batch are not available in this call.
	 */
	bool (*wanted)(void *ctx, const struct hp_batch *b);
	/*
	 * Called when the reading thread has completed a batch, before a worker
	 * receives it. The bytes of the batch are not available in this call.
	 */
	void (*cut)(void *ctx, const struct hp_batch *b);

	/*
	 * ---- called on worker threads; any status but HP_OK ends the pass
	 * ----
	 */

	/*
	 * Handle a batch. The function may postpone instances until all classes
	 * of the dump are known. To do so, it calls hp_batch_defer() and
	 * ignores all later instances of the batch. Then it receives the batch
	 * a second time, with `replay` set.
	 */
	enum hp_status (*batch)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	/*
	 * Called once for each batch, after batch(). The calls are in file
	 * order, one at a time (under a lock), on any thread. Not called again
	 * for a batch that batch() receives a second time.
	 */
	enum hp_status (*retired)(void *ctx, struct hp_batch *b,
				  struct hp_error *err);
	/*
	 * Called instead of retired() if the pass has failed. The function must
	 * free the memory that batch() has stored in @b->user, which may be
	 * NULL.
	 */
	void (*dropped)(void *ctx, struct hp_batch *b);
};

/*
 * ----------------------------------------------------------------------
 * Run a pass over a dump with several threads: workers process batches of whole
 * sub-records of the heap; all other records are processed in file order
 *
 * The caller's thread reads the records and cuts the batches. If it never waits
 * for input or output, it also works as one of the workers. Batches are
 * numbered in file order, and the cuts depend only on the bytes. So the results
 * of a pass do not depend on the number of threads in two cases: if the results
 * of the workers can be merged in any order, or if the pass collects its
 * results in retired().
 */

/*
 * Fail with HP_UNSUPPORTED and a message: dump number @dump was requested, but
 * the input contains only @dumps dumps.
 */
enum hp_status hp_scan_no_dump(unsigned dump, unsigned dumps,
			       struct hp_error *err);

struct hp_scan_options {
	/* number of workers, at least 1; the caller may be one of them */
	unsigned threads;
	/*
	 * The number of the only dump to process. Other dumps in the file are
	 * not divided into batches. 0: process all dumps.
	 */
	unsigned only_dump;
	/*
	 * The position where the dump `only_dump` starts, so that no bytes
	 * before it are read. If it is zeroed, reading starts at the beginning.
	 */
	struct hp_start from;
	/*
	 * The maximum memory in bytes for postponed batches of a source that is
	 * not seekable. If they need more, an unnamed temporary file stores the
	 * rest.
	 */
	uint64_t spill_memory;
	/*
	 * folder of the temporary file for postponed batches; NULL: $TMPDIR or
	 * /tmp
	 */
	const char *spill_dir;
};

/*
 * Returns the number of threads, at most @wanted, with which a quick pass over
 * the source is fastest. Starting a thread and merging its results takes as
 * long as reading a few MiB, so a small dump needs few threads. For compressed
 * input, the function estimates the size of the dump from the size of the file.
 * For a pipe it returns @wanted.
 */
unsigned hp_scan_threads(const struct hp_source *src, unsigned wanted);

/**
 * hp_scan() - run a pass over a source, from its current first byte
 *
 * Returns: HP_OK at the end of the input, even if the dump is damaged; the
 *          status of a callback that failed; HP_IO, HP_LIMIT, HP_NOMEM.
 * Memory:  a few MiB for each worker, plus the longest sub-record that is not
 * an array, plus the postponed batches; for compressed sources also the buffers
 * that the batches borrow.
 */
HP_MUST_USE enum hp_status hp_scan(struct hp_source *src,
				   const struct hp_pass *pass,
				   const struct hp_scan_options *options,
				   struct hp_error *err);

#endif
