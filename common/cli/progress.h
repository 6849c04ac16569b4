/*
 * progress.h - one line on standard error that says how far the work is
 *
 * A thread of its own looks at the work now and then through a callback, so
 * the work is not disturbed: it calls nothing here. On a terminal the line is
 * rewritten in place and cleared at the end; elsewhere (--progress=always) it
 * is printed anew now and then.
 */
#ifndef HP_CLI_PROGRESS_H
#define HP_CLI_PROGRESS_H

#include "common/cli/terminal.h"

struct hp_progress;
struct hp_source;

/*
 * How far is it? Bytes taken and bytes in all (0: not known), as
 * hp_source_progress() gives them. Called from the progress thread.
 */
typedef void hp_progress_fn(void *context, uint64_t *taken, uint64_t *total);

/**
 * hp_progress_start() - start the thread, if anything is to be shown
 * @when:    auto: @file is a terminal, and nothing is shown in the first second
 * @program: "hprof-validate": begins the lines
 *
 * Returns: NULL if nothing is to be shown or the thread could not be had;
 *          every other function here takes NULL.
 */
struct hp_progress *hp_progress_start(enum hp_when when, FILE *file,
				      const char *program);

/**
 * hp_progress_watch() - what to look at from now on
 * @fn:    NULL: nothing; when the call returns, the last one is not running
 *	   any more, so its context may be freed
 * @label: a path; copied and escaped; may be NULL
 */
void hp_progress_watch(struct hp_progress *p, hp_progress_fn *fn, void *context,
		       const char *label);

/* The same of a source. */
void hp_progress_watch_source(struct hp_progress *p, struct hp_source *source,
			      const char *label);

/* Clear the line so that something else can be printed. Any thread may call. */
void hp_progress_clear(struct hp_progress *p);

/* Clear the line, end the thread, free it. */
void hp_progress_stop(struct hp_progress *p);

/**
 * hp_progress_line() - the text of the line
 * @elapsed_ms: since the watch began
 * @columns:    what it may take; the label is shortened
 *
 * "a.hprof: 1.2 GB of 4.0 GB, 30 %, 812.0 MB/s, 0:03 left"
 */
void hp_progress_line(struct hp_buf *b, const char *label, uint64_t taken,
		      uint64_t total, uint64_t elapsed_ms, size_t columns);

#endif
