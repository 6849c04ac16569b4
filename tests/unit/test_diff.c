/*
 * test_diff.c - tests of parts of hprof-diff: limits of --fail-if (gates),
 * rows, counters of objects, and the pass that counts
 */
#include "diff/result/gate.h"
#include "diff/count/histogram.h"
#include "diff/result/result.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(gates_read)
{
	static const struct {
		const char *text, *glob;
		bool growth, percent;
		enum hp_col what;
		uint64_t limit;
	} good[] = {
		{"a.* count>5", "a.*", false, false, HP_COL_COUNT, 5},
		{"a b count>5", "a b", false, false, HP_COL_COUNT, 5},
		{"x bytes>10MB", "x", false, false, HP_COL_BYTES, 10 << 20},
		{"x growth-bytes > 5%", "x", true, true, HP_COL_BYTES, 5000000},
		{" x count>5 ", "x", false, false, HP_COL_COUNT, 5},
		{"\tx\tcount\t>\t5\n", "x", false, false, HP_COL_COUNT, 5},
		{"x growth-bytes>5% \n", "x", true, true, HP_COL_BYTES,
		 5000000},
		{"a>b growth-count>0", "a>b", true, false, HP_COL_COUNT, 0},
		{"x retained>1KB", "x", false, false, HP_COL_RETAINED_BYTES,
		 1024},
		{"x growth-retained>5%", "x", true, true, HP_COL_RETAINED_BYTES,
		 5000000},
		{"x growth-retained-count>7", "x", true, false,
		 HP_COL_RETAINED_COUNT, 7},
		{"x grew-every-step>7", "x", false, false,
		 HP_COL_GREW_EVERY_STEP, 7},
		{" new suspect\n", "", true, false, HP_COL_RETAINED_BYTES, 0},
	};
	static const char *const bad[] = {"",
					  "x",
					  "x count",
					  "count>",
					  "count>5",
					  " count>5",
					  "x count>",
					  "x count> ",
					  "x count>5 5",
					  "x y>5",
					  "new suspects",
					  "x growth-grew-every-step>7",
					  "x count>5%",
					  "x count>1KB",
					  "x retained-count>1KB",
					  "x retained-bytes>1",
					  "x growth-bytes>%"};
	struct hp_gate g;

	for (size_t i = 0; i < HP_ARRAY_LEN(good); i++) {
		ck_assert_int_eq(hp_gate_parse(&g, good[i].text, NULL), HP_OK);
		ck_assert_str_eq(g.glob, good[i].glob);
		ck_assert_int_eq(g.growth, good[i].growth);
		ck_assert_int_eq(g.percent, good[i].percent);
		ck_assert_int_eq(g.what, good[i].what);
		ck_assert_uint_eq(g.limit, good[i].limit);
		hp_gate_release(&g);
	}
	for (size_t i = 0; i < HP_ARRAY_LEN(bad); i++) {
		ck_assert_msg(hp_gate_parse(&g, bad[i], NULL) == HP_DAMAGED,
			      "%s", bad[i]);
		hp_gate_release(&g);
	}
}
END_TEST

static const struct hp_gate_margin exact[HP_COLS];

/*
 * Returns whether a row exceeds the limit @text of --fail-if. The row has the
 * value @first in the first dump and @last in the last dump.
 */
static bool
trips(const char *text, uint64_t first, uint64_t last)
{
	struct hp_rows rows;
	struct hp_row *row;
	struct hp_gate g;
	bool result;

	hp_rows_init(&rows, 2);
	row = hp_rows_put(&rows, "x", 1, NULL, NULL);
	row->count[0] = row->bytes[0] = first;
	row->count[1] = row->bytes[1] = last;
	ck_assert_int_eq(hp_gate_parse(&g, text, NULL), HP_OK);
	ck_assert_int_eq(hp_gate_row(&g, &rows, row, exact, NULL), HP_OK);
	result = g.tripped;
	hp_gate_release(&g);
	hp_rows_release(&rows);
	return result;
}

/*
 * Returns whether the growth from @first to @last exceeds the limit @text of
 * --fail-if. The growth is an estimate with an error of at most @margin.
 */
static bool
trips_unsure(const char *text, uint64_t first, uint64_t last, double margin)
{
	const struct hp_gate_margin margins[HP_COLS] = {{margin, margin},
							{margin, margin}};
	uint64_t values[2] = {first, last};
	const struct hp_row total = {.count = values, .bytes = values};
	struct hp_gate g;
	bool result;

	ck_assert_int_eq(hp_gate_parse(&g, text, NULL), HP_OK);
	hp_gate_total(&g, 2, &total, margins);
	result = g.tripped;
	hp_gate_release(&g);
	return result;
}

