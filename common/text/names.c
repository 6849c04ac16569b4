/*
 * names.c - give numbers to the names, classes, frames and traces of a text
 * dump, and write their records before the report that needs them
 *
 * Traces and allocation sites refer to a class by its name. The id of the class
 * is only in the heap dump, which comes later. So LOAD CLASS records, which
 * contain the id, are written as late as possible. If the text has no id for a
 * class, the class gets a made-up id.
 */
#include "common/text/internal.h"

#include "common/base/memory.h"
#include "common/model/java_string.h"
#include "common/text/text.h"
#include "common/text/lines/parse.h"

#include <string.h>

/* ---- escapes of hprof-convert --to=text ---- */

static int
hex_of(char c)
{
	return hp_hex_digit(c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c);
}

static void
put_point(struct hp_buf *b, uint32_t cp)
{
	if (cp >= 0x10000) {
		hp_java_unit_add(b, 0xD7C0 + (cp >> 10));
		hp_java_unit_add(b, 0xDC00 + (cp & 0x3FF));
	} else {
		hp_java_unit_add(b, cp);
	}
}

/*
 * Decode the escape \xNN at @p, which stands for a byte. Returns the length of
 * the escape; 0 if there is none.
 */
static size_t
escaped_byte(struct hp_buf *b, const char *p, size_t left)
{
	int high, low;

	if (left < 4 || p[1] != 'x')
		return 0;
	high = hex_of(p[2]);
	low = hex_of(p[3]);
	if (high < 0 || low < 0)
		return 0;
	hp_buf_byte(b, (char)(high << 4 | low));
	return 4;
}

/*
 * Decode the escape \u{N} at @p, which stands for a code point. Returns the
 * length of the escape; 0 if there is none.
 */
static size_t
escaped_point(struct hp_buf *b, const char *p, size_t left)
{
	uint32_t cp = 0;
	size_t n = 3;

	if (left < 5 || p[1] != 'u' || p[2] != '{')
		return 0;
	while (n < left && n < 9 && hex_of(p[n]) >= 0)
		cp = cp << 4 | (unsigned)hex_of(p[n++]);
	if (n == 3 || n == left || p[n] != '}' || cp > 0x10FFFF)
		return 0;
	put_point(b, cp);
	return n + 1;
}

/*
 * Convert a 4-byte UTF-8 sequence to modified UTF-8: two surrogates of 3 bytes
 * each. Returns 4; 0 if there is no such sequence at @p.
 */
static size_t
wide_point(struct hp_buf *b, const char *p, size_t left)
{
	const unsigned char *u = (const unsigned char *)p;

	if (left < 4 || (u[0] & 0xF8) != 0xF0)
		return 0;
	put_point(b, (u[0] & 7u) << 18 | (u[1] & 0x3Fu) << 12 |
			     (u[2] & 0x3Fu) << 6 | (u[3] & 0x3Fu));
	return 4;
}

/*
 * Undo the escapes of a name. Afterwards the name is the same as in the binary
 * dump from which hprof-convert made the text.
 */
static struct hp_slice
unescape(struct hp_text_records *r, struct hp_slice w)
{
	struct hp_buf *b = &r->scratch;
	size_t i = 0, n;

	hp_buf_clear(b);
	while (i < w.length) {
		const char *p = w.text + i;
		size_t left = w.length - i;

		n = *p == '\\' ? escaped_byte(b, p, left) : 0;
		if (n == 0 && *p == '\\')
			n = escaped_point(b, p, left);
		if (n == 0 && (unsigned char)*p >= 0xF0)
			n = wide_point(b, p, left);
		if (n == 0) {
			hp_buf_byte(b, *p);
			n = 1;
		}
		i += n;
	}
	return (struct hp_slice){b->data, b->len};
}

/* ---- texts ---- */

bool
hp_text_mark(struct hp_text_records *r, struct hp_vec *marks,
	     const struct hp_buf *b, struct hp_text_spot spot)
{
	return !r->options.place ||
	       HP_VEC_PUSH(marks, struct hp_text_mark, b->len, spot);
}

/*
 * Append a STRING record to the buffer @b. The buffer is written to the output
 * later. The text of the record is @before followed by @w. Returns false if out
 * of memory.
 */
