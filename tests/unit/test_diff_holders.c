/*
 * test_diff_holders.c - what --by=holder counts with: sets of objects, and the
 * passes that fill them
 */
#include "diff/leaks/holder_pass.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

/* Kind 0 has few references, kind 1 has many. */
static uint64_t
most(const void *context, uint32_t kind)
{
	(void)context;
	return kind == 0 ? 20 : 5000;
}

START_TEST(sets)
{
	enum { NODES = 4000 };
	static const uint32_t want[] = {0, 31, 32, 1999, 3998, 3999};
	struct hp_edge_sets s;

	ck_assert_uint_lt(hp_edge_sets_bytes(NODES, 20),
			  hp_edge_sets_bytes(NODES, 5000));
	ck_assert_int_eq(hp_edge_sets_begin(&s, NODES, 0, 2, most, NULL, NULL),
			 HP_OK);
	ck_assert_uint_ne(s.list[0].cap, 0);
	ck_assert_uint_eq(s.list[1].cap, 0);
	for (uint32_t kind = 0; kind < 2; kind++) {
		bool seen[NODES] = {false};
		size_t n = 0;
		uint32_t nodes[HP_EDGE_SET_NODES], more;
		uint64_t at = 0;

		for (unsigned twice = 0; twice < 2; twice++)
			for (size_t i = 0; i < HP_ARRAY_LEN(want); i++)
				ck_assert_int_eq(
					hp_edge_set_add(&s, kind, want[i]),
					twice == 0);
		while ((more = hp_edge_set_next(&s, kind, &at, nodes)) > 0) {
			ck_assert_uint_le(more, HP_EDGE_SET_NODES);
			for (uint32_t i = 0; i < more; i++) {
				ck_assert_uint_lt(nodes[i], NODES);
				ck_assert(!seen[nodes[i]]);
				seen[nodes[i]] = true;
			}
			n += more;
		}
		ck_assert_uint_eq(n, HP_ARRAY_LEN(want));
		for (size_t i = 0; i < n; i++)
			ck_assert(seen[want[i]]);
	}
	/* more than there can be, as if the file had changed: no harm */
	for (uint32_t i = 0; i < NODES; i++)
		(void)hp_edge_set_add(&s, 0, i);
	hp_edge_sets_release(&s);
}
END_TEST

static uint64_t
set_size(const struct hp_edge_sets *s, uint32_t kind)
{
	uint32_t nodes[HP_EDGE_SET_NODES], more;
	uint64_t at = 0, n = 0;

	while ((more = hp_edge_set_next(s, kind, &at, nodes)) > 0)
		n += more;
	return n;
}

struct counted {
	uint64_t objects, again;
	unsigned passes;
};

/* All references of a dump's fields and arrays, @tight: with memory for
 * nearly all of the sets. */
static struct counted
count(struct hp_histogram *g, struct hp_source *src, bool tight)
{
	struct hp_budget *budget = g->options->budget;
	const struct hp_diff_options o = {0};
	const struct hp_size_model layout = {.reference = 8,
					     .header = 16,
					     .array_header = 24,
					     .alignment = 8};
	struct hp_keys keys = {.g = g, .o = &o};
	struct hp_holder_pass p = {.g = g, .o = &o, .layout = &layout};
	struct counted all = {0};
	uint64_t bytes = 0, id, value;
	enum hp_status st;

	budget->limit = 0;
	ck_assert_int_eq(hp_holder_pass_begin(&p, &keys, src, NULL), HP_OK);
	for (uint32_t i = 0; i < p.nsets; i++)
		bytes +=
			hp_edge_sets_bytes(p.nodes.count, p.edges.list[i].most);
	for (;;) {
		size_t at = 0;

		/* three quarters of it are for the sets: not for the last one
		 */
		budget->limit = tight ? budget->held + bytes / 3 * 4 - 20 : 0;
		st = hp_holder_pass_next(&p, src, NULL);
		if (st != HP_OK)
			break;
		all.passes++;
		for (uint32_t i = p.sets.from; i < p.sets.end; i++)
			all.objects += set_size(&p.sets, i);
		while (hp_id_map_next(&p.again, &at, &id, &value))
			all.again += value;
	}
	ck_assert_int_eq(st, HP_EOF);
	budget->limit = 0;
	hp_holder_pass_release(&p);
	hp_keys_release(&keys);
	ck_assert_uint_eq(budget->held, g->noted_tables + g->noted_classes +
						g->noted_tallies +
						g->workers[0]->noted);
	return all;
}

/* What does not fit takes more passes, and comes out the same. */
START_TEST(more_passes)
{
	char path[] = "/tmp/hprof-test-XXXXXX";
	const struct b_fixture *f = b_fixture_find("many-objects");
	struct hp_budget budget = {0};
	const struct hp_histogram_options options = {.threads = 1,
						     .budget = &budget};
	int fd = mkstemp(path);
	struct hp_source *src = NULL;
	struct hp_histogram g;
	struct counted one, more;
	struct b b;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fd, 0);
	b_fixture_build(f, &b, b_fixture_id_size(f));
	ck_assert_int_eq(b_write_fd(&b, fd), 0);
	b_release(&b);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(
		hp_source_open(&src, path,
			       &(struct hp_source_options){.again = true},
			       NULL),
		HP_OK);
	ck_assert_int_eq(hp_histogram_run(&g, src, &options, NULL), HP_OK);
	one = count(&g, src, false);
	ck_assert_uint_eq(one.passes, 1);
	ck_assert_uint_gt(one.objects, 10);
	more = count(&g, src, true);
	ck_assert_uint_gt(more.passes, 1);
	ck_assert_uint_eq(more.objects, one.objects);
	ck_assert_uint_eq(more.again, one.again);
	hp_histogram_release(&g);
	hp_source_close(src);
	unlink(path);
}
END_TEST

Suite *test_diff_holders_suite(void);

Suite *
test_diff_holders_suite(void)
{
	Suite *s = suite_create("diff holders");
	TCase *t = tcase_create("diff holders");

	tcase_add_test(t, sets);
	tcase_add_test(t, more_passes);
	suite_add_tcase(s, t);
	return s;
}
