/*
 * ndjson.h - a dump as JSON, one object a line for every record and
 * sub-record
 */
#ifndef HP_CONVERT_NDJSON_H
#define HP_CONVERT_NDJSON_H

#include "common/io/sink.h"

/**
 * hp_ndjson() - write @src to @sink as NDJSON; the sink is finished
 * @src: read twice, from its first byte; must be rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_ndjson(struct hp_source *src,
				     struct hp_sink *sink, unsigned threads,
				     struct hp_error *err);

#endif
