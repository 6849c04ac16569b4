/*
 * test_graph.c - tests of the object graph and the dominator tree, in random
 * small dumps
 *
 * The expected dominators come from the definition: the test removes one object
 * at a time and finds out which objects are then unreachable. Further tests use
 * large or unusual graphs.
 */
#include "common/base/platform.h"
#include "tests/unit/graph_dump.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST = 24,  /* maximum number of objects in a random graph */
	EDGES = 96, /* maximum number of references of one object */
	CLASSES = 6,
	GROUPS = 12,
};

/*
 * Indexes of the classes of a random dump, which are the first objects of the
 * model.
 */
enum class_node {
	OBJECT,
	REFERENCE,
	WEAK,
	SOFT,
	HOLDER, /* a class with three reference fields and a static field */
	ARRAY,	/* the class of arrays whose elements are of class HOLDER */
};

enum shape { A_CLASS, AN_INSTANCE, A_WEAK, A_SOFT, AN_ARRAY, A_PRIMITIVE };

struct node {
	uint64_t id;
	enum shape shape;
	/* index of the class of this object in the model */
	unsigned class_node;
	unsigned group;
	/*
	 * indexes of the objects to which this object refers; MOST is null, and
	 * larger numbers are objects that are not in the dump
	 */
	unsigned to[EDGES], nto;
	/*
	 * for objects of the classes A_WEAK and A_SOFT: the target of the field
	 * `referent`
	 */
	unsigned referent;
	bool rooted;
};

struct model {
	struct node nodes[MOST];
	unsigned n;
	unsigned id_size;
	enum hp_reachability reachability;
	/*
	 * the expected results: whether each object is reachable from a root,
	 * and whether only over weak references
	 */
	bool reached[MOST], weakly[MOST];
	bool dominates[MOST][MOST];
	unsigned depth[MOST];
};

static uint64_t seed;

