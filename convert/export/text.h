/*
 * text.h - export a dump in the text format of the JDK's hprof agent
 */
#ifndef HP_CONVERT_EXPORT_TEXT_H
#define HP_CONVERT_EXPORT_TEXT_H

#include "common/sink/sink.h"
#include "convert/options.h"

struct hp_text_result {
	uint64_t missing; /* number of Strings whose array is missing */
};

/**
 * hp_text_convert() - write @src to @sink as text, and finish the sink
 * @src: at its first byte; must be rewindable, and seekable with strings. It is
 *       read four times, six times with strings.
 * @options: strings applies. Half of the memory is used to look up their
 *           values.
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: a record is too
 *          long for the tables; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_convert(struct hp_source *src, struct hp_sink *sink,
		const struct hp_convert_options *options,
		struct hp_text_result *result, struct hp_error *err);

#endif
