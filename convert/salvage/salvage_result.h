/*
 * salvage_result.h - what a salvage kept and lost
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_RESULT_H
#define HP_CONVERT_SALVAGE_SALVAGE_RESULT_H

#include "convert/filter/filter_objects.h"

struct hp_salvage_result {
	uint64_t records; /* kept; a heap record counts if a part of it is */
	uint64_t lost;	  /* bytes of the input that are in no kept record */
	uint64_t places;  /* where something was lost */
	uint64_t first;	  /* offset of the first loss; UINT64_MAX: none */
	uint64_t missing; /* bytes that the last heap record claims beyond the
			     input's end */
	uint64_t objects; /* lost or missing: an estimate, by the mean size of
			     those that were found */
	uint64_t found;	  /* objects and arrays that were found */
	uint64_t roots;	  /* likewise */
	bool version_unknown; /* of the header: the output has another */
	uint64_t cropped;     /* arrays whose elements are missing */
	bool ended;	      /* the last record kept ends the heap */
	uint64_t preamble; /* bytes before the dump's header; neither kept nor
			      lost */
	bool http;	   /* they are the headers of HTTP */
	uint64_t second;   /* offset of another dump's header; 0: none. It, and
			      what follows it, is neither kept nor lost */
	struct hp_filter_objects_result sifted;
};

#endif
