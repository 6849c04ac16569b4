/*
 * json.c - a streaming JSON writer
 *
 * Text is collected in a buffer and written to the file in large pieces. The
 * first failure is kept until hp_json_finish() returns it.
 */
#include "common/cli/json.h"

#include "common/cli/escape.h"

#include <inttypes.h>

/* number of bytes of output that are collected before they are written */
#define HP_JSON_PIECE 65536

void
hp_json_init(struct hp_json *j, FILE *file, enum hp_json_layout layout)
{
	*j = (struct hp_json){.file = file, .layout = layout};
}

/*
 * Replace '<', '>' and '&' by escapes such as \u003c, so that the JSON cannot
 * end an HTML script element. These characters occur only in strings, where
 * JSON allows escapes.
 */
static void
escape_for_script(struct hp_json *j)
{
	struct hp_buf b = {0};

	for (size_t i = 0; i < j->buf.len; i++) {
		char c = j->buf.data[i];

		if (c == '<' || c == '>' || c == '&')
			hp_buf_printf(&b, "\\u%04x", (unsigned)c);
		else
			hp_buf_byte(&b, c);
	}
	hp_buf_inherit(&b, &j->buf);
	hp_buf_release(&j->buf);
	j->buf = b;
}

/*
 * Write the buffer to the file if it has at least @enough bytes. After a
 * failure the bytes are discarded.
 */
static void
drain_buffer(struct hp_json *j, size_t enough)
{
	if (!j->file || j->buf.len < enough)
		return;
	if (j->script)
		escape_for_script(j);
	hp_buf_drain(&j->buf, enough, j->file, &j->err);
}

static bool
is_filled(const struct hp_json *j)
{
	return j->depth < HP_JSON_DEPTH_MAX && j->levels[j->depth].filled;
}

static bool
is_flat(const struct hp_json *j)
{
	return j->depth < HP_JSON_DEPTH_MAX && j->levels[j->depth].flat;
}

static void
write_newline(struct hp_json *j)
{
	if (j->layout == HP_JSON_COMPACT)
		return;
	hp_buf_byte(&j->buf, '\n');
	hp_buf_fill(&j->buf, ' ', 2 * (size_t)j->depth);
}

/*
 * Write the characters that are needed before the next key or value: a comma, a
 * line break, an indent.
 */
static void
write_separator(struct hp_json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	bool filled = is_filled(j);
	bool flat = is_flat(j);
	if (filled && j->depth != 0)
		hp_buf_byte(&j->buf, ',');
	if (flat && filled && j->layout != HP_JSON_COMPACT)
		hp_buf_byte(&j->buf, ' ');
	if (!flat && j->depth != 0)
		write_newline(j);
	if (j->depth < HP_JSON_DEPTH_MAX)
		j->levels[j->depth].filled = true;
}

static void
open_bracket(struct hp_json *j, char bracket, bool flat)
{
	write_separator(j);
	hp_buf_byte(&j->buf, bracket);
	flat = flat || is_flat(j);
	j->depth++;
	if (j->depth >= HP_JSON_DEPTH_MAX) {
		j->too_deep = true;
		return;
	}
	j->levels[j->depth].filled = false;
	j->levels[j->depth].flat = flat;
}

static void
close_bracket(struct hp_json *j, char bracket)
{
	bool broken = is_filled(j) && !is_flat(j);

	if (j->depth == 0)
		return;
	j->depth--;
	if (broken)
		write_newline(j);
	hp_buf_byte(&j->buf, bracket);
	drain_buffer(j, HP_JSON_PIECE);
}

void
hp_json_object(struct hp_json *j)
{
	open_bracket(j, '{', false);
}

void
hp_json_object_flat(struct hp_json *j)
{
	open_bracket(j, '{', true);
}

void
hp_json_object_end(struct hp_json *j)
{
	close_bracket(j, '}');
}

void
hp_json_array(struct hp_json *j)
{
	open_bracket(j, '[', false);
}

void
hp_json_array_flat(struct hp_json *j)
{
	open_bracket(j, '[', true);
}

void
hp_json_array_end(struct hp_json *j)
{
	close_bracket(j, ']');
}

void
hp_json_line(struct hp_json *j)
{
	hp_buf_byte(&j->buf, '\n');
	j->levels[0].filled = false;
	drain_buffer(j, HP_JSON_PIECE);
}

enum hp_status
hp_json_finish(struct hp_json *j, struct hp_error *err)
{
	if (j->levels[0].filled)
		hp_buf_byte(&j->buf, '\n');
	drain_buffer(j, 0);
	if (j->too_deep && !j->buf.failed)
		hp_fail(&j->err, HP_LIMIT, "JSON nested too deeply");
	return hp_buf_finish(&j->buf, &j->err, err);
}

