/*
 * class_object_conflicts.h - ids that both a class and another object have
 */
#ifndef HP_VALIDATE_REFERENCES_CLASS_OBJECT_CONFLICTS_H
#define HP_VALIDATE_REFERENCES_CLASS_OBJECT_CONFLICTS_H

#include "validate/references/references_state.h"

/*
 * Keep an object by its id. If an id is dumped several times, the result is
 * independent of the order: an object that is not a java.lang.Class wins, then
 * the one with the smaller offset. Returns false if out of memory.
 */
HP_MUST_USE bool hp_reference_keep(const struct hp_references *r,
				   struct hp_reference_worker *w, uint64_t id,
				   struct hp_kept_object *kept);

/**
 * hp_class_object_conflicts_note() - note that a class and an object have the
 * same id
 * @kept: the object; NULL if its place must still be found
 *
 * Returns: false if out of memory.
 */
HP_MUST_USE bool hp_class_object_conflicts_note(
	struct hp_references *r, const struct hp_class *c,
	const struct hp_kept_object *kept, struct hp_worker *out);

/*
 * Report the objects in @l, whose ids were noted. If l->lost is set, the places
 * of the objects are not known, and the findings are at the classes. Sorts the
 * list.
 */
void hp_class_object_conflicts_report(const struct hp_references *r,
				      const struct hp_tables *tables,
				      struct hp_duplicates *l,
				      struct hp_worker *out);

#endif
