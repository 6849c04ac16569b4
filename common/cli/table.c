/*
 * table.c - compute the widths of the columns of a table for terminals, and
 * print the table
 */
#include "common/cli/table.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

#define HP_TABLE_GAP 2 /* spaces between columns */
/*
 * A cell that is shortened keeps at least this width, in columns of the
 * terminal.
 */
#define HP_TABLE_SHRINK_MIN 12
/* A class next to a field keeps at least this width; the width of " → ". */
#define HP_TABLE_CLASS_MIN 8
#define HP_TABLE_ARROW 3
/* hp_table_left_out() lists at most this many titles. */
#define HP_TABLE_NAMED 20

struct hp_table_cell {
	/*
	 * The text of this cell begins at this offset in hp_table.text. It ends
	 * where the text of the next cell begins.
	 */
	size_t begin;
	enum hp_color color;
	bool label;	 /* the label of an object, printed in parentheses */
	unsigned indent; /* spaces before the label */
	bool rule; /* this entry of the list is a horizontal line, not a cell */
};

void
hp_table_init(struct hp_table *t, const struct hp_table_column *columns,
	      size_t column_count)
{
	*t = (struct hp_table){.columns = columns,
			       .column_count = column_count};
}

void
hp_table_release(struct hp_table *t)
{
	hp_buf_release(&t->text);
	hp_free(t->cells);
	hp_free(t->widths);
	hp_free(t->hidden);
	*t = (struct hp_table){0};
}

static void
add_cell(struct hp_table *t, struct hp_table_cell cell)
{
	if (!HP_LIST_PUSH(t->cells, t->cell_count, t->cell_cap, cell))
		t->text.failed = true;
}

struct hp_buf *
hp_table_open(struct hp_table *t, enum hp_color color)
{
	add_cell(t,
		 (struct hp_table_cell){.begin = t->text.len, .color = color});
	return &t->text;
}

struct hp_buf *
hp_table_open_label(struct hp_table *t, unsigned indent)
{
	add_cell(t, (struct hp_table_cell){.begin = t->text.len,
					   .label = true,
					   .indent = indent});
	return &t->text;
}

void
hp_table_rule(struct hp_table *t)
{
	add_cell(t, (struct hp_table_cell){.begin = t->text.len, .rule = true});
}

static const char *
cell_text(const struct hp_table *t, size_t i, size_t *len)
{
	size_t end =
		i + 1 < t->cell_count ? t->cells[i + 1].begin : t->text.len;

	*len = end - t->cells[i].begin;
	return *len ? t->text.data + t->cells[i].begin : "";
}

/* A label does not count, because no other cell of its row has a text. */
static void
table_widths(const struct hp_table *t, size_t *widths)
{
	size_t column = 0, len;

	for (size_t i = 0; i < t->cell_count; i++) {
		const char *text = cell_text(t, i, &len);
		size_t width = hp_text_width(text, len);

		if (t->cells[i].rule)
			continue;
		if (!t->cells[i].label && width > widths[column])
			widths[column] = width;
		column = (column + 1) % t->column_count;
	}
}

/*
 * Compare two columns for sorting: the larger rank comes first; among equal
 * ranks, the column further to the right comes first.
 */
static int
compare_ranks(const void *x, const void *y, void *context)
{
	const struct hp_table *t = context;
	size_t a = *(const size_t *)x, b = *(const size_t *)y;
	unsigned m = t->columns[a].rank, n = t->columns[b].rank;

	if (m != n)
		return m < n ? 1 : -1;
	return a < b ? 1 : -1;
}

static size_t
shown_width(const struct hp_table *t, const size_t *widths)
{
	size_t sum = 0, n = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		if (t->hidden[c])
			continue;
		sum += widths[c];
		n++;
	}
	return n ? sum + HP_TABLE_GAP * (n - 1) : 0;
}

/*
 * Choose the columns to leave out, so that the table fits into the terminal. A
 * part of the width is reserved for the column that can be shortened (its
 * member `shrink` is set). Returns false if out of memory.
 */
