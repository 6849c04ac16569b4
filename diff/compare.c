/*
 * compare.c - read the inputs one after the other, each with all threads
 *
 * Packs (dumps in this project's archive format) are an exception: several of
 * them can be counted at the same time. Messages always appear in the order of
 * the inputs on the command line.
 */
#include "diff/comparison.h"

#include "diff/count/pack_histogram.h"
#include "diff/count/passes.h"
#include "diff/count/histogram.h"
#include "diff/count/shared_sizes.h"
#include "diff/keys/resolve.h"
#include "diff/paths/paths.h"
#include "diff/result/baseline.h"

#include "common/base/memory.h"
#include "common/cli/quantity.h"
#include "common/components/components.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
report_failure(const struct comparison *c, const struct hp_error *err)
{
	c->r->refused |= err->status == HP_LIMIT;
	hp_message_failure(c->m, c->path, err);
	return HP_EXIT_TROUBLE;
}

static enum hp_status
estimate(struct comparison *c, const struct hp_histogram *g,
	 struct hp_error *err)
{
	c->r->estimates =
		hp_arena_alloc(&c->r->arena, sizeof(*c->r->estimates));
	if (!c->r->estimates)
		return hp_no_memory(err);
	return hp_estimate_make(g, &c->r->dumps[c->column].layout,
				c->r->estimates, err);
}

/* Whether the object graph of a dump is built. */
static bool
builds_graph(const struct comparison *c, const struct hp_histogram *g,
	     const struct hp_source *src)
{
	return src && c->r->rows.retained && g->have_classes;
}

/*
 * Turn the counts of a dump into rows. @src: the dump, which is read again for
 * retained sizes and similar columns; NULL if no option needs such columns.
 * Returns the exit status.
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
		status = hp_dump_check_present(c, g);
	if (status != HP_EXIT_OK)
		return status;
	info->dialect = hp_dialect_name(g->dialect);
	info->partial = g->damaged;
	st = hp_original_names(g, c->o, c->m, c->path, &err);
	if (st == HP_OK)
		st = hp_resolve_sizes(g, c->o, &c->sizes, c->r, info, &err);
	if (st == HP_OK && c->o->estimate)
		st = estimate(c, g, &err);
	if (st == HP_OK && !hp_comparison_is_of_events(c))
		st = hp_histogram_undescribed(g, &info->undescribed, &err);
	if (st == HP_OK)
		st = builds_graph(c, g, src)
			     ? hp_dump_graph_add(c, &column, src, &notes, &err)
			     : hp_dump_rows_add(c, &column, src, NULL, &notes,
						&err);
	if (st == HP_OK)
		st = hp_comparison_is_last(c)
			     ? hp_note_patterns(c->r, &column, c->m, c->path,
						&err)
			     : HP_OK;
	hp_note_not_measured(c->m, c->path, c->o, &info->layout);
	/*
	 * the histogram frees the measured sizes, so do not keep a pointer to
	 * them
	 */
	info->layout.measured = NULL;
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
		.split = (hp_key_is(by, HP_KEY_NEEDS_TRACES) ||
					  hp_comparison_has_details(c)
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
 * Whether the numbers of objects of each class that a pack stores suffice for
 * the options, so that the objects need not be read.
 */
static bool
may_use_table_counts(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_TABLE_COUNTS) && c->o->layout &&
	       strcmp(c->o->layout, "measured") != 0 && !c->o->hide_fillers &&
	       !c->o->estimate && !c->r->rows.retained && !c->o->flat &&
	       !(c->o->columns & hp_columns_stored() &
		 hp_columns_that_are(HP_COLUMN_IS_ASKED));
}

/*
 * If the input is a pack whose stored numbers of objects suffice, use these
 * numbers: set *@done to true, and *@status to the exit status.
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
	/*
	 * if an object graph is built, hp_dump_graph_add() finds the class
	 * loaders in the graph, which is faster
	 */
	if (st == HP_OK && hp_comparison_needs_loaders(c) &&
	    !builds_graph(c, &g, src))
		st = hp_loaders_find(&g, src, &err);
	if (st == HP_OK && c->o->hide_fillers)
		st = hp_fillers_find(&g, src, &err);
	/*
	 * if the --by key needs the object graph, the sizes of native memory
	 * are found later, after the graph was built
	 */
	if (st == HP_OK && c->o->columns & HP_COLUMN_NATIVE &&
	    !hp_diff_by_graph(c->o))
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
		hp_dump_compare_unit(c, times);
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
 * If the input is compressed, check that there is enough memory for its
 * decompressor; the memory that is reserved for every run suffices only for
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

/*
 * With --format=rows and --format=tsv: compute the hash that identifies the
 * dump, and store it in the result.
 */
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
		/*
		 * with little memory, do not map the file: the limit counts
		 * only memory from hp_malloc(), but mapped pages also use
		 * memory of the process
		 */
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
	/*
	 * if the dump is larger than --max-size, a second run with one thread
	 * would fail for the same reason
	 */
	c->r->refused &= !hp_source_is_oversize(src);
	hp_progress_watch(c->m->progress, NULL, NULL, NULL);
	narchives = hp_source_archives(src, archives);
	hp_message_archives(c->m, c->path, archives, narchives);
	hp_source_close(src);
	return status;
}

/*
 * Decide from which data the rows of --by=site are made: from the allocation
 * traces of objects if every dump has them, otherwise from ALLOC SITES records
 * if there are any.
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
			   "a saved result has allocation sites from %s, but "
			   "the other input has allocation sites from %s; "
			   "choose one kind with --sites",
			   records ? "objects" : "records", c->r->sites);
		return HP_EXIT_TROUBLE;
	}
	if (!records)
		return HP_EXIT_OK;
	if (c->r->rows.columns & ~c->records.columns) {
		hp_message(c->m, HP_MESSAGE_ERROR, NULL,
			   "ALLOC SITES records do not identify objects, so "
			   "there are no retained sizes, and --columns can "
			   "only be count and bytes");
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
		/*
		 * there was too little memory for several threads, and the
		 * caller repeats the run with one thread
		 */
		if (r->refused)
			break;
	}
	hp_pack_prefetch_release(&c->prefetch);
	if (status == HP_EXIT_OK && c->o->by == HP_BY_SITE)
		status = choose_site_source(c);
	if (status == HP_EXIT_OK && c->o->by == HP_BY_PATH)
		status = make_path_rows(c);
	if (status == HP_EXIT_OK)
		hp_note_order(c->m, r, c->o);
	if (status != HP_EXIT_OK || !hp_result_layouts_differ(r) ||
	    hp_comparison_is_of_events(c))
		return status;
	if (c->saved_layout) {
		hp_note_saved_layout(c->m, c->saved_layout,
				     c->saved_layouts_differ);
		return HP_EXIT_TROUBLE;
	}
	hp_message(c->m, HP_MESSAGE_WARNING, NULL,
		   "the dumps have different memory layouts, so bytes differ "
		   "even if counts are equal; set the same layout for all "
		   "dumps with --layout");
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
