/*
 * report_csv.c - rows as CSV (RFC 4180, lines ended by LF), and as folded
 * stacks
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"

#include <inttypes.h>
#include <string.h>

/* Rows that sum others are marked: the others' sum is the total. */
static bool
csv_has_rollups(const struct hp_result *r)
{
	return r->by == HP_BY_PACKAGE || r->by == HP_BY_CPU;
}

/* ",NAME_1,NAME_2": a column of each dump. */
static void
csv_header_values(struct hp_buf *b, const struct hp_result *r, const char *name)
{
	for (size_t i = 0; i < r->ndumps; i++)
		hp_buf_printf(b, ",%s_%zu", name, i + 1);
}

static void
csv_header_retained(struct hp_buf *b, const struct hp_result *r)
{
	csv_header_values(b, r, "retained_count");
	csv_header_values(b, r, "retained_bytes");
	if (r->ndumps > 1)
		hp_buf_text(b, ",delta_retained_count,delta_retained_bytes");
}

static void
csv_header_margins(struct hp_buf *b, const struct hp_result *r)
{
	csv_header_values(b, r, "error_count");
	csv_header_values(b, r, "error_bytes");
}

static void
add_header(struct hp_buf *b, const struct hp_result *r)
{
	hp_buf_text(b, "key");
	if (hp_result_shows(r, HP_COLUMN_COUNT))
		csv_header_values(b, r, hp_result_count_name(r));
	if (hp_result_shows(r, HP_COLUMN_BYTES))
		csv_header_values(b, r, hp_result_bytes_name(r));
	if (r->ndumps > 1 && hp_result_shows(r, HP_COLUMN_COUNT))
		hp_buf_printf(b, ",delta_%s", hp_result_count_name(r));
	if (r->ndumps > 1 && hp_result_shows(r, HP_COLUMN_BYTES))
		hp_buf_printf(b, ",delta_%s", hp_result_bytes_name(r));
	if (hp_result_is_sampled(r))
		csv_header_margins(b, r);
	if (hp_result_shows(r, HP_COLUMN_RETAINED))
		csv_header_retained(b, r);
	if (hp_result_shows(r, HP_COLUMN_LARGEST))
		csv_header_values(b, r, "largest");
	if (hp_result_shows(r, HP_COLUMN_DEPTH))
		csv_header_values(b, r, "depth");
	if (hp_result_shows(r, HP_COLUMN_NATIVE))
		csv_header_values(b, r, "native");
	if (r->by == HP_BY_LOADER)
		csv_header_values(b, r, "loaders");
	if (r->by == HP_BY_HOLDER) {
		csv_header_values(b, r, "references");
		if (r->ndumps > 1)
			hp_buf_text(b, ",delta_references");
	}
	if (r->by == HP_BY_CPU)
		csv_header_values(b, r, "inclusive");
	if (hp_result_has_stacks(r))
		hp_buf_text(b, ",frames");
	if (csv_has_rollups(r))
		hp_buf_text(b, ",rollup");
	hp_buf_byte(b, '\n');
}

static void
add_values(struct hp_buf *b, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		hp_buf_byte(b, ',');
		hp_buf_u64(b, v[i]);
	}
}

static void
csv_retained(struct hp_buf *b, const struct hp_result *r,
	     const struct hp_row *row)
{
	add_values(b, row->retained_count, r->ndumps);
	add_values(b, row->retained_bytes, r->ndumps);
	if (r->ndumps > 1)
		hp_buf_printf(b, ",%" PRId64 ",%" PRId64,
			      hp_row_growth(&r->rows, row->retained_count),
			      hp_row_growth(&r->rows, row->retained_bytes));
}

/* How far the row's estimates may be off. */
static void
csv_margins(struct hp_buf *b, const struct hp_result *r,
	    const struct hp_row *row)
{
	for (unsigned of_bytes = 0; of_bytes < 2; of_bytes++)
		for (size_t i = 0; i < r->ndumps; i++) {
			hp_buf_byte(b, ',');
			hp_buf_u64(b, (uint64_t)hp_result_margin(r, row, i,
								 of_bytes));
		}
}

