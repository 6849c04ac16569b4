/*
 * message.h - print messages on standard error: `hprof-NAME: PATH: text`
 *
 * All text is escaped here, so callers pass names and paths unchanged (not in
 * the visible form). Every message is one line and one write.
 */
#ifndef HP_CLI_MESSAGE_H
#define HP_CLI_MESSAGE_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/model/undescribed.h"

struct hp_progress;

enum hp_message_level {
	HP_MESSAGE_ERROR, /* always shown */
	/*
	 * A warning that belongs to the result, but the output format has no
	 * place for it. Shown also with -q.
	 */
	HP_MESSAGE_RESULT,
	HP_MESSAGE_WARNING, /* begins with "warning: "; not shown with -q */
	HP_MESSAGE_NOTE,    /* results and statistics; not shown with -q */
	HP_MESSAGE_DETAIL,  /* shown only with -v */
};

struct hp_messages {
	const char *program; /* "hprof-validate" */
	FILE *file;
	/*
	 * Receives the messages instead of the file, for a run that may be
	 * repeated. NULL: none. If set, only one thread may print.
	 */
	struct hp_buf *held;
	bool quiet, verbose;
	/* its line is cleared before a message; or NULL */
	struct hp_progress *progress;
	/*
	 * Receives the text of the first error, without the path, in the
	 * visible form. NULL: not kept. If set, only one thread may print
	 * errors.
	 */
	struct hp_buf *first_error;
};

/**
 * hp_message() - print a message
 * @path: the file it is about; NULL: none; "-" is shown as "standard input"
 *
 * Any thread may call this.
 */
void hp_message(const struct hp_messages *m, enum hp_message_level level,
		const char *path, const char *fmt, ...) HP_PRINTF(4, 5);

/* Print the failure @err of a library call as an error. */
void hp_message_failure(const struct hp_messages *m, const char *path,
			const struct hp_error *err);

/*
 * Append that no class dump describes fields of these objects. @so: the
 * consequence for the result.
 */
void hp_undescribed_text(struct hp_buf *b, const struct hp_undescribed *u,
			 const char *so);

/* Print the same as a warning. Prints nothing for 0 objects. */
void hp_message_undescribed(const struct hp_messages *m, const char *path,
			    const struct hp_undescribed *u, const char *so);

/* Print which member of an archive was read, and warn if it has more dumps. */
void hp_message_archives(const struct hp_messages *m, const char *path,
			 const struct hp_archive *archives, size_t n);

/*
 * Print a note that @bytes of the object graph were in temporary files. Prints
 * nothing for 0.
 */
void hp_message_graph_in_files(const struct hp_messages *m, const char *path,
			       uint64_t bytes);

#endif
