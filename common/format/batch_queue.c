/*
 * batch_queue.c - a queue of batches (parts of the dump), and the threads that
 * handle them
 *
 * The thread that reads the dump (the cutting thread) adds batches. Worker
 * threads take the batches in order. A batch is retired when it and all earlier
 * batches were handled.
 */
#include "common/format/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/base/vec.h"
#include "common/io/workers.h"

bool
hp_batch_reserve(struct hp_batch *b, size_t n)
{
	/*
	 * Enlarge the memory by a factor, not by the missing bytes only: many
	 * short ranges of bytes are added one after the other, and each growth
	 * copies all bytes.
	 */
	return HP_LIST_FIT(b->data, n, b->data_cap);
}

struct hp_run *
hp_batch_run(struct hp_batch *b)
{
	if (!HP_LIST_RESERVE(b->runs, b->nruns, b->runs_cap))
		return NULL;
	memset(&b->runs[b->nruns], 0, sizeof(b->runs[0]));
	return &b->runs[b->nruns++];
}

static void
note_failure(struct hp_queue *q, enum hp_status st, const struct hp_error *err)
{
	if (q->status == HP_OK) {
		q->status = st;
		q->error = *err;
	}
	pthread_cond_broadcast(&q->changed_free);
	pthread_cond_broadcast(&q->changed_ready);
}

static enum hp_status
load_batch(struct hp_queue *q, struct hp_batch *b, struct hp_error *err)
{
	enum hp_status st;
	size_t got;

	/* The pointer must not be NULL, even if there are no bytes. */
	if (!hp_batch_reserve(b, b->length ? b->length : 1))
		return hp_no_memory(err);
	st = hp_source_pread(q->src, b->data, b->length, b->offset, &got, err);
	if (st == HP_OK && got < b->length)
		st = hp_fail(err, HP_IO,
			     "the file was truncated while it was read");
	return st;
}

static void
map_window(struct hp_queue *q, struct hp_slot *slot)
{
	struct hp_batch *b = &slot->b;

	if (!slot->load || q->pass->in_place || b->length == 0)
		return;
	slot->window = hp_source_window(q->src, b->length, b->offset);
	if (!slot->window)
		return;
	slot->own = b->data;
	b->data = (uint8_t *)(uintptr_t)hp_source_window_at(
		q->src, slot->window, b->offset);
}

void
hp_slot_clear(struct hp_slot *slot)
{
	if (!slot->window && !slot->held)
		return;
	slot->b.data = slot->own;
	hp_window_unref(slot->window);
	slot->window = NULL;
	hp_buffer_unref(slot->held);
	slot->held = NULL;
}

bool
hp_slot_settle(struct hp_slot *slot)
{
	struct hp_batch *b = &slot->b;
	const uint8_t *lent = b->data;
	size_t length = 0;
	bool room;

	if (!slot->held)
		return true;
	for (size_t i = 0; i < b->nruns; i++)
		length += (size_t)b->runs[i].length;
	b->data = slot->own;
	room = hp_batch_reserve(b, length);
	slot->own = b->data;
	if (!room) {
		b->data = (uint8_t *)(uintptr_t)lent;
		return false;
	}
	b->length = 0;
	for (size_t i = 0; i < b->nruns; i++) {
		struct hp_run *r = &b->runs[i];

		memcpy(b->data + b->length, lent + r->at, (size_t)r->length);
		r->at = b->length;
		b->length += (size_t)r->length;
	}
	hp_slot_clear(slot);
	return true;
}

/*
 * After a batch was handled: check that the mapped file did not become shorter
 * in the meantime. If it did, returns an error; otherwise returns @st, the
 * status of handling the batch.
 */
static enum hp_status
window_check(struct hp_queue *q, struct hp_slot *slot, enum hp_status st,
	     struct hp_error *err)
{
	struct hp_error gone = {0};

	if (!slot->window ||
	    hp_source_window_check(q->src, slot->window, slot->b.length,
				   slot->b.offset, &gone) == HP_OK)
		return st;
	if (err)
		*err = gone;
	return gone.status;
}

