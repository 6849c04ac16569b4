/* filter.h - remove objects, classes and dumps from a dump file */
#ifndef HP_CONVERT_FILTER_FILTER_H
#define HP_CONVERT_FILTER_FILTER_H

#include "common/sink/sink.h"

/* ----------------------------------------------------------------------
 * Remove objects from a dump, and the references to them
 */

struct hp_filter_objects {
	/*
	 * Remove objects with the id 0, and instances whose class is missing or
	 * requires another size. If a class dump is wrong only in its instance
	 * size, correct the size.
	 */
	bool mend;
	/*
	 * Set references to missing objects to null, and remove roots of
	 * missing objects. If the object of a thread is missing, the root of
	 * the thread is kept with the object id 0, because other roots refer to
	 * the serial number of the thread.
	 */
	bool nulls;
	/*
	 * names of the Android heaps whose objects are kept, for example
	 * "app,image"; NULL: all heaps
	 */
	const char *heaps;
	/*
	 * if `heaps` is set: also remove classes that become unused, see
	 * prune_classes.c
	 */
	bool prune;
	/*
	 * limit for the memory of the ids of kept objects, in bytes; 0: no
	 * limit
	 */
	uint64_t memory;
};

struct hp_filter_objects_result {
	uint64_t objects;    /* number of objects removed */
	uint64_t roots;	     /* number of roots removed */
	uint64_t references; /* number of references set to null */
	uint64_t classes;    /* number of classes removed */
	/* number of classes whose instance size was corrected */
	uint64_t sizes;
};

/**
 * hp_filter_objects() - write the kept part of @src to @sink, and finish the
 * sink
 * @src: at its first byte; must be rewindable, and is read several times
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error, an instance that cannot be
 *          decoded, or no heap has the chosen name; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_filter_objects(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_filter_objects *how, unsigned threads,
		  struct hp_filter_objects_result *result,
		  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Extract one heap dump from a file that contains several
 */

/**
 * hp_select_dump() - copy @src without the heap records of other dumps
 * @dump: number of the dump, from 1
 *
 * All other records are kept, because the dumps share them. Finishes the sink.
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: there is no
 *          such dump; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_select_dump(struct hp_source *src,
					  struct hp_sink *sink, unsigned dump,
					  unsigned threads,
					  struct hp_error *err);

#endif
