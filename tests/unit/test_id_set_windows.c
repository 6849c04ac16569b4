/*
 * test_id_set_windows.c - tests of dumps whose ids do not fit in memory
 *
 * Each test dump, and each dump of the corpus, is validated twice: with enough
 * memory for all ids, and with so little that the dump must be read once for
 * each range of ids. The results must be equal, byte by byte. A pipe can be
 * read only once, so with little memory the program cannot make all checks. The
 * result must then contain a note about this, but no false findings.
 */
#include "common/base/platform.h"
#include "tests/builder/fixtures.h"
#include "tests/builder/world.h"
#include "tests/unit/validate_helper.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Memory limits for the sets of ids, in bytes. SMALL suffices for the ids of
 * missing objects and, with three threads, for one range of ids. SCANT is less
 * than that. TINY barely suffices for a list of ids.
 */
enum {
	PLENTY = 64 << 20,
	SMALL = 800 << 10,
	SCANT = 100 << 10,
	TINY = 12 << 10
};

/*
 * The number of memory limits is halved under ThreadSanitizer, which is slow.
 * The code paths are the same.
 */
enum { EACH_BUDGET = HP_TSAN ? 2 : 1 };

static void
options_init(struct hp_validate_options *o, unsigned threads,
	     uint64_t id_memory)
{
	*o = (struct hp_validate_options){.threads = threads,
					  .memory = PLENTY,
					  .id_memory = id_memory,
					  .level = HP_LEVEL_REFERENCES,
					  .max_examples = 5};
	memset(o->severity, HP_SEVERITY_AS_IS, sizeof(o->severity));
}

static char *
json_of(const char *path, unsigned threads, uint64_t id_memory,
	struct hp_validation *v)
{
	struct hp_validate_options o;

	options_init(&o, threads, id_memory);
	hp_validate_file(path, &o, v);
	return json_of_validation(v);
}

static size_t
difference(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] != '\0' && a[i] == b[i])
		i++;
	return i;
}

/*
 * Check that the result is the same for all memory limits as with plenty of
 * memory. For a very small limit, it may instead have an error or a note about
 * the limit.
 */
static void
same_result(const char *what, const char *path)
{
	static const uint64_t budgets[] = {SMALL, SCANT, TINY, 1};
	struct hp_validation v, w;
	char *want = json_of(path, 1, 0, &v), *got;

	for (size_t i = 0; i < HP_ARRAY_LEN(budgets); i += EACH_BUDGET)
		for (unsigned threads = HP_TSAN ? 3 : 1; threads <= 3;
		     threads += 2) {
			got = json_of(path, threads, budgets[i], &w);
			ck_assert(budgets[i] != SMALL || w.nlimits == 0);
			if (budgets[i] == SMALL ||
			    (w.verdict != HP_UNREADABLE && w.nlimits == 0))
				ck_assert_msg(strcmp(want, got) == 0,
					      "%s, %u threads, %llu bytes: "
					      "not %.200s but %.200s",
					      what, threads,
					      (unsigned long long)budgets[i],
					      want + difference(want, got),
					      got + difference(want, got));
			else if (w.verdict == HP_UNREADABLE)
				ck_assert_int_eq(w.error.status, HP_LIMIT);
			free(got);
			hp_validation_release(&w);
		}
	free(want);
	hp_validation_release(&v);
}

static void
check_bytes(const char *what, const struct b *b)
{
	int fd = bytes_as_file(b->data, b->len);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	same_result(what, path);
	close(fd);
}

START_TEST(fixtures)
{
	const struct b_fixture *f = &b_fixtures()[_i];

	for (unsigned id_size = 4; id_size <= 8; id_size += 4) {
		struct b b;

		if (!(f->id_sizes & id_size) ||
		    strcmp(f->name, "overflow") == 0)
			continue;
		b_fixture_build(f, &b, id_size);
		check_bytes(f->name, &b);
		b_release(&b);
	}
}
END_TEST

START_TEST(prefixes)
{
	struct b b;
	size_t whole;

	b_world(&b, (enum b_writer)_i, b_writer_id_size((enum b_writer)_i));
	whole = b.len;
	for (size_t n = whole / 2; n < whole; n += 1 + whole / 40) {
		b.len = n;
		check_bytes("prefix", &b);
	}
	b.len = whole;
	b_release(&b);
}
END_TEST

/* --- a heap whose ids are in many ranges (stretches) ----------------- */

enum {
	/*
	 * size in bytes of a range of ids; each range gets a bit set of its own
	 */
	STRETCH = 8 << 20,
	STRETCHES = 20,
	OBJECTS = 40, /* number of objects in each range */
	/*
	 * size in bytes of an array that is so long that it is handled in
	 * several pieces
	 */
	LARGE = 2200 << 10,
	DENSE = 3000, /* number of elements of the arrays with many elements */
};

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static uint64_t
wide_id(unsigned stretch, uint64_t object)
{
	return 0x10000000 + (uint64_t)stretch * 3 * STRETCH + object * 0x400;
}

