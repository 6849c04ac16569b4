/*
 * What marked objects lead to: random references, followed by one thread and
 * by several, against a reader of its own.
 */
#include "tests/unit/must.h"
#include "validate/references/graph_reach.h"

#include <check.h>
#include <stdlib.h>

enum { OBJECTS = 100000, MOST = 4, ROOTS = 16 };

struct world {
	uint32_t to[OBJECTS][MOST];
	unsigned n[OBJECTS];
	uint32_t class_of[OBJECTS];
	bool reached[OBJECTS];
};

static uint32_t
class_of(const void *ctx, uint32_t object)
{
	return ((const struct world *)ctx)->class_of[object];
}

/* Some objects lead nowhere, so that many are not reached. */
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
		w->class_of[i] =
			x >> 59 ? HP_NO_OBJECT : OBJECTS / 2 + i % 1000;
	}
}

static uint32_t
reach_slowly(struct world *w)
{
	uint32_t *list = calloc(OBJECTS, sizeof(*list)), n;

	must(list);
	for (n = 0; n < ROOTS; n++) {
		w->reached[n] = true;
		list[n] = n;
	}
	for (uint32_t at = 0; at < n; at++) {
		uint32_t object = list[at], to = w->class_of[object];

		for (unsigned k = 0; k <= w->n[object]; k++) {
			if (to != HP_NO_OBJECT && !w->reached[to]) {
				w->reached[to] = true;
				list[n++] = to;
			}
			if (k < w->n[object])
				to = w->to[object][k];
		}
	}
	free(list);
	return n;
}

START_TEST(random_references)
{
	struct world *w = calloc(1, sizeof(*w));
	struct hp_arena arena = {0};
	struct hp_reach g;
	uint32_t n;

	must(w && hp_reach_init(&g, OBJECTS, NULL) == HP_OK);
	fill(w, (unsigned)_i);
	n = reach_slowly(w);
	must(n > OBJECTS / 4 && n < OBJECTS);
	for (uint32_t i = 0; i < OBJECTS; i++)
		must(hp_reach_add(&g, &arena, i, w->to[i], w->n[i]));
	for (uint32_t i = 0; i < ROOTS; i++)
		hp_reach_mark(&g, i);
	must(hp_reach_follow(&g, class_of, w, 1 + (unsigned)_i % 4, NULL) ==
	     HP_OK);
	must(g.nreached == n);
	for (uint32_t i = 0; i < OBJECTS; i++)
		must(hp_reach_is_reached(&g, i) == w->reached[i]);
	hp_reach_release(&g);
	hp_arena_release(&arena);
	free(w);
}
END_TEST

Suite *test_reach_suite(void);

Suite *
test_reach_suite(void)
{
	Suite *s = suite_create("reach");
	TCase *t = tcase_create("reach");

	tcase_add_loop_test(t, random_references, 0, 8);
	suite_add_tcase(s, t);
	return s;
}
