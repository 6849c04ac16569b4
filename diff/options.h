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
#include "diff/formats.h"
#include "diff/row_keys.h"
#include "diff/rows.h"

/* What --sort says: a column, or one of these. */
enum { HP_SORT_NAME = HP_COLS, HP_SORT_GROWTH };

enum hp_sites_mode { HP_SITES_AUTO, HP_SITES_OBJECTS, HP_SITES_RECORDS };

enum { HP_SITE_DEPTH_ALL = 0 };

struct hp_diff_options {
	struct hp_options common;
	enum hp_by by;
	unsigned sort; /* a column, or HP_SORT_ */
	bool sort_given;
	uint64_t top; /* rows; 0: all */
	bool top_given;
	const char *filter, *heap; /* globs; NULL: none */
	bool all, wide, exit_code, partial, fail_unmatched;
	bool raw_names; /* --normalize=off */
	bool hide_fillers;
	bool retained;		 /* retained sizes, too */
	unsigned columns;	 /* to be shown, as bits */
	unsigned columns_listed; /* those of them that --columns names */
	bool columns_given;
	enum hp_reachability reachability;
	const char *layout; /* NULL: auto */
	enum hp_sites_mode sites;
	double confidence;   /* of margins; 0: estimates count as they are */
	bool allocated;	     /* --measure=allocated */
	uint64_t site_depth; /* frames; HP_SITE_DEPTH_ALL */
	bool site_lines;
	bool flat; /* --format=rows|tsv: each dump by itself, with its id */
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
	return hp_key_is(o->by, HP_KEY_OF_GRAPH);
}

/* How it is told that a dump is partial: with -q, too, if no report does. */
static inline enum hp_message_level
hp_diff_partial_level(const struct hp_diff_options *o)
{
	return hp_diff_format_holds(o->common.format, HP_FORMAT_PARTIAL)
		       ? HP_MESSAGE_WARNING
		       : HP_MESSAGE_RESULT;
}

/* Has the format a place for something, HP_FORMAT_? */
static inline bool
hp_diff_holds(const struct hp_diff_options *o, unsigned what)
{
	return hp_diff_format_holds(o->common.format, what);
}

/* The name of a --sort. */
const char *hp_sort_name(unsigned sort);
/* The columns that rows are sorted by, as bits; 0: none. */
unsigned hp_sort_columns(unsigned sort);
const char *hp_reachability_name(enum hp_reachability reachability);

#endif
