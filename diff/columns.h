/*
 * columns.h - what columns.def says of each column, and what follows from it
 *
 * Writers, gates and saved results loop over this table; none of them names a
 * column.
 */
#ifndef HP_DIFF_COLUMNS_H
#define HP_DIFF_COLUMNS_H

#include "common/base/buf.h"
#include "common/cli/flat_rows.h"
#include "diff/kinds.h"

enum hp_column_unit {
	HP_IN_COUNT,
	HP_IN_BYTES,
	HP_IN_MS,
	HP_IN_STEPS,   /* 0: none */
	HP_IN_PERCENT, /* in millionths of a percent */
};

enum hp_column_picked {
	HP_COLUMN_PICK,	     /* by --columns */
	HP_COLUMN_WITH_NEXT, /* with the next column */
	HP_COLUMN_NO_PICK,   /* it is there wherever its key is */
};

enum {
	HP_COLUMN_IS_DEFAULT = 1,  /* shown without --columns */
	HP_COLUMN_IS_GROWS = 2,	   /* of several dumps its growth is shown */
	HP_COLUMN_IS_GATE = 4,	   /* --fail-if may ask for it */
	HP_COLUMN_IS_ESTIMATE = 8, /* of sampled files it has a margin */
	HP_COLUMN_IS_BESIDE_NEXT = 16, /* the growth follows the next values */
	HP_COLUMN_IS_OF_KEY = 32,      /* a few keys have it, and always */
	HP_COLUMN_IS_NO_TOTAL = 64,    /* rows have no sum of it */
	HP_COLUMN_IS_ONE_CELL = 128, /* the table shows all dumps in one cell */
	HP_COLUMN_IS_ASKED = 256,    /* computed only if it is asked for */
	HP_COLUMN_IS_RETAINED = 512, /* a retained size */
	HP_COLUMN_IS_NEEDS_GRAPH = 1024,
	HP_COLUMN_IS_LESS_IS_WORSE = 2048,
};

/* What derived columns need to know beside the row. */
struct hp_basis {
	enum hp_col weight;    /* the column that percents are of */
	const uint64_t *whole; /* of each dump: what is 100 % */
};

extern const struct hp_column_kind {
	const char *key, *word, *heading, *title, *one, *help;
	enum hp_column_picked picked;
	enum hp_column_unit unit;
	enum hp_cell cell;
	/* a value from those of its row; NULL: it is stored */
	uint64_t (*derive)(uint64_t *const values[HP_COLS], size_t dump,
			   const struct hp_basis *basis);
	/* the values of two rows become one; NULL: not at all */
	void (*join)(uint64_t *sum, uint64_t part);
	unsigned keys;	/* 1 << enum hp_by: those that have it */
	unsigned flags; /* HP_COLUMN_IS_ */
} hp_columns[HP_COLS];

static inline bool
hp_column_is(enum hp_col c, unsigned flag)
{
	return hp_columns[c].flags & flag;
}

/* The columns that a flag says something of, as bits. */
unsigned hp_columns_that_are(unsigned flag);
/* The columns of a key, as bits. */
unsigned hp_columns_of_key(enum hp_by by);
/* The stored ones of them. */
unsigned hp_columns_stored(void);

/* The column that a word of --columns, --sort or --fail-if means; HP_COLS:
 * there is none. */
enum hp_col hp_column_find(const char *word, size_t n);
/* What --columns picks with a column: it, and what goes with it. As bits. */
unsigned hp_column_picks(enum hp_col c);

/* The end of the columns whose values stand side by side, from @c on. */
enum hp_col hp_column_group_end(enum hp_col c);

/* The column that says of what a row retains what @c says of the row itself;
 * HP_COLS: there is none. */
enum hp_col hp_column_retained(enum hp_col c);

/* The words of some columns, as "count, bytes or retained". */
void hp_columns_words(struct hp_buf *b, unsigned columns);

/* A value for people, and its growth with a sign. */
void hp_column_text(struct hp_buf *b, enum hp_col c, uint64_t v);
void hp_column_growth_text(struct hp_buf *b, enum hp_col c, int64_t v);
/* Of a percentage as columns have it, hundredths of a percent, rounded. */
uint64_t hp_percent_hundredths(uint64_t v);

/* A value, and its growth, for programs: "1234"; of percents "12.34". */
void hp_column_number(struct hp_buf *b, enum hp_col c, uint64_t v);
void hp_column_growth_number(struct hp_buf *b, enum hp_col c, int64_t v);

#endif
