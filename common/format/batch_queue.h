/*
 * batch_queue.h - batches on their way from the cutting thread to the workers
 * and, in order, to their retirement
 *
 * For scan.c only. A ring of slots: the cutter fills the next one, workers
 * take them in order, and whoever finishes the oldest retires what is done.
 */
#ifndef HP_FORMAT_BATCH_QUEUE_H
#define HP_FORMAT_BATCH_QUEUE_H

#include "common/format/pass.h"

#include <pthread.h>

struct hp_slot {
	struct hp_batch b;
	bool load; /* the worker reads b.length bytes at b.offset */
	struct hp_window *window; /* ... or they are here; NULL: are not */
	struct hp_buffer *held;	  /* here they were unpacked; NULL: were not */
	uint8_t *own;		  /* b.data, while b.data is in one of them */
	uint64_t weight;	  /* bytes of the runs, and theirs */
	bool done;
};

struct hp_queue {
	struct hp_source *src;
	const struct hp_pass *pass;
	pthread_mutex_t lock;
	pthread_cond_t changed_free;  /* a slot was retired */
	pthread_cond_t changed_ready; /* a slot was submitted, or stop */
	struct hp_slot *slots;
	size_t nslots;
	uint64_t filled, taken, retired; /* slots so far; filled >= taken */
	bool retiring; /* somebody is in the retired() callback */
	bool closing;
	enum hp_status status; /* the first failure */
	struct hp_error error;
	pthread_t *threads;
	unsigned nthreads; /* that were started */
	unsigned threads_most;
	unsigned idle;	   /* threads that wait for a batch */
	bool cutter_works; /* as worker number threads_most, not waiting */
	/* what becomes of a deferred batch; on the retiring thread */
	enum hp_status (*defer)(void *ctx, struct hp_batch *b,
				struct hp_error *err);
	void *defer_ctx;
};

HP_MUST_USE enum hp_status hp_queue_open(struct hp_queue *q,
					 struct hp_source *src,
					 const struct hp_pass *pass,
					 unsigned threads,
					 struct hp_error *err);
/* Let the workers finish and release everything. */
void hp_queue_close(struct hp_queue *q);

/*
 * The next slot, emptied; NULL once something has failed. Waits. It is the same
 * one until it was handed over.
 */
struct hp_slot *hp_queue_slot(struct hp_queue *q);
/*
 * Hand the slot over that hp_queue_slot() gave last. Threads are started once
 * there is work for them: a dump of one batch needs none.
 */
void hp_queue_submit(struct hp_queue *q);
/* Wait until everything submitted is retired; the first failure's status. */
HP_MUST_USE enum hp_status hp_queue_drain(struct hp_queue *q,
					  struct hp_error *err);

/* Room for @n bytes of data in all, what is there stays; false: no memory. */
HP_MUST_USE bool hp_batch_reserve(struct hp_batch *b, size_t n);
/*
 * Have the runs' bytes in the batch's own memory, side by side, if they are
 * where they were unpacked; false: no memory, and nothing has changed.
 */
HP_MUST_USE bool hp_slot_settle(struct hp_slot *slot);
/* Let go of the window or the block that the batch's bytes are in. */
void hp_slot_clear(struct hp_slot *slot);
/* A new run at the batch's end, zeroed; NULL: no memory. */
struct hp_run *hp_batch_run(struct hp_batch *b);

#endif
