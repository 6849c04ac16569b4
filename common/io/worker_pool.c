/*
 * worker_pool.c - threads that process jobs in parallel, whose results are used
 * in order; see workers.h
 *
 * Each job is stored in a slot of a ring: job n is in slot n modulo the number
 * of slots. Three counters describe the state: put (jobs that were added),
 * started (jobs that a thread has taken) and given (jobs whose result was used
 * and released). Invariant: given <= started <= put <= given + slots.
 */
#include "common/io/workers.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

#include <string.h>

struct worker {
	struct hp_worker_pool *pool;
	pthread_t thread;
	/*
	 * The result of worker_open() for this worker. NULL if the pool has no
	 * function worker_open().
	 */
	void *state;
};

struct hp_worker_pool {
	struct hp_worker_pool_options o;
	/*
	 * The worker that makes its next job itself (option fill) holds this
	 * mutex. A thread that needs both mutexes locks this one before `lock`.
	 */
	pthread_mutex_t filling;
	pthread_mutex_t lock;
	/* signals that a slot is free, that is, `given` has increased */
	pthread_cond_t room;
	/* signals that a job was added, that is, `put` has increased */
	pthread_cond_t jobs;
	pthread_cond_t done; /* signals that a job is done */
	uint64_t put, started, given;
	bool ended, stopped;
	bool *is_done; /* for each slot of the ring: whether its job is done */
	uint8_t *slots;
	struct worker *workers;
	unsigned running; /* number of workers that were started */
	unsigned idle;	  /* number of workers that wait for a job */
};

static void *
slot_at(struct hp_worker_pool *p, uint64_t number)
{
	return p->slots + (number % p->o.slots) * p->o.slot_size;
}

/*
 * Whether to wake the thread that uses the results. With the option `together`,
 * it is woken only if several jobs are done.
 */
static bool
should_wake_taker(const struct hp_worker_pool *p)
{
	uint64_t number = p->given;

	while (number < p->put && number - p->given <= p->o.together &&
	       p->is_done[number % p->o.slots])
		number++;
	return number == p->put || number - p->given > p->o.together;
}

static void
job_done(struct hp_worker_pool *p, uint64_t number)
{
	p->is_done[number % p->o.slots] = true;
	if (should_wake_taker(p))
		pthread_cond_signal(&p->done);
}

/*
 * Called by a worker: wait for the next job that must be processed. Returns
 * false if there will be no more jobs.
 */
static bool
job_await(struct hp_worker_pool *p, uint64_t *number)
{
	bool any = false;

	pthread_mutex_lock(&p->lock);
	while (!any) {
		p->idle++;
		while (!p->stopped && !p->ended && p->started == p->put)
			pthread_cond_wait(&p->jobs, &p->lock);
		p->idle--;
		if (p->stopped || p->started == p->put)
			break;
		*number = p->started++;
		/*
		 * A job that was already done when it was added needs no
		 * worker.
		 */
		any = !p->is_done[*number % p->o.slots];
	}
	pthread_mutex_unlock(&p->lock);
	return any;
}

/*
 * With the option fill, the calling worker makes its next job itself. Returns
 * false if there are no more jobs.
 */
static bool
job_fill(struct hp_worker_pool *p, uint64_t *number)
{
	bool work = false;
	void *slot;

	pthread_mutex_lock(&p->filling);
	while (!work && !p->ended && (slot = hp_worker_pool_fill(p))) {
		bool last = !p->o.fill(p->o.context, slot, &work);

		*number = p->put;
		hp_worker_pool_put(p, work);
		if (last)
			hp_worker_pool_end(p);
	}
	pthread_mutex_unlock(&p->filling);
	return work;
}

static void *
worker_main(void *argument)
{
	struct worker *w = argument;
	struct hp_worker_pool *p = w->pool;
	uint64_t number = 0;

	while (p->o.fill ? job_fill(p, &number) : job_await(p, &number)) {
		p->o.work(p->o.context, w->state, slot_at(p, number));
		pthread_mutex_lock(&p->lock);
		job_done(p, number);
		pthread_mutex_unlock(&p->lock);
	}
	return NULL;
}

static void
worker_release(struct worker *w)
{
	if (w->state)
		w->pool->o.worker_close(w->state);
}

static enum hp_status
start_worker(struct hp_worker_pool *p, struct hp_error *err)
{
	struct worker *w = &p->workers[p->running];
	enum hp_status st;

	w->pool = p;
	if (p->o.worker_open) {
		w->state = p->o.worker_open(p->o.context);
		if (!w->state)
			return hp_no_memory(err);
	}
	st = hp_thread_start(&w->thread, worker_main, w, err);
	if (st == HP_OK)
		p->running++;
	else
		worker_release(w);
	return st;
}

/*
 * Start the first threads: all threads if the option fill is set, otherwise
 * one. Fails if no thread can be started.
 */
