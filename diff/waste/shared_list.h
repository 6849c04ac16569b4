/*
 * shared_list.h - a list to which several threads append, in one big array
 *
 * Each thread takes a block of the list at a time, and fills it without a lock.
 * The list never moves, so it needs no memory for a copy. If it does not fit in
 * --memory, a part of it is in temporary files.
 */
#ifndef HP_DIFF_WASTE_SHARED_LIST_H
#define HP_DIFF_WASTE_SHARED_LIST_H

#include "common/graph/big_array.h"

#include <pthread.h>
#include <stdint.h>

struct hp_shared_list {
	struct hp_big_memory *memory; /* borrowed */
	struct hp_big_array array;
	uint64_t size; /* number of bytes of an item */
	/*
	 * number of items, including the places in blocks that are not filled
	 * yet
	 */
	uint64_t count;
	pthread_mutex_t lock;
};

/*
 * The places of a list that a thread has taken and not yet filled. A zeroed
 * struct has none.
 */
struct hp_shared_places {
	uint64_t next, end;
};

/*
 * Prepare a list of up to @most items of @size bytes, for @threads threads.
 * Returns HP_OK; HP_NOMEM. Ownership: call hp_shared_list_release(), also for a
 * zeroed list.
 */
HP_MUST_USE enum hp_status hp_shared_list_init(struct hp_shared_list *l,
					       struct hp_big_memory *memory,
					       uint64_t size, uint64_t most,
					       unsigned threads,
					       struct hp_error *err);
void hp_shared_list_release(struct hp_shared_list *l);

/*
 * Append an item. Returns its address; its bytes are 0. Returns NULL after a
 * failure: HP_NOMEM; HP_IO.
 */
void *hp_shared_list_add(struct hp_shared_list *l, struct hp_shared_places *p,
			 struct hp_error *err);

/*
 * At the end, close the gaps in the list: the places that @n threads have not
 * filled. Items at the end of the list are moved there. The order of @places
 * changes.
 */
void hp_shared_list_close(struct hp_shared_list *l,
			  struct hp_shared_places *places, unsigned n);

#endif
