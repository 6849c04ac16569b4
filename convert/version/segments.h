/*
 * segments.h - convert HEAP DUMP records to segments (1.0.1 to 1.0.2) and back
 */
#ifndef HP_CONVERT_VERSION_SEGMENTS_H
#define HP_CONVERT_VERSION_SEGMENTS_H

#include "common/sink/sink.h"

/**
 * hp_segments_convert() - rewrite @src to @sink, and finish the sink
 * @src: at its first byte; for version 1 it is read twice and must be
 *       rewindable
 * @version: 1 (1.0.1): the segments of a dump become one HEAP DUMP, and records
 *           between the segments move before it. 2 (1.0.2): a HEAP DUMP becomes
 *           segments of at most 1 MiB, and a longer sub-record gets a segment
 *           of its own. Empty segments are removed, and every dump gets a HEAP
 *           DUMP END.
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error, or the version cannot represent
 *          the dump; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_segments_convert(struct hp_source *src, struct hp_sink *sink,
		    unsigned version, unsigned threads, struct hp_error *err);

#endif
