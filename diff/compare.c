/*
 * compare.c - read the inputs one after the other, with all threads on each
 *
 * Only pack files are counted several at a time. Messages appear in the order
 * of the command line even then.
 */
#include "diff/internal.h"

#include "diff/count/pack_histogram.h"
#include "diff/count/carried.h"
#include "diff/count/passes.h"
#include "diff/count/histogram.h"
#include "diff/count/shared_sizes.h"
#include "diff/keys/resolve.h"
#include "diff/findings/findings.h"
#include "diff/holders/holders.h"
#include "diff/leaks/leaks.h"
#include "diff/objects/objects.h"
#include "diff/paths/paths.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"
#include "common/components/components.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct comparison {
	struct hp_result *r;
	const struct hp_diff_options *o;
	const struct hp_messages *m;
	size_t column;
	const char *path;
	/* rows of ALLOC SITES records, in case a dump has no traces */
	struct hp_rows records;
	struct hp_dump_info *records_info;
	/*
	 * number of inputs with allocation traces, and with ALLOC SITES records
	 */
	size_t traces, site_records;
	/* how many of these inputs are saved results */
	size_t saved_traces, saved_records;
	/* size model of the first saved result; NULL: none */
	const struct hp_size_model *saved_layout;
	bool saved_layouts_differ;
	struct hp_shared_sizes sizes;
	/* options and state of the threads that count packs in advance */
	struct hp_histogram_options gathering;
	struct hp_pack_prefetch prefetch;
	struct hp_suspect_search suspects;
	/* the paths of all dumps, with --by=path or --why */
	struct hp_path_tree paths;
	bool *walked;
	struct hp_dominator_view view;
	struct hp_row_paths row_paths;
};

/*
 * Whether a row of the HTML report can be opened to show details: what refers
 * to its objects, their paths, class loader and allocation sites.
 */
static bool
wants_details(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_DETAILS) && c->r->rows.retained &&
	       hp_diff_holds(c->o, HP_FORMAT_PAGE);
}

static bool
is_last(const struct comparison *c)
{
	return c->column == c->r->ndumps - 1;
}

static bool
is_drawn(const struct comparison *c)
{
	return hp_diff_holds(c->o, HP_FORMAT_PAGE) &&
	       (c->column == 0 || is_last(c));
}

/* Whether rows are events (samples, calls, waits), not objects. */
static bool
is_of_events(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_EVENTS);
}

static int
report_failure(const struct comparison *c, const struct hp_error *err)
{
	c->r->refused |= err->status == HP_LIMIT;
	hp_message_failure(c->m, c->path, err);
	return HP_EXIT_TROUBLE;
}

/* Check that the input has what --by needs, for example CPU samples. */
static int
check_present(const struct comparison *c, const struct hp_histogram *g)
{
	struct hp_error err = {0};

	if (c->o->common.dump > g->dumps) {
		hp_scan_no_dump((unsigned)c->o->common.dump, g->held, &err);
		hp_message(c->m, HP_MESSAGE_ERROR, c->path, "%s", err.text);
		return HP_EXIT_TROUBLE;
	}
	if (is_of_events(c) || c->o->by == HP_BY_SITE || g->dumps ||
	    (g->damaged && c->o->partial))
		return HP_EXIT_OK;
	hp_note_no_heap_dump(c->m, c->path, g);
	return HP_EXIT_TROUBLE;
}

/* The rows for the heaps that --heap selects. Returns NULL without --heap. */
static struct hp_rows *
compare_in_heap(const struct comparison *c)
{
	return c->o->heap ? &c->r->in_heap : NULL;
}

/*
 * Add the rows of --by=site from allocation traces of objects, and those from
 * ALLOC SITES records. After the last input, one of the two sets is chosen.
 */
static enum hp_status
add_site_rows(struct comparison *c, const struct hp_column *column,
	      const struct hp_retained *graph, struct hp_resolve_notes *notes,
	      struct hp_error *err)
{
	struct hp_dump_info *other = &c->records_info[c->column];
	struct hp_column records = *column;
	enum hp_status st =
		hp_resolve(column, compare_in_heap(c), graph, notes, err);

