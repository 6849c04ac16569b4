/*
 * objects.h - describe single objects of a dump (--object)
 */
#ifndef HP_DIFF_OBJECTS_OBJECTS_H
#define HP_DIFF_OBJECTS_OBJECTS_H

#include "common/base/arena.h"
#include "diff/keys/keys.h"
#include "diff/objects/object_facts.h"
#include "diff/retained/retained.h"

/* The dump that has the objects, and where texts go. */
struct hp_object_reader {
	/* the dominator tree and graph, with the lists of references */
	struct hp_retained *t;
	struct hp_keys *keys;
	struct hp_source *src;	/* rewound and read again */
	struct hp_arena *arena; /* receives all texts and lists */
	size_t most;		/* maximum number of fields of an object */
	/* whether to read the texts of Strings also (--show-values) */
	bool values;
};

/**
 * hp_objects_describe() - read the fields of some objects
 * @list: the ids are set, the rest is zeroed; ids must be in the dump
 *
 * Sets everything but the members for --object. Reads the dump once, and with
 * values up to two times more for the texts of Strings.
 * Memory: a few KB an object
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_objects_describe(const struct hp_object_reader *r,
					       struct hp_object_facts *list,
					       size_t n, struct hp_error *err);

/**
 * hp_object_describe_fully() - describe the object of --object
 * @id: of the object
 * @out: receives the description; NULL: the dump has no such object
 *
 * Also finds what refers to the object, its dominator and its path. Takes a
 * step for each reference of the dump.
 * Returns: as hp_objects_describe().
 */
HP_MUST_USE enum hp_status
hp_object_describe_fully(const struct hp_object_reader *r, uint64_t id,
			 struct hp_object_facts **out, struct hp_error *err);

#endif
