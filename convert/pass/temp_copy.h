/*
 * temp_copy.h - a temporary copy that makes a pipe readable more than once
 */
#ifndef HP_CONVERT_PASS_TEMP_COPY_H
#define HP_CONVERT_PASS_TEMP_COPY_H

#include "common/sink/sink.h"

/**
 * hp_temp_copy() - copy all of @src to a temporary file without a name
 * @out: receives a source that reads the file; the caller closes it
 *
 * The file is in $TMPDIR, or in /tmp.
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_temp_copy(struct hp_source *src,
					struct hp_source **out,
					struct hp_error *err);

/*
 * As hp_temp_copy(), but returns HP_DAMAGED if the compression of @src is
 * damaged.
 */
HP_MUST_USE enum hp_status hp_temp_copy_checked(struct hp_source *src,
						struct hp_source **out,
						struct hp_error *err);

/**
 * hp_temp_copy_end() - reopen a temporary sink as a source
 * @sink: from hp_sink_open_temporary(), with all bytes written; released in any
 *        case
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM. The caller closes *@out.
 */
HP_MUST_USE enum hp_status hp_temp_copy_end(struct hp_sink *sink,
					    struct hp_source **out,
					    struct hp_error *err);

#endif
