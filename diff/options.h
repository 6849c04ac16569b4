/*
 * options.h - what the options of hprof-diff say
 *
 * Gates are only collected here; gate.h parses them.
 */
#ifndef HP_DIFF_OPTIONS_H
#define HP_DIFF_OPTIONS_H

#include "common/cli/flat_rows.h"
#include "common/cli/message.h"
#include "common/options/options.h"
#include "common/graph/reachability.h"
#include "diff/rows.h"

enum hp_by {
	HP_BY_CLASS,
	HP_BY_PACKAGE,
	HP_BY_LOADER,
	HP_BY_HEAP,
	HP_BY_SITE,
	HP_BY_CPU,
	HP_BY_MONITOR,
	HP_BY_DOMINATOR,
	HP_BY_HOLDER,
	HP_BY_PATH,
};

enum hp_sort {
	HP_SORT_BYTES,
	HP_SORT_COUNT,
	HP_SORT_NAME,
	HP_SORT_GROWTH,
	HP_SORT_RETAINED,
	HP_SORT_LARGEST,
	HP_SORT_DEPTH,
	HP_SORT_NATIVE,
	HP_SORTS,
};

enum hp_sites_mode { HP_SITES_AUTO, HP_SITES_OBJECTS, HP_SITES_RECORDS };

enum { HP_SITE_DEPTH_ALL = 0 };

struct hp_diff_options {
	struct hp_options common;
	enum hp_by by;
	enum hp_sort sort;
	bool sort_given;
	uint64_t top; /* rows; 0: all */
	bool top_given;
	const char *filter, *heap; /* globs; NULL: none */
	bool all, wide, exit_code, partial, fail_unmatched;
	bool raw_names; /* --normalize=off */
	bool hide_fillers;
	bool retained;	  /* retained sizes, too */
	unsigned columns; /* HP_COLUMN_ */
	bool columns_given;
	enum hp_reachability reachability;
	const char *layout; /* NULL: auto */
	enum hp_sites_mode sites;
	double confidence;   /* of margins; 0: estimates count as they are */
	bool allocated;	     /* --measure=allocated */
	uint64_t site_depth; /* frames; HP_SITE_DEPTH_ALL */
	bool site_lines;
	bool flat; /* --format=rows|tsv: each dump by itself, with its id */
	bool bare; /* --format=csv|folded: rows, and nothing about dumps */
	struct hp_labels labels;
	const char **gates; /* borrowed texts */
	size_t gate_count;
	const char *why;	    /* glob or id; NULL: not asked */
	const char **ignored_paths; /* globs, borrowed */
	size_t ignored_path_count;
	bool no_ignore_list;	/* --ignore-path=none */
	bool print_ignore_list; /* --ignore-path=list, instead of a report */
};

extern const struct hp_program hp_diff_program;

/* Defaults; hp_diff_options_release() frees the lists. */
void hp_diff_options_init(struct hp_diff_options *o);
void hp_diff_options_release(struct hp_diff_options *o);

/* Do rows come from the object graph and from nothing else? */
static inline bool
hp_diff_by_graph(const struct hp_diff_options *o)
{
	return o->by == HP_BY_DOMINATOR || o->by == HP_BY_PATH;
}

/* How it is told that a dump is partial: with -q, too, if no report does. */
static inline enum hp_message_level
hp_diff_partial_level(const struct hp_diff_options *o)
{
	return o->bare ? HP_MESSAGE_RESULT : HP_MESSAGE_WARNING;
}

/* The contract's word: "class", "package" ... */
const char *hp_by_name(enum hp_by by);
/* "count", "bytes" ... by the number of the bit; NULL behind the last. */
const char *hp_column_name(unsigned bit);
const char *hp_sort_name(enum hp_sort sort);
/* The HP_COLUMN_ that rows are sorted by; 0: none. */
unsigned hp_sort_column(enum hp_sort sort);
const char *hp_reachability_name(enum hp_reachability reachability);

#endif