static unsigned
pick(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

/* --- make random graphs --------------------------------------------------- */

static void
add_edge(struct node *n, unsigned to)
{
	must(n->nto < EDGES);
	n->to[n->nto++] = to;
}

static unsigned
some_target(const struct model *m)
{
	return pick(8) == 0 ? MOST + pick(3) : pick(m->n);
}

static void
make_classes(struct model *m)
{
	static const unsigned supers[CLASSES] = {MOST,	    OBJECT, REFERENCE,
						 REFERENCE, OBJECT, OBJECT};

	for (unsigned i = 0; i < CLASSES; i++) {
		m->nodes[i].shape = A_CLASS;
		m->nodes[i].group = 0;
		if (supers[i] != MOST)
			add_edge(&m->nodes[i], supers[i]);
		m->nodes[i].rooted = pick(3) > 0;
	}
	/* the target of the static field */
	add_edge(&m->nodes[HOLDER], some_target(m));
}

static void
make_node(struct model *m, unsigned i)
{
	static const unsigned class_of[] = {0, HOLDER, WEAK, SOFT, ARRAY, MOST};
	struct node *n = &m->nodes[i];
	unsigned count;

	n->shape = (enum shape)(1 + pick(5));
	n->class_node = class_of[n->shape];
	n->group = n->shape;
	n->rooted = pick(6) == 0;
	if (n->shape == A_PRIMITIVE)
		return;
	add_edge(n, n->class_node);
	if (n->shape == A_WEAK || n->shape == A_SOFT) {
		n->referent = some_target(m);
		/* the target of the field `next` */
		add_edge(n, some_target(m));
		return;
	}
	count = n->shape == AN_ARRAY ? pick(6) : 3;
	while (count-- > 0)
		add_edge(n, some_target(m));
}

static uint64_t
id_of(const struct model *m, unsigned i)
{
	if (i < m->n)
		return m->nodes[i].id;
	return i == MOST ? 0 : 0xdead000 + 8 * i;
}

static void
make_model(struct model *m)
{
	memset(m, 0, sizeof(*m));
	m->id_size = pick(2) ? 8 : 4;
	m->reachability = (enum hp_reachability)pick(3);
	m->n = CLASSES + 1 + pick(MOST - CLASSES);
	/* choose the ids of the objects, some of them not aligned */
	for (unsigned i = 0; i < m->n; i++)
		m->nodes[i].id = 0x10000 + 16 * (uint64_t)(i * 7 % MOST) +
				 (pick(5) == 0 ? 3 : 0);
	make_classes(m);
	for (unsigned i = CLASSES; i < m->n; i++)
		make_node(m, i);
}

/* --- write the model as a dump -------------------------------------- */

static void
write_class(struct b *b, const struct model *m, unsigned i)
{
	static const unsigned supers[CLASSES] = {MOST,	    OBJECT, REFERENCE,
						 REFERENCE, OBJECT, OBJECT};
	const struct b_class c = {.id = m->nodes[i].id,
				  .super = id_of(m, supers[i]),
				  .size = B_AUTO};

	b_class(b, &c);
	if (i == HOLDER)
		b_static(b, b_intern(b, "s"), B_OBJECT,
			 id_of(m, m->nodes[i].to[1]));
	if (i == HOLDER) {
		b_field(b, b_intern(b, "a"), B_OBJECT);
		b_field(b, b_intern(b, "n"), B_INT);
		b_field(b, b_intern(b, "b"), B_OBJECT);
		b_field(b, b_intern(b, "c"), B_OBJECT);
	}
	if (i == REFERENCE) {
		b_field(b, b_intern(b, "next"), B_OBJECT);
		b_field(b, b_intern(b, "referent"), B_OBJECT);
	}
	if (i == WEAK)
		b_field(b, b_intern(b, "own"), B_INT);
	b_class_end(b);
}

static void
write_fields(struct b *b, const struct model *m, const struct node *n)
{
	b_instance(b, n->id, m->nodes[n->class_node].id);
	if (n->shape == AN_INSTANCE) {
		b_value(b, B_OBJECT, id_of(m, n->to[1]));
		b_value(b, B_INT, 7);
		b_value(b, B_OBJECT, id_of(m, n->to[2]));
		b_value(b, B_OBJECT, id_of(m, n->to[3]));
	} else {
		if (n->shape == A_WEAK)
			b_value(b, B_INT, 7);
		b_value(b, B_OBJECT, id_of(m, n->to[1]));
		b_value(b, B_OBJECT, id_of(m, n->referent));
	}
	b_instance_end(b);
}

static void
write_node(struct b *b, const struct model *m, unsigned i)
{
	const struct node *n = &m->nodes[i];
	uint64_t ids[EDGES];

	if (n->shape == A_CLASS) {
		write_class(b, m, i);
	} else if (n->shape == A_PRIMITIVE) {
		b_primitive_array(b, n->id, B_INT, i, NULL);
	} else if (n->shape == AN_ARRAY) {
		for (unsigned k = 1; k < n->nto; k++)
			ids[k - 1] = id_of(m, n->to[k]);
		b_object_array(b, n->id, m->nodes[ARRAY].id, n->nto - 1, ids);
	} else {
		write_fields(b, m, n);
	}
}

/*
 * Write the roots. If the thread object of a local variable is in the dump, the
 * variable does not count as a root. It counts as a reference of the thread
 * object, which is added to the model.
 */
static void
write_roots(struct b *b, struct model *m)
{
	unsigned thread = pick(m->n), local = pick(m->n);
	bool threads = pick(2) && m->nodes[thread].shape != A_CLASS;

	if (threads) {
		m->nodes[thread].rooted = true;
		add_edge(&m->nodes[thread], local);
		b_root_java_frame(b, m->nodes[local].id, 5, 0);
		b_root_thread_object(b, m->nodes[thread].id, 5, 0);
	}
	for (unsigned i = 0; i < m->n; i++) {
		if (!m->nodes[i].rooted || (threads && i == thread))
			continue;
		if (i < CLASSES)
			b_root_sticky_class(b, m->nodes[i].id);
		else if (pick(2))
			b_root_jni_global(b, m->nodes[i].id, 1);
		else
			b_root_java_frame(b, m->nodes[i].id, 77, 0);
	}
	b_root_jni_global(b, 0xdead018, 1);
	b_unreachable(b, m->nodes[pick(m->n)].id);
	/*
	 * without any root for a system class, all classes of the boot loader
	 * would count as roots
	 */
	m->nodes[OBJECT].rooted = true;
	b_root_sticky_class(b, m->nodes[OBJECT].id);
}

static void
write_dump(struct b *b, struct model *m)
{
	static const char *const names[CLASSES] = {
		"java/lang/Object",
		"java/lang/ref/Reference",
		"java/lang/ref/WeakReference",
		"java/lang/ref/SoftReference",
		"Holder",
		"[LHolder;"};
	static const char *const fields[] = {"s", "a",	  "n",	      "b",
					     "c", "next", "referent", "own"};

	b_init(b, m->id_size);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (unsigned i = 0; i < HP_ARRAY_LEN(fields); i++)
		b_intern(b, fields[i]);
	for (unsigned i = 0; i < CLASSES; i++)
		b_load_class(b, i + 1, m->nodes[i].id, 0,
			     b_intern(b, names[i]));
	b_segment(b);
	if (pick(2))
		write_roots(b, m);
	else
		seed ^= 1;
	for (unsigned i = 0; i < m->n; i++)
		write_node(b, m, i);
	if (b->subrecords[B_ROOT_STICKY_CLASS] == 0)
		write_roots(b, m);
	/*
	 * write two objects again with the same ids; only their first copies
	 * count
	 */
	if (pick(3) == 0) {
		b_primitive_array(b,
				  m->nodes[CLASSES + pick(m->n - CLASSES)].id,
				  B_BYTE, 1000, NULL);
		b_instance_zero(b, m->nodes[CLASSES + pick(m->n - CLASSES)].id,
				m->nodes[HOLDER].id);
	}
	b_close(b);
	b_heap_dump_end(b);
}

/* --- brute force: compute the expected result ----------------------- */

static bool
is_followed(const struct model *m, const struct node *n)
{
	if (n->shape == A_WEAK)
		return m->reachability == HP_REACHABILITY_ALL;
	if (n->shape == A_SOFT)
		return m->reachability != HP_REACHABILITY_STRONG;
	return false;
}

/*
 * Find the objects that are reachable if object @without does not exist, and
 * their distances from the roots. If @all is true, weak and soft references
 * also count.
 */
static void
reach(const struct model *m, unsigned without, bool all, bool *reached,
      unsigned *depth)
{
	unsigned queue[MOST], n = 0;

	memset(reached, 0, MOST * sizeof(*reached));
	for (unsigned i = 0; i < m->n; i++)
		if (m->nodes[i].rooted && i != without) {
			reached[i] = true;
			depth[i] = 1;
			queue[n++] = i;
		}
	for (unsigned at = 0; at < n; at++) {
		const struct node *x = &m->nodes[queue[at]];

		for (unsigned k = 0; k <= x->nto; k++) {
			unsigned to = k < x->nto ? x->to[k] : x->referent;

			if (k == x->nto &&
			    !((x->shape == A_WEAK || x->shape == A_SOFT) &&
			      (all || is_followed(m, x))))
				continue;
			if (to >= m->n || to == without || reached[to])
				continue;
			reached[to] = true;
			depth[to] = depth[queue[at]] + 1;
			queue[n++] = to;
		}
	}
}

static void
solve(struct model *m)
{
	bool reached[MOST];
	unsigned depth[MOST];

	reach(m, MOST, false, m->reached, m->depth);
	reach(m, MOST, true, m->weakly, depth);
	for (unsigned i = 0; i < m->n; i++) {
		m->weakly[i] &= !m->reached[i];
		if (!m->reached[i])
			continue;
		reach(m, i, false, reached, depth);
		for (unsigned k = 0; k < m->n; k++)
			m->dominates[i][k] =
				m->reached[k] && (k == i || !reached[k]);
	}
}

static unsigned
retained(const struct model *m, unsigned i)
{
	unsigned n = 0;

	for (unsigned k = 0; k < m->n; k++)
		n += m->dominates[i][k];
	return n;
}

/*
 * Returns how many objects the group @group retains. If objects of the group
 * dominate each other, no object is counted twice.
 */
static unsigned
group_retains(const struct model *m, unsigned group)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->n; i++) {
		bool counts = m->reached[i] && m->nodes[i].group == group;

		for (unsigned k = 0; k < m->n; k++)
			if (k != i && m->nodes[k].group == group &&
			    m->dominates[k][i])
				counts = false;
		n += counts ? retained(m, i) : 0;
	}
	return n;
}

