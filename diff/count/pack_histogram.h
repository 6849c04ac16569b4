/*
 * pack_histogram.h - count the objects of a pack without unpacking them
 */
#ifndef HP_DIFF_COUNT_PACK_HISTOGRAM_H
#define HP_DIFF_COUNT_PACK_HISTOGRAM_H

#include "diff/count/histogram.h"

/**
 * hp_pack_histogram_run() - as hp_histogram_run(), for a suitable pack
 * @path: the path of the input; only regular files are accepted
 * @max_size: maximum bytes of the dump; 0: no limit
 * @done: set to true if @g is filled; if false, the caller must read the input
 *   in full
 *
 * Counts by class only: @options must not split, nor choose a dump.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 * Ownership: call hp_histogram_release() if *@done.
 */
HP_MUST_USE enum hp_status
hp_pack_histogram_run(struct hp_histogram *g, const char *path,
		      uint64_t max_size,
		      const struct hp_histogram_options *options, bool *done,
		      struct hp_error *err);

/* Whether @path is a pack in a readable regular file. */
bool hp_pack_histogram_is(const char *path);

#endif
