/*
 * json_text.c - bound jansson's memory by what begins values in a text
 *
 * Every object and array begins with a bracket, and every other value follows a
 * bracket, a comma or a colon. Characters inside of strings are counted like
 * others: that makes the bound larger, never too small.
 */
#include "common/cli/json_text.h"

enum {
	STEP = 1 << 16,
	/* Bytes of jansson 2.14 with malloc's heads, rounded up. An object: 72,
	 * eight buckets of 16, its place in the parent, its first member. */
	OBJECT = 320,
	ARRAY = 192,  /* 40, eight places of 8, its place, its first value */
	VALUE = 160,  /* a string, a member, and buckets while they double */
	MEMBER = 32,  /* a name, beside its bytes */
	PER_BYTE = 4, /* of strings: a copy, and a buffer that doubles */
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
