/*
 * path_fields.h - numbers of reference fields
 *
 * A field is numbered where it is declared, so that all classes below share its
 * number: paths tell it by its class's name and its own.
 */
#ifndef HP_DIFF_PATHS_PATH_FIELDS_H
#define HP_DIFF_PATHS_PATH_FIELDS_H

#include "common/model/classes.h"

enum { HP_PATH_FIELDS_MOST = 1 << 29 }; /* numbers are below */

/* A reference field where it is declared. */
struct hp_path_field {
	uint64_t name;	      /* id of a string */
	uint32_t class_index; /* in hp_classes.list */
};

/* Of a class: its own reference fields, and where to go on. */
struct hp_path_class {
	uint32_t first, count; /* of its own, in the list of fields */
	uint32_t above;	       /* the next class above that has some; itself:
				  there is none */
};

struct hp_path_fields {
	struct hp_path_field *list;    /* from 1 */
	uint32_t count;		       /* with 0 */
	struct hp_path_class *classes; /* by class index */
};

/**
 * hp_path_fields_number() - number the reference fields of all classes
 * @f: zeroed
 *
 * Returns: HP_OK; HP_LIMIT: there are HP_PATH_FIELDS_MOST; HP_NOMEM.
 * Ownership: hp_path_fields_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_path_fields_number(struct hp_path_fields *f,
		      const struct hp_classes *classes, struct hp_error *err);
void hp_path_fields_release(struct hp_path_fields *f);

/* Goes up through the fields of an instance, in the order of its data. */
struct hp_path_field_at {
	const struct hp_path_class *of;
	uint32_t before; /* references that are in front of the class's own */
};

/*
 * The number of the reference with @index among those of an instance; @at
 * begins with the instance's class, and indexes rise. 0: there is none.
 */
static inline uint32_t
hp_path_field_number(const struct hp_path_fields *f,
		     struct hp_path_field_at *at, uint32_t index)
{
	const struct hp_path_class *above;

	while (index - at->before >= at->of->count) {
		above = &f->classes[at->of->above];
		if (above == at->of)
			return 0;
		at->before += at->of->count;
		at->of = above;
	}
	return at->of->first + (index - at->before);
}

#endif
