/*
 * options.h - the options of hprof-diff, and which options exclude each other
 */
#ifndef HP_DIFF_OPTIONS_H
#define HP_DIFF_OPTIONS_H

#include "common/cli/flat_rows.h"
#include "common/cli/message.h"
#include "common/graph/graph.h"
#include "common/mapping/mapping.h"
#include "common/options/options.h"
#include "diff/findings/catalogue.h"
#include "diff/tables/columns.h"
#include "diff/result/known.h"
#include "diff/result/rows.h"
#include "diff/waste/collections.h"

#include <stdbool.h>

/* ----------------------------------------------------------------------
 * The table of output formats from formats.def
 *
 * diff/report/writers.c has their writers.
 */

enum {
	/*
	 * the format can show which gates (--fail-if) failed, and how many
	 * paths were ignored
	 */
	HP_FORMAT_WHOLE = 1,
	/* the format can show that a part of a dump could not be read */
	HP_FORMAT_PARTIAL = 2,
	/* the format can show how many objects moved from other paths */
	HP_FORMAT_MOVED = 4,
	/* on a terminal, the format shows only the first rows by default */
	HP_FORMAT_SCREEN = 8,
	/* the format shows the rows of each dump separately */
	HP_FORMAT_EACH_DUMP = 16,
	/*
	 * the format is a page: it can show details of a row, and rows that did
	 * not change
	 */
	HP_FORMAT_PAGE = 32,
	/*
	 * a format for people, not for programs: the report begins with the
	 * most important results, so retained sizes and suspects are computed
	 * unless --quick is given
	 */
	HP_FORMAT_PEOPLE = 256,
	/*
	 * the program that reads this format adds up rows itself, so no rows
	 * with sums are written
	 */
	HP_FORMAT_SUMS_ITSELF = 64,
	/*
	 * the format shows leak suspects; for other formats, there is no search
	 * for suspects
	 */
	HP_FORMAT_SUSPECTS = 128,
	/*
	 * the report consists of leak suspects only, so retained sizes are
	 * always computed
	 */
	HP_FORMAT_ONLY_SUSPECTS = 512,
	/*
	 * the format shows examples of the elements of a suspect (--examples)
	 */
	HP_FORMAT_EXAMPLES = 1024,
};

struct hp_diff_format {
	const char *name;
	unsigned holds; /* HP_FORMAT_... bits: properties of the format */
	/*
	 * HP_FEATURE_... bits: the options that this format supports; options
	 * that every format supports have no bit
	 */
	unsigned options;
};

/*
 * The names of the formats, and the suffixes of file names. Each list ends with
 * NULL.
 */
extern const char *const hp_diff_format_names[HP_DIFF_FORMATS + 1];
extern const char *const hp_diff_format_suffixes[HP_DIFF_FORMATS + 1];

/* Find a format by its name, as --format accepts it. */
const struct hp_diff_format *hp_diff_format(const char *name);
/* Returns the index in the table of the format with this name. */
enum hp_diff_format_id hp_diff_format_id(const char *name);

/*
 * Returns the name of the first format in the table that has at least one of
 * the properties @what (HP_FORMAT_... bits).
 */
const char *hp_diff_format_that_is(unsigned what);

/*
 * Returns HP_FEATURE_... bits: the options that at least one format does not
 * support.
 */
unsigned hp_diff_formats_features(void);

static inline bool
hp_diff_format_holds(const char *name, unsigned what)
{
	return hp_diff_format(name)->holds & what;
}

/* ----------------------------------------------------------------------
 * The parsed options of hprof-diff
 *
 * gate.h parses the texts of gates.
 */

/* The values of --sort: the index of a column, or one of these numbers. */
enum { HP_SORT_NAME = HP_COLS, HP_SORT_GROWTH };

enum hp_sites_mode { HP_SITES_AUTO, HP_SITES_OBJECTS, HP_SITES_RECORDS };

enum { HP_SITE_DEPTH_ALL = 0 };