/* --- compare with the result of the program ------------------------- */

static unsigned
group_of_kind(const struct model *m, const struct hp_node_kind *k)
{
	if (k->of == HP_NODE_CLASS)
		return 0;
	if (k->of == HP_NODE_PRIMITIVE_ARRAY)
		return A_PRIMITIVE;
	for (unsigned i = 1; i < A_PRIMITIVE; i++) {
		static const unsigned class_of[] = {0, HOLDER, WEAK, SOFT,
						    ARRAY};

		if (k->class_id == m->nodes[class_of[i]].id)
			return i;
	}
	return GROUPS - 1;
}

static void
compare_groups(const struct graph_dump *r, const struct model *m)
{
	uint32_t *group_of = calloc(r->graph.kinds.count, sizeof(*group_of));
	struct hp_graph_sum sums[GROUPS] = {0};

	must(group_of);
	for (uint32_t k = 1; k < r->graph.kinds.count; k++)
		group_of[k] = group_of_kind(m, &r->graph.kinds.list[k]);
	must(hp_tree_groups(&r->tree, group_of, GROUPS, sums, NULL) == HP_OK);
	for (unsigned g = 0; g < GROUPS; g++)
		must(sums[g].objects == group_retains(m, g));
	free(group_of);
}

static void
compare_nodes(const struct graph_dump *r, const struct model *m)
{
	const uint32_t *nodes = r->tree.nodes.at;
	const uint32_t *depths = r->depths.by_node.at;
	unsigned place_of[MOST] = {0}, reached = 0, weakly = 0;

	for (uint32_t place = 1; place < r->tree.count; place++)
		for (unsigned i = 0; i < m->n; i++)
			if (nodes[place] == graph_dump_node(r, m->nodes[i].id))
				place_of[i] = place;
	for (unsigned i = 0; i < m->n; i++) {
		reached += m->reached[i];
		weakly += m->weakly[i];
		must(!m->reached[i] == !place_of[i]);
		must(depths[graph_dump_node(r, m->nodes[i].id)] ==
		     (m->reached[i] ? m->depth[i] : 0));
		if (!m->reached[i])
			continue;
		must(hp_tree_objects(&r->tree, place_of[i]) == retained(m, i));
		must(hp_tree_parent(&r->tree, place_of[i]) < place_of[i]);
		for (unsigned k = 0; k < m->n; k++) {
			bool within = place_of[k] >= place_of[i] &&
				      place_of[k] < hp_tree_end(&r->tree,
								place_of[i]);

			must(m->dominates[i][k] == (m->reached[k] && within));
		}
	}
	must(r->tree.reachable.objects == reached);
	must(r->tree.weak.objects == weakly);
	must(r->tree.unreachable.objects == m->n - reached - weakly);
	must(r->graph.all.objects == m->n);
}

