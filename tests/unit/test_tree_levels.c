/*
 * test_tree_levels.c - trees that are built level by level, compared with a
 * search that visits one item after the other
 */
#include "diff/leaks/tree_levels.h"
#include "tests/unit/must.h"

#include <stdlib.h>

enum { PLACES = 600, NAMES = 4, ROUNDS = 60, DEEPEST = 5 };

/* One item: its parent, its name, and a sum over its objects. */
struct item {
	uint32_t parent, number, name, members;
	uint64_t sum; /* of place * place, so that each object counts */
};

/* A random dominator tree whose objects have one of NAMES names each. */
struct heap {
	struct hp_tree tree;
	struct hp_big_memory memory;
	uint32_t objects[PLACES], names[PLACES], numbers[PLACES];
};

struct items {
	struct heap *h;
	struct hp_tree_levels levels;
	struct item list[PLACES + 1];
	uint32_t count, first;
	/*
	 * how many parts of levels were begun; those that were not kept had too
	 * many children
	 */
	unsigned begun, kept;
};

static uint32_t
draw(uint32_t *random, uint32_t below)
{
	*random = *random * 1664525 + 1013904223;
	return (*random >> 8) % below;
}

/* Each object has an earlier one as its parent; the others follow in order. */
static void
make_heap(struct heap *h, uint32_t seed)
{
	uint32_t random = seed, end[PLACES], depth = 0;

	*h = (struct heap){.tree = {.count = PLACES},
			   .memory = {.limit = UINT64_MAX}};
	must(hp_near_array_make(&h->memory, &h->tree.ends, PLACES, true,
				NULL) == HP_OK);
	end[0] = PLACES;
	h->objects[0] = PLACES;
	for (uint32_t p = 1; p < PLACES; p++) {
		while (p >= end[depth])
			depth--;
		/* half of all objects dominate nothing */
		h->objects[p] = draw(&random, 2)
					? 1
					: 1 + draw(&random, end[depth] - p);
		h->names[p] = draw(&random, NAMES);
		end[depth + 1] = p + h->objects[p];
		depth++;
	}
	for (uint32_t p = 0; p < PLACES; p++)
		must(hp_near_array_add(&h->memory, &h->tree.ends,
				       p + h->objects[p], NULL) == HP_OK);
}

static uint32_t
find_child(const struct items *s, uint32_t from, uint32_t parent, uint32_t name)
{
	for (uint32_t i = from; i < s->count; i++)
		if (s->list[i].parent == parent && s->list[i].name == name)
			return i;
	return 0;
}

static uint32_t
child_of(struct items *s, uint32_t parent, uint32_t place, bool numbered)
{
	uint32_t name = s->h->names[place];
	uint32_t i = find_child(s, s->first, parent, name);

	if (i == 0) {
		i = s->count++;
		s->list[i] = (struct item){.parent = parent, .name = name};
		if (numbered)
			s->list[i].number =
				hp_tree_levels_number(&s->levels, parent);
	}
	s->list[i].members++;
	s->list[i].sum += (uint64_t)place * place;
	return i;
}

static void
begin(void *ctx, uint32_t first, uint32_t end)
{
	struct items *s = ctx;

	(void)first;
	(void)end;
	s->first = s->count;
	s->begun++;
}

/*
 * An object with the name of the object above it belongs to the same item, so
 * it is visited later in the same level.
 */
static enum hp_status
expand(void *ctx, uint32_t item, uint32_t place)
{
	struct items *s = ctx;
	uint32_t end = place + s->h->objects[place];

	for (uint32_t p = place + 1; p < end; p += s->h->objects[p]) {
		if (place != 0 && s->h->names[p] == s->h->names[place])
			hp_tree_levels_add(&s->levels, &s->levels.level, p,
					   s->list[item].number);
		else
			hp_tree_levels_add(
				&s->levels, &s->levels.below, p,
				s->list[child_of(s, item, p, true)].number);
	}
	return HP_OK;
}

static int
by_parent_and_name(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->parent != y->parent ? hp_order(x->parent, y->parent)
				      : hp_order(x->name, y->name);
}

