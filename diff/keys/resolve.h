/*
 * resolve.h - turn the counters of objects of a dump (tallies) into rows, which
 * have names and sizes
 */
#ifndef HP_DIFF_KEYS_RESOLVE_H
#define HP_DIFF_KEYS_RESOLVE_H

#include "diff/count/shared_sizes.h"
#include "diff/keys/keys.h"
#include "diff/result/result.h"
#include "diff/retained/retained.h"

/* Facts about the dump that hp_resolve() finds, for messages. */
struct hp_resolve_notes {
	bool traces;	   /* the objects of the dump have allocation traces */
	bool site_records; /* the dump has ALLOC SITES records */
	/* with --heap: at least one heap of the dump matches the pattern */
	bool heap_matched;
};

/**
 * hp_resolve_layout() - choose the size model of a dump, from --layout and from
 * hints in the dump
 *
 * The size model says how many bytes objects have in memory.
 *
 * Returns: HP_OK; HP_DAMAGED with a text in @err if --layout is invalid.
 */
HP_MUST_USE enum hp_status hp_resolve_layout(const struct hp_histogram *g,
					     const struct hp_diff_options *o,
					     struct hp_size_model *out,
					     struct hp_error *err);

/**
 * hp_resolve_sizes() - choose the size model of a dump, and make the sizes of
 * its classes equal to those that earlier inputs use
 *
 * Also lists the sizes that a saved result needs.
 *
 * @info: the facts about the dump. info->layout refers to sizes of @g; clear
 *   info->layout before @g is released
 *
 * Returns: HP_OK; HP_NOMEM; HP_DAMAGED if --layout is not valid.
 */
HP_MUST_USE enum hp_status
hp_resolve_sizes(struct hp_histogram *g, const struct hp_diff_options *o,
		 struct hp_shared_sizes *shared, struct hp_result *r,
		 struct hp_dump_info *info, struct hp_error *err);

/**
 * hp_resolve() - add the objects of a dump to the rows
 *
 * @in_heap: with --heap: receives the objects of the Android heaps that match;
 *   else NULL
 * @graph: the object graph, from which retained sizes are computed; NULL: none
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_resolve(const struct hp_column *c,
				      struct hp_rows *in_heap,
				      const struct hp_retained *graph,
				      struct hp_resolve_notes *notes,
				      struct hp_error *err);

/**
 * hp_resolve_loaders() - make a row for each class of a dump and its class
 * loader
 *
 * @c: the values of one dump in the rows; class_loaders.c has already found the
 *   class loaders of this dump
 *
 * The key of a row is "Class → Loader". The member holder_len of the row is the
 * length of the class name in this key. The member `extra` of the row is the
 * number of loaders that have the same name as the loader in the key. The
 * caller must ignore rows with a holder_len of 0, whose key is only a loader.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_resolve_loaders(const struct hp_column *c,
					      struct hp_error *err);

#endif
