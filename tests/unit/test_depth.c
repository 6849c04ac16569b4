/*
 * test_depth.c - tests of the distances of objects from the roots, in random
 * graphs
 */
#include "common/graph/tree.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdlib.h>

enum { OBJECTS = 100000, MOST = 4, ROOTS = 16 };

struct world {
	uint32_t to[OBJECTS][MOST];
	unsigned n[OBJECTS];
	uint32_t class_of[OBJECTS];
	uint32_t depth[OBJECTS];
	uint32_t most;
	uint64_t met;
};

static void
fill(struct world *w, unsigned seed)
{
	uint64_t x = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;

	for (uint32_t i = 0; i < OBJECTS; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		w->n[i] = (unsigned)(x >> 60) % (MOST + 1);
		for (unsigned k = 0; k < w->n[i]; k++) {
			x = x * UINT64_C(6364136223846793005) + 1;
			w->to[i][k] = (uint32_t)(x >> 33) % (OBJECTS / 2);
		}
		w->class_of[i] = x >> 59 ? HP_NO_NODE : OBJECTS / 2 + i % 1000;
	}
}

static void
walk_slowly(struct world *w)
{
	uint32_t *list = calloc(OBJECTS, sizeof(*list)), n;

	must(list);
	for (n = 0; n < ROOTS; n++) {
		w->depth[n] = 1;
		list[n] = n;
	}
	for (uint32_t at = 0; at < n; at++) {
		uint32_t object = list[at], to = w->class_of[object];

		w->most = w->depth[object];
		for (unsigned k = 0; k <= w->n[object]; k++) {
			if (to != HP_NO_NODE && !w->depth[to]) {
				w->depth[to] = w->depth[object] + 1;
				list[n++] = to;
			}
			if (k < w->n[object])
				to = w->to[object][k];
		}
	}
	w->met = n;
	free(list);
}

static uint32_t
kind_of_class(struct hp_graph *g, struct hp_node_kinds_near *near,
	      uint32_t class_node)
{
	const struct hp_node_kind kind = {.of = HP_NODE_INSTANCE,
					  .class_node = class_node};
	uint32_t number = hp_node_kinds_number(&g->kinds, near, &kind);

	must(number);
	return number;
}

static void
add_edges(struct hp_graph *g, struct hp_edge_writer *writer,
	  const struct world *w, uint32_t object, uint32_t kind)
{
	uint64_t start = HP_EDGE_NO_LIST | kind;

	if (w->n[object] > 0) {
		must(hp_edge_begin_node(&g->edges, writer, object, kind,
					&start));
		for (unsigned k = 0; k < w->n[object]; k++)
			must(hp_edge_put(&g->edges, writer, w->to[object][k]));
		must(hp_edge_put_code(&g->edges, writer, HP_EDGE_CODE_END));
	}
	hp_edge_set_start(g->edges.starts.at, object, start);
}

static void
make_graph(struct hp_graph *g, const struct world *w, unsigned threads)
{
	struct hp_node_kinds_near *near = calloc(1, sizeof(*near));
	struct hp_edge_writer writer = {0};

	*g = (struct hp_graph){
		.o.threads = threads,
		.memory = {.limit = 1 << 30, .in_order = 1 << 30},
		.nodes.count = OBJECTS};
	must(near && hp_node_kinds_init(&g->kinds, NULL) == HP_OK);
	must(hp_edges_init(&g->edges, OBJECTS, OBJECTS * MOST, 1, &g->memory,
			   NULL) == HP_OK);
	for (uint32_t i = 0; i < OBJECTS; i++)
		add_edges(g, &writer, w, i,
			  kind_of_class(g, near, w->class_of[i]));
	must(hp_edges_sort(&g->edges, OBJECTS, threads, &g->memory, NULL) ==
	     HP_OK);
	g->roots = calloc(ROOTS, sizeof(*g->roots));
	must(g->roots);
	for (uint32_t i = 0; i < ROOTS; i++)
		g->roots[g->nroots++].node = i;
	free(near);
}

START_TEST(random_references)
{
	struct world *w = calloc(1, sizeof(*w));
	struct hp_depths d;
	struct hp_graph g;

	must(w);
	fill(w, (unsigned)_i);
	walk_slowly(w);
	must(w->met > OBJECTS / 4 && w->met < OBJECTS);
	make_graph(&g, w, 1 + (unsigned)_i % 4);
	must(hp_depths_find(&d, &g, NULL) == HP_OK);
	must(d.met == w->met && d.most == w->most);
	must(memcmp(d.by_node.at, w->depth, sizeof(w->depth)) == 0);
	hp_depths_release(&d);
	hp_graph_release(&g);
	free(w);
}
END_TEST

Suite *test_depth_suite(void);

Suite *
test_depth_suite(void)
{
	Suite *s = suite_create("depth");
	TCase *t = tcase_create("depth");

	tcase_add_loop_test(t, random_references, 0, 8);
	suite_add_tcase(s, t);
	return s;
}
