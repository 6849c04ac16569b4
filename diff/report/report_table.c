/* report_table.c - print the result as a table for people */
#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"

#include <inttypes.h>
#include <string.h>

enum {
	/*
	 * the report mentions weakly reachable objects if they have more than
	 * 1/WEAK_PARTS of the bytes of the heap
	 */
	WEAK_PARTS = 10,
	/*
	 * with --why: maximum number of rows that are printed because their
	 * objects moved from other paths
	 */
	MOVED_SHOWN = 5,
	/* number of spaces before the second and further lines of a path */
	PATH_INDENT = 4,
	/* width of the table if the output is not a terminal */
	HP_PIPE_WIDTH = 80
};

static bool
has_marks(const struct hp_result *r)
{
	return r->ndumps > 2 ||
	       (r->ndumps > 1 && hp_key_is(r->by, HP_KEY_PATHS));
}

static const char *
row_mark(const struct hp_result *r, const struct hp_row *row)
{
	return row == r->total		  ? ""
	       : row->moved_from	  ? "moved"
	       : row->grows		  ? "grows"
	       : hp_result_is_new(r, row) ? "new"
					  : "";
}

/*
 * Returns the priority of a column if the table is too wide; 0 is the highest.
 * The columns of --columns come first, then the columns that show the growth.
 */
static unsigned
column_weight(const struct hp_result *r, enum hp_col c)
{
	if (r->options->columns_listed & 1u << c)
		return 0;
	return hp_column_is(c, HP_COLUMN_IS_RETAINED)
		       ? hp_columns[c].unit == HP_IN_BYTES ? 1 : 8
	       : hp_columns[c].unit == HP_IN_BYTES ? 2
						   : 3;
}

/*
 * The ranks of the columns. If the table is too wide, the column with the
 * largest rank is left out first. So the dumps between the first and the last
 * one are left out first, then the first dump, then the last dump, and finally
 * the growth.
 */
enum { RANK_GROWTH = 10, RANK_LAST = 14, RANK_FIRST = 30, RANK_BETWEEN = 40 };

static unsigned
value_rank(const struct hp_result *r, enum hp_col c, size_t dump)
{
	return column_weight(r, c) + (dump == r->ndumps - 1 ? RANK_LAST
				      : dump == 0	    ? RANK_FIRST
							    : RANK_BETWEEN);
}

static void
add_values(struct hp_table_lines *l, const struct hp_row *row, enum hp_col c)
{
	const struct hp_result *r = l->ctx;

	for (size_t i = 0; i < r->ndumps; i++) {
		struct hp_buf *cell;

		l->rank = value_rank(r, c, i);
		cell = hp_table_lines_dump_cell(l, hp_columns[c].heading, i);
		if (cell && hp_result_shows_value(r, row, c))
			hp_column_text(cell, c, hp_result_value(r, row, c, i));
	}
}

static void
add_one_cell(struct hp_table_lines *l, const struct hp_row *row, enum hp_col c)
{
	struct hp_buf *cell;

	l->rank = RANK_FIRST;
	cell = hp_table_lines_cell(l, hp_columns[c].heading, HP_COLOR_NONE,
				   true, false);
	for (size_t i = 0; cell && row->value[c] && i < l->dumps; i++)
		hp_buf_printf(cell, "%s%" PRIu64, i ? " " : "",
			      row->value[c][i]);
}

static enum hp_color
growth_color(int64_t growth, enum hp_col c)
{
	if (growth == 0)
		return HP_COLOR_NONE;
	return (growth > 0) != hp_column_is(c, HP_COLUMN_IS_LESS_IS_WORSE)
		       ? HP_COLOR_RED
		       : HP_COLOR_GREEN;
}

static void
add_growth(struct hp_table_lines *l, const struct hp_row *row, enum hp_col c)
{
	const struct hp_result *r = l->ctx;
	struct hp_buf *cell;
	int64_t growth;
	char title[24];

	if (r->ndumps < 2 || !hp_column_is(c, HP_COLUMN_IS_GROWS))
		return;
	growth = hp_result_growth(r, row, c);
	snprintf(title, sizeof(title), "+%s", hp_columns[c].heading);
	l->rank = RANK_GROWTH + column_weight(r, c);
	cell = hp_table_lines_named_cell(l, title, growth_color(growth, c));
	if (cell && hp_result_shows_value(r, row, c))
		hp_column_growth_text(cell, c, growth);
}

