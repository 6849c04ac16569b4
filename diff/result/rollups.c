/*
 * rollups.c - add rollup rows, which are sums of other rows
 *
 * A rollup row is the sum of a package and all packages below it
 * ("com.acme.*"), of all stacks that contain a method, or of all waste of one
 * kind.
 */
#include "diff/result/result.h"

#include "common/cli/quantity.h"
#include "common/object_ids/id_map.h"
#include "diff/keys/keys.h"

#include <string.h>
#include <xxhash.h>

/*
 * Add the values of a row (with a stack) to the sum of a method. The sum
 * contains the samples in the method itself and in the methods that it called.
 * A recursive method occurs several times in one stack. @stamp, the number of
 * the row, ensures that the row is added only once.
 */
static void
rollup_include(struct hp_rows *rows, struct hp_row *sum,
	       const struct hp_row *part, size_t stamp)
{
	if (sum->stamp == stamp)
		return;
	sum->stamp = stamp;
	sum->parts++;
	for (size_t i = 0; sum->inclusive && i < rows->dumps; i++)
		hp_sum_add(&sum->inclusive[i], part->inclusive[i]);
}

/*
 * A saved result does not contain rollup rows that sum only one row. If the
 * rollup row @sum is missing in the saved result @dump for this reason, copy
 * the retained size from this only row, @part.
 */
static void
fill_retained(struct hp_row *sum, const struct hp_row *part, size_t dump)
{
	if (!sum->retained_count || sum->retained_count[dump] > 0)
		return;
	sum->retained_count[dump] = part->retained_count[dump];
	sum->retained_bytes[dump] = part->retained_bytes[dump];
}

/*
 * Find or create the rollup row (a sum of other rows) with the key @key, and
 * add the values of a row to it. Returns false if out of memory.
 */
static bool
add_to_total(struct hp_rows *rows, const char *key, size_t len,
	     const struct hp_row *part, size_t stamp)
{
	struct hp_row *sum = hp_rows_put_rollup(rows, key, len);

	if (!sum)
		return false;
	for (size_t i = 0; i < rows->dumps; i++)
		fill_retained(sum, part, i);
	hp_row_join(rows, sum, part);
	sum->beside = part->beside;
	if (part->example.waste > sum->example.waste)
		sum->example = part->example;
	rollup_include(rows, sum, part, stamp);
	return true;
}

struct rollup {
	struct hp_rows *rows;
	/*
	 * for each beginning of a package name, such as "com.acme": the number
	 * of rows whose package name begins with it; the key of the map is a
	 * hash of the beginning
	 */
	struct hp_id_map packages;
	/*
	 * maps the address of the text of a stack frame to the rollup row for
	 * its method
	 */
	struct hp_id_map methods;
};

static uint64_t
rollup_hash(const struct rollup *u, const char *key, size_t n)
{
	return XXH3_64bits_withSeed(key, n, u->rows->seed);
}

/*
 * Returns the offset after the next part of a package name, for example after
 * "acme" in "com.acme.x". @at: the offset where the part begins. Returns 0 if
 * there are no more parts.
 */
static size_t
package_level(const struct hp_row *row, size_t at, unsigned *level)
{
	const char *dot;

	if (at >= row->key_len || (*level)++ == HP_PACKAGE_LEVELS)
		return 0;
	dot = memchr(row->key + at + 1, '.', row->key_len - at - 1);
	return dot ? (size_t)(dot - row->key) : row->key_len;
}

static bool
is_package(const struct hp_row *row)
{
	return row->key[0] != '(' && !memchr(row->key, '[', row->key_len) &&
	       row->key_len > 0;
}

static bool
rollup_count(struct rollup *u, const struct hp_row *row)
{
	unsigned level = 0;
	uint64_t *count;
	size_t end = 0;

	while ((end = package_level(row, end, &level))) {
		count = hp_id_map_put(&u->packages,
				      rollup_hash(u, row->key, end), NULL);
		if (!count)
			return false;
		++*count;
	}
	return true;
}

/*
 * Add the row of a package such as "com.acme.x" to the sums "com.*" and
 * "com.acme.*". If a sum would contain only one row, it is not made.
 */
static bool
add_package_totals(struct rollup *u, const struct hp_row *row, size_t stamp)
{
	struct hp_buf key = {0};
	unsigned level = 0;
	bool fine = true;
	size_t end = 0;

	while (fine && (end = package_level(row, end, &level))) {
		if (*hp_id_map_get(&u->packages,
				   rollup_hash(u, row->key, end)) < 2)
			/*
			 * no other package begins with this text, such as
			 * "com.acme"; so no other package shares a longer
			 * beginning either
			 */
			break;
		hp_buf_clear(&key);
		hp_buf_add(&key, row->key, end);
		hp_buf_add(&key, ".*", 2);
		fine = hp_buf_ok(&key) &&
		       add_to_total(u->rows, key.data, key.len, row, stamp);
	}
	hp_buf_release(&key);
	return fine;
}

/*
 * Returns the rollup row for a method. It is found by the address of the
 * frame's text, because equal texts are stored only once.
 */
static struct hp_row *
rollup_method(struct rollup *u, const char *frame)
{
	uint64_t *slot =
		hp_id_map_put(&u->methods, (uint64_t)(uintptr_t)frame, NULL);

	if (slot && !*slot)
		*slot = (uint64_t)(uintptr_t)hp_rows_put_rollup(
			u->rows, frame, hp_frame_method(frame));
	return slot ? (struct hp_row *)(uintptr_t)*slot : NULL;
}

static bool
add_method_totals(struct rollup *u, const struct hp_row *row, size_t stamp)
{
	bool fine = add_to_total(u->rows, row->key, row->key_len, row, stamp);

	for (uint32_t i = 1; i + row->frames.cut < row->frames.count && fine;
	     i++) {
		struct hp_row *sum = rollup_method(u, row->frames.text[i]);

		fine = sum != NULL;
		if (fine)
			rollup_include(u->rows, sum, row, stamp);
	}
	return fine;
}

enum hp_status
hp_rollups_add(struct hp_rows *rows, enum hp_by by, struct hp_error *err)
{
	struct rollup u = {.rows = rows};
	size_t n = rows->count;
	bool fine = true;

	for (size_t i = 0; i < n && fine && hp_key_is(by, HP_KEY_LEVELS); i++)
		fine = !is_package(rows->list[i]) ||
		       rollup_count(&u, rows->list[i]);
	for (size_t i = 0; i < n && fine; i++) {
		const struct hp_row *row = rows->list[i];

		if (row->rollup)
			continue;
		if (hp_key_is(by, HP_KEY_LEVELS) && is_package(row))
			fine = add_package_totals(&u, row, i + 1);
		if (hp_key_is(by, HP_KEY_PARTS_OF_HEAP))
			fine = add_to_total(rows, row->key, row->holder_len,
					    row, i + 1);
		if (hp_key_is(by, HP_KEY_NAMES_FRAME))
			fine = add_method_totals(&u, row, i + 1);
	}
	hp_id_map_release(&u.packages);
	hp_id_map_release(&u.methods);
	return fine ? HP_OK : hp_no_memory(err);
}
