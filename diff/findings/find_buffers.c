/*
 * find_buffers.c - add up the memory outside the heap that direct buffers own
 *
 * The size of this memory is a field of a buffer, which the object graph does
 * not have. So the parts of the dump that contain buffers are read again. A
 * view of another buffer owns no memory; it has no cleaner.
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/graph/spans.h"
#include "common/model/java_string.h"
#include "diff/count/passes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * To find the owner of a buffer, at most this many objects that dominate it are
 * tried.
 */
enum { CLIMB = 64 };

struct buffer {
	uint64_t node;
	uint32_t place;
	uint64_t bytes;
};

struct buffers {
	struct hp_unusual_search *s;
	/* all reachable direct buffers as graph nodes, sorted */
	uint64_t *nodes;
	struct buffer *list;
	size_t count;
	const struct hp_class *top;
	struct hp_field_place capacity, cleaner, attached;
	pthread_mutex_t lock;
	struct hp_class_cache *caches; /* one element for each thread */
	struct hp_rank_near *near;
};

static int
by_node(const void *a, const void *b)
{
	const struct buffer *x = a, *y = b;

	return hp_order(x->node, y->node);
}

static bool
list_buffers(struct buffers *w)
{
	const struct hp_unusual_search *s = w->s;
	size_t cap = 0;
	bool fine = true;

	for (uint32_t p = 1; p < s->t->tree.count && fine; p++) {
		const struct buffer one = {.node = hp_unusual_node(s, p),
					   .place = p};

		if (s->classes[hp_unusual_kind_at(s, p)].is & HP_IS_BUFFER)
			fine = HP_LIST_PUSH(w->list, w->count, cap, one);
	}
	if (!fine || !hp_sort(w->list, w->count, sizeof(*w->list), by_node))
		return false;
	w->nodes = hp_calloc(w->count + 1, sizeof(*w->nodes));
	for (size_t i = 0; w->nodes && i < w->count; i++)
		w->nodes[i] = w->list[i].node;
	return w->nodes;
}

static bool
may_have(void *context, const struct hp_batch *b)
{
	const struct buffers *w = context;

	return hp_graph_spans_may_have(&w->s->t->graph, b, w->nodes, w->count);
}

static uint64_t
load(const struct buffers *w, const struct hp_field_place *place,
     const struct hp_sub *sub)
{
	uint64_t value = 0;

	if (place->from_end == 0 ||
	    !hp_field_load(place, w->s->c->g->header.id_size, sub->data,
			   sub->count, &value))
		return 0;
	return value;
}

static bool
on_object(void *ctx, unsigned worker, const struct hp_sub *sub,
	  const struct hp_piece *piece)
{
	struct buffers *w = ctx;
	struct hp_histogram *g = w->s->c->g;
	struct buffer key = {0}, *found;
	const struct hp_class *c;
	uint64_t capacity;

	if (piece || sub->tag != HP_SUB_INSTANCE_DUMP)
		return true;
	c = hp_classes_layout(&g->classes, &w->caches[worker], sub->class_id);
	if (!c || c->chain != HP_CHAIN_FINE || !hp_class_is_a(c, w->top) ||
	    load(w, &w->cleaner, sub) == 0 || load(w, &w->attached, sub) != 0)
		return true;
	capacity = load(w, &w->capacity, sub);
	key.node = hp_node_of(&w->s->t->graph.nodes, &w->near[worker], sub->id);
	found = bsearch(&key, w->list, w->count, sizeof(key), by_node);
	pthread_mutex_lock(&w->lock);
	if (found && capacity <= INT32_MAX)
		found->bytes = capacity;
	pthread_mutex_unlock(&w->lock);
	return true;
}

/*
 * Returns the kind of the object that owns a buffer: the class whose static
 * field keeps the buffer alive, or the outermost object that dominates the
 * buffer.
 */
