/*
 * salvage.h - the valid part of a damaged dump, as a valid dump
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_H
#define HP_CONVERT_SALVAGE_SALVAGE_H

#include "convert/salvage/salvage_result.h"
#include "common/sink/sink.h"

struct hp_salvage_options {
	unsigned threads;
	bool null_dangling; /* references that lead nowhere become null */
	bool keep_numbers;  /* of dumps: one of which nothing is left becomes
			     * an empty one */
	uint64_t memory;    /* that this may take; 0: any */
};

/**
 * hp_salvage() - write what is whole in @src to @sink; the sink is finished
 * @holes: stretches of it that are lost, ascending; @nholes of them
 *
 * @src must be seekable. Heap records come out as segments. What was found is
 * copied to a temporary file on the way.
 * Returns: HP_OK; HP_DAMAGED: there is no whole record; HP_IO, HP_LIMIT,
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_salvage(struct hp_source *src, const struct hp_hole *holes, size_t nholes,
	   struct hp_sink *sink, const struct hp_salvage_options *options,
	   struct hp_salvage_result *result, struct hp_error *err);

#endif