/* Keep the children that have an even number of objects, or more than 8. */
static void
keep_some(struct items *s, bool numbered)
{
	uint32_t kept = s->first;

	qsort(s->list + s->first, s->count - s->first, sizeof(*s->list),
	      by_parent_and_name);
	for (uint32_t i = s->first; i < s->count; i++) {
		if (s->list[i].members % 2 == 1 && s->list[i].members < 8)
			continue;
		if (numbered)
			hp_tree_levels_keep(&s->levels, s->list[i].number,
					    kept);
		s->list[kept++] = s->list[i];
	}
	s->count = kept;
}

static void
keep(void *ctx, uint32_t begin, uint32_t end, uint32_t first)
{
	struct items *s = ctx;

	(void)begin;
	(void)end;
	must(first == s->first);
	s->kept++;
	keep_some(s, true);
}

/* Add the children that @place, an object of @item, has to the list. */
static void
expand_simply(struct items *s, uint32_t item, uint32_t place)
{
	uint32_t end = place + s->h->objects[place];

	for (uint32_t p = place + 1; p < end; p += s->h->objects[p])
		if (place != 0 && s->h->names[p] == s->h->names[place])
			expand_simply(s, item, p);
		else
			child_of(s, item, p, false);
}

/*
 * Expand all objects of @item below the object @place of its ancestor @above.
 * The names on the way down to an object of the item are those of its
 * ancestors.
 */
static void
expand_below(struct items *s, const uint32_t *way, unsigned depth,
	     uint32_t place)
{
	uint32_t end = place + s->h->objects[place];

	if (depth == 0) {
		expand_simply(s, way[0], place);
		return;
	}
	for (uint32_t p = place + 1; p < end; p += s->h->objects[p])
		if (place != 0 && s->h->names[p] == s->h->names[place])
			expand_below(s, way, depth, p);
		else if (s->h->names[p] == s->list[way[depth - 1]].name)
			expand_below(s, way, depth - 1, p);
}

static void
build_simply(struct items *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t way[DEEPEST + 1] = {i};
		unsigned depth = 0;

		while (way[depth] != 0) {
			way[depth + 1] = s->list[way[depth]].parent;
			depth++;
		}
		if (depth == DEEPEST)
			break;
		s->first = s->count;
		expand_below(s, way, depth, 0);
		keep_some(s, false);
	}
}

static const struct hp_tree_levels_ops ops = {
	.begin = begin, .expand = expand, .keep = keep};

START_TEST(levels)
{
	struct heap *h = calloc(1, sizeof(*h));
	struct items *want = calloc(1, sizeof(*want));
	struct items *got = calloc(1, sizeof(*got));
	unsigned divided = 0, items = 0;

	must(h && want && got);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		make_heap(h, round);
		*want = (struct items){.h = h, .count = 1};
		build_simply(want);
		*got = (struct items){.h = h, .count = 1};
		/* 0: the default, which divides no level of so small a tree */
		got->levels = (struct hp_tree_levels){.tree = &h->tree,
						      .numbers = h->numbers,
						      .most = round % 4};
		must(hp_tree_levels_run(&got->levels, &got->count, DEEPEST,
					&ops, got, NULL) == HP_OK);
		ck_assert_uint_eq(got->count, want->count);
		for (uint32_t i = 1; i < want->count; i++) {
			must(got->list[i].parent == want->list[i].parent);
			must(got->list[i].name == want->list[i].name);
			must(got->list[i].members == want->list[i].members);
			must(got->list[i].sum == want->list[i].sum);
		}
		must(round % 4 != 0 || got->begun == got->kept);
		divided += got->begun > got->kept;
		items += got->count;
		hp_near_array_drop(&h->memory, &h->tree.ends);
	}
	ck_assert_uint_gt(divided, ROUNDS / 4);
	ck_assert_uint_gt(items, 10 * ROUNDS);
	free(h);
	free(want);
	free(got);
}
END_TEST

Suite *test_tree_levels_suite(void);

Suite *
test_tree_levels_suite(void)
{
	Suite *s = suite_create("tree_levels");
	TCase *t = tcase_create("tree_levels");

	tcase_add_test(t, levels);
	suite_add_tcase(s, t);
	return s;
}
