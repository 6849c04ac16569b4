/*
 * ndjson.h - a dump as JSON, one object a line for every record and
 * sub-record
 */
#ifndef HP_CONVERT_NDJSON_H
#define HP_CONVERT_NDJSON_H

#include "common/io/sink.h"

struct hp_ndjson_result {
	bool limited; /* memory did not suffice for the classes of references */
};

/**
 * hp_ndjson() - write @src to @sink as NDJSON; the sink is finished
 * @src:    read four times, from its first byte; must be rewindable
 * @memory: that the classes of all objects may take
 *
 * Where that does not suffice, references have no class, and the first line
 * says so.
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_ndjson(struct hp_source *src,
				     struct hp_sink *sink, unsigned threads,
				     uint64_t memory,
				     struct hp_ndjson_result *result,
				     struct hp_error *err);

#endif
