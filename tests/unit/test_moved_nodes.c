/*
 * test_moved_nodes.c - tests that the HTML report matches owners of two dumps
 * in the same way, whatever indexes the nodes and their names have
 */
#include "common/base/memory.h"
#include "diff/leaks/leaks.h"
#include "tests/unit/must.h"

#include <check.h>
#include <string.h>

enum { NODES = 16 };

/*
 * A node of one of the two trees. The class of its objects is @class; if the
 * name is another one, the node is named after a static field.
 */
struct node {
	unsigned dump; /* 0: the first, 1: the last */
	const char *above, *name, *class;
	uint64_t bytes;
};

static struct hp_dominator_view view;

static uint32_t
name(const char *text)
{
	const struct hp_row *row = hp_rows_put_word(&view.names, text);

	must(row);
	return (uint32_t)row->index;
}

/* Returns the index of the node with a name, also of the root, named "". */
static uint32_t
find(unsigned dump, const char *text)
{
	const struct hp_merged_tree *t = &view.trees[dump];
	uint32_t i = 1;

	if (*text == '\0')
		return 0;
	while (i < t->count && t->list[i].name != name(text))
		i++;
	must(i < t->count);
	return i;
}

static void
begin(void)
{
	hp_dominator_view_init(&view);
	for (unsigned dump = 0; dump < 2; dump++) {
		view.trees[dump].list =
			hp_calloc(NODES, sizeof(*view.trees[dump].list));
		view.classes[dump] =
			hp_calloc(NODES, sizeof(*view.classes[dump]));
		view.ids[dump] = hp_calloc(NODES, sizeof(*view.ids[dump]));
		must(view.trees[dump].list && view.classes[dump] &&
		     view.ids[dump]);
		view.trees[dump].count = 1;
		view.trees[dump].list[0] =
			(struct hp_merged_node){.sum = {.bytes = 10000}};
	}
}

/* Add a node. Its object has another id than all objects of the other dump. */
static void
add(const struct node *n)
{
	struct hp_merged_tree *t = &view.trees[n->dump];
	uint32_t i = t->count, above = find(n->dump, n->above);

	must(i < NODES);
	t->list[i] = (struct hp_merged_node){
		.name = name(n->name),
		.parent = above,
		.is_static = strcmp(n->name, n->class) != 0,
		.members = 1,
		.sum = {.objects = 1, .bytes = n->bytes}};
	view.classes[n->dump][i] = name(n->class);
	view.ids[n->dump][i] = n->dump * NODES + i + 1;
	t->count++;
}

/*
 * Build both trees from a list of nodes, and check where the node @from of the
 * first dump is in the last one. Each round has another order: the list begins
 * with the nodes of classes, @fixed of them; the other nodes are rotated, and
 * reversed in every second round.
 */
static void
check_move(const struct node *list, size_t n, size_t fixed, const char *from,
	   const char *to)
{
	size_t rest = n - fixed;

	for (size_t round = 0; round < 2 * rest; round++) {
		uint32_t *moved = NULL;
		struct hp_error err;

		begin();
		for (size_t i = 0; i < fixed; i++)
			add(&list[i]);
		for (size_t i = 0; i < rest; i++) {
			size_t at = round % 2 ? rest - 1 - i : i;

			add(&list[fixed + (at + round / 2) % rest]);
		}
		must(hp_moved_nodes_find(&view, &moved, &err) == HP_OK);
		ck_assert_msg(moved[find(0, from)] == find(1, to),
			      "round %zu: %s is not at %s, but at node %u",
			      round, from, to, moved[find(0, from)]);
		hp_free(moved);
		hp_dominator_view_release(&view);
	}
}

/*
 * Test that of several owners with equal classes and sizes those with equal
 * names are matched, when roots also refer to the objects in the last dump.
 */
START_TEST(test_equal_sizes)
{
	static const struct node list[] = {
		{0, "", "class A", "class A", 6000},
		{1, "", "class A", "class A", 100},
		{0, "class A", "A.one (static)", "List", 1000},
		{0, "class A", "A.three (static)", "List", 1000},
		{0, "class A", "A.two (static)", "List", 1000},
		{0, "class A", "A.map (static)", "Map", 1000},
		{1, "", "A.one (static)", "List", 1000},
		{1, "", "A.three (static)", "List", 1000},
		{1, "", "A.two (static)", "List", 1000},
		{1, "", "A.map (static)", "Map", 1000},
	};
	size_t n = sizeof(list) / sizeof(*list);

	check_move(list, n, 2, "A.one (static)", "A.one (static)");
	check_move(list, n, 2, "A.two (static)", "A.two (static)");
	check_move(list, n, 2, "A.three (static)", "A.three (static)");
	check_move(list, n, 2, "A.map (static)", "A.map (static)");
}
END_TEST

/*
 * Test that objects that their class owned join the list with the first name,
 * if several lists of the class have grown equally.
 */
START_TEST(test_equal_growth)
{
	static const struct node list[] = {
		{0, "", "class A", "class A", 3000},
		{1, "", "class A", "class A", 5000},
		{0, "class A", "Node", "Node", 500},
		{0, "class A", "A.first (static)", "Node", 100},
		{0, "class A", "A.other (static)", "Node", 100},
		{0, "class A", "A.small (static)", "Node", 100},
		{1, "class A", "A.first (static)", "Node", 1100},
		{1, "class A", "A.other (static)", "Node", 1100},
		{1, "class A", "A.small (static)", "Node", 900},
	};

	check_move(list, sizeof(list) / sizeof(*list), 2, "Node",
		   "A.first (static)");
}
END_TEST

Suite *test_moved_nodes_suite(void);

Suite *
test_moved_nodes_suite(void)
{
	Suite *suite = suite_create("moved_nodes");
	TCase *t = tcase_create("ties");

	tcase_add_test(t, test_equal_sizes);
	tcase_add_test(t, test_equal_growth);
	suite_add_tcase(suite, t);
	return suite;
}