	*other = *column->info;
	other->objects = other->bytes = 0;
	records.info = other;
	records.rows = &c->records;
	if (st == HP_OK)
		st = hp_site_records_add(&records, &notes->site_records, err);
	c->traces += notes->traces;
	c->site_records += notes->site_records;
	if (st == HP_OK && !notes->traces && !notes->site_records)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "the file has no allocation traces: HotSpot writes "
			   "none; the hprof agent (heap=sites or all) and ART "
			   "(with allocation tracking) do");
	if (st == HP_OK && !notes->traces && notes->site_records &&
	    c->o->sites == HP_SITES_OBJECTS)
		hp_message(
			c->m, HP_MESSAGE_WARNING, c->path,
			"no object has an allocation trace; to use the ALLOC "
			"SITES records, add --sites=records");
	return st;
}

/*
 * Warn if an earlier input has CPU samples and this one has milliseconds, or
 * the reverse, because the two units cannot be compared.
 */
static void
compare_unit(struct comparison *c, bool times)
{
	unsigned now =
		times ? HP_COLUMN_MS | HP_COLUMN_CALLS : HP_COLUMN_SAMPLES;
	unsigned other = hp_columns_of_key(HP_BY_CPU) & ~now &
			 (HP_COLUMN_MS | HP_COLUMN_SAMPLES);

	if (c->column > 0 && !(c->r->absent & other))
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "has %s, but an earlier input has %s",
			   times ? "CPU times" : "CPU samples",
			   times ? "CPU samples" : "CPU times");
	c->r->absent &= ~now;
}

static enum hp_status
compare_monitors(struct comparison *c, const struct hp_column *column,
		 struct hp_error *err)
{
	bool any;
	enum hp_status st = hp_records_monitors(column, &any, err);

	c->r->absent &= ~hp_columns_of_key(c->o->by);
	if (st == HP_OK && !any)
		hp_message(
			c->m, HP_MESSAGE_WARNING, c->path,
			"the file has no MONITOR TIME report: the hprof agent "
			"writes one with monitor=y if a thread had to wait "
			"for a monitor");
	return st;
}

/*
 * Add the rows of --by=dominator (owners). For the last dump, warn about
 * objects that a gate does not count because they have another owner.
 */
static enum hp_status
add_owner_rows(struct comparison *c, const struct hp_column *column,
	       struct hp_source *src, const struct hp_retained *graph,
	       struct hp_error *err)
{
	struct hp_unowned u = {.gates = c->r->gates,
			       .ngates = is_last(c) ? c->r->ngates : 0};
	enum hp_status st = hp_owners_add(graph, column, src, &u, err);

	if (st == HP_OK)
		hp_note_unowned(c->m, c->path, &u);
	c->r->unowned_told |= u.count > 0;
	hp_unowned_release(&u);
	return st;
}

static enum hp_status
add_rows(struct comparison *c, const struct hp_column *column,
	 struct hp_source *src, struct hp_retained *graph,
	 struct hp_resolve_notes *notes, struct hp_error *err)
{
	enum hp_status st;
	bool any;

	if (hp_key_is(c->o->by, HP_KEY_NEEDS_REFERENCES)) {
		st = hp_reference_rows_add(column, src, graph, notes, c->m,
					   c->path, err);
		return st == HP_OK && hp_key_is(c->o->by, HP_KEY_WASTE) &&
				       is_last(c)
			       ? hp_findings_waste(&c->r->rows, c->column,
						   column->info, c->r, err)
			       : st;
	}
	if (c->o->by == HP_BY_PATH)
		return HP_OK;
	if (c->o->by == HP_BY_THREAD)
		return graph ? hp_thread_rows_add(graph, column, src, err)
			     : HP_OK;
	if (c->o->by == HP_BY_DOMINATOR)
		return graph ? add_owner_rows(c, column, src, graph, err)
			     : HP_OK;
	if (c->o->by == HP_BY_SITE)
		return add_site_rows(c, column, graph, notes, err);
	if (c->o->by == HP_BY_MONITOR)
		return compare_monitors(c, column, err);
	if (c->o->by != HP_BY_CPU)
		return hp_resolve(column, compare_in_heap(c), graph, notes,
				  err);
	compare_unit(c, hp_carried_times(column->g));
	st = hp_cpu_samples_add(column, &any, err);
	if (st == HP_OK && !any)
		hp_message(
			c->m, HP_MESSAGE_WARNING, c->path,
			"the file has no CPU samples: the hprof agent writes "
			"them with cpu=samples");
	return st;
}

