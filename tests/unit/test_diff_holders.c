/*
 * test_diff_holders.c - tests of the counters for --by=holder: how many
 * references refer to each object
 */
#include "common/base/memory.h"
#include "diff/holders/internal.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A callback that returns how many references the objects of kind @kind can
 * have at most: few for kind 0, many for kind 1.
 */
static uint64_t
most(const void *context, uint32_t kind)
{
	return kind == 0 ? 20 : 5000;
}

/*
 * Returns the difference between the number of the object @node and the
 * position of its counter. The difference is constant in a range of objects (a
 * stretch).
 */
static uint32_t
gap_of(const struct hp_edge_stretches *s, uint32_t node)
{
	uint32_t i = s->count - 1;

	while (s->list[i].first > node)
		i--;
	return s->list[i].gap;
}

static bool
add_reference(struct hp_edge_counts *c, uint32_t kind, uint32_t node)
{
	uint32_t gap = gap_of(c->stretches, node);

	return hp_edge_count_add(c, kind, node, gap,
				 hp_edge_count_fetch(c, kind, node, gap));
}

START_TEST(counts)
{
	enum { NODES = 4000 };
	static const struct {
		uint32_t node, times;
	} want[] = {{0, 1},  {6, 14},	{7, 15},      {8, 16},
		    {17, 3}, {1999, 2}, {3998, 1000}, {3999, 3}};
	/*
	 * the first object of each range; two ranges are empty, and one begins
	 * in the middle of a machine word that contains several counters
	 */
	static const uint32_t firsts[] = {0, 7, 7, 8, 1999, 3999, NODES};
	struct hp_edge_stretches s = {0};
	struct hp_edge_counts c;

	for (size_t i = 0; i < HP_ARRAY_LEN(firsts); i++)
		hp_edge_stretches_add(
			&s, firsts[i],
			i + 1 < HP_ARRAY_LEN(firsts) ? firsts[i + 1] : NODES);
	ck_assert_uint_lt(hp_edge_counts_bytes(&s, 20),
			  hp_edge_counts_bytes(&s, 5000));
	ck_assert_int_eq(hp_edge_counts_begin(&c, &s, 0, 2, most, NULL, NULL),
			 HP_OK);
	ck_assert_ptr_ne(hp_edge_count_fetch(&c, 1, 7, gap_of(&s, 7)),
			 hp_edge_count_fetch(&c, 1, 8, gap_of(&s, 8)));
	ck_assert_uint_ne(c.list[0].cap, 0);
	ck_assert_uint_eq(c.list[1].cap, 0);
	for (uint32_t kind = 0; kind < 2; kind++) {
		uint64_t times[NODES] = {0};
		struct hp_edge_walk walk = {0};
		size_t n = 0;
		uint32_t nodes[HP_EDGE_COUNT_NODES];
		uint32_t some[HP_EDGE_COUNT_NODES], more;

		for (size_t i = 0; i < HP_ARRAY_LEN(want); i++)
			for (uint32_t k = 0; k < want[i].times; k++)
				if (add_reference(&c, kind, want[i].node))
					times[want[i].node] += HP_EDGE_CARRY;
		while ((more = hp_edge_count_next(&c, kind, &walk, nodes,
						  some)) > 0) {
			ck_assert_uint_le(more, HP_EDGE_COUNT_NODES);
			for (uint32_t i = 0; i < more; i++) {
				ck_assert_uint_lt(nodes[i], NODES);
				ck_assert_uint_gt(some[i], 0);
				times[nodes[i]] += some[i];
			}
			n += more;
		}
		ck_assert_uint_eq(n, HP_ARRAY_LEN(want));
		for (size_t i = 0; i < n; i++)
			ck_assert_uint_eq(times[want[i].node], want[i].times);
	}
	/*
	 * count more references than the first pass counted, as if the file had
	 * changed: the additional references must do no harm
	 */
	for (uint32_t i = 0; i < NODES; i++)
		(void)add_reference(&c, 0, i);
	hp_edge_counts_release(&c);
}
END_TEST

struct counted {
	uint64_t objects, references;
	unsigned passes;
};

/*
 * Count all references in fields and arrays of a dump. If @tight is true, the
 * memory limit is a little less than all counters need.
 */
