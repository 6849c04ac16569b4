/*
 * java_texts.c - collect wanted String objects and their arrays during passes
 * over the dump
 */
#include "common/model/java_string.h"

struct string {
	/*
	 * The offset of the sub-record of this String in the file. This must be
	 * the first member; see make_room().
	 */
	uint64_t offset;
	struct hp_java_string s;
};

/* A wanted array, with a copy of its first elements. */
struct array {
	/*
	 * The offset of the sub-record of this array in the file. This must be
	 * the first member; see make_room().
	 */
	uint64_t offset;
	uint32_t n;
	uint8_t type;
	uint8_t data[];
};

void
hp_java_texts_init(struct hp_java_texts *t, const struct hp_classes *c,
		   const struct hp_tables *tables)
{
	t->string = hp_java_string_class(c, tables);
	t->id_size = c->layouts.id_size;
	pthread_mutex_init(&t->lock, NULL);
}

void
hp_java_texts_release(struct hp_java_texts *t)
{
	hp_id_map_release(&t->met_strings);
	hp_id_map_release(&t->met_arrays);
	hp_arena_release(&t->met);
	hp_id_map_release(&t->wanted);
	hp_id_map_release(&t->texts);
	pthread_mutex_destroy(&t->lock);
}

bool
hp_java_texts_want(struct hp_java_texts *t, uint64_t id)
{
	return hp_id_map_put(&t->wanted, id, NULL);
}

/*
 * Allocate an entry of @size bytes for the String or array @s. The entry begins
 * with the offset of @s. If several sub-records have the same id, only the
 * first one in the file is used. So if an earlier sub-record with this id has
 * an entry, returns NULL and does not change *@fine. If out of memory, returns
 * NULL and sets *@fine to false. The caller holds the lock.
 */
static void *
make_room(struct hp_java_texts *t, struct hp_id_map *met,
	  const struct hp_sub *s, size_t size, bool *fine)
{
	uint64_t *slot = hp_id_map_put(met, s->id, NULL), *room;

	if (slot && *slot && *(uint64_t *)(uintptr_t)*slot <= s->offset)
		return NULL;
	room = slot ? hp_arena_alloc(&t->met, size) : NULL;
	*fine = room != NULL;
	if (room) {
		*room = s->offset;
		*slot = (uintptr_t)room;
	}
	return room;
}

bool
hp_java_texts_string(struct hp_java_texts *t, const struct hp_sub *s)
{
	struct hp_java_string string;
	struct string *kept;
	bool fine = true;

	if (s->tag != HP_SUB_INSTANCE_DUMP || s->class_id != t->string.id ||
	    !hp_id_map_get(&t->wanted, s->id) ||
	    !hp_java_string_read(&t->string, t->id_size, s->data, s->count,
				 &string))
		return true;
	pthread_mutex_lock(&t->lock);
	kept = make_room(t, &t->met_strings, s, sizeof(*kept), &fine);
	if (kept)
		kept->s = string;
	pthread_mutex_unlock(&t->lock);
	return fine;
}

/*
 * Copy the first elements of an array, at most as many as the longest text can
 * have. It is not known yet which part of the array the String uses. A String
 * of JDK 6 may use a part far from the beginning of a long array; then its text
 * is shortened.
 */
bool
hp_java_texts_array(struct hp_java_texts *t, const struct hp_sub *s)
{
	uint32_t n = s->count < 4 * t->most ? s->count : 4 * t->most;
	size_t bytes;
	struct array *a;
	bool fine = true;

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP ||
	    !hp_id_map_get(&t->wanted, s->id))
		return true;
	bytes = n * hp_type_size(s->type, 4);
	pthread_mutex_lock(&t->lock);
	a = make_room(t, &t->met_arrays, s, sizeof(*a) + bytes, &fine);
	if (a) {
		a->n = n;
		a->type = s->type;
		memcpy(a->data, s->data, bytes);
	}
	pthread_mutex_unlock(&t->lock);
	return fine;
}

bool
hp_java_texts_want_arrays(struct hp_java_texts *t)
{
	uint64_t id, value;
	size_t at = 0;
	bool fine = true;

	while (fine && hp_id_map_next(&t->met_strings, &at, &id, &value)) {
		const struct string *met =
			(const struct string *)(uintptr_t)value;

		fine = !met->s.array || hp_java_texts_want(t, met->s.array);
	}
	return fine;
}

uint64_t
hp_java_texts_bytes(const struct hp_java_texts *t)
{
	return hp_id_map_bytes(&t->wanted) + hp_id_map_bytes(&t->met_strings) +
	       hp_id_map_bytes(&t->met_arrays) + t->met.held;
}

/*
 * Whether the text consists only of NUL characters (0xc0 0x80 in modified
 * UTF-8), because the original text is not in the dump. This is the case in
 * dumps that were redacted, or were converted from the agent's text.
 */
static bool
is_blank(const struct hp_buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if ((uint8_t)b->data[i] != (i % 2 ? 0x80 : 0xc0))
			return false;
	return true;
}

/*
 * Make the escaped text of the String @id in the arena. Returns NULL in two
 * cases: if there is no text (then *@fine is unchanged), or if out of memory
 * (then *@fine is set to false).
 */
static const char *
make_text(struct hp_java_texts *t, uint64_t id, bool *fine)
{
	const struct hp_java_string bare = {.array = id, .count = UINT32_MAX};
	const struct string *met = hp_id_map_pointer(&t->met_strings, id);
	const struct hp_java_string *s = met ? &met->s : NULL;
	const struct array *a =
		hp_id_map_pointer(&t->met_arrays, s ? s->array : id);
	struct hp_buf raw = {0}, clean = {0};
	const char *text = NULL;
	bool whole;

	if (!a || (!s && (!t->bare || a->type != HP_TYPE_CHAR)))
		return NULL;
	whole = hp_java_string_text(&raw, s ? s : &bare, a->type, a->data, a->n,
				    t->most);
	if (!is_blank(&raw)) {
		if (!whole)
			hp_buf_text(&raw, "...");
		t->escape(&clean, raw.data, raw.len);
	}
	*fine = hp_buf_ok(&raw) && hp_buf_ok(&clean);
	if (*fine && clean.len > 0) {
		text = hp_arena_copy(t->arena, clean.data, clean.len);
		*fine = text != NULL;
	}
	hp_buf_release(&raw);
	hp_buf_release(&clean);
	return text;
}

bool
hp_java_texts_get(struct hp_java_texts *t, uint64_t id, const char **out)
{
	bool fresh, fine = true;
	uint64_t *slot = hp_id_map_put(&t->texts, id, &fresh);

	if (!slot)
		return false;
	if (fresh)
		*slot = (uintptr_t)make_text(t, id, &fine);
	*out = (const char *)(uintptr_t)*slot;
	return fine;
}
