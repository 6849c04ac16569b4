/*
 * test_big_array.c - tests of arrays that are moved from memory to files while
 * other threads read them
 */
#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/graph/big_array.h"
#include "tests/unit/must.h"

#include <stdatomic.h>

enum { BYTES = 24 << 20, NUMBERS = BYTES / 8, PART = 5 << 20 };

struct reader {
	const uint64_t *at;
	uint64_t wrong, rounds;
	_Atomic bool *ended;
};

static uint64_t
number_at(uint64_t i)
{
	return i * UINT64_C(0x9E3779B97F4A7C15);
}

static void
write_numbers(uint64_t *at)
{
	for (uint64_t i = 0; i < NUMBERS; i++)
		at[i] = number_at(i);
}

static void
check_numbers(const uint64_t *at)
{
	for (uint64_t i = 0; i < NUMBERS; i++)
		must(at[i] == number_at(i));
}

/*
 * The attribute is needed because ThreadSanitizer takes mmap(), which replaces
 * the pages by equal ones, for a write.
 */
__attribute__((no_sanitize("thread"))) static void *
read_all(void *argument)
{
	struct reader *r = argument;

	do {
		for (uint64_t i = 0; i < NUMBERS; i += 61)
			r->wrong += r->at[i] != number_at(i);
		r->rounds++;
	} while (!atomic_load(r->ended));
	return NULL;
}

START_TEST(moves)
{
	struct hp_big_memory m = {.limit = UINT64_MAX, .in_order = UINT64_MAX};
	struct hp_big_array a, b;
	_Atomic bool ended = false;
	struct reader r = {.ended = &ended};
	pthread_t thread;
	uint64_t *at, left = PART, held;

	must(hp_big_array_make(&m, &a, BYTES, HP_BIG_RANDOM, NULL) == HP_OK);
	r.at = at = a.at;
	write_numbers(at);
	must(hp_thread_start(&thread, read_all, &r, NULL) == HP_OK);
	m.limit = m.in_order = m.held;
	must(hp_big_array_move_to_file(&m, &a, &left, NULL) == HP_OK);
	ck_assert_uint_eq(left, 0);
	held = m.held;
	ck_assert_uint_le(held, BYTES - PART);
	ck_assert_uint_gt(held, 0);
	ck_assert_uint_eq(m.held + m.in_file, BYTES);
	ck_assert_uint_eq(hp_big_array_in_file(&a), m.in_file);
	/* another array must not take the memory */
	must(hp_big_array_make(&m, &b, PART, HP_BIG_RANDOM, NULL) == HP_OK);
	ck_assert_uint_eq(m.held, held);
	hp_big_array_drop(&m, &b);
	/* there is less in memory than asked for */
	left = 2 * BYTES;
	must(hp_big_array_move_to_file(&m, &a, &left, NULL) == HP_OK);
	ck_assert_uint_eq(left, 2 * BYTES - held);
	ck_assert_uint_eq(m.held, 0);
	atomic_store(&ended, true);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(r.wrong, 0);
	check_numbers(at);
	/* the array can still be written to */
	at[0] = at[NUMBERS - 1] = 1;
	must(at[0] == 1 && at[NUMBERS - 1] == 1);
	hp_big_array_drop(&m, &a);
	ck_assert_uint_eq(m.held, 0);
	ck_assert_uint_eq(m.in_file, 0);
}
END_TEST

