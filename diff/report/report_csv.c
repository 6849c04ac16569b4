/*
 * report_csv.c - write rows as CSV (RFC 4180, but with LF as line end), and as
 * folded stacks, the input of flame graph tools
 */

#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "diff/report/profile.h"

#include <inttypes.h>
#include <string.h>

/*
 * Whether the CSV has a column that marks the rows that the total does not
 * include: sums of other rows, and rows below the total. Programs that add up
 * rows need this column.
 */
static bool
csv_has_rollups(const struct hp_result *r)
{
	return hp_key_is(r->by, HP_KEY_ROLLUPS);
}

/*
 * A line of the CSV file: the header line with the names of the columns, or a
 * row.
 */
struct line {
	struct hp_buf *b;
	const struct hp_result *r;
	/* the row of this line; any row for the header line */
	const struct hp_row *row;
	bool head;
};

/*
 * Add the cells of a column, one for each dump. In the header line, these are
 * the names of the columns: NAME_1, NAME_2 and so on.
 */
static void
add_values(const struct line *l, enum hp_col c)
{
	for (size_t i = 0; i < l->r->ndumps; i++) {
		hp_buf_byte(l->b, ',');
		if (l->head)
			hp_buf_printf(l->b, "%s_%zu", hp_columns[c].key, i + 1);
		else
			hp_column_number(l->b, c,
					 hp_result_value(l->r, l->row, c, i));
	}
}

static void
add_growth(const struct line *l, enum hp_col c)
{
	if (l->r->ndumps < 2 || !hp_column_is(c, HP_COLUMN_IS_GROWS))
		return;
	if (l->head) {
		hp_buf_printf(l->b, ",delta_%s", hp_columns[c].key);
	} else {
		hp_buf_byte(l->b, ',');
		hp_column_growth_number(l->b, c,
					hp_result_growth(l->r, l->row, c));
	}
}

static void
add_margins(const struct line *l, enum hp_col c)
{
	if (!hp_column_is(c, HP_COLUMN_IS_ESTIMATE))
		return;
	for (size_t i = 0; i < l->r->ndumps; i++) {
		hp_buf_byte(l->b, ',');
		if (l->head)
			hp_buf_printf(l->b, "error_%s_%zu", hp_columns[c].key,
				      i + 1);
		else
			hp_buf_u64(l->b, (uint64_t)hp_result_margin(
						 l->r, l->row, i, c));
	}
}

/*
 * Add the columns from @begin to @end - 1: first the values of all of them,
 * then their growth, then their margins of error.
 */
static void
add_group(const struct line *l, unsigned begin, unsigned end)
{
	for (unsigned c = begin; c < end; c++)
		if (hp_result_shows(l->r, (enum hp_col)c))
			add_values(l, (enum hp_col)c);
	for (unsigned c = begin; c < end; c++)
		if (hp_result_shows(l->r, (enum hp_col)c))
			add_growth(l, (enum hp_col)c);
	for (unsigned c = begin; c < end && hp_result_is_sampled(l->r); c++)
		add_margins(l, (enum hp_col)c);
}

/*
 * If @of_key is true, add the columns that only a few --by keys have. Otherwise
 * add all other columns.
 */
static void
add_columns(const struct line *l, bool of_key)
{
	unsigned end;

	for (unsigned c = 0; c < HP_COLS; c = end) {
		end = hp_column_group_end((enum hp_col)c);
		if (hp_column_is((enum hp_col)c, HP_COLUMN_IS_OF_KEY) == of_key)
			add_group(l, c, end);
	}
}

/*
 * With --by=path: add a cell for whether the path is absent from the first
 * dump, and a cell for how many objects moved there from other paths.
 */
static void
add_moved(const struct line *l)
{
	const struct hp_row *row = l->row;

	if (!hp_key_is(l->r->by, HP_KEY_PATHS) || l->r->ndumps < 2)
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
	add_columns(l, false);
	add_columns(l, true);
	add_moved(l);
}

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

	if (r->estimates)
		return hp_estimate_csv(r, out, err);
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
			hp_buf_text(&b, row->rollup || row->beside ? ",true"
								   : ",false");
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

/*
 * Append a stack frame to a line of folded stacks. Semicolons in its text are
 * replaced, because a semicolon separates frames.
 */
static void
add_folded_frame(struct hp_buf *b, struct hp_slice frame)
{
	for (size_t i = 0; i < frame.length; i++)
		hp_buf_byte(b, frame.text[i] == ';' ? ',' : frame.text[i]);
}

/*
 * Write the rows as folded stacks. Each line has the frames of a stack and a
 * number or, with several dumps, the numbers of the first and the last dump.
 */
enum hp_status
hp_report_folded(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;
	enum hp_col weight = r->basis.weight;
	struct hp_profile p = {0};

	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		const struct hp_row *row = r->shown[i];
		const uint64_t *v = row->value[weight];

		if (v[0] == 0 && v[r->ndumps - 1] == 0)
			continue;
		if (!hp_profile_stack(&p, r, row))
			st = hp_no_memory(err);
		for (size_t k = 0; k < p.depth; k++) {
			hp_buf_text(&b, k > 0 ? ";" : "");
			add_folded_frame(&b,
					 hp_intern_get(&p.frames, p.stack[k]));
		}
		if (r->ndumps > 1)
			hp_buf_printf(&b, " %" PRIu64, v[0]);
		hp_buf_printf(&b, " %" PRIu64 "\n", v[r->ndumps - 1]);
		if (st == HP_OK && b.len > 1 << 16)
			st = hp_buf_flush(&b, out, err);
	}
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_profile_release(&p);
	hp_buf_release(&b);
	return st;
}
