/*
 * suspect_path.h - the shortest paths to some objects, in words
 */
#ifndef HP_DIFF_LEAKS_SUSPECT_PATH_H
#define HP_DIFF_LEAKS_SUSPECT_PATH_H

#include "diff/leaks/merged_tree.h"

struct hp_suspect_paths {
	struct hp_retained *t; /* with edges */
	struct hp_keys *keys;
	struct hp_rows *names;
	uint32_t of[HP_SUSPECTS_MOST]; /* nodes */
	size_t n;
	const char *text[HP_SUSPECTS_MOST]; /* the answer */
};

/**
 * hp_suspect_paths_find() - "Leak.SESSIONS (static) → java.util.HashMap"
 * @row_of: by kind, the place of its name in the names
 * @src:    rewound and read again for the names of fields
 * @arena:  where the texts are put
 *
 * A path begins at the last class on it, with its static field, or at a root;
 * the insides of collections are one step, [*].
 * Returns: as hp_paths_find(); what hp_scan() returns.
 */
HP_MUST_USE enum hp_status hp_suspect_paths_find(struct hp_suspect_paths *p,
						 const uint32_t *row_of,
						 struct hp_source *src,
						 struct hp_arena *arena,
						 struct hp_error *err);

#endif
