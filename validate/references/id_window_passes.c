/*
 * id_window_passes.c - decide which further passes over a dump are needed
 *
 * A reference dangles if the object to which it refers is not in the dump. If
 * the sets of all ids fit in memory, one more pass finds the dangling
 * references, if there are any. If they do not fit, the ids are divided into
 * ranges ("windows"), and one pass for each further window fills the sets of
 * ids of this window. The dangling ids are collected in a map, and one more
 * pass finds the references to them. If that map is too large, the program
 * reads the dump again for each window, and looks for dangling references while
 * the sets of this window are in memory.
 *
 * The elements of an Object[] are checked later, because their severity depends
 * on whether something refers to the array. An additional pass finds out
 * whether this is the case. locate_holders.c implements a single pass.
 */
#include "validate/references/references.h"

#include "validate/references/internal.h"

/*
 * The maximum number of windows. A window is a range of ids whose sets fit in
 * memory. The ids of a real heap are close together and need few windows, even
 * with little memory. A malicious dump with a few hundred ids in each of many
 * ranges would need hundreds of windows, with up to five passes each. Such an
 * input is refused, because reading it would take hours.
 */
enum { WINDOWS_MOST = 64 };

/* The state that the functions of this file share. */
struct passes {
	struct hp_references *r;
	struct hp_source *src;
	const struct hp_tables *tables;
	struct hp_worker *into;
	struct hp_error *err;
	/*
	 * number of the current pass over the dump; pass 1 was finished before
	 * the code in this file
	 */
	unsigned number;
};

static enum hp_status
run_pass(struct passes *p, enum hp_pass_job job, bool doubles)
{
	const struct hp_references_options *o = &p->r->o;
	enum hp_status st = HP_OK;
	unsigned of = 0;

	if (p->number > 1)
		st = hp_source_rewind(p->src, p->err);
	if (st != HP_OK)
		return st;
	p->number++;
	if (p->number <= p->r->sets.windows)
		of = p->r->sets.windows;
	if (o->pass)
		o->pass(o->ctx, p->number, of);
	return hp_references_locate_holders(p->r, job, doubles, p->src,
					    p->tables, p->into, p->err);
}

/*
 * --- fill the sets of ids, for one window (range of ids) after the other ----
 */

/*
 * Announce to the sets of ids that the ids in the static fields of a class will
 * be looked up at the end.
 */
static enum hp_status
announce_statics(struct passes *p, const struct hp_class *c)
{
	enum hp_status st = HP_OK;

	for (uint32_t k = 0; st == HP_OK && k < c->nstatics; k++)
		if (hp_type_is_reference(c->statics[k].type))
			st = hp_id_sets_query(&p->r->sets, c->statics[k].value,
					      p->err);
	return st;
}

/*
 * Announce to the sets of ids which ids will be looked up at the end: those in
 * class dumps, in static fields and in roots. So the results for these ids are
 * kept for all windows (ranges of ids).
 */
static enum hp_status
announce_queries(struct passes *p)
{
	const struct hp_classes *classes = &p->r->classes;
	const struct hp_vec *roots = &p->into->roots;
	const struct hp_root *list = roots->items;
	struct hp_id_sets *sets = &p->r->sets;
	enum hp_status st = HP_OK;

	for (size_t i = 0; st == HP_OK && i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];
		const uint64_t head[] = {c->id, c->loader, c->signers,
					 c->domain};

		for (size_t k = 0; st == HP_OK && k < HP_ARRAY_LEN(head); k++)
			st = hp_id_sets_query(sets, head[k], p->err);
		if (st == HP_OK)
			st = announce_statics(p, c);
	}
	for (size_t i = 0; st == HP_OK && i < classes->nduplicates; i++)
		st = announce_statics(p, classes->duplicates[i]);
	for (size_t i = 0; st == HP_OK && i < roots->count; i++)
		st = hp_id_sets_query(sets, list[i].id, p->err);
	return st;
}

/*
 * Add to the worker's set `referenced` the ids to which the static fields of a
 * class refer.
 */