static enum hp_status
work_on(struct hp_queue *q, struct hp_slot *slot, struct hp_error *err)
{
	struct hp_batch *b = &slot->b;
	enum hp_status st = HP_OK;

	if (slot->load && !slot->window)
		st = load_batch(q, b, err);
	if (st == HP_OK && q->pass->batch)
		st = q->pass->batch(q->pass->ctx, b, err);
	return window_check(q, slot, st, err);
}

/*
 * Retire a batch that was handled: call the function retired() of the pass. If
 * the pass has postponed some instances of the batch, store the batch. Batches
 * are retired in file order.
 */
static enum hp_status
retire_batch(struct hp_queue *q, struct hp_slot *slot, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (slot->b.replay)
		return HP_OK;
	if (q->pass->retired) {
		st = q->pass->retired(q->pass->ctx, &slot->b, err);
		st = window_check(q, slot, st, err);
	}
	if (st != HP_OK || slot->b.resume_run == SIZE_MAX)
		return st;
	/*
	 * A batch that is stored for later must have its bytes in one range
	 * without gaps.
	 */
	if (!hp_slot_settle(slot))
		return hp_no_memory(err);
	return q->defer(q->defer_ctx, &slot->b, err);
}

/* Retire all completed batches in order. The caller holds the lock. */
static void
retire_ready(struct hp_queue *q)
{
	struct hp_slot *slot;
	struct hp_error err;
	enum hp_status st;

	if (q->retiring)
		return;
	q->retiring = true;
	while (q->retired < q->taken) {
		slot = &q->slots[q->retired % q->nslots];
		if (!slot->done)
			break;
		err.status = HP_OK;
		st = q->status;
		pthread_mutex_unlock(&q->lock);
		if (st == HP_OK)
			st = retire_batch(q, slot, &err);
		else if (q->pass->dropped && !slot->b.replay)
			q->pass->dropped(q->pass->ctx, &slot->b);
		hp_slot_clear(slot);
		pthread_mutex_lock(&q->lock);
		if (st != HP_OK)
			note_failure(q, st, &err);
		q->retired++;
		pthread_cond_broadcast(&q->changed_free);
	}
	q->retiring = false;
}

/*
 * Handle the oldest batch that no thread has taken. Then retire the completed
 * batches (call retired() of the pass). The caller holds the lock; the function
 * releases it while the batch is handled.
 */
static void
work_on_oldest(struct hp_queue *q, unsigned worker)
{
	struct hp_slot *slot = &q->slots[q->taken++ % q->nslots];
	enum hp_status st = q->status;
	struct hp_error err = {0};

	slot->b.worker = worker;
	if (st == HP_OK) {
		pthread_mutex_unlock(&q->lock);
		st = work_on(q, slot, &err);
		pthread_mutex_lock(&q->lock);
		if (st != HP_OK)
			note_failure(q, st, &err);
	}
	slot->done = true;
	retire_ready(q);
}

struct worker_start {
	struct hp_queue *q;
	unsigned number;
};

