/*
 * report_estimate.c - write the result of --estimate as text, as JSON and as
 * CSV
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "common/options/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line of the result: the size of the heap in one configuration of a JVM. */
struct line {
	/* the configuration of this line; NULL: the JVM that wrote the dump */
	const struct hp_configuration *to;
	uint64_t bytes, now;
};

static struct line
get_line(const struct hp_estimates *e, size_t i)
{
	return (struct line){&hp_configurations[i], e->bytes[i], e->now};
}

/*
 * Returns the difference between the estimated size of the heap and its size in
 * the dump, in percent of the size in the dump.
 */
static double
percent(const struct line *line)
{
	return line->now ? (double)hp_growth(line->now, line->bytes) * 100 /
				   (double)line->now
			 : 0;
}

/* --- text ----------------------------------------------------------------- */

/*
 * Add a line to the table. @options: the JVM options of the configuration, or
 * those that fit into this line.
 */
static void
add_cells(struct hp_table_lines *l, const struct line *line,
	  const char *options, size_t n)
{
	const struct hp_configuration *to = line->to;
	struct hp_buf *b =
		hp_table_lines_cell(l, "bytes", HP_COLOR_NONE, true, false);

	if (b)
		hp_count_text(b, line->bytes);
	b = hp_table_lines_cell(l, "change", HP_COLOR_NONE, true, false);
	if (b && to)
		hp_count_text_signed(b, hp_growth(line->now, line->bytes));
	b = hp_table_lines_cell(l, "%", HP_COLOR_NONE, true, false);
	if (b && to)
		hp_buf_printf(b, line->bytes == line->now ? "%.1f" : "%+.1f",
			      percent(line));
	b = hp_table_lines_cell(l, "JDK", HP_COLOR_NONE, true, false);
	if (b && to)
		hp_buf_text(b, to->jdk);
	l->blank = false;
	b = hp_table_lines_cell(l, "options", HP_COLOR_NONE, false, true);
	if (b)
		hp_buf_add(b, options, n);
}

/*
 * Add a configuration to the table. If the width of the table is limited, each
 * JVM option gets a line of its own.
 */
static void
add_line(struct hp_table_lines *l, const struct line *line)
{
	const char *options = line->to ? line->to->option : "(this dump)";
	size_t n;

	for (;; options += n + 1) {
		n = line->to && l->width > 0 ? strcspn(options, " ")
					     : strlen(options);
		add_cells(l, line, options, n);
		if (options[n] == '\0')
			return;
		/* the other lines of a configuration contain only an option */
		l->blank = true;
	}
}

/* Append the line above the table. This line describes the dump. */
static void
add_head(struct hp_buf *b, const struct hp_result *r)
{
	const struct hp_dump_info *d = &r->dumps[0];
	const char *name = hp_shown_path(d->path);

	hp_text_clean(b, name, strlen(name));
	hp_buf_printf(b, "  %s  ", d->dialect);
	if (d->timestamp_ms && hp_time_text(b, d->timestamp_ms))
		hp_buf_text(b, "  ");
	hp_count_noun_text(b, r->estimates->objects, "object");
	hp_buf_text(b, ", ");
	hp_size_text(b, r->estimates->now);
	hp_report_layout_text(b, d);
	hp_buf_text(b, d->partial ? "  partial\n\n" : "\n\n");
}

static void
plan_lines(struct hp_table_lines *l)
{
	add_line(l, &(struct line){0});
}

static enum hp_status
add_lines(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_result *r = l->ctx;
	const struct hp_estimates *e = r->estimates;
	enum hp_status st;

	add_line(l, &(struct line){NULL, e->now, e->now});
	st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	for (size_t i = 0; i < HP_CONFIGURATIONS && st == HP_OK; i++) {
		struct line line = get_line(e, i);

		add_line(l, &line);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	return st;
}

enum hp_status
hp_estimate_table(const struct hp_result *r, const struct hp_table_style *style,
		  FILE *out, struct hp_error *err)
{
	struct hp_table_lines lines = {.dumps = 1,
				       .most = 5,
				       .ctx = r,
				       .width = style->width,
				       .plan = plan_lines,
				       .fill = add_lines};
	struct hp_buf b = {0}, prose = {0};
	enum hp_status st;

	add_head(&prose, r);
	hp_lines_fit(&b, hp_buf_string(&prose), hp_buf_length(&prose),
		     style->width);
	hp_buf_inherit(&b, &prose);
	hp_buf_release(&prose);
	st = hp_table_lines_print(&lines, style, &b, out, err);
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}

/* --- JSON and CSV --------------------------------------------------------- */

static void
write_line(struct hp_json *j, const struct line *line)
{
	hp_json_object_flat(j);
	hp_json_put_u64(j, "jdk", strtoul(line->to->jdk, NULL, 10));
	hp_json_put_string(j, "options", line->to->option);
	hp_json_put_u64(j, "reference", line->to->reference);
	hp_json_put_u64(j, "header", line->to->header);
	hp_json_put_u64(j, "array_header", line->to->array_header);
	hp_json_put_u64(j, "alignment", line->to->alignment);
	hp_json_put_u64(j, "bytes", line->bytes);
	hp_json_put_i64(j, "delta_bytes", hp_growth(line->now, line->bytes));
	hp_json_object_end(j);
}

enum hp_status
hp_estimate_json(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_dump_info *d = &r->dumps[0];
	const struct hp_estimates *e = r->estimates;
	struct hp_json j;

	hp_report_begin_json(&j, r, out);
	hp_report_layout_json(&j, d);
	hp_json_put_u64(&j, "objects", e->objects);
	hp_json_put_u64(&j, "bytes", e->now);
	if (d->measured_of > 0)
		hp_json_put_u64(&j, "measured", d->measured);
	hp_json_put_array(&j, "estimates");
	for (size_t i = 0; i < HP_CONFIGURATIONS; i++) {
		struct line line = get_line(e, i);

		write_line(&j, &line);
	}
	hp_json_array_end(&j);
	hp_json_object_end(&j);
	return hp_json_finish(&j, err);
}

enum hp_status
hp_estimate_csv(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_estimates *e = r->estimates;
	struct hp_buf b = {0};
	enum hp_status st;

	hp_buf_text(&b, "jdk,options,bytes,delta_bytes\n");
	hp_buf_printf(&b, ",,%" PRIu64 ",0\n", e->now);
	for (size_t i = 0; i < HP_CONFIGURATIONS; i++) {
		struct line line = get_line(e, i);

		hp_buf_printf(&b, "%s,%s,%" PRIu64 ",%" PRId64 "\n",
			      line.to->jdk, line.to->option, line.bytes,
			      hp_growth(line.now, line.bytes));
	}
	st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}
