/*
 * diff_run.c - run hprof-diff's comparison for a fuzz target, and check all its
 * reports
 *
 * hp_fuzz_diff() does what main() of hprof-diff does after parsing the options
 * and before writing the output.
 */
#include "tests/fuzz/diff_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct hp_page_text hp_diff_page;

typedef enum hp_status writer(const struct hp_result *r, FILE *out,
			      struct hp_error *err);

static enum hp_status
plain_table(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_table_style style = {0};

	return hp_report_table(r, &style, out, err);
}

static enum hp_status
narrow_table(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_table_style style = {
		.width = 40, .color = true, .underline = true};

	return hp_report_table(r, &style, out, err);
}

static enum hp_status
flat_rows(const struct hp_result *r, const char *format, FILE *out,
	  struct hp_error *err)
{
	struct hp_diff_options o = *r->options;
	struct hp_buf error = {0};
	struct hp_flat_rows f = {0};
	enum hp_status st;

	o.common.format = format;
	hp_report_rows_open(&f, &o, r->rows.retained, out);
	st = hp_report_rows(&f, r, &error, err);
	hp_flat_release(&f);
	return st;
}

static enum hp_status
ndjson_rows(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	return flat_rows(r, "rows", out, err);
}

static enum hp_status
tsv_rows(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	return flat_rows(r, "tsv", out, err);
}

static char *
report(const struct hp_result *r, writer *write, size_t *n)
{
	struct hp_error err = {0};
	char *text = NULL;
	FILE *out = open_memstream(&text, n);
	enum hp_status st;

	HP_FUZZ_CHECK(out != NULL);
	st = write(r, out, &err);
	if (st != HP_OK)
		hp_fuzz_violated(err.text, __FILE__, __LINE__);
	HP_FUZZ_CHECK(fclose(out) == 0);
	return text;
}

/*
 * Check that every line of the text is a JSON value, and that the last line
 * ends with a newline.
 */
static void
check_lines(const char *text, size_t n)
{
	while (n > 0) {
		const char *end = memchr(text, '\n', n);

		HP_FUZZ_CHECK(end != NULL);
		hp_fuzz_check_json(text, (size_t)(end - text), false);
		n -= (size_t)(end + 1 - text);
		text = end + 1;
	}
}

/*
 * Check that the text contains no control characters, which could harm a
 * terminal, a spreadsheet or a database.
 */
static void
check_visible(const char *text, size_t n, bool colors)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)text[i];

		HP_FUZZ_CHECK(c >= 0x20 || c == '\n' || c == '\t' ||
			      c == '\r' || (colors && c == 0x1B));
		HP_FUZZ_CHECK(c != 0x7F);
	}
}

static void
write_reports(const struct hp_result *r)
{
	static const struct {
		writer *write;
		enum { VISIBLE, COLORED, JSON, LINES, PAGE } kind;
		bool of_one;
	} reports[] = {
		{plain_table, VISIBLE},	   {narrow_table, COLORED},
		{hp_report_csv, VISIBLE},  {hp_report_folded, VISIBLE},
		{hp_report_json, JSON},	   {hp_report_ndjson, LINES},
		{hp_report_html, PAGE},	   {ndjson_rows, LINES, true},
		{tsv_rows, VISIBLE, true},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(reports); i++) {
		size_t n = 0;
		char *text;

		if (reports[i].of_one && !r->options->flat)
			continue;
		text = report(r, reports[i].write, &n);
		switch (reports[i].kind) {
		case JSON:
			hp_fuzz_check_json(text, n, false);
			break;
		case LINES:
			check_lines(text, n);
			break;
		case PAGE:
			hp_fuzz_check_page(&hp_diff_page, text, n);
			break;
		default:
			check_visible(text, n, reports[i].kind == COLORED);
		}
		free(text);
	}
}

void
hp_fuzz_diff_options(struct hp_diff_options *o, char **paths, size_t npaths)
{
	hp_diff_options_init(o);
	o->all = o->partial = true;
	o->common.format = "html";
	o->common.threads = 1;
	o->common.memory = 1 << 30;
	o->common.max_size = HP_FUZZ_UNPACKED;
	o->common.arguments = paths;
	o->common.argument_count = npaths;
}

bool
hp_fuzz_diff(const struct hp_diff_options *o, bool reports,
	     hp_fuzz_diff_check *check, void *ctx)
{
	FILE *null = fopen("/dev/null", "w");
	const struct hp_messages m = {.program = "fuzz", .file = null};
	struct hp_error err = {0};
	struct hp_result r;
	bool done;

	HP_FUZZ_CHECK(null != NULL);
	HP_FUZZ_CHECK(hp_result_init(&r, o->common.argument_count, &err) ==
		      HP_OK);
	r.by = o->by;
	r.options = o;
	r.threads = o->common.threads;
	r.heap_shown = o->heap != NULL;
	r.rows.retained = o->retained;
	hp_result_set_columns(&r, o);
	if (o->flat) {
		r.dumps[0].path = o->common.arguments[0];
		HP_FUZZ_CHECK(hp_dump_id_of_file(&r.dumps[0].id,
						 r.dumps[0].path,
						 &err) == HP_OK);
	}
	done = hp_compare_run(&r, o, &m) == HP_EXIT_OK &&
	       hp_result_finish(&r, o, 0, &err) == HP_OK;
	if (done && check)
		check(&r, ctx);
	if (done && reports)
		write_reports(&r);
	hp_result_release(&r);
	fclose(null);
	return done;
}
