/*
 * ordered_writer.h - blocks that several threads work on and one thread writes
 * in the order they were begun in
 *
 * What compressors and packs are made with: the caller fills a block, workers
 * turn it into what is written, a thread of its own writes. Without threads
 * all of it is done as a block is submitted, and nothing else changes. Below
 * is a worker_pool.h; a block is one of its slots.
 */
#ifndef HP_SINK_ORDERED_WRITER_H
#define HP_SINK_ORDERED_WRITER_H

#include "common/io/worker_pool.h"

struct hp_ordered_writer {
	/* Set by the caller; threads 0: without threads. */
	struct hp_worker_pool_options o;
	/* In order, of what o.work() left in the slot. Not HP_OK: it ends. */
	enum hp_status (*write)(void *context, void *slot,
				struct hp_error *err);

	struct hp_worker_pool *pool; /* NULL: without threads */
	pthread_t thread;
	bool writing;	    /* the thread was started */
	void *slot, *state; /* without threads */
	pthread_mutex_t lock;
	struct hp_error error; /* the first failure, under lock */
};

/*
 * Starts the threads. HP_OK; HP_NOMEM; HP_IO (no thread). Whatever it returns,
 * the caller ends it with hp_ordered_writer_close().
 */
HP_MUST_USE enum hp_status hp_ordered_writer_open(struct hp_ordered_writer *w,
						  struct hp_error *err);

/* A block to fill, waited for. HP_OK; what a write before it failed with. */
HP_MUST_USE enum hp_status hp_ordered_writer_begin(struct hp_ordered_writer *w,
						   void **slot,
						   struct hp_error *err);

/* The block is filled. A failure is told by the next begin, or at the end. */
void hp_ordered_writer_submit(struct hp_ordered_writer *w);

/* Waits until all is written. HP_OK; the first failure. */
HP_MUST_USE enum hp_status hp_ordered_writer_finish(struct hp_ordered_writer *w,
						    struct hp_error *err);

/*
 * Joins the threads and releases the blocks. What was submitted and is
 * unwritten is written if @write, else dropped.
 */
void hp_ordered_writer_close(struct hp_ordered_writer *w, bool write);

#endif