static bool
choose_columns(struct hp_table *t, const struct hp_table_style *style)
{
	unsigned names = style->names ? style->names : HP_TABLE_NAMES;
	size_t limit = style->width, kept = limit * names / 100, n = 0, sum;
	size_t *order = hp_calloc(t->column_count, sizeof(*order));

	t->hidden = hp_calloc(t->column_count, sizeof(*t->hidden));
	if (!order || !t->hidden) {
		hp_free(order);
		return false;
	}
	sum = shown_width(t, t->widths);
	for (size_t c = 0; c < t->column_count; c++) {
		if (t->columns[c].rank > 0)
			order[n++] = c;
		if (t->columns[c].shrink && t->widths[c] > kept)
			sum -= t->widths[c] - kept;
	}
	qsort_r(order, n, sizeof(*order), compare_ranks, t);
	for (size_t i = 0; i < n && limit && sum > limit; i++) {
		t->hidden[order[i]] = true;
		sum -= t->widths[order[i]] + HP_TABLE_GAP;
	}
	hp_free(order);
	return true;
}

/*
 * Reduce the width of the column that can be shortened (its member `shrink` is
 * set), so that the table is not wider than @limit (0: no limit). Returns the
 * width of the table.
 */
static size_t
fit_width(const struct hp_table *t, size_t *widths, size_t limit)
{
	size_t sum = shown_width(t, widths);

	for (size_t c = 0; c < t->column_count && limit && sum > limit; c++) {
		if (!t->columns[c].shrink || widths[c] <= HP_TABLE_SHRINK_MIN)
			continue;
		size_t room = widths[c] - HP_TABLE_SHRINK_MIN;
		size_t less = sum - limit < room ? sum - limit : room;
		widths[c] -= less;
		sum -= less;
	}
	return sum;
}

/*
 * Set the width of each column to the width of its title. Does nothing if
 * hp_table_measure() has already set the widths. Returns false if out of
 * memory.
 */
static bool
table_begin(struct hp_table *t)
{
	if (t->widths)
		return true;
	t->widths = hp_calloc(t->column_count, sizeof(*t->widths));
	for (size_t c = 0; t->widths && c < t->column_count; c++)
		t->widths[c] = hp_text_width(t->columns[c].title,
					     strlen(t->columns[c].title));
	return t->widths != NULL;
}

enum hp_status
hp_table_left_out(struct hp_table *t, const struct hp_table_style *style,
		  struct hp_buf *b, struct hp_error *err)
{
	size_t n = 0;

	if (!table_begin(t) || (!t->hidden && !choose_columns(t, style)))
		return hp_no_memory(err);
	for (size_t c = 0; c < t->column_count; c++) {
		if (!t->hidden[c] || !*t->columns[c].title)
			continue;
		if (n < HP_TABLE_NAMED) {
			hp_buf_text(b, n ? ", " : "");
			hp_buf_text(b, t->columns[c].title);
		}
		n++;
	}
	if (n > HP_TABLE_NAMED)
		hp_buf_printf(b, " and %zu more", n - HP_TABLE_NAMED);
	return HP_OK;
}

static bool
is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '-' ||
	       (unsigned char)c >= 0x80;
}

/*
 * Shorten package names to their initials:
 * "java.util.concurrent.ConcurrentHashMap$Node" becomes
 * "j.u.c.ConcurrentHashMap$Node". Source files, in parentheses, are not
 * changed.
 */
static void
add_initials(struct hp_buf *out, const char *text, size_t len)
{
	unsigned parentheses = 0;
	size_t i = 0;

	while (i < len) {
		size_t begin = i;

		while (i < len && is_name_byte(text[i]))
			i++;
		if (parentheses == 0 && i + 1 < len &&
		    is_name_byte(text[i + 1]) &&
		    hp_is_package(text + begin, len - begin, i - begin))
			hp_buf_byte(out, text[begin]);
		else
			hp_buf_add(out, text + begin, i - begin);
		if (i == len)
			break;
		parentheses += text[i] == '(';
		parentheses -= text[i] == ')' && parentheses > 0;
		hp_buf_byte(out, text[i++]);
	}
}

/*
 * Shorten "CLASS.field → CLASS" and "CLASS[] → CLASS". The name of the field is
 * what the reader looks for, so only the classes are shortened. Returns the
 * width of the result; 0: the text has another form, or the field leaves no
 * room for the classes, so nothing was appended.
 */
