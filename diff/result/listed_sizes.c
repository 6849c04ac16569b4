/*
 * listed_sizes.c - read the measured sizes of a saved result
 */
#include "diff/result/baseline.h"

#include <jansson.h>
#include <string.h>

static bool
read_u64(const json_t *j, uint64_t *out)
{
	if (!json_is_integer(j) || json_integer_value(j) < 0)
		return false;
	*out = (uint64_t)json_integer_value(j);
	return true;
}

bool
hp_listed_sizes_read(const json_t *root, struct hp_arena *arena,
		     struct hp_listed_sizes *out)
{
	const json_t *list = json_object_get(root, "sizes"),
		     *base = json_object_get(json_object_get(root, "layout"),
					     "class_object");
	size_t n = json_array_size(list);

	if (base && !read_u64(base, &out->class_object))
		return false;
	for (size_t i = 0; i < n; i++) {
		const json_t *j = json_array_get(list, i);
		const char *name =
			json_string_value(json_object_get(j, "class"));
		struct hp_listed_size x = {0};

		if (!name ||
		    !read_u64(json_object_get(j, "fields"), &x.fields) ||
		    !read_u64(json_object_get(j, "references"),
			      &x.references) ||
		    !read_u64(json_object_get(j, "bytes"), &x.bytes) ||
		    x.bytes > UINT32_MAX)
			return false;
		x.name = hp_arena_copy(arena, name, strlen(name));
		if (!x.name ||
		    !HP_LIST_PUSH(out->list, out->count, out->cap, x))
			return false;
	}
	return true;
}
