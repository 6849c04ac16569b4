/*
 * fuzz_validate.c - fuzz target: the validation of an input
 *
 * The findings must be the same, with the same offsets and texts, for a file
 * and a pipe, and for one thread and two. The only exception is a result that
 * says that a check was not possible.
 */
#include "tests/fuzz/fuzz.h"
#include "validate/validate.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
same_rule(const struct hp_reported *a, const struct hp_reported *b)
{
	HP_FUZZ_CHECK(a->rule == b->rule);
	HP_FUZZ_CHECK(a->severity == b->severity);
	HP_FUZZ_CHECK(a->count == b->count);
	HP_FUZZ_CHECK(a->nexamples == b->nexamples);
	for (size_t i = 0; i < a->nexamples; i++) {
		const struct hp_example *x = &a->examples[i];
		const struct hp_example *y = &b->examples[i];

		HP_FUZZ_CHECK(x->offset == y->offset);
		HP_FUZZ_CHECK(x->record == y->record);
		HP_FUZZ_CHECK(!x->field == !y->field);
		HP_FUZZ_CHECK(!x->field || strcmp(x->field, y->field) == 0);
		HP_FUZZ_CHECK(strcmp(x->message, y->message) == 0);
	}
}

/*
 * Whether --memory was too small to check the heap. The needed memory depends
 * on the number of threads, and is larger for a pipe, whose bytes are copied.
 */
static bool
lacked_memory(const struct hp_validation *v)
{
	return v->verdict == HP_UNREADABLE && v->error.status == HP_LIMIT;
}

static void
same(const struct hp_validation *a, const struct hp_validation *b)
{
	if (lacked_memory(a) || lacked_memory(b))
		return;
	HP_FUZZ_CHECK(a->verdict == b->verdict);
	HP_FUZZ_CHECK(a->compression == b->compression);
	HP_FUZZ_CHECK(a->dialect == b->dialect);
	HP_FUZZ_CHECK(memcmp(a->records, b->records, sizeof(a->records)) == 0);
	HP_FUZZ_CHECK(memcmp(a->subs, b->subs, sizeof(a->subs)) == 0);
	if (a->nlimits || b->nlimits || a->verdict == HP_UNREADABLE)
		return;
	HP_FUZZ_CHECK(a->bytes == b->bytes);
	HP_FUZZ_CHECK(a->checked == b->checked);
	HP_FUZZ_CHECK(a->null == b->null);
	HP_FUZZ_CHECK(a->dangling == b->dangling);
	HP_FUZZ_CHECK(a->nrules == b->nrules);
	for (size_t i = 0; i < a->nrules; i++)
		same_rule(&a->rules[i], &b->rules[i]);
}

static void
check(const struct hp_validation *r)
{
	HP_FUZZ_CHECK(r->verdict != HP_UNREADABLE || r->error.text[0]);
	if (r->verdict == HP_UNREADABLE)
		return;
	HP_FUZZ_CHECK((r->verdict == HP_INVALID) ==
		      (r->totals[HP_SEVERITY_ERROR] > 0));
	HP_FUZZ_CHECK(r->dangling <= r->checked);
	for (size_t i = 0; i < r->nrules; i++) {
		HP_FUZZ_CHECK(r->rules[i].count >= r->rules[i].nexamples);
		HP_FUZZ_CHECK(r->rules[i].nexamples > 0);
	}
}

static void
validate(const uint8_t *data, size_t n, enum hp_fuzz_kind kind,
	 unsigned threads, enum hp_level level, struct hp_validation *out)
{
	struct hp_validate_options o = {.threads = threads,
					.memory = 64 << 20,
					.max_size = HP_FUZZ_UNPACKED,
					.level = level,
					.max_examples = 5};
	int fd = kind == HP_FUZZ_FILE ? hp_fuzz_file(data, n)
				      : hp_fuzz_pipe(data, n);
	char path[32];

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	hp_validate_file(path, &o, out);
	close(fd);
	check(out);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	static const enum hp_level levels[] = {
		HP_LEVEL_REFERENCES, HP_LEVEL_GRAPH, HP_LEVEL_REFERENCES,
		HP_LEVEL_FRAMING};
	unsigned way = hp_fuzz_choice(data, n, 8);
	enum hp_level level = levels[way / 2];
	struct hp_validation a, b;

	validate(data, n, HP_FUZZ_FILE, 1, level, &a);
	validate(data, n, way & 1 ? HP_FUZZ_PIPE : HP_FUZZ_FILE,
		 way & 1 ? 1 : 2, level, &b);
	same(&a, &b);
	hp_validation_release(&a);
	hp_validation_release(&b);
	return 0;
}