/* Whether a gate checks a finding, such as --fail-if=finding:ID. */
static bool
has_finding_gate(const struct comparison *c)
{
	for (size_t i = 0; i < c->r->ngates; i++)
		if (c->r->gates[i].of_finding)
			return true;
	return false;
}

/*
 * Whether to search for leak suspects. Only some formats show them; with
 * --exit-code a suspect counts as a change, and gates may ask for new ones.
 * --why without --retained asks about certain objects, not about growth.
 */
static bool
seeks_suspects(const struct comparison *c)
{
	bool wanted = hp_diff_holds(c->o, HP_FORMAT_SUSPECTS) ||
		      c->o->exit_code || c->r->known || has_finding_gate(c);

	for (size_t i = 0; i < c->r->ngates; i++)
		wanted |= c->r->gates[i].suspects;
	return wanted && !c->o->object &&
	       (!c->o->why || c->o->columns & HP_COLUMN_RETAINED);
}

static bool
wants_suspects(const struct comparison *c)
{
	return seeks_suspects(c) && is_last(c) &&
	       (c->column == 0 || c->suspects.have_first);
}

/*
 * Remember the large objects of a dump, or search for suspects in the last
 * dump. Nothing is searched if the first input is a saved result, without a
 * graph.
 */
static enum hp_status
look_for_suspects(struct comparison *c, struct hp_retained *t,
		  const struct hp_path_walk *walk, const struct hp_histogram *g,
		  struct hp_source *src, struct hp_error *err)
{
	if (wants_suspects(c))
		return hp_suspects_find(&c->suspects, t, walk, &c->paths, g,
					src, c->r, err);
	return seeks_suspects(c) && !is_last(c) &&
			       (c->column == 0 || c->suspects.have_first)
		       ? hp_suspects_note(&c->suspects, c->column, c->r->ndumps,
					  t, g, c->o, err)
		       : HP_OK;
}

static enum hp_status
sum_paths(struct comparison *c, const struct hp_retained *t,
	  const struct hp_path_walk *walk, struct hp_error *err)
{
	struct hp_path_tree *tree = &c->paths;
	uint32_t found = 1;
	enum hp_status st;

	if (c->o->why)
		st = hp_why_sums_add(walk, t, tree, c->column, c->o->why,
				     &found, &c->r->why_known, err);
	else
		st = hp_path_sums_add(walk, t, tree, c->column, NULL,
				      HP_NO_NODE, err);
	if (st == HP_OK && found == 0)
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "no reachable object matches --why=%s%s", c->o->why,
			   c->r->dumps[c->column].undescribed.objects > 0
				   ? ", but the fields of some objects are "
				     "not known"
				   : "");
	c->walked[c->column] = st == HP_OK;
	return st;
}

/* Describe the object of --object. */
static enum hp_status
find_object(struct comparison *c, struct hp_retained *t, struct hp_keys *keys,
	    struct hp_source *src, struct hp_error *err)
{
	const struct hp_object_reader reader = {.t = t,
						.keys = keys,
						.src = src,
						.arena = &c->r->arena,
						.most = HP_OBJECT_LISTED,
						.values = c->o->show_values};

	return hp_object_describe_fully(&reader, c->o->object_id, &c->r->object,
					err);
}

static enum hp_status
add_graph_rows(struct comparison *c, const struct hp_column *column,
	       struct hp_retained *t, struct hp_source *src,
	       struct hp_resolve_notes *notes, struct hp_error *err)
{
	struct hp_keys keys = {.g = column->g, .o = c->o};
	struct hp_path_walk walk = {0};
	bool by_path = c->o->by == HP_BY_PATH;
	bool of_rows = wants_details(c) && is_drawn(c) && !c->o->heap;
	enum hp_status st = HP_OK;

