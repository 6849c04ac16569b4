/*
 * message.c - print messages: each message is one escaped line, written with
 * one call
 */
#include "common/cli/message.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"
#include "common/io/source.h"

#include <inttypes.h>

/* maximum size in bytes of a text or a path in a message */
#define HP_MESSAGE_MAX 4096
/* maximum size in bytes of a message that is printed when memory has run out */
#define HP_MESSAGE_SHORT 2048

static bool
is_shown(const struct hp_messages *m, enum hp_message_level level)
{
	switch (level) {
	case HP_MESSAGE_WARNING:
	case HP_MESSAGE_NOTE:
		return !m->quiet;
	case HP_MESSAGE_DETAIL:
		return m->verbose && !m->quiet;
	case HP_MESSAGE_ERROR:
	case HP_MESSAGE_RESULT:
		break;
	}
	return true;
}

/*
 * Build the line of a message. The text and the path are shortened to at most
 * @most bytes each.
 */
static void
format_line(const struct hp_messages *m, enum hp_message_level level,
	    const char *path, const struct hp_buf *text, size_t most,
	    struct hp_buf *line)
{
	hp_buf_text(line, m->program);
	hp_buf_text(line, ": ");
	if (path) {
		path = hp_shown_path(path);
		hp_text_clean_cut(line, path, strlen(path), most);
		hp_buf_text(line, ": ");
	}
	if (level == HP_MESSAGE_WARNING || level == HP_MESSAGE_RESULT)
		hp_buf_text(line, "warning: ");
	hp_text_clean_cut(line, text->data, text->len, most);
	hp_buf_byte(line, '\n');
}

void
hp_message_lines(const struct hp_messages *m, struct hp_buf *lines)
{
	if (m->held) {
		hp_buf_add(m->held, lines->data, lines->len);
		if (hp_buf_ok(m->held))
			return;
	}
	/*
	 * Print the messages now, because m->held is NULL, or has no memory to
	 * store the messages.
	 */
	flockfile(m->file);
	hp_progress_clear(m->progress);
	if (hp_buf_flush(lines, m->file, NULL) == HP_OK)
		fflush(m->file);
	funlockfile(m->file);
}

/*
 * Print a message although memory ran out. Text that does not fit into the
 * local buffers of this function is left out.
 */
static void
write_without_memory(const struct hp_messages *m, enum hp_message_level level,
		     const char *path, const char *fmt, va_list args)
{
	char room[HP_MESSAGE_SHORT], words[HP_MESSAGE_SHORT / 8];
	struct hp_buf line = hp_buf_over(room, sizeof(room)), text;
	int n = vsnprintf(words, sizeof(words), fmt, args);

	text = hp_buf_over(words, sizeof(words));
	text.len = n < 0 ? 0 : (size_t)n;
	if (text.len >= sizeof(words))
		text.len = sizeof(words) - 1;
	format_line(m, level, path, &text, sizeof(words), &line);
	if (!hp_buf_ok(&line)) {
		hp_buf_clear(&line);
		hp_buf_text(&line, "out of memory\n");
	}
	hp_message_lines(m, &line);
}

void
hp_message(const struct hp_messages *m, enum hp_message_level level,
	   const char *path, const char *fmt, ...)
{
	struct hp_buf line = {0}, text = {0};
	va_list args;

	if (!is_shown(m, level))
		return;
	va_start(args, fmt);
	hp_buf_vprintf(&text, fmt, args);
	va_end(args);
	if (level == HP_MESSAGE_ERROR && m->first_error &&
	    m->first_error->len == 0)
		hp_text_clean(m->first_error, text.data, text.len);
	format_line(m, level, path, &text, HP_MESSAGE_MAX, &line);
	if (hp_buf_ok(&text) && hp_buf_ok(&line)) {
		hp_message_lines(m, &line);
	} else {
		va_start(args, fmt);
		write_without_memory(m, level, path, fmt, args);
		va_end(args);
	}
	hp_buf_release(&line);
	hp_buf_release(&text);
}

void
hp_message_failure(const struct hp_messages *m, const char *path,
		   const struct hp_error *err)
{
	hp_message(m, HP_MESSAGE_ERROR, path, "%s",
		   err->text[0] ? err->text : "failed");
}

void
hp_message_graph_in_files(const struct hp_messages *m, const char *path,
			  uint64_t bytes)
{
	if (bytes > 0)
		hp_message(m, HP_MESSAGE_NOTE, path,
			   "the object graph does not fit in --memory: %" PRIu64
			   " MB of it were in temporary files",
			   (bytes >> 20) + 1);
}

void
hp_undescribed_text(struct hp_buf *b, const struct hp_undescribed *u,
		    const char *so)
{
	hp_buf_text(b, "no class dump describes fields of ");
	hp_count_noun_text(b, u->objects, "object");
	hp_buf_text(b, " of ");
	hp_count_text(b, u->classes);
	hp_buf_printf(b, " class%s: %s", u->classes == 1 ? "" : "es", so);
}

void
hp_message_undescribed(const struct hp_messages *m, const char *path,
		       const struct hp_undescribed *u, const char *so)
{
	struct hp_buf text = {0};

	if (u->objects == 0)
		return;
	hp_undescribed_text(&text, u, so);
	hp_message(m, HP_MESSAGE_WARNING, path, "%s", hp_buf_string(&text));
	hp_buf_release(&text);
}

/*
 * Append the names of all dumps in an archive except the first dump, such as
 * "'a', 'b' and 3 others".
 */
static void
add_further_dumps(struct hp_buf *b, const struct hp_archive *a)
{
	uint64_t named =
		a->dumps < HP_ARCHIVE_NAMES ? a->dumps : HP_ARCHIVE_NAMES;

	for (uint64_t i = 1; i < named; i++)
		hp_buf_printf(b, "%s'%s'", i > 1 ? ", " : "", a->names[i]);
	if (a->dumps > named)
		hp_buf_printf(b, " and %" PRIu64 " others", a->dumps - named);
}

void
hp_message_archives(const struct hp_messages *m, const char *path,
		    const struct hp_archive *archives, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct hp_archive *a = &archives[i];
		struct hp_buf b = {0};

		hp_message(m, HP_MESSAGE_NOTE, path,
			   "this is the dump '%s' in the archive", a->names[0]);
		if (a->dumps < 2)
			continue;
		add_further_dumps(&b, a);
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "only the first dump in the archive is read; not "
			   "%s",
			   hp_buf_string(&b));
		hp_buf_release(&b);
	}
}