static void
add_margin(struct hp_table_lines *l, const struct hp_row *row, enum hp_col c)
{
	const struct hp_result *r = l->ctx;
	struct hp_buf *cell;

	if (!hp_result_is_sampled(r) ||
	    !hp_column_is(c, HP_COLUMN_IS_ESTIMATE) ||
	    hp_columns[c].unit != HP_IN_BYTES)
		return;
	l->rank = RANK_GROWTH + 1;
	cell = hp_table_lines_cell(
		l, r->ndumps > 1 ? "\u00b1growth" : "\u00b1bytes",
		HP_COLOR_NONE, true, false);
	if (cell)
		hp_size_text(cell,
			     (uint64_t)hp_result_growth_margin(r, row, c));
}

/*
 * Add the cells of one group of columns: values, growth and margins of error.
 */
static void
add_group(struct hp_table_lines *l, const struct hp_row *row, unsigned begin,
	  unsigned end)
{
	const struct hp_result *r = l->ctx;

	for (unsigned c = begin; c < end; c++)
		if (hp_result_shows(r, (enum hp_col)c))
			add_values(l, row, (enum hp_col)c);
	for (unsigned c = begin; c < end; c++)
		if (hp_result_shows(r, (enum hp_col)c))
			add_growth(l, row, (enum hp_col)c);
	for (unsigned c = begin; c < end; c++)
		add_margin(l, row, (enum hp_col)c);
}

/*
 * Add the cells of all columns of one kind. A kind is a combination of two
 * flags: HP_COLUMN_IS_OF_KEY (only a few --by keys have the column) and
 * HP_COLUMN_IS_ONE_CELL (one cell for all dumps).
 */
static void
add_columns(struct hp_table_lines *l, const struct hp_row *row, unsigned kind)
{
	const unsigned kinds = HP_COLUMN_IS_OF_KEY | HP_COLUMN_IS_ONE_CELL;
	const struct hp_result *r = l->ctx;
	unsigned end;

	for (unsigned c = 0; c < HP_COLS; c = end) {
		end = hp_column_group_end((enum hp_col)c);
		if ((hp_columns[c].flags & kinds) != kind)
			continue;
		if (!(kind & HP_COLUMN_IS_ONE_CELL))
			add_group(l, row, c, end);
		else if (hp_result_shows(r, (enum hp_col)c))
			add_one_cell(l, row, (enum hp_col)c);
	}
}

/*
 * Returns the length of the part of a path that fits in the first line: whole
 * steps, at least one. This is @len if the whole path fits, or if the name is
 * not a path.
 */
static size_t
path_head(const struct hp_table_lines *l, const char *key, size_t len,
	  size_t indent)
{
	const struct hp_result *r = l->ctx;
	size_t room = l->width * HP_TABLE_PATHS / 100, fits = 0, end;

	if (room < indent + 8 || !hp_key_is(r->by, HP_KEY_PATHS))
		return len;
	room -= indent;
	for (size_t at = 0; at < len; at = end) {
		const char *arrow = memmem(key + at + 1, len - at - 1,
					   HP_ROW_ARROW, strlen(HP_ROW_ARROW));

		end = arrow ? (size_t)(arrow - key) : len;
		if (fits > 0 && hp_text_width(key, end) > room)
			return fits;
		fits = end;
	}
	return len;
}

static void
add_numbers(struct hp_table_lines *l, const struct hp_row *row)
{
	const struct hp_result *r = l->ctx;
	struct hp_buf *cell;

	add_columns(l, row, 0);
	add_columns(l, row, HP_COLUMN_IS_OF_KEY);
	l->rank = 1;
	cell = has_marks(r)
		       ? hp_table_lines_cell(l, "", HP_COLOR_RED, false, false)
		       : NULL;
	if (cell)
		hp_buf_text(cell, row_mark(r, row));
	add_columns(l, row, HP_COLUMN_IS_OF_KEY | HP_COLUMN_IS_ONE_CELL);
}

static struct hp_buf *
add_name(struct hp_table_lines *l, const struct hp_row *row)
{
	const struct hp_result *r = l->ctx;

	l->rank = 0;
	return hp_table_lines_cell(
		l, hp_row_keys[r->by].heading,
		row == r->total ? HP_COLOR_BOLD : HP_COLOR_NONE, false, true);
}

/*
 * Add a line without numbers that continues the row above. Returns its cell for
 * the name, or NULL while the columns of the table are created.
 */
