/*
 * formats.h - the table of formats.def: what each output format is called and
 * has a place for
 *
 * Their writers are in diff/report/writers.c.
 */
#ifndef HP_DIFF_FORMATS_H
#define HP_DIFF_FORMATS_H

#include "diff/kinds.h"

#include <stdbool.h>

enum {
	HP_FORMAT_WHOLE = 1,	    /* gates, and paths that are ignored */
	HP_FORMAT_PARTIAL = 2,	    /* that a dump was read in part */
	HP_FORMAT_MOVED = 4,	    /* what moved from other paths */
	HP_FORMAT_SCREEN = 8,	    /* on a terminal the first rows only */
	HP_FORMAT_EACH_DUMP = 16,   /* rows of each dump by itself */
	HP_FORMAT_PAGE = 32,	    /* details, and rows that did not change */
	HP_FORMAT_SUMS_ITSELF = 64, /* who reads it sums rows: no roll-ups */
};

struct hp_diff_format {
	const char *name;
	unsigned holds;	  /* HP_FORMAT_ */
	unsigned options; /* HP_FEATURE_, of those that not all go with */
};

/* The names, and the suffixes of files; NULL ends each. */
extern const char *const hp_diff_format_names[HP_DIFF_FORMATS + 1];
extern const char *const hp_diff_format_suffixes[HP_DIFF_FORMATS + 1];

/* The format of a name that --format takes. */
const struct hp_diff_format *hp_diff_format(const char *name);
/* Its place in the table. */
enum hp_diff_format_id hp_diff_format_id(const char *name);

/* The features that do not go with all formats, as bits. */
unsigned hp_diff_formats_features(void);

static inline bool
hp_diff_format_holds(const char *name, unsigned what)
{
	return hp_diff_format(name)->holds & what;
}

#endif
