/*
 * workers.h - threads that wait for work, and buffers that they share
 */
#ifndef HP_IO_WORKERS_H
#define HP_IO_WORKERS_H

#include "common/base/status.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * ----------------------------------------------------------------------
 * An ordered pipeline: worker threads process jobs in parallel, and the results
 * come out in the order in which the jobs went in
 *
 * One thread, the producer, puts jobs into the pipeline. One thread, the
 * consumer, takes the finished jobs out. Both may be the same thread. With 0
 * workers, the pipeline is a queue between producer and consumer. If the option
 * fill is set, there is no producer: each worker makes its next job itself, one
 * worker at a time. So the data of the job is already in the cache of the
 * processor that works on it. A job is stored in a slot, whose size and
 * contents the caller defines. Slots are used again for later jobs, so their
 * buffers need not be allocated again.
 */

struct hp_worker_pool;

struct hp_worker_pool_options {
	/*
	 * The number of worker threads. If it is 0, no thread works on the
	 * jobs: a job is done as soon as the producer has put it into the
	 * pipeline.
	 */
	unsigned threads;
	/* maximum number of jobs in the pipeline, each in a slot; at least 1 */
	unsigned slots;
	/* size of a slot in bytes; slots are zeroed at first */
	size_t slot_size;
	/*
	 * Wake the waiting consumer only if the next job and this many jobs
	 * after it are done, or if all jobs are done. This saves thread
	 * switches. The option `slots` must be large enough for all jobs that
	 * wait for the consumer.
	 */
	unsigned together;
	/*
	 * Make the next job and store it in @slot. Only one worker at a time
	 * calls this function, in the order of the jobs. Returns false if there
	 * are no more jobs. *@work is false before the call; the function sets
	 * it to true if the job must be passed to work(). NULL: a producer puts
	 * the jobs into the pipeline.
	 */
	bool (*fill)(void *context, void *slot, bool *work);
	/*
	 * Process the job in @slot. Workers call this in parallel. @state: the
	 * result of worker_open() for the calling worker.
	 */
	void (*work)(void *context, void *state, void *slot);
	/*
	 * Create the state of a worker. Returns NULL if out of memory. If this
	 * member is NULL, workers have no state.
	 */
	void *(*worker_open)(void *context);
	void (*worker_close)(void *state);
	/* Free the memory that the job in @slot owns. May be NULL. */
	void (*slot_release)(void *slot);
	void *context;
};

/**
 * hp_worker_pool_open() - start the workers
 *
 * With the option fill, all workers start at once. Otherwise one worker starts
 * now. Another worker starts whenever a job is added while no worker is idle.
 * If the system cannot start all threads, the pool uses fewer.
 * Returns: HP_OK; HP_NOMEM; HP_IO if no thread can be started.
 * Ownership: the caller closes *@out with hp_worker_pool_close().
 */
HP_MUST_USE enum hp_status
hp_worker_pool_open(struct hp_worker_pool **out,
		    const struct hp_worker_pool_options *options,
		    struct hp_error *err);

/*
 * Called by the thread that adds jobs: wait for a free slot and return it. Then
 * the caller stores a job in this slot. Returns NULL after
 * hp_worker_pool_stop().
 */
void *hp_worker_pool_fill(struct hp_worker_pool *p);

/*
 * Called by the thread that adds jobs: add the job in the slot that
 * hp_worker_pool_fill() returned. @work: false if the job is already done and
 * needs no worker.
 */
void hp_worker_pool_put(struct hp_worker_pool *p, bool work);

/* Called by the thread that adds jobs, after the last job. */
void hp_worker_pool_end(struct hp_worker_pool *p);

/*
 * Called by the thread that uses the results: wait until the next job in order
 * is done, and return its slot. Returns NULL at the end and after
 * hp_worker_pool_stop(). The slot must be released with hp_worker_pool_give().
 */
void *hp_worker_pool_take(struct hp_worker_pool *p);

/*
 * Called by the thread that uses the results: release the slot that the last
 * hp_worker_pool_take() returned, so that it can be used for another job.
 */
void hp_worker_pool_give(struct hp_worker_pool *p);

/*
 * Stop the pool; any thread may call this. All waits end, and from now on
 * hp_worker_pool_fill() and hp_worker_pool_take() return NULL.
 */
void hp_worker_pool_stop(struct hp_worker_pool *p);

/* Stop the pool, join the workers and release the slots. @p may be NULL. */
void hp_worker_pool_close(struct hp_worker_pool *p);

/*
 * ----------------------------------------------------------------------
 * A pool of reference-counted buffers
 *
 * The consumer can use the decompressed bytes of one buffer in place, while the
 * next bytes are decompressed into another buffer. A new buffer is allocated
 * only if all buffers are in use. The buffer that was returned last is reused
 * first, because it may still be in the processor's cache. Private to common/.
 */

struct hp_buffer_pool;

struct hp_buffer {
	uint8_t *bytes;
	size_t room;
	/* the pool to which the buffer belongs; only used by buffer_pool.c */
	struct hp_buffer_pool *pool;
	/* next buffer in the list of unused buffers of the pool */
	struct hp_buffer *next;
	atomic_uint holders;
};

struct hp_buffer_pool {
	pthread_mutex_t lock;
	struct hp_buffer *free;
};

void hp_buffer_pool_init(struct hp_buffer_pool *s);

/* Free the pool and its buffers, which must all have been returned. */
void hp_buffer_pool_release(struct hp_buffer_pool *s);

/**
 * hp_buffer_pool_take() - get a buffer with room for @n bytes; its contents are
 * undefined
 * @b: *@b is NULL, or a buffer that only the caller uses. If this buffer is too
 *   small, the function returns it to the pool and replaces it.
 *
 * Returns: the bytes of the buffer. If out of memory: NULL, and *@b is also
 *          NULL. Ownership: the caller has one reference, and releases it with
 *          hp_buffer_unref(), on any thread.
 */
uint8_t *hp_buffer_pool_take(struct hp_buffer_pool *s, struct hp_buffer **b,
			     size_t n);

/* Add a reference to the buffer, for a further user. Returns @b. */
struct hp_buffer *hp_buffer_ref(struct hp_buffer *b);

/*
 * Release a reference, on any thread. @b may be NULL. The last release returns
 * the buffer to the pool.
 */
void hp_buffer_unref(struct hp_buffer *b);

#endif