	if (by_path || of_rows)
		st = hp_path_walk_run(&walk, t, &keys, src, &c->paths,
				      (struct hp_path_wanted){0}, err);
	if (st == HP_OK && by_path)
		st = sum_paths(c, t, &walk, err);
	if (st == HP_OK && of_rows)
		st = hp_row_paths_add(&c->row_paths, &walk, t, is_last(c), err);
	if (st == HP_OK)
		st = add_rows(c, column, src, t, notes, err);
	if (st == HP_OK)
		st = look_for_suspects(c, t, by_path || of_rows ? &walk : NULL,
				       column->g, src, err);
	if (st == HP_OK && c->o->object)
		st = find_object(c, t, &keys, src, err);
	if (st == HP_OK && is_last(c) && seeks_suspects(c))
		st = hp_failed_thread_find(c->r, t, &keys, src, err);
	if (st == HP_OK && is_last(c) && c->o->stacks)
		st = hp_thread_stacks_find(c->r, t, column, src, err);
	if (st == HP_OK && seeks_suspects(c) && (c->column == 0 || is_last(c)))
		st = hp_findings_find(t, column, src, c->r, err);
	hp_path_walk_release(&walk);
	hp_keys_release(&keys);
	return st;
}

/*
 * Whether to look for findings that need the pass of --by=waste, which takes
 * about half the time of building the object graph. This is so for reports for
 * people, and for gates that check these findings.
 */
static bool
seeks_waste(const struct comparison *c)
{
	const bool *disabled = c->o->unusual.disabled;

	return is_last(c) && seeks_suspects(c) &&
	       (hp_diff_holds(c->o, HP_FORMAT_PEOPLE) || has_finding_gate(c)) &&
	       !(disabled[HP_UNUSUAL_STRINGS] && disabled[HP_UNUSUAL_WASTE]);
}

static enum hp_status
add_details(struct comparison *c, const struct hp_column *column,
	    struct hp_source *src, struct hp_error *err)
{
	struct hp_dump_info info = *column->info;
	struct hp_diff_options by_site = *c->o;
	struct hp_resolve_notes notes = {0};
	struct hp_column more = *column;
	enum hp_status st;

	more.info = &info;
	more.rows = &c->r->holders;
	st = hp_holders_add(&more, src, err);
	more.rows = &c->r->class_loaders;
	if (st == HP_OK)
		st = hp_resolve_loaders(&more, err);
	by_site.by = HP_BY_SITE;
	more.o = &by_site;
	more.rows = &c->r->class_sites;
	if (st == HP_OK)
		st = hp_resolve(&more, NULL, NULL, &notes, err);
	return st;
}

/* Go on without the graph if nobody asked for it; else return the failure. */
static enum hp_status
do_without_graph(struct comparison *c, const struct hp_error *failure,
		 struct hp_error *err)
{
	enum hp_status why = failure->status;

	if (!c->r->graph_unasked ||
	    (why != HP_LIMIT && why != HP_IO && why != HP_NOMEM))
		return hp_fail(err, why, "%s", failure->text);
	c->gathering.nodes = false;
	hp_result_drop_graph(c->r, why == HP_LIMIT ? HP_NO_GRAPH_MEMORY
						   : HP_NO_GRAPH_ROOM);
	return HP_OK;
}

/* Whether rows that need no graph have more with it: --by=waste. */
static bool
uses_graph_for_references(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_NEEDS_REFERENCES);
}

static enum hp_status
read_graph(struct comparison *c, const struct hp_column *column,
	   struct hp_retained *t, struct hp_source *src, struct hp_error *err)
{
	struct hp_graph_phases p;
	enum hp_status st;

	hp_graph_phases_begin(&p, c->m->progress, c->path, src, t);
	st = hp_retained_read(
		t, column->g, src, c->o,
		hp_diff_by_graph(c->o) || (wants_details(c) && is_drawn(c)) ||
			seeks_suspects(c) || uses_graph_for_references(c) ||
			c->o->object,
		hp_diff_by_graph(c->o) || seeks_suspects(c) ||
			uses_graph_for_references(c) || c->o->object,
		column->info, err);
	hp_progress_watch_source(c->m->progress, src, c->path);
	return st;
}

/* Build the object graph, and add the rows and pictures that need it. */
static enum hp_status
add_graph(struct comparison *c, const struct hp_column *column,
	  struct hp_source *src, struct hp_resolve_notes *notes,
	  struct hp_error *err)
{
	struct hp_retained t = {0};
	struct hp_error failure = {0};
	enum hp_status st = read_graph(c, column, &t, src, &failure);

