/*
 * table.h - aligned tables for terminals
 *
 * Cells are added row by row, from left to right; then the whole table is laid
 * out. Widths are columns of a terminal, not bytes.
 */
#ifndef HP_CLI_TABLE_H
#define HP_CLI_TABLE_H

#include "common/cli/message.h"

struct hp_table_column {
	const char *title; /* heading of the column, plain text */
	bool right;	   /* align the cells to the right, for numbers */
	/*
	 * Shorten cells in the middle if the table is too wide. At most one
	 * column may have this.
	 */
	bool shrink;
	/*
	 * Cells begin with class names. In a column that shrinks, packages
	 * become initials first, then the part after the name is cut, and last
	 * the name is shortened in the middle.
	 */
	bool names;
	/*
	 * Leave the column out if the table is too wide; columns with a larger
	 * rank go first. 0: always shown.
	 */
	unsigned rank;
};

struct hp_table_cell;

struct hp_table {
	const struct hp_table_column *columns; /* the columns; borrowed */
	size_t column_count;
	struct hp_buf text; /* the texts of all cells, one after the other */
	struct hp_table_cell *cells;
	size_t cell_count, cell_cap;
	/* widths of the columns so far; NULL: nothing was measured */
	size_t *widths;
	bool titled; /* the headings were already printed */
	/* for each column: it is left out; NULL: not decided yet */
	bool *hidden;
};

/*
 * The percentages of the table's width that columns with names, or with paths,
 * get. See hp_table_style.names.
 */
enum { HP_TABLE_NAMES = 40, HP_TABLE_PATHS = 55 };

struct hp_table_style {
	/* maximum width in columns of the terminal; 0: unlimited */
	unsigned width;
	bool color;
	bool underline; /* print a line below the headings */
	/*
	 * Further columns are left out until the column that shrinks gets this
	 * percentage of the width, or all that it needs. 0: HP_TABLE_NAMES.
	 */
	unsigned names;
};

void hp_table_init(struct hp_table *t, const struct hp_table_column *columns,
		   size_t column_count);
void hp_table_release(struct hp_table *t);

/**
 * hp_table_open() - begin the next cell
 *
 * Returns: the buffer to which the cell's text is appended until the next cell
 *          begins, for example with hp_count_text() or hp_text_clean(). The
 *          text must be valid UTF-8 without control characters.
 */
struct hp_buf *hp_table_open(struct hp_table *t, enum hp_color color);

/*
 * Append the titles of the columns that are left out because the table is too
 * wide, separated by commas. Appends nothing if there are none. Call it after
 * all rows are measured. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_left_out(struct hp_table *t,
					     const struct hp_table_style *style,
					     struct hp_buf *b,
					     struct hp_error *err);

/* Add a horizontal line, as wide as the table, after the rows added so far. */
void hp_table_rule(struct hp_table *t);

/*
 * Print a table with any number of rows in little memory, by adding all rows
 * twice. First add some rows at a time and call hp_table_measure() each time;
 * then add them again and call hp_table_print_rows(), which appends them to
 * @out, after the titles. Both functions remove the rows added so far. An
 * incomplete row is ignored. No line ends with spaces. They return HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_measure(struct hp_table *t,
					    struct hp_error *err);
HP_MUST_USE enum hp_status
hp_table_print_rows(struct hp_table *t, const struct hp_table_style *style,
		    struct hp_buf *out, struct hp_error *err);

/*
 * Append lines of text, broken at spaces so that none is wider than @width (0:
 * no limit). The rest of a broken line is indented by four more columns than
 * its beginning. A word that is wider than a line loses its middle.
 *
 * @text: valid UTF-8 whose only control characters are line feeds
 */
void hp_lines_fit(struct hp_buf *out, const char *text, size_t len,
		  size_t width);

#endif
