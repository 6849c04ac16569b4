/*
 * dump_graph.c - build the object graph of one dump, and add its results: rows
 * with retained sizes, suspects, findings and pictures
 */
#include "diff/comparison.h"

#include "diff/findings/findings.h"
#include "diff/count/passes.h"
#include "diff/holders/holders.h"
#include "diff/objects/objects.h"
#include "diff/retained/loader_names.h"

static bool
has_finding_gate(const struct comparison *c)
{
	for (size_t i = 0; i < c->r->ngates; i++)
		if (c->r->gates[i].of == HP_GATE_FINDING)
			return true;
	return false;
}

/*
 * Whether to search for leak suspects. The search takes time, so it runs only
 * if its result is used: by an output format that shows suspects, by
 * --exit-code (a suspect counts as a change), by --known or by a gate. With
 * --why, the search runs only if --retained is also given.
 */
static bool
seeks_suspects(const struct comparison *c)
{
	bool wanted = hp_diff_holds(c->o, HP_FORMAT_SUSPECTS) ||
		      c->o->exit_code || c->r->known || has_finding_gate(c);

	for (size_t i = 0; i < c->r->ngates; i++)
		wanted |= c->r->gates[i].of == HP_GATE_SUSPECTS;
	return wanted && !c->o->object &&
	       (!c->o->why || c->o->columns & HP_COLUMN_RETAINED);
}

static bool
wants_suspects(const struct comparison *c)
{
	return seeks_suspects(c) && hp_comparison_is_last(c) &&
	       (c->column == 0 || c->suspects.have_first);
}

/*
 * If the dump is the last one, search for suspects; otherwise store its large
 * objects for this search. Do nothing if the first input is a saved result,
 * which has no graph.
 */
static enum hp_status
look_for_suspects(struct comparison *c, struct hp_retained *t,
		  struct hp_path_walk *walk, const struct hp_histogram *g,
		  struct hp_source *src, struct hp_error *err)
{
	if (wants_suspects(c))
		return hp_suspects_find(&c->suspects, t, walk, &c->paths, g,
					src, c->r, err);
	return seeks_suspects(c) && !hp_comparison_is_last(c) &&
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

/*
 * Make the labels of the objects at the ends of paths, if the output format
 * shows labels.
 */
static enum hp_status
label_paths(struct comparison *c, const struct hp_retained *t,
	    const struct hp_path_walk *walk, struct hp_keys *keys,
	    struct hp_source *src, struct hp_error *err)
{
	return hp_comparison_is_last(c) &&
			       hp_diff_holds(c->o, HP_FORMAT_SUSPECTS)
		       ? hp_path_labels_find(walk, t, &c->paths, c->o->why,
					     keys, src, err)
		       : HP_OK;
}

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
	bool of_rows = hp_comparison_has_details(c) &&
		       hp_comparison_is_drawn(c) && !c->o->heap;
	enum hp_status st = HP_OK;

	if (by_path || of_rows)
		st = hp_path_walk_run(&walk, t, &keys, src, &c->paths,
				      (struct hp_path_wanted){0}, err);
	if (st == HP_OK && by_path)
		st = sum_paths(c, t, &walk, err);
	if (st == HP_OK && (by_path || of_rows))
		st = label_paths(c, t, &walk, &keys, src, err);
	if (st == HP_OK && of_rows)
		st = hp_row_paths_add(&c->row_paths, &walk, &c->paths, t,
				      hp_comparison_is_last(c), err);
	if (st == HP_OK)
		st = hp_dump_rows_add(c, column, src, t, notes, err);
	if (st == HP_OK)
		st = look_for_suspects(c, t, by_path || of_rows ? &walk : NULL,
				       column->g, src, err);
	if (st == HP_OK && c->o->object)
		st = find_object(c, t, &keys, src, err);
	if (st == HP_OK && hp_comparison_is_last(c) && seeks_suspects(c))
		st = hp_failed_thread_find(c->r, t, &keys, src, err);
	if (st == HP_OK && hp_comparison_is_last(c) && c->o->stacks)
		st = hp_thread_stacks_find(c->r, t, column, src, err);
	if (st == HP_OK && seeks_suspects(c) &&
	    (c->column == 0 || hp_comparison_is_last(c)))
		st = hp_findings_find(t, column, src, c->r, err);
	hp_path_walk_release(&walk);
	hp_keys_release(&keys);
	return st;
}

/*
 * Whether to look for findings that need the rows of --by=waste. Making these
 * rows takes about half as long as building the object graph. So it is done
 * only for reports that people read, and for gates that check these findings.
 */