	if (st != HP_OK) {
		hp_retained_release(&t);
		st = do_without_graph(c, &failure, err);
		return st == HP_OK ? add_rows(c, column, src, NULL, notes, err)
				   : st;
	}
	hp_note_unrooted(c->m, c->path, &t);
	st = add_graph_rows(c, column, &t, src, notes, err);
	if (st == HP_OK && is_drawn(c))
		st = hp_dominator_view_add(&c->view, &t, column->g, c->o,
					   is_last(c), err);
	if (st == HP_OK)
		hp_message_graph_in_files(c->m, c->path,
					  t.graph.memory.file_peak);
	hp_retained_release(&t);
	if (st == HP_OK && is_last(c) && (seeks_waste(c) || wants_details(c)))
		st = hp_waste_find(c->r, column, src, seeks_waste(c), err);
	return st == HP_OK && wants_details(c)
		       ? add_details(c, column, src, err)
		       : st;
}

/*
 * Turn the counts of a dump into rows. @src: the dump, which is read again for
 * retained sizes and similar columns; NULL if nothing needs that. Returns the
 * exit status.
 */
static int
resolve_dump(struct comparison *c, struct hp_histogram *g,
	     struct hp_source *src)
{
	struct hp_dump_info *info = &c->r->dumps[c->column];
	const struct hp_column column = {.g = g,
					 .o = c->o,
					 .rows = &c->r->rows,
					 .index = c->column,
					 .info = info};
	struct hp_resolve_notes notes = {0};
	struct hp_error err = {0};
	enum hp_status st;
	int status = hp_note_damage(c->m, c->path, c->o, g);

	info->id_size = g->header.id_size;
	info->timestamp_ms = g->header.timestamp_ms < HP_TIME_END
				     ? g->header.timestamp_ms
				     : 0;
	info->number = hp_flat_dump_number(
		c->gathering.dump ? c->gathering.dump : g->dumps, g->held);
	info->damaged = hp_header_readable(&g->header) && g->damaged;

	if (status == HP_EXIT_OK)
		status = check_present(c, g);
	if (status != HP_EXIT_OK)
		return status;
	info->dialect = hp_dialect_name(g->dialect);
	info->partial = g->damaged;
	st = hp_original_names(g, c->o, c->m, c->path, &err);
	if (st == HP_OK)
		st = hp_resolve_sizes(g, c->o, &c->sizes, c->r, info, &err);
	if (st == HP_OK && !is_of_events(c))
		st = hp_histogram_undescribed(g, &info->undescribed, &err);
	if (st == HP_OK)
		st = src && c->r->rows.retained && g->have_classes
			     ? add_graph(c, &column, src, &notes, &err)
			     : add_rows(c, &column, src, NULL, &notes, &err);
	if (st == HP_OK)
		st = is_last(c) ? hp_note_patterns(c->r, &column, c->m, c->path,
						   &err)
				: HP_OK;
	hp_note_not_measured(c->m, c->path, c->o, &info->layout);
	info->layout.measured = NULL; /* the sizes belong to the histogram */
	if (st != HP_OK)
		return report_failure(c, &err);
	hp_note_undescribed(c->m, c->r, c->column);
	hp_note_heap(c->m, c->path, c->o, &notes);
	return HP_EXIT_OK;
}

static struct hp_histogram_options
histogram_options(const struct comparison *c)
{
	enum hp_by by = c->o->by;

	return (struct hp_histogram_options){
		.split = (hp_key_is(by, HP_KEY_NEEDS_TRACES) || wants_details(c)
				  ? HP_SPLIT_TRACE
				  : 0) |
			 (hp_key_is(by, HP_KEY_NEEDS_HEAPS) || c->o->heap
				  ? HP_SPLIT_HEAP
				  : 0),
		.threads = c->r->threads,
		.nodes = c->r->rows.retained ||
			 hp_key_is(by, HP_KEY_NEEDS_REFERENCES),
		.dump = (unsigned)c->o->common.dump};
}

/*
 * Whether the numbers of objects that a pack stores suffice for the options, so
 * that its objects need not be read.
 */
static bool
may_use_table_counts(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_TABLE_COUNTS) && c->o->layout &&
	       strcmp(c->o->layout, "measured") != 0 && !c->o->hide_fillers &&
	       !c->r->rows.retained && !c->o->flat &&
	       !(c->o->columns & hp_columns_stored() &
		 hp_columns_that_are(HP_COLUMN_IS_ASKED));
}

