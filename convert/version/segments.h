/*
 * segments.h - HEAP DUMP records to segments (1.0.1 to 1.0.2) and back
 */
#ifndef HP_CONVERT_VERSION_SEGMENTS_H
#define HP_CONVERT_VERSION_SEGMENTS_H

#include "common/sink/sink.h"

/**
 * hp_segments_convert() - rewrite @src to @sink; the sink is finished
 * @src:     read from its first byte, for version 1 twice: then it must be
 *           rewindable
 * @version: 1 (1.0.1): the segments of a dump become one HEAP DUMP, records
 *           that stand between them move in front of it; 2 (1.0.2): a HEAP
 *           DUMP becomes segments of at most 1 MiB (a longer sub-record has
 *           one of its own), empty segments go, and every dump gets its HEAP
 *           DUMP END
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error, or what the version cannot
 *          hold); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_segments_convert(struct hp_source *src, struct hp_sink *sink,
		    unsigned version, unsigned threads, struct hp_error *err);

#endif
