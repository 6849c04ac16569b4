/*
 * options.c - the option table of hprof-diff, and what sets it
 */
#include "diff/options.h"

#include "common/cli/size.h"
#include "common/model/sizes.h"

#include <stdlib.h>
#include <string.h>

enum hp_diff_option {
	HP_OPT_BY,
	HP_OPT_SORT,
	HP_OPT_TOP,
	HP_OPT_FILTER,
	HP_OPT_HEAP,
	HP_OPT_ALL,
	HP_OPT_NORMALIZE,
	HP_OPT_FILLERS,
	HP_OPT_LAYOUT,
	HP_OPT_SITES,
	HP_OPT_SITE_DEPTH,
	HP_OPT_SITE_LINES,
	HP_OPT_FAIL_IF,
	HP_OPT_EXIT_CODE,
	HP_OPT_PARTIAL,
	HP_OPT_RETAINED,
	HP_OPT_REACHABILITY,
};

static const struct hp_option hp_diff_table[] = {
	{"by", 'b', false, "class|package|loader|heap|site|cpu", HP_OPT_BY,
	 "what a row stands for (default: class)"},
	{"sort", 's', false, "bytes|count|name|growth|retained", HP_OPT_SORT,
	 "order of the rows; of several dumps bytes and count mean the change, "
	 "up or down; growth puts first what grew most and, of three dumps and "
	 "more, before that what grew in every step (default: bytes; growth "
	 "from three dumps on)"},
	{"top", 'n', false, "N", HP_OPT_TOP,
	 "show N rows, 0 for all (default: 30 in a table on a terminal, all "
	 "elsewhere)"},
	{"filter", 'f', false, "GLOB", HP_OPT_FILTER,
	 "only rows whose name matches; * and ? are special"},
	{"heap", 0, false, "GLOB", HP_OPT_HEAP,
	 "only objects of the Android heaps whose name matches"},
	{"all", 'a', false, NULL, HP_OPT_ALL, "rows that did not change, too"},
	{"normalize", 0, false, "on|off", HP_OPT_NORMALIZE,
	 "take out of class names what differs from run to run: lambdas, "
	 "hidden classes, proxies, accessors (default: on)"},
	{"fillers", 0, false, "show|hide", HP_OPT_FILLERS,
	 "hide: set apart, as an estimate, the int[] that nothing references "
	 "in dumps that load a filler class (default: show)"},
	{"layout", 0, false, "auto|MODEL", HP_OPT_LAYOUT,
	 "the model for shallow bytes: mat, hotspot, hotspot-coh, art, each "
	 "also with ,reference=N ,header=N ,array_header=N ,alignment=N "
	 "(default: auto, found out for each dump)"},
	{"retained", 'r', false, NULL, HP_OPT_RETAINED,
	 "retained sizes, too: what would be freed with a row's objects; takes "
	 "the whole object graph, and some 30 bytes of memory an object"},
	{"reachability", 0, false, "soft|strong|all", HP_OPT_REACHABILITY,
	 "references that keep objects: all but weak, phantom and finalizer "
	 "ones; not soft ones either; or all (default: soft)"},
	{"sites", 0, false, "auto|objects|records", HP_OPT_SITES,
	 "where --by=site takes allocation sites from: the objects' own "
	 "traces, or the last ALLOC SITES record (default: auto)"},
	{"site-depth", 0, false, "N", HP_OPT_SITE_DEPTH,
	 "tell sites apart by their N innermost frames (default: all)"},
	{"site-lines", 0, false, "on|off", HP_OPT_SITE_LINES,
	 "tell sites apart by line numbers, too (default: on)"},
	{"fail-if", 0, false, "GATE", HP_OPT_FAIL_IF,
	 "exit 1 if a row trips the gate, as 'GLOB count>N', 'GLOB "
	 "bytes>10MB', 'GLOB growth-count>1000', 'GLOB growth-bytes>5%' or "
	 "'total growth-bytes>64MB'; may be repeated"},
	{"exit-code", 0, false, NULL, HP_OPT_EXIT_CODE,
	 "exit 1 if there is any difference"},
	{"partial", 0, false, NULL, HP_OPT_PARTIAL,
	 "of damaged dumps, use what can be read"},
};

static const char *const hp_diff_formats[] = {
	"table", "json", "csv", "ndjson", "html", "folded", NULL};

