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

/* A line of the table; the head names what stands in the others. */
struct line {
	struct hp_buf *b;
	const struct hp_result *r;
	const struct hp_row *row; /* of the head: any */
	bool head;
};

/* ",NAME_1,NAME_2": a column of each dump. */
static void
add_values(const struct line *l, const char *name, const uint64_t *v)
{
	for (size_t i = 0; i < l->r->ndumps; i++) {
		hp_buf_byte(l->b, ',');
		if (l->head)
			hp_buf_printf(l->b, "%s_%zu", name, i + 1);
		else
			hp_buf_u64(l->b, v[i]);
	}
}

static void
add_growth(const struct line *l, const char *name, const uint64_t *v)
{
	if (l->r->ndumps < 2)
		return;
	if (l->head)
		hp_buf_printf(l->b, ",delta_%s", name);
	else
		hp_buf_printf(l->b, ",%" PRId64, hp_row_growth(&l->r->rows, v));
}

/* How far the row's estimates may be off. */
static void
add_margins(const struct line *l)
{
	static const char *const names[] = {"error_count", "error_bytes"};
	uint64_t margin;

	for (unsigned of_bytes = 0; of_bytes < 2; of_bytes++)
		for (size_t i = 0; i < l->r->ndumps; i++) {
			margin = (uint64_t)hp_result_margin(l->r, l->row, i,
							    of_bytes);
			hp_buf_byte(l->b, ',');
			if (l->head)
				hp_buf_printf(l->b, "%s_%zu", names[of_bytes],
					      i + 1);
			else
				hp_buf_u64(l->b, margin);
		}
}

/* By path: is it a path that the first dump did not have, and what moved. */
static void
add_moved(const struct line *l)
{
	const struct hp_row *row = l->row;

	if (l->r->by != HP_BY_PATH || l->r->ndumps < 2)
		return;
	if (l->head) {
		hp_buf_text(l->b, ",new,moved_count,moved_from");
		return;
	}
	hp_buf_text(l->b, hp_result_is_new(l->r, row) ? ",true," : ",false,");
	if (row->moved_from)
		hp_buf_u64(l->b, row->moved_count);
	hp_buf_byte(l->b, ',');
	if (row->moved_from)
		hp_escape_csv_visible(l->b, row->moved_from,
				      strlen(row->moved_from));
}

static void
add_numbers(const struct line *l)
{
	const struct hp_result *r = l->r;
	const struct hp_row *row = l->row;
	const char *count = hp_result_count_name(r);
	const char *bytes = hp_result_bytes_name(r);
	bool has_count = hp_result_shows(r, HP_COLUMN_COUNT);
	bool has_bytes = hp_result_shows(r, HP_COLUMN_BYTES);

	if (has_count)
		add_values(l, count, row->count);
	if (has_bytes)
		add_values(l, bytes, row->bytes);
	if (has_count)
		add_growth(l, count, row->count);
	if (has_bytes)
		add_growth(l, bytes, row->bytes);
	if (hp_result_is_sampled(r))
		add_margins(l);
	if (hp_result_shows(r, HP_COLUMN_RETAINED)) {
		add_values(l, "retained_count", row->retained_count);
		add_values(l, "retained_bytes", row->retained_bytes);
		add_growth(l, "retained_count", row->retained_count);
		add_growth(l, "retained_bytes", row->retained_bytes);
	}
	for (unsigned v = HP_ROW_LARGEST; v < HP_ROW_VALUES; v++)
		if (hp_result_shows(r, hp_row_kinds[v].column))
			add_values(l, hp_row_kinds[v].key, row->value[v]);
	if (r->by == HP_BY_LOADER)
		add_values(l, "loaders", row->extra);
	if (r->by == HP_BY_CPU)
		add_values(l, "inclusive", row->extra);
	if (r->by == HP_BY_HOLDER) {
		add_values(l, "references", row->extra);
		add_growth(l, "references", row->extra);
	}
	add_moved(l);
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

	hp_buf_text(&b, "key");
	add_numbers(
		&(struct line){.b = &b, .r = r, .row = r->total, .head = true});
	hp_buf_text(&b, hp_result_has_stacks(r) ? ",frames" : "");
	hp_buf_text(&b, csv_has_rollups(r) ? ",rollup\n" : "\n");
	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		const struct hp_row *row = r->shown[i];

		hp_escape_csv_visible(&b, row->key, row->key_len);
		add_numbers(&(struct line){.b = &b, .r = r, .row = row});
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

/* What a row weighs: of owners what they keep, of which they are the least. */
static const uint64_t *
folded_values(const struct hp_result *r, const struct hp_row *row)
{
	if (r->by == HP_BY_DOMINATOR)
		return row->retained_bytes;
	return r->by == HP_BY_CPU ? row->count : row->bytes;
}

/* One dump: one number. More: the first and the last. */
enum hp_status
hp_report_folded(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		const struct hp_row *row = r->shown[i];
		const uint64_t *v = folded_values(r, row);

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