START_TEST(gates_and_margins)
{
	ck_assert(trips_unsure("total growth-bytes>100", 1000, 1151, 50));
	ck_assert(!trips_unsure("total growth-bytes>100", 1000, 1150, 50));
	ck_assert(!trips_unsure("total growth-bytes>0", 1000, 1040, 50));
	ck_assert(trips_unsure("total growth-count>10%", 1000, 1151, 50));
	ck_assert(!trips_unsure("total growth-count>10%", 1000, 1150, 50));
	ck_assert(trips_unsure("total count>1000", 0, 1051, 50));
	ck_assert(!trips_unsure("total count>1000", 0, 1050, 50));
}
END_TEST

/*
 * If each object is sampled with the probability p, each sample represents 1/p
 * objects. So the variance of the estimate from n samples is n (1-p) / p^2.
 */
START_TEST(sampling_margins)
{
	static const char text[] = "hprof-agent: sample=65536 lost=0 depth=4";
	struct hp_estimate e = {1000, 100, 100000, false};
	double p = 1 - exp(-1.0), v;

	ck_assert_uint_eq(hp_sampling_interval(text, strlen(text)), 65536);
	ck_assert_uint_eq(hp_sampling_interval(text, 23), 655);
	ck_assert_uint_eq(hp_sampling_interval(text + 1, 30), 0);
	v = hp_sampling_variance(&e, false);
	ck_assert_double_eq_tol(v, 100 * (1 - p) / p, 1e-6);
	v = hp_sampling_variance(&e, true);
	ck_assert_double_eq_tol(v, 1e6 * 100 * (1 - p) / p, 1e-3);
	e.count = e.bytes = 0;
	ck_assert_double_eq(hp_sampling_variance(&e, true), 0);
	e = (struct hp_estimate){0, 100, 100000, false};
	ck_assert_double_eq(hp_sampling_variance(&e, true), 0);
	ck_assert_double_eq_tol(hp_sampling_deviations(0.95), 1.959964, 1e-6);
	ck_assert_double_eq_tol(hp_sampling_deviations(0.99), 2.575829, 1e-6);
	ck_assert_double_eq_tol(hp_sampling_deviations(0), 0, 1e-9);
}
END_TEST

/*
 * Check that the bound that hprof-diff computes is not less than the true
 * variance of a row. The row has @na arrays of size @a and @nb of size @b. The
 * bound is computed from the number and the total size of the arrays only.
 */
static void
check_mixture(uint64_t na, uint64_t a, uint64_t nb, uint64_t b)
{
	const uint64_t interval = 4096;
	const struct hp_estimate parts[] = {{interval, na, na * a, false},
					    {interval, nb, nb * b, false}};
	const struct hp_estimate sum = {interval, na + nb, na * a + nb * b,
					true};

	for (int of_bytes = 0; of_bytes < 2; of_bytes++) {
		double truth = hp_sampling_variance(&parts[0], of_bytes) +
			       hp_sampling_variance(&parts[1], of_bytes);

		ck_assert_double_ge(hp_sampling_variance(&sum, of_bytes),
				    truth * (1 - 1e-9));
	}
}

START_TEST(sampling_mixed_sizes)
{
	const struct hp_estimate large = {4096, 10, 10 << 20, true};

	for (uint64_t a = 16; a < 1 << 20; a += a / 2)
		for (uint64_t b = 16; b < 1 << 20; b += b / 2)
			for (uint64_t n = 1; n < 5000; n *= 7)
				check_mixture(n, a, 1000, b);
	/*
	 * the computed bound must also not be much too large: for a row of 10
	 * MB in arrays of 3.3 KB, the expected error is known
	 */
	ck_assert_double_eq_tol(sqrt(hp_sampling_variance(&large, true) / 10),
				4096 * sqrt(0.6476102), 1);
}
END_TEST