struct hp_diff_options {
	struct hp_options common;
	enum hp_by by;
	/* the sort key of rows: a column, HP_SORT_NAME or HP_SORT_GROWTH */
	unsigned sort;
	bool sort_given;
	uint64_t top; /* maximum number of rows to show; 0: all rows */
	bool top_given;
	/* the patterns of --filter and of --heap; NULL: not given */
	const char *filter, *heap;
	/*
	 * show texts from the heap dump, which may be secrets (--show-values)
	 */
	bool show_values;
	bool all, wide, exit_code, partial, fail_unmatched;
	/*
	 * show generated class names unchanged, with the parts that differ in
	 * every run (--normalize=off)
	 */
	bool raw_names;
	bool hide_fillers;
	/* show the size of the heap in other JVMs (--estimate) */
	bool estimate;
	/*
	 * retained sizes are computed, because --retained or another option
	 * needs them
	 */
	bool retained;
	bool quick; /* --quick: build no object graph unless it is needed */
	/*
	 * no option asks for retained sizes, but they are computed because the
	 * output is for people; if the memory does not suffice, they are left
	 * out
	 */
	bool retained_unasked;
	unsigned columns; /* the columns to show, one bit for each */
	/*
	 * the columns that the user has listed in --columns, one bit for each
	 */
	unsigned columns_listed;
	bool columns_given;
	enum hp_reachability reachability;
	/* the size model that --layout names; NULL: detect it */
	const char *layout;
	enum hp_sites_mode sites;
	/*
	 * the confidence level for margins of error (--confidence); 0: show no
	 * margins, as if estimates were exact
	 */
	double confidence;
	/* rows count all allocated objects (--measure=allocated) */
	bool allocated;
	/*
	 * stacks with the same innermost frames are in one row: this many
	 * frames are compared (--site-depth); HP_SITE_DEPTH_ALL: all frames
	 */
	uint64_t site_depth;
	bool site_lines;
	/*
	 * show each dump separately, and identify it by a hash (--format=rows
	 * and --format=tsv)
	 */
	bool flat;
	struct hp_labels labels;
	/* the arguments of all options --fail-if; borrowed */
	const char **gates;
	size_t gate_count;
	/* number of example elements to show for each suspect (--examples) */
	uint64_t examples;
	/* the argument of --object as text: an object id; NULL: not given */
	const char *object;
	uint64_t object_id;
	/* the argument of --why, a pattern or an object id; NULL: not given */
	const char *why;
	/* the patterns of all options --ignore-path; the texts are borrowed */
	const char **ignored_paths;
	size_t ignored_path_count;
	/* the classes that --collections=FILE describes */
	struct hp_collection_lines collections;
	/*
	 * the file of --known=FILE; its member `file` is NULL if the option is
	 * not given
	 */
	struct hp_known known;
	/* the file to write for --write-known; NULL: not given */
	const char *write_known;
	bool stacks; /* with --by=thread: also show the stacks of the threads */
	/*
	 * the changes by --threshold and --disable: other limits for findings,
	 * and findings that are left out
	 */
	struct hp_unusual_limits unusual;
	/*
	 * list_findings: print the list of all findings and exit (--findings).
	 * explains: print an explanation of the finding `explained` and exit
	 * (--explain).
	 */
	bool list_findings, explains;
	enum hp_unusual explained;
	/*
	 * do not use the built-in list of paths to ignore (--ignore-path=none)
	 */
	bool no_ignore_list;
	/*
	 * print the built-in list of paths to ignore, instead of a report
	 * (--ignore-path=list)
	 */
	bool print_ignore_list;
	struct hp_mappings mappings; /* the files of --mapping */
};

extern const struct hp_program hp_diff_program;

/*
 * hp_diff_options_init() sets the defaults, hp_diff_options_release() frees the
 * lists.
 */
void hp_diff_options_init(struct hp_diff_options *o);
void hp_diff_options_release(struct hp_diff_options *o);

/*
 * With --write-known, make this file the output of the program. Call this
 * function after all options are parsed. Returns false if --output or --format
 * was also given.
 */
bool hp_diff_choose_known(struct hp_diff_options *o);

/*
 * Decide whether to compute retained sizes although no option asks for them:
 * they are computed if the output is for people and no option forbids them.
 * Call this function after all options are parsed.
 */
void hp_diff_choose_graph(struct hp_diff_options *o);

/* Whether the rows of the --by key can be made only from the object graph. */
static inline bool
hp_diff_by_graph(const struct hp_diff_options *o)
{
	return hp_key_is(o->by, HP_KEY_OF_GRAPH);
}

/*
 * If only a part of a dump was read, a message reports this. Returns the level
 * of this message: a warning if the report also shows the fact; otherwise a
 * result, which -q does not hide.
 */
static inline enum hp_message_level
hp_diff_partial_level(const struct hp_diff_options *o)
{
	return hp_diff_format_holds(o->common.format, HP_FORMAT_PARTIAL)
		       ? HP_MESSAGE_WARNING
		       : HP_MESSAGE_RESULT;
}

/* Whether the output format has the properties @what (HP_FORMAT_... bits). */
static inline bool
hp_diff_holds(const struct hp_diff_options *o, unsigned what)
{
	return hp_diff_format_holds(o->common.format, what);
}

/*
 * Returns the name of an order of rows for messages. @sort: a column,
 * HP_SORT_NAME or HP_SORT_GROWTH.
 */
const char *hp_sort_name(unsigned sort);
/*
 * Returns the columns by which rows are sorted for a value of --sort, one bit
 * for each column; 0: by name.
 */
unsigned hp_sort_columns(unsigned sort);
const char *hp_reachability_name(enum hp_reachability reachability);

/* ----------------------------------------------------------------------
 * Check that options can be combined
 *
 * The rules are data in features.def, row_keys.def and formats.def.
 */

/**
 * hp_diff_conflict() - check that all given options can be combined
 * @retained: whether retained sizes are computed; not only options but also
 *   gates can request them
 *
 * Returns: HP_OK; HP_DAMAGED with a text that shows the two conflicting
 *          options.
 */
HP_MUST_USE enum hp_status hp_diff_conflict(const struct hp_diff_options *o,
					    bool retained,
					    struct hp_error *err);

#endif
