/*
 * options.c - the option table of hprof-diff, and what sets it
 */
#include "diff/options.h"

#include "common/base/vec.h"
#include "common/options/choices.h"
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
	HP_OPT_WHY,
	HP_OPT_LABEL,
	HP_OPT_COLUMNS,
};

/* In the order of their enums. */
static const char *const bys[] = {"class",  "package", "loader",  "heap",
				  "site",   "cpu",     "monitor", "dominator",
				  "holder", "path",    NULL};
static const char *const sorts[] = {"bytes",  "count",	  "name",
				    "growth", "retained", "largest",
				    "depth",  "native",	  NULL};
static const char *const reachabilities[] = {"soft", "strong", "all", NULL};
static const char *const columns[] = {"count", "bytes",	 "largest", "retained",
				      "depth", "native", NULL};
static const char *const site_modes[] = {"auto", "objects", "records", NULL};
static const char *const measures[] = {"live", "allocated", NULL};
static const char *const on_off[] = {"on", "off", NULL};
static const char *const show_hide[] = {"show", "hide", NULL};
/* The beginning of a model; see hp_size_model_parse(). */
static const char *const models[] = {"auto",	    "mat", "hotspot",
				     "hotspot-coh", "art", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_diff_options, member)}
#define COUNT(member, from, to)                                                \
	.value = {HP_VALUE_COUNT, offsetof(struct hp_diff_options, member),    \
		  from, to}

