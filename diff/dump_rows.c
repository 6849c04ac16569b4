/*
 * dump_rows.c - add the rows of one dump to the result
 */
#include "diff/comparison.h"

#include "diff/count/carried.h"
#include "diff/count/passes.h"
#include "diff/findings/findings.h"
#include "diff/holders/holders.h"

int
hp_dump_check_present(const struct comparison *c, const struct hp_histogram *g)
{
	struct hp_error err = {0};

	if (c->o->common.dump > g->dumps) {
		hp_scan_no_dump((unsigned)c->o->common.dump, g->held, &err);
		hp_message(c->m, HP_MESSAGE_ERROR, c->path, "%s", err.text);
		return HP_EXIT_TROUBLE;
	}
	if (hp_comparison_is_of_events(c) || c->o->by == HP_BY_SITE ||
	    g->dumps || (g->damaged && c->o->partial))
		return HP_EXIT_OK;
	hp_note_no_heap_dump(c->m, c->path, g);
	return HP_EXIT_TROUBLE;
}

/*
 * Returns the set of rows for the Android heaps that --heap selects. Returns
 * NULL if --heap was not given.
 */
static struct hp_rows *
compare_in_heap(const struct comparison *c)
{
	return c->o->heap ? &c->r->in_heap : NULL;
}

/*
 * Add the rows of --by=site: one set of rows from the allocation traces of
 * objects, and another one from ALLOC SITES records. After the last input, one
 * of the sets is chosen.
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
			   "none; the hprof agent writes them with heap=sites "
			   "or heap=all, and ART writes them with allocation "
			   "tracking");
	if (st == HP_OK && !notes->traces && notes->site_records &&
	    c->o->sites == HP_SITES_OBJECTS)
		hp_message(
			c->m, HP_MESSAGE_WARNING, c->path,
			"no object has an allocation trace; to use the ALLOC "
			"SITES records, add --sites=records");
	return st;
}

void
hp_dump_compare_unit(struct comparison *c, bool times)
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
 * Add the rows of --by=dominator: each row is an owner, such as a static field,
 * and the objects that it alone keeps alive. For the last dump, print a warning
 * if the static field of a gate (--fail-if) refers to an object that counts in
 * the row of another owner.
 */
static enum hp_status
add_owner_rows(struct comparison *c, const struct hp_column *column,
	       struct hp_source *src, const struct hp_retained *graph,
	       struct hp_error *err)
{
	struct hp_unowned u = {.gates = c->r->gates,
			       .ngates = hp_comparison_is_last(c) ? c->r->ngates
								  : 0};
	enum hp_status st = hp_owners_add(graph, column, src,
					  hp_comparison_is_last(c), &u, err);

	if (st == HP_OK)
		hp_note_unowned(c->m, c->path, &u);
	c->r->unowned_told |= u.count > 0;
	hp_unowned_release(&u);
	return st;
}

enum hp_status
hp_dump_rows_add(struct comparison *c, const struct hp_column *column,
		 struct hp_source *src, struct hp_retained *graph,
		 struct hp_resolve_notes *notes, struct hp_error *err)
{
	enum hp_status st;
	bool any;

	if (hp_key_is(c->o->by, HP_KEY_NEEDS_REFERENCES)) {
		st = hp_reference_rows_add(column, src, graph, notes, c->m,
					   c->path, err);
		return st == HP_OK && hp_key_is(c->o->by, HP_KEY_WASTE) &&
				       hp_comparison_is_last(c)
			       ? hp_findings_waste(&c->r->rows, c->column,
						   column->info, c->r, err)
			       : st;
	}
	if (c->o->by == HP_BY_PATH)
		return HP_OK;
	if (c->o->by == HP_BY_THREAD)
		return graph ? hp_thread_rows_add(graph, column, src, err)
			     : HP_OK;
	if (c->o->by == HP_BY_REFERENCE)
		return graph ? hp_reference_rows_find(graph, column, err)
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
	hp_dump_compare_unit(c, hp_carried_times(column->g));
	st = hp_cpu_samples_add(column, &any, err);
	if (st == HP_OK && !any)
		hp_message(
			c->m, HP_MESSAGE_WARNING, c->path,
			"the file has no CPU samples: the hprof agent writes "
			"them with cpu=samples");
	return st;
}
