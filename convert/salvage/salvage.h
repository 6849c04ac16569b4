/*
 * salvage.h - the valid part of a damaged dump, as a valid dump
 */
#ifndef HP_CONVERT_SALVAGE_SALVAGE_H
#define HP_CONVERT_SALVAGE_SALVAGE_H

#include "convert/filter/filter_objects.h"

struct hp_salvage_options {
	unsigned threads;
	bool null_dangling; /* references that lead nowhere become null */
	bool keep_numbers;  /* of dumps: one of which nothing is left becomes
			     * an empty one */
	uint64_t memory;    /* that this may take; 0: any */
};

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
	uint64_t preamble; /* bytes before the dump's header; neither kept nor
			      lost */
	bool http;	   /* they are the headers of HTTP */
	uint64_t second;   /* offset of another dump's header; 0: none. It, and
			      what follows it, is neither kept nor lost */
	struct hp_filter_objects_result sifted;
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
