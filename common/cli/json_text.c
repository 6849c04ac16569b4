/*
 * json_text.c - read a JSON file with jansson, whose memory counts towards
 * --memory
 */
#include "common/cli/json.h"

#include "common/base/memory.h"

enum { STEP = 1 << 16 };

enum hp_status
hp_json_text_read(struct hp_source *src, uint64_t most, const char *larger,
		  struct hp_buf *b, struct hp_error *err)
{
	size_t got;
	enum hp_status st;

	do {
		if (!hp_buf_reserve(b, STEP))
			return hp_no_memory(err);
		st = hp_source_read(src, b->data + b->len, STEP, &got, err);
		if (st != HP_OK)
			return st;
		b->len += got;
		if (b->len > most)
			return hp_fail(err, HP_LIMIT, "%s", larger);
	} while (got);
	return HP_OK;
}

json_t *
hp_json_load(const char *text, size_t n, size_t flags, json_error_t *why)
{
	json_set_alloc_funcs(hp_malloc, hp_free);
	return json_loadb(text, n, flags, why);
}
