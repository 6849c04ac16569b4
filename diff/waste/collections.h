/*
 * collections.h - the table of collection classes, and the lines that a user
 * adds to it
 *
 * The table is in collections.def; --collections=FILE adds lines to it.
 */
#ifndef HP_DIFF_WASTE_COLLECTIONS_H
#define HP_DIFF_WASTE_COLLECTIONS_H

#include "common/base/status.h"

#include <stddef.h>

/*
 * The policy of a collection: how many slots of its array are not waste. This
 * number, the allowed capacity, depends on the size (the number of elements).
 * Free slots beyond the allowed capacity are waste.
 */
enum hp_collection_policy {
	HP_COLLECTION_NOT, /* the class is not a known collection */
	/* the allowed capacity is 1.5 x size, but at least 10 */
	HP_COLLECTION_HALF_MORE,
	/* the allowed capacity is 2 x size, but at least 10 */
	HP_COLLECTION_TWICE,
	/*
	 * the allowed capacity is 2 x size / load factor, but at least 16; the
	 * load factor is in a field of the collection
	 */
	HP_COLLECTION_HASH,
	/*
	 * the allowed capacity is 2 x size / 0.75, but at least 16; the size is
	 * a sum (for ConcurrentHashMap: the field baseCount plus the values of
	 * the CounterCell objects)
	 */
	HP_COLLECTION_COUNTER,
	/*
	 * the allowed capacity is 2 x size, but at least 17; the array is a
	 * ring, and the size is the distance between two indexes in it
	 */
	HP_COLLECTION_DEQUE,
	/*
	 * the allowed capacity is 2 x size, because each entry has two slots
	 * (IdentityHashMap)
	 */
	HP_COLLECTION_IDENTITY,
	HP_COLLECTION_EXACT, /* the allowed capacity equals the size */
	/*
	 * the allowed capacity is 2 x size, because each entry has a slot for
	 * the key and a slot for the value
	 */
	HP_COLLECTION_PAIRS,
	/*
	 * no slot is waste, because the user of the collection chooses its
	 * capacity
	 */
	HP_COLLECTION_FIXED,
	/* no slot is waste, because the array has no free slots */
	HP_COLLECTION_LENGTH,
	HP_COLLECTION_NODES, /* the collection has no array, and so no slots */
	/*
	 * the allowed capacity is 2 x size / 0.75, but at least 16; the
	 * collection has an array of inner collections (segments), whose sizes
	 * and slots are added up
	 */
	HP_COLLECTION_SEGMENTS,
	/*
	 * the collection wraps an inner collection; the free slots of the inner
	 * collection count as its waste
	 */
	HP_COLLECTION_DELEGATE,
	/*
	 * the collection is never waste: neither free slots nor an empty
	 * collection count
	 */
	HP_COLLECTION_NONE,
};

/* A collection class: a line of collections.def or of --collections=FILE. */
struct hp_collection_line {
	const char *name;
	enum hp_collection_policy policy;
	const char *size, *backing, *views, *more;
};

/* The lines of --collections=FILE. A zeroed struct is empty. */
struct hp_collection_lines {
	struct hp_collection_line *list;
	size_t count, cap;
	/* the memory that contains the texts of `list`; owned by this struct */
	char *text;
};

/**
 * hp_collection_lines_read() - read the file of --collections
 *
 * A line has the name of a class, a policy, the field with the size and the
 * field with the array, separated by spaces. A policy is the name of an enum
 * hp_collection_policy in lower case, with "-" for "_". A field that the
 * collection does not have is written as "-". "#" begins a comment.
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_DAMAGED if a line is wrong, with its
 * number in @err.
 * Ownership: call hp_collection_lines_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_collection_lines_read(struct hp_collection_lines *l, const char *path,
			 struct hp_error *err);
void hp_collection_lines_release(struct hp_collection_lines *l);

#endif
