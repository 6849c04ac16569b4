/*
 * message.h - the exit status of the programs, and their messages and progress
 * on standard error
 */
#ifndef HP_CLI_MESSAGE_H
#define HP_CLI_MESSAGE_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/model/undescribed.h"

/* ----------------------------------------------------------------------
 * The exit status of the three programs
 */

#define HP_EXIT_OK 0
/*
 * The program found something: an error in a dump, a difference between dumps,
 * or a gate (--fail-if) that fails.
 */
#define HP_EXIT_FOUND 1
/*
 * The program could not do its work: wrong usage, or a file that could not be
 * read or written.
 */
#define HP_EXIT_TROUBLE 2

/* Returns the worse (larger) of two exit statuses. */
static inline int
hp_exit_worse(int a, int b)
{
	return a > b ? a : b;
}

/* ----------------------------------------------------------------------
 * The abilities of a terminal (colour, width), and the width of text
 */

/* The values of --color and --progress. */
enum hp_when {
	HP_AUTO,
	HP_ALWAYS,
	HP_NEVER,
};

enum hp_color {
	HP_COLOR_NONE,
	HP_COLOR_RED,	 /* for errors and for growth */
	HP_COLOR_GREEN,	 /* for good results, and for values that shrink */
	HP_COLOR_YELLOW, /* for warnings */
	HP_COLOR_CYAN,
	HP_COLOR_BOLD,
};

/*
 * Whether output to @file should be coloured. With HP_AUTO, output is coloured
 * if @file is a terminal, TERM is set and not "dumb", and NO_COLOR is unset or
 * empty (https://no-color.org).
 */
bool hp_color_wanted(enum hp_when when, FILE *file);

/*
 * hp_color_begin() and hp_color_end() return the escape sequences that begin
 * and end a colour; "" for HP_COLOR_NONE.
 */
const char *hp_color_begin(enum hp_color color);
const char *hp_color_end(enum hp_color color);

/*
 * Returns the width of @file in columns: the value of the environment variable
 * COLUMNS if it is a number from 20 to 10000, otherwise the width of the
 * terminal. Returns 0 if @file is not a terminal.
 */
unsigned hp_terminal_width(FILE *file);

/*
 * Open the descriptors 0 to 2 if they are closed. Otherwise the next file that
 * the program opens could get, for example, descriptor 2, and messages would be
 * written into this file. Reading from these descriptors and writing to them
 * still fails. Call this function before anything else.
 */
void hp_streams_guard(void);

/* Whether @file is a terminal on which a line can be overwritten. */
bool hp_terminal_live(FILE *file);

/**
 * hp_text_width() - the number of columns that a text needs
 *
 * The text is valid UTF-8 without control characters. East Asian wide and
 * full-width code points and emoji need 2 columns, combining and format
 * characters 0, and a byte that is not UTF-8 needs 1.
 *
 * Source: Unicode 14, East Asian Width and general categories Mn, Me, Cf
 */
size_t hp_text_width(const void *text, size_t len);

/*
 * Find the part of a text that fits into @columns columns of a terminal.
 * hp_text_head() returns the length in bytes of the longest beginning of the
 * text that fits. hp_text_tail() returns the offset of the first byte of the
 * longest end of the text that fits.
 */
size_t hp_text_head(const void *text, size_t len, size_t columns);
size_t hp_text_tail(const void *text, size_t len, size_t columns);

/* ----------------------------------------------------------------------
 * Print messages on standard error: `hprof-NAME: PATH: text`
 *
 * All text is escaped here, so callers pass names and paths unchanged, not in
 * the visible form of escape.h. Each message is one line, which is written with
 * one call.
 */

struct hp_progress;

enum hp_message_level {
	HP_MESSAGE_ERROR, /* an error; always shown */
	/*
	 * a warning about the result itself, for which the output format has no
	 * place; shown even with -q
	 */
	HP_MESSAGE_RESULT,
	/* a warning: the text begins with "warning: "; not shown with -q */
	HP_MESSAGE_WARNING,
	HP_MESSAGE_NOTE,   /* results and statistics; not shown with -q */
	HP_MESSAGE_DETAIL, /* details; only shown with -v */
};