static const struct hp_option diff_table[] = {
	{"by", 'b', false, NULL, HP_OPT_BY,
	 "what a row stands for (default: class)", bys},
	{"sort", 's', false, NULL, HP_OPT_SORT,
	 "order of the rows; of several dumps bytes and count mean the change, "
	 "up or down; growth puts first what grew most and, of three dumps and "
	 "more, before that what grew in every step; retained, largest, depth "
	 "and native are told, too, as by --columns (default: bytes; growth "
	 "from three dumps on; of one column that)",
	 sorts},
	{"top", 'n', false, "N", HP_OPT_TOP,
	 "show N rows, 0 for all (default: 30 in a table on a terminal, all "
	 "elsewhere)"},
	{"wide", 'w', false, NULL, HP_OPTION_VALUE,
	 "leave packages as they are in a table that is too wide",
	 VALUE(FLAG, wide)},
	{"filter", 'f', false, "GLOB", HP_OPTION_VALUE,
	 "show only rows whose name matches; * and ? are special; gates and "
	 "the total see every row",
	 VALUE(TEXT, filter)},
	{"heap", 0, false, "GLOB", HP_OPTION_VALUE,
	 "show only objects of the Android heaps whose name matches; gates and "
	 "the total see all heaps",
	 VALUE(TEXT, heap)},
	{"all", 'a', false, NULL, HP_OPTION_VALUE,
	 "rows that did not change, too", VALUE(FLAG, all)},
	{"normalize", 0, false, NULL, HP_OPTION_VALUE,
	 "take out of class names what differs from run to run: lambdas, "
	 "hidden classes, proxies, accessors (default: on)",
	 on_off, VALUE(FLAG, raw_names)},
	{"fillers", 0, false, NULL, HP_OPTION_VALUE,
	 "hide: set apart, as an estimate, the int[] that nothing references "
	 "in HotSpot's dumps; before JDK 19 those alone that end where the "
	 "next "
	 "object begins (default: show)",
	 show_hide, VALUE(FLAG, hide_fillers)},
	{"layout", 0, false, "auto|MODEL", HP_OPT_LAYOUT,
	 "the model for shallow bytes: mat, hotspot, hotspot-coh, art, each "
	 "also with ,reference=N ,header=N ,array_header=N ,alignment=N "
	 "(default: auto, found out for each dump)",
	 models, HP_CHOICE_HEAD},
	{"retained", 'r', false, NULL, HP_OPT_RETAINED,
	 "retained sizes, too: what would be freed with a row's objects; takes "
	 "the whole object graph, some 50 bytes of memory an object and 8 a "
	 "reference"},
	{"reachability", 0, false, NULL, HP_OPTION_VALUE,
	 "references that keep objects: all but weak, phantom and finalizer "
	 "ones; not soft ones either; or all (default: soft)",
	 reachabilities, VALUE(CHOICE, reachability)},
	{"columns", 0, false, "COLUMN,...", HP_OPT_COLUMNS,
	 "which values of a row are told: count, bytes, largest (bytes of the "
	 "largest object), retained, depth (references from the nearest root "
	 "to the nearest object, plus one), native (bytes outside the heap); "
	 "default: count,bytes",
	 columns, HP_CHOICE_LIST},
	{"why", 0, false, "GLOB", HP_OPT_WHY,
	 "who keeps the objects of the classes whose name matches, or the "
	 "object with an id as 0x7f00: their shortest paths from the roots, "
	 "merged to a tree"},
	{"ignore-path", 0, false, "GLOB", HP_OPT_IGNORE_PATH,
	 "with --by=path: leave out paths that match, and take no gate for "
	 "them; may be repeated"},
	{"sites", 0, false, NULL, HP_OPTION_VALUE,
	 "where --by=site takes allocation sites from: the objects' own "
	 "traces, or the last ALLOC SITES record (default: auto)",
	 site_modes, VALUE(CHOICE, sites)},
	{"confidence", 0, false, "C", HP_OPT_CONFIDENCE,
	 "of sampled files: gates trip only where they would with this "
	 "probability (default: 0.95; 0: ignore)"},
	{"measure", 0, false, NULL, HP_OPTION_VALUE,
	 "which numbers of ALLOC SITES records --by=site takes (default: live)",
	 measures, VALUE(FLAG, allocated)},
	{"site-depth", 0, false, "N", HP_OPTION_VALUE,
	 "tell sites apart by their N innermost frames (default: all)",
	 COUNT(site_depth, 1, UINT32_MAX)},
	{"site-lines", 0, false, NULL, HP_OPT_SITE_LINES,
	 "tell sites apart by line numbers, too (default: on)", on_off},
	{"fail-if", 0, false, "GATE", HP_OPT_FAIL_IF,
	 "exit 1 if a row trips the gate, as 'GLOB count>N', 'GLOB "
	 "bytes>10MB', 'GLOB growth-count>1000', 'GLOB growth-retained>1MB' or "
	 "'total growth-bytes>5%'; may be repeated"},
	{"fail-unmatched", 0, false, NULL, HP_OPTION_VALUE,
	 "exit 1 also if no row matches a gate's GLOB",
	 VALUE(FLAG, fail_unmatched)},
	{"exit-code", 0, false, NULL, HP_OPTION_VALUE,
	 "exit 1 if there is any difference", VALUE(FLAG, exit_code)},
	{"partial", 0, false, NULL, HP_OPTION_VALUE,
	 "of damaged dumps, use what can be read", VALUE(FLAG, partial)},
	{"label", 0, false, "KEY=VALUE", HP_OPT_LABEL,
	 "with --format=rows and tsv: a column of every row; with json, ndjson "
	 "and html: told of each dump; may be repeated"},
};

static const char *const diff_formats[] = {"table", "json",   "csv",
					   "tsv",   "ndjson", "rows",
					   "html",  "folded", NULL};

const char *
hp_by_name(enum hp_by by)
{
	return bys[by];
}

const char *
hp_reachability_name(enum hp_reachability reachability)
{
	return reachabilities[reachability];
}

const char *
hp_column_name(unsigned bit)
{
	return columns[bit];
}

const char *
hp_sort_name(enum hp_sort sort)
{
	return sorts[sort];
}

unsigned
hp_sort_column(enum hp_sort sort)
{
	int found = hp_choice_find(columns, sorts[sort], strlen(sorts[sort]));

	return found < 0 ? 0 : 1u << found;
}

