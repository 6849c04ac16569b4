/*
 * options.c - the table of hprof-diff's options, and the functions that store
 * their values
 */
#include "diff/options.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/model/size_model.h"

#include <stdlib.h>
#include <string.h>

enum hp_diff_option {
	HP_OPT_BY,
	HP_OPT_SORT,
	HP_OPT_TOP,
	HP_OPT_LAYOUT,
	HP_OPT_CONFIDENCE,
	HP_OPT_SITE_LINES,
	HP_OPT_FAIL_IF,
	HP_OPT_RETAINED,
	HP_OPT_IGNORE_PATH,
	HP_OPT_COLLECTIONS,
	HP_OPT_WHY,
	HP_OPT_OBJECT,
	HP_OPT_KNOWN,
	HP_OPT_LABEL,
	HP_OPT_COLUMNS,
	HP_OPT_MAPPING,
	HP_OPT_THRESHOLD,
	HP_OPT_DISABLE,
	HP_OPT_EXPLAIN,
};

static const char *const reachabilities[] = {"soft", "strong", "all", NULL};

/*
 * These macros take the names of the columns from the table of columns, for
 * --columns and --sort.
 */
#define IF_PICK(word) word,
#define IF_WITH_NEXT(word)
#define IF_NO_PICK(word)
#define COLUMN(symbol, key, word, picked, ...) IF_##picked(word)
static const char *const columns[] = {
#include "common/cli/columns.def"
	NULL};
#undef IF_NO_PICK
#define IF_NO_PICK(word) word,
#define COLUMN(symbol, key, word, picked, ...) IF_##picked(word)
static const char *const sorts[] = {
#include "common/cli/columns.def"
	"name", "growth", NULL};
#undef IF_NO_PICK

/*
 * These macros make a list of the columns with their descriptions, for --help.
 */
#define HELP_PICK(word, help) word " (" help "), "
#define HELP_WITH_NEXT(word, help)
#define HELP_NO_PICK(word, help)
#define COLUMN(symbol, key, word, picked, place, heading, title, one, unit,    \
	       derive, join, keys, flags, help)                                \
	HELP_##picked(word, help)
static const char columns_help[] =
	"columns to show: "
#include "common/cli/columns.def"
	"separated by commas (default: count,bytes; with --by=cpu, samples, ms "
	"and calls; with --by=monitor, waits and ms)";

static const char *const site_modes[] = {"auto", "objects", "records", NULL};
static const char *const measures[] = {"live", "allocated", NULL};
static const char *const on_off[] = {"on", "off", NULL};
static const char *const show_hide[] = {"show", "hide", NULL};
/* The names of size models that --layout accepts; see hp_size_model_parse(). */
static const char *const models[] = {
	"auto", "measured", "mat", "hotspot", "hotspot-coh", "art", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_diff_options, member)}
#define COUNT(member, from, to)                                                \
	.value = {HP_VALUE_COUNT, offsetof(struct hp_diff_options, member),    \
		  from, to}

#define GROUP_BY "What to group by"
#define GROUP_SHOW "What to show"
#define GROUP_OWNERS "What keeps objects alive"
#define GROUP_SITES "Allocation sites and samples"
#define GROUP_SIZES "Sizes"
#define GROUP_GATES "Gates"
#define GROUP_FINDINGS "What is unusual"