enum { PARTS = 10, ROUNDS = (HP_TSAN ? 40 : 400) };

/*
 * Test ROUNDS random graphs. The test runs several times, each time with other
 * graphs.
 */
START_TEST(brute_force)
{
	unsigned from = (unsigned)_i * ROUNDS;
	struct model m;
	struct graph_dump r;
	struct b b;

	for (unsigned i = from; i < from + ROUNDS; i++) {
		seed = i + 1;
		make_model(&m);
		write_dump(&b, &m);
		solve(&m);
		must(graph_dump_read(&r, &b, 1 + i % 3, m.reachability,
				     UINT64_MAX / 2, NULL) == HP_OK);
		compare_nodes(&r, &m);
		compare_groups(&r, &m);
		graph_dump_release(&r);
		b_release(&b);
	}
}
END_TEST

/* --- large and unusual graphs ---------------------------------------- */

enum { MILLION = 1000000 };

static uint32_t
place_of(const struct graph_dump *r, uint64_t id)
{
	const uint32_t *nodes = r->tree.nodes.at, node = graph_dump_node(r, id);
	uint32_t place = r->tree.count;

	while (--place > 0 && nodes[place] != node)
		continue;
	return place;
}

static uint32_t
retained_of(const struct graph_dump *r, uint64_t id)
{
	return hp_tree_objects(&r->tree, place_of(r, id));
}

static void
store_id(uint8_t *field, uint64_t id)
{
	for (unsigned k = 0; k < 4; k++)
		field[k] = (uint8_t)(id >> (24 - 8 * k));
}

