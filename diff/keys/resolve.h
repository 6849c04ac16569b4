/*
 * resolve.h - turn the tallies (counters of objects) of a dump into rows:
 * names, sizes and keys
 */
#ifndef HP_DIFF_KEYS_RESOLVE_H
#define HP_DIFF_KEYS_RESOLVE_H

#include "diff/count/shared_sizes.h"
#include "diff/keys/keys.h"
#include "diff/result/result.h"
#include "diff/retained/retained.h"

/*
 * Facts that hp_resolve() has found. The caller may print messages about them.
 */
struct hp_resolve_notes {
	bool traces;	   /* the objects have allocation traces */
	bool site_records; /* the dump has ALLOC SITES records */
	/* with --heap: at least one heap of the dump matches the pattern */
	bool heap_matched;
};

/**
 * hp_resolve_layout() - choose the memory layout of a dump from the evidence in
 * it and from --layout
 *
 * Returns: HP_OK; HP_DAMAGED with a text if --layout is invalid.
 */
HP_MUST_USE enum hp_status hp_resolve_layout(const struct hp_histogram *g,
					     const struct hp_diff_options *o,
					     struct hp_size_model *out,
					     struct hp_error *err);

/**
 * hp_resolve_sizes() - choose the layout of a dump, share its sizes with the
 * other inputs, and list those that a saved result needs
 * @info: the facts about the dump. info->layout refers to sizes of @g; clear
 *        that member before @g is released
 *
 * Returns: HP_OK; HP_NOMEM; HP_DAMAGED if --layout is not valid.
 */
HP_MUST_USE enum hp_status
hp_resolve_sizes(struct hp_histogram *g, const struct hp_diff_options *o,
		 struct hp_shared_sizes *shared, struct hp_result *r,
		 struct hp_dump_info *info, struct hp_error *err);

/**
 * hp_resolve() - add the objects of a dump to the rows
 * @in_heap: with --heap: receives the objects of the matching heaps; else NULL
 * @graph: the source of retained sizes; NULL: none
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_resolve(const struct hp_column *c,
				      struct hp_rows *in_heap,
				      const struct hp_retained *graph,
				      struct hp_resolve_notes *notes,
				      struct hp_error *err);

/**
 * hp_resolve_loaders() - add the classes of a dump, each with its class loader
 * @c: its loaders are known (class_loaders.c)
 *
 * The keys of the rows are "Class → Loader", and holder_len is the length of
 * the class part. The column "extra" is the number of loaders of that name.
 * Ignore rows whose holder_len is 0: they have only a loader.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_resolve_loaders(const struct hp_column *c,
					      struct hp_error *err);

#endif
