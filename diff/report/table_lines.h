/*
 * table_lines.h - a table whose cells are described once
 *
 * The same function is called to make the columns, to measure all lines, and to
 * print them. So a table may have any number of lines, none of which is kept in
 * memory.
 */
#ifndef HP_DIFF_REPORT_TABLE_LINES_H
#define HP_DIFF_REPORT_TABLE_LINES_H

#include "common/cli/quantity.h"
#include "common/cli/table.h"

struct hp_table_lines {
	size_t dumps;
	size_t most; /* maximum number of columns */
	const void *ctx;
	/*
	 * creates the columns, by calling the functions below with any values
	 */
	void (*plan)(struct hp_table_lines *l);
	/* writes all lines, and calls hp_table_lines_flush() after each */
	enum hp_status (*fill)(struct hp_table_lines *l, struct hp_error *err);
	/* the following members are 0 at first */
	struct hp_table_column *columns;
	char (*titles)[24];
	size_t count;
	bool planning;
	struct hp_table table;
	/* NULL: the first pass, which measures the lines */
	const struct hp_table_style *style;
	struct hp_buf *text;
	FILE *out;
};

/*
 * Create a column, or open its cell in the current line. Returns the cell to
 * fill, or NULL while columns are created. @shrink: the column has names: it is
 * aligned left and can be shortened.
 */
struct hp_buf *hp_table_lines_cell(struct hp_table_lines *l, const char *title,
				   enum hp_color color, bool right,
				   bool shrink);

/*
 * Open the cell of one dump's number. If there are several dumps, the title
 * gets the number of the dump. The title is copied.
 */
struct hp_buf *hp_table_lines_dump_cell(struct hp_table_lines *l,
					const char *title, size_t dump);

/* Open the cell of a number for all dumps. The title is copied. */
struct hp_buf *hp_table_lines_named_cell(struct hp_table_lines *l,
					 const char *title,
					 enum hp_color color);

/*
 * Fill a column of numbers for each dump. With NULL as @v the cells stay empty.
 */
void hp_table_lines_values(struct hp_table_lines *l, const char *title,
			   const uint64_t *v,
			   void (*add)(struct hp_buf *, uint64_t));

/*
 * Fill the column of the growth if there are several dumps. @colored: growth is
 * red, and a decrease is green.
 */
void hp_table_lines_growth(struct hp_table_lines *l, const char *title,
			   const uint64_t *v, bool colored,
			   void (*add)(struct hp_buf *, int64_t));

/*
 * Measure or write the gathered lines if they have at least @least bytes.
 * Returns HP_OK, HP_NOMEM or HP_IO.
 */
enum { HP_TABLE_LINES_TEXT = 1 << 16 };
HP_MUST_USE enum hp_status hp_table_lines_flush(struct hp_table_lines *l,
						size_t least,
						struct hp_error *err);

/*
 * Measure all lines, then print them to @out after the contents of @text.
 * Returns HP_OK, HP_NOMEM or HP_IO.
 */
HP_MUST_USE enum hp_status
hp_table_lines_print(struct hp_table_lines *l,
		     const struct hp_table_style *style, struct hp_buf *text,
		     FILE *out, struct hp_error *err);

#endif
