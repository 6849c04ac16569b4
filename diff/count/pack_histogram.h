/*
 * pack_histogram.h - counting from a pack without unpacking its objects
 */
#ifndef HP_DIFF_COUNT_PACK_HISTOGRAM_H
#define HP_DIFF_COUNT_PACK_HISTOGRAM_H

#include "diff/count/histogram.h"

/**
 * hp_pack_histogram_run() - as hp_histogram_run(), for a pack that allows it
 * @path:     what was asked for; only regular files are looked at
 * @max_size: bytes that the dump may have; 0: any
 * @done:     whether @g is filled; if not, read the input in full
 *
 * Counts of classes only: no split, no choice of a dump in @options.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 * Ownership: hp_histogram_release() if *@done.
 */
HP_MUST_USE enum hp_status
hp_pack_histogram_run(struct hp_histogram *g, const char *path,
		      uint64_t max_size,
		      const struct hp_histogram_options *options, bool *done,
		      struct hp_error *err);

/* Is it a pack, in a regular file that can be read? */
bool hp_pack_histogram_is(const char *path);

#endif
