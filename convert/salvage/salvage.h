/*
 * salvage.h - copy the valid part of a damaged dump into a valid dump
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_H
#define HP_CONVERT_SALVAGE_SALVAGE_H

#include "convert/salvage/salvage_result.h"
#include "common/sink/sink.h"

struct hp_salvage_options {
	unsigned threads;
	bool null_dangling; /* set references to missing objects to null */
	/*
	 * keep the numbers of the dumps: a dump of which nothing is left
	 * becomes an empty dump
	 */
	bool keep_numbers;
	uint64_t memory; /* limit for the memory, in bytes; 0: no limit */
};

/**
 * hp_salvage() - write the valid parts of @src to @sink, and finish the sink
 * @src: must be seekable
 * @holes: lost ranges of @src, ascending; @nholes of them
 *
 * Heap records are written as segments. The valid parts are first copied to a
 * temporary file.
 * Returns: HP_OK; HP_DAMAGED: there is no complete record; HP_IO; HP_LIMIT;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_salvage(struct hp_source *src, const struct hp_hole *holes, size_t nholes,
	   struct hp_sink *sink, const struct hp_salvage_options *options,
	   struct hp_salvage_result *result, struct hp_error *err);

#endif