static const struct hp_option diff_table[] = {
	{"by", 'b', false, NULL, HP_OPT_BY,
	 "group objects by this key: each row of the result is one class, "
	 "package, ... (default: class)",
	 hp_row_key_names, .group = GROUP_BY, .brief_argument = "KEY",
	 .brief = "group by class, package, path, dominator, ..."},
	{"normalize", 0, false, NULL, HP_OPTION_VALUE,
	 "remove the parts of class names that change from run to run, such "
	 "as the numbers of lambdas, proxies and hidden classes (default: on)",
	 on_off, VALUE(FLAG, raw_names), .group = GROUP_BY},
	{"mapping", 0, false, "FILE", HP_OPT_MAPPING,
	 "show the original names of classes, fields and methods that R8 or "
	 "ProGuard renamed; FILE is the mapping.txt of the build; may be "
	 "repeated",
	 .group = GROUP_BY},
	{"collections", 0, false, "FILE", HP_OPT_COLLECTIONS,
	 "with --by=waste, also check the collection classes that FILE "
	 "describes; each line has a class, its growth policy (such as "
	 "half-more or hash), the field with the size, and the field with the "
	 "array",
	 .group = GROUP_BY},
	{"sort", 's', false, "ORDER", HP_OPT_SORT,
	 "order of the rows: a column, 'name' or 'growth'; with several dumps, "
	 "a column sorts by its change; 'growth' shows the largest growth "
	 "first; with three or more dumps, 'growth' first shows the rows that "
	 "grew from each dump to the next (default: bytes; with three or more "
	 "dumps, growth)",
	 sorts, .group = GROUP_SHOW,
	 .brief = "sort by bytes, count, name, growth, ..."},
	{"top", 'n', false, "N", HP_OPT_TOP,
	 "show the first N rows, 0 for all (default: 30 in a table, "
	 "otherwise all)",
	 .group = GROUP_SHOW, .brief = "show the first N rows"},
	{"filter", 'f', false, "GLOB", HP_OPTION_VALUE,
	 "show only rows whose name matches; * and ? are special; gates and "
	 "the total still include every row",
	 VALUE(TEXT, filter), .group = GROUP_SHOW,
	 .brief = "show only rows whose name matches, 'com.acme.*'"},
	{"columns", 0, false, "COLUMN,...", HP_OPT_COLUMNS, columns_help,
	 columns, HP_CHOICE_LIST, .group = GROUP_SHOW},
	{"all", 'a', false, NULL, HP_OPTION_VALUE,
	 "also show rows that did not change", VALUE(FLAG, all),
	 .group = GROUP_SHOW, .brief = "also show rows that did not change"},
	{"show-values", 0, false, NULL, HP_OPTION_VALUE,
	 "with --object, also show the values of fields and the texts of "
	 "Strings; with --by=waste, also show the beginning of the text that "
	 "has the most duplicates in each row; values and texts may be secret",
	 VALUE(FLAG, show_values), .group = GROUP_SHOW},
	{"heap", 0, false, "GLOB", HP_OPTION_VALUE,
	 "show only objects in the Android heaps whose name matches, for "
	 "example app; gates and the total still include all heaps",
	 VALUE(TEXT, heap), .group = GROUP_SHOW},
	{"wide", 'w', false, NULL, HP_OPTION_VALUE,
	 "do not fit the table into the width of the terminal: show all "
	 "columns and whole names",
	 VALUE(FLAG, wide), .group = GROUP_SHOW},
	{"label", 0, false, "KEY=VALUE", HP_OPT_LABEL,
	 "add the label to each dump in json, ndjson and html, and a column "
	 "to each row in rows and tsv; may be repeated",
	 .group = GROUP_SHOW},
	{"retained", 'r', false, NULL, HP_OPT_RETAINED,
	 "also show retained sizes (the memory that would be freed if the "
	 "objects of a row were gone) and leak suspects; needs about 50 bytes "
	 "of memory for each object and 8 bytes for each reference",
	 .group = GROUP_OWNERS,
	 .brief = "also show retained sizes and leak suspects"},
	{"quick", 0, false, NULL, HP_OPTION_VALUE,
	 "do not build the object graph: the table and the HTML page are "
	 "ready sooner, but without retained sizes and suspects",
	 VALUE(FLAG, quick), .group = GROUP_OWNERS,
	 .brief = "leave out retained sizes and suspects"},
	{"why", 0, false, "GLOB", HP_OPT_WHY,
	 "show what keeps the objects of matching classes alive: their "
	 "shortest paths from the roots, merged into a tree; or, for an id "
	 "such as 0x7f00, the path to that object",
	 .group = GROUP_OWNERS,
	 .brief = "show what keeps objects of a class alive"},
	{"object", 0, false, "ID", HP_OPT_OBJECT,
	 "show one object of a dump, by its id such as 0x7f00: its class, "
	 "sizes and fields, what refers to it, and what keeps it alive",
	 .group = GROUP_OWNERS},
	{"examples", 0, false, "N", HP_OPTION_VALUE,
	 "with --retained, the formats json, ndjson and html show the N "
	 "largest and the N newest elements of each suspect, and the fields of "
	 "these elements (default: 5)",
	 COUNT(examples, 0, 100), .group = GROUP_OWNERS},
	{"ignore-path", 0, false, "GLOB|none|list", HP_OPT_IGNORE_PATH,
	 "with --by=path, hide matching paths in the report and from gates; "
	 "may be repeated; the value 'none' turns off the built-in list of "
	 "paths, and the value 'list' prints this list",
	 .group = GROUP_OWNERS},
	{"reachability", 0, false, NULL, HP_OPTION_VALUE,
	 "which references keep objects alive: only strong ones ('strong'), "
	 "strong and soft ones ('soft'), or also weak, phantom and finalizer "
	 "references ('all') (default: soft)",
	 reachabilities, VALUE(CHOICE, reachability), .group = GROUP_OWNERS},
	{"stacks", 0, false, NULL, HP_OPTION_VALUE,
	 "with --by=thread, also show the stacks of the last dump, and what "
	 "the local variables of each frame retain",
	 VALUE(FLAG, stacks), .group = GROUP_OWNERS},
	{"sites", 0, false, NULL, HP_OPTION_VALUE,
	 "where --by=site reads allocation sites: from the allocation traces "
	 "of the objects, or from the last ALLOC SITES record (default: auto)",
	 site_modes, VALUE(CHOICE, sites), .group = GROUP_SITES},
	{"measure", 0, false, NULL, HP_OPTION_VALUE,
	 "with --by=site, show live objects, or everything that was ever "
	 "allocated (default: live)",
	 measures, VALUE(FLAG, allocated), .group = GROUP_SITES},
	{"site-depth", 0, false, "N", HP_OPTION_VALUE,
	 "compare only the N innermost frames of a stack (default: all)",
	 COUNT(site_depth, 1, UINT32_MAX), .group = GROUP_SITES},
	{"site-lines", 0, false, NULL, HP_OPT_SITE_LINES,
	 "'off': ignore line numbers when comparing stacks (default: on)",
	 on_off, .group = GROUP_SITES},
	{"confidence", 0, false, "C", HP_OPT_CONFIDENCE,
	 "for files with samples, let a gate fail only if the growth is real "
	 "with this probability; with 0, gates ignore the sampling error "
	 "(default: 0.95)",
	 .group = GROUP_SITES},
	{"layout", 0, false, "auto|MODEL", HP_OPT_LAYOUT,
	 "how to find shallow sizes: 'measured', or by one of the size models "
	 "'mat', 'hotspot', 'hotspot-coh' and 'art'; the settings reference, "
	 "header, array_header and alignment may follow, as in "
	 "'mat,reference=4,header=12' (default: 'auto', which measures if "
	 "possible, and otherwise uses 'mat')",
	 models, HP_CHOICE_HEAD, .group = GROUP_SIZES},
	{"fillers", 0, false, NULL, HP_OPTION_VALUE,
	 "HotSpot's garbage collectors fill gaps in the heap with arrays of "
	 "type int[]; 'hide' does not count these arrays, as far as hprof-diff "
	 "recognises them; 'show' counts them (default: show)",
	 show_hide, VALUE(FLAG, hide_fillers), .group = GROUP_SIZES},
	{"estimate", 0, false, NULL, HP_OPTION_VALUE,
	 "show how many bytes the same objects would take with JDK 8, 17, 25 "
	 "and 27: with and without compressed references, with compact "
	 "headers, and with an alignment of 16 bytes",
	 VALUE(FLAG, estimate), .group = GROUP_SIZES},
	{"fail-if", 0, false, "GATE", HP_OPT_FAIL_IF,
	 "exit with status 1 if a row matches the condition: 'GLOB count>N', "
	 "'GLOB bytes>10MB', 'GLOB growth-count>1000', 'GLOB "
	 "growth-retained>1MB', 'total growth-bytes>5%', 'new suspect'; may be "
	 "repeated",
	 .group = GROUP_GATES, .brief = "exit with 1 if a row is over a limit"},
	{"fail-unmatched", 0, false, NULL, HP_OPTION_VALUE,
	 "also exit with status 1 if no row matches the GLOB of a gate",
	 VALUE(FLAG, fail_unmatched), .group = GROUP_GATES},
	{"known", 0, false, "FILE", HP_OPT_KNOWN,
	 "known leaks: mark the suspects that FILE lists, and do not count "
	 "them as new suspects; exit with status 1 if an entry has expired",
	 .group = GROUP_GATES,
	 .brief = "do not fail on the known leaks of FILE"},
	{"write-known", 0, false, "FILE", HP_OPTION_VALUE,
	 "write the suspects to FILE instead of a report, as a list for "
	 "--known, in which you then fill in a reason for each suspect; with "
	 "--known, keep the old entries that match a suspect",
	 VALUE(TEXT, write_known), .group = GROUP_GATES},
	{"exit-code", 0, false, NULL, HP_OPTION_VALUE,
	 "exit with status 1 if anything differs", VALUE(FLAG, exit_code),
	 .group = GROUP_GATES, .brief = "exit with 1 if anything differs"},
	{"findings", 0, false, NULL, HP_OPTION_VALUE,
	 "list what hprof-diff looks for in a heap, and exit",
	 VALUE(FLAG, list_findings), .group = GROUP_FINDINGS},
	{"explain", 0, false, "ID", HP_OPT_EXPLAIN,
	 "explain a finding, say what to do about it, and exit", hp_unusual_ids,
	 HP_CHOICE_HEAD, .group = GROUP_FINDINGS},
	{"threshold", 0, false, "ID=N%", HP_OPT_THRESHOLD,
	 "report the finding ID only if it concerns at least N % of the heap, "
	 "or of another total that --findings shows; may be repeated",
	 .group = GROUP_FINDINGS},
	{"disable", 0, false, "ID,...", HP_OPT_DISABLE,
	 "do not report these findings; may be repeated", hp_unusual_ids,
	 HP_CHOICE_LIST, .group = GROUP_FINDINGS},
	{"partial", 0, false, NULL, HP_OPTION_VALUE,
	 "use the readable part of a damaged dump", VALUE(FLAG, partial),
	 .group = HP_GROUP_INPUT,
	 .brief = "use the readable part of a damaged dump"},
};

