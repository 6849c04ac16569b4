/*
 * class_loaders.h - of which class the class loaders are, and what they are
 * called
 *
 * A class dump names its loader's object; which class and name that has is
 * said by its instance dump, by the String that this names, and by the
 * String's array, each of which may be anywhere: every step is a pass.
 */
#ifndef HP_DIFF_COUNT_CLASS_LOADERS_H
#define HP_DIFF_COUNT_CLASS_LOADERS_H

#include "diff/count/histogram.h"

/* A class loader, the value of g->loaders. */
struct hp_loader {
	uint64_t class_id; /* 0: its instance is not in the dump */
	uint64_t name;	   /* its name's String; 0: it has none */
	const char *text;  /* the name, visible form; NULL: none */
};

/* A loader of g->loaders, NULL if there is none of that id. */
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
