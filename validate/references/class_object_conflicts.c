/*
 * class_object_conflicts.c - find ids that both a class and another object have
 *
 * The offsets of instances of java.lang.Class and of thread classes are known
 * when the dump ends. The pass that looks for duplicate ids (locate_holders.c)
 * finds the offsets of all other objects.
 */
#include "validate/references/internal.h"

#include <stdlib.h>

static bool
goes_before(const struct hp_references *r, const struct hp_kept_object *a,
	    const struct hp_kept_object *b)
{
	bool class_a = hp_known_class(&r->class_classes, a->class_id);
	bool class_b = hp_known_class(&r->class_classes, b->class_id);

	return class_a != class_b ? class_b : a->offset < b->offset;
}

bool
hp_reference_keep(const struct hp_references *r, struct hp_reference_worker *w,
		  uint64_t id, struct hp_kept_object *kept)
{
	uint64_t *place = hp_id_map_put(&w->kept, id, NULL);
	const struct hp_kept_object *there;

	if (!place)
		return false;
	there = (const struct hp_kept_object *)(uintptr_t)*place;
	if (!there || goes_before(r, kept, there))
		*place = (uintptr_t)kept;
	return true;
}

/*
 * An object has the same id as a class. These constants say which fact about
 * the object is known: its class, only the tag of its sub-record, or nothing.
 * The constant selects a text in the message of the rule.
 */
enum { TWIN_OF_CLASS, TWIN_OF_KIND, TWIN_UNKNOWN };

/*
 * Report that a class and another object have the same id. The finding has the
 * offset of the one that comes later in the file.
 */
static void
report_conflict(const struct hp_references *r, const struct hp_class *c,
		const struct hp_kept_object *object, unsigned what,
		bool legitimate, struct hp_worker *out)
{
	struct hp_finding f = hp_reference_finding(r, HP_RULE_CLASS_IS_INSTANCE,
						   c->offset, c->record, 0);

	if (object && object->offset > c->offset) {
		f.offset = object->offset;
		f.record = object->record;
	}
	f.args[0] = f.holder = c->id;
	f.args[1] = object ? object->class_id : 0;
	f.args[2] = what;
	f.place = HP_PLACE_NAME;
	f.index = HP_WORD_ID;
	if (!legitimate)
		f.severity = HP_SEVERITY_ERROR;
	hp_findings_add(&out->findings, &f);
}

bool
hp_class_object_conflicts_note(struct hp_references *r,
			       const struct hp_class *c,
			       const struct hp_kept_object *kept,
			       struct hp_worker *out)
{
	if (!kept)
		return hp_id_map_put(&r->twins, c->id, NULL) != NULL;
	report_conflict(r, c, kept, TWIN_OF_CLASS,
			hp_known_class(&r->class_classes, kept->class_id), out);
	return true;
}

/*
 * Whether the pass may have failed to recognise instances of java.lang.Class,
 * because the STRING with this name came after the beginning of the dump. In
 * this case, a class without a name may be java.lang.Class.
 */
static bool
has_late_class_objects(const struct hp_references *r,
		       const struct hp_tables *tables)
{
	const struct hp_class_use *use;
	const struct hp_string *name;
	size_t at = 0;

	if (r->class_classes.count > 0)
		return false;
	while ((use = hp_references_class_uses(r, &at))) {
		name = hp_tables_class_name(tables, use->class_id);
		if ((!name || hp_reference_is_class_class(name)) &&
		    use->class && use->instances.count > 0)
			return true;
	}
	return false;
}

void
hp_class_object_conflicts_report(const struct hp_references *r,
				 const struct hp_tables *tables,
				 struct hp_duplicates *l, struct hp_worker *out)
{
	/*
	 * If an object has the id of a class, it may be the java.lang.Class
	 * object of this class that was not recognised. Then the equal ids are
	 * no error.
	 */
	const bool may_be =
		(l->lost || l->count > 0) && has_late_class_objects(r, tables);
	const struct hp_class *c;
	struct hp_kept_object object;
	uint64_t id, value;
	size_t at, i;

	for (at = 0; l->lost && hp_id_map_next(&r->twins, &at, &id, &value);) {
		c = hp_classes_get(&r->classes, id);
		if (c)
			report_conflict(r, c, NULL, TWIN_UNKNOWN, may_be, out);
	}
	if (l->count > 0)
		qsort(l->items, l->count, sizeof(*l->items),
		      hp_duplicate_compare);
	for (i = 0; i < l->count; i++) {
		c = hp_classes_get(&r->classes, l->items[i].id);
		if (!c || (i > 0 && l->items[i].id == l->items[i - 1].id))
			continue;
		object = (struct hp_kept_object){l->items[i].record_tag & 0xFF,
						 l->items[i].offset,
						 l->items[i].record_tag >> 8};
		report_conflict(
			r, c, &object, TWIN_OF_KIND,
			may_be && object.class_id == HP_SUB_INSTANCE_DUMP, out);
	}
}