struct hp_messages {
	const char *program; /* name of the program, such as "hprof-validate" */
	FILE *file;
	/*
	 * If not NULL, this buffer collects the messages, and nothing is
	 * printed. It is used while the program may still have to repeat its
	 * work, so that no message is printed twice. If it is not NULL, only
	 * one thread may print.
	 */
	struct hp_buf *held;
	bool quiet, verbose;
	/*
	 * the progress line, which is cleared before a message is printed;
	 * NULL: none
	 */
	struct hp_progress *progress;
	/*
	 * If not NULL, this buffer receives the text of the first error,
	 * without the path, in the visible form of escape.h. If it is not NULL,
	 * only one thread may print errors.
	 */
	struct hp_buf *first_error;
};

/**
 * hp_message() - print a message
 * @path: the file that the message is about; NULL: it is about no file; "-" is
 *        shown as "standard input"
 *
 * Any thread may call this.
 */
void hp_message(const struct hp_messages *m, enum hp_message_level level,
		const char *path, const char *fmt, ...) HP_PRINTF(4, 5);

/*
 * Print messages that another struct hp_messages has collected in its member
 * `held`, the buffer @lines. If @m itself collects messages, append them there.
 */
void hp_message_lines(const struct hp_messages *m, struct hp_buf *lines);

/* Print the failure @err of a library call as an error. */
void hp_message_failure(const struct hp_messages *m, const char *path,
			const struct hp_error *err);

/*
 * Append a sentence which says that the dump has objects with unknown fields,
 * because a class dump is missing. @u: the number of such objects and of their
 * classes. @so: the end of the sentence, which says what this means for the
 * result.
 */
void hp_undescribed_text(struct hp_buf *b, const struct hp_undescribed *u,
			 const char *so);

/*
 * Print the sentence of hp_undescribed_text(), which ends with @so, as a
 * warning. Prints nothing if @u counts 0 objects.
 */
void hp_message_undescribed(const struct hp_messages *m, const char *path,
			    const struct hp_undescribed *u, const char *so);

/*
 * Print which file of an archive (zip, tar) was read, and warn if the archive
 * contains further dumps.
 */
void hp_message_archives(const struct hp_messages *m, const char *path,
			 const struct hp_archive *archives, size_t n);

/*
 * Print that @bytes bytes of the object graph were stored in temporary files.
 * Prints nothing if @bytes is 0.
 */
void hp_message_graph_in_files(const struct hp_messages *m, const char *path,
			       uint64_t bytes);

/* ----------------------------------------------------------------------
 * Show on standard error how far the work is
 *
 * A separate thread calls a callback to get the progress, so the threads that
 * do the work need not call anything here. On a terminal the line is rewritten
 * in place, and cleared at the end. Elsewhere (--progress=always) a new line is
 * printed from time to time.
 */

struct hp_progress;
struct hp_source;

/*
 * A callback that returns how many bytes were processed so far, and the total
 * number of bytes (0: not known), as hp_source_progress() does. It is called on
 * the progress thread.
 */
typedef void hp_progress_fn(void *context, uint64_t *taken, uint64_t *total);

/**
 * hp_progress_start() - start the progress thread, if progress should be shown
 * @when:    with HP_AUTO, progress is shown if @file is a terminal, after one
 *           second
 * @program: the name at the beginning of the lines, such as "hprof-validate"
 *
 * Returns: NULL if nothing is to be shown, or if the thread cannot be started;
 *          every other function here accepts NULL.
 */
struct hp_progress *hp_progress_start(enum hp_when when, FILE *file,
				      const char *program);

/**
 * hp_progress_watch() - set the callback that returns the progress, and the
 *                       label to show
 * @fn:    the callback; NULL: show nothing. When this function returns, the
 *         previous callback is not running, so its context may be freed
 * @label: a path, copied and escaped; may be NULL
 */
void hp_progress_watch(struct hp_progress *p, hp_progress_fn *fn, void *context,
		       const char *label);

/* Like hp_progress_watch(), for the progress of a source. */
void hp_progress_watch_source(struct hp_progress *p, struct hp_source *source,
			      const char *label);

/*
 * Clear the progress line, so that something else can be printed. Any thread
 * may call this.
 */
void hp_progress_clear(struct hp_progress *p);

/* Clear the progress line, end the progress thread and free everything. */
void hp_progress_stop(struct hp_progress *p);

/**
 * hp_progress_line() - append the text of the progress line
 * @elapsed_ms: milliseconds since hp_progress_watch()
 * @columns:    the maximum width of the line; the label is shortened if
 *              necessary
 *
 * Example: "a.hprof: 1.2 GB of 4.0 GB, 30 %, 812.0 MB/s, 0:03 left"
 */
void hp_progress_line(struct hp_buf *b, const char *label, uint64_t taken,
		      uint64_t total, uint64_t elapsed_ms, size_t columns);

#endif
