/*
 * graph_texts.c - read the texts of Strings of the object graph
 */
#include "diff/retained/graph_texts.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/graph/spans.h"

#include <stdlib.h>

static bool
may_have(const void *context, const struct hp_batch *b)
{
	const struct hp_graph_texts *t = context;

	return hp_graph_spans_may_have(t->graph, b, t->nodes, t->count);
}

void
hp_graph_texts_init(struct hp_graph_texts *t)
{
	const struct hp_histogram *g = t->pass.g;
	const struct hp_class *string;

	hp_java_texts_init(&t->pass.texts, &g->classes, &g->tables);
	string = hp_classes_get(&g->classes, t->pass.texts.string.id);
	t->value = string ? hp_graph_field_find(g, string, string, "value")
			  : (struct hp_graph_field){UINT32_MAX};
	t->pass.arrays = true;
	t->pass.may_have = may_have;
	t->pass.context = t;
}

void
hp_graph_texts_release(struct hp_graph_texts *t)
{
	hp_texts_pass_release(&t->pass);
	hp_free(t->nodes);
	hp_free(t->ids);
	t->nodes = t->ids = NULL;
}

static bool
is_string(const struct hp_graph_texts *t, uint32_t node)
{
	const struct hp_node_kind *kind = hp_graph_kind(t->graph, node);

	return kind->of == HP_NODE_INSTANCE &&
	       kind->class_id == t->pass.texts.string.id;
}

bool
hp_graph_texts_want(struct hp_graph_texts *t, uint32_t node)
{
	uint32_t array =
		is_string(t, node)
			? hp_graph_field_follow(t->graph, node, t->value)
			: HP_NO_NODE;

	return HP_LIST_PUSH(t->nodes, t->count, t->cap, node) &&
	       (array == HP_NO_NODE ||
		HP_LIST_PUSH(t->nodes, t->count, t->cap, array));
}

/*
 * Sort the nodes, find their ids, and want the objects with these ids. Returns
 * false if out of memory.
 */
static bool
want_ids(struct hp_graph_texts *t)
{
	bool fine = true;
	size_t n = 0;

	hp_sort_u64(t->nodes, t->count);
	for (size_t i = 0; i < t->count; i++)
		if (n == 0 || t->nodes[i] != t->nodes[n - 1])
			t->nodes[n++] = t->nodes[i];
	t->count = n;
	t->ids = hp_calloc(n, sizeof(*t->ids));
	if (!t->ids)
		return false;
	hp_id_ranks_some(&t->graph->nodes.ranks, t->nodes, n, t->ids);
	for (size_t i = 0; i < n && fine; i++)
		fine = hp_java_texts_want(&t->pass.texts, t->ids[i]);
	return fine;
}

enum hp_status
hp_graph_texts_run(struct hp_graph_texts *t, struct hp_source *src,
		   struct hp_error *err)
{
	if (t->count == 0)
		return HP_OK;
	return want_ids(t) ? hp_texts_pass_run(&t->pass, src, err)
			   : hp_no_memory(err);
}

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

bool
hp_graph_texts_get(struct hp_graph_texts *t, uint32_t node, const char **text)
{
	uint64_t key = node;
	const uint64_t *at =
		bsearch(&key, t->nodes, t->count, sizeof(*t->nodes), compare);

	return hp_java_texts_get(&t->pass.texts, t->ids[at - t->nodes], text);
}
