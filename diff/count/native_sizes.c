/*
 * native_sizes.c - add the memory outside the heap (native memory) that objects
 * own to the counters of these objects
 *
 * native_bytes.c reads the sizes. Another pass finds the class, Android heap
 * and allocation trace of each owner, because there is a separate counter for
 * each combination of these.
 */
#include "diff/count/passes.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/quantity.h"

#include <pthread.h>

/* An object that owns native memory. */
struct owner {
	uint64_t id, offset;
	struct hp_tally_key key;
};

struct native_pass {
	struct hp_histogram *g;
	/*
	 * for each thread: the Android heap to which the current sub-record
	 * belongs
	 */
	uint32_t *heaps;
	/* guards `owners`; one lock is enough, because few entries are added */
	pthread_mutex_t lock;
	/* the owners of native memory; elements: struct owner */
	struct hp_vec owners;
	/*
	 * maps the object id of an owner to the number of native bytes that it
	 * owns
	 */
	struct hp_id_map bytes;
};

static bool
on_owner(void *ctx, unsigned worker, const struct hp_sub *s,
	 const struct hp_piece *piece)
{
	struct native_pass *p = ctx;
	unsigned split = p->g->options->split;
	struct owner o = {.id = s->id, .offset = s->offset};
	bool kept;

	if ((piece && !piece->head) ||
	    (s->tag != HP_SUB_INSTANCE_DUMP &&
	     s->tag != HP_SUB_OBJECT_ARRAY_DUMP &&
	     s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP) ||
	    !hp_id_map_get(&p->bytes, s->id))
		return true;
	o.key.kind = s->tag == HP_SUB_INSTANCE_DUMP ? HP_TALLY_INSTANCES
		     : s->tag == HP_SUB_OBJECT_ARRAY_DUMP
			     ? HP_TALLY_OBJECT_ARRAYS
			     : HP_TALLY_PRIMITIVE_ARRAYS;
	o.key.id =
		s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ? s->type : s->class_id;
	o.key.heap = split & HP_SPLIT_HEAP ? p->heaps[worker] : 0;
	o.key.trace = split & HP_SPLIT_TRACE ? s->trace : 0;
	pthread_mutex_lock(&p->lock);
	kept = hp_vec_push(&p->owners, &o, sizeof(o));
	pthread_mutex_unlock(&p->lock);
	return kept;
}

static void
note_heap(void *ctx, unsigned worker, uint32_t heap)
{
	((struct native_pass *)ctx)->heaps[worker] = heap;
}

static int
by_owner(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;
	int c = hp_order(x->id, y->id);

	return c ? c : hp_order(x->offset, y->offset);
}

static enum hp_status
add_owners(struct native_pass *p, struct hp_error *err)
{
	const struct owner *o = p->owners.items;
	enum hp_status st =
		hp_sort(p->owners.items, p->owners.count, sizeof(*o), by_owner)
			? HP_OK
			: hp_no_memory(err);
	struct hp_tally *t;

	for (size_t i = 0; i < p->owners.count && st == HP_OK; i++) {
		if (i > 0 && o[i].id == o[i - 1].id)
			continue;
		t = hp_tallies_put(&p->g->tallies, &o[i].key);
		if (!t)
			st = hp_no_memory(err);
		else
			hp_sum_add(&t->native,
				   *hp_id_map_get(&p->bytes, o[i].id));
	}
	return st;
}

enum hp_status
hp_native_sizes_find(struct hp_histogram *g, struct hp_source *src,
		     struct hp_error *err)
{
	struct native_pass p = {.g = g, .lock = PTHREAD_MUTEX_INITIALIZER};
	const struct hp_extra_pass pass = {.need = HP_NEED_HEADS,
					   .ctx = &p,
					   .sub = on_owner,
					   .heap = note_heap};
	struct hp_native_classes n;
	enum hp_status st;

	if (!hp_native_classes_find(&n, g))
		return HP_OK;
	p.heaps = hp_calloc(g->options->threads, sizeof(*p.heaps));
	st = p.heaps ? hp_native_bytes_read(&n, g, src, NULL, NULL, &p.bytes,
					    err)
		     : hp_no_memory(err);
	if (st == HP_OK && p.bytes.count > 0)
		st = hp_extra_pass_run(g, src, &pass, err);
	if (st == HP_OK && p.bytes.count > 0)
		st = add_owners(&p, err);
	hp_free(p.heaps);
	hp_free(p.owners.items);
	pthread_mutex_destroy(&p.lock);
	hp_id_map_release(&p.bytes);
	return st;
}
