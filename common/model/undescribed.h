/*
 * undescribed.h - objects with fields that no class dump describes
 *
 * What such a field refers to is not known, so that whoever follows references
 * has to tell how many objects have them.
 */
#ifndef HP_MODEL_UNDESCRIBED_H
#define HP_MODEL_UNDESCRIBED_H

#include "common/model/classes.h"

/* More classes are not told apart, so that crafted ids take little memory. */
enum { HP_UNDESCRIBED_CLASSES = 1 << 16 };

struct hp_undescribed {
	uint64_t objects, classes;
};

/* How a pass counts them; zeroed at first. Each worker has one of its own. */
struct hp_undescribed_tally {
	uint64_t objects;
	struct hp_id_map classes; /* by id; the values say nothing */
};

/*
 * Have instances of class @c some fields that it does not describe? Their data
 * have @bytes. @c: as hp_classes_layout() and hp_classes_get() have it, NULL:
 * there is none.
 */
static inline bool
hp_class_leaves_undescribed(const struct hp_class *c, uint64_t bytes)
{
	return bytes > 0 &&
	       (!c || c->chain != HP_CHAIN_FINE || c->nrefs != c->references);
}

/* So many objects of a class have. False: out of memory. */
HP_MUST_USE bool hp_undescribed_add(struct hp_undescribed_tally *t,
				    uint64_t class_id, uint64_t objects);

/* An instance whose layout is not known, if it has any field. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_undescribed_instance(struct hp_undescribed_tally *t, const struct hp_sub *s,
			struct hp_error *err);

/*
 * What all workers have met: the same, whichever met what.
 * @first: that of the first of @n workers, which lie @stride bytes apart
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_undescribed_all(const struct hp_undescribed_tally *first, size_t stride,
		   unsigned n, struct hp_undescribed *out,
		   struct hp_error *err);

void hp_undescribed_release(struct hp_undescribed_tally *t);

#endif
