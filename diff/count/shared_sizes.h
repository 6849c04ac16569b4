/*
 * shared_sizes.h - use one shallow size for a class in all inputs of a
 * comparison
 *
 * If the size of a class was measured in one dump and not in another one, the
 * two sizes could differ, which would look like growth. So the first input that
 * has the class decides its size. The memory layout of the first input also
 * applies to dumps whose objects cannot be measured.
 */
#ifndef HP_DIFF_COUNT_SHARED_SIZES_H
#define HP_DIFF_COUNT_SHARED_SIZES_H

#include "diff/count/histogram.h"
#include "diff/count/listed_sizes.h"

struct hp_shared_sizes {
	bool begun; /* the layout and the sizes below are valid */
	struct hp_size_model layout;
	/* bytes of a class object without its static fields; 0: not measured */
	uint64_t class_object;
	/*
	 * the shared sizes: maps a hash of a class's name and fields to the
	 * size in bytes
	 */
	struct hp_id_map sizes;
};

void hp_shared_sizes_release(struct hp_shared_sizes *s);

/**
 * hp_shared_sizes_use() - replace the sizes of classes in a dump by shared
 * sizes; if a class has no shared size, its size becomes the shared size
 *
 * @layout: the memory layout of the dump, as hp_resolve_layout() has returned
 *   it; this function may change it
 * @asked: whether the layout was chosen with --layout; if so, nothing is shared
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_shared_sizes_use(struct hp_shared_sizes *s,
					       struct hp_histogram *g,
					       struct hp_size_model *layout,
					       bool asked,
					       struct hp_error *err);

/*
 * Use the sizes of a saved result for all later inputs. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_shared_sizes_saved(
	struct hp_shared_sizes *s, const struct hp_size_model *layout,
	const struct hp_listed_sizes *listed, struct hp_error *err);

/*
 * Make the list of sizes that a saved result must contain. The list is
 * allocated in @arena. Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_listed_sizes_make(struct hp_listed_sizes *out, const struct hp_histogram *g,
		     const struct hp_size_model *layout, struct hp_arena *arena,
		     struct hp_error *err);

#endif
