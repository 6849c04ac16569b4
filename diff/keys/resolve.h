/*
 * resolve.h - from tallies to rows: names, sizes, and what a row stands for
 */
#ifndef HP_DIFF_KEYS_RESOLVE_H
#define HP_DIFF_KEYS_RESOLVE_H

#include "diff/keys/keys.h"
#include "diff/result.h"
#include "diff/retained.h"

/* What is worth a message. */
struct hp_resolve_notes {
	bool traces;	   /* objects have allocation traces */
	bool site_records; /* there are ALLOC SITES records */
	bool heap_matched; /* --heap: some heap has that name */
};

/**
 * hp_resolve_layout() - the layout of a dump, as its hints and @o say
 *
 * Returns: HP_OK; HP_DAMAGED if --layout is none, with a text.
 */
HP_MUST_USE enum hp_status hp_resolve_layout(const struct hp_histogram *g,
					     const struct hp_diff_options *o,
					     struct hp_size_model *out,
					     struct hp_error *err);

/**
 * hp_resolve() - add a dump's objects to the rows
 * @in_heap: with --heap: those of the heaps that match; else NULL
 * @graph:   what the rows' retained sizes come from; NULL: nothing
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_resolve(const struct hp_column *c,
				      struct hp_rows *in_heap,
				      const struct hp_retained *graph,
				      struct hp_resolve_notes *notes,
				      struct hp_error *err);

/**
 * hp_resolve_loaders() - add a dump's classes, each with who loaded it
 * @c: its loaders are known (class_loaders.h); the rows have keys "Class \u2192
 *     Loader", whose holder_len is that of the class; extra tells how many
 *     loaders of that name. Rows of loaders alone, with a holder_len of 0, mean
 *     nothing
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_resolve_loaders(const struct hp_column *c,
					      struct hp_error *err);

#endif
