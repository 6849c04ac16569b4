/*
 * columns.h - the table of columns from columns.def, and functions on it
 *
 * Writers, gates and saved results iterate over this table. None of them has
 * code for a single column.
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
	HP_IN_STEPS,   /* 0: no path */
	HP_IN_PERCENT, /* in millionths of a percent */
};

enum hp_column_picked {
	HP_COLUMN_PICK,	     /* --columns can name it */
	HP_COLUMN_WITH_NEXT, /* shown together with the next column */
	HP_COLUMN_NO_PICK,   /* always shown if the --by key has it */
};

enum {
	HP_COLUMN_IS_DEFAULT = 1, /* shown without --columns */
	HP_COLUMN_IS_GROWS = 2,	  /* with several dumps, its growth is shown */
	HP_COLUMN_IS_GATE = 4,	  /* --fail-if accepts it */
	/* in sampled files it has a margin of error */
	HP_COLUMN_IS_ESTIMATE = 8,
	/* the growth is shown after the values of the next column */
	HP_COLUMN_IS_BESIDE_NEXT = 16,
	/* only a few --by keys have it, and always */
	HP_COLUMN_IS_OF_KEY = 32,
	HP_COLUMN_IS_NO_TOTAL = 64, /* the total row has no value of it */
	/* the table shows the values of all dumps in one cell */
	HP_COLUMN_IS_ONE_CELL = 128,
	HP_COLUMN_IS_ASKED = 256,    /* computed only on request */
	HP_COLUMN_IS_RETAINED = 512, /* a retained size */
	HP_COLUMN_IS_NEEDS_GRAPH = 1024,
	HP_COLUMN_IS_LESS_IS_WORSE = 2048,
};

/* What derived columns need besides the values of the row. */
struct hp_basis {
	enum hp_col weight; /* the column of which percentages are computed */
	const uint64_t *whole; /* by dump: the value that is 100 % */
};

extern const struct hp_column_kind {
	const char *key, *word, *heading, *title, *one, *help;
	enum hp_column_picked picked;
	enum hp_column_unit unit;
	enum hp_cell cell;
	/* computes a derived value; NULL: the value is stored */
	uint64_t (*derive)(uint64_t *const values[HP_COLS], size_t dump,
			   const struct hp_basis *basis);
	/* combines the values of two rows; NULL: it has no sum */
	void (*join)(uint64_t *sum, uint64_t part);
	unsigned keys;	/* the --by keys that have it, as 1 << enum hp_by */
	unsigned flags; /* HP_COLUMN_IS_... bits */
} hp_columns[HP_COLS];

static inline bool
hp_column_is(enum hp_col c, unsigned flag)
{
	return hp_columns[c].flags & flag;
}

/* The columns that have a flag, as bits. */
unsigned hp_columns_that_are(unsigned flag);
/* The columns of a --by key, as bits. */
unsigned hp_columns_of_key(enum hp_by by);
/* The columns whose values are stored, as bits. */
unsigned hp_columns_stored(void);

/*
 * The column with a word of --columns, --sort or --fail-if. Returns HP_COLS if
 * there is none.
 */
enum hp_col hp_column_find(const char *word, size_t n);
/*
 * The columns that --columns selects with @c: the column and those shown
 * together with it. As bits.
 */
unsigned hp_column_picks(enum hp_col c);

/*
 * The end of a group of columns that are shown side by side, starting with @c.
 */
enum hp_col hp_column_group_end(enum hp_col c);

/*
 * The column with the retained size that corresponds to @c. Returns HP_COLS if
 * there is none.
 */
enum hp_col hp_column_retained(enum hp_col c);

/* Append the words of some columns, for example "count, bytes or retained". */
void hp_columns_words(struct hp_buf *b, unsigned columns);

/* Append a value in readable form, or its growth with a sign. */
void hp_column_text(struct hp_buf *b, enum hp_col c, uint64_t v);
void hp_column_growth_text(struct hp_buf *b, enum hp_col c, int64_t v);
/* Round a percentage of a column to hundredths of a percent. */
uint64_t hp_percent_hundredths(uint64_t v);

/*
 * Append a value, or its growth, in a form for programs: "1234", or "12.34" for
 * percentages.
 */
void hp_column_number(struct hp_buf *b, enum hp_col c, uint64_t v);
void hp_column_growth_number(struct hp_buf *b, enum hp_col c, int64_t v);

#endif