/*
 * Fill an array with random ids. Each id is null, the id of an object or, with
 * a probability of @dangling percent, the id of an object that does not exist.
 */
static void
fill_elements(uint64_t *e, size_t n, uint64_t *state, unsigned dangling)
{
	for (size_t i = 0; i < n; i++) {
		unsigned stretch = (unsigned)(next(state) % STRETCHES);

		e[i] = wide_id(stretch, next(state) % (OBJECTS / 2));
		if (next(state) % 10 == 0)
			e[i] = 0;
		else if (next(state) % 100 < dangling)
			e[i] = wide_id(stretch, 5000 + next(state) % 1000);
	}
}

/*
 * Write objects whose ids are in many ranges. Only roots and static fields
 * refer to the second half of the objects of each range. Some arrays refer to
 * objects that do not exist. Some ids occur twice, and some are unaligned.
 * Static fields refer to an array, to an unaligned id, and to a missing object.
 */
static void
wide_heap(struct b *b, uint64_t seed)
{
	uint32_t large = LARGE / b->id_size;
	uint64_t state = seed, *e = calloc(large, sizeof(*e));

	ck_assert_ptr_nonnull(e);
	for (unsigned s = 0; s < STRETCHES; s++) {
		b_close(b);
		b_segment(b);
		for (unsigned k = 0; k < OBJECTS; k++) {
			bool habit = k == 3 || k == OBJECTS - 2;
			size_t n = k == 5 && s % 4 == 0 ? DENSE : 20;

			fill_elements(e, n, &state, habit || k == 7 ? 60 : 0);
			b_object_array(
				b, wide_id(s, k),
				b_class_id(b, habit ? B_C_OBJECTS : B_C_ORDERS),
				(uint32_t)n, e);
		}
		for (unsigned k = 0; s % 8 == 0 && k < 3; k++)
			b_instance_zero(b, wide_id(s, 3),
					b_class_id(b, B_C_ORDER));
		if (s % 16 == 1)
			b_instance_zero(b, wide_id(s, 2) + 3,
					b_class_id(b, B_C_ORDER));
	}
	b_class(b, &(struct b_class){.id = wide_id(STRETCHES, 0),
				     .super = b_class_id(b, B_C_OBJECT),
				     .loader = wide_id(7, 9999),
				     .size = B_AUTO});
	b_static(b, b_intern(b, "holder"), B_OBJECT, wide_id(10, OBJECTS - 2));
	b_static(b, b_intern(b, "nothing"), B_OBJECT, wide_id(11, 7777));
	b_static(b, b_intern(b, "odd"), B_OBJECT, wide_id(1, 2) + 3);
	b_class_end(b);
	b_class(b, &(struct b_class){.id = wide_id(STRETCHES, 0),
				     .super = b_class_id(b, B_C_OBJECT),
				     .size = B_AUTO});
	b_static(b, b_intern(b, "holder"), B_OBJECT, wide_id(12, OBJECTS - 2));
	b_class_end(b);
	for (unsigned k = 0; k < STRETCHES; k += 2)
		b_root_jni_global(b, wide_id(k, OBJECTS - 2), 3 + k);
	b_root_jni_global(b, wide_id(14, 8888), 1);
	b_root_jni_global(b, wide_id(15, 8), 2);
	b_close(b);
	b_segment(b);
	fill_elements(e, large, &state, 1);
	b_object_array(b, wide_id(STRETCHES, 100), b_class_id(b, B_C_OBJECTS),
		       large, e);
	free(e);
}

static void
wide_dump(struct b *b, unsigned id_size)
{
	b_init(b, id_size);
	b_world_tables(b, B_HOTSPOT_25);
	b_intern(b, "holder");
	b_intern(b, "nothing");
	b_intern(b, "odd");
	b_world_heap(b);
	wide_heap(b, id_size);
	b_world_end(b);
}

START_TEST(wide)
{
	struct b b;

	wide_dump(&b, _i ? 8 : 4);
	check_bytes("wide", &b);
	b_release(&b);
}
END_TEST

