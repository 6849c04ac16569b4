/*
 * table.h - aligned tables for terminals
 *
 * Cells are filled row by row, from left to right, then the whole table is
 * laid out. Widths are columns of a terminal, not bytes.
 */
#ifndef HP_CLI_TABLE_H
#define HP_CLI_TABLE_H

#include "common/cli/terminal.h"

struct hp_table_column {
	const char *title; /* plain text of the program's own */
	bool right;	   /* aligned to the right: numbers */
	bool shrink; /* shortened in the middle if the table is too wide; one
			column has it at most */
	bool names;  /* of classes, in a column that shrinks: packages become
			initials; what is behind a name is cut, a name never */
};

struct hp_table_cell;

struct hp_table {
	const struct hp_table_column *columns; /* borrowed */
	size_t column_count;
	struct hp_buf text; /* of all cells, one behind the other */
	struct hp_table_cell *cells;
	size_t cell_count, cell_cap;
	size_t *widths; /* of the columns, so far; NULL: none was measured */
	bool titled;	/* the titles are printed */
};

struct hp_table_style {
	unsigned width; /* columns; 0: as wide as need be */
	bool color;
	bool underline; /* a line below the titles */
};

void hp_table_init(struct hp_table *t, const struct hp_table_column *columns,
		   size_t column_count);
void hp_table_release(struct hp_table *t);

/**
 * hp_table_open() - begin the next cell
 *
 * Returns: the buffer that the cell's text is appended to, until the next
 *          cell is begun: with hp_count_text(), hp_text_clean() and so on.
 *          The text must be valid UTF-8 without control characters.
 */
struct hp_buf *hp_table_open(struct hp_table *t, enum hp_color color);

/* Between two rows: a line as wide as the table. */
void hp_table_rule(struct hp_table *t);

/*
 * A table of any number of rows in little memory: all of them are made twice.
 * First hp_table_measure() is told of some rows at a time, then
 * hp_table_print_rows() prints them, appended to @out, titles first. A row
 * that is not complete is left out; no line ends with spaces. Both forget the
 * rows that they were told of. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_table_measure(struct hp_table *t,
					    struct hp_error *err);
HP_MUST_USE enum hp_status
hp_table_print_rows(struct hp_table *t, const struct hp_table_style *style,
		    struct hp_buf *out, struct hp_error *err);

#endif
