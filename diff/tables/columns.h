/*
 * columns.h - the columns, --by keys and output formats of hprof-diff
 */
#ifndef HP_DIFF_COLUMNS_H
#define HP_DIFF_COLUMNS_H

#include "common/base/buf.h"
#include "common/cli/flat_rows.h"

/* ----------------------------------------------------------------------
 * The enums of columns, --by keys, formats and options
 *
 * columns.c and row_keys.c have the tables that describe them.
 */

#define COLUMN(symbol, ...) HP_COL_##symbol,
enum hp_col {
#include "common/cli/columns.def"
	HP_COLS
};

/* The bits of the columns, for sets of columns. */
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

/*
 * Sets of --by keys, one bit for each key. They are used for columns that only
 * some keys have.
 */
enum {
	HP_KEYS_LOADER = 1u << HP_BY_LOADER,
	HP_KEYS_CPU = 1u << HP_BY_CPU,
	HP_KEYS_MONITOR = 1u << HP_BY_MONITOR,
	HP_KEYS_HOLDER = 1u << HP_BY_HOLDER | 1u << HP_BY_ROOT,
	HP_KEYS_WASTE = 1u << HP_BY_WASTE,
	/*
	 * the --by keys whose rows are made from one pass that counts the
	 * objects
	 */
	HP_KEYS_COUNTED = 1u << HP_BY_CLASS | 1u << HP_BY_PACKAGE |
			  1u << HP_BY_LOADER | 1u << HP_BY_HEAP |
			  1u << HP_BY_SITE,
	/*
	 * the --by keys that can show retained sizes; retained sizes need the
	 * object graph
	 */
	HP_KEYS_GRAPH = HP_KEYS_COUNTED | 1u << HP_BY_DOMINATOR |
			1u << HP_BY_THREAD | 1u << HP_BY_PATH |
			1u << HP_BY_REFERENCE,
	HP_KEYS_REFERENCE = 1u << HP_BY_REFERENCE,
	/*
	 * the --by keys whose rows can show the memory outside the heap that
	 * objects own
	 */
	HP_KEYS_OWNING = HP_KEYS_GRAPH & ~HP_KEYS_REFERENCE,
	/*
	 * the --by keys whose rows are objects, not events such as CPU samples
	 */
	HP_KEYS_OBJECTS = HP_KEYS_GRAPH | HP_KEYS_HOLDER,
	/* the --by keys whose rows have a number of objects */
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
 * The options that cannot be combined with every --by key or every format. Each
 * has a number (HP_FEATURE_NUMBER_...) and a bit.
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
 * The report writers, gates and saved results iterate over this table, so none
 * of them needs code for a particular column.
 */

enum hp_column_unit {
	HP_IN_COUNT,
	HP_IN_BYTES,
	HP_IN_MS,
	/*
	 * the values are numbers of steps on a path from a root; 0 means that
	 * there is no path
	 */
	HP_IN_STEPS,
	/* the values are percentages, in millionths of a percent */
	HP_IN_PERCENT,
};

enum hp_column_picked {
	HP_COLUMN_PICK, /* the user can choose the column with --columns */
	/*
	 * the user cannot choose the column; it is shown if the next column in
	 * columns.def is shown
	 */
	HP_COLUMN_WITH_NEXT,
	/*
	 * the column cannot be chosen; it is shown whenever the --by key has it
	 */
	HP_COLUMN_NO_PICK,
};

enum {
	/* the column is shown if --columns is not given */
	HP_COLUMN_IS_DEFAULT = 1,
	/*
	 * if there are several dumps, the report also shows how much the values
	 * of the column grew
	 */
	HP_COLUMN_IS_GROWS = 2,
	HP_COLUMN_IS_GATE = 4, /* a gate (--fail-if) can check the column */
	/*
	 * if a dump is only a sample of the objects, the values have a margin
	 * of error
	 */
	HP_COLUMN_IS_ESTIMATE = 8,
	/*
	 * the growth of this column is shown after the values of the next
	 * column in columns.def, not directly after its own values
	 */
	HP_COLUMN_IS_BESIDE_NEXT = 16,
	/*
	 * only a few --by keys have the column, and with these keys it is
	 * always shown
	 */
	HP_COLUMN_IS_OF_KEY = 32,
	/* the row with the total has no value in this column */
	HP_COLUMN_IS_NO_TOTAL = 64,
	/*
	 * the table shows the values of all dumps in one cell, not in one cell
	 * for each dump
	 */
	HP_COLUMN_IS_ONE_CELL = 128,
	/* the column is computed only if an option asks for it */
	HP_COLUMN_IS_ASKED = 256,
	HP_COLUMN_IS_RETAINED = 512, /* the column is a retained size */
	HP_COLUMN_IS_NEEDS_GRAPH = 1024,
	HP_COLUMN_IS_LESS_IS_WORSE = 2048,
	/*
	 * the values of the column are a part of the bytes of the heap, so a
	 * gate can limit them to a percentage of the heap
	 */
	HP_COLUMN_IS_OF_HEAP = 4096,
	/* the column has values only if there are three or more dumps */
	HP_COLUMN_IS_OF_SERIES = 8192,
};

/*
 * The data from which derived columns (computed, not stored) are computed, in
 * addition to the values of the row.
 */
struct hp_basis {
	/* percentages are computed from the values of this column */
	enum hp_col weight;
	/* for each dump: the value that counts as 100 % */
	const uint64_t *whole;
};

/* The column by which leak suspects are compared: the retained size. */
enum { HP_COLUMN_OF_SUSPECTS = HP_COL_RETAINED_BYTES };

extern const struct hp_column_kind {
	const char *key, *word, *heading, *title, *one, *help;
	enum hp_column_picked picked;
	enum hp_column_unit unit;
	enum hp_cell cell;
	/*
	 * a function that computes the value of a derived column; NULL: the
	 * value is stored
	 */
	uint64_t (*derive)(uint64_t *const values[HP_COLS], size_t dump,
			   const struct hp_basis *basis);
	/*
	 * a function that adds the value @part of a row to *@sum; NULL: values
	 * of this column cannot be added up
	 */
	void (*join)(uint64_t *sum, uint64_t part);
	/* the --by keys that have this column, as bits 1 << enum hp_by */
	unsigned keys;
	unsigned flags; /* properties of the column, as bits HP_COLUMN_IS_... */
} hp_columns[HP_COLS];

static inline bool
hp_column_is(enum hp_col c, unsigned flag)
{
	return hp_columns[c].flags & flag;
}

/*
 * Returns the columns that have the property @flag (HP_COLUMN_IS_...), one bit
 * for each.
 */
unsigned hp_columns_that_are(unsigned flag);
/* Returns the columns that a --by key has, one bit for each. */
unsigned hp_columns_of_key(enum hp_by by);
/*
 * Returns the columns whose values are stored and not computed, one bit for
 * each.
 */
unsigned hp_columns_stored(void);

/*
 * Returns the column with the name @word in --columns, --sort or --fail-if, or
 * HP_COLS if there is none.
 */
enum hp_col hp_column_find(const char *word, size_t n);
/*
 * Returns the columns that are shown if the user chooses @c with --columns, one
 * bit for each: the column itself, and those that are always shown together
 * with it.
 */
unsigned hp_column_picks(enum hp_col c);

/*
 * Some columns are always shown together, as a group. Returns the column after
 * the last column of the group that begins with @c.
 */
enum hp_col hp_column_group_end(enum hp_col c);

/*
 * Returns the column with the retained size, if the column @c is a shallow
 * size; both have the same unit (objects or bytes). HP_COLS if there is none.
 */
enum hp_col hp_column_retained(enum hp_col c);

/*
 * Append the names of the columns in the set @columns, for example "count,
 * bytes or retained".
 */
void hp_columns_words(struct hp_buf *b, unsigned columns);

/* Append a value in a form that is easy to read. A growth gets a sign. */
void hp_column_text(struct hp_buf *b, enum hp_col c, uint64_t v);
void hp_column_growth_text(struct hp_buf *b, enum hp_col c, int64_t v);
/*
 * Returns a percentage in hundredths of a percent, rounded from the unit of
 * columns (millionths of a percent).
 */
uint64_t hp_percent_hundredths(uint64_t v);

/*
 * Append a value, or its growth, in a form for programs: "1234", or "12.34" for
 * percentages.
 */
void hp_column_number(struct hp_buf *b, enum hp_col c, uint64_t v);
void hp_column_growth_number(struct hp_buf *b, enum hp_col c, int64_t v);

/* ----------------------------------------------------------------------
 * The properties of each --by key
 *
 * The table is in row_keys.def.
 */

enum {
	HP_KEY_STACKS = 1, /* each row has a stack of frames */
	/* rows are events such as CPU samples, not objects */
	HP_KEY_EVENTS = 2,
	HP_KEY_OF_GRAPH = 4, /* making the rows needs the object graph */
	HP_KEY_ROLLUPS = 8,  /* some rows are sums of other rows */
	/* each row is a class, and its key is the name of the class */
	HP_KEY_NAMES_CLASS = 16,
	HP_KEY_OVERLAPS = 32, /* the same object can count in several rows */
	/*
	 * rows are owners of objects, and are compared by their retained sizes
	 */
	HP_KEY_OWNERS = 64,
	/* the key of a row is the method of the innermost stack frame */
	HP_KEY_NAMES_FRAME = 4096,
	/*
	 * rows are paths from the roots, and objects may move from one path to
	 * another
	 */
	HP_KEY_PATHS = 1 << 15,
	/*
	 * a row that is a sum (a rollup) is a package with all packages below
	 * it, such as a.* for a.b and a.c
	 */
	HP_KEY_LEVELS = 1 << 16,
	/*
	 * rows are parts of the heap: the column of percentages is always
	 * shown, and contains shares of the whole heap
	 */
	HP_KEY_PARTS_OF_HEAP = 1 << 18,
	/* in the HTML page, a click on a row shows its details */
	HP_KEY_DETAILS = 8192,
	/* the HTML page groups the rows by package */
	HP_KEY_IN_PACKAGES = 16384,
	/*
	 * making the rows needs the number of objects for each allocation trace
	 */
	HP_KEY_NEEDS_TRACES = 128,
	/* making the rows needs the number of objects for each Android heap */
	HP_KEY_NEEDS_HEAPS = 256,
	/*
	 * making the rows needs another pass over the dump, for class loaders
	 */
	HP_KEY_NEEDS_LOADERS = 512,
	/*
	 * making the rows needs another pass over the dump, for all references
	 */
	HP_KEY_NEEDS_REFERENCES = 1024,
	/*
	 * making the rows needs only the references from roots, not those from
	 * objects
	 */
	HP_KEY_ROOTS_ONLY = 1 << 17,
	/* rows are memory that the program could save (--by=waste) */
	HP_KEY_WASTE = 1 << 19,
	/*
	 * the rows retain disjoint sets of objects, so the total of a retained
	 * column is the sum of the rows instead of the reachable heap
	 */
	HP_KEY_SUMS_RETAINED = 1 << 22,
	/*
	 * the number of objects of each class, which a pack stores in its
	 * tables, is enough to make the rows
	 */
	HP_KEY_TABLE_COUNTS = 2048,
};

enum { HP_KEY_OWN = 3 };

struct hp_row_key {
	const char *name; /* the name of the key: the argument of --by */
	/* heading of the column of row names, in the table */
	const char *heading;
	/* heading of the column of row names, in the HTML page */
	const char *title;
	/*
	 * the word for rows in the HTML page, in the plural, for example
	 * "classes"
	 */
	const char *noun;
	/*
	 * name of the sum of all rows in the HTML page, for example "the heap"
	 */
	const char *whole;
	/*
	 * the word for stacks in the HTML page, in the plural; NULL: the rows
	 * have no stacks
	 */
	const char *stacks;
	/*
	 * the columns by which rows are sorted if all other criteria are equal;
	 * HP_COLS ends the list
	 */
	enum hp_col own[HP_KEY_OWN + 1];
	/*
	 * rows can be sorted by the growth of these columns; the first of them
	 * that has values is used
	 */
	enum hp_col weight[HP_KEY_OWN + 1];
	/* the default of --sort; HP_COLS: the first column of `own` */
	enum hp_col sort;
	/*
	 * derived columns (computed, not stored) that JSON always contains, one
	 * bit for each column
	 */
	unsigned told;
	/*
	 * HP_FEATURE_... bits: the options that can be combined with this key;
	 * options that every key allows have no bit
	 */
	unsigned options;
	unsigned flags; /* properties of the key, as bits HP_KEY_... */
	/*
	 * for --format=tsv: cells that a row has in addition to the cells of
	 * its columns; HP_CELL_END ends the list
	 */
	enum hp_cell cells[3];
};

extern const struct hp_row_key hp_row_keys[HP_BYS];

/* The --by key whose rows --why shows as a tree: the key "path". */
enum { HP_KEY_OF_WHY = HP_BY_PATH };

/*
 * Returns HP_FEATURE_... bits: the options that at least one --by key does not
 * allow.
 */
unsigned hp_row_keys_features(void);

/*
 * The names of all --by keys, which are the arguments of --by; NULL ends the
 * list.
 */
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
