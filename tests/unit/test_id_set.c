/*
 * test_id_set.c - compare sets of object ids with sorted lists
 *
 * The tests check which ids are defined, referred to, missing, or defined
 * twice. They also check ranks (the index of an id among all ids in sorted
 * order) and buckets (ids grouped by range). The ids of a test are dense,
 * scattered, with gaps, or unaligned. If a range of ids has many ids, the set
 * stores them in a bit set, called a leaf. It stores all other ids in a hash
 * table.
 */
#include "common/format/cursor.h"
#include "common/object_ids/id_ranks.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { IDS = 40000, WORKERS = 3 };

/*
 * How the ids of a test are distributed: where each cluster of ids begins, how
 * many clusters there are, and how many bytes a cluster spans.
 */
static const struct layout {
	uint64_t places[4];
	unsigned clusters, step, shift;
	uint64_t reach;
} layouts[] = {
	/*
	 * one cluster of ids, as in a heap that is one range of addresses; in
	 * the first case so small that one bit set suffices
	 */
	{{0xa0000000}, 1, 8, 3, 4 << 20},
	{{0xa0000000}, 1, 8, 3, 900 << 20},
	/*
	 * three clusters with gaps between them, as of a young generation, an
	 * old generation and an archive
	 */
	{{0xa0000000, 0xc0000000, 0xffe00000}, 3, 8, 3, 30 << 20},
	/*
	 * clusters that are so far apart that their bit sets cannot be in one
	 * array
	 */
	{{0xa0000000, 0x7f0000000000, 0x200010000000}, 3, 8, 3, 20 << 20},
	/*
	 * ids that begin right after the id 0, so that the first bit set also
	 * contains the bit for 0 (null)
	 */
	{{8}, 1, 8, 3, 5 << 20},
	{{8}, 1, 8, 3, 40 << 20},
	{{1}, 1, 1, 0, 3 << 20},
	/* the largest possible ids */
	{{0xfffffffffe000000, 0xa0000000}, 2, 8, 3, 20 << 20},
	/* half of the ids are not aligned */
	{{0xa0000000, 0xb0000000}, 2, 4, 3, 30 << 20},
};