static bool
string_waits(struct hp_text_records *r, struct hp_buf *b, struct hp_vec *marks,
	     uint64_t id, const char *before, struct hp_slice w)
{
	size_t n = strlen(before);

	if (!hp_text_mark(r, marks, b, hp_text_here(r)))
		return false;
	hp_append_record_head(b, HP_REC_STRING, 0,
			      r->model.id_size + n + w.length);
	hp_text_put_id(r, b, id);
	hp_buf_add(b, before, n);
	hp_buf_add(b, w.text, w.length);
	return hp_buf_ok(b);
}

uint32_t
hp_text_own_name(struct hp_text_records *r, const char *text, size_t length)
{
	bool fresh;
	uint32_t n = hp_intern_put(&r->texts, text, length, &fresh);

	if (n && fresh &&
	    (!hp_vec_add(&r->by_name, sizeof(uint32_t)) ||
	     !string_waits(r, &r->strings, &r->string_marks,
			   hp_text_string_id(n), "",
			   (struct hp_slice){text, length})))
		return 0;
	return n;
}

bool
hp_text_is_escaped(const struct hp_text_records *r, struct hp_slice w)
{
	for (size_t i = 0; r->ours && i < w.length; i++)
		if (w.text[i] == '\\' || (unsigned char)w.text[i] >= 0xF0)
			return true;
	return false;
}

uint32_t
hp_text_name(struct hp_text_records *r, struct hp_slice w)
{
	if (hp_text_is_escaped(r, w)) {
		w = unescape(r, w);
		if (!hp_buf_ok(&r->scratch))
			return 0;
	}
	return hp_text_own_name(r, w.text ? w.text : "", w.length);
}

bool
hp_text_carry(struct hp_text_records *r)
{
	struct hp_slice w = {r->line.text, r->line.length};

	if (r->ours)
		w = unescape(r, w);
	return hp_buf_ok(&r->scratch) &&
	       string_waits(r, &r->waiting, &r->marks,
			    HP_TEXT_CARRIED_IDS + ++r->carried, HP_TEXT_CARRIED,
			    w);
}

/* ---- classes ---- */

static uint32_t
new_class(struct hp_text_records *r, uint32_t name)
{
	uint32_t number = hp_text_shapes_add(&r->shapes);

	if ((r->classes.count == 0 &&
	     !HP_VEC_PUSH(&r->classes, struct hp_text_class, 0)) ||
	    !HP_VEC_PUSH(&r->classes, struct hp_text_class, .name = name))
		return 0;
	return number;
}

uint32_t
hp_text_class_named(struct hp_text_records *r, struct hp_slice name)
{
	uint32_t n = hp_text_name(r, name);
	uint32_t *class;

	if (!n)
		return 0;
	class = (uint32_t *)r->by_name.items + (n - 1);
	if (!*class)
		*class = new_class(r, n);
	return *class;
}

uint32_t
hp_text_class_known(const struct hp_text_records *r, uint64_t id)
{
	const uint64_t *v = hp_id_map_get(&r->by_id, id);

	return v ? (uint32_t)*v : 0;
}

uint32_t
hp_text_class_of(struct hp_text_records *r, uint64_t id, struct hp_slice name)
{
	uint32_t number = hp_text_class_known(r, id), text;
	struct hp_text_class *c;
	uint64_t *place;

	if (number)
		return number;
	number = hp_text_class_named(r, name);
	if (!number)
		return 0;
	c = hp_text_class(r, number);
	/*
	 * The class with this name already has another id. So this is another
	 * class with the same name.
	 */
	if (c->has_id || c->loaded) {
		text = c->name;
		number = new_class(r, text);
		if (!number)
			return 0;
		((uint32_t *)r->by_name.items)[text - 1] = number;
		c = hp_text_class(r, number);
	}
	place = hp_id_map_put(&r->by_id, id, NULL);
	if (!place)
		return 0;
	*place = number;
	c->id = id;
	c->has_id = true;
	return number;
}

static void
load_waits(struct hp_text_records *r, uint32_t number, struct hp_buf *b)
{
	struct hp_text_class *c = hp_text_class(r, number);
	uint64_t base = r->model.id_size == 8 ? HP_TEXT_CLASS_IDS << 32
					      : HP_TEXT_CLASS_IDS;

	if (!c->has_id)
		c->id = base + ++r->made_up;
	c->loaded = true;
	hp_append_record_head(b, HP_REC_LOAD_CLASS, 0,
			      8 + 2 * r->model.id_size);
	hp_append_uint(b, number, 4);
	hp_text_put_id(r, b, c->id);
	hp_append_uint(b, c->trace, 4);
	hp_text_put_id(r, b, hp_text_string_id(c->name));
}

