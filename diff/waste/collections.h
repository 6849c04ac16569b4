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
 * How the capacity of a collection that is not waste follows from its size (the
 * number of its elements). The capacity is the number of slots of its array.
 * More free slots than this are waste.
 */
enum hp_collection_policy {
	HP_COLLECTION_NOT,	 /* the class is not a known collection */
	HP_COLLECTION_HALF_MORE, /* the allowed capacity is 1.5 x size, or 10 */
	HP_COLLECTION_TWICE,	 /* the allowed capacity is 2 x size, or 10 */
	/*
	 * 2 x size / load factor, or 16; a field of the collection has the load
	 * factor
	 */
	HP_COLLECTION_HASH,
	/*
	 * 2 x size / 0.75, or 16; the size is the sum of a long field and of
	 * the values in an array of cells
	 */
	HP_COLLECTION_COUNTER,
	/*
	 * 2 x size, or 17; the array is a ring, and the size is the distance
	 * between two indexes in it
	 */
	HP_COLLECTION_DEQUE,
	/* 2 x size, because each entry has two slots (IdentityHashMap) */
	HP_COLLECTION_IDENTITY,
	HP_COLLECTION_EXACT, /* exactly as many slots as elements */
	/*
	 * 2 x size, because each entry is a pair of slots for the key and the
	 * value
	 */
	HP_COLLECTION_PAIRS,
	/*
	 * no slot is waste, because the user of the collection chooses its
	 * capacity
	 */
	HP_COLLECTION_FIXED,
	/* no slot is waste, because the array is as long as the list */
	HP_COLLECTION_LENGTH,
	HP_COLLECTION_NODES, /* the collection has no array, and so no slots */
	/*
	 * 2 x size / 0.75, or 16; the backing field refers to an array of inner
	 * collections (segments), whose sizes and slots are added up
	 */
	HP_COLLECTION_SEGMENTS,
	/* the collection wraps an inner collection, whose slots count */
	HP_COLLECTION_DELEGATE,
	/*
	 * no slot is waste, and the collection is also not waste if it is empty
	 */
	HP_COLLECTION_NONE,
};

/*
 * The description of one collection class: a line of the table, or of
 * --collections=FILE.
 */
struct hp_collection_line {
	const char *name;
	enum hp_collection_policy policy;
	const char *size, *backing, *views, *more;
};

/* Lines that a user adds to the table. A zeroed struct is empty. */
struct hp_collection_lines {
	struct hp_collection_line *list;
	size_t count, cap;
	/* memory with the texts of the lines; owned by this struct */
	char *text;
};

/**
 * hp_collection_lines_read() - read the file of --collections
 *
 * A line has the name of a class, a policy, the field with the size and the
 * field with the array, separated by spaces. A policy is the name of an enum
 * hp_collection_policy in lower case, with "-" for "_". "-" in place of a field
 * means that there is none. "#" begins a comment.
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_DAMAGED with the number of the line.
 * Ownership: call hp_collection_lines_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_collection_lines_read(struct hp_collection_lines *l, const char *path,
			 struct hp_error *err);
void hp_collection_lines_release(struct hp_collection_lines *l);

#endif