static bool
seeks_waste(const struct comparison *c)
{
	const bool *disabled = c->o->unusual.disabled;

	return hp_comparison_is_last(c) && seeks_suspects(c) &&
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

/*
 * The graph could not be built. If no option asks for it, continue without the
 * graph; otherwise return the failure.
 */
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

/*
 * Whether the object graph adds something to the rows of a --by key that can
 * also be made without the graph. For example, --by=waste shows retained sizes
 * only with the graph.
 */
static bool
uses_graph_for_references(const struct comparison *c)
{
	return hp_key_is(c->o->by, HP_KEY_NEEDS_REFERENCES);
}

/* Whether the objects that wait for a finalizer are needed. */
static bool
needs_queue(const struct comparison *c)
{
	return hp_diff_by_graph(c->o) || seeks_suspects(c) ||
	       uses_graph_for_references(c) || c->o->object;
}

/* Whether the references of the graph are needed after the tree was built. */
static bool
keeps_references(const struct comparison *c)
{
	return needs_queue(c) ||
	       (hp_comparison_has_details(c) && hp_comparison_is_drawn(c));
}

static bool
uses_native(const struct comparison *c)
{
	return seeks_suspects(c) ||
	       (hp_diff_by_graph(c->o) && c->o->columns & HP_COLUMN_NATIVE);
}

static enum hp_status
read_graph(struct comparison *c, const struct hp_column *column,
	   struct hp_retained *t, struct hp_source *src, struct hp_error *err)
{
	struct hp_graph_phases p;
	enum hp_status st;

	hp_graph_phases_begin(&p, c->m->progress, c->path, src, t);
	st = hp_retained_read(t, column->g, src, c->o, keeps_references(c),
			      needs_queue(c), column->info, err);
	hp_progress_watch_source(c->m->progress, src, c->path);
	if (st == HP_OK && uses_native(c))
		st = hp_native_owners_find(t, column->g, src, err);
	column->info->reachable_native =
		hp_native_owners_sum(&t->native, 0, UINT32_MAX);
	if (hp_diff_by_graph(c->o))
		column->info->all_native = column->info->reachable_native;
	return st;
}

/*
 * Find the class loaders and their names, if the report shows them. @t: the
 * graph; NULL: it could not be built.
 */
static enum hp_status
find_loaders(const struct comparison *c, const struct hp_column *column,
	     const struct hp_retained *t, struct hp_source *src,
	     struct hp_error *err)
{
	struct hp_keys keys = {.g = column->g, .o = c->o};
	enum hp_status st;

	if (!hp_comparison_needs_loaders(c))
		return HP_OK;
	if (!t || !keeps_references(c))
		return hp_loaders_find(column->g, src, err);
	st = hp_graph_loaders_find(column->g, t, &keys, src, err);
	hp_keys_release(&keys);
	return st;
}

enum hp_status
hp_dump_graph_add(struct comparison *c, const struct hp_column *column,
		  struct hp_source *src, struct hp_resolve_notes *notes,
		  struct hp_error *err)
{
	struct hp_retained t = {0};
	struct hp_error failure = {0};
	bool waste;
	enum hp_status st = read_graph(c, column, &t, src, &failure);

	if (st != HP_OK) {
		hp_retained_release(&t);
		st = do_without_graph(c, &failure, err);
		if (st == HP_OK)
			st = find_loaders(c, column, NULL, src, err);
		return st == HP_OK ? hp_dump_rows_add(c, column, src, NULL,
						      notes, err)
				   : st;
	}
	column->info->unrooted = hp_note_unrooted(c->m, c->path, &t);
	st = find_loaders(c, column, &t, src, err);
	if (st == HP_OK)
		st = add_graph_rows(c, column, &t, src, notes, err);
	if (st == HP_OK && hp_comparison_is_drawn(c))
		st = hp_dominator_view_add(&c->view, &t, column->g, src, c->r,
					   hp_comparison_is_last(c), err);
	if (st == HP_OK)
		hp_message_graph_in_files(c->m, c->path,
					  t.graph.memory.file_peak);
	waste = hp_comparison_is_last(c) &&
		(seeks_waste(c) || hp_comparison_has_details(c));
	if (waste || hp_comparison_has_details(c))
		hp_nodes_keep(&t.graph.nodes, &column->g->nodes,
			      &t.graph.memory);
	hp_retained_release(&t);
	if (st == HP_OK && waste)
		st = hp_waste_find(c->r, column, src, seeks_waste(c), err);
	return st == HP_OK && hp_comparison_has_details(c)
		       ? add_details(c, column, src, err)
		       : st;
}
