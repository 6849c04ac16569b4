/*
 * reference_rows.c - make the rows of the --by keys that need references
 * between objects but no object graph: holder, root and waste
 */
#include "diff/internal.h"

#include "common/base/memory.h"
#include "diff/findings/findings.h"
#include "diff/holders/holders.h"
#include "diff/waste/waste.h"

/*
 * Add the rows of --by=waste. Print which kinds of waste cannot be found in
 * this dump.
 */
static enum hp_status
add_waste_rows(const struct hp_column *c, struct hp_source *src,
	       struct hp_retained *graph, const struct hp_messages *m,
	       const char *path, struct hp_error *err)
{
	struct hp_waste_notes notes;
	enum hp_status st = hp_waste_rows_add(c, src, graph, &notes, err);

	if (st == HP_OK)
		hp_note_waste(m, path, &notes);
	return st;
}

enum hp_status
hp_reference_rows_add(const struct hp_column *c, struct hp_source *src,
		      struct hp_retained *graph, struct hp_resolve_notes *notes,
		      const struct hp_messages *m, const char *path,
		      struct hp_error *err)
{
	struct hp_rows objects;
	struct hp_column counted = *c;
	enum hp_status st;

	hp_rows_init(&objects, 1);
	counted.rows = &objects;
	counted.index = 0;
	st = hp_resolve(&counted, NULL, NULL, notes, err);
	hp_rows_release(&objects);
	if (st != HP_OK || !c->g->have_classes)
		return st;
	return hp_key_is(c->o->by, HP_KEY_WASTE)
		       ? add_waste_rows(c, src, graph, m, path, err)
		       : hp_holders_add(c, src, err);
}

enum hp_status
hp_waste_find(struct hp_result *r, const struct hp_column *c,
	      struct hp_source *src, bool findings, struct hp_error *err)
{
	struct hp_column of_waste = *c;
	struct hp_waste_notes notes;
	struct hp_error failure = {0};
	enum hp_status st;

	if (!c->g->have_classes)
		return HP_OK;
	of_waste.rows = &r->waste;
	of_waste.index = 0;
	st = hp_waste_rows_add(&of_waste, src, NULL, &notes, &failure);
	/*
	 * if the contents of arrays were removed from the dump, it is not known
	 * which arrays were waste
	 */
	if (st == HP_OK && findings && !notes.no_data && !notes.no_texts)
		return hp_findings_waste(&r->waste, 0, c->info, r, err);
	if (st == HP_OK)
		return HP_OK;
	hp_rows_release(&r->waste);
	hp_rows_init(&r->waste, 1);
	/*
	 * if the rows of --by=waste do not fit in --memory, the report has no
	 * section about waste, and one of its first lines says why
	 */
	if (st != HP_LIMIT)
		return hp_fail_as(err, &failure);
	hp_memory_forget_refusal();
	r->waste_refused = findings;
	return HP_OK;
}
