/*
 * temp_copy.h - a temporary copy that makes a pipe readable more than once
 */
#ifndef HP_CONVERT_PASS_TEMP_COPY_H
#define HP_CONVERT_PASS_TEMP_COPY_H

#include "common/sink/sink.h"

/**
 * hp_temp_copy() - read all of @src into a temporary file that has no name
 * @out: a source over that file; the caller closes it
 *
 * The folder is $TMPDIR, or /tmp.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_temp_copy(struct hp_source *src,
					struct hp_source **out,
					struct hp_error *err);

/* The same; HP_DAMAGED if the container of @src is. */
HP_MUST_USE enum hp_status hp_temp_copy_checked(struct hp_source *src,
						struct hp_source **out,
						struct hp_error *err);

/**
 * hp_temp_copy_end() - what was written to a temporary sink, as a source
 * @sink: from hp_sink_open_temporary(); released in any case
 *
 * Returns: HP_OK; HP_IO, HP_NOMEM. The caller closes *@out.
 */
HP_MUST_USE enum hp_status hp_temp_copy_end(struct hp_sink *sink,
					    struct hp_source **out,
					    struct hp_error *err);

#endif