static uint32_t
owner_of(const struct hp_unusual_search *s, uint32_t place)
{
	const uint32_t *parents = s->t->tree.parents.at;
	const struct hp_node_kind *kinds = s->t->graph.kinds.list;

	for (unsigned i = 0; i < CLIMB && parents[place] != 0; i++) {
		place = parents[place];
		if (kinds[hp_unusual_kind_at(s, place)].of == HP_NODE_CLASS)
			break;
	}
	return hp_unusual_kind_at(s, place);
}

/*
 * Find the class whose objects own the most memory of buffers, and store its
 * name.
 */
static enum hp_status
name_owner(struct buffers *w)
{
	struct hp_unusual_search *s = w->s;
	const struct hp_node_kind *k;
	const struct hp_name *name;
	uint32_t most = 0;

	memset(s->sums, 0, s->t->graph.kinds.count * sizeof(*s->sums));
	for (size_t i = 0; i < w->count; i++) {
		uint32_t kind = owner_of(s, w->list[i].place);

		s->sums[kind] += w->list[i].bytes;
		if (s->sums[kind] > s->sums[most])
			most = kind;
	}
	k = &s->t->graph.kinds.list[most];
	name = k->of == HP_NODE_CLASS ? hp_key_class(&s->keys, k->class_id)
				      : hp_key_kind(&s->keys, k);
	return name && hp_unusual_say(s, HP_UNUSUAL_DIRECT, name->text)
		       ? HP_OK
		       : hp_no_memory(s->err);
}

static enum hp_status
sum_up(struct buffers *w)
{
	struct hp_unusual_fact *f = &w->s->facts[HP_UNUSUAL_DIRECT];

	for (size_t i = 0; i < w->count; i++) {
		f->count += w->list[i].bytes > 0;
		f->bytes += w->list[i].bytes;
	}
	hp_unusual_share(w->s, HP_UNUSUAL_DIRECT, f->bytes,
			 w->s->c->info->all_bytes);
	return f->applies ? name_owner(w) : HP_OK;
}

static enum hp_status
read_capacities(struct buffers *w)
{
	struct hp_histogram *g = w->s->c->g;
	const struct hp_class *buffer =
		hp_boot_class(&g->classes, &g->tables, "java/nio/Buffer");
	const struct hp_extra_pass pass = {.need = HP_NEED_HEADS,
					   .ctx = w,
					   .sub = on_object,
					   .wanted = may_have};
	unsigned size = g->header.id_size;

	w->top = hp_boot_class(&g->classes, &g->tables,
			       "java/nio/DirectByteBuffer");
	if (!w->top || !buffer)
		return HP_OK;
	w->capacity = hp_field_find(buffer, &g->tables, size, "capacity");
	w->cleaner = hp_field_find(w->top, &g->tables, size, "cleaner");
	w->attached = hp_field_find(w->top, &g->tables, size, "att");
	w->caches = hp_calloc(g->options->threads, sizeof(*w->caches));
	w->near = hp_calloc(g->options->threads, sizeof(*w->near));
	if (!w->caches || !w->near)
		return hp_no_memory(w->s->err);
	return hp_extra_pass_run(g, w->s->src, &pass, w->s->err);
}

enum hp_status
hp_unusual_buffers_find(struct hp_unusual_search *s)
{
	struct buffers w = {.s = s, .lock = PTHREAD_MUTEX_INITIALIZER};
	enum hp_status st = list_buffers(&w) ? HP_OK : hp_no_memory(s->err);

	if (st == HP_OK && w.count > 0 &&
	    !s->c->o->unusual.disabled[HP_UNUSUAL_DIRECT])
		st = read_capacities(&w);
	if (st == HP_OK)
		st = sum_up(&w);
	hp_free(w.list);
	hp_free(w.nodes);
	hp_free(w.caches);
	hp_free(w.near);
	pthread_mutex_destroy(&w.lock);
	return st;
}
