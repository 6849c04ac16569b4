/*
 * without_pack.c - functions that replace those of pack_histogram.c in a build
 * without packs
 */
#include "diff/count/pack_histogram.h"

bool
hp_pack_histogram_is(const char *path)
{
	return false;
}

enum hp_status
hp_pack_histogram_run(struct hp_histogram *g, const char *path,
		      uint64_t max_size,
		      const struct hp_histogram_options *options, bool *done,
		      struct hp_error *err)
{
	*done = false;
	return HP_OK;
}