/* The index of @text in a list that ends with NULL, or -1. */
static int
hp_word(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

static const char *const hp_bys[] = {"class", "package", "loader", "heap",
				     "site",  "cpu",	 NULL};
static const char *const hp_sorts[] = {"bytes",	 "count",    "name",
				       "growth", "retained", NULL};
static const char *const hp_reachabilities[] = {"soft", "strong", "all", NULL};
static const char *const hp_site_modes[] = {"auto", "objects", "records", NULL};
static const char *const hp_on_off[] = {"on", "off", NULL};
static const char *const hp_show_hide[] = {"show", "hide", NULL};

const char *
hp_by_name(enum hp_by by)
{
	return hp_bys[by];
}

const char *
hp_reachability_name(enum hp_reachability reachability)
{
	return hp_reachabilities[reachability];
}

static enum hp_status
hp_choose(const char *text, const char *const *words, int *out,
	  struct hp_error *err)
{
	struct hp_buf list = {0};
	enum hp_status st;

	*out = hp_word(text, words);
	if (*out >= 0)
		return HP_OK;
	for (int i = 0; words[i]; i++)
		hp_buf_printf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
	st = hp_fail(err, HP_DAMAGED, "'%.60s' is none of %s", text,
		     hp_buf_string(&list));
	hp_buf_release(&list);
	return st;
}

/* Whether the model exists does not depend on the dump. */
static enum hp_status
hp_diff_set_layout(struct hp_diff_options *o, const char *text,
		   struct hp_error *err)
{
	struct hp_layout any = {.reference = 4, .header = 12}, out;

	if (!hp_layout_parse(text, &any, &out))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s' is none of auto, mat, hotspot, "
			       "hotspot-coh, art, with or without "
			       ",reference=4|8 ,header=N ,array_header=N "
			       ",alignment=N",
			       text);
	o->layout = strcmp(text, "auto") == 0 ? NULL : text;
	return HP_OK;
}

static enum hp_status
hp_diff_add_gate(struct hp_diff_options *o, const char *text,
		 struct hp_error *err)
{
	const char **gates =
		realloc(o->gates, (o->gate_count + 1) * sizeof(*gates));

	if (!gates)
		return hp_fail(err, HP_NOMEM, "out of memory");
	o->gates = gates;
	gates[o->gate_count++] = text;
	return HP_OK;
}

static enum hp_status
hp_diff_set_word(struct hp_diff_options *o, int id, const char *arg,
		 struct hp_error *err)
{
	enum hp_status st;
	int n = 0;

	switch (id) {
	case HP_OPT_BY:
		st = hp_choose(arg, hp_bys, &n, err);
		o->by = st == HP_OK ? (enum hp_by)n : o->by;
		return st;
	case HP_OPT_SORT:
		st = hp_choose(arg, hp_sorts, &n, err);
		o->sort = st == HP_OK ? (enum hp_sort)n : o->sort;
		o->sort_given = true;
		o->retained |= o->sort == HP_SORT_RETAINED;
		return st;
	case HP_OPT_REACHABILITY:
		st = hp_choose(arg, hp_reachabilities, &n, err);
		o->reachability =
			st == HP_OK ? (enum hp_reachability)n : o->reachability;
		return st;
	case HP_OPT_SITES:
		st = hp_choose(arg, hp_site_modes, &n, err);
		o->sites = st == HP_OK ? (enum hp_sites_mode)n : o->sites;
		return st;
	case HP_OPT_NORMALIZE:
		st = hp_choose(arg, hp_on_off, &n, err);
		o->raw_names = n == 1;
		return st;
	case HP_OPT_SITE_LINES:
		st = hp_choose(arg, hp_on_off, &n, err);
		o->site_lines = n == 0;
		return st;
	default:
		st = hp_choose(arg, hp_show_hide, &n, err);
		o->hide_fillers = n == 1;
		return st;
	}
}

static enum hp_status
hp_diff_set(void *context, int id, const char *arg, struct hp_error *err)
{
	struct hp_diff_options *o = context;

	switch (id) {
	case HP_OPT_TOP:
		o->top_given = true;
		return hp_count_parse(arg, 0, UINT64_MAX, &o->top, err);
	case HP_OPT_SITE_DEPTH:
		return hp_count_parse(arg, 1, UINT32_MAX, &o->site_depth, err);
	case HP_OPT_FILTER:
		o->filter = arg;
		return HP_OK;
	case HP_OPT_HEAP:
		o->heap = arg;
		return HP_OK;
	case HP_OPT_LAYOUT:
		return hp_diff_set_layout(o, arg, err);
	case HP_OPT_FAIL_IF:
		return hp_diff_add_gate(o, arg, err);
	case HP_OPT_ALL:
		o->all = true;
		return HP_OK;
	case HP_OPT_EXIT_CODE:
		o->exit_code = true;
		return HP_OK;
	case HP_OPT_PARTIAL:
		o->partial = true;
		return HP_OK;
	case HP_OPT_RETAINED:
		o->retained = true;
		return HP_OK;
	default:
		return hp_diff_set_word(o, id, arg, err);
	}
}

const struct hp_program hp_diff_program = {
	.name = "hprof-diff",
	.usage = "[OPTION]... BEFORE AFTER...",
	.summary = "Compares heap dumps in the HPROF format. Of one dump it "
		   "prints the histogram, of two the difference, of more the "
		   "trend. A saved JSON result may stand for a dump; - is "
		   "standard input.",
	.formats = hp_diff_formats,
	.options = hp_diff_table,
	.option_count = HP_ARRAY_LEN(hp_diff_table),
	.epilog = "Exit status: 0; 1 if a gate tripped or, with --exit-code, "
		  "something differs; 2 for a usage error, a damaged dump or "
		  "other trouble.",
	.set = hp_diff_set,
};

void
hp_diff_options_init(struct hp_diff_options *o)
{
	memset(o, 0, sizeof(*o));
	o->site_lines = true;
}

void
hp_diff_options_release(struct hp_diff_options *o)
{
	free(o->gates);
	o->gates = NULL;
	o->gate_count = 0;
}
