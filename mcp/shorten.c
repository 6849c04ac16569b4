/* shorten.c - shorten long lists and texts in the result of a tool */
#include "mcp/mcp.h"

#include <string.h>

enum {
	LONGEST_TEXT = 1000,
	DEEPEST =
		/*
		 * maximum depth to which values may be nested; deeper values
		 * are removed. The trees of hprof-diff --why are not so deep.
		 */
	100
};

static void
shorten_text(json_t *text)
{
	char cut[LONGEST_TEXT + 4];
	size_t n = LONGEST_TEXT;

	if (json_string_length(text) <= LONGEST_TEXT)
		return;
	memcpy(cut, json_string_value(text), n);
	while (n > 0 &&
	       ((unsigned char)json_string_value(text)[n] & 0xc0) == 0x80)
		n--;
	memcpy(cut + n, "\xe2\x80\xa6", 4);
	(void)json_string_set(text, cut);
}

static void shorten(json_t *value, size_t most, unsigned depth);

static void
shorten_list(json_t *list, size_t most, unsigned depth)
{
	while (json_array_size(list) > most)
		(void)json_array_remove(list, json_array_size(list) - 1);
	for (size_t i = 0; i < json_array_size(list); i++)
		shorten(json_array_get(list, i), most, depth);
}

static void
shorten_object(json_t *object, size_t most, unsigned depth)
{
	json_t *more = json_object(), *value;
	const char *key;
	char name[80];

	json_object_foreach(object, key, value)
	{
		size_t n = json_is_array(value) ? json_array_size(value) : 0;

		shorten(value, most, depth);
		if (n <= most)
			continue;
		snprintf(name, sizeof(name), "%.70s_more", key);
		(void)json_object_set_new(more, name,
					  json_integer((json_int_t)(n - most)));
	}
	(void)json_object_update(object, more);
	json_decref(more);
}

static void
shorten(json_t *value, size_t most, unsigned depth)
{
	if (depth == DEEPEST && json_is_object(value))
		(void)json_object_clear(value);
	else if (depth == DEEPEST && json_is_array(value))
		(void)json_array_clear(value);
	else if (json_is_object(value))
		shorten_object(value, most, depth + 1);
	else if (json_is_array(value))
		shorten_list(value, most, depth + 1);
	else if (json_is_string(value))
		shorten_text(value);
}

void
mcp_shorten(json_t *value, size_t most)
{
	shorten(value, most, 0);
}