/*
 * Count an input from the numbers that a pack stores, if possible. Sets *@done
 * if it was possible, and then *@status to the exit status.
 */
static enum hp_status
count_pack(struct comparison *c, bool *done, int *status, struct hp_error *err)
{
	struct hp_histogram *ahead = hp_pack_prefetch_take(&c->prefetch,
							   c->column),
			    g;
	enum hp_status st;

	*done = ahead;
	if (ahead) {
		*status = resolve_dump(c, ahead, NULL);
		hp_pack_prefetch_add(&c->prefetch);
		return HP_OK;
	}
	if (!may_use_table_counts(c))
		return HP_OK;
	st = hp_pack_histogram_run(&g, c->path, c->o->common.max_size,
				   &c->gathering, done, err);
	if (st != HP_OK || !*done)
		return st;
	*status = resolve_dump(c, &g, NULL);
	hp_histogram_release(&g);
	return HP_OK;
}

static int
count_dump(struct comparison *c, struct hp_source *src)
{
	struct hp_error err = {0};
	struct hp_histogram g;
	enum hp_status st;
	int status;

	st = hp_histogram_run(&g, src, &c->gathering, &err);
	c->r->dumps[c->column].text = hp_source_translated(src);
	if (st == HP_OK && hp_source_trailing(src))
		hp_message(c->m, HP_MESSAGE_WARNING, c->path,
			   "ignored the bytes after the end of the compressed "
			   "data");
	if (st == HP_OK &&
	    (hp_key_is(c->o->by, HP_KEY_NEEDS_LOADERS) || wants_details(c)))
		st = hp_loaders_find(&g, src, &err);
	if (st == HP_OK && c->o->hide_fillers)
		st = hp_fillers_find(&g, src, &err);
	if (st == HP_OK && c->o->columns & HP_COLUMN_NATIVE)
		st = hp_native_sizes_find(&g, src, &err);
	status = st == HP_OK ? resolve_dump(c, &g, src)
			     : report_failure(c, &err);
	hp_histogram_release(&g);
	return status;
}

static int
read_saved(struct comparison *c, struct hp_source *src)
{
	unsigned absent = c->r->absent;
	const struct hp_size_model *layout = &c->r->dumps[c->column].layout;
	bool records = false, times;
	struct hp_error err = {0};
	int status;

	/* --label does not replace the labels of a saved result */
	c->r->dumps[c->column].labels = NULL;
	c->r->dumps[c->column].nlabels = 0;
	status = hp_baseline_load(c->r, &c->records, &records, c->o, c->column,
				  c->path, src, c->m);
	if (status == HP_EXIT_OK && c->o->by == HP_BY_CPU) {
		times = absent & ~c->r->absent & HP_COLUMN_MS;
		c->r->absent = absent;
		compare_unit(c, times);
	}
	if (status == HP_EXIT_OK)
		hp_note_undescribed(c->m, c->r, c->column);
	c->records_info[c->column] = c->r->dumps[c->column];
	c->site_records += records;
	c->traces += !records;
	c->saved_records += records;
	c->saved_traces += !records;
	if (status == HP_EXIT_OK && !c->o->layout &&
	    hp_shared_sizes_saved(&c->sizes, layout,
				  &c->r->dumps[c->column].sizes, &err) != HP_OK)
		status = report_failure(c, &err);
	if (!c->saved_layout)
		c->saved_layout = layout;
	c->saved_layouts_differ |= hp_layouts_differ(c->saved_layout, layout);
	return status;
}

/*
 * Check that there is memory for a decompressor, beyond the fixed amount for
 * uncompressed files.
 */
static enum hp_status
check_decompressor(struct comparison *c, const struct hp_source *src,
		   struct hp_error *err)
{
	uint64_t bytes = hp_source_memory(src);

	if (bytes <= hp_memory_left())
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "unpacking needs %" PRIu64
		       " MB, more than --memory leaves; increase --memory%s",
		       bytes >> 20,
		       c->r->threads > 1 ? " or use fewer --threads" : "");
}

/* Compute the hash that identifies the dump, and store it in the result. */
static int
identify_dump(struct comparison *c, struct hp_source *src, int status)
{
	struct hp_dump_id *id = &c->r->dumps[c->column].id;
	struct hp_error err = {0};

	if (hp_dump_id_read(id, src, c->path, &err) != HP_OK &&
	    status == HP_EXIT_OK)
		status = report_failure(c, &err);
	c->records_info[c->column].id = *id;
	return status;
}

