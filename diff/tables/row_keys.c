/*
 * row_keys.c - the table of the keys by which --by can group objects into rows
 */
#include "diff/tables/columns.h"

/* The lists of columns and of cells for the entries of row_keys.def. */
#define OWN_OBJECTS                                                            \
	{                                                                      \
		HP_COL_BYTES, HP_COL_COUNT, HP_COLS                            \
	}
#define OWN_WASTE                                                              \
	{                                                                      \
		HP_COL_WASTE, HP_COL_COUNT, HP_COLS                            \
	}
#define OWN_RETAINED                                                           \
	{                                                                      \
		HP_COL_RETAINED_BYTES, HP_COL_RETAINED_COUNT, HP_COLS          \
	}
#define OWN_TIMES_OR_SAMPLES                                                   \
	{                                                                      \
		HP_COL_MS, HP_COL_CALLS, HP_COL_SAMPLES, HP_COLS               \
	}
#define OWN_WAITS                                                              \
	{                                                                      \
		HP_COL_MS, HP_COL_WAITS, HP_COLS                               \
	}

#define HP_COL_FIRST HP_COLS
#define HP_COLUMN_NOTHING 0

#define CELLS_NO_CELLS                                                         \
	{                                                                      \
		HP_CELL_END                                                    \
	}
#define CELLS_STACK                                                            \
	{                                                                      \
		HP_CELL_FRAMES, HP_CELL_END                                    \
	}
/*
 * For --format=tsv with --by=site: a column of milliseconds, which is always
 * empty. Earlier versions had it, and the columns of TSV must not change.
 */
#define CELLS_STACK_AND_MS                                                     \
	{                                                                      \
		HP_CELL_FRAMES, HP_CELL_MS, HP_CELL_END                        \
	}

enum {
	STACKS = HP_KEY_STACKS,
	EVENTS = HP_KEY_EVENTS,
	OF_GRAPH = HP_KEY_OF_GRAPH,
	ROLLUPS = HP_KEY_ROLLUPS,
	NAMES_CLASS = HP_KEY_NAMES_CLASS,
	OVERLAPS = HP_KEY_OVERLAPS,
	PARTS_OF_HEAP = HP_KEY_PARTS_OF_HEAP,
	OWNERS = HP_KEY_OWNERS,
	NAMES_FRAME = HP_KEY_NAMES_FRAME,
	PATHS = HP_KEY_PATHS,
	LEVELS = HP_KEY_LEVELS,
	DETAILS = HP_KEY_DETAILS,
	IN_PACKAGES = HP_KEY_IN_PACKAGES,
	NEEDS_TRACES = HP_KEY_NEEDS_TRACES,
	NEEDS_HEAPS = HP_KEY_NEEDS_HEAPS,
	NEEDS_LOADERS = HP_KEY_NEEDS_LOADERS,
	NEEDS_REFERENCES = HP_KEY_NEEDS_REFERENCES,
	ROOTS_ONLY = HP_KEY_ROOTS_ONLY,
	OF_WASTE = HP_KEY_WASTE,
	SUMS_RETAINED = HP_KEY_SUMS_RETAINED,
	TABLE_COUNTS = HP_KEY_TABLE_COUNTS,
};

/*
 * Short names for the options of features.def. row_keys.def uses these names.
 */
#define FEATURE(symbol, name, given) symbol = HP_FEATURE_##symbol,
enum {
#include "diff/tables/features.def"
};

#define KEY(symbol, called, head, page, many, all, where, mine, heavy, by,     \
	    always, is, goes_with, others)                                     \
	{.name = called,                                                       \
	 .heading = head,                                                      \
	 .title = page,                                                        \
	 .noun = many,                                                         \
	 .whole = all,                                                         \
	 .stacks = where,                                                      \
	 .own = OWN_##mine,                                                    \
	 .weight = OWN_##heavy,                                                \
	 .sort = HP_COL_##by,                                                  \
	 .told = HP_COLUMN_##always,                                           \
	 .options = goes_with,                                                 \
	 .flags = is,                                                          \
	 .cells = CELLS_##others},
const struct hp_row_key hp_row_keys[HP_BYS] = {
#include "diff/tables/row_keys.def"
};

#define KEY(symbol, name, ...) name,
const char *const hp_row_key_names[HP_BYS + 1] = {
#include "diff/tables/row_keys.def"
	NULL};

unsigned
hp_row_keys_features(void)
{
	unsigned all = 0;

	for (size_t i = 0; i < HP_BYS; i++)
		all |= hp_row_keys[i].options;
	return all;
}
