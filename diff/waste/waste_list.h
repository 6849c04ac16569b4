/*
 * waste_list.h - list the collections and the equal contents of a dump one by
 * one, for the tables of hprof-convert
 *
 * This is the only header of hprof-diff that hprof-convert includes, so that
 * both programs have one definition of waste.
 */
#ifndef HP_DIFF_WASTE_WASTE_LIST_H
#define HP_DIFF_WASTE_WASTE_LIST_H

#include "common/io/source.h"
#include "common/model/size_model.h"

/* A collection that is no private part of another one. Texts are visible. */
struct hp_listed_collection {
	uint64_t id;
	const char *class_name;
	uint64_t size;	    /* number of elements */
	uint64_t capacity;  /* length of its array; 0: there is none */
	uint64_t used;	    /* elements of that array that are not null */
	uint64_t bytes;	    /* the collection and its private parts */
	uint64_t waste;	    /* bytes that it wastes if it is empty or sparse */
	const char *holder; /* the field that holds it, or its class */
};

/* The objects with one content that one field holds and that are waste. */
struct hp_listed_duplicates {
	/* the array with the content that is kept */
	uint64_t array_id;
	const char *class_name; /* java.lang.String, or the class of arrays */
	uint64_t length;	/* number of characters or elements */
	uint64_t count;		/* objects that are waste */
	/* bytes of these objects, and for Strings of their arrays */
	uint64_t waste;
	/*
	 * bytes of the arrays of these Strings, which the JVM can deduplicate
	 */
	uint64_t dedup;
	const char *holder; /* the field that holds them, or their class */
};

struct hp_waste_list_options {
	unsigned threads;
	unsigned dump; /* number of the dump in the file; 0: the last one */
	const struct hp_size_model *layout;
};

/* What receives the list; each function returns false if out of memory. */
struct hp_waste_list {
	void *ctx;
	/* @dump: number of the dump in the file */
	bool (*collection)(void *ctx, unsigned dump,
			   const struct hp_listed_collection *c);
	bool (*duplicates)(void *ctx, unsigned dump,
			   const struct hp_listed_duplicates *d);
};

/**
 * hp_waste_list_make() - list the collections and the duplicates of a dump
 * @src: rewound and read several times, so it must be rewindable
 *
 * Collections are in the order of their ids, duplicates in the order of their
 * arrays. If contents were removed from the dump, there are no duplicates.
 * Returns: HP_OK, also if the file has no dump with classes; HP_LIMIT;
 * HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_waste_list_make(const struct hp_waste_list *l, struct hp_source *src,
		   const struct hp_waste_list_options *options,
		   struct hp_error *err);

#endif