static uint64_t
mixed(uint64_t *state)
{
	uint64_t x = (*state += UINT64_C(0x9E3779B97F4A7C15));

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

static uint64_t
id_of(const struct layout *l, uint64_t *state)
{
	uint64_t r = mixed(state);

	return l->places[r % l->clusters] +
	       (r >> 8) % (l->reach / l->step) * l->step;
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool
among(const uint64_t *ids, size_t n, uint64_t id)
{
	return bsearch(&id, ids, n, sizeof(*ids), compare) != NULL;
}

/*
 * Add random ids, and references to random ids, as several threads would do.
 * Also store the ids in sorted lists.
 */
static void
fill(struct hp_id_sets *s, const struct layout *l, uint64_t *defined,
     uint64_t *referenced, uint64_t *state)
{
	struct hp_id_worker *w;

	for (size_t i = 0; i < IDS; i++) {
		w = &s->worker[mixed(state) % WORKERS];
		defined[i] = id_of(l, state);
		hp_id_define(w, defined[i]);
		referenced[i] = i % 3 ? defined[mixed(state) % (i + 1)]
				      : id_of(l, state);
		must(hp_id_refer(w, referenced[i]));
		must(!hp_id_refer(w, 0));
		must(hp_id_is_defined_now(w, defined[i]));
	}
	qsort(defined, IDS, sizeof(*defined), compare);
	qsort(referenced, IDS, sizeof(*referenced), compare);
}

static void
check(const struct hp_id_sets *s, const uint64_t *defined,
      const uint64_t *referenced)
{
	uint64_t dangling = 0, twice = 0, found = 0;

	for (size_t i = 0; i < IDS; i++) {
		must(hp_id_sets_defined(s, defined[i]));
		must(hp_id_sets_referenced(s, referenced[i]));
		must(hp_id_sets_defined(s, referenced[i]) ==
		     among(defined, IDS, referenced[i]));
		must(hp_id_sets_referenced(s, defined[i] + 8) ==
		     among(referenced, IDS, defined[i] + 8));
		twice += i > 0 && defined[i] == defined[i - 1];
		if ((i == 0 || referenced[i] != referenced[i - 1]) &&
		    !among(defined, IDS, referenced[i]))
			dangling++;
	}
	for (unsigned i = 0; i < WORKERS; i++)
		found += s->worker[i].duplicates;
	ck_assert(!hp_id_sets_referenced(s, 0));
	ck_assert_uint_eq(s->dangling, dangling);
	ck_assert_uint_eq(found, twice);
}

/*
 * Memory limits for buckets: enough for the maximum number of buckets; too
 * little for any; enough for one.
 */
static const uint64_t bucket_bytes[] = {8 << 20, 0, 8 << 10};

static void
check_some(const struct hp_id_ranks *k, const uint64_t *ids)
{
	uint64_t *ranks = calloc(k->count, sizeof(*ranks));
	uint64_t *some = calloc(k->count, sizeof(*some));

	must(ranks && some);
	for (uint64_t first = 0; first < 7; first++) {
		size_t n = 0;

		for (uint64_t r = first; r < k->count; r += 1 + first * 3)
			ranks[n++] = r;
		hp_id_ranks_some(k, ranks, n, some);
		for (size_t i = 0; i < n; i++)
			must(some[i] == ids[ranks[i]]);
	}
	free(ranks);
	free(some);
}

static void
check_bucket(struct hp_id_buckets *b, struct hp_rank_near *near,
	     uint32_t bucket, const uint64_t *defined, uint8_t *met)
{
	const uint64_t *ids;
	uint64_t ranks[HP_ID_BUCKET_TAKE];
	unsigned n;

	hp_id_buckets_fetch(b, bucket);
	while ((n = hp_id_buckets_take(b, bucket, &ids, ranks)) > 0)
		for (unsigned i = 0; i < n; i++) {
			uint32_t value = hp_value_of(ids[i]);
			uint64_t id = defined[value / 2] + value % 2 * 8;

			must(ranks[i] == hp_id_rank(b->ranks, near, id));
			met[value]++;
		}
}

/*
 * Add all ids to buckets. For each id, also add the id 8 bytes after it, which
 * may not exist. Whatever the size of the buckets, they must return each of
 * these ids exactly once, with the rank that hp_id_rank() returns.
 */
static void
check_buckets(const struct hp_id_ranks *k, struct hp_rank_near *near,
	      const uint64_t *defined, uint32_t n, uint64_t bytes)
{
	uint8_t *met = calloc(n, 2);
	struct hp_error err = {0};
	struct hp_id_buckets b;

	must(met != NULL);
	ck_assert_int_eq(hp_id_buckets_init(&b, k, bytes, &err), HP_OK);
	ck_assert_uint_le((uint64_t)b.count * b.room * sizeof(*b.ids), bytes);
	ck_assert(bytes > 0 || b.places == 0);
	ck_assert(bytes == 0 || k->nleaves == 0 || b.places > 0);
	for (uint32_t i = 0; i < n * 2; i++) {
		uint64_t id = defined[i / 2] + i % 2 * 8;
		uint64_t place = hp_id_place(k, near, id);
		uint32_t full;

		if (place >= b.places) {
			met[i] = 1;
			must(place >= HP_NO_PLACE || bytes == 0);
			continue;
		}
		full = hp_id_buckets_add(&b, place, i);
		if (full != HP_ID_BUCKETS)
			check_bucket(&b, near, full, defined, met);
	}
	for (uint32_t i = 0; i < b.count; i++)
		check_bucket(&b, near, i, defined, met);
	for (uint32_t i = 0; i < n * 2; i++)
		must(met[i] == 1);
	hp_id_buckets_release(&b);
	free(met);
}

static void
check_places(const struct hp_id_ranks *k, struct hp_rank_near *near,
	     const uint64_t *defined)
{
	enum { TOGETHER = 64 };
	uint64_t places[TOGETHER], ranks[TOGETHER];

	for (size_t i = 0; i + TOGETHER <= IDS; i += TOGETHER) {
		/* add some ids that do not exist */
		for (size_t n = 0; n < TOGETHER; n++)
			places[n] = hp_id_place(k, near,
						defined[i + n] + 8 * (n % 3));
		hp_id_ranks_of(k, places, TOGETHER, ranks);
		for (size_t n = 0; n < TOGETHER; n++)
			must(ranks[n] ==
			     (places[n] >= HP_NO_PLACE
				      ? HP_NO_RANK
				      : hp_id_rank(k, near,
						   defined[i + n] +
							   8 * (n % 3))));
	}
}

/*
 * Check that each defined id has a rank (index) of its own, that other ids have
 * none, and that the id can be found from its rank.
 */
static void
check_ranks(struct hp_id_sets *s, const uint64_t *defined)
{
	static struct hp_rank_near near;
	struct hp_error err = {0};
	struct hp_id_ranks k;
	uint64_t expected = 0, rank, *ids;
	bool popcnt;
	uint8_t *seen;

	memset(&near, 0, sizeof(near));
	ck_assert_int_eq(hp_id_ranks_init(&k, s, &err), HP_OK);
	seen = calloc(k.count, 1);
	ids = calloc(k.count, sizeof(*ids));
	ck_assert_ptr_nonnull(seen);
	ck_assert_ptr_nonnull(ids);
	hp_id_ranks_ids(&k, ids);
	check_some(&k, ids);
	/*
	 * The ranks (indexes) of the ids in the hash table are also in the
	 * order of the ids, for any random seed of the table.
	 */
	for (uint64_t i = k.first_odd + 1; i < k.count; i++)
		must(ids[i - 1] < ids[i]);
	popcnt = k.popcnt;
	for (size_t i = 0; i < IDS; i++) {
		hp_id_rank_prefetch(&k, &near, defined[i]);
		rank = hp_id_rank(&k, &near, defined[i]);
		must(rank < k.count);
		must(ids[rank] == defined[i]);
		k.popcnt = false;
		must(hp_id_rank(&k, &near, defined[i]) == rank);
		k.popcnt = popcnt;
		must(hp_id_rank(&k, &near, defined[i] + 1) == HP_NO_RANK ||
		     among(defined, IDS, defined[i] + 1));
		if (i > 0 && defined[i] == defined[i - 1])
			continue;
		must(!seen[rank]);
		seen[rank] = 1;
		expected++;
	}
	/*
	 * An id has two ranks (indexes) if it is both in a bit set and in the
	 * hash table.
	 */
	ck_assert_uint_ge(k.count, expected);
	for (size_t i = 0; i < HP_ARRAY_LEN(bucket_bytes); i++)
		check_buckets(&k, &near, defined, IDS, bucket_bytes[i]);
	check_places(&k, &near, defined);
	k.popcnt = false;
	check_places(&k, &near, defined);
	check_buckets(&k, &near, defined, IDS, bucket_bytes[0]);
	free(ids);
	free(seen);
	hp_id_ranks_release(&k);
}

/*
 * Sizes of the input. The size determines how many bit sets are allowed: many,
 * few, or very few.
 */
static const uint64_t sizes[] = {1 << 30, 0, 1 << 20};

static void
compare_all(const struct layout *l, uint64_t input)
{
	uint64_t *defined = calloc(IDS, sizeof(*defined)), state = l->reach;
	uint64_t *referenced = calloc(IDS, sizeof(*referenced));
	struct hp_error err = {0};
	struct hp_id_sets s;

	ck_assert(defined && referenced);
	ck_assert_int_eq(hp_id_sets_init(&s, WORKERS, l->shift, input,
					 UINT64_C(1) << 30, &err),
			 HP_OK);
	fill(&s, l, defined, referenced, &state);
	ck_assert_int_eq(hp_id_sets_finish(&s, &err), HP_OK);
	ck_assert_int_eq(hp_id_sets_sweep(&s, &err), HP_OK);
	ck_assert(!hp_id_sets_partial(&s) && !hp_id_sets_over_memory(&s));
	check(&s, defined, referenced);
	check_ranks(&s, defined);
	hp_id_sets_release(&s);
	free(defined);
	free(referenced);
}

START_TEST(as_in_lists)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(sizes); i++)
		compare_all(&layouts[_i], sizes[i]);
}
END_TEST

