/*
 * output.h - where a report goes: standard output, or a file that appears
 * whole or not at all
 *
 * For reports that are written through a FILE. Dumps, which are compressed and
 * read back, go to a sink directly.
 */
#ifndef HP_CLI_OUTPUT_H
#define HP_CLI_OUTPUT_H

#include <stdio.h>

#include "common/cli/message.h"
#include "common/sink/sink.h"

struct hp_output {
	FILE *file; /* write here; owned by the output */
	struct hp_sink *sink;
	struct hp_error err; /* what the sink said, behind the FILE */
};

struct hp_output_options {
	const char *path;    /* NULL or "-": standard output */
	bool force, sync;    /* as in hp_sink_options */
	char *const *inputs; /* paths that must not be overwritten */
	size_t input_count;
};

/**
 * hp_output_open() - start a report
 *
 * Returns: HP_OK; HP_IO: it exists and no force, is one of the inputs, or
 *          cannot be created; HP_NOMEM.
 * Ownership: ends with hp_output_close() or hp_output_abort().
 */
HP_MUST_USE enum hp_status
hp_output_open(struct hp_output *o, const struct hp_output_options *options,
	       struct hp_error *err);

/**
 * hp_output_close() - the report is complete: make it visible
 *
 * Everything that could not be written, at any time, shows here. Standard
 * output is closed, so that nothing is lost unseen.
 * Returns: HP_OK; HP_CLOSED: the reader of a pipe or socket is gone; HP_IO
 *          (disk full ...), HP_NOMEM: then no file is left behind.
 */
HP_MUST_USE enum hp_status hp_output_close(struct hp_output *o,
					   struct hp_error *err);

/* Throw the report away; a zeroed output is allowed. */
void hp_output_abort(struct hp_output *o);

/**
 * hp_output_end() - close a report, or abort it, and say what failed
 * @st:     HP_OK: it is complete; else why it is not, as @err says
 * @status: the exit code if it appears
 * @m:      where a failure is told; @path: what was to be written
 *
 * Where the reader of the output is gone, the process ends as
 * hp_signals_end_closed() says. Returns: @status; HP_EXIT_TROUBLE.
 */
int hp_output_end(struct hp_output *o, enum hp_status st, int status,
		  const struct hp_messages *m, const char *path,
		  struct hp_error *err);

/**
 * hp_output_is_input() - would writing to @path overwrite an input?
 * @path: NULL or "-" for standard output
 *
 * True if both are one regular file or one device, by whatever names.
 */
bool hp_output_is_input(const char *path, const char *input);

#endif
