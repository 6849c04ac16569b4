/*
 * test_graph_nodes.c - tests of collecting object ids during another pass, and
 * of the list of the parts of a dump that may contain a given object
 */
#include "common/graph/spans.h"
#include "tests/unit/graph_dump.h"
#include "tests/unit/must.h"

#include <check.h>

enum { MILLION = 1000000 };

/*
 * The state of a second pass: the objects that it looks for, and what it has
 * found.
 */
struct looking {
	const struct hp_graph *graph;
	uint64_t nodes[3], ids[3];
	size_t met; /* how many of the three wanted objects were found */
	/* number of objects in the parts of the dump that were read */
	uint64_t objects;
};

static bool
look_there(void *ctx, const struct hp_batch *batch)
{
	const struct looking *l = ctx;

	return hp_graph_spans_may_have(l->graph, batch, l->nodes,
				       HP_ARRAY_LEN(l->nodes));
}

static enum hp_status
look(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct looking *l = ctx;
	struct hp_sub s;

	while (hp_batch_next(&walk, batch, &s, 4)) {
		l->objects++;
		for (size_t i = 0; i < HP_ARRAY_LEN(l->ids); i++)
			l->met += s.id == l->ids[i];
	}
	return HP_OK;
}

/*
 * Test a dump of 25 MB. The ids of its objects either ascend or are in a
 * shuffled order. A second pass must find three objects. If the ids ascend, it
 * must skip most parts of the dump.
 */
START_TEST(spans)
{
	struct looking l = {.met = 0};
	const struct hp_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = &l,
				     .wanted = look_there,
				     .batch = look};
	const struct hp_scan_options options = {.threads = 1};
	/* a prime number, which shuffles the ids */
	uint32_t step = _i & 1 ? 48271 : 1;
	struct graph_dump r;
	struct b b;

	graph_dump_begin(&b, 2);
	for (uint32_t i = 0; i < MILLION; i++)
		b_instance_bytes(&b, ITEMS + 8 * ((uint64_t)i * step % MILLION),
				 CLASS_ITEM, (const uint8_t[8]){0}, 8);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 1 + (unsigned)_i / 2, HP_REACHABILITY_SOFT,
			     UINT64_MAX / 2, NULL) == HP_OK);
	l.graph = &r.graph;
	for (size_t i = 0; i < HP_ARRAY_LEN(l.ids); i++) {
		l.ids[i] = ITEMS + 8 * (MILLION / 8 * 3 * i + 7);
		l.nodes[i] = graph_dump_node(&r, l.ids[i]);
	}
	must(hp_source_rewind(r.src, NULL) == HP_OK);
	must(hp_scan(r.src, &pass, &options, NULL) == HP_OK);
	must(l.met == HP_ARRAY_LEN(l.ids));
	if (step == 1)
		must(l.objects < MILLION / 5);
	else
		must(l.objects >= MILLION);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

static enum hp_status
find_on_the_way(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	return hp_nodes_batch(ctx, batch, err);
}

static void
find_beside(struct hp_nodes *n, struct hp_source *src, uint64_t memory)
{
	const struct hp_pass pass = {
		.need = HP_NEED_HEADS, .ctx = n, .batch = find_on_the_way};
	const struct hp_scan_options options = {.threads = 1};

	*n = (struct hp_nodes){
		.id_size = 4, .threads = 1, .shift = 3, .dump = 1};
	must(hp_nodes_begin(n, hp_source_size(src), memory, NULL) == HP_OK);
	must(hp_source_rewind(src, NULL) == HP_OK);
	must(hp_scan(src, &pass, &options, NULL) == HP_OK);
}

/*
 * Test that hp_nodes_find() reads the dump again if a pass with other tasks
 * could not keep all ids in memory. It must succeed, and must not leave an
 * error.
 */
START_TEST(ids_did_not_fit)
{
	enum { ITEMS_APART = 100 };
	struct hp_big_memory memory = {.limit = UINT64_MAX / 2};
	struct hp_nodes found, n;
	struct hp_error err = {0};
	struct graph_dump r;
	struct b b;

	graph_dump_begin(&b, 0);
	for (uint32_t i = 0; i < ITEMS_APART; i++)
		b_instance_bytes(&b, ITEMS + ((uint64_t)i << 25), CLASS_ITEM,
				 NULL, 0);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 1, HP_REACHABILITY_SOFT, UINT64_MAX / 2,
			     NULL) == HP_OK);
	find_beside(&found, r.src, 1);
	must(hp_id_sets_finish(found.sets, NULL) == HP_OK);
	must(hp_id_sets_partial(found.sets) ||
	     hp_id_sets_over_memory(found.sets));
	hp_nodes_release(&found, NULL);
	find_beside(&found, r.src, 1);
	n = (struct hp_nodes){
		.id_size = 4, .threads = 1, .shift = 3, .dump = 1};
	must(hp_nodes_find(&n, &found, r.src, &memory, &err) == HP_OK);
	must(n.count == r.graph.nodes.count && n.count > ITEMS_APART);
	must(err.status == HP_OK && !found.sets);
	hp_nodes_release(&n, &memory);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

/*
 * Test that hp_nodes_find() uses the objects that hp_nodes_keep() has kept from
 * an earlier pass, and does not read the dump (it gets no source). In the
 * second run of the test, two objects have the same id. Then nothing must be
 * kept.
 */
START_TEST(kept)
{
	bool twice = _i == 1;
	struct hp_nodes held = {0}, again = {0};
	struct hp_big_memory m = {.limit = UINT64_MAX / 2};
	struct graph_dump r;
	uint64_t before;
	uint32_t count;
	struct b b;

	graph_dump_begin(&b, 2);
	for (unsigned i = 0; i < 3; i++)
		b_instance_bytes(&b, ITEMS + 8 * (twice && i == 2 ? 1 : i),
				 CLASS_ITEM, (const uint8_t[8]){0}, 8);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 2, HP_REACHABILITY_SOFT, UINT64_MAX / 2,
			     NULL) == HP_OK);
	count = r.graph.nodes.count;
	before = r.graph.memory.held;
	hp_nodes_keep(&r.graph.nodes, &held, &r.graph.memory);
	must((held.count == 0) == twice);
	if (!twice) {
		must(r.graph.memory.held < before);
		must(hp_nodes_find(&again, &held, NULL, &m, NULL) == HP_OK);
		must(again.count == count && held.count == 0);
		must(m.held == before - r.graph.memory.held);
		/* objects can be kept again after they were used */
		hp_nodes_keep(&again, &held, &m);
		must(m.held == 0 && held.count == count);
	}
	hp_nodes_release(&held, NULL);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

Suite *test_graph_nodes_suite(void);

Suite *
test_graph_nodes_suite(void)
{
	Suite *s = suite_create("graph_nodes");
	TCase *t = tcase_create("graph_nodes");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, spans, 0, 4);
	tcase_add_test(t, ids_did_not_fit);
	tcase_add_loop_test(t, kept, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
