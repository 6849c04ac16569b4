/*
 * columns.h - the columns, keys and formats of hprof-diff
 */
#ifndef HP_DIFF_COLUMNS_H
#define HP_DIFF_COLUMNS_H

#include "common/base/buf.h"
#include "common/cli/flat_rows.h"

/* ----------------------------------------------------------------------
 * The enums of columns, --by keys, formats and options
 *
 * columns.h and row_keys.c have the tables that describe them.
 */

#define COLUMN(symbol, ...) HP_COL_##symbol,
enum hp_col {
#include "common/cli/columns.def"
	HP_COLS
};

/* One bit for each column. */
#define COLUMN(symbol, ...) HP_COLUMN_##symbol = 1u << HP_COL_##symbol,
enum {
#include "common/cli/columns.def"
	HP_COLUMN_RETAINED =
		HP_COLUMN_RETAINED_COUNT | HP_COLUMN_RETAINED_BYTES,
};

#define KEY(symbol, ...) HP_BY_##symbol,
enum hp_by {
#include "diff/tables/row_keys.def"
	HP_BYS
};

/* Sets of --by keys, for columns that only some keys have. */
enum {
	HP_KEYS_LOADER = 1u << HP_BY_LOADER,
	HP_KEYS_CPU = 1u << HP_BY_CPU,
	HP_KEYS_MONITOR = 1u << HP_BY_MONITOR,
	HP_KEYS_HOLDER = 1u << HP_BY_HOLDER | 1u << HP_BY_ROOT,
	HP_KEYS_WASTE = 1u << HP_BY_WASTE,
	/* their rows are counted in one pass over the objects */
	HP_KEYS_COUNTED = 1u << HP_BY_CLASS | 1u << HP_BY_PACKAGE |
			  1u << HP_BY_LOADER | 1u << HP_BY_HEAP |
			  1u << HP_BY_SITE,
	/* these --by keys can use an object graph */
	HP_KEYS_GRAPH = HP_KEYS_COUNTED | 1u << HP_BY_DOMINATOR |
			1u << HP_BY_THREAD | 1u << HP_BY_PATH,
	/* their rows are objects, not events such as CPU samples */
	HP_KEYS_OBJECTS = HP_KEYS_GRAPH | HP_KEYS_HOLDER,
	/* their rows have a number of objects */
	HP_KEYS_NUMBERED = HP_KEYS_OBJECTS | HP_KEYS_WASTE,
	HP_KEYS_EVENTS = HP_KEYS_CPU | HP_KEYS_MONITOR,
	HP_KEYS_ALL = HP_KEYS_NUMBERED | HP_KEYS_EVENTS,
};

/* The output formats; each has an entry in formats.def. */
#define FORMAT(symbol, ...) HP_DIFF_FORMAT_##symbol,
enum hp_diff_format_id {
#include "diff/tables/formats.def"
	HP_DIFF_FORMATS
};

/*
 * The options that cannot be combined with everything: their numbers, and one
 * bit for each.
 */
#define FEATURE(symbol, name, given) HP_FEATURE_NUMBER_##symbol,
enum {
#include "diff/tables/features.def"
	HP_FEATURES
};
#define FEATURE(symbol, name, given)                                           \
	HP_FEATURE_##symbol = 1u << HP_FEATURE_NUMBER_##symbol,
enum {
#include "diff/tables/features.def"
};

/* ----------------------------------------------------------------------
 * The table of columns from columns.def, and functions on it
 *
 * Writers, gates and saved results iterate over this table. None of them has
 * code for a single column.
 */

enum hp_column_unit {
	HP_IN_COUNT,
	HP_IN_BYTES,
	HP_IN_MS,
	HP_IN_STEPS,   /* number of steps of a path; 0: there is no path */
	HP_IN_PERCENT, /* in millionths of a percent */
};

enum hp_column_picked {
	HP_COLUMN_PICK, /* --columns can name the column */
	/* the column is chosen together with the next column */
	HP_COLUMN_WITH_NEXT,
	HP_COLUMN_NO_PICK, /* shown whenever the --by key has the column */
};

enum {
	HP_COLUMN_IS_DEFAULT = 1, /* shown if --columns is not given */
	/* with several dumps, the growth is also shown */
	HP_COLUMN_IS_GROWS = 2,
	HP_COLUMN_IS_GATE = 4, /* --fail-if accepts the column */
	/* in dumps that are samples, the value has a margin of error */
	HP_COLUMN_IS_ESTIMATE = 8,
	/* the growth is shown after the values of the next column */
	HP_COLUMN_IS_BESIDE_NEXT = 16,
	/* only a few --by keys have the column, and these always do */
	HP_COLUMN_IS_OF_KEY = 32,
	/* the row for the total has no value in this column */
	HP_COLUMN_IS_NO_TOTAL = 64,
	/* the table shows the values of all dumps in one cell */
	HP_COLUMN_IS_ONE_CELL = 128,
	/* computed only if an option asks for it */
	HP_COLUMN_IS_ASKED = 256,
	HP_COLUMN_IS_RETAINED = 512, /* the column is a retained size */
	HP_COLUMN_IS_NEEDS_GRAPH = 1024,
	HP_COLUMN_IS_LESS_IS_WORSE = 2048,
	/* a part of the heap: a gate can limit it to a share of the heap */
	HP_COLUMN_IS_OF_HEAP = 4096,
	/* only three or more dumps have values */
	HP_COLUMN_IS_OF_SERIES = 8192,
};

/* What derived columns need besides the values of the row. */
struct hp_basis {
	enum hp_col weight; /* the column whose percentages are computed */
	/* for each dump: the value that counts as 100 % */
	const uint64_t *whole;
};