START_TEST(in_each_dump)
{
	enum { DUMPS = 4 };
	const uint64_t nothing = 0x7fff0000;
	size_t at[DUMPS], found = 0;
	struct hp_validation v;
	char path[32];
	struct b b;
	int fd;

	b_init(&b, 4);
	b_world_tables(&b, B_AGENT);
	for (unsigned k = 0; k < DUMPS; k++) {
		b_world_heap(&b);
		at[k] = b_object_array(&b, 0x60000000 + 0x100 * k,
				       b_class_id(&b, B_C_ORDERS), 1, &nothing);
		b_close(&b);
	}
	fd = bytes_as_file(b.data, b.len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	free(json_of(path, 2, 0, &v));
	for (size_t i = 0; i < v.nrules; i++) {
		const struct hp_reported *r = &v.rules[i];

		if (r->rule != HP_RULE_REF_DANGLING_ARRAY)
			continue;
		ck_assert_uint_eq(r->count, DUMPS);
		for (; found < DUMPS; found++)
			ck_assert_uint_eq(r->examples[found].offset, at[found]);
	}
	ck_assert_uint_eq(found, DUMPS);
	hp_validation_release(&v);
	check_bytes("dumps", &b);
	close(fd);
	b_release(&b);
}
END_TEST

/* --- dumps from a pipe ------------------------------------------------ */

struct writing {
	const struct b *b;
	int fd;
};

static void *
write_all(void *arg)
{
	const struct writing *w = arg;
	size_t done = 0;
	ssize_t n = 1;

	for (; done < w->b->len && n > 0; done += (size_t)n)
		n = write(w->fd, w->b->data + done, w->b->len - done);
	close(w->fd);
	return NULL;
}

static uint64_t
count_of(const struct hp_validation *v, enum hp_rule rule)
{
	uint64_t n = 0;

	for (size_t i = 0; i < v->nrules; i++)
		if (v->rules[i].rule == rule)
			n += v->rules[i].count;
	return n;
}

static void
check_pipe(const char *what, const struct b *b, unsigned threads,
	   uint64_t id_memory)
{
	struct hp_validation v, w;
	struct hp_validate_options o;
	int fd = bytes_as_file(b->data, b->len), ends[2];
	struct writing writing = {.b = b};
	pthread_t thread;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	options_init(&o, 1, 0);
	hp_validate_file(path, &o, &v);
	close(fd);
	ck_assert_int_eq(pipe(ends), 0);
	writing.fd = ends[1];
	ck_assert_int_eq(pthread_create(&thread, NULL, write_all, &writing), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	options_init(&o, threads, id_memory);
	hp_validate_file(path, &o, &w);
	close(ends[0]);
	pthread_join(thread, NULL);
	ck_assert_int_ne(w.verdict, HP_UNREADABLE);
	ck_assert_uint_eq(v.checked, w.checked);
	for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
		uint64_t want = count_of(&v, (enum hp_rule)r),
			 got = count_of(&w, (enum hp_rule)r);

		if (w.nlimits > 0 ? got > want : got != want)
			ck_abort_msg("%s: %s: %llu, not %llu", what,
				     hp_rule_desc((enum hp_rule)r)->id,
				     (unsigned long long)got,
				     (unsigned long long)want);
	}
	hp_validation_release(&v);
	hp_validation_release(&w);
}

START_TEST(pipes)
{
	const struct b_fixture *f = &b_fixtures()[_i];
	struct b b;

	if (strcmp(f->name, "overflow") == 0)
		return;
	b_fixture_build(f, &b, 0);
	for (unsigned threads = 1; threads <= 2; threads++) {
		check_pipe(f->name, &b, threads, SMALL);
		check_pipe(f->name, &b, threads, TINY);
		check_pipe(f->name, &b, threads, 1);
	}
	b_release(&b);
}
END_TEST

START_TEST(wide_pipe)
{
	static const uint64_t budgets[] = {SMALL, SCANT, TINY, 1};
	struct b b;

	wide_dump(&b, 8);
	for (size_t i = 0; i < HP_ARRAY_LEN(budgets); i += EACH_BUDGET) {
		check_pipe("wide", &b, 1, budgets[i]);
		check_pipe("wide", &b, 3, budgets[i]);
	}
	b_release(&b);
}
END_TEST

/* --- the dumps of the corpus ------------------------------------------ */

START_TEST(corpus)
{
	DIR *dir = opendir("corpus");
	struct dirent *e;
	char path[300];

	/*
	 * the root directory of the project is the working directory of tests
	 */
	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir))) {
		if (!strstr(e->d_name, ".hprof") || strstr(e->d_name, ".json"))
			continue;
		snprintf(path, sizeof(path), "corpus/%s", e->d_name);
		same_result(e->d_name, path);
	}
	closedir(dir);
}
END_TEST

Suite *test_id_set_windows_suite(void);

Suite *
test_id_set_windows_suite(void)
{
	Suite *s = suite_create("windows");
	TCase *t = tcase_create("passes"), *q = quick_case(s, 60);
	int n = 0;

	while (b_fixtures()[n].name)
		n++;
	tcase_set_timeout(t, 240);
	tcase_add_loop_test(q, fixtures, 0, n / 3);
	/* ThreadSanitizer: a third of the fixtures, and only ids of 8 bytes */
	if (!HP_TSAN)
		tcase_add_loop_test(t, fixtures, n / 3, n);
	tcase_add_loop_test(t, prefixes, 0, B_WRITERS);
	tcase_add_loop_test(t, pipes, 0, HP_TSAN ? n / 3 : n);
	tcase_add_loop_test(t, wide, HP_TSAN, 2);
	tcase_add_test(q, in_each_dump);
	tcase_add_test(q, wide_pipe);
	tcase_add_test(t, corpus);
	suite_add_tcase(s, t);
	return s;
}
