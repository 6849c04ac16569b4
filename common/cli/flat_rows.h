/*
 * flat_rows.h - flat rows for databases; each row identifies its dump
 *
 * In JSON each row is an object on a line of its own, without members that have
 * no value. TSV has a header line and the same cells in every row: 0 or an
 * empty text means no value. All programs share one set of columns, so that all
 * their rows fit into one database table. Text is in the visible form of
 * escape.h.
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
 * The KEY=VALUE pairs of --label, which are added to every row. Zeroed: none.
 */
struct hp_labels {
	struct hp_label {
		/* name of the label; ends with NUL; belongs to the list */
		char *key;
		const char *value;
		/* control characters in the value are already escaped */
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

/* Whether the characters and the length of @text are valid for a key. */
bool hp_label_is_key(const char *text, size_t n);

struct hp_flat_cell {
	bool there, visible;
	/* the text, borrowed until the row ends; NULL: the cell is a number */
	const char *text;
	size_t length;
	uint64_t number;
	/* number is in hundredths, and written with a decimal point */
	bool hundredths;
};

struct hp_flat_rows {
	FILE *file;
	bool tsv;
	const struct hp_labels *labels;
	struct hp_flat_cell cells[HP_CELL_END];
	/* for TSV: which columns are written, the same for all rows */
	bool shown[HP_CELL_END];
	struct hp_buf buf;
	uint64_t count;	     /* number of rows that were written */
	struct hp_error err; /* the first error when writing */
};

/* What identifies a dump. Each row about the dump repeats these facts. */
struct hp_flat_dump {
	const struct hp_dump_id *id;
	const char *path;
	/* time of the dump in milliseconds since 1970; 0: unknown */
	uint64_t time_ms;
	/* a part of the dump could not be read, or was invalid */
	bool partial;
	/*
	 * The number of the dump, from 1, in a file that has several. 0: the
	 * file has only one, or the row is about all of them.
	 */
	unsigned number;
};

/**
 * hp_flat_open() - start writing rows to @file
 * @format: "rows" or "tsv"
 * @shown:  for TSV: the columns to write, besides those that every row has
 * @labels: borrowed
 */
void hp_flat_open(struct hp_flat_rows *f, FILE *file, const char *format,
		  const enum hp_cell *shown, size_t nshown,
		  const struct hp_labels *labels);

/*
 * The number that distinguishes a dump from others in a file with @held dumps.
 * Returns 0 if the file has only one. @dump is 0 if the row is about all of
 * them.
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
/* Add a number in hundredths: 1234 is written as 12.34. */
void hp_flat_hundredths(struct hp_flat_rows *f, enum hp_cell column,
			uint64_t number);
/*
 * Add a cell with text: raw bytes of a dump, or text that escape.h has already
 * escaped. The text is borrowed until the row ends. If it is NULL, no cell is
 * added.
 */
void hp_flat_text(struct hp_flat_rows *f, enum hp_cell column,
		  const char *text);
void hp_flat_visible(struct hp_flat_rows *f, enum hp_cell column,
		     const char *text, size_t length);
void hp_flat_end(struct hp_flat_rows *f);

/*
 * Write everything collected. Returns HP_OK, HP_IO or HP_NOMEM, also for a
 * failure in an earlier row.
 */
HP_MUST_USE enum hp_status hp_flat_flush(struct hp_flat_rows *f,
					 struct hp_error *err);
void hp_flat_release(struct hp_flat_rows *f);

#endif
