/*
 * path_fields.h - number the reference fields of all classes
 *
 * A field gets its number in the class that declares it, and all subclasses
 * share the number. So a path shows the name of the declaring class's field,
 * whatever the class of the object.
 */
#ifndef HP_DIFF_PATHS_PATH_FIELDS_H
#define HP_DIFF_PATHS_PATH_FIELDS_H

#include "common/model/classes.h"

/* upper bound of the numbers, exclusive */
enum { HP_PATH_FIELDS_MOST = 1 << 29 };

/* A reference field and the class that declares it. */
struct hp_path_field {
	uint64_t name;	      /* string id of its name */
	uint32_t class_index; /* index in hp_classes.list */
};

/*
 * The reference fields that one class declares, and the next superclass with
 * fields.
 */
struct hp_path_class {
	/* its own fields, as a range of hp_path_fields.list */
	uint32_t first, count;
	/*
	 * class index of the nearest superclass that declares reference fields;
	 * its own index: none
	 */
	uint32_t above;
};

struct hp_path_fields {
	struct hp_path_field *list; /* numbers start at 1 */
	uint32_t count; /* number of entries with the unused entry 0 */
	struct hp_path_class *classes; /* indexed by class index */
};

/**
 * hp_path_fields_number() - number the reference fields of all classes
 * @f: zeroed
 *
 * Returns: HP_OK; HP_LIMIT if there are HP_PATH_FIELDS_MOST or more fields;
 *          HP_NOMEM.
 * Ownership: call hp_path_fields_release() after a failure also.
 */
HP_MUST_USE enum hp_status
hp_path_fields_number(struct hp_path_fields *f,
		      const struct hp_classes *classes, struct hp_error *err);
void hp_path_fields_release(struct hp_path_fields *f);

/*
 * A cursor over the reference fields of an instance, in the order of its data:
 * the fields of its own class first, then those of each superclass.
 */
struct hp_path_field_at {
	const struct hp_path_class *of;
	/* number of references before those of the current class */
	uint32_t before;
};

/*
 * The number of the reference field at @index, counted over all reference
 * fields of an instance. Initialize @at with the class of the instance, then
 * pass increasing indexes. Returns 0 if there is no such field.
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
