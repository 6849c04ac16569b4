/*
 * loaders.h - of which class the class loaders are
 *
 * A class dump names its loader's object; which class that object has is said
 * by its instance dump, which may be anywhere. Where the input can be read
 * again, a second pass looks for the loaders; elsewhere the first pass keeps
 * the class of every instance.
 */
#ifndef HP_DIFF_LOADERS_H
#define HP_DIFF_LOADERS_H

#include "diff/gather.h"

/**
 * hp_loaders_find() - fill in g->loaders, after hp_gather_run()
 * @src: rewound if it can be
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_loaders_find(struct hp_gather *g,
					   struct hp_source *src,
					   struct hp_error *err);

#endif
