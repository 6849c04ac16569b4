/*
 * test_validate_values.c - tests of rules about single values: every byte of a
 * text, and every number in ALLOC SITES
 */
#include "common/base/buf.h"
#include "tests/builder/builder.h"
#include "tests/unit/must.h"
#include "tests/unit/validate_helper.h"
#include "validate/validate.h"

#include <string.h>

enum { SERIAL = 7, TRACE = 1 };

static void
begin(struct b *b)
{
	b_init(b, 4);
	b_header(b, "JAVA PROFILE 1.0.2", 1000);
}

static void
validate(struct b *b, struct hp_validation *v)
{
	struct hp_validate_options o = {.threads = 1,
					.memory = 64 << 20,
					.level = HP_LEVEL_REFERENCES,
					.max_examples = 5000};
	char path[32];
	int fd;

	b_heap_dump(b);
	b_close(b);
	fd = bytes_as_file(b->data, b->len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	hp_validate_file(path, &o, v);
	close(fd);
	b_release(b);
}

static const struct hp_reported *
find(const struct hp_validation *v, enum hp_rule rule)
{
	for (size_t i = 0; i < v->nrules; i++)
		if (v->rules[i].rule == rule)
			return &v->rules[i];
	return NULL;
}

START_TEST(every_byte_of_a_text)
{
	enum { LONGEST = 40 };
	size_t offsets[LONGEST * LONGEST], n = 0;
	const struct hp_reported *r;
	struct hp_validation v;
	char text[LONGEST];
	struct b b;

	begin(&b);
	for (size_t length = 1; length < LONGEST; length++)
		for (size_t at = 0; at < length; at++) {
			memset(text, 'a', sizeof(text));
			text[at] = (char)0xFF;
			offsets[n] = b_string_n(&b, 1000 + n, text, length);
			/* also add one valid text */
			memset(text, 'b', sizeof(text));
			b_string_n(&b, 100000 + n, text, length);
			n++;
		}
	validate(&b, &v);
	r = find(&v, HP_RULE_STRING_MUTF8);
	must(r != NULL);
	ck_assert_uint_eq(r->count, n);
	ck_assert_uint_eq(r->nexamples, n);
	for (size_t i = 0; i < n; i++)
		must(r->examples[i].offset >= offsets[i] &&
		     r->examples[i].offset < offsets[i] + 9 + 4 + LONGEST);
	hp_validation_release(&v);
}
END_TEST

/*
 * ALLOC SITES records in which one number is too large, either in a row or in
 * the totals.
 */
static const struct {
	struct b_site site;
	struct b_totals totals;
	uint64_t found;
} sites[] = {
	/*
	 * in this order: live bytes, live objects, allocated bytes, allocated
	 * objects
	 */
	{{0, SERIAL, TRACE, 16, 1, 16, 1}, {16, 1, 16, 1}, 0},
	{{0, SERIAL, TRACE, 17, 1, 16, 1}, {17, 1, 17, 1}, 1},
	{{0, SERIAL, TRACE, 16, 2, 16, 1}, {16, 2, 16, 2}, 1},
	{{0, SERIAL, TRACE, 16, 1, 16, 1}, {15, 1, 16, 1}, 1},
	{{0, SERIAL, TRACE, 16, 1, 16, 1}, {16, 0, 16, 1}, 1},
	{{0, SERIAL, TRACE, 16, 1, 16, 1}, {16, 1, 15, 1}, 1},
	{{0, SERIAL, TRACE, 16, 1, 16, 1}, {16, 1, 16, 0}, 1},
};

START_TEST(every_number_of_sites)
{
	const struct hp_reported *r;
	struct hp_validation v;
	struct b b;

	begin(&b);
	b_string(&b, 100, "a/B");
	b_load_class(&b, SERIAL, 0x1000, TRACE, 100);
	b_trace(&b, TRACE, 0, 0, NULL);
	b_alloc_sites(&b, 0, 0, &sites[_i].totals, 1, &sites[_i].site);
	validate(&b, &v);
	r = find(&v, HP_RULE_SITES_ARITH);
	ck_assert_uint_eq(r ? r->count : 0, sites[_i].found);
	hp_validation_release(&v);
}
END_TEST

Suite *test_validate_values_suite(void);

Suite *
test_validate_values_suite(void)
{
	Suite *s = suite_create("validate_values");
	TCase *t = tcase_create("values");

	tcase_add_test(t, every_byte_of_a_text);
	tcase_add_loop_test(t, every_number_of_sites, 0,
			    (int)HP_ARRAY_LEN(sites));
	suite_add_tcase(s, t);
	return s;
}
