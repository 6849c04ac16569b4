/*
 * worker_pool.h - an ordered pipeline: jobs go in at one end one after the
 * other, are worked on by several threads, and come out in the order they went
 * in
 *
 * One thread puts and one thread takes; they may be the same or not. Without
 * worker threads it is a queue of slots between two threads. Where the pool is
 * told how to fill a slot nobody puts: each worker fills its next job itself,
 * one after the other, and has what it filled in its cache. What a job is
 * belongs to the caller: slots are storage of a size that the caller names,
 * used round and round, so that their buffers are kept from job to job.
 */
#ifndef HP_IO_WORKER_POOL_H
#define HP_IO_WORKER_POOL_H

#include "common/base/status.h"

#include <pthread.h>

struct hp_worker_pool;

struct hp_worker_pool_options {
	unsigned threads; /* workers; 0: jobs are done when they are put */
	unsigned slots;	  /* jobs in the pipeline at most, at least 1 */
	size_t slot_size; /* bytes of a job's storage, zeroed at first */
	/*
	 * A taker that waits is woken when so many more than the next job are
	 * done, or all that were put: two switches of threads for them all.
	 * The slots allow for them to wait.
	 */
	unsigned together;
	/*
	 * Called by the workers, one at a time, in the order of the jobs; false
	 * with the last one. @work as in hp_worker_pool_put(), false at first.
	 * NULL: jobs are put.
	 */
	bool (*fill)(void *context, void *slot, bool *work);
	/* Called by workers; @state is what worker_open gave that worker. */
	void (*work)(void *context, void *state, void *slot);
	/* NULL: workers have none. Returns NULL: out of memory. */
	void *(*worker_open)(void *context);
	void (*worker_close)(void *state);
	void (*slot_release)(
		void *slot); /* for what a slot owns; may be NULL */
	void *context;
};

/**
 * hp_worker_pool_open() - start the workers
 *
 * Those that fill their jobs all at once; of others the first, and one more
 * whenever a job is put that none is there for. Where the system has no thread
 * or no memory for all of them, there are fewer.
 * Returns: HP_OK; HP_NOMEM; HP_IO if none can be started.
 * Ownership: the caller ends it with hp_worker_pool_close().
 */
HP_MUST_USE enum hp_status
hp_worker_pool_open(struct hp_worker_pool **out,
		    const struct hp_worker_pool_options *options,
		    struct hp_error *err);

/* Putting side: a free slot to fill, waited for; NULL once stopped. */
void *hp_worker_pool_fill(struct hp_worker_pool *p);

/* Putting side: the slot is filled; @work false: it is done already. */
void hp_worker_pool_put(struct hp_worker_pool *p, bool work);

/* Putting side: nothing more will come. */
void hp_worker_pool_end(struct hp_worker_pool *p);

/*
 * Taking side: the next slot in order, waited for until it is done; NULL at
 * the end and once stopped. It belongs to the taker until
 * hp_worker_pool_give().
 */
void *hp_worker_pool_take(struct hp_worker_pool *p);

/* Taking side: the slot of the last hp_worker_pool_take() is free again. */
void hp_worker_pool_give(struct hp_worker_pool *p);

/* From any thread: all waits end, fill and take return NULL from now on. */
void hp_worker_pool_stop(struct hp_worker_pool *p);

/* Stops, joins the workers and releases the slots; NULL is allowed. */
void hp_worker_pool_close(struct hp_worker_pool *p);

#endif
