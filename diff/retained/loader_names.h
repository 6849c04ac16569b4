/*
 * loader_names.h - the names of the applications to which class loaders belong
 */
#ifndef HP_DIFF_RETAINED_LOADER_NAMES_H
#define HP_DIFF_RETAINED_LOADER_NAMES_H

#include "common/base/arena.h"
#include "diff/count/loader_naming.h"
#include "diff/keys/keys.h"
#include "diff/retained/retained.h"

/* A class loader whose name is wanted. The caller sets only `node`. */
struct hp_loader_name {
	uint32_t node; /* the number of the loader in the object graph */
	/* the entry of loader_names.def that fits the loader; NULL: none */
	const struct hp_loader_naming *naming;
	/*
	 * the String with the name, as its number in the graph; valid if
	 * `naming` is not NULL
	 */
	uint32_t string;
	/*
	 * the application to which the loader belongs, for example "webapp
	 * 'shop'", with control characters escaped; NULL: not known
	 */
	const char *text;
};

/**
 * hp_loader_names_find() - find the names of some class loaders
 *
 * @t: the graph must still have its references
 * @src: the dump; it is read again if a loader has a name
 * @arena: the memory for the texts
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_loader_names_find(struct hp_loader_name *list, size_t n,
		     const struct hp_retained *t, struct hp_keys *keys,
		     struct hp_source *src, struct hp_arena *arena,
		     struct hp_error *err);

/*
 * Find all class loaders of the dump, with their classes and names: fill the
 * map g->loaders (diff/count/passes.h). The parameters and results are those of
 * hp_loader_names_find(). hp_loaders_find() does the same without a graph, but
 * reads the whole dump two to four times.
 */
HP_MUST_USE enum hp_status hp_graph_loaders_find(struct hp_histogram *g,
						 const struct hp_retained *t,
						 struct hp_keys *keys,
						 struct hp_source *src,
						 struct hp_error *err);

#endif
