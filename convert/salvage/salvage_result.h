/*
 * salvage_result.h - what a salvage kept and lost
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_RESULT_H
#define HP_CONVERT_SALVAGE_SALVAGE_RESULT_H

#include "convert/filter/filter_objects.h"

struct hp_salvage_result {
	/*
	 * number of records kept; a heap record counts if a part of it is kept
	 */
	uint64_t records;
	uint64_t lost;	 /* bytes of the input that are in no kept record */
	uint64_t places; /* number of places where bytes were lost */
	uint64_t first;	 /* offset of the first loss; UINT64_MAX: none */
	/* bytes of the last heap record that are beyond the end of the input */
	uint64_t missing;
	/*
	 * estimated number of objects in lost and missing bytes, from the mean
	 * size of the objects found
	 */
	uint64_t objects;
	uint64_t found; /* number of instances and arrays found */
	uint64_t roots; /* number of roots found */
	/*
	 * the version in the header is not known, and the output has another
	 * one
	 */
	bool version_unknown;
	uint64_t cropped; /* number of arrays whose elements are missing */
	/* the last record kept is the end of the heap dump */
	bool ended;
	/*
	 * bytes before the header of the dump; counted neither as kept nor as
	 * lost
	 */
	uint64_t preamble;
	bool http; /* the preamble consists of HTTP headers */
	/*
	 * Offset of the header of a second dump in the file; 0: none. The bytes
	 * from there on are counted neither as kept nor as lost.
	 */
	uint64_t second;
	struct hp_filter_objects_result sifted;
};

#endif
