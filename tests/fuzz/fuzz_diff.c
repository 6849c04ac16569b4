/*
 * fuzz_diff.c - fuzz target: histograms, and the comparison of a dump with
 * itself
 *
 * A comparison of an input with itself must show no difference, for any row
 * key. A comparison with a pack of the input must show no difference either. It
 * must be possible to write every report.
 */
#include "common/pack/internal.h"
#include "diff/internal.h"
#include "diff/report/report.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
reports(const struct hp_result *r, FILE *out)
{
	const struct hp_table_style style = {
		.width = 80, .color = true, .underline = true};

	HP_FUZZ_CHECK(hp_report_json(r, out, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_report_ndjson(r, out, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_report_csv(r, out, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_report_table(r, &style, out, NULL) == HP_OK);
}

/*
 * Check that a row has the same values in a dump and in its copy. The row key
 * determines which values a row has.
 */
static void
same_values(const struct hp_row *row, size_t ndumps)
{
	for (unsigned v = 0; v < HP_COLS; v++)
		for (size_t d = 1; row->value[v] && d < ndumps; d++)
			HP_FUZZ_CHECK(row->value[v][d] == row->value[v][0]);
}

static void
check(const struct hp_result *r)
{
	uint64_t counted = 0;

	HP_FUZZ_CHECK(!r->changed);
	for (size_t i = 0; i < r->rows.count; i++) {
		const struct hp_row *row = r->rows.list[i];

		if (!row->rollup && row->count)
			counted += row->count[0];
		same_values(row, r->ndumps);
	}
	if (r->by == HP_BY_CLASS)
		HP_FUZZ_CHECK(counted == r->total->count[0]);
	same_values(r->total, r->ndumps);
}

static void
compare(struct hp_diff_options *o, FILE *null)
{
	const struct hp_messages m = {.program = "fuzz", .file = null};
	struct hp_error err = {0};
	struct hp_result r;
	int status;

	HP_FUZZ_CHECK(hp_result_init(&r, o->common.argument_count, &err) ==
		      HP_OK);
	r.by = o->by;
	r.options = o;
	r.threads = o->common.threads;
	hp_result_set_columns(&r, o);
	status = hp_compare_run(&r, o, &m);
	if (status == HP_EXIT_OK) {
		HP_FUZZ_CHECK(hp_result_finish(&r, o, 0, &err) == HP_OK);
		if (r.ndumps > 1)
			check(&r);
		reports(&r, null);
	}
	hp_result_release(&r);
}

static enum hp_status
append_bytes(void *context, const void *buf, size_t n, struct hp_error *err)
{
	hp_buf_add(context, buf, n);
	return HP_OK;
}

static int
pack(const uint8_t *data, size_t n, size_t block)
{
	struct hp_buf out = {0};
	void *w = NULL;
	int fd;

	HP_FUZZ_CHECK(hp_pack_writer_open_sized(&w, append_bytes, &out, 1, 0,
						block, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_pack_writer_write(w, data, n, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_pack_writer_finish(w, NULL) == HP_OK);
	hp_pack_writer_close(w, false);
	HP_FUZZ_CHECK(hp_buf_ok(&out));
	fd = hp_fuzz_file((const uint8_t *)out.data, out.len);
	hp_buf_release(&out);
	return fd;
}

/*
 * Compare the input with a pack of it, and the pack with itself. The objects of
 * a pack are counted from its tables. Compressed inputs are skipped, because a
 * pack of them could be too large.
 */
static void
compare_packed(struct hp_diff_options *o, const uint8_t *data, size_t n,
	       char *path, FILE *null)
{
	static const size_t blocks[] = {HP_FUZZ_MAX, 500, 4000};
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	bool plain = src && hp_source_seekable(src);
	char packed[32], *paths[] = {path, packed, packed};
	int fd;

	hp_source_close(src);
	if (!plain)
		return;
	fd = pack(data, n, blocks[hp_fuzz_choice(data, n, 3)]);
	snprintf(packed, sizeof(packed), "/proc/self/fd/%d", fd);
	o->common.max_size = 0;
	o->common.arguments = paths;
	o->common.argument_count = 2;
	compare(o, null);
	o->common.arguments = paths + 1;
	o->common.threads = 2;
	compare(o, null);
	close(fd);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	static const enum hp_by ways[] = {
		HP_BY_CLASS, HP_BY_PACKAGE, HP_BY_LOADER, HP_BY_HEAP,
		HP_BY_SITE,  HP_BY_CPU,	    HP_BY_CLASS,  HP_BY_SITE};
	unsigned way = hp_fuzz_choice(data, n, 8);
	int fd = hp_fuzz_file(data, n);
	FILE *null = fopen("/dev/null", "w");
	struct hp_diff_options o;
	char path[32];
	char *paths[] = {path, path};

	HP_FUZZ_CHECK(null != NULL);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	hp_diff_options_init(&o);
	o.by = ways[way];
	o.raw_names = way == 6;
	o.all = o.partial = true;
	o.common.format = "json";
	o.common.threads = way == 6 ? 2 : 1;
	o.common.memory = 1 << 30;
	o.common.max_size = HP_FUZZ_UNPACKED;
	o.common.arguments = paths;
	o.common.argument_count = way == 7 ? 1 : 2;
	compare(&o, null);
	if (way < 2)
		compare_packed(&o, data, n, path, null);
	hp_diff_options_release(&o);
	fclose(null);
	close(fd);
	return 0;
}
