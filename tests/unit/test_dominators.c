/*
 * test_dominators.c - tests of the dominator tree, in random graphs of several
 * shapes
 *
 * The simple version of the Lengauer-Tarjan algorithm in this file computes the
 * expected result. The code under test runs with one to four threads. The
 * graphs are so large that the code divides the objects into several ranges
 * (see common/graph/dominators.c).
 */
#include "common/graph/internal.h"
#include "tests/unit/graph_dump.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>

enum {
	/* number of objects, not counting their class, which is object N */
	N = 3 << HP_CROSS_BITS,
	/*
	 * maximum number of references of an object, including the reference to
	 * its class
	 */
	MOST = 9,
	NONE = UINT32_MAX,
};

enum shape { SPARSE, DENSE, LIST, LADDER, TREE, HUBS, SHAPES };

struct model {
	uint32_t to[N + 1][MOST];
	uint8_t nto[N + 1];
	bool rooted[N + 1];
	/* `number` and `retained` are indexed by the number of the object */
	/*
	 * Position of the object in the order of a depth-first search, from 1.
	 * 0: the object is unreachable.
	 */
	uint32_t number[N + 1];
	uint32_t retained[N + 1];
	/*
	 * The following arrays are indexed by the position in the order of the
	 * depth-first search.
	 */
	uint32_t item[N + 2], parent[N + 2], semi[N + 2], idom[N + 2];
	uint32_t ancestor[N + 2], label[N + 2];
	/*
	 * buckets: linked lists of the positions whose semidominators are equal
	 */
	uint32_t bucket[N + 2], next[N + 2];
	/*
	 * The positions of the objects that refer to the object at position v
	 * are in `pred`, from index preds[v] to preds[v + 1] - 1.
	 */
	uint32_t pred[(N + 1) * MOST];
	uint32_t preds[N + 4];
	uint32_t count, stack[N + 2];
	/*
	 * for each position: how many references of the object the search has
	 * already followed
	 */
	uint8_t done[N + 2];
};

static uint64_t seed;

static uint32_t
pick(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)((seed >> 33) * below >> 31);
}

/* --- make random graphs -------------------------------------------- */

static void
refer(struct model *m, uint32_t from, uint32_t to)
{
	if (to < N)
		m->to[from][m->nto[from]++] = to;
}

static void
refer_anywhere(struct model *m, uint32_t from, uint32_t n)
{
	while (n-- > 0)
		refer(m, from, pick(N));
}

static void
make_item(struct model *m, uint32_t i, enum shape shape)
{
	switch (shape) {
	case SPARSE:
		refer_anywhere(m, i, pick(4));
		break;
	case DENSE:
		refer_anywhere(m, i, MOST - 1);
		break;
	case LIST: /* most objects also have a reference to a random object */
		refer(m, i, i + 1);
		refer_anywhere(m, i, pick(16) == 0);
		break;
	case LADDER:
		refer(m, i, i + 1 + pick(3));
		refer(m, i, i + 1);
		refer(m, i, i - pick(5));
		break;
	case TREE:
		refer(m, i, 2 * i + 1);
		refer(m, i, 2 * i + 2);
		refer_anywhere(m, i, pick(32) == 0);
		break;
	/*
	 * Each object refers to one of 16 hubs. In addition, most objects refer
	 * to the next object, and the others to a random object.
	 */
	default:
		refer(m, i, pick(16) * (N / 16));
		refer(m, i, i % 7 ? i + 1 : pick(N));
		break;
	}
}

static void
make_model(struct model *m, enum shape shape)
{
	for (uint32_t i = 0; i < N; i++) {
		m->to[i][m->nto[i]++] = N;
		make_item(m, i, shape);
	}
	m->rooted[pick(N / 100)] = true;
	for (unsigned i = 0; i < 3; i++)
		m->rooted[pick(N)] = true;
}

