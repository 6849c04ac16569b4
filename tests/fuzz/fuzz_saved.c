/*
 * fuzz_saved.c - fuzz target: results that were saved as JSON
 *
 * hprof-diff reads its own JSON results instead of dumps, and hprof-validate
 * reads its own results as a baseline. If the input begins with "{", the target
 * uses it as such a result. It treats any other input as a dump: it saves the
 * result of the dump and reads this result again. A comparison of both must
 * show no difference.
 */
#include "tests/fuzz/diff_run.h"
#include "validate/baseline.h"
#include "validate/report/report.h"
#include "validate/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* a small dump with a few findings, to which a baseline is applied */
static const uint8_t small_dump[] =
	"JAVA PROFILE 1.0.2\0"
	"\0\0\0\4\0\0\0\0\0\0\3\350"
	"\1\0\0\0\0\0\0\0\6\0\0\0\1ab"
	"\1\0\0\0\0\0\0\0\6\0\0\0\1cd"
	"\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\7\0\0\0\1\0\0\0\11"
	"\34\0\0\0\0\0\0\0\5\5\0\0\0\10"
	"\54\0\0\0\0\0\0\0";

static void
path_of(char path[32], int fd)
{
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

static bool
has(const uint8_t *data, size_t n, const char *text)
{
	return memmem(data, n < 4096 ? n : 4096, text, strlen(text)) != NULL;
}

/*
 * Choose the options that the saved result requires, because hprof-diff refuses
 * a saved result of other options.
 */
static void
options_of(struct hp_diff_options *o, const uint8_t *data, size_t n)
{
	char by[40];

	for (int k = HP_BY_CLASS; k <= HP_BY_PATH; k++) {
		snprintf(by, sizeof(by), "\"by\": \"%s\"",
			 hp_by_name((enum hp_by)k));
		if (has(data, n, by))
			o->by = (enum hp_by)k;
	}
	o->retained = hp_diff_by_graph(o) ||
		      (has(data, n, "\"reachability\"") && o->by < HP_BY_CPU);
	o->raw_names = !has(data, n, "\"normalize\": true");
	o->hide_fillers = has(data, n, "\"fillers\": \"hide\"");
	o->site_lines = has(data, n, "\"site_lines\": true");
	if (has(data, n, "\"largest\""))
		o->columns |= HP_COLUMN_LARGEST;
}

static void
read_result(const uint8_t *data, size_t n)
{
	int fd = hp_fuzz_file(data, n);
	struct hp_diff_options o;
	char path[32], *paths[] = {path, path, path};

	path_of(path, fd);
	hp_fuzz_diff_options(&o, paths, 2 + hp_fuzz_choice(data, n, 2));
	options_of(&o, data, n);
	hp_fuzz_diff(&o, true, NULL, NULL);
	hp_diff_options_release(&o);
	close(fd);
}

/*
 * Validate the bytes as a file. @path receives the path of this file, which
 * also occurs in the result.
 */
static void
validate(char path[32], const uint8_t *data, size_t n,
	 struct hp_validate_options *o, struct hp_validation *v)
{
	int fd = hp_fuzz_file(data, n);

	*o = (struct hp_validate_options){.threads = 1,
					  .memory = 64 << 20,
					  .max_size = HP_FUZZ_UNPACKED,
					  .level = HP_LEVEL_GRAPH,
					  .max_examples = 100};
	memset(o->severity, HP_SEVERITY_AS_IS, sizeof(o->severity));
	path_of(path, fd);
	hp_validate_file(path, o, v);
	close(fd);
}

/*
 * Apply a baseline, and return the number of findings in @v that it does not
 * contain.
 */
static void
apply_baseline(const uint8_t *json, size_t n,
	       const struct hp_validate_options *o, struct hp_validation *v)
{
	struct hp_validate_baseline *b = NULL;
	struct hp_error err = {0};
	int fd = hp_fuzz_file(json, n);
	char path[32];
	enum hp_status st;

	path_of(path, fd);
	st = hp_validate_baseline_open(&b, path, &err);
	if (st == HP_OK)
		hp_validate_baseline_apply(b, o, v);
	else
		HP_FUZZ_CHECK(err.text[0] != '\0');
	hp_validate_baseline_close(b);
	close(fd);
}

static uint64_t
findings(const struct hp_validation *v)
{
	uint64_t n = 0;

	for (int s = 0; s < HP_SEVERITY_COUNT; s++)
		n += v->totals[s];
	return n;
}

static void
read_baseline(const uint8_t *data, size_t n)
{
	struct hp_validate_options o;
	struct hp_validation v;
	uint64_t before;
	char path[32];

	validate(path, small_dump, sizeof(small_dump) - 1, &o, &v);
	before = findings(&v);
	HP_FUZZ_CHECK(before > 0);
	apply_baseline(data, n, &o, &v);
	HP_FUZZ_CHECK(findings(&v) + v.known == before);
	hp_validation_release(&v);
}

/* --- the input is a dump: save its result, and read it again ----------- */

struct saved {
	char *text;
	size_t n;
};

static void
save(const struct hp_result *r, void *ctx)
{
	struct saved *s = ctx;
	FILE *out = open_memstream(&s->text, &s->n);

	HP_FUZZ_CHECK(out && hp_report_json(r, out, NULL) == HP_OK);
	HP_FUZZ_CHECK(fclose(out) == 0);
}

static void
unchanged(const struct hp_result *r, void *ctx)
{
	HP_FUZZ_CHECK(!r->changed);
}

static void
diff_again(const uint8_t *data, size_t n)
{
	static const enum hp_by ways[] = {
		HP_BY_CLASS,	 HP_BY_PACKAGE, HP_BY_LOADER,
		HP_BY_HEAP,	 HP_BY_SITE,	HP_BY_CPU,
		HP_BY_DOMINATOR, HP_BY_HOLDER,	HP_BY_PATH};
	unsigned way = hp_fuzz_choice(data, n, HP_ARRAY_LEN(ways));
	int fd = hp_fuzz_file(data, n), json;
	struct hp_diff_options o;
	struct saved s = {0};
	char dump[32], saved[32], *paths[] = {dump, dump};

	path_of(dump, fd);
	hp_fuzz_diff_options(&o, paths, 1);
	o.common.format = "json";
	o.by = ways[way];
	o.retained = hp_diff_by_graph(&o);
	if (hp_fuzz_diff(&o, false, save, &s)) {
		json = hp_fuzz_file((const uint8_t *)s.text, s.n);
		path_of(saved, json);
		paths[0] = saved;
		o.common.argument_count = 2;
		HP_FUZZ_CHECK(hp_fuzz_diff(&o, true, unchanged, NULL));
		close(json);
	}
	free(s.text);
	hp_diff_options_release(&o);
	close(fd);
}

/*
 * Validate the same file again, with its first result as a baseline. The
 * baseline must contain every finding.
 */
static void
validate_again(const uint8_t *data, size_t n)
{
	struct hp_validate_options o;
	struct hp_validation v;
	const struct hp_validate_report report = {
		.files = &v, .count = 1, .disabled = o.disabled, .command = ""};
	struct saved s = {0};
	FILE *out = open_memstream(&s.text, &s.n);
	char path[32];

	validate(path, data, n, &o, &v);
	HP_FUZZ_CHECK(out &&
		      hp_validate_report_json(&report, out, NULL) == HP_OK);
	HP_FUZZ_CHECK(fclose(out) == 0);
	hp_fuzz_check_json(s.text, s.n, false);
	apply_baseline((const uint8_t *)s.text, s.n, &o, &v);
	HP_FUZZ_CHECK(findings(&v) == 0);
	free(s.text);
	hp_validation_release(&v);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	if (n > 0 && data[0] == '{') {
		read_result(data, n);
		read_baseline(data, n);
	} else {
		diff_again(data, n);
		validate_again(data, n);
	}
	return 0;
}
