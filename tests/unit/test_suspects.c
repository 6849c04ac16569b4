/*
 * test_suspects.c - tests that the large objects of two dumps are matched, and
 * that leak suspects are chosen among them
 *
 * The tests make dominator trees directly, without a dump. For random trees, a
 * recursive function computes the expected suspects as the definition says. It
 * matches objects by their ids alone.
 */
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/leaks/object_tree.h"
#include "diff/result/known.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60, CLASSES = 5, TREES = 2000, LIMIT = 100 };

/*
 * An object of the model. Object 0 is the root of the tree; each other object
 * comes after its parent.
 */
struct object {
	int parent;
	/* an array element refers to the object, otherwise a field */
	bool is_element;
	/*
	 * the name of the object as a number; objects with the same parent may
	 * have the same name
	 */
	unsigned name;
	/* shallow size of the object in the first dump and in the last dump */
	uint64_t own[2];
	bool is_in[2];
};

struct model {
	struct object list[MOST];
	int n;
};

/*
 * The dominator trees of both dumps, and the other data that the search for
 * suspects needs.
 */
struct search {
	struct hp_object_names names;
	struct hp_object_tree trees[2];
	struct hp_object_match match;
	struct hp_choice choice;
};

static unsigned seed;

static unsigned
pick(unsigned below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

/* --- build the trees of the model ------------------------------------ */

static uint64_t
retained(const struct model *m, int object, int dump)
{
	uint64_t sum = m->list[object].own[dump];

	for (int i = object + 1; i < m->n; i++)
		if (m->list[i].parent == object && m->list[i].is_in[dump])
			sum += retained(m, i, dump);
	return sum;
}

static const struct model *sorted_model;
static int sorted_dump;
/*
 * Reverse the indexes of names, and the order of equally large objects with the
 * same parent and name.
 */
static bool reversed;
/* Some names are those of static fields that refer to linked lists. */
static bool with_statics;

static unsigned
index_of(unsigned name)
{
	return reversed ? 2 * MOST - 1 - name : name;
}

/*
 * A comparison function: sort the children of an object by name, then by size,
 * the largest first.
 */
static int
by_name_and_size(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	const struct object *of_x = &sorted_model->list[x];
	const struct object *of_y = &sorted_model->list[y];

	uint64_t size_x = retained(sorted_model, x, sorted_dump);
	uint64_t size_y = retained(sorted_model, y, sorted_dump);

	if (of_x->name != of_y->name)
		return hp_order(index_of(of_x->name), index_of(of_y->name));
	if (size_x != size_y)
		return hp_order(size_y, size_x);
	return reversed ? hp_order(y, x) : hp_order(x, y);
}

static void
add_items(struct hp_object_tree *t, const struct model *m, int dump)
{
	int order[MOST] = {0}, objects[MOST] = {0};

	t->list = hp_calloc(MOST, sizeof(*t->list));
	t->list[0].members = 1;
	t->list[0].sum.bytes = retained(m, 0, dump);
	t->count = 1;
	for (uint32_t at = 0; at < t->count; at++) {
		int n = 0;

		for (int i = 1; i < m->n; i++)
			if (m->list[i].parent == objects[at] &&
			    m->list[i].is_in[dump])
				order[n++] = i;
		sorted_model = m;
		sorted_dump = dump;
		qsort(order, (size_t)n, sizeof(*order), by_name_and_size);
		t->list[at].child = t->count;
		t->list[at].nchildren = (uint32_t)n;
		for (int k = 0; k < n; k++) {
			struct hp_object_item *i = &t->list[t->count];
			unsigned name = m->list[order[k]].name;
			bool is_static = with_statics && name % 4 == 3;

			*i = (struct hp_object_item){
				.name = index_of(name),
				.is_static = is_static,
				.is_list = is_static,
				.nodes = is_static,
				.parent = at,
				.depth = t->list[at].depth + 1,
				.is_single = true,
				.members = 1,
				.id = (uint64_t)order[k],
				.sum = {1, retained(m, order[k], dump)}};
			objects[t->count++] = order[k];
		}
	}
}

static void
add_names(struct hp_object_names *n)
{
	char text[16];

	hp_object_names_init(n);
	for (unsigned i = 0; i < 2 * MOST; i++) {
		unsigned name = index_of(i);
		/* static fields and other fields refer to the same class */
		unsigned class = with_statics ? name | 7 : name;
		const struct hp_row *row, *field;

		snprintf(text, sizeof(text), "F%u",
			 with_statics ? name & 7 : 1);
		field = hp_rows_put_word(&n->rows, text);
		snprintf(text, sizeof(text), "C%03u", class);
		row = hp_rows_put_word(&n->rows, text);
		must(row && field &&
		     HP_LIST_PUSH(
			     n->list, n->count, n->cap,
			     (struct hp_object_name){
				     name % 2 ? (uint32_t)field->index + 1 : 0,
				     (uint32_t)row->index}));
	}
}

static void
run(struct search *s, const struct model *m, bool stable)
{
	memset(s, 0, sizeof(*s));
	add_names(&s->names);
	for (int dump = 0; dump < 2; dump++) {
		add_items(&s->trees[dump], m, dump);
		for (int i = 1; i < m->n; i++) {
			uint32_t row = s->names.list[m->list[i].name].class_row;
			uint64_t *slot = hp_id_map_put(&s->trees[dump].counts,
						       row + 1, NULL);

			must(slot);
			*slot += m->list[i].is_in[dump];
		}
	}
	must(hp_object_match_find(&s->match, &s->trees[0], &s->trees[1],
				  &s->names, stable, LIMIT, NULL) == HP_OK);
	s->choice = (struct hp_choice){.m = &s->match,
				       .names = &s->names,
				       .limit = LIMIT,
				       .compared = true};
	must(hp_choice_make(&s->choice, NULL) == HP_OK);
}

static void
release(struct search *s)
{
	hp_choice_release(&s->choice);
	hp_object_match_release(&s->match);
	for (int dump = 0; dump < 2; dump++)
		hp_object_tree_release(&s->trees[dump]);
	hp_object_names_release(&s->names);
}

static bool
is_chosen(const struct search *s, int object)
{
	for (size_t i = 0; i < s->choice.count; i++)
		for (uint32_t k = 0; k < s->choice.list[i].count; k++) {
			uint32_t item =
				s->choice.items[s->choice.list[i].begin + k];

			if (s->trees[1].list[item].id == (uint64_t)object)
				return true;
		}
	return false;
}

/* --- random trees, compared with the definition ---------------------- */

static void
make_model(struct model *m)
{
	m->n = 2 + (int)pick(MOST - 2);
	memset(m->list, 0, sizeof(m->list));
	m->list[0].is_in[0] = m->list[0].is_in[1] = true;
	for (int i = 1; i < m->n; i++) {
		struct object *o = &m->list[i];

		o->parent = (int)pick((unsigned)i);
		/* Make the names of objects with the same parent different. */
		o->name = 2 * (unsigned)i + 1;
		o->own[0] = 1 + pick(50);
		o->own[1] = o->own[0] + (pick(4) == 0 ? pick(2000) : 0);
		o->is_in[1] = m->list[o->parent].is_in[1];
		o->is_in[0] = m->list[o->parent].is_in[0] && pick(8) != 0;
	}
}

static int64_t
growth(const struct model *m, int i)
{
	return (int64_t)retained(m, i, 1) -
	       (m->list[i].is_in[0] ? (int64_t)retained(m, i, 0) : 0);
}

static void
expect(const struct model *m, int object, bool chosen[MOST])
{
	int64_t all = growth(m, object), below = 0;

	for (int i = object + 1; i < m->n; i++)
		if (m->list[i].parent == object && m->list[i].is_in[1] &&
		    growth(m, i) >= LIMIT)
			below += growth(m, i);
	chosen[object] =
		object != 0 && (below < all / 10 * 3 ||
				(below / 7 < all / 10 && all - below >= LIMIT));
	if (object != 0 && below < all / 10 * 3)
		return;
	for (int i = object + 1; i < m->n; i++)
		if (m->list[i].parent == object && m->list[i].is_in[1] &&
		    growth(m, i) >= LIMIT)
			expect(m, i, chosen);
}

START_TEST(suspects_follow_from_the_definition)
{
	for (unsigned turn = 0; turn < TREES; turn++) {
		bool chosen[MOST] = {false};
		struct search s;
		struct model m;
		int n = 0;

		seed = turn + 1;
		make_model(&m);
		run(&s, &m, turn % 2 == 0);
		expect(&m, 0, chosen);
		for (int i = 0; i < m.n; i++)
			n += chosen[i];
		for (int i = 0; i < m.n && n <= HP_SUSPECTS_MOST; i++)
			ck_assert_msg(chosen[i] == is_chosen(&s, i),
				      "tree %u: object %d", turn, i);
		release(&s);
	}
}
END_TEST

/*
 * Test objects with the same name and the same parent. If ids are stable
 * between the dumps, objects with equal ids must be matched, whatever their
 * sizes.
 */
START_TEST(equal_ids_decide_among_siblings)
{
	for (unsigned turn = 0; turn < TREES; turn++) {
		struct search s;
		struct model m;

		seed = turn + 1;
		make_model(&m);
		for (int i = 1; i < m.n; i++)
			m.list[i].name = 2 * pick(CLASSES);
		run(&s, &m, true);
		for (uint32_t i = 1; i < s.trees[1].count; i++) {
			uint32_t to = s.match.to[i];
			uint64_t id = s.trees[1].list[i].id;

			ck_assert_msg(
				!m.list[id].is_in[0] ||
					(to && s.trees[0].list[to].id == id),
				"tree %u: object %lu", turn, (unsigned long)id);
		}
		release(&s);
	}
}
END_TEST

/* --- children of one object ------------------------------------------ */

static void
make_container(struct model *m, int n)
{
	memset(m, 0, sizeof(*m));
	m->n = n + 2;
	m->list[1].name = 1;
	for (int i = 0; i < m->n; i++) {
		m->list[i].is_in[0] = m->list[i].is_in[1] = true;
		m->list[i].parent = i > 1;
		m->list[i].own[0] = m->list[i].own[1] = i > 1 ? 1000 : 0;
		if (i > 1)
			m->list[i].name = 2;
	}
}

START_TEST(one_of_many_siblings)
{
	for (int stable = 0; stable < 2; stable++) {
		struct search s;
		struct model m;

		make_container(&m, 30);
		m.list[7].own[1] += 5000;
		/*
		 * object 9 also grows, so that object 7 has only 83 % of the
		 * growth
		 */
		m.list[9].own[1] += 1000;
		run(&s, &m, stable);
		must(s.choice.count == 1 && is_chosen(&s, 7) &&
		     s.choice.list[0].count == 1);
		release(&s);
	}
}
END_TEST

START_TEST(a_few_of_many_siblings)
{
	struct search s;
	struct model m;

	make_container(&m, 30);
	m.list[7].own[1] += 5000;
	m.list[9].own[1] += 4000;
	run(&s, &m, true);
	must(s.choice.count == 2 && is_chosen(&s, 7) && is_chosen(&s, 9) &&
	     s.choice.list[0].growth == 5000);
	release(&s);
}
END_TEST

START_TEST(all_siblings)
{
	struct search s;
	struct model m;

	make_container(&m, 30);
	for (int i = 2; i < m.n; i++)
		m.list[i].own[1] += 500;
	run(&s, &m, true);
	must(s.choice.count == 1 && s.choice.list[0].count == 30);
	release(&s);
}
END_TEST

START_TEST(new_siblings)
{
	struct search s;
	struct model m;

	make_container(&m, 30);
	for (int i = 10; i < m.n; i++)
		m.list[i].is_in[0] = false;
	run(&s, &m, true);
	must(s.choice.count == 1 && is_chosen(&s, 1));
	release(&s);
}
END_TEST

/*
 * Give the objects of a model the classes of a structure that a program
 * implements: object 1 has the class "Trie", all others "Trie$Node" or "Node".
 */
static void
name_nodes(struct search *s, const char *node)
{
	const char *const names[] = {"Trie", node};
	uint32_t rows[2];

	for (int i = 0; i < 2; i++) {
		const struct hp_row *row =
			hp_rows_put_word(&s->names.rows, names[i]);

		must(row);
		rows[i] = (uint32_t)row->index;
	}
	s->names.list[1].class_row = rows[0];
	s->names.list[2].class_row = s->names.list[3].class_row = rows[1];
}

/*
 * Return the id of the chosen object, or -1 if not exactly one object is
 * chosen. @node: the name of the class of the nodes.
 */
static int
only_one(const struct model *m, const char *node)
{
	struct search s;
	int id = -1;

	run(&s, m, true);
	hp_choice_release(&s.choice);
	name_nodes(&s, node);
	s.choice = (struct hp_choice){.m = &s.match,
				      .names = &s.names,
				      .limit = LIMIT,
				      .compared = true};
	must(hp_choice_make(&s.choice, NULL) == HP_OK);
	if (s.choice.count == 1 && s.choice.list[0].count == 1)
		id = (int)s.trees[1]
			     .list[s.choice.items[s.choice.list[0].begin]]
			     .id;
	release(&s);
	return id;
}

/*
 * Object 1 refers to the first node of a tree, object 2, by a field. The growth
 * is in the nodes below. The suspect is object 1, also if the class of the
 * nodes is not nested in its class, but not if object 1 retains much else.
 */
START_TEST(nodes_of_a_tree)
{
	struct model m;

	make_container(&m, 31);
	m.list[2].name = 3;
	m.list[2].parent = 1;
	for (int i = 3; i < m.n; i++) {
		m.list[i].parent = 2;
		m.list[i].own[1] += 500;
	}
	ck_assert_int_eq(only_one(&m, "Trie$Node"), 1);
	ck_assert_int_eq(only_one(&m, "Node"), 1);
	m.list[1].own[0] = m.list[1].own[1] = 100000;
	ck_assert_int_eq(only_one(&m, "Trie$Node"), 1);
	ck_assert_int_eq(only_one(&m, "Node"), -1);
}
END_TEST

/*
 * Object 1 has three parts that grow equally. They are its internal parts if
 * their class is nested in its class.
 */
START_TEST(segments_of_a_map)
{
	struct model m;

	make_container(&m, 3);
	for (int i = 2; i < m.n; i++)
		m.list[i].own[1] += 500;
	ck_assert_int_eq(only_one(&m, "Trie$Node"), 1);
	ck_assert_int_eq(only_one(&m, "Node"), -1);
	/* only one of them grows: it is the suspect */
	m.list[2].own[1] = m.list[3].own[1] = 1000;
	ck_assert_int_eq(only_one(&m, "Trie$Node"), 4);
}
END_TEST

/*
 * Test an object that moves: another object retains it in the last dump. This
 * is not growth.
 */
START_TEST(moved_objects)
{
	struct search s;
	struct model m, before;

	make_container(&m, 4);
	m.list[1].own[0] = m.list[1].own[1] = 10;
	before = m;
	/* in the first dump, the root retained the object */
	before.list[3].parent = 0;
	memset(&s, 0, sizeof(s));
	add_names(&s.names);
	add_items(&s.trees[0], &before, 0);
	add_items(&s.trees[1], &m, 1);
	must(hp_object_match_find(&s.match, &s.trees[0], &s.trees[1], &s.names,
				  true, LIMIT, NULL) == HP_OK);
	must(hp_object_growth(&s.match, 1) == 0);
	release(&s);
}
END_TEST

/*
 * Paths of several leaks. The number `leak` identifies the leak. Paths of the
 * same leak come from runs with different JDKs and collections, and must have
 * equal fingerprints. Paths of different leaks must have different
 * fingerprints.
 */
START_TEST(fingerprints_of_paths)
{
	static const struct {
		int leak;
		const char *path, *element;
	} list[] = {
		{1, "Shop.BUS (static) → EventBus.list → java.util.ArrayList",
		 "Cart"},
		{1, "Shop.BUS (static) → EventBus.list → java.util.LinkedList",
		 NULL},
		{1,
		 "java.lang.ClassLoader.scl (static) → "
		 "sun.misc.Launcher$AppClassLoader.classes → "
		 "java.util.Vector[*] → class Shop.BUS → EventBus.list → "
		 "java.util.ArrayList",
		 NULL},
		{1, "thread \"main\" Shop.BUS → EventBus.list → int[]", NULL},
		{2, "Shop.BUS (static) → EventBus.other → java.util.ArrayList",
		 "Cart"},
		{3, "Shop.BUS (static) → EventBus", NULL},
		/*
		 * these paths have no step in a class of the application, so
		 * all steps of a path count
		 */
		{4,
		 "thread \"worker-3\" java.lang.Thread.threadLocals → "
		 "java.lang.ThreadLocal$ThreadLocalMap[*] → byte[]",
		 NULL},
		{4,
		 "thread \"worker-17\" java.lang.Thread.threadLocals → "
		 "java.lang.ThreadLocal$ThreadLocalMap[*] → byte[]",
		 NULL},
		{5,
		 "thread \"other-3\" java.lang.Thread.threadLocals → "
		 "java.lang.ThreadLocal$ThreadLocalMap[*] → byte[]",
		 NULL},
		{6, "java.lang.ref.Finalizer.queue (static) → a", "com.A"},
		{7,
		 "java.lang.ref.Finalizer.unfinalized (static) → java.lang.A",
		 "com.A"},
		{8,
		 "java.lang.ref.Finalizer.unfinalized (static) → java.lang.A",
		 "com.B"},
		{9, "", NULL},
	};
	struct hp_fingerprint a, b;

	for (size_t i = 0; i < HP_ARRAY_LEN(list); i++)
		for (size_t k = 0; k < HP_ARRAY_LEN(list); k++) {
			must(hp_fingerprint_path(&a, list[i].path,
						 list[i].element,
						 NULL) == HP_OK);
			must(hp_fingerprint_path(&b, list[k].path,
						 list[k].element,
						 NULL) == HP_OK);
			ck_assert_msg((strcmp(a.text, b.text) == 0) ==
					      (list[i].leak == list[k].leak),
				      "%zu %zu: %s %s", i, k, a.text, b.text);
		}
	must(hp_fingerprint_end(&a, list[0].path, NULL) == HP_OK);
	must(hp_fingerprint_end(&b, "A.x (static) → EventBus.list → int[]",
				NULL) == HP_OK);
	ck_assert_str_eq(a.text, b.text);
}
END_TEST

static struct hp_object_item
item(unsigned name, uint32_t child, uint32_t children, uint32_t nodes,
     uint64_t bytes)
{
	return (struct hp_object_item){.name = name,
				       .child = child,
				       .nchildren = children,
				       .parent = child > 1 ? 0 : 1,
				       .is_single = true,
				       .is_list = nodes > 0,
				       .members = 1,
				       .nodes = nodes,
				       .sum = {1 + nodes, bytes}};
}

/*
 * A list of nodes begins in a static field. In the first dump, the field does
 * not retain ten of the nodes, because a reference from elsewhere leads to
 * them. In the last dump, the field retains all nodes, and its growth must not
 * include the ten nodes. But they count as growth if @is_static is true:
 * another static field retained them in the first dump.
 */
static void
grow_list(bool is_static)
{
	struct search s = {0};
	struct hp_object_item first[] = {
		item(0, 1, 1, 0, 1300), item(1, 2, 2, 0, 1250),
		item(3, 0, 0, 0, 100), item(5, 0, 0, 9, 1000)};
	struct hp_object_item last[] = {item(0, 1, 1, 0, 3300),
					item(1, 2, 1, 0, 3250),
					item(3, 0, 0, 29, 3000)};

	first[2].is_static = last[2].is_static = true;
	first[3].is_static = is_static;
	add_names(&s.names);
	s.names.list[5].class_row = s.names.list[3].class_row;
	s.trees[0].list = first;
	s.trees[0].count = 4;
	s.trees[1].list = last;
	s.trees[1].count = 3;
	must(hp_object_match_find(&s.match, &s.trees[0], &s.trees[1], &s.names,
				  false, LIMIT, NULL) == HP_OK);
	must(s.match.joined[2] == (is_static ? 0 : 10));
	must(hp_object_growth(&s.match, 2) == (is_static ? 2900 : 1900));
	hp_object_match_release(&s.match);
	hp_object_names_release(&s.names);
}

START_TEST(nodes_join_a_list)
{
	grow_list(false);
	grow_list(true);
}
END_TEST

/*
 * Make a tree in which many objects have the same name and size, so that there
 * are several ways to match the objects of both dumps.
 */
static void
make_alike(struct model *m)
{
	m->n = MOST;
	memset(m->list, 0, sizeof(m->list));
	m->list[0].is_in[0] = m->list[0].is_in[1] = true;
	for (int i = 1; i < m->n; i++) {
		struct object *o = &m->list[i];
		unsigned above = (unsigned)(i < 10 ? i : 10);

		o->parent = (int)pick(above);
		o->name = 2 * pick(4) + 1;
		for (int dump = 0; dump < 2; dump++) {
			o->own[dump] = 60 + 60 * pick(2);
			o->is_in[dump] =
				m->list[o->parent].is_in[dump] && pick(4) != 0;
		}
	}
}

/* What is found out about an object of the last dump. */
struct found {
	uint64_t to; /* the id of the object of the first dump; 0: none */
	int64_t growth;
	uint64_t joined;
	bool is_guess;
};

static void
find_all(const struct model *m, bool stable, struct found found[MOST])
{
	struct search s;

	memset(found, 0, MOST * sizeof(*found));
	run(&s, m, stable);
	for (uint32_t i = 1; i < s.trees[1].count; i++)
		found[s.trees[1].list[i].id] =
			(struct found){s.trees[0].list[s.match.to[i]].id,
				       hp_object_growth(&s.match, i),
				       s.match.joined[i], s.match.is_guess[i]};
	release(&s);
}

/* Equal dumps have equal results, however names and objects are numbered. */
START_TEST(numbers_do_not_matter)
{
	unsigned guesses = 0, joined = 0;

	with_statics = true;
	for (unsigned turn = 0; turn < TREES; turn++) {
		struct found one[MOST], other[MOST];
		struct model m;

		seed = turn + 1;
		make_alike(&m);
		find_all(&m, turn % 2 == 0, one);
		reversed = true;
		find_all(&m, turn % 2 == 0, other);
		reversed = false;
		for (int i = 1; i < m.n; i++) {
			ck_assert_msg(
				one[i].to == other[i].to &&
					one[i].growth == other[i].growth &&
					one[i].joined == other[i].joined &&
					one[i].is_guess == other[i].is_guess,
				"turn %u, object %d", turn, i);
			guesses += one[i].is_guess;
			joined += one[i].joined > 0;
		}
	}
	with_statics = false;
	/* the trees have what the test is about */
	ck_assert_uint_gt(guesses, TREES / 4);
	ck_assert_uint_gt(joined, 10);
}
END_TEST

Suite *test_suspects_suite(void);

Suite *
test_suspects_suite(void)
{
	Suite *s = suite_create("suspects");
	TCase *t = tcase_create("suspects");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, suspects_follow_from_the_definition);
	tcase_add_test(t, equal_ids_decide_among_siblings);
	tcase_add_test(t, numbers_do_not_matter);
	tcase_add_test(t, one_of_many_siblings);
	tcase_add_test(t, a_few_of_many_siblings);
	tcase_add_test(t, fingerprints_of_paths);
	tcase_add_test(t, all_siblings);
	tcase_add_test(t, new_siblings);
	tcase_add_test(t, moved_objects);
	tcase_add_test(t, nodes_of_a_tree);
	tcase_add_test(t, segments_of_a_map);
	tcase_add_test(t, nodes_join_a_list);
	suite_add_tcase(s, t);
	return s;
}