static enum hp_status
set_columns(struct hp_diff_options *o, const char *text, struct hp_error *err)
{
	size_t n;
	int found;

	/* of --retained, and what --sort needs */
	o->columns &= HP_COLUMN_RETAINED |
		      (hp_sort_column(o->sort) & HP_COLUMN_OF_OBJECTS);
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		found = hp_choice_find(columns, text, n);
		if (found < 0)
			return hp_choice_unknown(columns, text, n, err);
		o->columns |= 1u << found;
		if (text[n] == '\0')
			break;
	}
	o->columns_given = true;
	o->retained |= (o->columns & HP_COLUMN_OF_GRAPH) != 0;
	return HP_OK;
}

/* A share of 1, that is below 1. */
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

/* Whether the model exists does not depend on the dump. */
static enum hp_status
set_size_model(struct hp_diff_options *o, const char *text,
	       struct hp_error *err)
{
	struct hp_size_model any = {.reference = 4, .header = 12}, out;

	if (!hp_size_model_parse(text, &any, &out))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected one of auto, mat, hotspot, "
			       "hotspot-coh, art, with or without "
			       ",reference=4|8 ,header=N ,array_header=N "
			       ",alignment=N",
			       text);
	o->layout = strcmp(text, "auto") == 0 ? NULL : text;
	return HP_OK;
}

/* What begins as an id is one, unless it is a pattern: none that is mistyped is
 * taken for the name of a class. */
static enum hp_status
set_why(struct hp_diff_options *o, const char *text, struct hp_error *err)
{
	uint64_t id;

	if (strncmp(text, "0x", 2) == 0 && !strpbrk(text, "*?") &&
	    !hp_id_parse(text, &id))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s': expected 0x and 1 to 16 hexadecimal "
			       "digits, or a pattern",
			       text);
	o->why = text;
	o->retained = true;
	return HP_OK;
}

/* One more text of an option that may be repeated. */
static enum hp_status
add_text(const char ***list, size_t *count, const char *text,
	 struct hp_error *err)
{
	if (!hp_list_resize(list, count, *count + 1, sizeof(**list)))
		return hp_no_memory(err);
	(*list)[*count - 1] = text;
	return HP_OK;
}

/* Options whose argument is one of the choices; the parser saw to it. */
static void
set_word(struct hp_diff_options *o, int id, const char *arg)
{
	size_t n = strlen(arg);
	unsigned column; /* that sorting asks for */

	switch (id) {
	case HP_OPT_BY:
		o->by = (enum hp_by)hp_choice_find(bys, arg, n);
		o->retained |= hp_diff_by_graph(o);
		break;
	case HP_OPT_SORT:
		o->sort = (enum hp_sort)hp_choice_find(sorts, arg, n);
		o->sort_given = true;
		column = hp_sort_column(o->sort) & HP_COLUMN_OF_OBJECTS;
		o->columns |= column;
		o->columns_given |= column != 0;
		o->retained |=
			o->sort == HP_SORT_RETAINED || o->sort == HP_SORT_DEPTH;
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
	case HP_OPT_IGNORE_PATH:
		return add_text(&o->ignored_paths, &o->ignored_path_count, arg,
				err);
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
	.summary = "Compares heap dumps in the HPROF format. Of one dump it "
		   "prints the histogram, of two the difference, of more the "
		   "trend. A saved JSON result may stand for a dump; - is "
		   "standard input.",
	.formats = diff_formats,
	.options = diff_table,
	.option_count = HP_ARRAY_LEN(diff_table),
	.epilog = "Exit status: 0; 1 if a gate tripped or, with --exit-code, "
		  "something differs; 2 for a usage error, a damaged dump or "
		  "other trouble.",
	.set = set_option,
};

void
hp_diff_options_init(struct hp_diff_options *o)
{
	memset(o, 0, sizeof(*o));
	o->site_lines = true;
	o->confidence = 0.95;
	o->columns = HP_COLUMN_COUNT | HP_COLUMN_BYTES;
}

void
hp_diff_options_release(struct hp_diff_options *o)
{
	hp_labels_release(&o->labels);
	free(o->gates);
	free(o->ignored_paths);
	o->gates = o->ignored_paths = NULL;
	o->gate_count = o->ignored_path_count = 0;
}
