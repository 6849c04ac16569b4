/*
 * formats.h - the table of output formats from formats.def
 *
 * diff/report/writers.c has their writers.
 */
#ifndef HP_DIFF_FORMATS_H
#define HP_DIFF_FORMATS_H

#include "diff/kinds.h"

#include <stdbool.h>

enum {
	/* can show gates and the number of ignored paths */
	HP_FORMAT_WHOLE = 1,
	/* can show that a dump was read only in part */
	HP_FORMAT_PARTIAL = 2,
	/* can show how many objects moved from other paths */
	HP_FORMAT_MOVED = 4,
	HP_FORMAT_SCREEN = 8,	  /* on a terminal, show only the first rows */
	HP_FORMAT_EACH_DUMP = 16, /* shows the rows of each dump by itself */
	/* can show details, and rows that did not change */
	HP_FORMAT_PAGE = 32,
	/* the reader sums rows itself: no rollup rows */
	HP_FORMAT_SUMS_ITSELF = 64,
	/* shows leak suspects; for other formats nobody searches for them */
	HP_FORMAT_SUSPECTS = 128,
};

struct hp_diff_format {
	const char *name;
	unsigned holds; /* HP_FORMAT_... bits: what the format can hold */
	/* HP_FEATURE_... bits: allowed options that not all formats allow */
	unsigned options;
};

/* The names of formats, and the suffixes of files. Each list ends with NULL. */
extern const char *const hp_diff_format_names[HP_DIFF_FORMATS + 1];
extern const char *const hp_diff_format_suffixes[HP_DIFF_FORMATS + 1];

/* The format with a name that --format accepts. */
const struct hp_diff_format *hp_diff_format(const char *name);
/* The index of a format in the table. */
enum hp_diff_format_id hp_diff_format_id(const char *name);

/* The options that not all formats allow, as HP_FEATURE_... bits. */
unsigned hp_diff_formats_features(void);

static inline bool
hp_diff_format_holds(const char *name, unsigned what)
{
	return hp_diff_format(name)->holds & what;
}

#endif
