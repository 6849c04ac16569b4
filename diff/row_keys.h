/*
 * row_keys.h - what a row stands for: everything that a key of --by decides
 *
 * The table is row_keys.def.
 */
#ifndef HP_DIFF_ROW_KEYS_H
#define HP_DIFF_ROW_KEYS_H

#include "diff/columns.h"

enum {
	HP_KEY_STACKS = 1,	 /* a row has a stack */
	HP_KEY_EVENTS = 2,	 /* rows are of what happened, not of objects */
	HP_KEY_OF_GRAPH = 4,	 /* rows come from the object graph alone */
	HP_KEY_ROLLUPS = 8,	 /* some rows are the sums of others */
	HP_KEY_NAMES_CLASS = 16, /* a row is of one class, and named after it */
	HP_KEY_OVERLAPS = 32,	 /* an object counts in several rows */
	HP_KEY_OWNERS = 64,	 /* rows weigh what they retain */
	HP_KEY_NAMES_FRAME = 4096, /* the key is the innermost frame's method */
	HP_KEY_PATHS = 1 << 15,	   /* rows are paths, which may move */
	HP_KEY_LEVELS =
		1 << 16,       /* the sums are those of levels, as a.* of a.b */
	HP_KEY_DETAILS = 8192, /* a row of the HTML page opens with details */
	HP_KEY_IN_PACKAGES = 16384, /* the HTML page draws packages */
	/* what the rows take beside the pass that counts */
	HP_KEY_NEEDS_TRACES = 128,	/* counts for each allocation trace */
	HP_KEY_NEEDS_HEAPS = 256,	/* counts for each heap */
	HP_KEY_NEEDS_LOADERS = 512,	/* another pass: class loaders */
	HP_KEY_NEEDS_REFERENCES = 1024, /* another pass: references */
	HP_KEY_TABLE_COUNTS = 2048,	/* the counts in a pack's tables do */
};

enum { HP_KEY_OWN = 3 };

struct hp_row_key {
	const char *name;    /* of --by */
	const char *heading; /* over the names, in the table for people */
	const char *title;   /* the same in the HTML page */
	const char *noun;    /* many rows, in the HTML page */
	const char *whole;   /* all rows together, in the HTML page */
	const char *stacks;  /* what stacks say there; NULL: there are none */
	/* the columns that rows are ordered by where nothing else tells them
	   apart; HP_COLS ends the list */
	enum hp_col own[HP_KEY_OWN + 1];
	/* what a row weighs, and then how many: a row grows by these */
	enum hp_col weight[HP_KEY_OWN + 1];
	enum hp_col sort; /* without --sort; HP_COLS: the first of own */
	unsigned told;	  /* derived columns that JSON always has, as bits */
	/* HP_FEATURE_: options that not all keys go with and this one does */
	unsigned options;
	unsigned flags; /* HP_KEY_ */
	/* cells that TSV has for its rows beside those of its columns;
	   HP_CELL_END ends the list */
	enum hp_cell cells[3];
};

extern const struct hp_row_key hp_row_keys[HP_BYS];

/* The key of the rows that --why shows. */
enum { HP_KEY_OF_WHY = HP_BY_PATH };

/* The options that do not go with all keys, as bits. */
unsigned hp_row_keys_features(void);

/* The names of --by, then NULL. */
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