static size_t
add_reference(struct hp_buf *out, const char *text, size_t len, size_t width)
{
	static const char arrow[] = " → ";
	const size_t bytes = sizeof(arrow) - 1;
	const char *at = memmem(text, len, arrow, bytes), *to, *field;
	size_t to_len, field_len, fixed, room, owner;

	if (!at)
		return 0;
	to = at + bytes;
	to_len = len - (size_t)(to - text);
	if (memmem(to, to_len, arrow, bytes))
		return 0;
	field = at;
	if (at > text && at[-1] != ']')
		field = memrchr(text, '.', (size_t)(at - text));
	if (!field)
		return 0;
	field_len = (size_t)(at - field);
	fixed = hp_text_width(field, field_len) + HP_TABLE_ARROW;
	if (width < fixed + 2 * HP_TABLE_CLASS_MIN)
		return 0;
	room = width - fixed;
	owner = hp_text_width(to, to_len);
	owner = owner < room / 2 ? room - owner : room - room / 2;
	owner = hp_name_fit(out, text, (size_t)(field - text), owner);
	hp_buf_add(out, field, field_len);
	hp_buf_text(out, arrow);
	return fixed + owner + hp_name_fit(out, to, to_len, room - owner);
}

/*
 * Append a text of several words, such as a path. The names in it are
 * shortened, the longest first. If the text is then still too wide, its middle
 * is left out instead. Returns the width of the result.
 */
static size_t
add_words(struct hp_buf *out, const char *text, size_t len, size_t width)
{
	struct hp_buf words = {0}, fitted = {0};
	size_t used;

	hp_buf_add(&words, text, len);
	if (hp_label_fit(&fitted, hp_buf_string(&words), width)) {
		used = hp_text_width(fitted.data, fitted.len);
		hp_buf_add(out, fitted.data, fitted.len);
	} else {
		used = hp_text_fit(out, text, len, width);
	}
	hp_buf_inherit(out, &words);
	hp_buf_inherit(out, &fitted);
	hp_buf_release(&words);
	hp_buf_release(&fitted);
	return used;
}

/*
 * Shorten a cell that begins with a class name, as the comment of
 * hp_table_column.names describes. Two spaces separate the name from the text
 * after it. Returns the width of the result.
 */
static size_t
table_shorten_name(struct hp_buf *out, const char *text, size_t len,
		   size_t width)
{
	struct hp_buf b = {0};
	const char *behind;
	size_t whole, name, head;

	add_initials(&b, text, len);
	text = hp_buf_string(&b);
	len = b.failed ? 0 : b.len;
	whole = hp_text_width(text, len);
	behind = memmem(text, len, "  ", 2);
	name = behind ? (size_t)(behind - text) : len;
	head = hp_text_head(text, len, width - 1);
	if (whole <= width) {
		hp_buf_add(out, text, len);
	} else if (name < len && head >= name) {
		hp_buf_add(out, text, head);
		hp_buf_text(out, "\u2026");
		whole = hp_text_width(text, head) + 1;
	} else {
		whole = name == len ? add_reference(out, text, len, width) : 0;
		if (whole == 0 && !memchr(text, ' ', name))
			whole = hp_name_fit(out, text, name, width);
		else if (whole == 0)
			whole = add_words(out, text, name, width);
	}
	hp_buf_inherit(out, &b);
	hp_buf_release(&b);
	return whole;
}

/*
 * Append the text of a cell, shortened to @width columns if it is wider.
 * @names: the text begins with a class name. Returns the width of the result.
 */
static size_t
add_text(struct hp_buf *out, const char *text, size_t len, size_t width,
	 bool names)
{
	return names && hp_text_width(text, len) > width
		       ? table_shorten_name(out, text, len, width)
		       : hp_text_fit(out, text, len, width);
}

/*
 * Append a cell of a row. Spaces are only counted in *@owed, and appended
 * before the next text, so that no line ends with spaces.
 */
static void
print_cell(struct hp_buf *out, const struct hp_table_column *column,
	   enum hp_color color, const char *text, size_t len, size_t width,
	   size_t *owed)
{
	struct hp_buf shown = {0};
	size_t used = add_text(&shown, text, len, width, column->names);
	size_t pad = width > used ? width - used : 0;

	if (column->right)
		*owed += pad;
	if (len != 0) {
		hp_buf_fill(out, ' ', *owed);
		*owed = 0;
		hp_buf_text(out, hp_color_begin(color));
		hp_buf_add(out, shown.data, shown.len);
		hp_buf_text(out, hp_color_end(color));
	} else {
		*owed += used;
	}
	if (!column->right)
		*owed += pad;
	*owed += HP_TABLE_GAP;
	hp_buf_inherit(out, &shown);
	hp_buf_release(&shown);
}

