/*
 * table.h - aligned tables for terminals
 *
 * The program adds cells row by row, from left to right. When all cells are
 * known, the width of each column of the table is computed. A width is the
 * number of characters that fit on the terminal, not a number of bytes.
 */
#ifndef HP_CLI_TABLE_H
#define HP_CLI_TABLE_H

#include "common/cli/message.h"

struct hp_table_column {
	const char *title; /* the heading of the column: plain text */
	bool right;	   /* align the cells to the right, for numbers */
	/*
	 * If the table is too wide, shorten the cells of this column in the
	 * middle. At most one column of a table may be such a column.
	 */
	bool shrink;
	/*
	 * The cells of this column begin with class names. If the table is too
	 * wide, the cells become shorter in this order: packages become
	 * initials, then the text after the class name is shortened. If the
	 * name alone is still too wide, hp_name_fit() shortens it: first the
	 * packages are left out, then the outer classes, then the middle. In a
	 * reference, such as "Order.items → ArrayList", only the classes are
	 * shortened, and in a text of several words the names, the longest
	 * first.
	 */
	bool names;
	/*
	 * If the table is too wide, columns are left out. Columns with a larger
	 * rank are left out first. 0: this column is always shown.
	 */
	unsigned rank;
};

struct hp_table_cell;

struct hp_table {
	const struct hp_table_column *columns; /* the columns; borrowed */
	size_t column_count;
	/* the texts of all cells, one directly after the other */
	struct hp_buf text;
	struct hp_table_cell *cells;
	size_t cell_count, cell_cap;
	/*
	 * The width of each column of the table so far. NULL: no row was
	 * measured yet.
	 */
	size_t *widths;
	bool titled; /* the headings of the columns were already printed */
	/*
	 * hidden[i]: whether column i is left out because the table is too
	 * wide. NULL: this was not decided yet.
	 */
	bool *hidden;
};

/*
 * Values for hp_table_style.names: the percentage of the table's width for a
 * column with class names, or with paths.
 */
enum { HP_TABLE_NAMES = 40, HP_TABLE_PATHS = 55 };

struct hp_table_style {
	/*
	 * maximum width of the table, in columns of the terminal; 0: unlimited
	 */
	unsigned width;
	bool color;
	bool underline; /* print a line below the headings */
	/*
	 * The percentage of the width that is reserved for the column whose
	 * member `shrink` is set. If this column needs less, it gets only what
	 * it needs. If necessary, other columns are left out. 0: the default,
	 * HP_TABLE_NAMES percent.
	 */
	unsigned names;
};

void hp_table_init(struct hp_table *t, const struct hp_table_column *columns,
		   size_t column_count);
void hp_table_release(struct hp_table *t);

/**
 * hp_table_open() - begin the next cell
 *
 * Returns: a buffer to which the caller appends the text of the cell, for
 *          example with hp_count_text() or hp_text_clean(), before it begins
 *          the next cell. The text must be valid UTF-8 without control
 *          characters.
 */
struct hp_buf *hp_table_open(struct hp_table *t, enum hp_color color);

/*
 * Begin the next cell, as hp_table_open() does, for the label of an object in a
 * row without other texts. The table writes the label in parentheses and
 * indented by @indent columns. If there is too little room, it begins further
 * to the left. If it is wider than the table, hp_label_fit() shortens it, or
 * hp_text_fit() if shorter names are not enough. No column is left out for a
 * label.
 */
struct hp_buf *hp_table_open_label(struct hp_table *t, unsigned indent);

/*
 * Append the titles of the columns that are left out because the table is too
 * wide, separated by commas. If all columns are shown, appends nothing. Call it
 * after hp_table_measure() for all rows. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_left_out(struct hp_table *t,
					     const struct hp_table_style *style,
					     struct hp_buf *b,
					     struct hp_error *err);

/* Add a horizontal line, as wide as the table, after the rows added so far. */
void hp_table_rule(struct hp_table *t);

/*
 * Two functions that print a table with any number of rows in little memory.
 * The caller adds all rows twice, some rows at a time. The first time, it calls
 * hp_table_measure() after each group of rows; this computes the widths of the
 * columns. The second time, it calls hp_table_print_rows() after each group;
 * this appends the titles and the rows to @out. Both functions remove the rows
 * that were added. An incomplete row is ignored. No line ends with spaces. They
 * return HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_measure(struct hp_table *t,
					    struct hp_error *err);
HP_MUST_USE enum hp_status
hp_table_print_rows(struct hp_table *t, const struct hp_table_style *style,
		    struct hp_buf *out, struct hp_error *err);

/*
 * Append lines of text, broken at spaces so that no line is wider than @width
 * columns (0: no limit). If a line is broken, the lines after the break are
 * indented by four more columns than the line itself. A word that is wider than
 * a line is shortened in the middle.
 *
 * @text: valid UTF-8 whose only control characters are line feeds
 */
void hp_lines_fit(struct hp_buf *out, const char *text, size_t len,
		  size_t width);

/*
 * The functions that shorten texts are in shorten.c. Each appends a text, which
 * is shortened if it is wider than @width columns of the terminal.
 *
 * hp_text_fit() leaves out the middle of the text. hp_name_fit() shortens the
 * name of a class: it leaves out the packages, then the outer classes, then the
 * middle. Generated classes keep their outer classes. Both functions return the
 * width of the text that they appended.
 *
 * hp_label_fit() shortens the label of an object, for example "map of 1,501:
 * String → leak_jsp$CartItem": the names of classes and fields in it, but not
 * its numbers and other words. If the label is then still too wide, the
 * function appends nothing and returns false.
 */
size_t hp_text_fit(struct hp_buf *out, const char *text, size_t len,
		   size_t width);
size_t hp_name_fit(struct hp_buf *out, const char *name, size_t len,
		   size_t width);
bool hp_label_fit(struct hp_buf *out, const char *label, size_t width);

/*
 * Whether the first @end bytes of a text are the name of a package. Packages
 * begin with a small letter, and a dot and another name follow. Classes usually
 * begin with a capital letter. A class with a small letter is recognised in
 * three cases: it is an inner class, it was made of a JSP (login_jsp), or the
 * text names its static field ("config.ALL (static)").
 *
 * @len: number of bytes of the whole text
 */
bool hp_is_package(const char *text, size_t len, size_t end);

#endif
