/*
 * keys.c - make the names that rows show, such as class names, and cache them
 *
 * In the name of a generated class, the parts that change from run to run are
 * replaced. Control characters are escaped. stacks.c makes the names of stacks.
 */
#include "diff/keys/keys.h"

#include "common/cli/escape.h"
#include "common/model/class_name.h"
#include "common/model/dialect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
hp_keys_release(struct hp_keys *k)
{
	hp_id_map_release(&k->classes);
	hp_id_map_release(&k->longer);
	hp_id_map_release(&k->frames);
	hp_id_map_release(&k->traces);
	hp_arena_release(&k->arena);
	hp_buf_release(&k->a);
	hp_buf_release(&k->b);
}

static const struct hp_name *
make_key(struct hp_keys *k, const struct hp_string *raw, uint64_t class_id)
{
	struct hp_name *name = hp_arena_alloc(&k->arena, sizeof(*name));
	const char *text;

	if (!name)
		return NULL;
	hp_buf_clear(&k->a);
	hp_buf_clear(&k->b);
	if (raw) {
		hp_class_name(&k->a, raw->data, raw->length);
		if (!k->o->raw_names) {
			hp_class_name_normalize(&k->b, k->a.data, k->a.len);
			hp_buf_inherit(&k->b, &k->a);
			hp_buf_clear(&k->a);
			hp_text_clean(&k->a, k->b.data, k->b.len);
		} else {
			hp_text_clean(&k->b, k->a.data, k->a.len);
			hp_buf_inherit(&k->b, &k->a);
			hp_buf_clear(&k->a);
			hp_buf_add(&k->a, k->b.data, k->b.len);
		}
	} else {
		hp_buf_printf(&k->a, "unknown class 0x%" PRIx64, class_id);
	}
	text = hp_buf_string(&k->a);
	if (!hp_buf_ok(&k->a) || !hp_buf_ok(&k->b))
		return NULL;
	name->text = hp_arena_copy(&k->arena, text, k->a.len);
	name->len = k->a.len;
	name->unknown = !raw;
	return name->text ? name : NULL;
}

const struct hp_name *
hp_key_raw(struct hp_keys *k, const struct hp_string *raw, uint64_t class_id)
{
	char room[HP_NAME_ROOM];
	struct hp_string named;
	uint64_t *slot;

	if (!raw || raw->length <= HP_TEXT_LONG)
		return make_key(k, raw, class_id);
	slot = hp_id_map_put(&k->longer, (uintptr_t)raw->data, NULL);
	if (!slot)
		return NULL;
	if (!*slot) {
		named = hp_string_short(raw, room);
		*slot = (uintptr_t)make_key(k, &named, class_id);
	}
	return (const struct hp_name *)(uintptr_t)*slot;
}

const struct hp_name *
hp_key_class(struct hp_keys *k, uint64_t class_id)
{
	bool fresh;
	uint64_t *slot = hp_id_map_put(&k->classes, class_id, &fresh);
	const struct hp_name *name;

	if (!slot)
		return NULL;
	if (!fresh && *slot)
		return (const struct hp_name *)(uintptr_t)*slot;
	name = hp_key_raw(k, hp_tables_class_name(&k->g->tables, class_id),
			  class_id);
	*slot = (uintptr_t)name;
	return name;
}

const struct hp_name *
hp_key_primitive(struct hp_keys *k, unsigned type)
{
	char text[16];
	struct hp_string s;
	const char *word = hp_type_name(type);

	s.length = (uint32_t)strlen(word);
	memcpy(text, word, s.length);
	memcpy(text + s.length, "[]", 2);
	s.length += 2;
	s.data = (const uint8_t *)text;
	return hp_key_raw(k, &s, 0);
}

const struct hp_name *
hp_key_kind(struct hp_keys *k, const struct hp_node_kind *kind)
{
	/* the name of java.lang.Class as dumps spell it */
	static const struct hp_string class_class = {
		.data = (const uint8_t *)"java.lang.Class", .length = 15};

	switch (kind->of) {
	case HP_NODE_PRIMITIVE_ARRAY:
		return hp_key_primitive(k, (unsigned)kind->class_id);
	case HP_NODE_CLASS:
		return hp_key_raw(k, &class_class, 0);
	default:
		return hp_key_class(k, kind->class_id);
	}
}

struct hp_row *
hp_key_row(struct hp_rows *rows, const struct hp_name *name)
{
	return name ? hp_rows_put(rows, name->text, name->len, NULL, NULL)
		    : NULL;
}

void
hp_key_add_text(struct hp_buf *b, const struct hp_string *text)
{
	char room[HP_NAME_ROOM];
	struct hp_string named;

	if (!text) {
		hp_buf_byte(b, '?');
		return;
	}
	named = hp_string_short(text, room);
	hp_text_clean(b, named.data, named.length);
}

struct hp_name
hp_key_package(const struct hp_name *class_name)
{
	static const char *const primitives[] = {"boolean[", "byte[",  "char[",
						 "short[",   "int[",   "long[",
						 "float[",   "double["};
	static const char arrays[] = "(arrays of primitives)";
	static const char none[] = "(no package)";
	size_t end;

	for (size_t i = 0; i < HP_ARRAY_LEN(primitives); i++)
		if (strncmp(class_name->text, primitives[i],
			    strlen(primitives[i])) == 0)
			return (struct hp_name){.text = arrays,
						.len = sizeof(arrays) - 1};
	end = hp_class_name_package(class_name->text, class_name->len);
	if (class_name->unknown || end == 0)
		return (struct hp_name){.text = none, .len = sizeof(none) - 1};
	return (struct hp_name){.text = class_name->text, .len = end};
}

const char *
hp_key_heap(struct hp_keys *k, uint32_t heap)
{
	const uint64_t *id = hp_id_map_get(&k->g->heaps, heap);
	const struct hp_string *name =
		id ? hp_tables_string(&k->g->tables, *id) : NULL;
	const char *text;

	hp_buf_clear(&k->a);
	if (name)
		hp_key_add_text(&k->a, name);
	else if (heap == 0)
		hp_buf_text(&k->a, HP_HEAP_UNNAMED);
	else
		hp_buf_printf(&k->a, "heap %" PRIu32, heap);
	text = hp_buf_string(&k->a);
	return hp_buf_ok(&k->a) ? text : NULL;
}