static void
refer_statics(struct hp_id_worker *w, const struct hp_class *c)
{
	for (uint32_t k = 0; k < c->nstatics; k++)
		if (hp_type_is_reference(c->statics[k].type) &&
		    c->statics[k].value != 0)
			hp_id_refer(w, c->statics[k].value);
}

static enum hp_status
fill_window(struct passes *p, bool first)
{
	const struct hp_classes *c = &p->r->classes;
	struct hp_id_worker *w = &p->r->sets.worker[0];
	enum hp_status st;
	size_t i;

	for (i = 0; i < c->count; i++)
		refer_statics(w, c->list[i]);
	for (i = 0; i < c->nduplicates; i++)
		refer_statics(w, c->duplicates[i]);
	st = run_pass(p, HP_PASS_FILL, false);
	return st == HP_OK
		       ? hp_references_window_end(p->r, p->into, first, p->err)
		       : st;
}

static enum hp_status
all_windows(struct passes *p)
{
	enum hp_status st = announce_queries(p);

	if (st == HP_OK)
		st = hp_id_sets_next(&p->r->sets, p->err);
	if (st == HP_OK && p->r->sets.windows > WINDOWS_MOST)
		st = hp_fail(p->err, HP_LIMIT,
			     "checking the ids of dump %u within --memory "
			     "would need %u or more passes; allow more",
			     p->r->dump, p->r->sets.windows);
	while (st == HP_OK) {
		st = fill_window(p, true);
		if (st == HP_OK)
			st = hp_id_sets_next(&p->r->sets, p->err);
	}
	if (st != HP_EOF)
		return st;
	hp_references_statics(p->r, p->into);
	return HP_OK;
}

/*
 * --- find dangling references -----------------------------------------------
 */

/*
 * Run a further pass over the dump that finds dangling references. If there are
 * too many dangling ids for a map, run one such pass for each window (range of
 * ids).
 */
static enum hp_status
run_windows(struct passes *p, enum hp_pass_job job, bool doubles)
{
	struct hp_id_sets *sets = &p->r->sets;
	enum hp_status st;

	if (!hp_id_sets_partial(sets) || !sets->dangling_lost)
		return run_pass(p, job, doubles);
	st = hp_id_sets_next(sets, p->err);
	while (st == HP_OK) {
		st = fill_window(p, false);
		if (st == HP_OK)
			st = run_pass(p, job, doubles);
		doubles = false;
		if (st == HP_OK)
			st = hp_id_sets_next(sets, p->err);
	}
	return st == HP_EOF ? HP_OK : st;
}

/*
 * Mark the arrays to which the static fields of a class refer, if the findings
 * about the arrays are decided later.
 */
static void
mark_statics(struct hp_references *r, const struct hp_class *c)
{
	uint64_t *mark;

	for (uint32_t k = 0; k < c->nstatics; k++) {
		mark = hp_type_is_reference(c->statics[k].type)
			       ? hp_id_map_find(&r->holders,
						c->statics[k].value)
			       : NULL;
		if (mark)
			*mark = 1;
	}
}

static enum hp_status
find_holders(struct passes *p)
{
	struct hp_references *r = p->r;
	bool doubles = r->duplicates.count > 0 || r->twins.count > 0;
	enum hp_status st = run_windows(p, HP_PASS_FIND, doubles);
	size_t i;

	if (st != HP_OK || r->holders.count == 0)
		return st;
	for (i = 0; i < r->classes.count; i++)
		mark_statics(r, r->classes.list[i]);
	for (i = 0; i < r->classes.nduplicates; i++)
		mark_statics(r, r->classes.duplicates[i]);
	st = run_pass(p, HP_PASS_MARK, false);
	return st == HP_OK ? run_windows(p, HP_PASS_FINISH, false) : st;
}

enum hp_status
hp_references_further_passes(struct hp_references *r, struct hp_source *again,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err)
{
	struct passes p = {.r = r,
			   .src = again,
			   .tables = tables,
			   .into = into,
			   .err = err,
			   .number = 1};
	enum hp_status st = HP_OK;

	if (hp_id_sets_partial(&r->sets))
		st = all_windows(&p);
	if (st == HP_OK && (r->sets.dangling > 0 || r->duplicates.count > 0 ||
			    r->twins.count > 0))
		st = find_holders(&p);
	return st;
}