static void
describe_file(struct comparison *c)
{
	struct hp_dump_info *info = &c->r->dumps[c->column];
	struct stat sb;

	if ((strcmp(c->path, "-") == 0 ? fstat(STDIN_FILENO, &sb)
				       : stat(c->path, &sb)) == 0 &&
	    S_ISREG(sb.st_mode))
		info->file_bytes = (uint64_t)sb.st_size;
	info->labels = c->o->labels.list;
	info->nlabels = c->o->labels.count;
}

static int
read_input(struct comparison *c)
{
	const struct hp_options *common = &c->o->common;
	const struct hp_source_options options = {
		.threads = c->r->threads,
		.memory = hp_memory_left() / 4 * 3,
		.max_size = common->max_size,
		/* mapped pages are not counted, but belong to the process */
		.mapping = common->memory < HP_MEMORY_MUCH ? HP_MAP_NEVER
							   : HP_MAP_GUARDED,
		.packing = hp_packs,
		.translation = hp_agent_text,
		.digest = c->o->flat,
		.again = hp_key_is(c->o->by, HP_KEY_NEEDS_LOADERS |
						     HP_KEY_NEEDS_REFERENCES) ||
			 c->o->hide_fillers || c->r->rows.retained ||
			 c->o->columns & HP_COLUMN_NATIVE};
	struct hp_source *src = NULL;
	struct hp_error err = {0};
	struct hp_archive archives[HP_SOURCE_ARCHIVES];
	bool saved = false, done;
	int status = HP_EXIT_OK;
	size_t narchives;
	enum hp_status st;

	describe_file(c);
	st = count_pack(c, &done, &status, &err);

	if (st == HP_OK && !done)
		st = hp_source_open(&src, c->path, &options, &err);
	if (st != HP_OK)
		return report_failure(c, &err);
	if (done)
		return status;
	hp_progress_watch_source(c->m->progress, src, c->path);
	c->r->dumps[c->column].compression = hp_source_compression(src);
	st = check_decompressor(c, src, &err);
	if (st == HP_OK)
		st = hp_baseline_peek(src, &saved, &err);
	if (st != HP_OK)
		status = report_failure(c, &err);
	else if (saved)
		status = read_saved(c, src);
	else
		status = count_dump(c, src);
	if (c->o->flat && !saved)
		status = identify_dump(c, src, status);
	/* with one thread, the dump would also exceed --max-size */
	c->r->refused &= !hp_source_is_oversize(src);
	hp_progress_watch(c->m->progress, NULL, NULL, NULL);
	narchives = hp_source_archives(src, archives);
	hp_message_archives(c->m, c->path, archives, narchives);
	hp_source_close(src);
	return status;
}

/*
 * Decide where the rows of --by=site come from: allocation traces of objects if
 * every dump has them, else ALLOC SITES records if there are any.
 */
static int
choose_site_source(struct comparison *c)
{
	struct hp_rows rows = c->r->rows;
	size_t n = c->r->ndumps;
	bool records = c->o->sites == HP_SITES_RECORDS || c->o->allocated ||
		       (c->o->sites == HP_SITES_AUTO && c->traces < n &&
			c->site_records > 0);

	c->r->sites = records ? "records" : "objects";
	if ((records ? c->saved_traces : c->saved_records) > 0) {
		hp_message(c->m, HP_MESSAGE_ERROR, NULL,
			   "a saved result has allocation sites of %s, but the "
			   "other input has those of %s; choose one kind with "
			   "--sites",
			   records ? "objects" : "records", c->r->sites);
		return HP_EXIT_TROUBLE;
	}
	if (!records)
		return HP_EXIT_OK;
	if (c->r->rows.columns & ~c->records.columns) {
		hp_message(c->m, HP_MESSAGE_ERROR, NULL,
			   "ALLOC SITES records do not identify objects: they "
			   "have no retained sizes, and no --columns except "
			   "count and bytes");
		return HP_EXIT_TROUBLE;
	}
	if (c->site_records < n)
		hp_message(c->m, HP_MESSAGE_WARNING, NULL,
			   "some dumps have no allocation sites; they count as "
			   "empty");
	c->r->rows = c->records;
	c->records = rows;
	c->r->heap_shown = false;
	memcpy(c->r->dumps, c->records_info, n * sizeof(*c->r->dumps));
	return HP_EXIT_OK;
}