static void
print_rule_line(struct hp_buf *out, size_t width)
{
	for (size_t i = 0; i < width; i++)
		hp_buf_text(out, "\u2500");
	hp_buf_byte(out, '\n');
}

static void
print_titles(const struct hp_table *t, const struct hp_table_style *style,
	     const size_t *widths, size_t width, struct hp_buf *out)
{
	size_t owed = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		if (t->hidden[c])
			continue;
		print_cell(out, &t->columns[c],
			   style->color ? HP_COLOR_BOLD : HP_COLOR_NONE,
			   t->columns[c].title, strlen(t->columns[c].title),
			   widths[c], &owed);
	}
	hp_buf_byte(out, '\n');
	if (style->underline)
		print_rule_line(out, width);
}

/*
 * Print a row whose only text is the label in column @c: in this column, or
 * further left if it needs more room.
 */
static void
print_label(const struct hp_table *t, size_t limit, const size_t *widths,
	    size_t i, size_t c, struct hp_buf *out)
{
	size_t len, left = t->cells[i + c].indent, width;
	const char *text = cell_text(t, i + c, &len);

	for (size_t k = 0; k < c; k++)
		left += t->hidden[k] ? 0 : widths[k] + HP_TABLE_GAP;
	width = hp_text_width(text, len) + strlen("()");
	if (limit && left + width > limit) {
		width = width < limit ? width : limit;
		left = limit - width;
	}
	hp_buf_fill(out, ' ', left);
	hp_buf_byte(out, '(');
	add_words(out, text, len, width > 2 ? width - strlen("()") : 0);
	hp_buf_text(out, ")\n");
}

static void
print_row(const struct hp_table *t, const struct hp_table_style *style,
	  const size_t *widths, size_t i, struct hp_buf *out)
{
	size_t owed = 0, len;

	for (size_t c = 0; c < t->column_count; c++) {
		if (t->cells[i + c].label) {
			print_label(t, style->width, widths, i, c, out);
			return;
		}
	}
	for (size_t c = 0; c < t->column_count; c++) {
		const char *text = cell_text(t, i + c, &len);
		if (t->hidden[c])
			continue;
		print_cell(out, &t->columns[c],
			   style->color ? t->cells[i + c].color : HP_COLOR_NONE,
			   text, len, widths[c], &owed);
	}
	hp_buf_byte(out, '\n');
}

static void
table_forget(struct hp_table *t)
{
	hp_buf_clear(&t->text);
	t->cell_count = 0;
}

enum hp_status
hp_table_measure(struct hp_table *t, struct hp_error *err)
{
	if (!table_begin(t) || !hp_buf_ok(&t->text))
		return hp_no_memory(err);
	table_widths(t, t->widths);
	table_forget(t);
	return HP_OK;
}

enum hp_status
hp_table_print_rows(struct hp_table *t, const struct hp_table_style *style,
		    struct hp_buf *out, struct hp_error *err)
{
	size_t width, *widths;

	if (!table_begin(t) || !hp_buf_ok(&t->text))
		return hp_no_memory(err);
	if (!t->hidden && !choose_columns(t, style))
		return hp_no_memory(err);
	widths = hp_calloc(t->column_count, sizeof(*widths));
	if (!widths)
		return hp_no_memory(err);
	memcpy(widths, t->widths, t->column_count * sizeof(*widths));
	width = fit_width(t, widths, style->width);
	if (!t->titled)
		print_titles(t, style, widths, width, out);
	t->titled = true;
	for (size_t i = 0; i < t->cell_count;) {
		if (t->cells[i].rule) {
			print_rule_line(out, width);
			i++;
		} else if (t->column_count <= t->cell_count - i) {
			print_row(t, style, widths, i, out);
			i += t->column_count;
		} else {
			break;
		}
	}
	hp_free(widths);
	table_forget(t);
	return hp_buf_ok(out) ? HP_OK : hp_no_memory(err);
}