static struct hp_buf *
add_more_line(struct hp_table_lines *l, const struct hp_row *row)
{
	struct hp_buf *cell;

	l->blank = true;
	add_numbers(l, row);
	l->blank = false;
	cell = add_name(l, row);
	if (cell)
		hp_buf_fill(cell, ' ', PATH_INDENT);
	return cell;
}

/* Add a line that says what the container at the end of a path holds. */
static void
add_label(struct hp_table_lines *l, const struct hp_row *row, const char *label)
{
	if (l->planning)
		return;
	l->blank = true;
	add_numbers(l, row);
	l->blank = false;
	hp_buf_text(hp_table_open_label(&l->table, PATH_INDENT), label);
}

/*
 * With --by=waste: add a line that shows the text with the most duplicates in
 * the row above.
 */
static void
add_example(struct hp_table_lines *l, const struct hp_row *row)
{
	struct hp_buf *cell = add_more_line(l, row);

	if (!cell)
		return;
	hp_count_text(cell, row->example.count);
	hp_buf_printf(cell, " more \"%s\"", row->example.text);
}

/*
 * Add all cells of a row. In the total, a column without a sum has an empty
 * cell. A long path continues in further lines.
 */
static void
add_row(struct hp_table_lines *l, const struct hp_row *row)
{
	const struct hp_result *r = l->ctx;
	size_t n = path_head(l, row->key, row->key_len, 0), more;
	const char *label = hp_suspect_row_label(r, row);
	struct hp_buf *cell;

	add_numbers(l, row);
	cell = add_name(l, row);
	if (!cell)
		return;
	hp_buf_add(cell, row->key, n);
	if (row == r->total && r->options->filter)
		hp_buf_text(cell, " of all rows");
	for (; n < row->key_len; n += more) {
		more = path_head(l, row->key + n, row->key_len - n,
				 PATH_INDENT);
		l->blank = true;
		add_numbers(l, row);
		l->blank = false;
		cell = add_name(l, row);
		hp_buf_fill(cell, ' ', PATH_INDENT - 1);
		hp_buf_add(cell, row->key + n, more);
	}
	for (uint32_t i = 0; i < row->frames.count; i++) {
		hp_buf_text(cell, i ? " < " : "  ");
		hp_buf_text(cell, row->frames.text[i]);
	}
	if (row->example.text)
		add_example(l, row);
	if (label)
		add_label(l, row, label);
}

static void
plan_rows(struct hp_table_lines *l)
{
	add_row(l, ((const struct hp_result *)l->ctx)->total);
}

/*
 * Add the rows, the total, and then the rows that the total does not include.
 */