/* ---- frames ---- */

static void
frame_waits(struct hp_text_records *r, uint32_t number,
	    const struct hp_text_frame_key *k)
{
	struct hp_buf *b = &r->waiting;

	hp_append_record_head(b, HP_REC_STACK_FRAME, 0,
			      8 + 4 * r->model.id_size);
	hp_text_put_id(r, b, hp_text_frame_id(number));
	hp_text_put_id(r, b, hp_text_string_id(k->method));
	hp_text_put_id(r, b, hp_text_string_id(k->signature));
	hp_text_put_id(r, b, hp_text_string_id(k->source));
	hp_append_uint(b, k->class, 4);
	hp_append_uint(b, (uint32_t)k->line, 4);
}

uint32_t
hp_text_frame(struct hp_text_records *r, const struct hp_text_frame_key *key)
{
	bool fresh;
	uint32_t n = hp_intern_put(&r->frames, (const char *)key, sizeof(*key),
				   &fresh);

	if (!fresh)
		return n;
	if (!hp_text_mark(r, &r->marks, &r->waiting, hp_text_here(r)))
		return 0;
	frame_waits(r, n, key);
	return n;
}

/* ---- records that wait ---- */

static void
tell_places(const struct hp_text_records *r, struct hp_vec *marks)
{
	const struct hp_text_mark *m = marks->items;

	for (size_t i = 0; i < marks->count; i++)
		hp_text_place(r, r->total + m[i].at, &m[i].spot);
	marks->count = 0;
}

bool
hp_text_flush(struct hp_text_records *r)
{
	struct hp_buf loads = {0};
	bool fine = hp_buf_ok(&r->strings) && hp_buf_ok(&r->waiting);

	for (uint32_t i = r->flushed; i < r->classes.count; i++)
		if (i > 0)
			load_waits(r, i, &loads);
	r->flushed = (uint32_t)r->classes.count;
	tell_places(r, &r->string_marks);
	hp_text_out(r, r->strings.data, r->strings.len);
	hp_text_out(r, loads.data, loads.len);
	tell_places(r, &r->marks);
	hp_text_out(r, r->waiting.data, r->waiting.len);
	fine = fine && hp_buf_ok(&loads);
	hp_buf_release(&loads);
	hp_buf_clear(&r->strings);
	hp_buf_clear(&r->waiting);
	return fine;
}

/* ---- traces ---- */

enum { USED = 1, PRINTED = 2 };

bool
hp_text_use_trace(struct hp_text_records *r, uint32_t serial)
{
	uint64_t *place;

	if (serial == 0)
		return true;
	place = hp_id_map_put(&r->traces, serial, NULL);
	if (!place)
		return false;
	if (*place & (USED | PRINTED))
		return true;
	*place |= USED;
	return HP_VEC_PUSH(&r->uses, struct hp_text_use, serial,
			   hp_text_here(r));
}

bool
hp_text_print_trace(struct hp_text_records *r, uint32_t serial)
{
	const struct hp_text_spot here = hp_text_here(r);
	uint64_t *place = hp_id_map_put(&r->traces, serial, NULL);

	if (!place)
		return false;
	if (*place & PRINTED)
		hp_text_tell(r, HP_TEXT_ODD_TRACE_AGAIN, &here, serial, 0);
	*place |= PRINTED;
	return true;
}

void
hp_text_check_traces(struct hp_text_records *r)
{
	const struct hp_text_use *uses = r->uses.items;

	for (size_t i = 0; i < r->uses.count; i++) {
		const uint64_t *v = hp_id_map_get(&r->traces, uses[i].serial);

		if (v && !(*v & PRINTED))
			hp_text_tell(r, HP_TEXT_ODD_TRACE, &uses[i].spot,
				     uses[i].serial, 0);
	}
}

void
hp_text_names_release(struct hp_text_records *r)
{
	hp_intern_release(&r->texts);
	hp_intern_release(&r->frames);
	hp_text_shapes_release(&r->shapes);
	hp_id_map_release(&r->by_id);
	hp_id_map_release(&r->traces);
	hp_buf_release(&r->scratch);
	hp_buf_release(&r->strings);
	hp_buf_release(&r->waiting);
	hp_free(r->by_name.items);
	hp_free(r->classes.items);
	hp_free(r->uses.items);
	hp_free(r->string_marks.items);
	hp_free(r->marks.items);
}
