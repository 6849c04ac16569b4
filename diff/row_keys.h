/*
 * row_keys.h - everything that depends on the --by key
 *
 * The table is in row_keys.def.
 */
#ifndef HP_DIFF_ROW_KEYS_H
#define HP_DIFF_ROW_KEYS_H

#include "diff/columns.h"

enum {
	HP_KEY_STACKS = 1,	 /* each row has a stack */
	HP_KEY_EVENTS = 2,	 /* rows are events, not objects */
	HP_KEY_OF_GRAPH = 4,	 /* rows come from the object graph only */
	HP_KEY_ROLLUPS = 8,	 /* some rows are sums of other rows */
	HP_KEY_NAMES_CLASS = 16, /* each row is a class and has its name */
	HP_KEY_OVERLAPS = 32,	 /* an object can count in several rows */
	HP_KEY_OWNERS = 64,	 /* rows are weighed by what they retain */
	/* the key is the method of the innermost frame */
	HP_KEY_NAMES_FRAME = 4096,
	/* rows are paths, and objects may move between them */
	HP_KEY_PATHS = 1 << 15,
	HP_KEY_LEVELS = 1 << 16, /* rollups are the levels of a package, such as
				    a.* of a.b */
	/* a row of the HTML page can be opened for details */
	HP_KEY_DETAILS = 8192,
	HP_KEY_IN_PACKAGES = 16384, /* the HTML page draws packages */
	/* the rows need counts for each allocation trace */
	HP_KEY_NEEDS_TRACES = 128,
	/* the rows need counts for each Android heap */
	HP_KEY_NEEDS_HEAPS = 256,
	/* the rows need another pass for class loaders */
	HP_KEY_NEEDS_LOADERS = 512,
	/* the rows need another pass for references */
	HP_KEY_NEEDS_REFERENCES = 1024,
	/* only references from roots are wanted, not those of objects */
	HP_KEY_ROOTS_ONLY = 1 << 17,
	/* the counts in the tables of a pack suffice */
	HP_KEY_TABLE_COUNTS = 2048,
};

enum { HP_KEY_OWN = 3 };

struct hp_row_key {
	const char *name;    /* the value of --by */
	const char *heading; /* heading of the names in the table */
	const char *title;   /* the heading in the HTML page */
	const char *noun;    /* plural noun for rows, in the HTML page */
	const char *whole;   /* name of the sum of all rows, in the HTML page */
	/* what stacks are in the HTML page; NULL: no stacks */
	const char *stacks;
	/*
	 * the columns by which rows are sorted if no other rule decides; ends
	 * with HP_COLS
	 */
	enum hp_col own[HP_KEY_OWN + 1];
	/* the columns by which the growth of rows is compared */
	enum hp_col weight[HP_KEY_OWN + 1];
	/* the default of --sort; HP_COLS: the first column of own */
	enum hp_col sort;
	unsigned told; /* derived columns that JSON always has, as bits */
	/* HP_FEATURE_... bits: allowed options that not all keys allow */
	unsigned options;
	unsigned flags; /* HP_KEY_... bits */
	/*
	 * cells of TSV rows besides those of the columns; ends with HP_CELL_END
	 */
	enum hp_cell cells[3];
};

extern const struct hp_row_key hp_row_keys[HP_BYS];

/* The key of the rows that --why shows. */
enum { HP_KEY_OF_WHY = HP_BY_PATH };

/* The options that not all keys allow, as HP_FEATURE_... bits. */
unsigned hp_row_keys_features(void);

/* The values of --by; ends with NULL. */
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