static enum hp_status
add_rows(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_result *r = l->ctx;
	enum hp_status st = HP_OK;

	size_t i = 0;

	for (; i < r->nshown && st == HP_OK && !r->shown[i]->beside; i++) {
		add_row(l, r->shown[i]);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	hp_table_rule(&l->table);
	add_row(l, r->total);
	if (i < r->nshown)
		hp_table_rule(&l->table);
	for (; i < r->nshown && st == HP_OK; i++) {
		add_row(l, r->shown[i]);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	return st;
}

/*
 * Print how many objects are reachable, weakly reachable and unreachable, and
 * how many wait for a finalizer or are kept alive by hidden fields. Returns
 * whether the weakly reachable objects are a large part of the heap, for
 * example because a finalizer hangs.
 */
static bool
table_reached(struct hp_buf *b, const struct hp_dump_info *d, bool indent)
{
	static const char *const words[] = {"reachable", "weakly reachable",
					    "unreachable"};
	const struct hp_graph_sum *const sums[] = {&d->reachable, &d->weak,
						   &d->unreachable};
	uint64_t all = d->reachable.bytes + d->weak.bytes + d->hidden.bytes +
		       d->unreachable.bytes;

	hp_buf_text(b, indent ? "   " : "");
	for (unsigned i = 0; i < HP_ARRAY_LEN(sums); i++) {
		hp_buf_text(b, i > 0 ? ", " : "");
		hp_count_text(b, sums[i]->objects);
		hp_buf_printf(b, " %s (", words[i]);
		hp_size_text(b, sums[i]->bytes);
		hp_buf_byte(b, ')');
	}
	hp_buf_byte(b, '\n');
	if (d->waiting.objects > 0) {
		hp_buf_text(b, indent ? "   weakly: " : "weakly: ");
		hp_count_noun_text(b, d->waiting.objects, "object");
		hp_buf_text(b, " (");
		hp_size_text(b, d->waiting.bytes);
		hp_buf_text(b, ") in the finalizer queue\n");
	}
	if (d->hidden.objects > 0) {
		hp_buf_text(b,
			    indent ? "   hidden fields: " : "hidden fields: ");
		hp_count_noun_text(b, d->hidden.objects, "object");
		hp_buf_text(b, " (");
		hp_size_text(b, d->hidden.bytes);
		hp_buf_text(b, ") that only fields of java.lang.Class keep "
			       "alive\n");
	}
	return d->weak.bytes > all / WEAK_PARTS;
}

/*
 * Whether a sentence about a row mentions the column @c. The report must show
 * the column. If @retained is true, the column must be a retained size. If
 * @retained is false, it must be a column that the table has by default.
 */
static bool
is_told(const struct hp_result *r, enum hp_col c, bool retained)
{
	unsigned flag = retained ? HP_COLUMN_IS_RETAINED : HP_COLUMN_IS_DEFAULT;

	return r->columns & 1u << c && hp_column_is(c, flag);
}

/*
 * Append a value of a column with its unit or noun, for example "5,300
 * objects", "1.5 MB" or "3 ms".
 */
static void
value_words(struct hp_buf *b, enum hp_col c, uint64_t v)
{
	if (hp_columns[c].unit == HP_IN_COUNT) {
		hp_count_noun_text(b, v, hp_columns[c].one);
	} else {
		hp_column_text(b, c, v);
		if (hp_columns[c].unit == HP_IN_MS)
			hp_buf_text(b, " ms");
	}
}

void
hp_report_work_text(struct hp_buf *b, const struct hp_result *r)
{
	unsigned c = 0;
	uint64_t sum = 0;

	while (c < HP_COLS - 1 && !(r->columns & 1u << c &
				    hp_columns_that_are(HP_COLUMN_IS_DEFAULT)))
		c++;
	for (size_t i = 0; i < r->ndumps; i++)
		hp_sum_add(&sum, hp_key_is(r->by, HP_KEY_EVENTS)
					 ? r->total->value[c][i]
					 : r->dumps[i].objects);
	value_words(b, (enum hp_col)c, sum);
}

/*
 * Append the values of a row in one dump with their nouns, for example "5,300
 * objects, 1.5 MB": the retained sizes if @retained is true, otherwise the
 * default columns.
 */
static void
row_words(struct hp_buf *b, const struct hp_result *r, const struct hp_row *row,
	  size_t dump, bool retained)
{
	const char *join = "";

	for (unsigned c = 0; c < HP_COLS; c++) {
		if (!is_told(r, (enum hp_col)c, retained))
			continue;
		hp_buf_text(b, join);
		value_words(b, (enum hp_col)c,
			    hp_result_value(r, row, (enum hp_col)c, dump));
		join = ", ";
	}
}

/*
 * Append the growth of a row with its nouns or units, for the same columns as
 * row_words().
 */
static void
row_growth_words(struct hp_buf *b, const struct hp_result *r,
		 const struct hp_row *row, bool retained)
{
	const char *join = " (";

	for (unsigned c = 0; c < HP_COLS; c++) {
		if (!is_told(r, (enum hp_col)c, retained))
			continue;
		hp_buf_text(b, join);
		hp_column_growth_text(b, (enum hp_col)c,
				      hp_result_growth(r, row, (enum hp_col)c));
		join = ", ";
	}
	hp_buf_byte(b, ')');
}

void
hp_report_dump_text(struct hp_buf *b, const struct hp_result *r, size_t dump)
{
	if (hp_key_is(r->by, HP_KEY_EVENTS)) {
		row_words(b, r, r->total, dump, false);
		return;
	}
	hp_count_noun_text(b, r->dumps[dump].objects, "object");
	hp_buf_text(b, ", ");
	hp_size_text(b, r->dumps[dump].bytes);
}

/*
 * Print the facts of each dump. If much of a dump is weakly reachable, add a
 * line with the option that shows why these objects are in memory, because the
 * rows of the table do not show this.
 */
static void
print_dumps(struct hp_buf *b, const struct hp_result *r)
{
	bool weak = false;

	for (size_t i = 0; i < r->ndumps; i++) {
		const struct hp_dump_info *d = &r->dumps[i];
		bool events = hp_key_is(r->by, HP_KEY_EVENTS);
		const char *name;

		if (r->ndumps > 1)
			hp_buf_printf(b, "%zu  ", i + 1);
		name = hp_shown_path(d->path);
		hp_text_clean(b, name, strlen(name));
		hp_buf_printf(b, "  %s  ", d->dialect);
		if (d->timestamp_ms && hp_time_text(b, d->timestamp_ms))
			hp_buf_text(b, "  ");
		hp_report_dump_text(b, r, i);
		if (!events && (i == 0 || hp_result_layouts_differ(r)))
			hp_report_layout_text(b, d);
		if (d->sample) {
			hp_buf_text(b, "  one sample in ");
			hp_size_text(b, d->sample);
		}
		if (d->partial)
			hp_buf_text(b, "  partial");
		if (d->undescribed.objects > 0) {
			hp_buf_text(b, "  fields of ");
			hp_count_noun_text(b, d->undescribed.objects, "object");
			hp_buf_text(b, " not described");
		}
		hp_buf_byte(b, '\n');
		if (r->rows.retained)
			weak |= table_reached(b, d, r->ndumps > 1);
	}
	if (weak)
		hp_buf_text(b, "weakly reachable: only weak references, "
			       "finalizers and similar references lead to the "
			       "objects; --reachability=all follows these "
			       "references\n");
	hp_buf_byte(b, '\n');
}

void
hp_gate_row_text(struct hp_buf *b, const struct hp_result *r,
		 const struct hp_gate *g, const struct hp_row *row)
{
	bool retained = hp_gate_is_retained(g->what);

	hp_buf_add(b, row->key, row->key_len);
	if (row->frames.count) {
		hp_buf_text(b, " at ");
		hp_buf_text(b, row->frames.text[0]);
	}
	hp_buf_text(b, retained ? "  retains " : "  ");
	row_words(b, r, row, r->ndumps - 1, retained);
	if (r->ndumps > 1)
		row_growth_words(b, r, row, retained);
}

void
hp_gate_failure_name(struct hp_buf *b, const struct hp_result *r,
		     const struct hp_gate *g, size_t k)
{
	if (g->of == HP_GATE_FINDING)
		hp_unusual_text(b, g->finding, &r->findings[g->finding]);
	else if (g->of == HP_GATE_SUSPECTS)
		hp_buf_text(b, hp_result_new_suspect(r, k)->label);
	else
		hp_buf_add(b, g->rows[k]->key, g->rows[k]->key_len);
}

void
hp_gate_failure_text(struct hp_buf *b, const struct hp_result *r,
		     const struct hp_gate *g, size_t k)
{
	if (g->of == HP_GATE_FINDING)
		hp_unusual_text(b, g->finding, &r->findings[g->finding]);
	else if (g->of == HP_GATE_SUSPECTS)
		hp_suspect_line(b, r, hp_result_new_suspect(r, k));
	else
		hp_gate_row_text(b, r, g, g->rows[k]);
}

/*
 * Whether a gate (--fail-if) depends on references between objects, but some
 * references are not known.
 */
static bool
lacks_references(const struct hp_result *r, const struct hp_gate *g)
{
	bool concerned =
		hp_gate_is_retained(g->what) ||
		hp_key_is(r->by, HP_KEY_OF_GRAPH | HP_KEY_NEEDS_REFERENCES);

	for (size_t i = 0; concerned && i < r->ndumps; i++)
		if (r->dumps[i].undescribed.objects > 0)
			return true;
	return false;
}

static void
print_gates(struct hp_buf *b, const struct hp_result *r)
{
	if (r->ngates)
		hp_buf_byte(b, '\n');
	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_buf_text(b, g->tripped		  ? "FAILED  "
			       : g->matched		  ? "passed  "
			       : g->of == HP_GATE_FINDING ? "not checked  "
							  : "no row matches  ");
		hp_text_clean(b, g->text, strlen(g->text));
		hp_buf_byte(b, '\n');
		if (hp_result_gate_is_blind(r, g))
			hp_buf_text(
				b,
				"        counts only the objects of the rows, "
				"and passes; if it also counted the objects "
				"that they retain, it would fail\n");
		if (lacks_references(r, g))
			hp_buf_text(b, "        does not count objects in "
				       "fields that no class dump describes\n");
		for (size_t k = 0; k < hp_gate_failures(r, g); k++) {
			hp_buf_text(b, "        ");
			hp_gate_failure_text(b, r, g, k);
			hp_buf_byte(b, '\n');
		}
	}
}

static void
table_cut(struct hp_buf *b, const struct hp_result *r)
{
	if (r->ncut == 0 || r->options->top_given)
		return;
	hp_buf_byte(b, '(');
	hp_count_text(b, r->ncut);
	hp_buf_printf(b, " more row%s: --top=0)\n", r->ncut == 1 ? "" : "s");
}

/*
 * Print the rows to which objects moved from other paths. With --why, the tree
 * already marks such steps, so only the first few rows are printed.
 */
static void
table_moved(struct hp_buf *b, const struct hp_result *r)
{
	size_t left = r->why.count > 0 ? MOVED_SHOWN : SIZE_MAX;
	bool any = false;

	for (size_t i = 0; i < r->nshown && left > 0; i++) {
		const struct hp_row *row = r->shown[i];

		if (!row->moved_from)
			continue;
		hp_buf_text(b, any ? "" : "\n");
		any = true;
		left--;
		hp_buf_text(b, "moved: ");
		hp_count_noun_text(b, row->moved_count, "object");
		hp_buf_text(b, " of ");
		hp_buf_add(b, row->key, row->key_len);
		hp_buf_printf(b,
			      "\n    may have been on another path in the "
			      "first dump:\n    %s\n",
			      row->moved_from);
	}
}

static void
table_ignored(struct hp_buf *b, const struct hp_result *r)
{
	struct hp_buf line = {0};

	hp_ignored_text(&line, r);
	if (line.len > 0)
		hp_buf_printf(b, "\n%s\n", hp_buf_string(&line));
	hp_buf_inherit(b, &line);
	hp_buf_release(&line);
}

static void
print_notes(struct hp_buf *b, const struct hp_result *r)
{
	if (r->why.count == 0)
		table_cut(b, r);
	else if (r->why.count > 1)
		hp_buf_text(b, "each object counts on its shortest path only; "
			       "--by=holder shows all references\n");
	table_ignored(b, r);
	table_moved(b, r);
	print_gates(b, r);
}

/*
 * Append the text in @prose to @to, in lines of at most @width columns, and
 * clear @prose.
 */
static void
wrap_prose(struct hp_buf *to, struct hp_buf *prose, size_t width)
{
	hp_lines_fit(to, prose->len ? prose->data : "", prose->len, width);
	hp_buf_inherit(to, prose);
	hp_buf_clear(prose);
}

enum hp_status
hp_report_table(const struct hp_result *r, const struct hp_table_style *style,
		FILE *out, struct hp_error *err)
{
	struct hp_table_lines lines = {.dumps = r->ndumps,
				       .most = HP_COLS * (r->ndumps + 1) + 4,
				       .ctx = r,
				       .width = style->width,
				       .plan = plan_rows,
				       .fill = add_rows};
	struct hp_table_style of_rows = *style;
	struct hp_buf b = {0}, prose = {0};
	enum hp_status st = HP_OK;

	if (hp_key_is(r->by, HP_KEY_PATHS))
		of_rows.names = HP_TABLE_PATHS;
	hp_answer_text(&prose, r, style->width);
	print_dumps(&prose, r);
	if (r->why.count == 0 && r->ndumps > 1 && !r->changed &&
	    r->nshown == 0) {
		hp_buf_text(&prose, "nothing changed\n");
		wrap_prose(&b, &prose, style->width);
	} else {
		wrap_prose(&b, &prose, style->width);
		st = r->why.count > 0 ? hp_why_table(r, style, &b, out, err)
				      : hp_table_lines_print(&lines, &of_rows,
							     &b, out, err);
	}
	hp_stacks_text(&prose, r);
	print_notes(&prose, r);
	wrap_prose(&b, &prose, style->width);
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	hp_buf_release(&prose);
	return st;
}

enum hp_status
hp_report_screen(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	const struct hp_diff_options *o = r->options;
	unsigned width = hp_terminal_width(out);
	const struct hp_table_style style = {
		.width = o->wide ? 0
			 : width ? width
				 : HP_PIPE_WIDTH,
		.color = hp_color_wanted(o->common.color, out),
		.underline = true};

	if (r->object)
		return hp_object_table(r, &style, out, err);
	if (r->estimates)
		return hp_estimate_table(r, &style, out, err);
	return hp_report_table(r, &style, out, err);
}
