/*
 * batch_queue.h - the queue of batches from the cutting thread to the workers
 *
 * Private to the scan. The queue is a ring of slots. The cutter fills the next
 * slot, and workers take the slots in order. When the oldest batch is done, the
 * thread that finished it retires all completed batches in order.
 */
#ifndef HP_FORMAT_BATCH_QUEUE_H
#define HP_FORMAT_BATCH_QUEUE_H

#include "common/format/pass.h"

#include <pthread.h>

struct hp_slot {
	struct hp_batch b;
	bool load; /* the worker has to read b.length bytes at b.offset */
	/* b.data points into this mapped window; NULL: it does not */
	struct hp_window *window;
	/*
	 * b.data points into this buffer of decompressed bytes; NULL: it does
	 * not
	 */
	struct hp_buffer *held;
	/* the batch's own memory, while b.data points to a window or buffer */
	uint8_t *own;
	/* bytes of the runs, and of the list of runs */
	uint64_t weight;
	bool done;
};

struct hp_queue {
	struct hp_source *src;
	const struct hp_pass *pass;
	pthread_mutex_t lock;
	pthread_cond_t changed_free; /* a slot was retired */
	/* a slot was submitted, or the queue stops */
	pthread_cond_t changed_ready;
	struct hp_slot *slots;
	size_t nslots;
	/* counts of slots; retired <= taken <= filled */
	uint64_t filled, taken, retired;
	bool retiring; /* a thread is inside the retired() callback */
	bool closing;
	enum hp_status status; /* the first failure, or HP_OK */
	struct hp_error error;
	pthread_t *threads;
	unsigned nthreads; /* number of threads that were started */
	unsigned threads_most;
	unsigned idle; /* number of threads that wait for a batch */
	/* the cutter also processes batches, as worker number threads_most */
	bool cutter_works;
	/*
	 * Keeps a deferred batch for a replay. Called on the thread that
	 * retires it.
	 */
	enum hp_status (*defer)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	void *defer_ctx;
};

HP_MUST_USE enum hp_status hp_queue_open(struct hp_queue *q,
					 struct hp_source *src,
					 const struct hp_pass *pass,
					 unsigned threads,
					 struct hp_error *err);
/* Let the workers finish, and free everything. */
void hp_queue_close(struct hp_queue *q);

/*
 * Wait for the next free slot, and return it empty. Returns NULL after a
 * failure. Returns the same slot again until it is submitted.
 */
struct hp_slot *hp_queue_slot(struct hp_queue *q);
/*
 * Submit the slot that hp_queue_slot() returned last. Threads are started only
 * when there is work for them, so a dump of one batch needs none.
 */
void hp_queue_submit(struct hp_queue *q);
/*
 * Wait until all submitted batches are retired. Returns the status of the first
 * failure, or HP_OK.
 */
HP_MUST_USE enum hp_status hp_queue_drain(struct hp_queue *q,
					  struct hp_error *err);

/*
 * Make room for @n bytes of data in total. Keeps the contents. Returns false if
 * out of memory.
 */
HP_MUST_USE bool hp_batch_reserve(struct hp_batch *b, size_t n);
/*
 * Used if the bytes of the batch are in a buffer of decompressed bytes. Copies
 * the runs to the batch's own memory, without the gaps between them. Returns
 * false if out of memory; then nothing has changed.
 */
HP_MUST_USE bool hp_slot_settle(struct hp_slot *slot);
/* Release the window or the buffer that the batch's bytes are in. */
void hp_slot_clear(struct hp_slot *slot);
/* Append a run, with all members zero. Returns NULL if out of memory. */
struct hp_run *hp_batch_run(struct hp_batch *b);

#endif