static void
csv_numbers(struct hp_buf *b, const struct hp_result *r,
	    const struct hp_row *row)
{
	bool count = hp_result_shows(r, HP_COLUMN_COUNT);
	bool bytes = hp_result_shows(r, HP_COLUMN_BYTES);

	if (count)
		add_values(b, row->count, r->ndumps);
	if (bytes)
		add_values(b, row->bytes, r->ndumps);
	if (r->ndumps > 1 && count)
		hp_buf_printf(b, ",%" PRId64,
			      hp_row_growth(&r->rows, row->count));
	if (r->ndumps > 1 && bytes)
		hp_buf_printf(b, ",%" PRId64,
			      hp_row_growth(&r->rows, row->bytes));
	if (hp_result_is_sampled(r))
		csv_margins(b, r, row);
	if (hp_result_shows(r, HP_COLUMN_RETAINED))
		csv_retained(b, r, row);
	if (row->largest)
		add_values(b, row->largest, r->ndumps);
	if (row->depth)
		add_values(b, row->depth, r->ndumps);
	if (row->native)
		add_values(b, row->native, r->ndumps);
}

/* Frames in one cell, innermost first. */
static void
add_frames(struct hp_buf *b, const struct hp_row *row, struct hp_buf *cell)
{
	hp_buf_clear(cell);
	for (uint32_t i = 0; i < row->frames.count; i++) {
		if (i)
			hp_buf_text(cell, "; ");
		hp_buf_text(cell, row->frames.text[i]);
	}
	hp_buf_byte(b, ',');
	hp_escape_csv_visible(b, cell->data, cell->len);
	hp_buf_inherit(b, cell);
}

enum hp_status
hp_report_csv(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0}, cell = {0};
	enum hp_status st = HP_OK;

	add_header(&b, r);
	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		const struct hp_row *row = r->shown[i];

		hp_escape_csv_visible(&b, row->key, row->key_len);
		csv_numbers(&b, r, row);
		if (r->by == HP_BY_LOADER || r->by == HP_BY_CPU ||
		    r->by == HP_BY_HOLDER)
			add_values(&b, row->extra, r->ndumps);
		if (r->by == HP_BY_HOLDER && r->ndumps > 1)
			hp_buf_printf(&b, ",%" PRId64,
				      hp_row_growth(&r->rows, row->extra));
		if (hp_result_has_stacks(r))
			add_frames(&b, row, &cell);
		if (csv_has_rollups(r))
			hp_buf_text(&b, row->rollup ? ",true" : ",false");
		hp_buf_byte(&b, '\n');
		if (b.len > 1 << 16)
			st = hp_buf_flush(&b, out, err);
	}
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	hp_buf_release(&cell);
	return st;
}

/* A frame of a folded stack: a semicolon would end it. */
static void
add_folded_frame(struct hp_buf *b, const char *text)
{
	for (; *text; text++)
		hp_buf_byte(b, *text == ';' ? ',' : *text);
}

/* One dump: one number. More: the first and the last. */
enum hp_status
hp_report_folded(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		const struct hp_row *row = r->shown[i];
		const uint64_t *v =
			r->by == HP_BY_CPU ? row->count : row->bytes;

		if (row->rollup)
			continue;
		for (uint32_t k = row->frames.count; k > 0; k--) {
			add_folded_frame(&b, row->frames.text[k - 1]);
			if (k > 1 || r->by != HP_BY_CPU)
				hp_buf_byte(&b, ';');
		}
		if (r->by != HP_BY_CPU || !row->frames.count)
			add_folded_frame(&b, row->key);
		if (r->ndumps > 1)
			hp_buf_printf(&b, " %" PRIu64, v[0]);
		hp_buf_printf(&b, " %" PRIu64 "\n", v[r->ndumps - 1]);
		if (b.len > 1 << 16)
			st = hp_buf_flush(&b, out, err);
	}
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}
