/*
 * thread_values.c - the values that threads have for ThreadLocals (--stacks),
 * and how much they retain
 *
 * A thread keeps its values in a table of entries. An entry refers to the
 * value, and weakly to the ThreadLocal. The report names a value after the
 * static field that refers to its ThreadLocal.
 */
#include "diff/leaks/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/model/java_string.h"

#include <stdlib.h>
#include <string.h>

enum hp_status
hp_thread_values_init(struct hp_thread_values *v, const struct hp_retained *t,
		      struct hp_keys *keys, struct hp_error *err)
{
	const struct hp_node_kinds *kinds = &t->graph.kinds;
	const struct hp_histogram *g = keys->g;
	const struct hp_class *entry =
		hp_boot_class(&g->classes, &g->tables,
			      "java/lang/ThreadLocal$ThreadLocalMap$Entry");

	*v = (struct hp_thread_values){.t = t, .keys = keys};
	if (!entry)
		return HP_OK;
	v->entries = hp_calloc((size_t)kinds->count + 1, sizeof(*v->entries));
	if (!v->entries)
		return hp_no_memory(err);
	v->value = hp_graph_field_find(g, entry, entry, "value");
	for (uint32_t k = 1; k < kinds->count; k++)
		v->entries[k] =
			kinds->list[k].of == HP_NODE_INSTANCE &&
			hp_classes_get(&g->classes, kinds->list[k].class_id) ==
				entry;
	return HP_OK;
}

void
hp_thread_values_release(struct hp_thread_values *v)
{
	hp_free(v->entries);
	hp_free(v->list);
	hp_id_map_release(&v->fields);
	*v = (struct hp_thread_values){0};
}

bool
hp_thread_values_add(struct hp_thread_values *v, uint32_t place, size_t stack)
{
	const struct hp_retained *t = v->t;
	const uint32_t *nodes = t->tree.nodes.at;
	uint32_t end = hp_tree_end(&t->tree, place);
	bool fine = true;

	for (uint32_t p = place + 1; p < end && fine && v->entries; p++) {
		const struct hp_graph_weak *weak;
		struct hp_thread_value x = {.stack = stack};
		uint64_t unused;
		uint32_t to;

		if (!v->entries[hp_tree_kind(&t->tree, p)])
			continue;
		to = hp_graph_field_follow(&t->graph, nodes[p], v->value);
		if (to == HP_NO_NODE)
			continue;
		weak = hp_graph_weak_of(&t->graph, nodes[p]);
		x.local = weak ? weak->to : HP_NO_NODE;
		x.kind = hp_edge_kind(&t->graph.edges, to, &unused);
		/*
		 * the sum of the value alone, without the entry that refers to
		 * it
		 */
		x.sum = hp_retained_sum(t, p);
		x.sum.objects--;
		x.sum.bytes -= hp_retained_kind(t, p)->bytes;
		fine = HP_LIST_PUSH(v->list, v->count, v->cap, x) &&
		       hp_id_map_put(&v->fields, (uint64_t)x.local + 1, NULL);
	}
	return fine;
}

/*
 * For each ThreadLocal in v->fields, find the first static field that refers to
 * it. The map receives 1 + the index of the class, and the index of the field.
 */
static bool
find_fields(struct hp_thread_values *v)
{
	const struct hp_classes *classes = &v->keys->g->classes;
	struct hp_rank_near *near = hp_calloc(1, sizeof(*near));

	for (size_t i = 0; near && i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];

		for (uint32_t k = 0; k < c->nstatics; k++) {
			uint32_t node =
				hp_merged_static_node(&v->t->graph, near, c, k);
			uint64_t *slot =
				node == HP_NO_NODE
					? NULL
					: hp_id_map_find(&v->fields,
							 (uint64_t)node + 1);

			if (slot && *slot == 0)
				*slot = (uint64_t)(i + 1) << 32 | k;
		}
	}
	hp_free(near);
	return near != NULL;
}

/*
 * Store the name of the static field that refers to the ThreadLocal @local, or
 * NULL if there is none. Returns false if out of memory.
 */
static bool
name_field(const struct hp_thread_values *v, uint32_t local,
	   struct hp_thread_local *to, struct hp_arena *arena)
{
	const struct hp_histogram *g = v->keys->g;
	const uint64_t *found = hp_id_map_get(&v->fields, (uint64_t)local + 1);
	const struct hp_class *c;
	const struct hp_name *name;
	struct hp_buf b = {0};

	if (local == HP_NO_NODE || !found || *found == 0)
		return true;
	c = g->classes.list[(*found >> 32) - 1];
	name = hp_key_class(v->keys, c->id);
	if (!name)
		return false;
	hp_buf_printf(&b, "%s.", hp_short_name(name->text));
	hp_key_add_text(&b,
			hp_tables_string(&g->tables,
					 c->statics[(uint32_t)*found].name));
	to->field = hp_buf_ok(&b) ? hp_arena_copy(arena, b.data, b.len) : NULL;
	hp_buf_release(&b);
	return to->field;
}

static int
by_stack(const void *a, const void *b)
{
	const struct hp_thread_value *x = a, *y = b;

	if (x->stack != y->stack)
		return hp_order(x->stack, y->stack);
	if (x->local != y->local)
		return hp_order(x->local, y->local);
	return hp_order(x->kind, y->kind);
}

static int
by_size(const void *a, const void *b)
{
	const struct hp_thread_local *x = a, *y = b;
	int order = hp_order(y->retained.bytes, x->retained.bytes);

	order = order ? order
		      : strcmp(x->field ? x->field : "",
			       y->field ? y->field : "");
	return order ? order : strcmp(x->class, y->class);
}

static bool
make_values(struct hp_thread_values *v, struct hp_thread_stack *stack,
	    size_t from, size_t end, struct hp_arena *arena)
{
	struct hp_thread_local *list =
		hp_arena_alloc(arena, (end - from) * sizeof(*list));
	size_t n = 0;

	for (size_t i = from; list && i < end; i++) {
		const struct hp_thread_value *x = &v->list[i];
		const struct hp_name *name;

		if (i == from || x->kind != x[-1].kind ||
		    x->local != x[-1].local) {
			name = hp_key_kind(v->keys,
					   &v->t->graph.kinds.list[x->kind]);
			if (!name)
				return false;
			list[n] = (struct hp_thread_local){
				.class = hp_arena_copy(arena, name->text,
						       name->len)};
			if (!list[n].class ||
			    !name_field(v, x->local, &list[n], arena))
				return false;
			n++;
		}
		list[n - 1].count++;
		list[n - 1].retained.objects += x->sum.objects;
		list[n - 1].retained.bytes += x->sum.bytes;
	}
	if (!list)
		return false;
	qsort(list, n, sizeof(*list), by_size);
	stack->values = list;
	stack->nvalues = n;
	return true;
}

bool
hp_thread_values_finish(struct hp_thread_values *v,
			struct hp_thread_stack *stacks, struct hp_arena *arena)
{
	size_t from = 0;
	bool fine = v->count == 0 ||
		    (find_fields(v) &&
		     hp_sort(v->list, v->count, sizeof(*v->list), by_stack));

	for (size_t i = 1; fine && i <= v->count; i++) {
		if (i < v->count && v->list[i].stack == v->list[from].stack)
			continue;
		fine = make_values(v, &stacks[v->list[from].stack], from, i,
				   arena);
		from = i;
	}
	return fine;
}
