/*
 * check_strings.c - strings: their ids, their text, and who uses them
 */
#include "validate/check.h"

#include <string.h>

#include <xxhash.h>

#include "common/cli/escape.h"

static enum hp_status
no_memory(struct hp_error *err)
{
	return hp_fail(err, HP_NOMEM, "no memory for the strings");
}

/* Are these eight bytes ASCII? */
static inline bool
is_ascii(const uint8_t *p)
{
	uint64_t eight;

	memcpy(&eight, p, sizeof(eight));
	return (eight & 0x8080808080808080) == 0;
}

/* Is it modified or standard UTF-8? */
static bool
text_valid(const uint8_t *p, uint64_t n)
{
	uint32_t cp;

	while (n > 0) {
		size_t step = n >= 8 && is_ascii(p) ? 8 : 1;

		if (*p >= 0x80) {
			step = hp_text_decode(p, n, &cp);
			if (cp == HP_TEXT_INVALID)
				return false;
		}
		p += step;
		n -= step;
	}
	return true;
}

enum hp_status
hp_check_string(struct hp_check *c, const struct hp_record *rec,
		struct hp_cursor body, enum hp_met met, struct hp_error *err)
{
	struct hp_spot *spot;
	uint64_t id;

	if (rec->cut || !hp_uint(&body, c->id_size, &id))
		return HP_OK;
	if (met == HP_MET_NOTHING) {
		spot = hp_vec_add(&c->string_spots, sizeof(*spot));
		if (!spot)
			return no_memory(err);
		*spot = (struct hp_spot){rec->offset, rec->ordinal};
	}
	if (met == HP_MET_SAME)
		hp_check_found(c, HP_RULE_STRING_DUP_SAME, rec->offset,
			       rec->ordinal, HP_WORD_ID, id);
	else if (met == HP_MET_DIFFERENT)
		hp_check_found(c, HP_RULE_STRING_DUP_DIFF, rec->offset,
			       rec->ordinal, HP_WORD_ID, id);
	if (id == 0)
		hp_check_found(c, HP_RULE_STRING_ID_ZERO, rec->offset,
			       rec->ordinal, HP_WORD_ID, 0);
	else if (met == HP_MET_NOTHING && hp_id_map_get(&c->awaited, id))
		hp_check_found(c, HP_RULE_STRING_LATE, rec->offset,
			       rec->ordinal, HP_WORD_ID, id);
	if (!text_valid(body.data + body.pos, hp_left(&body)))
		hp_check_found(c, HP_RULE_STRING_MUTF8, rec->offset,
			       rec->ordinal, HP_WORD_TEXT, id);
	return HP_OK;
}

/* Set the bit of string @index; false without memory. */
static bool
mark_used(struct hp_check *c, uint64_t index)
{
	if (index / 8 >= c->used_bytes) {
		size_t bytes = c->string_spots.cap / 8 + 1;
		uint8_t *used = realloc(c->used, bytes);

		if (!used)
			return false;
		memset(used + c->used_bytes, 0, bytes - c->used_bytes);
		c->used = used;
		c->used_bytes = bytes;
	}
	c->used[index / 8] |= (uint8_t)(1u << (index % 8));
	return true;
}

enum hp_status
hp_check_string_use(struct hp_check *c, const struct hp_mention *use,
		    struct hp_error *err)
{
	const uint64_t *index = hp_id_map_get(&c->tables->strings, use->id);
	struct hp_mention *later;

	if (index && *index && *index <= c->string_spots.count)
		return mark_used(c, *index - 1) ? HP_OK : no_memory(err);
	later = hp_vec_add(&c->uses, sizeof(*later));
	if (!later || !hp_id_map_put(&c->awaited, use->id, NULL))
		return no_memory(err);
	*later = *use;
	return HP_OK;
}

/* Ids in the order of the string list. */
static uint64_t *
ids_by_index(const struct hp_check *c)
{
	size_t n = c->string_spots.count, at = 0;
	uint64_t *ids = calloc(n ? n : 1, sizeof(*ids));
	uint64_t id, index;

	if (!ids)
		return NULL;
	while (hp_id_map_next(&c->tables->strings, &at, &id, &index)) {
		if (index >= 1 && index <= n)
			ids[index - 1] = id;
	}
	return ids;
}

/* A text that an earlier string has. */
static enum hp_status
check_text(struct hp_check *c, struct hp_id_map *texts, const uint64_t *ids,
	   size_t i)
{
	const struct hp_string *all = c->tables->string_list.items;
	const struct hp_spot *spot = c->string_spots.items;
	const struct hp_string *s = &all[i];
	bool fresh;
	uint64_t *first =
		hp_id_map_put(texts, XXH3_64bits(s->data, s->length), &fresh);

	if (!first)
		return HP_NOMEM;
	if (fresh) {
		*first = i;
		return HP_OK;
	}
	if (s->length == all[*first].length &&
	    memcmp(s->data, all[*first].data, s->length) == 0)
		hp_check_found(c, HP_RULE_STRING_TEXT_DUP, spot[i].offset,
			       spot[i].record, HP_WORD_TEXT, ids[i],
			       ids[*first]);
	return HP_OK;
}

enum hp_status
hp_check_strings_end(struct hp_check *c, struct hp_error *err)
{
	const struct hp_spot *spot = c->string_spots.items;
	uint64_t *ids = ids_by_index(c);
	struct hp_id_map texts = {0};
	enum hp_status st = ids ? HP_OK : HP_NOMEM;

	c->dump = 0;
	for (size_t i = 0; st == HP_OK && i < c->string_spots.count; i++) {
		st = check_text(c, &texts, ids, i);
		if (i / 8 < c->used_bytes && c->used[i / 8] >> (i % 8) & 1)
			continue;
		hp_check_found(c, HP_RULE_STRING_UNUSED, spot[i].offset,
			       spot[i].record, HP_WORD_ID, ids[i]);
	}
	hp_id_map_release(&texts);
	free(ids);
	return st == HP_OK ? HP_OK : no_memory(err);
}
