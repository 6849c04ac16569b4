/*
 * class_loaders.h - find the classes and names of class loaders
 *
 * A class dump has the object id of its loader. The loader's instance dump has
 * the class and refers to a String, and the String refers to an array with the
 * characters. Each of these records may be anywhere in the dump, so each step
 * is a pass.
 */
#ifndef HP_DIFF_COUNT_CLASS_LOADERS_H
#define HP_DIFF_COUNT_CLASS_LOADERS_H

#include "diff/count/histogram.h"

/* A class loader; a value of g->loaders. */
struct hp_loader {
	uint64_t class_id; /* 0: the dump does not contain its instance */
	uint64_t name;	   /* id of the String with its name; 0: none */
	/* the name with control characters escaped; NULL: none */
	const char *text;
};

/* The loader with an object id. Returns NULL if there is none. */
const struct hp_loader *hp_loader_get(const struct hp_histogram *g,
				      uint64_t id);

/**
 * hp_loaders_find() - fill in g->loaders, after hp_histogram_run()
 * @src: must be rewindable
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_loaders_find(struct hp_histogram *g,
					   struct hp_source *src,
					   struct hp_error *err);

#endif
