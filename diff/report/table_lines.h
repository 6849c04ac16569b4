/*
 * table_lines.h - a table of any number of lines, whose cells are described
 * once: the same walk makes the columns, and then each line
 */
#ifndef HP_DIFF_REPORT_TABLE_LINES_H
#define HP_DIFF_REPORT_TABLE_LINES_H

#include "common/cli/quantity.h"
#include "common/cli/table.h"

struct hp_table_lines {
	size_t dumps;
	size_t most; /* columns there may be */
	const void *ctx;
	/* Adds the columns, by the calls below with any values. */
	void (*plan)(struct hp_table_lines *l);
	/* Adds all lines, hp_table_lines_flush() after each. */
	enum hp_status (*fill)(struct hp_table_lines *l, struct hp_error *err);
	/* what follows is zero at first */
	struct hp_table_column *columns;
	char (*titles)[24];
	size_t count;
	bool planning;
	struct hp_table table;
	const struct hp_table_style *style; /* NULL: lines are measured */
	struct hp_buf *text;
	FILE *out;
};

/*
 * A column, and in a line its cell to be filled; NULL where columns are
 * planned. @shrink: of names, to the left.
 */
struct hp_buf *hp_table_lines_cell(struct hp_table_lines *l, const char *title,
				   enum hp_color color, bool right,
				   bool shrink);

/* The cell of a number of one dump: its title has the number of the dump where
 * there are several. The title is copied. */
struct hp_buf *hp_table_lines_dump_cell(struct hp_table_lines *l,
					const char *title, size_t dump);

/* The cell of a number of all dumps, under a title that is copied. */
struct hp_buf *hp_table_lines_named_cell(struct hp_table_lines *l,
					 const char *title,
					 enum hp_color color);

/* A column of numbers for each dump; @v NULL: they stay empty. */
void hp_table_lines_values(struct hp_table_lines *l, const char *title,
			   const uint64_t *v,
			   void (*add)(struct hp_buf *, uint64_t));

/* Their growth, of several dumps; in colour if it is said what is good. */
void hp_table_lines_growth(struct hp_table_lines *l, const char *title,
			   const uint64_t *v, bool colored,
			   void (*add)(struct hp_buf *, int64_t));

/* Hand on what has gathered, if it is @least bytes. HP_OK; HP_NOMEM; HP_IO. */
enum { HP_TABLE_LINES_TEXT = 1 << 16 };
HP_MUST_USE enum hp_status hp_table_lines_flush(struct hp_table_lines *l,
						size_t least,
						struct hp_error *err);

/*
 * Measure all lines and print them to @out, behind what is in @text. HP_OK;
 * HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status
hp_table_lines_print(struct hp_table_lines *l,
		     const struct hp_table_style *style, struct hp_buf *text,
		     FILE *out, struct hp_error *err);

#endif