START_TEST(gates_trip)
{
	ck_assert(trips("x count>5", 100, 6));
	ck_assert(!trips("x count>5", 100, 5));
	ck_assert(!trips("y count>5", 100, 6));
	ck_assert(trips("* growth-count>5", 1, 7));
	ck_assert(!trips("* growth-count>5", 7, 1));
	ck_assert(!trips("x growth-count>5%", 100, 105));
	ck_assert(trips("x growth-count>5%", 100, 106));
	ck_assert(trips("x growth-bytes>1000%", 0, 1));
	ck_assert(!trips("x growth-bytes>5%", 0, 0));
	ck_assert(trips("x bytes>0", 0, UINT64_MAX));
	ck_assert(trips("x growth-count>5%", 10, UINT64_MAX));
	ck_assert(trips("x growth-count>5%", 0, UINT64_C(1) << 63));
	ck_assert(!trips("x growth-count>5%", UINT64_MAX, 10));
}
END_TEST

START_TEST(rows_identity)
{
	static const char *const frames[] = {"a.b(C:1)", "d.e(F:2)"};
	const struct hp_row_frames stack = {.count = 2, .text = frames};
	const uint64_t hash[2] = {1, 2};
	struct hp_rows rows;
	struct hp_row *row;
	char key[16];

	hp_rows_init(&rows, 1);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 5000; i++) {
			int n = snprintf(key, sizeof(key), "row %d", i);

			row = hp_rows_put(&rows, key, (size_t)n, NULL, NULL);
			ck_assert_ptr_nonnull(row);
			row->count[0] += (uint64_t)i;
		}
	}
	ck_assert_uint_eq(rows.count, 5000);
	ck_assert_uint_eq(rows.list[4999]->count[0], 2 * 4999);
	row = hp_rows_put(&rows, "row 1", 5, hash, &stack);
	ck_assert_ptr_ne(row, rows.list[1]);
	ck_assert_str_eq(row->frames.text[1], "d.e(F:2)");
	ck_assert_ptr_eq(
		row->key,
		rows.list[1]->key); /* both rows use one copy of the key */
	ck_assert_ptr_eq(hp_rows_put(&rows, "row 1", 5, hash, NULL), row);
	hp_rows_release(&rows);
}
END_TEST

/*
 * Test that rows with equal hashes stay separate. One pair of keys has equal
 * XXH3 hashes without a seed; for the other pair, the test passes equal hashes.
 */
START_TEST(rows_of_one_hash)
{
	const uint64_t same[2] = {1, 2};
	uint64_t hash[2][2];
	char key[2][640];
	struct hp_rows rows;
	struct hp_row *row[2];

	hp_rows_init(&rows, 1);
	for (unsigned i = 0; i < 2; i++) {
		memset(key[i], 'x', sizeof(key[i]));
		key[i][192] = i ? 'b' : 'a';
		key[i][320] = i ? 'a' : 'b';
		memcpy(key[i] + 196, "Bhaa", 4);
		memcpy(key[i] + 324, "9$t_", 4);
		hp_row_hash(key[i], sizeof(key[i]), 0, hash[i]);
		row[i] = hp_rows_put(&rows, key[i], sizeof(key[i]), NULL, NULL);
		ck_assert_mem_eq(row[i]->key, key[i], sizeof(key[i]));
	}
	ck_assert_mem_eq(hash[0], hash[1], sizeof(hash[0]));
	ck_assert_mem_ne(row[0]->hash, row[1]->hash, sizeof(hash[0]));
	ck_assert_ptr_eq(hp_rows_find(&rows, key[1], sizeof(key[1])), row[1]);
	for (unsigned i = 0; i < 2; i++)
		row[i] = hp_rows_put(&rows, key[i], 600, same, NULL);
	ck_assert_ptr_ne(row[0], row[1]);
	ck_assert_ptr_eq(hp_rows_put(&rows, key[1], 600, same, NULL), row[1]);
	hp_rows_release(&rows);
}
END_TEST

/*
 * Test the total size of many arrays. The program counts arrays by the low bits
 * of their length, and computes the total size from these counts. It must be
 * equal to the sum of the sizes of all arrays.
 */