/* Bytes that were moved to files can be moved back, as far as allowed. */
START_TEST(moves_back)
{
	struct hp_memory memory = {.limit = 2 * (uint64_t)BYTES};
	struct hp_memory *before = hp_memory_enter(&memory);
	struct hp_big_memory m = {.limit = UINT64_MAX, .in_order = UINT64_MAX};
	struct hp_big_array a;
	uint64_t *at, left = 3 * PART, in_file, used;

	must(hp_big_array_make(&m, &a, BYTES, HP_BIG_RANDOM, NULL) == HP_OK);
	at = a.at;
	write_numbers(at);
	used = memory.limit - hp_memory_left();
	must(hp_big_array_move_to_file(&m, &a, &left, NULL) == HP_OK);
	in_file = m.in_file;
	hp_big_array_move_to_memory(&m, &a, PART);
	ck_assert_uint_eq(m.in_file, in_file - PART);
	ck_assert_uint_eq(hp_big_array_in_file(&a), m.in_file);
	ck_assert_uint_eq(m.held + m.in_file, BYTES);
	check_numbers(at);
	/* more than there is */
	hp_big_array_move_to_memory(&m, &a, BYTES);
	ck_assert_uint_eq(m.in_file, 0);
	ck_assert_uint_eq(m.held, BYTES);
	ck_assert_uint_eq(memory.limit - hp_memory_left(), used);
	/* there is memory only for a part */
	left = BYTES;
	must(hp_big_array_move_to_file(&m, &a, &left, NULL) == HP_OK);
	memory.limit = memory.limit - hp_memory_left() + PART;
	hp_big_array_move_to_memory(&m, &a, BYTES);
	ck_assert_uint_gt(m.held, 0);
	ck_assert_uint_le(m.held, PART);
	check_numbers(at);
	at[0] = at[NUMBERS - 1] = 1;
	must(at[0] == 1 && at[NUMBERS - 1] == 1);
	hp_big_array_drop(&m, &a);
	ck_assert_uint_eq(m.held, 0);
	ck_assert_uint_eq(m.in_file, 0);
	hp_memory_enter(before);
}
END_TEST

/*
 * What the limit leaves is used first. Only then is the limit raised, up to
 * what it was before other bytes were moved to a file.
 */
START_TEST(room)
{
	struct hp_big_memory m = {.limit = BYTES, .in_order = BYTES};
	struct hp_big_array a, b;
	uint64_t left = PART;

	must(hp_big_array_make(&m, &b, BYTES / 2, HP_BIG_RANDOM, NULL) ==
	     HP_OK);
	must(hp_big_array_make(&m, &a, BYTES, HP_BIG_RANDOM, NULL) == HP_OK);
	write_numbers(a.at);
	ck_assert_uint_eq(hp_big_memory_room(&m), 0);
	ck_assert_uint_eq(hp_big_array_in_file(&a), BYTES / 2);
	/* the array @b makes room */
	must(hp_big_array_move_to_file(&m, &b, &left, NULL) == HP_OK);
	left = BYTES - m.limit;
	hp_big_array_move_to_memory(&m, &a, left);
	ck_assert_uint_eq(m.limit, BYTES);
	ck_assert_uint_eq(m.in_order, BYTES);
	ck_assert_uint_eq(hp_big_memory_room(&m), 0);
	/* an array that is freed leaves room, and the limit stays */
	hp_big_array_drop(&m, &b);
	hp_big_array_move_to_memory(&m, &a, hp_big_memory_room(&m));
	ck_assert_uint_eq(m.limit, BYTES);
	ck_assert_uint_eq(hp_big_memory_room(&m), 0);
	check_numbers(a.at);
	hp_big_array_drop(&m, &a);
}
END_TEST

START_TEST(cannot_move)
{
	struct hp_big_memory m = {
		.limit = UINT64_MAX, .in_order = UINT64_MAX, .dir = "/none"};
	struct hp_big_array a;
	uint64_t left = PART;

	must(hp_big_array_make(&m, &a, BYTES, HP_BIG_RANDOM, NULL) == HP_OK);
	*(char *)a.at = 1;
	must(hp_big_array_move_to_file(&m, &a, &left, NULL) == HP_IO);
	ck_assert_uint_eq(left, PART);
	ck_assert_uint_eq(m.held, BYTES);
	must(*(char *)a.at == 1);
	hp_big_array_drop(&m, &a);
}
END_TEST

Suite *test_big_array_suite(void);

Suite *
test_big_array_suite(void)
{
	Suite *s = suite_create("big_array");
	TCase *t = tcase_create("big_array");

	tcase_add_test(t, moves);
	tcase_add_test(t, moves_back);
	tcase_add_test(t, room);
	tcase_add_test(t, cannot_move);
	suite_add_tcase(s, t);
	return s;
}
