/*
 * internal.h - functions that the parts of the description of single objects
 * (--object) share
 */
#ifndef HP_DIFF_OBJECTS_INTERNAL_H
#define HP_DIFF_OBJECTS_INTERNAL_H

#include "common/graph/class_edges.h"
#include "diff/objects/objects.h"

/**
 * hp_object_contents_read() - read the fields and elements of some objects
 *
 * @list: objects of the dump; the caller has set their ids
 *
 * Sets `length`, `fields_unknown` and the list of fields, but not the classes
 * and texts of the objects to which the fields refer.
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_object_contents_read(const struct hp_object_reader *r,
			struct hp_object_facts *list, size_t n,
			struct hp_error *err);

/**
 * hp_object_referrers_find() - find the references to an object
 *
 * @node: the number of the object in the graph
 * @f: receives root, referrers, nreferrers, all_referrers and instances
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status
hp_object_referrers_find(const struct hp_object_reader *r, uint32_t node,
			 struct hp_object_facts *f, struct hp_error *err);

/*
 * The names of the references from a class object that are not static fields,
 * for example the reference to its class loader.
 */
extern const char *const hp_object_edge_names[HP_CLASS_EDGES];

/* Returns the object id of the object with the number @node in the graph. */
uint64_t hp_object_id(const struct hp_object_reader *r, uint32_t node);

/*
 * Returns the class name of the object @node, copied to the arena; for the
 * class object of Shop, "class Shop". NULL if out of memory.
 */
const char *hp_object_class(const struct hp_object_reader *r, uint32_t node);

/* Copy a text into the arena. Returns NULL if out of memory. */
const char *hp_object_keep(const struct hp_object_reader *r,
			   const struct hp_buf *text);

#endif
