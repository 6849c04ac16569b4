/*
 * comparison.h - the state of a comparison while its inputs are read, and the
 * functions that add one dump to the result
 */
#ifndef HP_DIFF_COMPARISON_H
#define HP_DIFF_COMPARISON_H

#include "diff/count/pack_histogram.h"
#include "diff/count/shared_sizes.h"
#include "diff/internal.h"
#include "diff/paths/paths.h"

/* The state of a comparison while it reads its inputs, one after the other. */
struct comparison {
	struct hp_result *r;
	const struct hp_diff_options *o;
	const struct hp_messages *m;
	size_t column;
	const char *path;
	/*
	 * with --by=site: the rows from ALLOC SITES records; these rows are
	 * used if not every dump has allocation traces
	 */
	struct hp_rows records;
	struct hp_dump_info *records_info;
	/*
	 * traces: number of inputs whose objects have allocation traces;
	 * site_records: number of inputs with ALLOC SITES records
	 */
	size_t traces, site_records;
	/*
	 * saved_traces, saved_records: like `traces` and `site_records`, but
	 * they count only the saved results
	 */
	size_t saved_traces, saved_records;
	/*
	 * the size model (rules for the sizes of objects) of the first saved
	 * result; NULL: there is no saved result
	 */
	const struct hp_size_model *saved_layout;
	bool saved_layouts_differ;
	struct hp_shared_sizes sizes;
	/*
	 * if the inputs are packs: the options for counting objects, and the
	 * state of the threads that count packs in advance
	 */
	struct hp_histogram_options gathering;
	struct hp_pack_prefetch prefetch;
	struct hp_suspect_search suspects;
	/* with --by=path or --why: the tree of the paths of all dumps */
	struct hp_path_tree paths;
	bool *walked;
	struct hp_dominator_view view;
	struct hp_row_paths row_paths;
};

/*
 * Whether a click on a row of the HTML report shows details of its objects: the
 * references to them, their paths, class loaders and allocation sites.
 */
static inline bool
hp_comparison_has_details(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_DETAILS) && c->r->rows.retained &&
	       hp_diff_holds(c->o, HP_FORMAT_PAGE);
}

/* Whether rows, or details of rows, show the names of class loaders. */
static inline bool
hp_comparison_needs_loaders(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_NEEDS_LOADERS) ||
	       hp_comparison_has_details(c);
}

static inline bool
hp_comparison_is_last(const struct comparison *c)
{
	return c->column == c->r->ndumps - 1;
}

static inline bool
hp_comparison_is_drawn(const struct comparison *c)
{
	return hp_diff_holds(c->o, HP_FORMAT_PAGE) &&
	       (c->column == 0 || hp_comparison_is_last(c));
}

/*
 * Whether rows contain events (CPU samples, calls, waits for monitors) instead
 * of objects.
 */
static inline bool
hp_comparison_is_of_events(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_EVENTS);
}

/*
 * Check that the input has the data that the --by key needs, for example CPU
 * samples. Returns HP_EXIT_OK, or prints an error and returns another exit
 * status.
 */
int hp_dump_check_present(const struct comparison *c,
			  const struct hp_histogram *g);

/*
 * Warn if some inputs have numbers of CPU samples and others have milliseconds,
 * because these units cannot be compared. @times: true if the current input has
 * milliseconds.
 */
void hp_dump_compare_unit(struct comparison *c, bool times);

/*
 * Add the rows of a dump. @graph: the object graph of the dump; NULL: none.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_dump_rows_add(struct comparison *c, const struct hp_column *column,
		 struct hp_source *src, struct hp_retained *graph,
		 struct hp_resolve_notes *notes, struct hp_error *err);

/*
 * Build the object graph of a dump. Add the rows, suspects, findings and
 * pictures that are made from the graph. Returns: HP_OK; HP_LIMIT; HP_NOMEM;
 * HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_dump_graph_add(struct comparison *c,
					     const struct hp_column *column,
					     struct hp_source *src,
					     struct hp_resolve_notes *notes,
					     struct hp_error *err);

#endif
