/* json.h - write JSON, and read the text of a JSON file */
#ifndef HP_CLI_JSON_H
#define HP_CLI_JSON_H

#include "common/base/buf.h"
#include "common/io/source.h"

#include <jansson.h>

/* ----------------------------------------------------------------------
 * A streaming JSON writer
 *
 * The writer adds commas, indents and escapes. The caller must close objects
 * and arrays in the right order. The output does not depend on the locale.
 * Reading JSON is left to jansson.
 */

/*
 * Maximum depth of nested objects and arrays. The deepest output is the tree of
 * --why: it has at most 64 steps, with two levels for each step.
 */
#define HP_JSON_DEPTH_MAX 256

enum hp_json_layout {
	HP_JSON_COMPACT, /* the whole JSON is on one line */
	HP_JSON_INDENT,	 /* two spaces per level, one element per line */
};

struct hp_json {
	struct hp_buf buf;
	/*
	 * The file to which the JSON is written. NULL: the JSON stays in the
	 * buffer `buf`.
	 */
	FILE *file;
	enum hp_json_layout layout;
	unsigned depth; /* number of open objects and arrays */
	struct {
		/* the object or array at this level has at least one element */
		bool filled;
		/* the object or array at this level is written on one line */
		bool flat;
		/* one entry for each open object or array */
	} levels[HP_JSON_DEPTH_MAX];
	/*
	 * The last thing that was written is a key. So the next value gets no
	 * comma and no indent.
	 */
	bool after_key;
	bool too_deep; /* the JSON was nested deeper than HP_JSON_DEPTH_MAX */
	/*
	 * The JSON is inside an HTML script element. So '<', '>' and '&' are
	 * escaped.
	 */
	bool script;
	struct hp_error err; /* the first error while writing the JSON */
};

/*
 * Start a JSON writer. @file may be NULL: then the JSON stays in j->buf. End
 * with hp_json_finish().
 */
void hp_json_init(struct hp_json *j, FILE *file, enum hp_json_layout layout);

/**
 * hp_json_finish() - end the last line, write the remaining text, and free the
 *                    buffer
 *
 * If the file is NULL, take the bytes from j->buf and call hp_buf_release()
 * instead.
 *
 * Returns: HP_OK; HP_NOMEM or HP_IO, if this write or an earlier one has
 * failed.
 */
HP_MUST_USE enum hp_status hp_json_finish(struct hp_json *j,
					  struct hp_error *err);

/*
 * End a line of NDJSON, where each line is one value. The value must be
 * complete; another one may follow. Writes the buffer to the file if it is
 * large enough.
 */
void hp_json_line(struct hp_json *j);

void hp_json_object(struct hp_json *j);
void hp_json_object_end(struct hp_json *j);
void hp_json_array(struct hp_json *j);
void hp_json_array_end(struct hp_json *j);

/*
 * Like hp_json_object() and hp_json_array(), but for short objects and arrays,
 * which are always written on one line.
 */
void hp_json_object_flat(struct hp_json *j);
void hp_json_array_flat(struct hp_json *j);

/*
 * Write the key of a member. It is a text of the program: plain ASCII that
 * needs no escapes.
 */
void hp_json_key(struct hp_json *j, const char *key);

/*
 * This function and the following ones write a value: after a key, as an
 * element of an array, or as the outermost value.
 */
void hp_json_u64(struct hp_json *j, uint64_t v);
void hp_json_i64(struct hp_json *j, int64_t v);
/*
 * Write a number. Infinity and NaN, which JSON does not have, are written as
 * null.
 */
void hp_json_double(struct hp_json *j, double v);
void hp_json_bool(struct hp_json *j, bool v);
void hp_json_null(struct hp_json *j);
/*
 * Write a C string, which may contain any bytes, in the visible form of
 * escape.h. NULL is written as null.
 */
void hp_json_string(struct hp_json *j, const char *text);
/*
 * Write a text of the program or its user, which may have several lines. A JSON
 * parser returns exactly this text, except for bytes that are not UTF-8.
 */
