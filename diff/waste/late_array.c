/*
 * late_array.c - an array that is made only if it is needed
 */
#include "diff/waste/object_data.h"

void
hp_late_array_init(struct hp_late_array *a)
{
	*a = (struct hp_late_array){0};
	pthread_mutex_init(&a->lock, NULL);
}

void
hp_late_array_drop(struct hp_late_array *a, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &a->array);
	atomic_store(&a->at, NULL);
}

void
hp_late_array_release(struct hp_late_array *a, struct hp_big_memory *m)
{
	hp_late_array_drop(a, m);
	pthread_mutex_destroy(&a->lock);
}

enum hp_status
hp_late_array_make(struct hp_late_array *a, struct hp_big_memory *m,
		   uint64_t bytes, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (hp_late_array_at(a))
		return HP_OK;
	pthread_mutex_lock(&a->lock);
	if (!hp_late_array_at(a)) {
		st = hp_big_array_make(m, &a->array, bytes, HP_BIG_SPARSE, err);
		if (st == HP_OK)
			atomic_store_explicit(&a->at, a->array.at,
					      memory_order_release);
		else
			hp_big_array_drop(m, &a->array);
	}
	pthread_mutex_unlock(&a->lock);
	return st;
}
