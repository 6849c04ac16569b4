/*
 * message.h - messages on standard error: `hprof-NAME: PATH: text`
 *
 * All text is escaped here, so callers hand over names and paths as they are
 * (not in the visible form). Every message is one line and one write.
 */
#ifndef HP_CLI_MESSAGE_H
#define HP_CLI_MESSAGE_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/model/undescribed.h"

struct hp_progress;

enum hp_message_level {
	HP_MESSAGE_ERROR,   /* always shown */
	HP_MESSAGE_RESULT,  /* what belongs to the result, whose format has no
			       place for it: a warning, also with -q */
	HP_MESSAGE_WARNING, /* "warning: " in front; not with -q */
	HP_MESSAGE_NOTE,    /* results and statistics; not with -q */
	HP_MESSAGE_DETAIL,  /* with -v only */
};

struct hp_messages {
	const char *program; /* "hprof-validate" */
	FILE *file;
	bool quiet, verbose;
	struct hp_progress *progress; /* its line is cleared first; or NULL */
	/* the first error's text, without the path, in the visible form; NULL:
	   not kept. The messages of one thread only */
	struct hp_buf *first_error;
};

/**
 * hp_message() - print a message
 * @path: what it is about; NULL: nothing in particular; "-" reads "standard
 *	  input"
 *
 * Any thread may call it.
 */
void hp_message(const struct hp_messages *m, enum hp_message_level level,
		const char *path, const char *fmt, ...) HP_PRINTF(4, 5);

/* The failure that a library call left, as an error. */
void hp_message_failure(const struct hp_messages *m, const char *path,
			const struct hp_error *err);

/* That no class dump describes fields of these objects, and @so: what follows
 * for the result. */
void hp_undescribed_text(struct hp_buf *b, const struct hp_undescribed *u,
			 const char *so);

/* The same as a warning; none of 0 objects. */
void hp_message_undescribed(const struct hp_messages *m, const char *path,
			    const struct hp_undescribed *u, const char *so);

/* Notes which member of an archive was read, warns of further dumps in it. */
void hp_message_archives(const struct hp_messages *m, const char *path,
			 const struct hp_archive *archives, size_t n);

/* A note that so many bytes of an object graph were in files; none of 0. */
void hp_message_graph_in_files(const struct hp_messages *m, const char *path,
			       uint64_t bytes);

#endif
