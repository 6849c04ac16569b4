/*
 * temp_copy.c - copy a pipe to a temporary file, and open a temporary file as
 * input
 */
#include "convert/copy/copy.h"
#include "common/base/memory.h"

#include "convert/copy/ordered_pass.h"

enum hp_status
hp_temp_copy_end(struct hp_sink *sink, struct hp_source **out,
		 struct hp_error *err)
{
	/*
	 * raw: the data in the file is not compressed, so do not decompress it.
	 * digest: allow the caller to ask for a hash of the file.
	 */
	const struct hp_source_options so = {.raw = true, .digest = true};
	enum hp_status st = hp_sink_finish(sink, err);

	*out = NULL;
	if (st == HP_OK)
		st = hp_sink_reopen(sink, out, &so, err);
	hp_sink_abort(sink);
	return st;
}

enum hp_status
hp_temp_copy(struct hp_source *src, struct hp_source **out,
	     struct hp_error *err)
{
	struct hp_sink *sink;
	uint8_t *buf = hp_malloc(HP_IO_STEP);
	enum hp_status st;
	size_t got = HP_IO_STEP;

	*out = NULL;
	if (!buf)
		return hp_no_memory(err);
	st = hp_sink_open_temporary(&sink, err);
	while (st == HP_OK && got == HP_IO_STEP) {
		st = hp_source_read(src, buf, HP_IO_STEP, &got, err);
		if (st == HP_OK)
			st = hp_sink_write(sink, buf, got, err);
	}
	hp_free(buf);
	if (st == HP_OK)
		return hp_temp_copy_end(sink, out, err);
	hp_sink_abort(sink);
	return st;
}

enum hp_status
hp_temp_copy_checked(struct hp_source *src, struct hp_source **out,
		     struct hp_error *err)
{
	enum hp_status st = hp_temp_copy(src, out, err);

	return st == HP_OK ? hp_framing_compression(src, err) : st;
}
