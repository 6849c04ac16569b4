/*
 * kinds.h - the enums of columns, --by keys, formats and options
 *
 * columns.h and row_keys.h have the tables that describe them.
 */
#ifndef HP_DIFF_KINDS_H
#define HP_DIFF_KINDS_H

#define COLUMN(symbol, ...) HP_COL_##symbol,
enum hp_col {
#include "common/cli/columns.def"
	HP_COLS
};

/* The columns as bits. */
#define COLUMN(symbol, ...) HP_COLUMN_##symbol = 1u << HP_COL_##symbol,
enum {
#include "common/cli/columns.def"
	HP_COLUMN_RETAINED =
		HP_COLUMN_RETAINED_COUNT | HP_COLUMN_RETAINED_BYTES,
};

#define KEY(symbol, ...) HP_BY_##symbol,
enum hp_by {
#include "diff/row_keys.def"
	HP_BYS
};

/* Sets of --by keys, for columns that only some keys have. */
enum {
	HP_KEYS_LOADER = 1u << HP_BY_LOADER,
	HP_KEYS_CPU = 1u << HP_BY_CPU,
	HP_KEYS_MONITOR = 1u << HP_BY_MONITOR,
	HP_KEYS_HOLDER = 1u << HP_BY_HOLDER | 1u << HP_BY_ROOT,
	/* their rows are counted in one pass over the objects */
	HP_KEYS_COUNTED = 1u << HP_BY_CLASS | 1u << HP_BY_PACKAGE |
			  1u << HP_BY_LOADER | 1u << HP_BY_HEAP |
			  1u << HP_BY_SITE,
	/* they can have an object graph */
	HP_KEYS_GRAPH =
		HP_KEYS_COUNTED | 1u << HP_BY_DOMINATOR | 1u << HP_BY_PATH,
	/* their rows are objects, not events */
	HP_KEYS_OBJECTS = HP_KEYS_GRAPH | HP_KEYS_HOLDER,
	HP_KEYS_EVENTS = HP_KEYS_CPU | HP_KEYS_MONITOR,
	HP_KEYS_ALL = HP_KEYS_OBJECTS | HP_KEYS_EVENTS,
};

/* The output formats; each has an entry in formats.def. */
#define FORMAT(symbol, ...) HP_DIFF_FORMAT_##symbol,
enum hp_diff_format_id {
#include "diff/formats.def"
	HP_DIFF_FORMATS
};

/*
 * The options that cannot be combined with everything, by number and as bits.
 */
#define FEATURE(symbol, name, given) HP_FEATURE_NUMBER_##symbol,
enum {
#include "diff/features.def"
	HP_FEATURES
};
#define FEATURE(symbol, name, given)                                           \
	HP_FEATURE_##symbol = 1u << HP_FEATURE_NUMBER_##symbol,
enum {
#include "diff/features.def"
};

#endif
