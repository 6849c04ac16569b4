/*
 * ndjson.h - export a dump as JSON lines (NDJSON)
 *
 * Each record and sub-record becomes one line with one JSON object.
 */
#ifndef HP_CONVERT_EXPORT_NDJSON_H
#define HP_CONVERT_EXPORT_NDJSON_H

#include "common/sink/sink.h"
#include "common/model/undescribed.h"
#include "convert/options.h"

struct hp_ndjson_result {
	/* the reason why references have no class; NULL: they have one */
	const char *limited;
	uint64_t missing; /* number of Strings whose array is missing */
	/* number of objects, if no root reaches any of them; else 0 */
	uint64_t unrooted;
	struct hp_undescribed undescribed;
	/* bytes of the graph that went to temporary files for lack of memory */
	uint64_t graph_in_files;
};

/**
 * hp_ndjson_convert() - write @src to @sink as NDJSON, and finish the sink
 * @options: elements, strings (needs a seekable source), edges and graph apply.
 *           Half of the memory is used to look up classes and Strings.
 * @src: at its first byte; must be rewindable. It is read four times, six times
 *       with strings, once more with edges, and two or three times more with a
 *       graph.
 *
 * If the memory does not suffice, references have no class, and the first line
 * reports this. If references were asked for and some have no class dump, the
 * last line reports this. For a damaged dump, all lines before the damage are
 * complete.
 * If the damage is inside the line of a long array, that line is closed with
 * "partial":true.
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: a graph of
 *          several dumps; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_ndjson_convert(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_convert_options *options,
		  struct hp_ndjson_result *result, struct hp_error *err);

/*
 * Returns a text that says what is missing in the output because no class dump
 * describes some fields.
 */
const char *hp_ndjson_lacks(const struct hp_convert_options *o);

#endif