/*
 * Write a linked list. One field of each item refers to the next item. If @last
 * is true, this is the last field of the item, otherwise the first one. The
 * other field refers to the first item of the list or, if @shortcuts is true,
 * to the item after the next.
 */
static void
write_list(struct b *b, bool last, bool shortcuts)
{
	uint8_t fields[8];

	graph_dump_begin(b, 2);
	for (uint32_t i = 0; i < MILLION; i++) {
		uint32_t id = ITEMS + 8 * i, left = MILLION - i - 1;
		uint32_t other = left > 1 ? id + 16 : 0;

		store_id(fields + 4 * last, left ? id + 8 : 0);
		store_id(fields + 4 * !last, shortcuts ? other : ITEMS);
		b_instance_bytes(b, id, CLASS_ITEM, fields, sizeof(fields));
	}
	b_root_jni_global(b, ITEMS, 1);
	graph_dump_end(b);
}

/*
 * Test a list of a million items, in which every item dominates all later
 * items. The result must be the same with so little memory that most of the
 * graph is in files.
 */
START_TEST(million_deep)
{
	static const uint64_t memory[] = {UINT64_MAX / 2, 24 << 20, 4 << 20};
	struct graph_dump r;
	struct b b;

	write_list(&b, _i & 1, false);
	must(graph_dump_read(&r, &b, 2, HP_REACHABILITY_SOFT, memory[_i / 2],
			     NULL) == HP_OK);
	must(r.depths.most == MILLION);
	must(r.tree.reachable.objects == MILLION + 2);
	must(retained_of(&r, ITEMS) == MILLION);
	must(retained_of(&r, ITEMS + 8 * (MILLION / 4)) == MILLION / 4 * 3);
	must((r.graph.memory.file_peak > 0) == (_i / 2 > 0));
	must(r.graph.memory.peak <= memory[_i / 2]);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

/*
 * Test a list with shortcuts. The first item dominates all other items, which
 * themselves dominate nothing. The list is so long that all threads take part.
 */
START_TEST(shortcuts)
{
	uint32_t items;
	struct graph_dump r;
	struct b b;

	write_list(&b, _i & 1, true);
	must(graph_dump_read(&r, &b, 1 + (unsigned)_i / 2, HP_REACHABILITY_SOFT,
			     UINT64_MAX / 2, NULL) == HP_OK);
	items = place_of(&r, ITEMS);
	must(hp_tree_objects(&r.tree, items) == MILLION);
	for (uint32_t i = 1; i < MILLION; i++)
		must(hp_tree_objects(&r.tree, items + i) == 1);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

START_TEST(long_array)
{
	const uint32_t n = 10 * MILLION, items = 1000;
	uint64_t *elements = calloc(n, sizeof(*elements));
	struct graph_dump r;
	struct b b;

	must(elements);
	graph_dump_begin(&b, 0);
	for (uint32_t i = 0; i < items; i++)
		b_instance_bytes(&b, ITEMS + 8 * (uint64_t)i, CLASS_ITEM, NULL,
				 0);
	/*
	 * Only one element refers to the last item. It is in the middle of the
	 * array, which is read in pieces, but not at the start of a piece.
	 */
	for (uint32_t i = 0; i < n; i++)
		elements[i] = ITEMS + 8 * (uint64_t)(i % (items - 1));
	elements[n / 2 + 1] = ITEMS + 8 * (items - 1);
	b_object_array(&b, 0x80000, CLASS_ITEMS, n, elements);
	b_root_jni_global(&b, 0x80000, 1);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 1 + (unsigned)_i, HP_REACHABILITY_SOFT,
			     UINT64_MAX / 2, NULL) == HP_OK);
	/* the array retains all items, itself and its class */
	must(retained_of(&r, 0x80000) == items + 2);
	must(r.depths.most == 2);
	graph_dump_release(&r);
	b_release(&b);
	free(elements);
}
END_TEST

