/*
 * spool.h - a pipe made readable twice: its bytes in a nameless file
 */
#ifndef HP_CONVERT_SPOOL_H
#define HP_CONVERT_SPOOL_H

#include "common/io/sink.h"

/**
 * hp_spool() - read all of @src into a temporary file that has no name
 * @out: a source over that file; the caller closes it
 *
 * The folder is $TMPDIR, or /tmp.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_spool(struct hp_source *src, struct hp_source **out, struct hp_error *err);

/* The same; HP_DAMAGED if the container of @src is. */
HP_MUST_USE enum hp_status hp_spool_checked(struct hp_source *src,
					    struct hp_source **out,
					    struct hp_error *err);

/**
 * hp_spool_end() - what was written to a temporary sink, as a source
 * @sink: from hp_sink_open_temporary(); released in any case
 *
 * Returns: HP_OK; HP_IO, HP_NOMEM. The caller closes *@out.
 */
HP_MUST_USE enum hp_status hp_spool_end(struct hp_sink *sink,
					struct hp_source **out,
					struct hp_error *err);

#endif
