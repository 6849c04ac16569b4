/*
 * table_lines.c - print a table whose cells are added by function calls
 *
 * The calls are made twice: first to find the columns and their widths, then to
 * print.
 */
#include "diff/report/report.h"

#include "common/base/memory.h"

/*
 * If the table is too wide, the columns with the highest rank are left out
 * first. This number is added to the rank of the values of all dumps except for
 * the last one, so that they are left out before other columns.
 */
enum { HP_RANK_EARLIER = 20 };

struct hp_buf *
hp_table_lines_cell(struct hp_table_lines *l, const char *title,
		    enum hp_color color, bool right, bool shrink)
{
	if (!l->planning) {
		struct hp_buf *cell = hp_table_open(&l->table, color);

		return l->blank ? NULL : cell;
	}
	l->columns[l->count++] = (struct hp_table_column){.title = title,
							  .right = right,
							  .shrink = shrink,
							  .names = shrink,
							  .rank = l->rank};
	return NULL;
}

/*
 * As hp_table_lines_cell(), for a number. The title is copied; if @number is
 * not 0, it is appended to the title.
 */
static struct hp_buf *
titled_cell(struct hp_table_lines *l, enum hp_color color, const char *title,
	    size_t number)
{
	char *own = l->planning ? l->titles[l->count] : NULL;

	if (own && number > 0)
		snprintf(own, sizeof(*l->titles), "%s %zu", title, number);
	else if (own)
		snprintf(own, sizeof(*l->titles), "%s", title);
	return hp_table_lines_cell(l, own, color, true, false);
}

struct hp_buf *
hp_table_lines_dump_cell(struct hp_table_lines *l, const char *title,
			 size_t dump)
{
	return titled_cell(l, HP_COLOR_NONE, title,
			   l->dumps > 1 ? dump + 1 : 0);
}

struct hp_buf *
hp_table_lines_named_cell(struct hp_table_lines *l, const char *title,
			  enum hp_color color)
{
	return titled_cell(l, color, title, 0);
}

void
hp_table_lines_values(struct hp_table_lines *l, const char *title,
		      const uint64_t *v, void (*add)(struct hp_buf *, uint64_t))
{
	unsigned rank = l->rank;

	for (size_t i = 0; i < l->dumps; i++) {
		struct hp_buf *cell;

		/*
		 * the value of the last dump is the most important one, so it
		 * is left out last
		 */
		l->rank = rank + (i + 1 < l->dumps ? HP_RANK_EARLIER : 0);
		cell = hp_table_lines_dump_cell(l, title, i);
		if (cell && v)
			add(cell, v[i]);
	}
	l->rank = rank;
}

void
hp_table_lines_growth(struct hp_table_lines *l, const char *title,
		      const uint64_t *v, bool colored,
		      void (*add)(struct hp_buf *, int64_t))
{
	int64_t growth = hp_growth(v[0], v[l->dumps - 1]);
	struct hp_buf *cell;

	if (l->dumps < 2)
		return;
	cell = hp_table_lines_cell(l, title,
				   !colored || growth == 0 ? HP_COLOR_NONE
				   : growth > 0		   ? HP_COLOR_RED
							   : HP_COLOR_GREEN,
				   true, false);
	if (cell)
		add(cell, growth);
}

enum hp_status
hp_table_lines_flush(struct hp_table_lines *l, size_t least,
		     struct hp_error *err)
{
	enum hp_status st;

	if (l->table.text.len < least)
		return HP_OK;
	if (!l->style)
		return hp_table_measure(&l->table, err);
	st = hp_table_print_rows(&l->table, l->style, l->text, err);
	return st == HP_OK ? hp_buf_flush(l->text, l->out, err) : st;
}

/*
 * Add all lines of the table: measure the widths of the columns if @style is
 * NULL, otherwise print the lines.
 */
static enum hp_status
fill_all(struct hp_table_lines *l, const struct hp_table_style *style,
	 struct hp_error *err)
{
	enum hp_status st;

	l->style = style;
	st = l->fill(l, err);
	return st == HP_OK ? hp_table_lines_flush(l, 0, err) : st;
}

/*
 * Print a line above the table with the titles of the columns that are left out
 * because the table is too wide.
 */
static enum hp_status
note_left_out(struct hp_table_lines *l, const struct hp_table_style *style,
	      struct hp_error *err)
{
	struct hp_buf note = {0};
	enum hp_status st;
	size_t begin;

	hp_buf_text(&note, "(columns left out: ");
	begin = note.len;
	st = hp_table_left_out(&l->table, style, &note, err);
	if (st == HP_OK && note.len > begin) {
		hp_buf_text(&note, "; --wide shows them)\n");
		hp_lines_fit(l->text, note.data, note.len, style->width);
	}
	hp_buf_inherit(l->text, &note);
	hp_buf_release(&note);
	return st;
}

enum hp_status
hp_table_lines_print(struct hp_table_lines *l,
		     const struct hp_table_style *style, struct hp_buf *text,
		     FILE *out, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	l->columns = hp_calloc(l->most, sizeof(*l->columns));
	l->titles = hp_calloc(l->most, sizeof(*l->titles));
	l->text = text;
	l->out = out;
	if (l->columns && l->titles) {
		l->planning = true;
		l->plan(l);
		l->planning = false;
		hp_table_init(&l->table, l->columns, l->count);
		st = fill_all(l, NULL, err);
		if (st == HP_OK)
			st = note_left_out(l, style, err);
		if (st == HP_OK)
			st = fill_all(l, style, err);
		hp_table_release(&l->table);
	} else {
		st = hp_no_memory(err);
	}
	hp_free(l->columns);
	hp_free(l->titles);
	return st;
}
