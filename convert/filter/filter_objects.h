/*
 * filter_objects.h - a dump without some of its objects, and without what then
 * dangles
 */
#ifndef HP_CONVERT_FILTER_FILTER_OBJECTS_H
#define HP_CONVERT_FILTER_FILTER_OBJECTS_H

#include "common/sink/sink.h"

struct hp_filter_objects {
	/*
	 * instances whose class is lost or does not fit, objects of id 0 go;
	 * a class whose size alone is wrong gets the right one
	 */
	bool mend;
	/*
	 * references that name nothing become null, roots of nothing go; but
	 * that of a thread stays, as one without an object: other roots have
	 * its serial
	 */
	bool nulls;
	/* "app,image": objects of other heaps go; NULL: heaps do not matter */
	const char *heaps;
	/* with heaps: classes that nothing uses then go, too; see
	 * prune_classes.h */
	bool prune;
	uint64_t memory; /* that the ids of what stays may take; 0: any */
};

struct hp_filter_objects_result {
	uint64_t objects;    /* left out */
	uint64_t roots;	     /* left out */
	uint64_t references; /* now null */
	uint64_t classes;    /* pruned */
	uint64_t sizes;	     /* instance sizes of classes, mended */
};

/**
 * hp_filter_objects() - write what stays of @src to @sink; the sink is finished
 * @src: read several times, from its first byte; must be rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error, an instance that cannot be
 *          decoded, no such heap); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_filter_objects(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_filter_objects *how, unsigned threads,
		  struct hp_filter_objects_result *result,
		  struct hp_error *err);

#endif