static void
write_model(struct b *b, const struct model *m)
{
	uint64_t ids[MOST];

	graph_dump_begin(b, 0);
	for (uint32_t i = 0; i < N; i++) {
		for (unsigned k = 1; k < m->nto[i]; k++)
			ids[k - 1] = ITEMS + 8 * (uint64_t)m->to[i][k];
		b_object_array(b, ITEMS + 8 * (uint64_t)i, CLASS_ITEMS,
			       m->nto[i] - 1u, ids);
		if (m->rooted[i])
			b_root_jni_global(b, ITEMS + 8 * (uint64_t)i, 1);
	}
	if (m->rooted[N])
		b_root_jni_global(b, CLASS_ITEMS, 1);
	graph_dump_end(b);
}

/* --- the simple algorithm, which computes the expected result ------ */

static void
visit_item(struct model *m, uint32_t item, uint32_t parent, uint32_t *depth)
{
	uint32_t number = m->count++;

	m->number[item] = number;
	m->item[number] = item;
	m->parent[number] = parent;
	m->done[number] = 0;
	m->stack[(*depth)++] = number;
}

static void
walk(struct model *m)
{
	uint32_t depth = 0, number, item;

	m->count = 1;
	for (uint32_t root = 0; root <= N; root++) {
		if (m->rooted[root] && m->number[root] == 0)
			visit_item(m, root, 0, &depth);
		while (depth > 0) {
			number = m->stack[depth - 1];
			item = m->item[number];
			if (m->done[number] == m->nto[item]) {
				depth--;
				continue;
			}
			item = m->to[item][m->done[number]++];
			if (m->number[item] == 0)
				visit_item(m, item, number, &depth);
		}
	}
}

static void
list_preds(struct model *m)
{
	for (uint32_t v = 1; v < m->count; v++)
		for (unsigned k = 0; k < m->nto[m->item[v]]; k++)
			m->preds[m->number[m->to[m->item[v]][k]] + 2]++;
	for (uint32_t v = 2; v < m->count + 2; v++)
		m->preds[v] += m->preds[v - 1];
	for (uint32_t v = 1; v < m->count; v++)
		for (unsigned k = 0; k < m->nto[m->item[v]]; k++)
			m->pred[m->preds[m->number[m->to[m->item[v]][k]] +
					 1]++] = v;
}

static uint32_t
eval(struct model *m, uint32_t v)
{
	uint32_t depth = 0, x = v, up;

	if (m->ancestor[v] == NONE)
		return m->label[v];
	while (m->ancestor[m->ancestor[x]] != NONE) {
		m->stack[depth++] = x;
		x = m->ancestor[x];
	}
	while (depth > 0) {
		x = m->stack[--depth];
		up = m->ancestor[x];
		if (m->semi[m->label[up]] < m->semi[m->label[x]])
			m->label[x] = m->label[up];
		m->ancestor[x] = m->ancestor[up];
	}
	return m->label[v];
}

static void
lower(struct model *m, uint32_t v, uint32_t semi)
{
	if (semi < m->semi[v])
		m->semi[v] = semi;
}

static void
find_dominators(struct model *m)
{
	for (uint32_t v = 0; v < m->count; v++) {
		m->semi[v] = m->label[v] = v;
		m->ancestor[v] = m->bucket[v] = NONE;
	}
	for (uint32_t v = m->count - 1; v > 0; v--) {
		for (uint32_t k = m->preds[v]; k < m->preds[v + 1]; k++)
			lower(m, v, m->semi[eval(m, m->pred[k])]);
		if (m->rooted[m->item[v]])
			m->semi[v] = 0;
		lower(m, v, m->parent[v]);
		m->next[v] = m->bucket[m->semi[v]];
		m->bucket[m->semi[v]] = v;
		m->ancestor[v] = m->parent[v];
		for (uint32_t w = m->bucket[m->parent[v]]; w != NONE;
		     w = m->next[w]) {
			uint32_t u = eval(m, w);

			m->idom[w] = m->semi[u] < m->semi[w] ? u : m->parent[v];
		}
		m->bucket[m->parent[v]] = NONE;
	}
	for (uint32_t v = 1; v < m->count; v++)
		if (m->idom[v] != m->semi[v])
			m->idom[v] = m->idom[m->idom[v]];
}

