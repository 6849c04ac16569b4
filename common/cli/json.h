/*
 * json.h - a streaming JSON writer
 *
 * Commas, indents and escapes are its own business; that objects and arrays
 * are closed in the right order is the caller's. Nothing depends on the
 * locale. Reading JSON is left to jansson.
 */
#ifndef HP_CLI_JSON_H
#define HP_CLI_JSON_H

#include "common/base/buf.h"

/* A tree of --why has 64 steps at most, and two levels for each. */
#define HP_JSON_DEPTH_MAX 256

enum hp_json_layout {
	HP_JSON_COMPACT, /* one line */
	HP_JSON_INDENT,	 /* two spaces a level, objects and arrays broken */
};

struct hp_json {
	struct hp_buf buf;
	FILE *file; /* NULL: everything stays in buf */
	enum hp_json_layout layout;
	unsigned depth; /* open objects and arrays */
	struct {
		bool filled;	     /* something stands there */
		bool flat;	     /* it is written on one line */
	} levels[HP_JSON_DEPTH_MAX]; /* by depth */
	bool after_key; /* a value is due, without comma or indent */
	bool too_deep;	/* the caller nested past HP_JSON_DEPTH_MAX */
	bool script;	/* for a script element of HTML: no '<', '>', '&' */
	struct hp_error err; /* the first failure to write */
};

/* Start; @file may be NULL. Ends with hp_json_finish(). */
void hp_json_init(struct hp_json *j, FILE *file, enum hp_json_layout layout);

/**
 * hp_json_finish() - end the last line, write what is left, free the buffer
 *
 * With a NULL file, take the bytes from j->buf first and do not call this;
 * hp_buf_release() is enough.
 * Returns: HP_OK; HP_NOMEM; HP_IO, from this call or an earlier write.
 */
HP_MUST_USE enum hp_status hp_json_finish(struct hp_json *j,
					  struct hp_error *err);

/*
 * End a line of NDJSON: the value at depth 0 is complete and the next one
 * follows. Writes to the file once enough has gathered.
 */
void hp_json_line(struct hp_json *j);

void hp_json_object(struct hp_json *j);
void hp_json_object_end(struct hp_json *j);
void hp_json_array(struct hp_json *j);
void hp_json_array_end(struct hp_json *j);

/* As above, but written on one line also when indenting: for short ones. */
void hp_json_object_flat(struct hp_json *j);
void hp_json_array_flat(struct hp_json *j);

/*
 * A key that the program itself names: plain ASCII without anything to
 * escape.
 */
void hp_json_key(struct hp_json *j, const char *key);

/* Values: in arrays, at depth 0, or after a key. */
void hp_json_u64(struct hp_json *j, uint64_t v);
void hp_json_i64(struct hp_json *j, int64_t v);
void hp_json_double(struct hp_json *j, double v); /* null if not finite */
void hp_json_bool(struct hp_json *j, bool v);
void hp_json_null(struct hp_json *j);
/* A C string, any bytes: the visible form. NULL becomes null. */
void hp_json_string(struct hp_json *j, const char *text);
/* A text of the program or of its user, also of several lines: reads back as it
 * is, except for bytes that are not UTF-8. */
void hp_json_lines(struct hp_json *j, const char *text, size_t len);
/* Text in the visible form already: its escapes stay as they are. */
void hp_json_visible(struct hp_json *j, const char *text, size_t len);
/* An array of numbers, on one line. */
void hp_json_put_u64s(struct hp_json *j, const char *key, const uint64_t *v,
		      size_t n);

/* A key and what comes behind it, in one call: @begin opens, @write has a
 * value. */
#define HP_JSON_PUT_BEGIN(name, begin)                                         \
	static inline void name(struct hp_json *j, const char *key)            \
	{                                                                      \
		hp_json_key(j, key);                                           \
		begin(j);                                                      \
	}
#define HP_JSON_PUT(name, write, type)                                         \
	static inline void name(struct hp_json *j, const char *key, type v)    \
	{                                                                      \
		hp_json_key(j, key);                                           \
		write(j, v);                                                   \
	}

HP_JSON_PUT_BEGIN(hp_json_put_object, hp_json_object)
HP_JSON_PUT_BEGIN(hp_json_put_object_flat, hp_json_object_flat)
HP_JSON_PUT_BEGIN(hp_json_put_array, hp_json_array)
HP_JSON_PUT_BEGIN(hp_json_put_array_flat, hp_json_array_flat)
HP_JSON_PUT(hp_json_put_u64, hp_json_u64, uint64_t)
HP_JSON_PUT(hp_json_put_i64, hp_json_i64, int64_t)
HP_JSON_PUT(hp_json_put_bool, hp_json_bool, bool)
HP_JSON_PUT(hp_json_put_string, hp_json_string, const char *)

static inline void
hp_json_put_visible(struct hp_json *j, const char *key, const char *text)
{
	hp_json_key(j, key);
	hp_json_visible(j, text, strlen(text));
}

#endif
