/*
 * check_strings.c - strings: their ids, their text, and who uses them
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "validate/checks/check.h"

#include <string.h>

#include "common/cli/escape.h"
#include "common/text/records.h"
#include "validate/checks/seen_table.h"

enum { TOGETHER = 16 }; /* strings that are looked up side by side */

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

/* The same of fewer, 1 to 7: two loads that overlap, or one. */
static inline bool
is_end_ascii(const uint8_t *p, uint64_t n)
{
	uint32_t from, to;

	if (n < 4)
		return ((p[0] | p[n / 2] | p[n - 1]) & 0x80) == 0;
	memcpy(&from, p, sizeof(from));
	memcpy(&to, p + n - 4, sizeof(to));
	return ((from | to) & 0x80808080) == 0;
}

/* Is a whole text ASCII? Nearly all of them are, and short. */
static inline bool
is_text_ascii(const uint8_t *p, uint64_t n)
{
	uint64_t eight, any, at;

	if (n < 8)
		return n == 0 || is_end_ascii(p, n);
	memcpy(&any, p + n - 8, sizeof(any));
	for (at = 0; at + 8 <= n; at += 8) {
		memcpy(&eight, p + at, sizeof(eight));
		any |= eight;
	}
	return (any & 0x8080808080808080) == 0;
}