START_TEST(tally_bytes)
{
	static const struct hp_size_model layouts[] = {
		{.reference = 4,
		 .header = 12,
		 .array_header = 16,
		 .alignment = 8},
		{.reference = 8,
		 .header = 16,
		 .array_header = 24,
		 .alignment = 8},
		{.reference = 4,
		 .header = 8,
		 .array_header = 12,
		 .alignment = 256},
	};
	const unsigned type = (unsigned)_i;
	const struct hp_tally_key key = {
		.id = type,
		.kind = type ? HP_TALLY_PRIMITIVE_ARRAYS
			     : HP_TALLY_OBJECT_ARRAYS};
	struct hp_tallies t, parts[2];
	uint64_t seed = 7;
	uint32_t mask = 256 / hp_tally_width(&key) - 1;

	ck_assert_int_eq(hp_tallies_init(&t, NULL), HP_OK);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(hp_tallies_init(&parts[i], NULL), HP_OK);
	for (unsigned l = 0; l < HP_ARRAY_LEN(layouts); l++) {
		uint64_t want = 0, count = 0;
		unsigned width =
			type ? hp_type_size(type, 4) : layouts[l].reference;

		for (int i = 0; i < 3 + 40 * (int)l; i++) {
			uint32_t n = (uint32_t)(seed >> 40) % 5000;

			seed = seed * 6364136223846793005 + 1442695040888963407;
			ck_assert(hp_tally_array(
				&parts[i % 3 == 0],
				hp_tallies_put(&parts[i % 3 == 0], &key), n,
				mask));
			want += hp_array_bytes(&layouts[l], n, width);
			count++;
		}
		for (int i = 0; i < 2; i++)
			ck_assert_int_eq(hp_tallies_merge(&t, &parts[i], NULL),
					 HP_OK);
		ck_assert_uint_eq(hp_tallies_put(&t, &key)->count, count);
		ck_assert_uint_eq(hp_tally_array_bytes(hp_tallies_put(&t, &key),
						       &layouts[l], width),
				  want);
		hp_tallies_release(&t);
		ck_assert_int_eq(hp_tallies_init(&t, NULL), HP_OK);
		for (int i = 0; i < 2; i++) {
			hp_tallies_release(&parts[i]);
			ck_assert_int_eq(hp_tallies_init(&parts[i], NULL),
					 HP_OK);
		}
	}
	hp_tallies_release(&t);
	for (int i = 0; i < 2; i++)
		hp_tallies_release(&parts[i]);
}
END_TEST

static void
gather(const struct b *b, struct hp_histogram *g,
       const struct hp_histogram_options *options)
{
	char path[] = "/tmp/hprof-test-XXXXXX";
	int fd = mkstemp(path);
	struct hp_source *src = NULL;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(b_write_fd(b, fd), 0);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(hp_source_open(&src, path,
					&(struct hp_source_options){0}, NULL),
			 HP_OK);
	ck_assert_int_eq(hp_histogram_run(g, src, options, NULL), HP_OK);
	hp_source_close(src);
	unlink(path);
}

START_TEST(gather_counts)
{
	const struct hp_histogram_options options = {.threads = 3};
	const struct b_fixture *f = &b_fixtures()[_i];
	uint64_t objects = 0, want;
	struct hp_histogram g;
	struct b b;

	b_fixture_build(f, &b, 0);
	if (b.hole_len) {
		b_release(&b);
		return;
	}
	gather(&b, &g, &options);
	for (size_t i = 0; i < g.tallies.count; i++)
		objects += g.tallies.list[i]->count;
	want = b.subrecords[B_INSTANCE_DUMP] +
	       b.subrecords[B_OBJECT_ARRAY_DUMP] +
	       b.subrecords[B_PRIMITIVE_ARRAY_DUMP] +
	       b.subrecords[B_PRIMITIVE_ARRAY_NODATA];
	if (!g.damaged && g.dumps == 1)
		ck_assert_msg(objects == want, "%s: %u, not %u", f->name,
			      (unsigned)objects, (unsigned)want);
	ck_assert_uint_le(objects, want);
	hp_histogram_release(&g);
	b_release(&b);
}
END_TEST

Suite *test_diff_suite(void);

Suite *
test_diff_suite(void)
{
	Suite *s = suite_create("diff");
	TCase *t = tcase_create("parts");
	TCase *pass = tcase_create("gather");
	int n = 0;

	while (b_fixtures()[n].name)
		n++;
	tcase_add_test(t, gates_read);
	tcase_add_test(t, gates_trip);
	tcase_add_test(t, gates_and_margins);
	tcase_add_test(t, sampling_margins);
	tcase_add_test(t, sampling_mixed_sizes);
	tcase_add_test(t, rows_identity);
	tcase_add_test(t, rows_of_one_hash);
	tcase_add_test(t, tally_bytes);
	tcase_add_loop_test(t, tally_bytes, HP_TYPE_BOOLEAN, HP_TYPE_END);
	suite_add_tcase(s, t);
	tcase_set_timeout(pass, 60);
	tcase_add_loop_test(pass, gather_counts, 0, n);
	suite_add_tcase(s, pass);
	return s;
}
