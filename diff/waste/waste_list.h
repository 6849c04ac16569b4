/*
 * waste_list.h - list each collection of a dump, and each group of objects with
 * equal contents, for the tables of hprof-convert
 *
 * This is the only header of hprof-diff that hprof-convert includes, so that
 * both programs have one definition of waste.
 */
#ifndef HP_DIFF_WASTE_WASTE_LIST_H
#define HP_DIFF_WASTE_WASTE_LIST_H

#include "common/io/source.h"
#include "common/model/size_model.h"

/*
 * A collection that is not an internal part of another collection. Control
 * characters in the texts are escaped.
 */
struct hp_listed_collection {
	uint64_t id;
	const char *class_name;
	uint64_t size; /* number of elements that the collection contains */
	/* length of the collection's array; 0: it has none */
	uint64_t capacity;
	/* number of elements of the collection's array that are not null */
	uint64_t used;
	/* bytes of the collection with its internal parts */
	uint64_t bytes;
	/*
	 * bytes that the collection wastes because it is empty or has many free
	 * slots
	 */
	uint64_t waste;
	/*
	 * the field that refers to the collection; if there is none, its class
	 */
	const char *holder;
};

/*
 * Objects with equal contents to which the same field refers. They are waste,
 * because one copy would be enough.
 */
struct hp_listed_duplicates {
	/* id of the array with the copy that is kept */
	uint64_t array_id;
	/* the class of the objects: java.lang.String, or a class of arrays */
	const char *class_name;
	uint64_t length; /* number of characters or elements of each object */
	/* number of objects that are waste, without the copy that is kept */
	uint64_t count;
	/*
	 * bytes of the `count` objects that are waste; for Strings, including
	 * their arrays
	 */
	uint64_t waste;
	/*
	 * if the objects are Strings: bytes of their arrays, which the JVM can
	 * free by String deduplication
	 */
	uint64_t dedup;
	/*
	 * the field that refers to the objects; if there is none, their class
	 */
	const char *holder;
};

struct hp_waste_list_options {
	unsigned threads;
	/* number of the dump in the file; 0: the last dump of the file */
	unsigned dump;
	const struct hp_size_model *layout;
};

/*
 * Callbacks that receive the collections and duplicates. Each function returns
 * false if out of memory.
 */
struct hp_waste_list {
	void *ctx;
	/* called for each collection; @dump: number of the dump in the file */
	bool (*collection)(void *ctx, unsigned dump,
			   const struct hp_listed_collection *c);
	bool (*duplicates)(void *ctx, unsigned dump,
			   const struct hp_listed_duplicates *d);
};

/**
 * hp_waste_list_make() - list the collections and the duplicates of a dump
 * @src: the dump, which is read again from its beginning several times, so it
 *   must be rewindable
 *
 * Collections are listed in the order of their object ids, duplicates in the
 * order of the ids of the arrays that are kept. If contents were removed from
 * the dump, there are no duplicates.
 * Returns: HP_OK, also if the file has no dump with classes; HP_LIMIT;
 * HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_waste_list_make(const struct hp_waste_list *l, struct hp_source *src,
		   const struct hp_waste_list_options *options,
		   struct hp_error *err);

#endif