static const char *const groups[] = {
	GROUP_BY,	 GROUP_SHOW,	  GROUP_OWNERS,	     GROUP_GATES,
	GROUP_FINDINGS,	 GROUP_SITES,	  GROUP_SIZES,	     HP_GROUP_INPUT,
	HP_GROUP_OUTPUT, HP_GROUP_LIMITS, HP_GROUP_MESSAGES, NULL};

static const struct hp_usage_example examples[] = {
	{"hprof-diff before.hprof after.hprof", "what grew, and what leaks"},
	{"hprof-diff --by=waste app.hprof", "what the heap wastes"},
	{"hprof-diff --why='com.acme.Session' app.hprof",
	 "what keeps the sessions alive"},
	{"hprof-diff --fail-if='com.acme.* growth-count>1000' a.hprof b.hprof",
	 "fail a build"},
	{NULL, NULL}};

const char *
hp_reachability_name(enum hp_reachability reachability)
{
	return reachabilities[reachability];
}

const char *
hp_sort_name(unsigned sort)
{
	return sort == HP_SORT_NAME	? "name"
	       : sort == HP_SORT_GROWTH ? "growth"
					: hp_columns[sort].word;
}

unsigned
hp_sort_columns(unsigned sort)
{
	return sort < HP_COLS ? hp_column_picks((enum hp_col)sort) : 0;
}