/*
 * Test with a limit of the address space: the bit sets cannot be in one array,
 * so a table must give the address of each.
 */
START_TEST(without_a_span)
{
	struct rlimit limit = {.rlim_cur = UINT64_C(1) << 47,
			       .rlim_max = RLIM_INFINITY};

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	compare_all(&layouts[_i], 1 << 30);
}
END_TEST

/*
 * Test that the first ids of a range also have ranks. A range gets a bit set
 * only after many of its ids were added. The ids that were added before stay in
 * the hash table.
 */
START_TEST(leaves_that_came_late)
{
	enum { FAR = 300, MANY = 6000 };
	static uint64_t ids[FAR + MANY];
	static struct hp_rank_near near;
	struct hp_error err = {0};
	struct hp_id_ranks k;
	struct hp_id_sets s;
	unsigned late = 0;

	ck_assert_int_eq(hp_id_sets_init(&s, 1, 3, 1, UINT64_C(1) << 30, &err),
			 HP_OK);
	for (uint64_t i = 0; i < FAR + MANY; i++) {
		ids[i] = i < FAR ? (i + 1) << 30 : (FAR + 1ull) << 30 | i << 3;
		hp_id_define(&s.worker[0], ids[i]);
	}
	ck_assert_int_eq(hp_id_sets_finish(&s, &err), HP_OK);
	ck_assert_int_eq(hp_id_ranks_init(&k, &s, &err), HP_OK);
	ck_assert_uint_eq(k.count, FAR + MANY);
	for (unsigned i = FAR; i < FAR + MANY; i++)
		late += hp_id_place(&k, &near, ids[i]) < HP_NO_PLACE &&
			hp_id_rank(&k, &near, ids[i]) >= k.first_odd;
	ck_assert_uint_gt(late, 0);
	ck_assert_uint_lt(late, MANY);
	check_buckets(&k, &near, ids, FAR + MANY, 1 << 20);
	hp_id_ranks_release(&k);
	hp_id_sets_release(&s);
}
END_TEST

