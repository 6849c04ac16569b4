/*
 * flat_rows.h - rows for database engines: flat, alike, each tells its dump
 *
 * As JSON an object a line, without what a row does not have and without null;
 * as TSV with a header line, the same cells in every row: 0 and nothing stand
 * for what it does not have. All programs have one set of columns, so that
 * their rows can lie in one table. Text is in the visible form of escape.h.
 */
#ifndef HP_CLI_FLAT_ROWS_H
#define HP_CLI_FLAT_ROWS_H

#include "common/base/buf.h"
#include "common/io/dump_id.h"

#define CELL(symbol, name, text) HP_CELL_##symbol,
enum hp_cell {
#include "common/cli/cells.def"
	HP_CELL_END
};

/* KEY=VALUE of --label, for every row. Zeroed: none. */
struct hp_labels {
	struct hp_label {
		char *key; /* NUL behind it */
		const char *value;
		bool visible; /* is the value in the visible form? */
	} * list;
	size_t count;
};

/**
 * hp_labels_add() - one more label
 * @text: KEY=VALUE; the value is borrowed and is any text
 *
 * A key is a name that engines take without quotes, and, case aside, neither a
 * column's nor given before.
 * Returns: HP_OK; HP_DAMAGED: not so; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_labels_add(struct hp_labels *l, const char *text,
					 struct hp_error *err);
void hp_labels_release(struct hp_labels *l);

/* May a label have that key, as far as its letters go? */
bool hp_label_is_key(const char *text, size_t n);

struct hp_flat_cell {
	bool there, visible;
	const char *text; /* borrowed until the row ends; of a number NULL */
	size_t length;
	uint64_t number;
	bool hundredths; /* of the number: it is written with a point */
};

struct hp_flat_rows {
	FILE *file;
	bool tsv;
	const struct hp_labels *labels;
	struct hp_flat_cell cells[HP_CELL_END];
	bool shown[HP_CELL_END]; /* of TSV; kept for all rows */
	struct hp_buf buf;
	uint64_t count;	     /* rows */
	struct hp_error err; /* the first failure to write */
};

/* What every row tells of its dump. */
struct hp_flat_dump {
	const struct hp_dump_id *id;
	const char *path;
	uint64_t time_ms; /* since 1970; 0: not known */
	bool partial;	  /* not all of it could be read, or was right */
	unsigned number;  /* which of its file, where that has several, from 1;
			     0: there is but one, or it is of all of them */
};

/* A format's name for rows? "rows" or "tsv". */
bool hp_flat_format(const char *format);

/**
 * hp_flat_open() - rows to @file, in the format of that name
 * @shown:  the columns that TSV has besides those of every row
 * @labels: borrowed
 */
void hp_flat_open(struct hp_flat_rows *f, FILE *file, const char *format,
		  const enum hp_cell *shown, size_t nshown,
		  const struct hp_labels *labels);

/*
 * The number that tells dump @dump from the others of a file that has @held of
 * them; what is not there is told from what is. @dump 0: it is of all of them.
 */
static inline unsigned
hp_flat_dump_number(unsigned dump, unsigned held)
{
	return dump > 1 || held > 1 ? dump : 0;
}

/* A row of a dump, which is one of KIND's; it ends with hp_flat_end(). */
void hp_flat_begin(struct hp_flat_rows *f, const char *kind,
		   const struct hp_flat_dump *dump);
void hp_flat_number(struct hp_flat_rows *f, enum hp_cell column,
		    uint64_t number);
/* Hundredths: 1234 is written as 12.34. */
void hp_flat_hundredths(struct hp_flat_rows *f, enum hp_cell column,
			uint64_t number);
/* Text as it is, and text that is in the visible form; borrowed until the row
 * ends. NULL: no cell. */
void hp_flat_text(struct hp_flat_rows *f, enum hp_cell column,
		  const char *text);
void hp_flat_visible(struct hp_flat_rows *f, enum hp_cell column,
		     const char *text, size_t length);
void hp_flat_end(struct hp_flat_rows *f);

/* Write what has gathered: HP_OK, HP_IO, HP_NOMEM, from any row before. */
HP_MUST_USE enum hp_status hp_flat_flush(struct hp_flat_rows *f,
					 struct hp_error *err);
void hp_flat_release(struct hp_flat_rows *f);

#endif
