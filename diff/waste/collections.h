/*
 * collections.h - the table of collections, and the lines that a user adds
 *
 * The table is in collections.def; --collections=FILE adds lines to it.
 */
#ifndef HP_DIFF_WASTE_COLLECTIONS_H
#define HP_DIFF_WASTE_COLLECTIONS_H

#include "common/base/status.h"

#include <stddef.h>

/* How many slots of the array of a collection are not waste, given its size. */
enum hp_collection_policy {
	HP_COLLECTION_NOT,	 /* the class is no known collection */
	HP_COLLECTION_HALF_MORE, /* 1.5 x size, or 10 */
	HP_COLLECTION_TWICE,	 /* 2 x size, or 10 */
	/* 2 x size / load factor, or 16; the load factor is a field */
	HP_COLLECTION_HASH,
	/*
	 * as HASH with 0.75; the size is a long field plus the values of the
	 * elements of an array of cells
	 */
	HP_COLLECTION_COUNTER,
	/*
	 * 2 x size, or 17; the size is the distance between two indexes of the
	 * ring
	 */
	HP_COLLECTION_DEQUE,
	HP_COLLECTION_IDENTITY, /* 2 x size, because each entry has two slots */
	HP_COLLECTION_EXACT,	/* exactly size */
	HP_COLLECTION_PAIRS,	/* 2 x size, because each entry has two slots */
	/* all slots, because the user chooses the capacity */
	HP_COLLECTION_FIXED,
	/* all slots, because the array is as long as the list */
	HP_COLLECTION_LENGTH,
	HP_COLLECTION_NODES, /* the collection has no array, and so no slots */
	/*
	 * as COUNTER, but the backing field is an array of inner collections,
	 * whose sizes and slots are added up
	 */
	HP_COLLECTION_SEGMENTS,
	HP_COLLECTION_DELEGATE, /* the slots of the inner collection */
	/* all slots; also, the collection is not counted if it is empty */
	HP_COLLECTION_NONE,
};

/* A line of the table, or of --collections=FILE. */
struct hp_collection_line {
	const char *name;
	enum hp_collection_policy policy;
	const char *size, *backing, *views, *more;
};

/* Lines that a user adds to the table. A zeroed struct is empty. */
struct hp_collection_lines {
	struct hp_collection_line *list;
	size_t count, cap;
	char *text; /* the texts of the lines; owned */
};

/**
 * hp_collection_lines_read() - read the file of --collections
 *
 * A line has the name of a class, a policy, and the fields with the size and
 * with the array, separated by spaces. A policy is the name of an enum
 * hp_collection_policy in lower case, with "-" for "_". "-" as a field stands
 * for none. "#" begins a comment.
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_DAMAGED with the number of the line.
 * Ownership: call hp_collection_lines_release() in any case.
 */
HP_MUST_USE enum hp_status
hp_collection_lines_read(struct hp_collection_lines *l, const char *path,
			 struct hp_error *err);
void hp_collection_lines_release(struct hp_collection_lines *l);

#endif
