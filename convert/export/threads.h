/*
 * threads.h - the threads of a dump and their stacks, as jstack prints them
 */
#ifndef HP_CONVERT_EXPORT_THREADS_H
#define HP_CONVERT_EXPORT_THREADS_H

#include "common/sink/sink.h"
#include "convert/options.h"

/* Numbers about the output of hp_threads_convert(), for the summary. */
struct hp_threads_result {
	uint64_t threads;
	uint64_t stacks; /* number of written threads with a stack */
	uint64_t states; /* number of written threads of known state */
};

/**
 * hp_threads_convert() - write the threads of a dump in the layout of jstack
 * @src: at its first byte; must be rewindable; it is read up to eight times
 *
 * Writes the threads of the chosen dump, or of the last one of the file. A
 * thread in which an OutOfMemoryError was thrown comes first, the others in
 * the order of the dump.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_threads_convert(struct hp_source *src, struct hp_sink *sink,
		   const struct hp_convert_options *options,
		   struct hp_threads_result *result, struct hp_error *err);

#endif