/* Is it modified or standard UTF-8? */
static bool
text_valid(const uint8_t *p, uint64_t n)
{
	uint32_t cp;

	if (is_text_ascii(p, n))
		return true;
	while (n > 0) {
		size_t step = n >= 8 && is_ascii(p)	    ? 8
			      : n < 8 && is_end_ascii(p, n) ? n
							    : 1;

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
		struct hp_cursor body, enum hp_definition met,
		struct hp_error *err)
{
	struct hp_position *spot;
	uint64_t id;

	if (rec->cut || !hp_uint(&body, c->id_size, &id))
		return HP_OK;
	if (met == HP_MET_NOTHING) {
		spot = hp_vec_add(&c->string_spots, sizeof(*spot));
		if (!spot)
			return no_memory(err);
		*spot = (struct hp_position){rec->offset, rec->ordinal};
	}
	if (met == HP_MET_SAME)
		hp_record_found(c, HP_RULE_STRING_DUP_SAME, rec, HP_WORD_ID,
				id);
	else if (met == HP_MET_DIFFERENT)
		hp_record_found(c, HP_RULE_STRING_DUP_DIFF, rec, HP_WORD_ID,
				id);
	if (id == 0)
		hp_record_found(c, HP_RULE_STRING_ID_ZERO, rec, HP_WORD_ID, 0);
	else if (met == HP_MET_NOTHING && hp_id_map_get(&c->awaited, id))
		hp_record_found(c, HP_RULE_STRING_LATE, rec, HP_WORD_ID, id);
	if (!text_valid(body.data + body.pos, hp_left(&body)))
		hp_record_found(c, HP_RULE_STRING_MUTF8, rec, HP_WORD_TEXT, id);
	return HP_OK;
}

/* Is nothing to be said about a string, if its id is new? */
HP_HOT bool
is_ordinary(const struct hp_check *c, const struct hp_string_row *row)
{
	if (c->framing_only)
		return true;
	return row->id != 0 && row->length <= HP_TEXT_LONG &&
	       (is_text_ascii(row->text, row->length) ||
		text_valid(row->text, row->length)) &&
	       (hp_id_map_is_empty(&c->awaited) ||
		!hp_id_map_get(&c->awaited, row->id));
}

size_t
hp_check_ordinary_strings(const struct hp_check *c,
			  const struct hp_string_run *run,
			  struct hp_string_row *rows, size_t most)
{
	struct hp_string_run ahead = *run;
	uint32_t last = c->last_time;
	size_t n;

	for (n = 0; n < most; n++) {
		if (!hp_string_run_look(&ahead, &rows[n]) ||
		    hp_check_is_earlier(rows[n].time, last) ||
		    !is_ordinary(c, &rows[n]))
			break;
		last = rows[n].time;
		hp_string_run_step(&ahead, &rows[n]);
	}
	return n;
}

enum hp_status
hp_check_strings_taken(struct hp_check *c, struct hp_position at,
		       const struct hp_string_row *rows, size_t n,
		       struct hp_error *err)
{
	struct hp_vec *v = &c->string_spots;
	struct hp_position *spots;
	size_t i = 0, room;

	while (i < n && !c->framing_only) {
		if (!hp_list_reserve(&v->items, v->count, &v->cap,
				     sizeof(*spots)))
			return no_memory(err);
		spots = (struct hp_position *)v->items + v->count;
		room = v->cap - v->count;
		room = room < n - i ? room : n - i;
		v->count += room;
		for (; room > 0; room--, i++) {
			*spots++ = at;
			at.offset += HP_HEAD_SIZE + c->id_size + rows[i].length;
			at.record++;
		}
	}
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
hp_check_string_use(struct hp_check *c, uint64_t id, enum hp_string_use what,
		    struct hp_position at, unsigned dump, uint64_t holder,
		    struct hp_error *err)
{
	size_t number = hp_id_index_get(&c->tables->strings, id);
	struct hp_mention *later;

	if (number > 0 && number <= c->string_spots.count)
		return mark_used(c, number - 1) ? HP_OK : no_memory(err);
	later = hp_vec_add(&c->uses, sizeof(*later));
	if (!later || !hp_id_map_put(&c->awaited, id, NULL))
		return no_memory(err);
	*later = (struct hp_mention){.kind = HP_MENTION_STRING,
				     .what = (uint8_t)what,
				     .id = id,
				     .holder = holder,
				     .count = 1,
				     .dump = dump,
				     .offset = at.offset,
				     .record = at.record};
	return HP_OK;
}

static bool
same_text(const void *strings, size_t a, size_t b)
{
	const struct hp_string *all = strings;

	return hp_string_same(&all[a], &all[b]);
}

/* String @i, whose text has this hash: does an earlier one have its text? */
static void
check_text(struct hp_check *c, struct hp_seen_table *texts, size_t i,
	   uint64_t hash)
{
	const struct hp_position *spot = c->string_spots.items;
	const uint64_t *ids = c->tables->strings.ids;
	size_t number = hp_seen_table_put(texts, hash, i + 1, same_text,
					  c->tables->string_list.items);

	if (number > 0 &&
	    !hp_findings_count_one(c->findings, HP_RULE_STRING_TEXT_DUP,
				   spot[i].offset))
		hp_check_found(c, HP_RULE_STRING_TEXT_DUP, &spot[i],
			       HP_WORD_TEXT, ids[i], ids[number - 1]);
}

/* A part of the strings: their slots are on the way while texts are hashed. */
static void
check_texts(struct hp_check *c, struct hp_seen_table *t, size_t from, size_t n)
{
	const struct hp_string *s = c->tables->string_list.items;
	const struct hp_position *spot = c->string_spots.items;
	uint64_t hash[TOGETHER];

	for (size_t k = 0; k < n; k++) {
		hash[k] = XXH3_64bits_withSeed(s[from + k].data,
					       s[from + k].length, t->seed);
		hp_seen_table_prefetch(t, hash[k]);
	}
	for (size_t k = 0; k < n; k++) {
		size_t i = from + k;

		check_text(c, t, i, hash[k]);
		if (i / 8 < c->used_bytes && c->used[i / 8] >> (i % 8) & 1)
			continue;
		if (hp_text_is_carried(s[i].data, s[i].length))
			continue; /* it is for those who look for it */
		if (!hp_findings_count_one(c->findings, HP_RULE_STRING_UNUSED,
					   spot[i].offset))
			hp_check_found(c, HP_RULE_STRING_UNUSED, &spot[i],
				       HP_WORD_ID, c->tables->strings.ids[i]);
	}
}

enum hp_status
hp_check_strings_end(struct hp_check *c, struct hp_error *err)
{
	size_t n = c->string_spots.count;
	struct hp_seen_table texts;

	c->dump = 0;
	if (!hp_seen_table_init(&texts, n))
		return no_memory(err);
	for (size_t i = 0; i < n; i += TOGETHER)
		check_texts(c, &texts, i, n - i < TOGETHER ? n - i : TOGETHER);
	hp_seen_table_release(&texts);
	return HP_OK;
}
