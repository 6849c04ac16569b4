/*
 * progress.h - show on standard error how far the work is
 *
 * A separate thread asks for the progress through a callback, so the work
 * itself need not call anything here. On a terminal the line is rewritten in
 * place, and cleared at the end. Elsewhere (--progress=always) a new line is
 * printed from time to time.
 */
#ifndef HP_CLI_PROGRESS_H
#define HP_CLI_PROGRESS_H

#include "common/cli/terminal.h"

struct hp_progress;
struct hp_source;

/*
 * A callback that returns the bytes processed and the total number of bytes (0:
 * unknown), as hp_source_progress() does. Called on the progress thread.
 */
typedef void hp_progress_fn(void *context, uint64_t *taken, uint64_t *total);

/**
 * hp_progress_start() - start the thread, if progress is to be shown
 * @when:    auto shows progress if @file is a terminal, after one second
 * @program: the name at the beginning of the lines, "hprof-validate"
 *
 * Returns: NULL if nothing is to be shown, or if the thread cannot be started;
 *          every other function here accepts NULL.
 */
struct hp_progress *hp_progress_start(enum hp_when when, FILE *file,
				      const char *program);

/**
 * hp_progress_watch() - set the callback and the label to show
 * @fn:    NULL: show nothing. When this function returns, the previous callback
 *         is not running any more, so its context may be freed
 * @label: a path, copied and escaped; may be NULL
 */
void hp_progress_watch(struct hp_progress *p, hp_progress_fn *fn, void *context,
		       const char *label);

/* Like hp_progress_watch(), for the progress of a source. */
void hp_progress_watch_source(struct hp_progress *p, struct hp_source *source,
			      const char *label);

/*
 * Clear the line, so that something else can be printed. Any thread may call
 * this.
 */
void hp_progress_clear(struct hp_progress *p);

/* Clear the line, end the thread and free everything. */
void hp_progress_stop(struct hp_progress *p);

/**
 * hp_progress_line() - append the text of the line
 * @elapsed_ms: ms since the watch began
 * @columns:    the maximum width; the label is shortened if necessary
 *
 * Example: "a.hprof: 1.2 GB of 4.0 GB, 30 %, 812.0 MB/s, 0:03 left"
 */
void hp_progress_line(struct hp_buf *b, const char *label, uint64_t taken,
		      uint64_t total, uint64_t elapsed_ms, size_t columns);

#endif