static void *
worker_main(void *arg)
{
	struct worker_start start = *(struct worker_start *)arg;
	struct hp_queue *q = start.q;

	hp_free(arg);
	pthread_mutex_lock(&q->lock);
	for (;;) {
		q->idle++;
		while (q->taken == q->filled && !q->closing)
			pthread_cond_wait(&q->changed_ready, &q->lock);
		q->idle--;
		if (q->taken == q->filled)
			break;
		work_on_oldest(q, start.number);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

/*
 * Called by the cutting thread when it must wait until a batch is retired. If
 * this thread may also work on batches, it works on one instead of waiting. The
 * caller holds the lock.
 */
static void
help_or_wait(struct hp_queue *q)
{
	if (q->cutter_works && q->taken < q->filled)
		work_on_oldest(q, q->threads_most);
	else
		pthread_cond_wait(&q->changed_free, &q->lock);
}

static bool
start_worker(struct hp_queue *q)
{
	struct worker_start *start = hp_malloc(sizeof(*start));

	if (!start)
		return false;
	*start = (struct worker_start){.q = q, .number = q->nthreads};
	if (hp_thread_start(&q->threads[q->nthreads], worker_main, start,
			    NULL) != HP_OK) {
		hp_free(start);
		return false;
	}
	q->nthreads++;
	return true;
}

/*
 * Whether another thread should start, because more batches wait than threads
 * are idle. If the cutting thread also handles batches, one waiting batch is
 * not counted. The caller holds the lock.
 */
static bool
needs_worker(const struct hp_queue *q)
{
	return q->nthreads < q->threads_most &&
	       q->filled - q->taken > q->idle + q->cutter_works;
}

enum hp_status
hp_queue_open(struct hp_queue *q, struct hp_source *src,
	      const struct hp_pass *pass, unsigned threads,
	      struct hp_error *err)
{
	memset(q, 0, sizeof(*q));
	q->src = src;
	q->pass = pass;
	q->nslots = 2 * (size_t)threads + 2;
	/*
	 * The cutting thread also handles batches, except in two cases: it may
	 * have to wait for input; or the pass needs all bytes in order, so that
	 * other threads would wait for the batch of this thread.
	 */
	q->cutter_works =
		hp_source_seekable(src) && pass->need != HP_NEED_EVERYTHING;
	threads -= q->cutter_works;
	q->slots = hp_calloc(q->nslots, sizeof(*q->slots));
	q->threads = hp_calloc(threads + 1u, sizeof(*q->threads));
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed_free, NULL);
	pthread_cond_init(&q->changed_ready, NULL);
	if (!q->slots || !q->threads) {
		hp_queue_close(q);
		return hp_no_memory(err);
	}
	q->threads_most = threads;
	/*
	 * If the cutting thread only reads, at least one other thread is
	 * needed.
	 */
	if (!q->cutter_works && !start_worker(q)) {
		hp_queue_close(q);
		return hp_fail(err, HP_NOMEM, "cannot start a thread");
	}
	return HP_OK;
}

void
hp_queue_close(struct hp_queue *q)
{
	unsigned t;
	size_t i;

	pthread_mutex_lock(&q->lock);
	q->closing = true;
	if (q->status == HP_OK && q->retired < q->filled)
		q->status = HP_STOPPED;
	pthread_cond_broadcast(&q->changed_ready);
	pthread_mutex_unlock(&q->lock);
	for (t = 0; t < q->nthreads; t++)
		pthread_join(q->threads[t], NULL);
	for (i = 0; q->slots && i < q->nslots; i++) {
		hp_slot_clear(&q->slots[i]);
		hp_free(q->slots[i].b.data);
		hp_free(q->slots[i].b.runs);
	}
	hp_free(q->slots);
	hp_free(q->threads);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->changed_free);
	pthread_cond_destroy(&q->changed_ready);
}

struct hp_slot *
hp_queue_slot(struct hp_queue *q)
{
	struct hp_slot *slot;
	struct hp_batch *b;

	pthread_mutex_lock(&q->lock);
	while (q->filled - q->retired == q->nslots && q->status == HP_OK)
		help_or_wait(q);
	slot = q->status == HP_OK ? &q->slots[q->filled % q->nslots] : NULL;
	pthread_mutex_unlock(&q->lock);
	if (!slot)
		return NULL;
	b = &slot->b;
	*slot = (struct hp_slot){.b = {.data = b->data,
				       .data_cap = b->data_cap,
				       .runs = b->runs,
				       .runs_cap = b->runs_cap,
				       .resume_run = SIZE_MAX}};
	return slot;
}

void
hp_queue_submit(struct hp_queue *q)
{
	bool more;

	map_window(q, &q->slots[q->filled % q->nslots]);
	pthread_mutex_lock(&q->lock);
	q->filled++;
	more = needs_worker(q);
	pthread_cond_signal(&q->changed_ready);
	pthread_mutex_unlock(&q->lock);
	/*
	 * If another thread cannot be started, continue with those that already
	 * run.
	 */
	if (more && !start_worker(q))
		q->threads_most = q->nthreads;
}

enum hp_status
hp_queue_drain(struct hp_queue *q, struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&q->lock);
	while (q->retired < q->filled && q->status == HP_OK)
		help_or_wait(q);
	st = q->status;
	if (st != HP_OK && err && err->status == HP_OK)
		*err = q->error;
	pthread_mutex_unlock(&q->lock);
	return st;
}
