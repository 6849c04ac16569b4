/*
 * class_object_conflicts.h - ids that are those of a class and of an object
 */
#ifndef HP_VALIDATE_REFERENCES_CLASS_OBJECT_CONFLICTS_H
#define HP_VALIDATE_REFERENCES_CLASS_OBJECT_CONFLICTS_H

#include "validate/references/references_state.h"

/*
 * Keep an object by its id. Of one that is dumped several times that stays
 * which is no java.lang.Class, then the first one, whoever meets them in which
 * order. Returns false without memory.
 */
HP_MUST_USE bool hp_reference_keep(const struct hp_references *r,
				   struct hp_reference_worker *w, uint64_t id,
				   struct hp_kept_object *kept);

/**
 * hp_class_object_conflicts_note() - an id is that of a class and of an object
 * @kept: the object, NULL: its place is to be found
 *
 * Returns: false without memory.
 */
HP_MUST_USE bool hp_class_object_conflicts_note(
	struct hp_references *r, const struct hp_class *c,
	const struct hp_kept_object *kept, struct hp_worker *out);

/* The objects of @l, which have the ids noted; lost: their places are not
 * known. Sorts the list. */
void hp_class_object_conflicts_report(const struct hp_references *r,
				      const struct hp_tables *tables,
				      struct hp_duplicates *l,
				      struct hp_worker *out);

#endif
