/*
 * test_batch_granules.c - tests that a second pass over a dump reads only the
 * necessary parts
 *
 * For each batch (part of the dump), a first pass has recorded roughly to which
 * ids the batch refers. The second pass looks for certain ids. It must not skip
 * a batch that refers to one of these ids, even if the batches now begin and
 * end at other offsets. If there is enough memory, the second pass reads only
 * few batches that do not refer to any of these ids.
 */
#include "tests/unit/must.h"
#include "validate/references/internal.h"

#include <check.h>
#include <stdlib.h>

enum {
	BATCHES = 300,
	REFERENCES = 40, /* number of references in a batch */
	WORKERS = 2,
	BATCH_BYTES = 1 << 20,
};

#define BEGIN UINT64_C(5000)
#define GRANULE (UINT64_C(1) << HP_GRANULE_SHIFT)

/*
 * Returns the id to which reference @i of batch @batch refers. Neighbouring
 * references refer to ids that are close to each other, as in a real heap.
 */
static uint64_t
id_of(size_t batch, size_t i)
{
	return 0x80000000 + batch * 2 * GRANULE + i * 4096;
}

/*
 * Returns a part of batch number @k: @length bytes, which begin @from bytes
 * after the start of the batch.
 */
static struct hp_batch
batch_of(size_t k, struct hp_run *run, uint64_t from, uint64_t length)
{
	*run = (struct hp_run){.offset = BEGIN + k * BATCH_BYTES + from,
			       .length = length};
	return (struct hp_batch){.index = k, .runs = run, .nruns = 1};
}

struct world {
	struct hp_id_sets sets;
	struct hp_batch_granules granules;
	uint64_t *wanted;
};

/*
 * Record the references of all batches, in a shuffled order. @memory limits the
 * size of the recorded data, in bytes.
 */
static void
begin(struct world *w, uint64_t input, uint64_t memory)
{
	struct hp_error err = {0};
	struct hp_run run;
	struct hp_batch b;

	ck_assert_int_eq(hp_id_sets_init(&w->sets, WORKERS, 3, input,
					 UINT64_C(1) << 30, &err),
			 HP_OK);
	ck_assert_int_eq(
		hp_batch_granules_init(&w->granules, &w->sets, memory, &err),
		HP_OK);
	w->granules.begin = BEGIN;
	w->wanted = calloc(hp_id_granule_words(&w->sets), sizeof(uint64_t));
	ck_assert_ptr_nonnull(w->wanted);
	for (size_t n = 0; n < BATCHES; n++) {
		size_t k = n ^ 1;
		struct hp_id_worker *ids = &w->sets.worker[n % WORKERS];

		for (size_t i = 0; i < REFERENCES; i++)
			must(hp_id_refer(ids, id_of(k, i)));
		b = batch_of(k, &run, 0, BATCH_BYTES);
		hp_batch_granules_add(&w->granules, ids, &b);
	}
}

static void
end(struct world *w)
{
	hp_batch_granules_release(&w->granules);
	hp_id_sets_release(&w->sets);
	free(w->wanted);
}

static void
want(struct world *w, uint64_t id, bool is_wanted)
{
	size_t g = hp_id_granule(&w->sets, id);

	if (is_wanted)
		w->wanted[g / 64] |= 1ull << g % 64;
	else
		w->wanted[g / 64] &= ~(1ull << g % 64);
}

/*
 * For each batch (part of the dump), search for an id to which it refers. The
 * search must select this batch. Returns how many other batches the search
 * selects, although they do not refer to the id.
 */