void hp_json_lines(struct hp_json *j, const char *text, size_t len);
/*
 * Write a text that escape.h has already escaped (the visible form). Its
 * escapes are not escaped again.
 */
void hp_json_visible(struct hp_json *j, const char *text, size_t len);
/* Write a key and an array of numbers, on one line. */
void hp_json_put_u64s(struct hp_json *j, const char *key, const uint64_t *v,
		      size_t n);

/*
 * Define a function that writes a key and then its value. @begin: the function
 * that opens an object or array. @write: the function that writes the value.
 */
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

/*
 * Write an object id as a text such as "0x7f00", because JSON numbers may lose
 * its low bits.
 */
void hp_json_put_id(struct hp_json *j, const char *key, uint64_t id);

static inline void
hp_json_put_visible(struct hp_json *j, const char *key, const char *text)
{
	hp_json_key(j, key);
	hp_json_visible(j, text, strlen(text));
}

/*
 * Write a key and the text of a buffer, in the visible form. If the buffer has
 * failed, the JSON also fails.
 */
static inline void
hp_json_put_buf(struct hp_json *j, const char *key, struct hp_buf *text)
{
	hp_json_put_visible(j, key, hp_buf_string(text));
	hp_buf_inherit(&j->buf, text);
}

/* Like hp_json_put_buf(), for an element of an array or after hp_json_key(). */
static inline void
hp_json_buf(struct hp_json *j, struct hp_buf *text)
{
	hp_json_visible(j, hp_buf_string(text), hp_buf_length(text));
	hp_buf_inherit(&j->buf, text);
}

/* ----------------------------------------------------------------------
 * Read a JSON file within the memory limit
 *
 * The tree that jansson builds can need up to a hundred times as many bytes as
 * the text, for example for "[],[],[],...". So its memory counts towards
 * --memory (memory.h).
 */

/**
 * hp_json_text_read() - read all remaining bytes of @src
 * @most:   maximum length of the text, in bytes
 * @larger: the message of the failure if the text is longer
 * @b:      an empty buffer, which receives the text; release it, even after a
 *          failure
 *
 * Returns: HP_OK; HP_LIMIT if the text is too long; HP_NOMEM; errors of
 *          hp_source_read().
 */
HP_MUST_USE enum hp_status hp_json_text_read(struct hp_source *src,
					     uint64_t most, const char *larger,
					     struct hp_buf *b,
					     struct hp_error *err);

/*
 * Like json_loadb() of jansson, but the memory counts towards --memory. Also
 * returns NULL if there is not enough memory; in this case, hp_memory_refused()
 * returns true.
 */
json_t *hp_json_load(const char *text, size_t n, size_t flags,
		     json_error_t *why);

/*
 * ----------------------------------------------------------------------
 * The parts that all SARIF 2.1.0 files of these programs have in common. SARIF
 * is a JSON format for the findings of checkers. Such a file contains the
 * findings of one run of one program
 */

/*
 * Start a SARIF file, up to the open array of rules. The caller writes the
 * rules, and then calls hp_sarif_rules_end().
 */
void hp_sarif_begin(struct hp_json *j, FILE *file, const char *program);
/*
 * Close the array of rules. Afterwards, the caller can write the other members
 * of the SARIF object "run".
 */
void hp_sarif_rules_end(struct hp_json *j);
/*
 * Close the SARIF object "run" and the file. Returns the same as
 * hp_json_finish().
 */
HP_MUST_USE enum hp_status hp_sarif_end(struct hp_json *j,
					struct hp_error *err);

/* Write a message object: "key":{"text":text}. */
void hp_sarif_text(struct hp_json *j, const char *key, const char *text);
/*
 * Write the member "defaultConfiguration" of a rule. @level: "error", "warning"
 * or "note".
 */
void hp_sarif_level(struct hp_json *j, const char *level);
/* Write the member "uri", whose value is the path of @n bytes. */
void hp_sarif_uri(struct hp_json *j, const char *path, size_t n);

#endif
