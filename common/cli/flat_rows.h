/*
 * flat_rows.h - write rows for databases, as JSON or TSV; each row identifies
 * its dump
 *
 * In JSON, each row is an object on a line of its own. If the row has no value
 * for a column, the object has no such member. TSV has a header line, and every
 * row has a cell for each column. In a TSV cell, 0 or an empty text means that
 * the row has no value for this column. All programs share one set of columns,
 * so that all their rows fit into one database table. Text is in the visible
 * form of escape.h.
 */
#ifndef HP_CLI_FLAT_ROWS_H
#define HP_CLI_FLAT_ROWS_H

#include "common/base/buf.h"
#include "common/io/source.h"

#define CELL(symbol, name, text) HP_CELL_##symbol,
enum hp_cell {
#include "common/cli/cells.def"
	HP_CELL_END
};

/*
 * The KEY=VALUE pairs of --label, which are added to every row. A zeroed struct
 * has no pairs.
 */
struct hp_labels {
	struct hp_label {
		/* the KEY; a C string that is freed together with the labels */
		char *key;
		const char *value;
		/*
		 * the value of the label is already in the visible form of
		 * escape.h
		 */
		bool visible;
	} * list;
	size_t count;
};

/**
 * hp_labels_add() - add a label
 * @text: KEY=VALUE; the value is borrowed, and may be any text
 *
 * The key must be a name that databases accept without quotes. It must differ,
 * ignoring case, from all columns and from earlier labels.
 *
 * Returns: HP_OK; HP_DAMAGED if the key or the form is invalid; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_labels_add(struct hp_labels *l, const char *text,
					 struct hp_error *err);
void hp_labels_release(struct hp_labels *l);

/*
 * Whether @text is valid as the KEY of a label. Checks only its characters and
 * length.
 */
bool hp_label_is_key(const char *text, size_t n);

struct hp_flat_cell {
	bool there, visible;
	/*
	 * The text of the cell, which is borrowed until the row ends. NULL: the
	 * cell contains `number`.
	 */
	const char *text;
	size_t length;
	uint64_t number;
	/* the value of the cell is number / 100: 1234 is written as 12.34 */
	bool hundredths;
};

struct hp_flat_rows {
	FILE *file;
	bool tsv;
	const struct hp_labels *labels;
	struct hp_flat_cell cells[HP_CELL_END];
	/* for TSV: shown[c] says whether column c is written, in every row */
	bool shown[HP_CELL_END];
	struct hp_buf buf;
	uint64_t count;	     /* number of rows that were written so far */
	struct hp_error err; /* the first error while writing rows */
};

/* The facts that identify a dump. Each row about the dump contains them. */
struct hp_flat_dump {
	const struct hp_dump_id *id;
	const char *path;
	/* time of the dump in milliseconds since 1970; 0: not known */
	uint64_t time_ms;
	/*
	 * the results are incomplete, because a part of the dump could not be
	 * read or was invalid
	 */
	bool partial;
	/*
	 * The number of this dump, from 1, if the file contains several dumps.
	 * 0: the file contains only one dump, or the row is about all dumps of
	 * the file.
	 */
	unsigned number;
};

/**
 * hp_flat_open() - start writing rows to @file
 * @format: "rows" or "tsv"
 * @shown:  for TSV: the columns to write, in addition to those that every row
 *          has
 * @labels: the labels to add to each row; borrowed
 */
void hp_flat_open(struct hp_flat_rows *f, FILE *file, const char *format,
		  const enum hp_cell *shown, size_t nshown,
		  const struct hp_labels *labels);

/*
 * Returns the value of hp_flat_dump.number. @dump: the number of the dump in
 * its file, from 1; 0 if the row is about all dumps. @held: the number of dumps
 * in the file. If it is 1, the result is 0.
 */
static inline unsigned
hp_flat_dump_number(unsigned dump, unsigned held)
{
	return dump > 1 || held > 1 ? dump : 0;
}

/*
 * Begin a row about a dump. @kind is the value of the column "kind". Then add
 * cells, and end the row with hp_flat_end().
 */
void hp_flat_begin(struct hp_flat_rows *f, const char *kind,
		   const struct hp_flat_dump *dump);
void hp_flat_number(struct hp_flat_rows *f, enum hp_cell column,
		    uint64_t number);
/*
 * Add a number with two decimals, which is given in hundredths: 1234 is written
 * as 12.34.
 */
void hp_flat_hundredths(struct hp_flat_rows *f, enum hp_cell column,
			uint64_t number);
/*
 * Add a cell with text. hp_flat_text() is for raw bytes of a dump, and
 * hp_flat_visible() for text that escape.h has already escaped. The text is
 * borrowed until the row ends. If it is NULL, no cell is added.
 */
void hp_flat_text(struct hp_flat_rows *f, enum hp_cell column,
		  const char *text);
void hp_flat_visible(struct hp_flat_rows *f, enum hp_cell column,
		     const char *text, size_t length);
void hp_flat_end(struct hp_flat_rows *f);

/*
 * Write all rows that are still in the buffer to the file. Returns HP_OK, HP_IO
 * or HP_NOMEM. If writing an earlier row has failed, returns that failure.
 */
HP_MUST_USE enum hp_status hp_flat_flush(struct hp_flat_rows *f,
					 struct hp_error *err);
void hp_flat_release(struct hp_flat_rows *f);

#endif
