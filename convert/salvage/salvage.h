/*
 * salvage.h - write the valid part of a damaged dump
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_H
#define HP_CONVERT_SALVAGE_SALVAGE_H

#include "common/sink/sink.h"
#include "convert/filter/filter.h"

/* ----------------------------------------------------------------------
 * The amounts of data that a salvage kept and lost, for the summary
 */

struct hp_salvage_result {
	/*
	 * number of kept records; a heap record counts if a part of it is kept
	 */
	uint64_t records;
	/* number of bytes of the input that are not kept */
	uint64_t lost;
	uint64_t places; /* number of places where bytes were lost */
	/* offset of the first lost byte; UINT64_MAX: nothing was lost */
	uint64_t first;
	/*
	 * number of bytes by which the last heap record reaches beyond the end
	 * of the input
	 */
	uint64_t missing;
	/*
	 * estimated number of objects in the lost and missing bytes, from the
	 * mean size of the objects that were found
	 */
	uint64_t objects;
	uint64_t found; /* number of instances and arrays found */
	uint64_t roots; /* number of roots found */
	/*
	 * the version in the file header is unknown, so the output has another,
	 * known version
	 */
	bool version_unknown;
	uint64_t cropped; /* number of arrays whose elements are missing */
	/* the last kept record ends a heap dump */
	bool ended;
	/*
	 * number of bytes before the file header; they are counted neither as
	 * kept nor as lost
	 */
	uint64_t preamble;
	bool http; /* the bytes before the file header are HTTP headers */
	/*
	 * Offset of the file header of a second dump; 0: there is none. The
	 * bytes from there on are counted neither as kept nor as lost.
	 */
	uint64_t second;
	struct hp_filter_objects_result sifted;
};

/* ----------------------------------------------------------------------
 * Copy the valid part of a damaged dump into a valid dump
 */

struct hp_salvage_options {
	unsigned threads;
	bool null_dangling; /* set references to missing objects to null */
	/*
	 * keep the numbers of the dumps: write an empty dump in place of each
	 * dump of which nothing can be recovered
	 */
	bool keep_numbers;
	/* limit for the memory that the salvage uses, in bytes; 0: no limit */
	uint64_t memory;
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
