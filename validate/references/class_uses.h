/*
 * class_uses.h - the classes that objects refer to, with their layout and
 * counts
 *
 * Each worker has a hash map of them, and in front of it a direct-mapped cache
 * for the hot loop.
 */
#ifndef HP_VALIDATE_REFERENCES_CLASS_USES_H
#define HP_VALIDATE_REFERENCES_CLASS_USES_H

#include "validate/references/references_state.h"

/* A class that objects refer to. */
struct hp_class_use {
	uint64_t class_id;
	/*
	 * For the hot loop, in the byte order of the dump: the class id, and
	 * the length of an ordinary instance. UINT32_MAX, which no instance in
	 * a batch has, means that each instance needs the slow path.
	 */
	uint64_t raw_class;
	uint32_t raw_size;
	const uint32_t *ref_at; /* offsets of the references; owned by class */
	uint32_t nrefs;
	/* layout; NULL: the class has no CLASS DUMP, or it is not usable yet */
	const struct hp_class *class;
	struct hp_first_seen instances, arrays;
	/* false only in the dummy entry of hp_reference_uses_init() */
	bool known;
	/* keep instances by id: java.lang.Class or a thread class */
	bool keep_ids;
	bool is_object_array; /* java.lang.Object[] */
};

/* Empty the cache of a worker. @id_size is 4 or 8. */
void hp_reference_uses_init(struct hp_reference_worker *w, unsigned id_size);
/* The slow case of hp_reference_class_use(): the class is not in the cache. */
struct hp_class_use *hp_reference_use_far(struct hp_reference_worker *w,
					  uint64_t id, struct hp_worker *out);

/* The cache slot in which a worker looks for a class first. */
static inline struct hp_class_use **
hp_reference_use_slot(struct hp_reference_worker *w, uint64_t id)
{
	return &w->near[(id >> 3) & (HP_USE_NEAR - 1)];
}

/*
 * Get this worker's entry for a class, and create it if needed. Returns NULL if
 * out of memory, or if the memory limit of @out does not allow a new entry.
 * With NULL as @out there is no limit.
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

/*
 * Look up the layout of a class, if it is usable by now, and store it in @use.
 * Returns the class, or NULL.
 */
const struct hp_class *hp_reference_resolve_use(struct hp_references *r,
						struct hp_reference_worker *w,
						struct hp_class_use *use);

/*
 * Iterate over all classes in no particular order. @at begins with 0. Returns
 * NULL at the end.
 */
const struct hp_class_use *
hp_references_class_uses(const struct hp_references *r, size_t *at);

#endif
