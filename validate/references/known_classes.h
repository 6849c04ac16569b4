/*
 * known_classes.h - java.lang.Class and java.lang.Thread, known by their names
 */
#ifndef HP_VALIDATE_REFERENCES_KNOWN_CLASSES_H
#define HP_VALIDATE_REFERENCES_KNOWN_CLASSES_H

#include "validate/references/references_state.h"

static inline bool
hp_known_class(const struct hp_known_classes *k, uint64_t id)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->ids[i] == id)
			return true;
	return false;
}

/* Is it java.lang.Class's name? */
static inline bool
hp_reference_is_class_class(const struct hp_string *name)
{
	return hp_string_is(name, "java/lang/Class", "java.lang.Class");
}

/*
 * Classes known by their names: as far as loaded by now. A load is looked at
 * once, however many dumps there are.
 */
void hp_reference_find_classes(struct hp_references *r,
			       const struct hp_tables *t);
/* The CLASS DUMP of java.lang.Class; NULL: none. */
const struct hp_class *hp_reference_class_class(const struct hp_references *r);

#endif
