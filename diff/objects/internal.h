/*
 * internal.h - the parts of the description of objects
 */
#ifndef HP_DIFF_OBJECTS_INTERNAL_H
#define HP_DIFF_OBJECTS_INTERNAL_H

#include "common/graph/class_edges.h"
#include "diff/objects/objects.h"

/**
 * hp_object_contents_read() - read the fields and elements of objects
 * @list: objects of the dump, with their ids
 *
 * Sets length, fields_unknown, and the fields without the classes and texts of
 * the objects that they refer to.
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_object_contents_read(const struct hp_object_reader *r,
			struct hp_object_facts *list, size_t n,
			struct hp_error *err);

/**
 * hp_object_referrers_find() - find what refers to an object
 * @node: of the object
 * @f: receives root, referrers, nreferrers, all_referrers and instances
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status
hp_object_referrers_find(const struct hp_object_reader *r, uint32_t node,
			 struct hp_object_facts *f, struct hp_error *err);

/* The names of the references of a class object that are no static fields. */
extern const char *const hp_object_edge_names[HP_CLASS_EDGES];

/* Returns the id of a node. */
uint64_t hp_object_id(const struct hp_object_reader *r, uint32_t node);

/*
 * Returns the class of a node, copied to the arena; "class Shop" for the class
 * object of Shop. Returns NULL if out of memory.
 */
const char *hp_object_class(const struct hp_object_reader *r, uint32_t node);

/* Copy a text into the arena. Returns NULL if out of memory. */
const char *hp_object_keep(const struct hp_object_reader *r,
			   const struct hp_buf *text);

#endif