enum { ARRAY_IDS = 300000 };

/*
 * Add references to the ids of an array, with calls for random numbers of ids.
 * Returns how many ids are null.
 */
static uint64_t
refer_in_pieces(struct hp_id_worker *w, const uint8_t *ids)
{
	uint64_t null = 0, state = 7, n;

	for (uint64_t at = 0; at < ARRAY_IDS; at += n) {
		uint64_t i = 0;

		n = mixed(&state) % 100;
		if (n > ARRAY_IDS - at)
			n = ARRAY_IDS - at;
		if (w->lanes) {
			i = hp_id_refer_lanes(w, ids + 8 * at, n, &null);
			ck_assert_uint_eq(i, n - n % HP_LANES);
		}
		for (; i < n; i++)
			null += !hp_id_refer(w, hp_load8(ids + 8 * (at + i)));
	}
	return null;
}

START_TEST(lanes)
{
	const struct layout *l = &layouts[_i];
	uint8_t *ids = malloc(8 * ARRAY_IDS);
	uint64_t granules[2][HP_GRANULES_MIN / 64] = {0}, null[2], state = 1;
	struct hp_error err = {0};
	struct hp_id_sets s[2];

	if (l->shift != 3 || !hp_id_lanes_supported()) {
		free(ids);
		return;
	}
	ck_assert_ptr_nonnull(ids);
	for (unsigned i = 0; i < ARRAY_IDS; i++)
		hp_store8(ids + 8 * i,
			  mixed(&state) % 4 ? id_of(l, &state) : 0);
	for (unsigned k = 0; k < 2; k++) {
		ck_assert_int_eq(hp_id_sets_init(&s[k], 1, 3, 0,
						 UINT64_C(1) << 30, &err),
				 HP_OK);
		ck_assert(s[k].worker[0].lanes);
		s[k].worker[0].lanes = k == 1;
		null[k] = refer_in_pieces(&s[k].worker[0], ids);
		hp_id_granules_take(&s[k].worker[0], granules[k]);
		ck_assert_int_eq(hp_id_sets_finish(&s[k], &err), HP_OK);
		ck_assert_int_eq(hp_id_sets_sweep(&s[k], &err), HP_OK);
	}
	ck_assert_uint_gt(null[0], ARRAY_IDS / 5);
	ck_assert_uint_eq(null[0], null[1]);
	ck_assert_uint_gt(s[0].dangling, ARRAY_IDS / 20);
	ck_assert_uint_eq(s[0].dangling, s[1].dangling);
	ck_assert_mem_eq(granules[0], granules[1], sizeof(granules[0]));
	for (unsigned i = 0; i < ARRAY_IDS; i++)
		ck_assert_int_eq(
			hp_id_sets_referenced(&s[0], hp_load8(ids + 8 * i)),
			hp_id_sets_referenced(&s[1], hp_load8(ids + 8 * i)));
	hp_id_sets_release(&s[0]);
	hp_id_sets_release(&s[1]);
	free(ids);
}
END_TEST

/*
 * A run is a series of bit sets that a thread can access without a table
 * lookup. Test that the run of a thread moves to the range of the most recent
 * ids, and that it can span gaps of the heap.
 */
