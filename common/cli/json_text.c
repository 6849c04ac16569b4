/*
 * json_text.c - compute how much memory the library jansson can need at most
 * for a JSON text
 *
 * Every object and array begins with a bracket, and every other value follows a
 * bracket, a comma or a colon. So the number of these characters is a bound for
 * the number of values. Characters inside strings are counted also, which makes
 * the bound larger but never too small.
 */
#include "common/cli/json.h"

enum {
	STEP = 1 << 16,
	/*
	 * Bytes that jansson 2.14 allocates, including the overhead of
	 * malloc(), rounded up. An object: 72 bytes, eight hash buckets of 16
	 * bytes, its pointer in the parent, and its first member.
	 */
	OBJECT = 320,
	/*
	 * an array: 40 bytes, eight pointers, its own pointer in the parent,
	 * and its first element
	 */
	ARRAY = 192,
	/*
	 * another value: a string, a member, and hash buckets while they double
	 */
	VALUE = 160,
	MEMBER = 32, /* a member's name, without its characters */
	/* per byte of a string: a copy, and a buffer that doubles */
	PER_BYTE = 4,
};

uint64_t
hp_json_tree_bytes(const char *text, size_t n)
{
	uint64_t objects = 0, arrays = 0, values = 0, members = 0;

	for (size_t i = 0; i < n; i++) {
		objects += text[i] == '{';
		arrays += text[i] == '[';
		values += text[i] == ',';
		members += text[i] == ':';
	}
	return objects * OBJECT + arrays * ARRAY + values * VALUE +
	       members * MEMBER + n * PER_BYTE;
}

enum hp_status
hp_json_text_read(struct hp_source *src,
		  const struct hp_json_text_limits *limits, struct hp_buf *b,
		  uint64_t *bytes, struct hp_error *err)
{
	uint64_t tree = 0;
	size_t got;
	enum hp_status st;

	do {
		if (!hp_buf_reserve(b, STEP))
			return hp_no_memory(err);
		st = hp_source_read(src, b->data + b->len, STEP, &got, err);
		if (st != HP_OK)
			return st;
		tree += hp_json_tree_bytes(b->data + b->len, got);
		b->len += got;
		*bytes = b->cap + tree;
		if (b->len > limits->text)
			return hp_fail(err, HP_LIMIT, "%s", limits->of_text);
		if (*bytes > limits->memory)
			return hp_fail(err, HP_LIMIT, "%s", limits->of_memory);
	} while (got);
	return HP_OK;
}
