/*
 * objects.h - describe single objects of a dump (--object)
 */
#ifndef HP_DIFF_OBJECTS_OBJECTS_H
#define HP_DIFF_OBJECTS_OBJECTS_H

#include "common/base/arena.h"
#include "diff/keys/keys.h"
#include "diff/objects/object_facts.h"
#include "diff/retained/retained.h"

/* A dump whose objects are described, and the memory for the descriptions. */
struct hp_object_reader {
	/*
	 * the dominator tree and the object graph of the dump, with its
	 * references
	 */
	struct hp_retained *t;
	struct hp_keys *keys;
	/* the dump, which is read again from its beginning */
	struct hp_source *src;
	/*
	 * the memory in which all texts and lists of the descriptions are
	 * stored
	 */
	struct hp_arena *arena;
	/* maximum number of fields or elements that are read for each object */
	size_t most;
	/* also read the texts of Strings (--show-values) */
	bool values;
};

/**
 * hp_objects_describe() - describe some objects: their class, size and fields
 *
 * @list: the caller sets the id of each object and zeroes the other members;
 *   each id must be in the dump
 *
 * Sets all members except those for --object. Reads the dump once. If r->values
 * is true, reads the dump up to two times more, for the texts of Strings.
 *
 * Memory: a few KB for each object
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_objects_describe(const struct hp_object_reader *r,
					       struct hp_object_facts *list,
					       size_t n, struct hp_error *err);

/*
 * Set the labels of those objects of the list whose place in the dominator tree
 * is known. Returns HP_OK, or the failures of hp_object_labels_find().
 */
HP_MUST_USE enum hp_status hp_objects_label(const struct hp_object_reader *r,
					    struct hp_object_facts *list,
					    size_t n, struct hp_error *err);

/**
 * hp_object_describe_fully() - describe the object of --object
 *
 * @id: the id of the object
 * @out: receives the description; NULL: the dump has no such object
 *
 * Also finds the references to the object, its dominator and its path from the
 * roots.
 *
 * Time: proportional to the number of references in the dump
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_object_describe_fully(const struct hp_object_reader *r, uint64_t id,
			 struct hp_object_facts **out, struct hp_error *err);

#endif
