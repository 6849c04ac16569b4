/*
 * known_classes.h - find java.lang.Class and java.lang.Thread by name
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

/* Whether this is the name of java.lang.Class. */
static inline bool
hp_reference_is_class_class(const struct hp_string *name)
{
	return hp_string_is(name, "java/lang/Class", "java.lang.Class");
}

/*
 * Find these classes among the LOAD CLASS records so far. Each record is
 * examined once, even if the file has many dumps.
 */
void hp_reference_find_classes(struct hp_references *r,
			       const struct hp_tables *t);
/* The CLASS DUMP of java.lang.Class; NULL if there is none. */
const struct hp_class *hp_reference_class_class(const struct hp_references *r);

#endif