static enum hp_status
start_workers(struct hp_worker_pool *p, struct hp_error *err)
{
	unsigned n = p->o.fill || p->o.threads == 0 ? p->o.threads : 1;
	enum hp_status st = HP_OK;

	while (p->running < n && st == HP_OK)
		st = start_worker(p, p->running == 0 ? err : NULL);
	return p->running > 0 ? HP_OK : st;
}

/*
 * Called when a job is added: whether to start another thread. This is the case
 * if more jobs wait than threads are idle.
 */
static bool
needs_worker(const struct hp_worker_pool *p)
{
	return !p->o.fill && p->running < p->o.threads &&
	       p->put - p->started > p->idle;
}

enum hp_status
hp_worker_pool_open(struct hp_worker_pool **out,
		    const struct hp_worker_pool_options *options,
		    struct hp_error *err)
{
	struct hp_worker_pool *p = hp_calloc(1, sizeof(*p));
	enum hp_status st;

	*out = NULL;
	if (!p)
		return hp_no_memory(err);
	p->o = *options;
	pthread_mutex_init(&p->filling, NULL);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->room, NULL);
	pthread_cond_init(&p->jobs, NULL);
	pthread_cond_init(&p->done, NULL);
	p->slots = hp_calloc(p->o.slots, p->o.slot_size);
	p->is_done = hp_calloc(p->o.slots, sizeof(*p->is_done));
	p->workers = hp_calloc(p->o.threads + 1, sizeof(*p->workers));
	/*
	 * While workers are being started, none of them may call fill(),
	 * because fill() may wait for input.
	 */
	pthread_mutex_lock(&p->filling);
	if (p->slots && p->is_done && p->workers)
		st = start_workers(p, err);
	else
		st = hp_no_memory(err);
	if (st != HP_OK)
		hp_worker_pool_stop(p);
	pthread_mutex_unlock(&p->filling);
	if (st != HP_OK) {
		hp_worker_pool_close(p);
		return st;
	}
	*out = p;
	return HP_OK;
}

void *
hp_worker_pool_fill(struct hp_worker_pool *p)
{
	void *slot = NULL;

	pthread_mutex_lock(&p->lock);
	while (!p->stopped && p->put - p->given == p->o.slots)
		pthread_cond_wait(&p->room, &p->lock);
	if (!p->stopped)
		slot = slot_at(p, p->put);
	pthread_mutex_unlock(&p->lock);
	return slot;
}

void
hp_worker_pool_put(struct hp_worker_pool *p, bool work)
{
	bool is_done = !work || p->o.threads == 0, more;

	pthread_mutex_lock(&p->lock);
	p->is_done[p->put % p->o.slots] = is_done;
	p->put++;
	if (!is_done)
		pthread_cond_signal(&p->jobs);
	else if (should_wake_taker(p))
		pthread_cond_signal(&p->done);
	more = !is_done && needs_worker(p);
	pthread_mutex_unlock(&p->lock);
	if (more && start_worker(p, NULL) != HP_OK)
		p->o.threads = p->running;
}

void
hp_worker_pool_end(struct hp_worker_pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_broadcast(&p->jobs);
	pthread_cond_broadcast(&p->done);
	pthread_mutex_unlock(&p->lock);
}

void *
hp_worker_pool_take(struct hp_worker_pool *p)
{
	void *slot = NULL;

	pthread_mutex_lock(&p->lock);
	while (!p->stopped &&
	       (p->given == p->put ? !p->ended
				   : !p->is_done[p->given % p->o.slots]))
		pthread_cond_wait(&p->done, &p->lock);
	if (!p->stopped && p->given < p->put)
		slot = slot_at(p, p->given);
	pthread_mutex_unlock(&p->lock);
	return slot;
}

void
hp_worker_pool_give(struct hp_worker_pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->given++;
	if (p->started < p->given)
		p->started = p->given;
	pthread_cond_signal(&p->room);
	pthread_mutex_unlock(&p->lock);
}

void
hp_worker_pool_stop(struct hp_worker_pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->stopped = true;
	pthread_cond_broadcast(&p->room);
	pthread_cond_broadcast(&p->jobs);
	pthread_cond_broadcast(&p->done);
	pthread_mutex_unlock(&p->lock);
}

void
hp_worker_pool_close(struct hp_worker_pool *p)
{
	if (!p)
		return;
	hp_worker_pool_stop(p);
	for (unsigned i = 0; i < p->running; i++) {
		pthread_join(p->workers[i].thread, NULL);
		worker_release(&p->workers[i]);
	}
	for (unsigned i = 0; p->slots && p->o.slot_release && i < p->o.slots;
	     i++)
		p->o.slot_release(p->slots + i * p->o.slot_size);
	hp_free(p->slots);
	hp_free(p->is_done);
	hp_free(p->workers);
	pthread_cond_destroy(&p->room);
	pthread_cond_destroy(&p->jobs);
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->filling);
	pthread_mutex_destroy(&p->lock);
	hp_free(p);
}
