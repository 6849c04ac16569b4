/*
 * field_names.c - the graph knows whom objects refer to, but not by which
 * field: that takes a pass, for the few references that are shown
 */
#include "diff/leaks/field_names.h"

#include <stdlib.h>

struct worker {
	struct hp_class_cache classes;
	struct hp_rank_near near;
};

struct search {
	struct hp_field_query *q;
	size_t n;
	struct hp_id_map wanted; /* ids of the holders' classes */
	struct hp_graph *g;
	struct worker *workers;
};

static int
by_holder(const void *a, const void *b)
{
	const struct hp_field_query *x = a, *y = b;

	if (x->holder != y->holder)
		return x->holder < y->holder ? -1 : 1;
	return x->held < y->held ? -1 : x->held > y->held;
}

/* The first query about @node, or NULL. */
static struct hp_field_query *
first_of(const struct search *s, uint32_t node)
{
	size_t low = 0, high = s->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->q[middle].holder < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n && s->q[low].holder == node ? &s->q[low] : NULL;
}

/* The name of the field that stands at @at in an instance's data. */
static bool
field_at(const struct hp_class *c, unsigned id_size, uint64_t at,
	 uint64_t *name)
{
	uint64_t place = 0;

	for (; c && c->chain != HP_CHAIN_CYCLE; c = c->super)
		for (uint32_t i = 0; i < c->nfields; i++) {
			if (place == at) {
				*name = c->fields[i].name;
				return true;
			}
			place += hp_type_size(c->fields[i].type, id_size);
		}
	return false;
}

static void
look_at(struct search *s, struct worker *w, const struct hp_sub *sub)
{
	unsigned id_size = s->g->nodes.id_size;
	const struct hp_class *c;
	struct hp_field_query *q;
	uint32_t node, to;

	if (!hp_id_map_get(&s->wanted, sub->class_id))
		return;
	node = hp_node_of(&s->g->nodes, &w->near, sub->id);
	q = node == HP_NO_NODE ? NULL : first_of(s, node);
	c = hp_classes_layout(s->g->o.classes, &w->classes, sub->class_id);
	if (!q || !c || !hp_node_is_first(&s->g->nodes, node, sub->offset))
		return;
	for (uint32_t i = 0; i < c->nrefs; i++) {
		if (sub->count < id_size || c->ref_at[i] > sub->count - id_size)
			break;
		to = hp_node_of(&s->g->nodes, &w->near,
				hp_load_id(sub->data + c->ref_at[i], id_size));
		for (size_t k = 0; &q[k] < s->q + s->n && q[k].holder == node;
		     k++)
			if (!q[k].found && q[k].held == to)
				q[k].found = field_at(c, id_size, c->ref_at[i],
						      &q[k].name);
	}
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	struct search *s = ctx;
	struct hp_heap_iter it;
	struct hp_sub sub = {0};

	(void)err;
	if (batch->dump != s->g->o.dump)
		return HP_OK;
	for (size_t i = 0; i < batch->nruns; i++) {
		if (batch->runs[i].kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(batch, i);
		while (hp_heap_next(&it, &sub, s->g->nodes.id_size))
			if (sub.tag == HP_SUB_INSTANCE_DUMP)
				look_at(s, &s->workers[batch->worker], &sub);
	}
	return HP_OK;
}

static void
ignore_problem(void *ctx, const struct hp_problem *p)
{
	(void)ctx;
	(void)p;
}

enum hp_status
hp_field_names_find(struct hp_field_query *q, size_t n, struct hp_graph *g,
		    struct hp_source *src, struct hp_error *err)
{
	struct search s = {.q = q, .n = n, .g = g};
	const struct hp_pass pass = {.need = HP_NEED_REFERENCES,
				     .ctx = &s,
				     .problem = ignore_problem,
				     .batch = on_batch};
	const struct hp_scan_options o = {.threads = g->o.threads,
					  .only_dump = g->o.dump};
	enum hp_status st = HP_OK;
	uint64_t at;

	if (n == 0)
		return HP_OK;
	qsort(q, n, sizeof(*q), by_holder);
	s.workers = calloc(g->o.threads, sizeof(*s.workers));
	if (!s.workers)
		st = hp_fail(err, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < n && st == HP_OK; i++) {
		uint32_t kind = hp_edge_kind(&g->edges, q[i].holder, &at);

		if (!hp_id_map_put(&s.wanted, g->kinds.list[kind].class_id,
				   NULL))
			st = hp_fail(err, HP_NOMEM, "out of memory");
	}
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_scan(src, &pass, &o, err);
	hp_id_map_release(&s.wanted);
	free(s.workers);
	return st;
}
