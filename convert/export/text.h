/*
 * text.h - a dump in the ASCII format of the JVMTI agent
 */
#ifndef HP_CONVERT_EXPORT_TEXT_H
#define HP_CONVERT_EXPORT_TEXT_H

#include "common/sink/sink.h"
#include "convert/options.h"

struct hp_text_result {
	uint64_t missing; /* Strings whose array is not in the dump */
};

/**
 * hp_text_convert() - write @src to @sink as text; the sink is finished
 * @src: read four times, from its first byte, six with strings; must be
 *       rewindable, with strings seekable
 * @options: strings; half of the memory is for looking them up
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED (a table that
 *          is too long to be taken in); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_convert(struct hp_source *src, struct hp_sink *sink,
		const struct hp_convert_options *options,
		struct hp_text_result *result, struct hp_error *err);

#endif