START_TEST(many_locals)
{
	const uint32_t threads = 1000, items = 1000;
	struct graph_dump r;
	struct b b;

	graph_dump_begin(&b, 0);
	for (uint32_t i = 0; i < threads + items; i++)
		b_instance_bytes(&b, ITEMS + 8 * (uint64_t)i, CLASS_ITEM, NULL,
				 0);
	for (uint32_t t = 0; t < threads; t++) {
		b_root_thread_object(&b, ITEMS + 8 * (uint64_t)(items + t),
				     t + 1, 0);
		for (uint32_t i = 0; i < items; i++)
			b_root_java_frame(&b, ITEMS + 8 * (uint64_t)i, t + 1,
					  0);
	}
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 1 + (unsigned)_i, HP_REACHABILITY_SOFT,
			     UINT64_MAX / 2, NULL) == HP_OK);
	must(r.depths.most == 2);
	/* the threads, the items and two classes are reachable */
	must(r.tree.reachable.objects == threads + items + 2);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

START_TEST(many_fields)
{
	enum { FIELDS = 65535 };
	uint8_t *fields = calloc(FIELDS, 4);
	struct graph_dump r;
	struct b b;

	must(fields);
	graph_dump_begin(&b, FIELDS);
	for (uint32_t i = 0; i < FIELDS; i++) {
		store_id(fields + 4 * i, 0x800000 + 8 * i);
		b_primitive_array(&b, 0x800000 + 8 * i, B_INT, 1, NULL);
	}
	b_instance_bytes(&b, ITEMS, CLASS_ITEM, fields, 4 * FIELDS);
	b_root_jni_global(&b, ITEMS, 1);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 2, HP_REACHABILITY_SOFT, UINT64_MAX / 2,
			     NULL) == HP_OK);
	must(retained_of(&r, ITEMS) == FIELDS + 1);
	graph_dump_release(&r);
	b_release(&b);
	free(fields);
}
END_TEST

/*
 * hp_tree_bytes() uses sums that are stored for every HP_TREE_SPAN-th object.
 * Test that the result is equal to the sum of all sizes, for trees that end
 * close to such an object.
 */
START_TEST(sums_of_spans)
{
	uint64_t elements[5 * HP_TREE_SPAN];
	struct graph_dump r;
	struct b b;

	for (uint32_t n = 1; n < HP_ARRAY_LEN(elements); n++) {
		graph_dump_begin(&b, 0);
		for (uint32_t i = 0; i < n; i++) {
			elements[i] = ITEMS + 8 * (uint64_t)i;
			b_primitive_array(&b, elements[i], B_INT, i + 1, NULL);
		}
		b_object_array(&b, 0x80000, CLASS_ITEMS, n, elements);
		b_root_jni_global(&b, 0x80000, 1);
		graph_dump_end(&b);
		must(graph_dump_read(&r, &b, 1, HP_REACHABILITY_SOFT,
				     UINT64_MAX / 2, NULL) == HP_OK);
		for (uint32_t at = 1; at < r.tree.count; at++)
			must(hp_tree_bytes(&r.tree, at) ==
			     hp_tree_bytes_between(&r.tree, at,
						   hp_tree_end(&r.tree, at)));
		graph_dump_release(&r);
		b_release(&b);
	}
}
END_TEST

/*
 * Test a graph with so many kinds (each size of an array is one) that the tree
 * stores them in 4 bytes, and a graph with fewer kinds. Each array has 8 bytes
 * more than the one before it.
 */
START_TEST(many_kinds)
{
	uint32_t n = _i == 0 ? 1000 : UINT16_MAX + 10;
	uint64_t *ids = calloc(n, sizeof(*ids));
	uint64_t *bytes = calloc((size_t)n + 4, sizeof(*bytes));
	struct graph_dump r;
	struct b b;

	must(ids && bytes);
	graph_dump_begin(&b, 0);
	for (uint32_t i = 0; i < n; i++) {
		ids[i] = ITEMS + 8 * (uint64_t)i;
		b_primitive_array_nodata(&b, ids[i], B_LONG, i);
	}
	b_object_array(&b, 0x80000, CLASS_ITEMS, n, ids);
	b_root_jni_global(&b, 0x80000, 1);
	graph_dump_end(&b);
	/*
	 * with one thread, the tree keeps the references; with two threads, it
	 * drops them
	 */
	for (unsigned threads = 1; threads < 3; threads++) {
		must(graph_dump_read(&r, &b, threads, HP_REACHABILITY_SOFT,
				     UINT64_MAX / 2, NULL) == HP_OK);
		must(r.tree.wide_kinds == (_i == 1));
		must(r.graph.nodes.count <= n + 4);
		for (uint32_t at = 1; at < r.tree.count; at++)
			bytes[((const uint32_t *)r.tree.nodes.at)[at]] =
				hp_tree_bytes_between(&r.tree, at, at + 1);
		for (uint32_t i = 1; i < n; i++)
			must(bytes[graph_dump_node(&r, ids[i])] ==
			     bytes[graph_dump_node(&r, ids[i - 1])] + 8);
		graph_dump_release(&r);
	}
	b_release(&b);
	free(bytes);
	free(ids);
}
END_TEST