static struct counted
count(struct hp_histogram *g, struct hp_source *src, bool tight)
{
	const struct hp_diff_options o = {0};
	const struct hp_size_model layout = {.reference = 8,
					     .header = 16,
					     .array_header = 24,
					     .alignment = 8};
	struct hp_keys keys = {.g = g, .o = &o};
	struct hp_holder_pass p = {.g = g, .o = &o, .layout = &layout};
	struct counted all = {0};
	uint64_t bytes = 0, used = hp_memory_now()->used;
	enum hp_status st;

	ck_assert_int_eq(hp_holder_pass_begin(&p, &keys, src, NULL), HP_OK);
	for (uint32_t i = 0; i < p.ncounts; i++)
		bytes += hp_edge_counts_bytes(&p.stretches,
					      p.edges.list[i].most);
	p.most = tight ? bytes - 20 : 0;
	for (;;) {
		const struct hp_holder_count *list;

		st = hp_holder_pass_next(&p, src, NULL);
		if (st != HP_OK)
			break;
		all.passes++;
		list = p.counts.items;
		for (size_t i = 0; i < p.counts.count; i++) {
			all.objects += list[i].objects;
			all.references += list[i].references;
		}
	}
	ck_assert_int_eq(st, HP_EOF);
	hp_holder_pass_release(&p);
	hp_keys_release(&keys);
	ck_assert_uint_eq(hp_memory_now()->used, used);
	return all;
}

/* A dump that is read as a source, and the counters of its references. */
struct counted_dump {
	char path[32];
	struct hp_source *src;
	struct hp_histogram_options options;
	struct hp_histogram g;
};

static void
open_dump(struct counted_dump *d, struct b *b, unsigned threads)
{
	int fd;

	*d = (struct counted_dump){.path = "/tmp/hprof-test-XXXXXX"};
	d->options = (struct hp_histogram_options){.threads = threads};
	fd = mkstemp(d->path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(b_write_fd(b, fd), 0);
	b_release(b);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(
		hp_source_open(&d->src, d->path,
			       &(struct hp_source_options){.again = true},
			       NULL),
		HP_OK);
	ck_assert_int_eq(hp_histogram_run(&d->g, d->src, &d->options, NULL),
			 HP_OK);
}

static void
close_dump(struct counted_dump *d)
{
	hp_histogram_release(&d->g);
	hp_source_close(d->src);
	unlink(d->path);
}

START_TEST(more_passes)
{
	const struct b_fixture *f = b_fixture_find("many-objects");
	struct counted_dump d;
	struct counted one, more;
	struct b b;

	ck_assert_ptr_nonnull(f);
	b_fixture_build(f, &b, b_fixture_id_size(f));
	open_dump(&d, &b, 1);
	one = count(&d.g, d.src, false);
	ck_assert_uint_eq(one.passes, 1);
	ck_assert_uint_gt(one.objects, 10);
	more = count(&d.g, d.src, true);
	ck_assert_uint_gt(more.passes, 1);
	ck_assert_uint_eq(more.objects, one.objects);
	ck_assert_uint_eq(more.references, one.references);
	close_dump(&d);
}
END_TEST

/*
 * Write a dump in which one array and @times other objects refer to one object,
 * and count these references.
 */
static struct counted
held_often(unsigned times, unsigned threads)
{
	enum { MOST = 4096 };
	static uint64_t elements[MOST];
	struct counted_dump d;
	struct counted all;
	uint64_t order;
	struct b b;

	ck_assert_uint_le(times, MOST);
	b_init(&b, 8);
	order = b_object_id(&b, B_O_FREE);
	b_world_tables(&b, B_HOTSPOT);
	b_world_heap(&b);
	b_instance_zero(&b, order, b_class_id(&b, B_C_ORDER));
	for (unsigned i = 0; i < times; i++)
		elements[i] = order;
	b_object_array(&b, order + 0x1000, b_class_id(&b, B_C_ORDERS), times,
		       elements);
	for (unsigned i = 0; i < times; i++)
		b_object_array(&b, order + 0x10000 + 0x20 * i,
			       b_class_id(&b, B_C_ORDERS), 1, elements);
	b_world_end(&b);
	open_dump(&d, &b, threads);
	all = count(&d.g, d.src, false);
	close_dump(&d);
	return all;
}

/*
 * Test numbers of references at which a counter of one byte overflows.
 * References that several threads count must not be lost.
 */
START_TEST(many_references)
{
	struct counted few = held_often(100, 1);

	for (unsigned threads = 1; threads <= 3; threads++) {
		struct counted many = held_often(4000, threads);

		ck_assert_uint_eq(many.objects, few.objects);
		ck_assert_uint_eq(many.references, few.references + 2 * 3900);
	}
}
END_TEST

Suite *test_diff_holders_suite(void);

Suite *
test_diff_holders_suite(void)
{
	Suite *s = suite_create("diff holders");
	TCase *t = tcase_create("diff holders");

	tcase_add_test(t, counts);
	tcase_add_test(t, more_passes);
	tcase_add_test(t, many_references);
	suite_add_tcase(s, t);
	return s;
}
