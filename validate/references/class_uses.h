/*
 * class_uses.h - classes by their use for objects
 */
#ifndef HP_VALIDATE_REFERENCES_CLASS_USES_H
#define HP_VALIDATE_REFERENCES_CLASS_USES_H

#include "validate/references/references_state.h"

/* A class, by its use for objects. */
struct hp_class_use {
	uint64_t class_id;
	/* for the hot loop, as the dump spells them: the class, and the bytes
	 * of data of an ordinary instance; UINT32_MAX, which no batch holds, if
	 * each has to be looked at */
	uint64_t raw_class;
	uint32_t raw_size;
	const uint32_t *ref_at; /* of class, like the next */
	uint32_t nrefs;
	const struct hp_class *class; /* NULL: no class dump */
	struct hp_first_seen instances, arrays;
	bool known;	      /* it is one of a class */
	bool keep_ids;	      /* of java.lang.Class or a thread */
	bool is_object_array; /* java.lang.Object[] */
};

/* No class was used; for an id size of 4 or 8. */
void hp_reference_uses_init(struct hp_reference_worker *w, unsigned id_size);
/* hp_reference_class_use() of a class that is not in its slot. */
struct hp_class_use *hp_reference_use_far(struct hp_reference_worker *w,
					  uint64_t id, struct hp_worker *out);

/* Where a worker looks for the use of a class first. */
static inline struct hp_class_use **
hp_reference_use_slot(struct hp_reference_worker *w, uint64_t id)
{
	return &w->near[(id >> 3) & (HP_USE_NEAR - 1)];
}

/*
 * The use of a class by this worker; NULL without memory, and if @out, which is
 * asked for it unless that is NULL, is refused.
 */
static inline struct hp_class_use *
hp_reference_class_use(struct hp_reference_worker *w, uint64_t id,
		       struct hp_worker *out)
{
	struct hp_class_use *use = *hp_reference_use_slot(w, id);

	return HP_LIKELY(use->known && use->class_id == id)
		       ? use
		       : hp_reference_use_far(w, id, out);
}

/* The layout of a class in use, looked up once it may be used; or NULL. */
const struct hp_class *hp_reference_resolve_use(struct hp_references *r,
						struct hp_reference_worker *w,
						struct hp_class_use *use);

/* Classes by their use, in no particular order: NULL at the end of @at. */
const struct hp_class_use *
hp_references_class_uses(const struct hp_references *r, size_t *at);

#endif