/*
 * Test two classes, each of which is the superclass of the other. The fields of
 * their instances are unknown.
 */
START_TEST(class_cycle)
{
	struct b_class c = {.id = 0x2000, .super = 0x2010, .size = 4};
	struct graph_dump r;
	struct b b;

	graph_dump_begin(&b, 1);
	b_class(&b, &c);
	b_field(&b, b_intern(&b, "f"), B_OBJECT);
	b_class_end(&b);
	c.id = 0x2010;
	c.super = 0x2000;
	b_class(&b, &c);
	b_class_end(&b);
	b_instance_bytes(&b, ITEMS, 0x2000, "\0\0\x10\x10", 4);
	b_root_jni_global(&b, ITEMS, 1);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 1, HP_REACHABILITY_SOFT, UINT64_MAX / 2,
			     NULL) == HP_OK);
	/* this damaged dump would only be read with --partial */
	must(r.gather.damaged);
	must(r.graph.all.objects == 6);
	/* the item retains itself and both classes */
	must(retained_of(&r, ITEMS) == 3);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

START_TEST(class_is_object)
{
	struct b_class c = {.id = 0x2000, .super = CLASS_OBJECT};
	struct graph_dump r;
	struct b b;

	graph_dump_begin(&b, 0);
	b_class(&b, &c);
	b_class_end(&b);
	b_instance_bytes(&b, 0x2010, 0x2000, NULL, 0);
	c.id = 0x2010;
	b_class(&b, &c);
	b_class_end(&b);
	b_instance_bytes(&b, ITEMS, 0x2010, NULL, 0);
	b_root_jni_global(&b, ITEMS, 1);
	graph_dump_end(&b);
	must(graph_dump_read(&r, &b, 1, HP_REACHABILITY_SOFT, UINT64_MAX / 2,
			     NULL) == HP_OK);
	/*
	 * the item retains three objects: itself, its class (an object that
	 * also has a class dump), and the class of that class object
	 */
	must(retained_of(&r, ITEMS) == 3);
	must(r.tree.reachable.objects == 5);
	must(r.tree.unreachable.objects == 1);
	graph_dump_release(&r);
	b_release(&b);
}
END_TEST

Suite *test_graph_suite(void);

Suite *
test_graph_suite(void)
{
	Suite *s = suite_create("graph");
	TCase *t = tcase_create("graph"), *q = quick_case(s, 60);

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(q, brute_force, 0, 2);
	tcase_add_loop_test(t, brute_force, 2, PARTS);
	tcase_add_loop_test(q, million_deep, 0, 1);
	/*
	 * ThreadSanitizer is slow, so leave out some memory limits and numbers
	 * of threads.
	 */
	tcase_add_loop_test(t, million_deep, 1, HP_TSAN ? 4 : 6);
	tcase_add_loop_test(q, shortcuts, 0, 1);
	tcase_add_loop_test(t, shortcuts, HP_TSAN ? 2 : 1, HP_TSAN ? 4 : 6);
	tcase_add_loop_test(q, long_array, 0, 1);
	tcase_add_loop_test(t, long_array, 1, HP_TSAN ? 2 : 3);
	tcase_add_loop_test(q, many_locals, 0, 1);
	tcase_add_loop_test(t, many_locals, 1, 2);
	tcase_add_test(q, many_fields);
	tcase_add_test(q, class_cycle);
	tcase_add_test(q, sums_of_spans);
	tcase_add_loop_test(q, many_kinds, 0, 2);
	tcase_add_test(q, class_is_object);
	suite_add_tcase(s, t);
	return s;
}