static unsigned
find_sort(const char *word)
{
	if (strcmp(word, "name") == 0)
		return HP_SORT_NAME;
	if (strcmp(word, "growth") == 0)
		return HP_SORT_GROWTH;
	return hp_column_find(word, strlen(word));
}

static bool
need_graph(unsigned picked)
{
	return picked & hp_columns_that_are(HP_COLUMN_IS_RETAINED |
					    HP_COLUMN_IS_NEEDS_GRAPH);
}

static enum hp_status
set_columns(struct hp_diff_options *o, const char *text, struct hp_error *err)
{
	unsigned listed = 0;
	struct hp_slice key;

	/*
	 * keep only the columns with retained sizes, and the columns that
	 * --sort needs
	 */
	o->columns &=
		HP_COLUMN_RETAINED | (hp_sort_columns(o->sort) &
				      hp_columns_that_are(HP_COLUMN_IS_ASKED));
	while (hp_list_next(&text, &key)) {
		if (hp_choice_find(columns, key.text, key.length) < 0)
			return hp_choice_unknown(columns, key.text, key.length,
						 err);
		listed |= hp_column_picks(hp_column_find(key.text, key.length));
	}
	o->columns |= listed;
	o->columns_listed = listed;
	o->columns_given = true;
	o->retained |= need_graph(o->columns);
	return HP_OK;
}