static void
solve(struct model *m)
{
	walk(m);
	list_preds(m);
	find_dominators(m);
	for (uint32_t v = m->count - 1; v > 0; v--) {
		m->retained[m->item[v]]++;
		if (m->idom[v] > 0)
			m->retained[m->item[m->idom[v]]] +=
				m->retained[m->item[v]];
	}
}

/* --- compare the results ------------------------------------------- */

static void
compare(const struct model *m, const struct graph_dump *r)
{
	const uint32_t *nodes = r->tree.nodes.at;
	uint32_t *retained = calloc(r->graph.nodes.count, sizeof(*retained));

	must(retained);
	/* the tree also contains two classes, which `m` does not count */
	must(r->tree.count == m->count + 2);
	for (uint32_t place = 1; place < r->tree.count; place++)
		retained[nodes[place]] = hp_tree_objects(&r->tree, place);
	for (uint32_t i = 0; i < N; i++)
		must(retained[graph_dump_node(r, ITEMS + 8 * (uint64_t)i)] ==
		     m->retained[i]);
	must(retained[graph_dump_node(r, CLASS_ITEMS)] == m->retained[N]);
	free(retained);
}

static void
check_shape(enum shape shape, bool class_is_root)
{
	struct model *m = calloc(1, sizeof(*m));
	struct graph_dump r;
	struct b b;

	must(m);
	seed = (unsigned)shape + 1;
	make_model(m, shape);
	m->rooted[N] = class_is_root;
	/* the first object leads to all other objects of a TREE */
	m->rooted[0] |= class_is_root;
	write_model(&b, m);
	solve(m);
	for (unsigned threads = 1; threads < 5; threads++) {
		must(graph_dump_read(&r, &b, threads, HP_REACHABILITY_SOFT,
				     UINT64_MAX / 2, NULL) == HP_OK);
		compare(m, &r);
		graph_dump_release(&r);
	}
	b_release(&b);
	free(m);
}

START_TEST(several_buckets)
{
	check_shape((enum shape)_i, false);
}
END_TEST

/*
 * If the class of the objects is a root, objects to which only one reference
 * leads can be folded (struct hp_kept in common/graph/internal.h). With the
 * classes of several_buckets, no object can.
 */
START_TEST(folded_objects)
{
	check_shape(TREE, true);
}
END_TEST

/* Give the place to the window, and check which places it covers then. */
static void
expect_window(struct hp_tree_window *w, const struct hp_tree *t, uint32_t place,
	      uint32_t from, uint32_t count)
{
	hp_tree_ahead(w, t, place);
	must(w->from == from && w->count == count);
}

/*
 * A window for reading files ahead: it doubles as long as a loop goes on from
 * place to place, up to 65,536 places, and is small again after a jump in
 * either direction.
 */
START_TEST(window)
{
	const struct hp_tree t = {.count = 1 << 20,
				  .nodes.split = UINT64_MAX,
				  .kinds.split = UINT64_MAX,
				  .ends.distances.split = UINT64_MAX,
				  .parents.distances.split = UINT64_MAX,
				  .bytes_before.split = UINT64_MAX};
	struct hp_tree_window w = {0};

	expect_window(&w, &t, 1, 1, 1024);
	expect_window(&w, &t, 1024, 1, 1024);
	expect_window(&w, &t, 1025, 1025, 2048);
	/* the loop may leave out some places */
	expect_window(&w, &t, 4000, 4000, 4096);
	expect_window(&w, &t, 900000, 900000, 1024);
	expect_window(&w, &t, 5, 5, 1024);
	for (uint32_t place = 5; place < t.count; place++)
		hp_tree_ahead(&w, &t, place);
	must(w.count == 1 << 16);
	expect_window(&w, &t, t.count - 1, w.from, 1 << 16);
}
END_TEST

Suite *test_dominators_suite(void);

Suite *
test_dominators_suite(void)
{
	Suite *s = suite_create("dominators");
	TCase *t = tcase_create("dominators"), *q = quick_case(s, 60);

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(q, several_buckets, 0, 2);
	tcase_add_loop_test(t, several_buckets, 2, SHAPES);
	tcase_add_test(q, folded_objects);
	tcase_add_test(q, window);
	suite_add_tcase(s, t);
	return s;
}
