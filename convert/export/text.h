/*
 * text.h - a dump in the ASCII format of the JVMTI agent
 */
#ifndef HP_CONVERT_EXPORT_TEXT_H
#define HP_CONVERT_EXPORT_TEXT_H

#include "common/io/sink.h"

/* What goes into it beyond the agent's. */
struct hp_text_options {
	unsigned threads;
	bool strings;	 /* the values of Strings; the source is seekable */
	uint64_t memory; /* that looking them up may take */
};

struct hp_text_result {
	uint64_t missing; /* Strings whose array is not in the dump */
};

/**
 * hp_text_convert() - write @src to @sink as text; the sink is finished
 * @src: read four times, from its first byte, six with strings; must be
 *       rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED (a table that
 *          is too long to be taken in); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_convert(struct hp_source *src, struct hp_sink *sink,
		const struct hp_text_options *options,
		struct hp_text_result *result, struct hp_error *err);

#endif