/* The column by which leak suspects are compared. */
enum { HP_COLUMN_OF_SUSPECTS = HP_COL_RETAINED_BYTES };

extern const struct hp_column_kind {
	const char *key, *word, *heading, *title, *one, *help;
	enum hp_column_picked picked;
	enum hp_column_unit unit;
	enum hp_cell cell;
	/* computes a derived value; NULL: the value is stored */
	uint64_t (*derive)(uint64_t *const values[HP_COLS], size_t dump,
			   const struct hp_basis *basis);
	/* combines the values of two rows; NULL: the column has no sum */
	void (*join)(uint64_t *sum, uint64_t part);
	/* which --by keys have the column, as bits 1 << enum hp_by */
	unsigned keys;
	unsigned flags; /* properties, as bits HP_COLUMN_IS_... */
} hp_columns[HP_COLS];

static inline bool
hp_column_is(enum hp_col c, unsigned flag)
{
	return hp_columns[c].flags & flag;
}

/* The columns that have a certain property, one bit each. */
unsigned hp_columns_that_are(unsigned flag);
/* The columns of a --by key, one bit each. */
unsigned hp_columns_of_key(enum hp_by by);
/* The columns whose values are stored, as bits. */
unsigned hp_columns_stored(void);

/*
 * The column with a word of --columns, --sort or --fail-if. Returns HP_COLS if
 * there is none.
 */
enum hp_col hp_column_find(const char *word, size_t n);
/*
 * The columns that --columns shows if @c is chosen: the column itself, and
 * those that are always shown together with it. As bits.
 */
unsigned hp_column_picks(enum hp_col c);

/*
 * The column after the last one of a group that is shown together and begins
 * with @c.
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

/* ----------------------------------------------------------------------
 * Everything that depends on the --by key
 *
 * The table is in row_keys.def.
 */

enum {
	HP_KEY_STACKS = 1, /* each row has a stack of frames */
	/* rows are events such as CPU samples, not objects */
	HP_KEY_EVENTS = 2,
	HP_KEY_OF_GRAPH = 4,	 /* making the rows needs the object graph */
	HP_KEY_ROLLUPS = 8,	 /* some rows are sums of other rows */
	HP_KEY_NAMES_CLASS = 16, /* each row is a class, and has its name */
	HP_KEY_OVERLAPS = 32,	 /* an object can count in several rows */
	/* rows are owners, and are compared by what they retain */
	HP_KEY_OWNERS = 64,
	/* the key is the method of the innermost frame */
	HP_KEY_NAMES_FRAME = 4096,
	/* rows are paths, and objects may move between them */
	HP_KEY_PATHS = 1 << 15,
	HP_KEY_LEVELS = 1 << 16, /* rollups are the levels of a package, such as
				    a.* of a.b */
	/*
	 * rows are parts of the heap: their percentages, which are always
	 * shown, are shares of the heap
	 */
	HP_KEY_PARTS_OF_HEAP = 1 << 18,
	/* a row of the HTML page can be opened for details */
	HP_KEY_DETAILS = 8192,
	/* the HTML page groups the rows by package */
	HP_KEY_IN_PACKAGES = 16384,
	/* the rows need counts for each allocation trace */
	HP_KEY_NEEDS_TRACES = 128,
	/* the rows need counts for each Android heap */
	HP_KEY_NEEDS_HEAPS = 256,
	/* the rows need another pass for class loaders */
	HP_KEY_NEEDS_LOADERS = 512,
	/* making the rows needs another pass over all references */
	HP_KEY_NEEDS_REFERENCES = 1024,
	/* only references from roots are wanted, not those of objects */
	HP_KEY_ROOTS_ONLY = 1 << 17,
	/* rows are memory that the heap could do without (--by=waste) */
	HP_KEY_WASTE = 1 << 18,
	/*
	 * the numbers of objects that a pack stores are enough to make the rows
	 */
	HP_KEY_TABLE_COUNTS = 2048,
};

enum { HP_KEY_OWN = 3 };

struct hp_row_key {
	const char *name;    /* the argument of --by */
	const char *heading; /* heading of the names in the table */
	const char *title;   /* heading of the names in the HTML page */
	/* what rows are called in the HTML page, in the plural */
	const char *noun;
	const char *whole; /* name of the sum of all rows, in the HTML page */
	/* name of the stacks in the HTML page; NULL: the rows have no stacks */
	const char *stacks;
	/*
	 * the columns by which rows are sorted if no other rule decides; ends
	 * with HP_COLS
	 */
	enum hp_col own[HP_KEY_OWN + 1];
	/*
	 * the columns by whose growth rows are compared; the first that has
	 * values is used
	 */
	enum hp_col weight[HP_KEY_OWN + 1];
	/* the default of --sort; HP_COLS: the first column of own */
	enum hp_col sort;
	unsigned told; /* derived columns that JSON always contains, as bits */
	/* HP_FEATURE_... bits: allowed options that not all keys allow */
	unsigned options;
	unsigned flags; /* properties, as bits HP_KEY_... */
	/*
	 * cells of TSV rows besides those of the columns; ends with HP_CELL_END
	 */
	enum hp_cell cells[3];
};

extern const struct hp_row_key hp_row_keys[HP_BYS];

/* The --by key of the rows that --why shows. */
enum { HP_KEY_OF_WHY = HP_BY_PATH };

/* The options that not all keys allow, as HP_FEATURE_... bits. */
unsigned hp_row_keys_features(void);

/* The arguments of --by; the list ends with NULL. */
extern const char *const hp_row_key_names[HP_BYS + 1];

static inline const char *
hp_by_name(enum hp_by by)
{
	return hp_row_keys[by].name;
}

static inline bool
hp_key_is(enum hp_by by, unsigned flag)
{
	return hp_row_keys[by].flags & flag;
}

#endif
