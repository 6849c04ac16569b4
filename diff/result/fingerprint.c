/*
 * fingerprint.c - compute the fingerprint of a path, by which the path is
 * recognised in another run of the program
 *
 * A fingerprint is a hash of the names of some steps of the path.
 */
#include "diff/result/known.h"

#include "common/base/bytes.h"
#include "diff/leaks/leaks.h"
#include "diff/paths/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* A step of a path as text, for example "EventBus.listeners". */
struct step {
	const char *text;
	size_t len;
};

/*
 * Read the next step of a path, and move *@at after the arrow that follows it.
 * Returns false at the end.
 */
static bool
next_step(const char **at, struct step *s)
{
	const char *arrow;

	if (!*at || **at == '\0')
		return false;
	arrow = strstr(*at, HP_ROW_ARROW);
	s->text = *at;
	s->len = arrow ? (size_t)(arrow - *at) : strlen(*at);
	*at = arrow ? arrow + strlen(HP_ROW_ARROW) : NULL;
	return true;
}

/*
 * Remove the word for a root and the name of a thread from a step, so that only
 * the class and the field are left: `thread "main" com.acme.Task.queue` becomes
 * "com.acme.Task.queue".
 */
static struct step
without_root(struct step s)
{
	size_t end = s.len, at;

	if (hp_ends_with(s.text, s.len, HP_ROW_STATIC))
		end -= strlen(HP_ROW_STATIC);
	at = end;
	while (at > 0 && s.text[at - 1] != ' ')
		at--;
	return (struct step){s.text + at, end - at};
}

static bool
is_of_application(struct step s)
{
	char name[64];
	size_t n;

	s = without_root(s);
	n = s.len < sizeof(name) - 1 ? s.len : sizeof(name) - 1;
	memcpy(name, s.text, n);
	name[n] = '\0';
	return hp_class_origin_by_name(name) == HP_CLASS_OF_APPLICATION;
}

/* Append a complete step, but replace numbers in the name of a thread. */
static void
add_whole_step(struct hp_buf *b, struct step s)
{
	size_t before = (size_t)(without_root(s).text - s.text);
	struct hp_buf root = {0};

	hp_buf_add(&root, s.text, before);
	hp_thread_pool_name(b, hp_buf_string(&root));
	hp_buf_add(b, s.text + before, s.len - before);
	hp_buf_inherit(b, &root);
	hp_buf_release(&root);
}

/*
 * Append the steps of the path that are in classes of the application, or all
 * steps if @all is true, each followed by a line feed. Returns the number of
 * steps that were appended.
 */
static size_t
add_steps(struct hp_buf *b, const char *path, bool all)
{
	struct step s;
	size_t n = 0;

	while (next_step(&path, &s)) {
		if (!all && !is_of_application(s))
			continue;
		if (all)
			add_whole_step(b, s);
		else
			hp_buf_add(b, without_root(s).text,
				   without_root(s).len);
		hp_buf_byte(b, '\n');
		n++;
	}
	return n;
}

struct hp_fingerprint
hp_fingerprint_text(const char *text, size_t length)
{
	struct hp_fingerprint f;

	snprintf(f.text, sizeof(f.text), "%016" PRIx64,
		 (uint64_t)XXH3_64bits(text, length));
	return f;
}

struct hp_fingerprint
hp_fingerprint_finding(const char *id)
{
	return hp_fingerprint_text(id, strlen(id));
}

static enum hp_status
set_hash(struct hp_fingerprint *f, struct hp_buf *b, struct hp_error *err)
{
	*f = hp_fingerprint_text(hp_buf_string(b), hp_buf_length(b));
	return hp_buf_ok(b) ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_fingerprint_path(struct hp_fingerprint *f, const char *path,
		    const char *element, struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st;

	if (add_steps(&b, path, false) == 0) {
		(void)add_steps(&b, path, true);
		hp_buf_text(&b, element ? element : "");
	}
	st = set_hash(f, &b, err);
	hp_buf_release(&b);
	return st;
}

enum hp_status
hp_fingerprint_end(struct hp_fingerprint *f, const char *path,
		   struct hp_error *err)
{
	struct step s, end = {path, strlen(path)};
	struct hp_buf b = {0};
	enum hp_status st;

	for (const char *at = path; next_step(&at, &s);)
		if (is_of_application(s))
			end = without_root(s);
	hp_buf_add(&b, end.text, end.len);
	st = set_hash(f, &b, err);
	hp_buf_release(&b);
	return st;
}