static size_t
look_for_each(struct world *w)
{
	size_t others = 0;
	struct hp_run run;

	for (size_t k = 0; k < BATCHES; k++) {
		want(w, id_of(k, k % REFERENCES), true);
		for (size_t n = 0; n < BATCHES; n++) {
			struct hp_batch b = batch_of(n, &run, 0, BATCH_BYTES);
			bool looked = hp_batch_granules_may_hold(&w->granules,
								 &b, w->wanted);

			must(n != k || looked);
			others += n != k && looked;
			/*
			 * the second pass may see a shorter batch, without the
			 * first and the last bytes
			 */
			b = batch_of(n, &run, 10, BATCH_BYTES - 10);
			must(n != k || hp_batch_granules_may_hold(
					       &w->granules, &b, w->wanted));
			b = batch_of(n, &run, 0, 1);
			must(n != k || hp_batch_granules_may_hold(
					       &w->granules, &b, w->wanted));
		}
		want(w, id_of(k, k % REFERENCES), false);
	}
	return others;
}

START_TEST(only_those)
{
	struct world w;

	begin(&w, 64 << 20, 64 << 20);
	ck_assert_uint_eq(w.granules.shift, 20);
	ck_assert_uint_eq(look_for_each(&w), 0);
	end(&w);
}
END_TEST

START_TEST(large_input)
{
	struct world w;

	begin(&w, UINT64_C(1) << 40, 64 << 20);
	ck_assert_uint_eq(w.sets.granules, HP_GRANULES_MAX);
	ck_assert_uint_eq(look_for_each(&w), 0);
	end(&w);
}
END_TEST

START_TEST(little_memory)
{
	size_t others = 0, before;

	for (size_t slots = 512; slots > 0; slots /= 2) {
		struct world w;

		begin(&w, 64 << 20, slots * HP_GRANULES_MIN / 8);
		ck_assert_uint_le(w.granules.count, slots < 2 ? 2 : slots);
		before = others;
		others = look_for_each(&w);
		ck_assert_uint_ge(others, before);
		end(&w);
	}
	ck_assert_uint_gt(others, BATCHES);
}
END_TEST

/*
 * Test that the second pass does not skip a batch that is longer than the
 * recorded batch, or that begins at another offset.
 */
START_TEST(unknown)
{
	struct hp_run run;
	struct hp_batch b;
	struct world w;

	begin(&w, 64 << 20, 64 << 20);
	b = batch_of(7, &run, 0, BATCH_BYTES);
	ck_assert(!hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	b = batch_of(7, &run, 0, BATCH_BYTES + 1);
	ck_assert(hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	b = batch_of(BATCHES, &run, 0, BATCH_BYTES);
	ck_assert(hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	b = batch_of(0, &run, (uint64_t)-20, 10);
	ck_assert(hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	w.granules.lost = true;
	b = batch_of(7, &run, 0, BATCH_BYTES);
	ck_assert(hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	end(&w);
}
END_TEST

/*
 * Test a batch that is recorded twice. This happens if the first pass postpones
 * a part of it.
 */
START_TEST(added_again)
{
	const uint64_t id = UINT64_C(0xc00000000);
	struct hp_run run;
	struct hp_batch b;
	struct world w;

	begin(&w, 64 << 20, 64 << 20);
	want(&w, id, true);
	b = batch_of(9, &run, 0, BATCH_BYTES);
	ck_assert(!hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	ck_assert(hp_id_refer(&w.sets.worker[1], id));
	b = batch_of(9, &run, 100, BATCH_BYTES - 100);
	hp_batch_granules_add(&w.granules, &w.sets.worker[1], &b);
	b = batch_of(9, &run, 0, BATCH_BYTES);
	ck_assert(hp_batch_granules_may_hold(&w.granules, &b, w.wanted));
	end(&w);
}
END_TEST

Suite *test_batch_granules_suite(void);

Suite *
test_batch_granules_suite(void)
{
	Suite *s = suite_create("batch_granules");
	TCase *c = tcase_create("batch_granules");

	tcase_add_test(c, only_those);
	tcase_add_test(c, large_input);
	tcase_add_test(c, little_memory);
	tcase_add_test(c, unknown);
	tcase_add_test(c, added_again);
	suite_add_tcase(s, c);
	return s;
}
