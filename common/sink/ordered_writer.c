/*
 * ordered_writer.c - process blocks on several threads, and write the results
 * in order on one thread
 */
#include "common/sink/sink.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

static bool
write_block(struct hp_ordered_writer *w, void *slot)
{
	struct hp_error err = {0};
	enum hp_status st = w->write(w->o.context, slot, &err);

	if (st == HP_OK)
		return true;
	pthread_mutex_lock(&w->lock);
	if (w->error.status == HP_OK)
		w->error = err;
	pthread_mutex_unlock(&w->lock);
	if (w->pool)
		hp_worker_pool_stop(w->pool);
	return false;
}

static void *
writer_main(void *argument)
{
	struct hp_ordered_writer *w = argument;
	void *slot;

	while ((slot = hp_worker_pool_take(w->pool)) && write_block(w, slot))
		hp_worker_pool_give(w->pool);
	return NULL;
}

static enum hp_status
noted_failure(struct hp_ordered_writer *w, struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&w->lock);
	st = hp_fail_as(err, &w->error);
	pthread_mutex_unlock(&w->lock);
	return st;
}

enum hp_status
hp_ordered_writer_open(struct hp_ordered_writer *w, struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_init(&w->lock, NULL);
	if (w->o.threads == 0) {
		w->slot = hp_calloc(1, w->o.slot_size);
		w->state = w->o.worker_open(w->o.context);
		return w->slot && w->state ? HP_OK : hp_no_memory(err);
	}
	st = hp_worker_pool_open(&w->pool, &w->o, err);
	if (st == HP_OK)
		st = hp_thread_start(&w->thread, writer_main, w, err);
	w->writing = st == HP_OK;
	return st;
}

enum hp_status
hp_ordered_writer_begin(struct hp_ordered_writer *w, void **slot,
			struct hp_error *err)
{
	*slot = w->pool ? hp_worker_pool_fill(w->pool) : w->slot;
	return *slot && w->pool ? HP_OK : noted_failure(w, err);
}

void
hp_ordered_writer_submit(struct hp_ordered_writer *w)
{
	if (w->pool) {
		hp_worker_pool_put(w->pool, true);
		return;
	}
	w->o.work(w->o.context, w->state, w->slot);
	write_block(w, w->slot);
}

enum hp_status
hp_ordered_writer_finish(struct hp_ordered_writer *w, struct hp_error *err)
{
	if (w->pool) {
		hp_worker_pool_end(w->pool);
		pthread_join(w->thread, NULL);
		w->writing = false;
	}
	return noted_failure(w, err);
}

void
hp_ordered_writer_close(struct hp_ordered_writer *w, bool write)
{
	if (w->writing && write)
		(void)!hp_ordered_writer_finish(w, NULL);
	if (w->pool)
		hp_worker_pool_stop(w->pool);
	if (w->writing)
		pthread_join(w->thread, NULL);
	hp_worker_pool_close(w->pool);
	if (w->slot)
		w->o.slot_release(w->slot);
	hp_free(w->slot);
	if (w->state)
		w->o.worker_close(w->state);
	pthread_mutex_destroy(&w->lock);
}
