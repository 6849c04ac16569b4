/*
 * ordered_writer.h - process blocks on several threads, and write them on one
 * thread in their original order
 *
 * Used by compressors and packs. The caller fills a block, a worker processes
 * it, and a separate thread writes the result. Without threads, submitting a
 * block does all this at once. A block is a slot of a worker pool
 * (worker_pool.h).
 */
#ifndef HP_SINK_ORDERED_WRITER_H
#define HP_SINK_ORDERED_WRITER_H

#include "common/io/worker_pool.h"

struct hp_ordered_writer {
	/* Options that the caller sets; threads may be 0. */
	struct hp_worker_pool_options o;
	/*
	 * Write the result of o.work() in the slot. Called in order. A status
	 * other than HP_OK ends the writing.
	 */
	enum hp_status (*write)(void *context, void *slot,
				struct hp_error *err);

	struct hp_worker_pool *pool; /* NULL without threads */
	pthread_t thread;
	bool writing;	    /* the thread was started */
	void *slot, *state; /* used without threads */
	pthread_mutex_t lock;
	struct hp_error error; /* the first failure; protected by lock */
};

/*
 * Start the threads. Returns HP_OK; HP_NOMEM; HP_IO if no thread can be
 * started. Even after a failure the caller must call hp_ordered_writer_close().
 */
HP_MUST_USE enum hp_status hp_ordered_writer_open(struct hp_ordered_writer *w,
						  struct hp_error *err);

/*
 * Wait for a free block, to be filled by the caller. Returns HP_OK, or the
 * failure of an earlier write.
 */
HP_MUST_USE enum hp_status hp_ordered_writer_begin(struct hp_ordered_writer *w,
						   void **slot,
						   struct hp_error *err);

/*
 * Submit the block that was filled. Failures are returned by the next
 * hp_ordered_writer_begin() or by hp_ordered_writer_finish().
 */
void hp_ordered_writer_submit(struct hp_ordered_writer *w);

/* Wait until all blocks are written. Returns HP_OK or the first failure. */
HP_MUST_USE enum hp_status hp_ordered_writer_finish(struct hp_ordered_writer *w,
						    struct hp_error *err);

/*
 * Join the threads and free the blocks. If @write, first write the blocks that
 * were submitted; else discard them.
 */
void hp_ordered_writer_close(struct hp_ordered_writer *w, bool write);

#endif