static enum hp_status
set_confidence(const char *text, double *out, struct hp_error *err)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end || !(v >= 0 && v < 1))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected a number from 0 to below 1",
			       text);
	*out = v;
	return HP_OK;
}

/*
 * Check and store the argument of --layout. The same names are valid for every
 * dump.
 */
static enum hp_status
set_size_model(struct hp_diff_options *o, const char *text,
	       struct hp_error *err)
{
	struct hp_size_model any = {.reference = 4, .header = 12}, out;

	if (!hp_size_model_parse(text, &any, &out))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected auto, measured, mat, "
			       "hotspot, hotspot-coh or art; settings may "
			       "follow, as in 'mat,reference=4,header=12' "
			       "(reference, header, array_header, alignment)",
			       text);
	o->layout = strcmp(text, "auto") == 0 ? NULL : text;
	return HP_OK;
}

/*
 * Store the argument of --why. A text that starts like an object id ("0x"), or
 * has only digits, must be a valid id. Otherwise a mistyped id would be taken
 * as a class name that matches nothing.
 */
static enum hp_status
set_why(struct hp_diff_options *o, const char *text, struct hp_error *err)
{
	uint64_t id;

	bool digits = *text && strspn(text, "0123456789") == strlen(text);

	if ((digits || strncmp(text, "0x", 2) == 0) && !strpbrk(text, "*?") &&
	    !hp_id_parse(text, &id))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected 0x and 1 to 16 hexadecimal "
			       "digits, a decimal id, or a pattern",
			       text);
	o->why = text;
	o->retained = true;
	return HP_OK;
}

static enum hp_status
set_object(struct hp_diff_options *o, const char *text, struct hp_error *err)
{
	if (!hp_id_parse(text, &o->object_id) || o->object_id == 0)
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected 0x and 1 to 16 hexadecimal "
			       "digits, or a decimal id",
			       text);
	o->object = text;
	o->retained = true;
	return HP_OK;
}

static enum hp_status
add_text(const char ***list, size_t *count, const char *text,
	 struct hp_error *err)
{
	if (!hp_list_resize(list, count, *count + 1, sizeof(**list)))
		return hp_no_memory(err);
	(*list)[*count - 1] = text;
	return HP_OK;
}

static enum hp_status
set_ignored_path(struct hp_diff_options *o, const char *arg,
		 struct hp_error *err)
{
	if (strcmp(arg, "none") == 0)
		o->no_ignore_list = true;
	else if (strcmp(arg, "list") == 0)
		o->print_ignore_list = true;
	else
		return add_text(&o->ignored_paths, &o->ignored_path_count, arg,
				err);
	return HP_OK;
}

static void
set_word(struct hp_diff_options *o, int id, const char *arg)
{
	size_t n = strlen(arg);
	/*
	 * the columns that --sort needs and computes although they are not
	 * shown, one bit for each
	 */
	unsigned asked;

	switch (id) {
	case HP_OPT_BY:
		o->by = (enum hp_by)hp_choice_find(hp_row_key_names, arg, n);
		o->retained |= hp_diff_by_graph(o);
		break;
	case HP_OPT_SORT:
		o->sort = find_sort(arg);
		o->sort_given = true;
		asked = hp_sort_columns(o->sort) &
			hp_columns_that_are(HP_COLUMN_IS_ASKED);
		o->columns |= asked;
		o->columns_given |= asked != 0;
		o->retained |= need_graph(hp_sort_columns(o->sort));
		break;
	default:
		o->site_lines = strcmp(arg, "on") == 0;
		break;
	}
}

