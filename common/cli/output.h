/*
 * output.h - the destination of a report: standard output or a file
 *
 * An output file appears under its name only when it is complete. The functions
 * here are for reports, which are written through a FILE. Programs write dumps,
 * which are compressed and read back, directly to a sink (sink.h).
 */
#ifndef HP_CLI_OUTPUT_H
#define HP_CLI_OUTPUT_H

#include <stdio.h>

#include "common/cli/message.h"
#include "common/sink/sink.h"

struct hp_output {
	/* the stream to which the report is written; closed with the output */
	FILE *file;
	struct hp_sink *sink;
	struct hp_error err;
};

struct hp_output_options {
	/* path of the output; NULL or "-": standard output */
	const char *path;
	/* `force`: replace an existing file; `sync`: call fsync() at the end */
	bool force, sync;
	char *const *inputs; /* input paths, which must not be overwritten */
	size_t input_count;
};

/**
 * hp_output_open() - start a report
 *
 * Returns: HP_OK; HP_IO if the file exists without force, is one of the inputs,
 *          or cannot be created; HP_NOMEM.
 * Ownership: ends with hp_output_close() or hp_output_abort().
 */
HP_MUST_USE enum hp_status
hp_output_open(struct hp_output *o, const struct hp_output_options *options,
	       struct hp_error *err);

/**
 * hp_output_flush() - write out a part of a report that ends with a line
 *
 * Call this function before messages are printed, which may go to the same log.
 * In the middle of a line of the report, a message would make the rest of this
 * line, for example the name of a class, look like a line of its own, and a CI
 * runner executes some lines.
 *
 * Returns: HP_OK; the failures of hp_output_close().
 */
HP_MUST_USE enum hp_status hp_output_flush(FILE *file, struct hp_error *err);

/**
 * hp_output_close() - complete the report and make the file visible
 *
 * Reports every earlier failure to write. If the report goes to standard
 * output, the function closes standard output, because some failures are
 * reported only then.
 *
 * Returns: HP_OK; HP_CLOSED if the reader of a pipe or socket has closed it;
 *          HP_IO, for example if the disk is full; HP_NOMEM. After a failure no
 *          file is left.
 */
HP_MUST_USE enum hp_status hp_output_close(struct hp_output *o,
					   struct hp_error *err);

/* Discard the report. A zeroed output is allowed. */
void hp_output_abort(struct hp_output *o);

/**
 * hp_output_end() - close a complete report or discard an incomplete one, and
 * print the failure, if there was one
 * @st:     HP_OK if the report is complete; otherwise the failure that the
 *          program had, with its text in @err
 * @status: the exit status if the report succeeds
 * @m:      prints the failure
 * @path:   the path of the output, for the message
 *
 * If the reader of the output has closed it, the process ends; see
 * hp_signals_end_closed().
 *
 * Returns: @status; HP_EXIT_TROUBLE after a failure.
 */
int hp_output_end(struct hp_output *o, enum hp_status st, int status,
		  const struct hp_messages *m, const char *path,
		  struct hp_error *err);

/**
 * hp_output_is_input() - whether writing to @path would overwrite an input
 * @path: NULL or "-" for standard output
 *
 * Returns: true if both are the same regular file or the same device, even with
 *          different names.
 */
bool hp_output_is_input(const char *path, const char *input);

#endif