static void
write_colon(struct hp_json *j)
{
	hp_buf_text(&j->buf, j->layout == HP_JSON_COMPACT ? "\":" : "\": ");
	j->after_key = true;
}

void
hp_json_key(struct hp_json *j, const char *key)
{
	write_separator(j);
	hp_buf_byte(&j->buf, '"');
	hp_buf_text(&j->buf, key);
	write_colon(j);
}

void
hp_json_u64(struct hp_json *j, uint64_t v)
{
	write_separator(j);
	hp_buf_u64(&j->buf, v);
}

void
hp_json_i64(struct hp_json *j, int64_t v)
{
	write_separator(j);
	hp_buf_i64(&j->buf, v);
}

void
hp_json_double(struct hp_json *j, double v)
{
	write_separator(j);
	if (v - v != 0)
		hp_buf_text(&j->buf, "null");
	else
		hp_buf_double(&j->buf, v);
}

static void
write_raw(struct hp_json *j, const char *json)
{
	write_separator(j);
	hp_buf_text(&j->buf, json);
	drain_buffer(j, HP_JSON_PIECE);
}

void
hp_json_bool(struct hp_json *j, bool v)
{
	write_raw(j, v ? "true" : "false");
}

void
hp_json_null(struct hp_json *j)
{
	write_raw(j, "null");
}

/*
 * Write a string in quotes. @escape: the function of escape.h that appends the
 * contents.
 */
static void
write_quoted(struct hp_json *j,
	     void (*escape)(struct hp_buf *, const void *, size_t),
	     const void *text, size_t len)
{
	write_separator(j);
	hp_buf_byte(&j->buf, '"');
	escape(&j->buf, text, len);
	hp_buf_byte(&j->buf, '"');
}

void
hp_json_string(struct hp_json *j, const char *text)
{
	if (text)
		write_quoted(j, hp_escape_json, text, strlen(text));
	else
		hp_json_null(j);
}

void
hp_json_lines(struct hp_json *j, const char *text, size_t len)
{
	write_quoted(j, hp_escape_json_given, text, len);
}

void
hp_json_visible(struct hp_json *j, const char *text, size_t len)
{
	write_quoted(j, hp_escape_json_visible, text, len);
}

void
hp_json_put_id(struct hp_json *j, const char *key, uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, id);
	hp_json_put_string(j, key, text);
}

void
hp_json_put_u64s(struct hp_json *j, const char *key, const uint64_t *v,
		 size_t n)
{
	hp_json_put_array_flat(j, key);
	for (size_t i = 0; i < n; i++)
		hp_json_u64(j, v[i]);
	hp_json_array_end(j);
}

/* --- SARIF ---------------------------------------------------------------- */

void
hp_sarif_begin(struct hp_json *j, FILE *file, const char *program)
{
	hp_json_init(j, file, HP_JSON_INDENT);
	hp_json_object(j);
	hp_json_put_string(j, "$schema",
			   "https://json.schemastore.org/sarif-2.1.0.json");
	hp_json_put_string(j, "version", "2.1.0");
	hp_json_put_array(j, "runs");
	hp_json_object(j);
	hp_json_put_object(j, "tool");
	hp_json_put_object(j, "driver");
	hp_json_put_string(j, "name", program);
	hp_json_put_string(j, "version", HP_VERSION);
	hp_json_put_array(j, "rules");
}

void
hp_sarif_rules_end(struct hp_json *j)
{
	hp_json_array_end(j);
	hp_json_object_end(j);
	hp_json_object_end(j);
}

enum hp_status
hp_sarif_end(struct hp_json *j, struct hp_error *err)
{
	hp_json_object_end(j);
	hp_json_array_end(j);
	hp_json_object_end(j);
	return hp_json_finish(j, err);
}

void
hp_sarif_text(struct hp_json *j, const char *key, const char *text)
{
	hp_json_put_object_flat(j, key);
	hp_json_put_string(j, "text", text);
	hp_json_object_end(j);
}

void
hp_sarif_level(struct hp_json *j, const char *level)
{
	hp_json_put_object_flat(j, "defaultConfiguration");
	hp_json_put_string(j, "level", level);
	hp_json_object_end(j);
}

void
hp_sarif_uri(struct hp_json *j, const char *path, size_t n)
{
	struct hp_buf b = {0};

	hp_escape_uri(&b, path, n);
	hp_json_put_string(j, "uri", hp_buf_string(&b));
	hp_buf_inherit(&j->buf, &b);
	hp_buf_release(&b);
}