static enum hp_status
set_option(void *context, int id, const char *arg, struct hp_error *err)
{
	struct hp_diff_options *o = context;

	switch (id) {
	case HP_OPT_TOP:
		o->top_given = true;
		return hp_count_parse(arg, 0, UINT64_MAX, &o->top, err);
	case HP_OPT_LAYOUT:
		return set_size_model(o, arg, err);
	case HP_OPT_COLUMNS:
		return set_columns(o, arg, err);
	case HP_OPT_CONFIDENCE:
		return set_confidence(arg, &o->confidence, err);
	case HP_OPT_LABEL:
		return hp_labels_add(&o->labels, arg, err);
	case HP_OPT_FAIL_IF:
		return add_text(&o->gates, &o->gate_count, arg, err);
	case HP_OPT_WHY:
		return set_why(o, arg, err);
	case HP_OPT_OBJECT:
		return set_object(o, arg, err);
	case HP_OPT_IGNORE_PATH:
		return set_ignored_path(o, arg, err);
	case HP_OPT_THRESHOLD:
		return hp_unusual_set_limit(&o->unusual, arg, err);
	case HP_OPT_DISABLE:
		return hp_unusual_disable(&o->unusual, arg, err);
	case HP_OPT_EXPLAIN:
		o->explains = true;
		return hp_unusual_find(arg, strlen(arg), &o->explained, err);
	case HP_OPT_COLLECTIONS:
		return hp_collection_lines_read(&o->collections, arg, err);
	case HP_OPT_KNOWN:
		o->retained = true;
		return hp_known_read(&o->known, arg, err);
	case HP_OPT_MAPPING:
		return hp_mappings_add(&o->mappings, arg, err);
	case HP_OPT_RETAINED:
		o->retained = true;
		o->columns |= HP_COLUMN_RETAINED;
		return HP_OK;
	default:
		set_word(o, id, arg);
		return HP_OK;
	}
}

const struct hp_program hp_diff_program = {
	.name = "hprof-diff",
	.usage = "[OPTION]... BEFORE AFTER...",
	.summary = "Shows what is in a heap dump (one file), what grew between "
		   "two dumps, or how three or more dumps grew. A dump may be "
		   "compressed, a saved JSON result, or - for standard input.",
	.formats = hp_diff_format_names,
	.suffixes = hp_diff_format_suffixes,
	.options = diff_table,
	.option_count = HP_ARRAY_LEN(diff_table),
	.groups = groups,
	.examples = examples,
	.epilog = "Exit status: 0 success; 1 a gate failed, or something "
		  "differs with --exit-code; 2 a dump is damaged or cannot be "
		  "read, or the command line is wrong.",
	.set = set_option,
};

void
hp_diff_options_init(struct hp_diff_options *o)
{
	memset(o, 0, sizeof(*o));
	o->site_lines = true;
	o->confidence = 0.95;
	o->examples = 5;
	/* the order before --sort is parsed: by name, which needs no column */
	o->sort = HP_SORT_NAME;
	o->columns = hp_columns_that_are(HP_COLUMN_IS_DEFAULT);
}

bool
hp_diff_choose_known(struct hp_diff_options *o)
{
	if (!o->write_known)
		return true;
	if (o->common.output || o->common.format_given)
		return false;
	o->common.output = o->write_known;
	o->common.format = hp_diff_format_that_is(HP_FORMAT_ONLY_SUSPECTS);
	return true;
}

void
hp_diff_choose_graph(struct hp_diff_options *o)
{
	o->retained |= hp_diff_holds(o, HP_FORMAT_ONLY_SUSPECTS);
	if (o->quick || o->estimate || o->retained || o->columns_given ||
	    o->sort_given ||
	    hp_key_is(o->by, HP_KEY_NEEDS_TRACES | HP_KEY_NEEDS_REFERENCES) ||
	    !hp_diff_holds(o, HP_FORMAT_PEOPLE) ||
	    !(hp_row_keys[o->by].options & HP_FEATURE_RETAINED))
		return;
	o->retained = o->retained_unasked = true;
	o->columns |= HP_COLUMN_RETAINED;
}

void
hp_diff_options_release(struct hp_diff_options *o)
{
	hp_collection_lines_release(&o->collections);
	hp_known_release(&o->known);
	hp_mappings_release(&o->mappings);
	hp_labels_release(&o->labels);
	hp_free(o->gates);
	hp_free(o->ignored_paths);
	o->gates = o->ignored_paths = NULL;
	o->gate_count = o->ignored_path_count = 0;
}
