/*
 * ndjson.h - a dump as JSON, one object a line for every record and
 * sub-record
 */
#ifndef HP_CONVERT_EXPORT_NDJSON_H
#define HP_CONVERT_EXPORT_NDJSON_H

#include "common/sink/sink.h"
#include "common/model/undescribed.h"
#include "convert/options.h"

struct hp_ndjson_result {
	const char *limited; /* why references have no class; NULL: they do */
	uint64_t missing;    /* Strings whose array is not in the dump */
	uint64_t unrooted;   /* objects, where no root reaches any */
	struct hp_undescribed undescribed;
	uint64_t graph_in_files; /* bytes of the graph that memory had no room
				    for */
};

/**
 * hp_ndjson_convert() - write @src to @sink as NDJSON; the sink is finished
 * @options: elements, strings (then the source is seekable), edges, graph;
 *           half of the memory is for looking up classes and Strings
 * @src: read four times, from its first byte, six with strings, once more
 *       with edges, two or three times more with a graph; must be rewindable
 *
 * Where memory does not suffice, references have no class, and the first line
 * says so. Where references are asked for and no class dump describes some, the
 * last line says so. Of a damaged dump whole lines are written, up to the
 * damage; one that it cut is closed and has "partial":true. Returns: HP_OK;
 * HP_DAMAGED (a framing error); HP_UNSUPPORTED: a graph is asked for of several
 * dumps; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_ndjson_convert(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_convert_options *options,
		  struct hp_ndjson_result *result, struct hp_error *err);

/* What follows for @o of fields that no class dump describes, in words. */
const char *hp_ndjson_lacks(const struct hp_convert_options *o);

#endif