START_TEST(runs)
{
	const uint64_t young = 0xa0000000, old = 0xc0000000;
	struct hp_id_worker *w;
	struct hp_error err = {0};
	struct hp_id_sets s;

	ck_assert_int_eq(
		hp_id_sets_init(&s, 1, 3, 1 << 30, UINT64_C(1) << 30, &err),
		HP_OK);
	w = &s.worker[0];
	for (unsigned i = 0; i < 1000; i++) {
		hp_id_define(w, young + 8 * i);
		ck_assert(hp_id_refer(w, old + 8 * i));
	}
	ck_assert_uint_le(w->run_base, young);
	ck_assert_uint_gt(w->run_base + (w->run_bits << 3), old);
	/* add ids that are far away, and then the old ones again */
	for (unsigned i = 0; i < 1000; i++)
		ck_assert(hp_id_refer(w, 0x1000000000 + 8 * i));
	ck_assert_uint_gt(w->run_base, old);
	for (unsigned i = 0; i < 1000; i++)
		ck_assert(hp_id_refer(w, old + 8 * i));
	ck_assert_uint_le(w->run_base, young);
	hp_id_sets_release(&s);
}
END_TEST

/*
 * Test a small dump with a gap in the heap, for several numbers of threads. The
 * run (the bit sets that a thread accesses without a table lookup) must span
 * the gap.
 */
START_TEST(runs_of_many)
{
	const uint64_t young = 0xa0000000, old = young + (180 << 20);
	struct hp_error err = {0};
	struct hp_id_sets s;

	ck_assert_int_eq(hp_id_sets_init(&s, (unsigned)_i, 3, 48 << 20,
					 UINT64_C(1) << 30, &err),
			 HP_OK);
	for (unsigned i = 0; i < 1000; i++) {
		hp_id_define(&s.worker[0], young + 8 * i);
		ck_assert(hp_id_refer(&s.worker[0], old + 8 * i));
	}
	ck_assert_uint_le(s.worker[0].run_base, young);
	ck_assert_uint_gt(s.worker[0].run_base + (s.worker[0].run_bits << 3),
			  old);
	hp_id_sets_release(&s);
}
END_TEST

/*
 * Test an input of unknown size. The number of bit sets that are created in
 * advance then depends on the number of bytes read so far.
 */
START_TEST(runs_of_unknown)
{
	const uint64_t young = 0xa0000000, old = young + (180 << 20);
	struct hp_error err = {0};
	struct hp_id_sets s;
	uint64_t few;

	ck_assert_int_eq(hp_id_sets_init(&s, 2, 3, 0, UINT64_C(1) << 30, &err),
			 HP_OK);
	hp_id_sets_read_so_far(&s, 1 << 20);
	for (unsigned i = 0; i < 1000; i++) {
		hp_id_define(&s.worker[0], young + 8 * i);
		ck_assert(hp_id_refer(&s.worker[0], old + 8 * i));
	}
	few = s.reserved;
	ck_assert_uint_le(few, 1 << 20);
	hp_id_sets_read_so_far(&s, 256 << 20);
	hp_id_sets_read_so_far(&s, 1 << 20);
	/*
	 * add an id in the gap, so that all bit sets form one run (series that
	 * a thread can access without a table lookup)
	 */
	ck_assert(hp_id_refer(&s.worker[0], young + (90 << 20)));
	ck_assert_uint_gt(s.reserved, 4 * few);
	hp_id_sets_release(&s);
}
END_TEST

Suite *test_id_set_suite(void);

Suite *
test_id_set_suite(void)
{
	Suite *s = suite_create("id_set");
	TCase *c = tcase_create("id_set"), *q = quick_case(s, 60);

	tcase_add_loop_test(q, as_in_lists, 0, 1);
	tcase_add_loop_test(c, as_in_lists, 1, (int)HP_ARRAY_LEN(layouts));
	tcase_add_loop_test(q, without_a_span, 0, 2);
	tcase_add_loop_test(c, without_a_span, 2, (int)HP_ARRAY_LEN(layouts));
	tcase_add_test(q, leaves_that_came_late);
	tcase_add_loop_test(q, lanes, 0, 1);
	tcase_add_loop_test(c, lanes, 1, (int)HP_ARRAY_LEN(layouts));
	tcase_add_test(q, runs);
	tcase_add_loop_test(q, runs_of_many, 1, 5);
	tcase_add_test(q, runs_of_unknown);
	suite_add_tcase(s, c);
	return s;
}