static int
make_path_rows(struct comparison *c)
{
	struct hp_error err = {0};
	enum hp_status st = hp_path_rows_make(c->r, &c->paths, c->walked, &err);

	c->path = NULL;
	if (st == HP_OK && c->o->why)
		st = hp_why_make(&c->r->why, &c->paths, &c->r->rows, &err);
	return st == HP_OK ? HP_EXIT_OK : report_failure(c, &err);
}

static int
read_inputs(struct comparison *c)
{
	struct hp_result *r = c->r;
	int status = HP_EXIT_OK;

	c->gathering = histogram_options(c);
	if (may_use_table_counts(c) && !c->o->common.max_size)
		hp_pack_prefetch_init(&c->prefetch, c->o->common.arguments,
				      r->ndumps, &c->gathering);
	for (size_t i = 0; i < r->ndumps; i++) {
		c->column = i;
		c->path = c->o->common.arguments[i];
		r->dumps[i].path = c->path;
		status = hp_exit_worse(status, read_input(c));
		/* the other inputs would fail with the same message */
		if (r->refused)
			break;
	}
	hp_pack_prefetch_release(&c->prefetch);
	if (status == HP_EXIT_OK && c->o->by == HP_BY_SITE)
		status = choose_site_source(c);
	if (status == HP_EXIT_OK && c->o->by == HP_BY_PATH)
		status = make_path_rows(c);
	if (status != HP_EXIT_OK || !hp_result_layouts_differ(r) ||
	    is_of_events(c))
		return status;
	if (c->saved_layout) {
		hp_note_saved_layout(c->m, c->saved_layout,
				     c->saved_layouts_differ);
		return HP_EXIT_TROUBLE;
	}
	hp_message(c->m, HP_MESSAGE_WARNING, NULL,
		   "the dumps have different memory layouts, so bytes differ "
		   "even if counts are equal; set one with --layout");
	return status;
}

int
hp_compare_run(struct hp_result *r, const struct hp_diff_options *o,
	       const struct hp_messages *m)
{
	struct comparison c = {.r = r, .o = o, .m = m};
	struct hp_error err = {0};
	int status = HP_EXIT_TROUBLE;

	if (hp_budget_init(o->common.memory, &r->threads, &err) != HP_OK) {
		hp_message_failure(m, NULL, &err);
		return HP_EXIT_TROUBLE;
	}
	hp_rows_init(&c.records, r->ndumps);
	hp_suspects_init(&c.suspects);
	hp_dominator_view_init(&c.view);
	hp_rows_init(&r->holders, r->ndumps);
	r->holders.columns |= HP_COLUMN_REFERENCES;
	hp_rows_init(&r->class_loaders, r->ndumps);
	r->class_loaders.columns |= HP_COLUMN_LOADERS;
	hp_rows_init(&r->class_sites, r->ndumps);
	hp_rows_init(&r->waste, 1);
	r->waste.columns = hp_columns_of_key(HP_BY_WASTE) & hp_columns_stored();
	c.records_info = hp_calloc(r->ndumps, sizeof(*c.records_info));
	c.walked = hp_calloc(r->ndumps, sizeof(*c.walked));
	if (c.records_info && c.walked &&
	    hp_path_tree_init(&c.paths, r->ndumps, &err) == HP_OK) {
		status = read_inputs(&c);
	} else {
		(void)hp_no_memory(&err);
		status = report_failure(&c, &err);
	}
	if (status == HP_EXIT_OK &&
	    (hp_row_paths_finish(&c.row_paths, &c.paths, r, &err) != HP_OK ||
	     hp_dominator_view_finish(&c.view, r, &err) != HP_OK)) {
		c.path = NULL;
		status = report_failure(&c, &err);
	}
	hp_row_paths_release(&c.row_paths);
	hp_path_tree_release(&c.paths);
	hp_free(c.walked);
	hp_shared_sizes_release(&c.sizes);
	hp_rows_release(&c.records);
	hp_suspects_release(&c.suspects);
	hp_dominator_view_release(&c.view);
	hp_free(c.records_info);
	return status;
}
