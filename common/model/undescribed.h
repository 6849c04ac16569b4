/*
 * undescribed.h - count objects with fields that are not described in the dump,
 * because a class is missing
 *
 * The references in such fields are unknown. Programs that follow references
 * therefore report how many objects have such fields.
 */
#ifndef HP_MODEL_UNDESCRIBED_H
#define HP_MODEL_UNDESCRIBED_H

#include "common/model/classes.h"

/*
 * The maximum number of classes that are counted. The limit keeps a crafted
 * dump from making the program use much memory.
 */
enum { HP_UNDESCRIBED_CLASSES = 1 << 16 };

struct hp_undescribed {
	uint64_t objects, classes;
};

/*
 * The counters of one thread: objects with undescribed fields, and their
 * classes. Zero-initialise them.
 */
struct hp_undescribed_tally {
	uint64_t objects;
	/*
	 * the ids of the classes of these objects, as the keys of a map whose
	 * values are not used
	 */
	struct hp_id_map classes;
};

/*
 * Whether an instance of @c with @bytes bytes of data has fields that the dump
 * does not describe. @c: the result of hp_classes_layout() or hp_classes_get();
 * NULL: the class is not in the dump.
 */
static inline bool
hp_class_leaves_undescribed(const struct hp_class *c, uint64_t bytes)
{
	return bytes > 0 &&
	       (!c || c->chain != HP_CHAIN_FINE || c->nrefs != c->references);
}

/*
 * Count @objects objects of the class @class_id that have undescribed fields.
 * Returns false if out of memory.
 */
HP_MUST_USE bool hp_undescribed_add(struct hp_undescribed_tally *t,
				    uint64_t class_id, uint64_t objects);

/*
 * Count the instance @s, whose class has no known layout. An instance without
 * fields is not counted. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_undescribed_instance(struct hp_undescribed_tally *t, const struct hp_sub *s,
			struct hp_error *err);

/*
 * Add up the counters of all workers. The result does not depend on the
 * distribution of the work among the workers.
 * @first: the counters of the first of @n workers; the counters of each further
 *         worker are @stride bytes after those of the previous one
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_undescribed_all(const struct hp_undescribed_tally *first, size_t stride,
		   unsigned n, struct hp_undescribed *out,
		   struct hp_error *err);

void hp_undescribed_release(struct hp_undescribed_tally *t);

#endif
