/*
 * encode_text.c - sort the strings of a block by id
 *
 * HotSpot dumps names in the order of the buckets of a hash table. In memory
 * the names are in the order of their creation, class by class, and the id of a
 * name is its address. After sorting by id, similar strings are neighbours, and
 * most ids are the address where the previous string ends. The original order
 * must also be stored, but it takes less space than sorting saves.
 */
#include "common/pack/block/internal.h"

#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"

#include <string.h>

enum {
	/* With fewer strings than this, sorting does not save enough space. */
	ROWS_LEAST = 64,
	/* number of neighbouring strings in each part of a sample */
	PART = 256,
	PARTS = HP_PACK_SAMPLE / PART,
	/*
	 * Sort the strings if at least an eighth of the ids are the address
	 * where the previous string ends.
	 */
	WORTH = 8,
};

/*
 * Sort by one byte of the ids. This is one pass of an LSD radix sort, so
 * strings with an equal byte keep their order.
 */
static void
sort_by_byte(const struct hp_pack_text_place *from,
	     struct hp_pack_text_place *to, size_t n, unsigned shift)
{
	size_t begin[257] = {0};

	for (size_t i = 0; i < n; i++)
		begin[(from[i].id >> shift & 0xFF) + 1]++;
	for (unsigned k = 1; k < 256; k++)
		begin[k] += begin[k - 1];
	for (size_t i = 0; i < n; i++)
		to[begin[from[i].id >> shift & 0xFF]++] = from[i];
}

/*
 * Sort the strings of a symbol (kind of items) by id. The result is in
 * e->places. Strings with equal ids keep their order. Returns NULL if the
 * strings are already sorted.
 */
static const struct hp_pack_text_place *
sort_texts(struct hp_pack_encoder *e, const struct hp_pack_symbol *s)
{
	struct hp_pack_text_place *from = e->places, *to = from + s->rows;
	uint64_t differ = 0;
	bool ascending = true;

	for (uint32_t i = 0; i < s->rows; i++) {
		const uint8_t *at = e->data + e->rows[s->first + i];

		from[i] = (struct hp_pack_text_place){
			hp_load_id(at + HP_HEAD_SIZE, e->table.id_size), i};
		differ |= from[i].id ^ from[0].id;
		ascending = ascending && (!i || from[i].id >= from[i - 1].id);
	}
	if (ascending)
		return NULL;
	for (unsigned shift = 0; shift < 64; shift += 8) {
		struct hp_pack_text_place *other = from;

		if (!(differ >> shift & 0xFF))
			continue;
		sort_by_byte(from, to, s->rows, shift);
		from = to;
		to = other;
	}
	return from;
}

/*
 * Take a sample of @n strings: their ids, and for each the length of the
 * previous string.
 */
static void
sample_texts(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	     const struct hp_pack_text_place *sorted, uint64_t *ids,
	     uint64_t *before, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t last = i ? sorted[i - 1].item : 0;
		const uint8_t *text = e->data + e->rows[s->first + last];

		ids[i] = sorted[i].id;
		before[i] = hp_load4(text + 5) - e->table.id_size;
	}
}

/*
 * Whether sorting the strings by id saves space. It does if many strings begin
 * where the previous string ends, so that their ids can be predicted.
 */
static bool
is_worth_order(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	       const struct hp_pack_text_place *sorted)
{
	uint64_t ids[HP_PACK_SAMPLE], before[HP_PACK_SAMPLE];
	struct hp_pack_column column = {.width = e->table.id_size};
	size_t n = s->rows;

	if (n <= HP_PACK_SAMPLE) {
		sample_texts(e, s, sorted, ids, before, n);
	} else {
		n = HP_PACK_SAMPLE;
		for (size_t p = 0; p < PARTS; p++)
			sample_texts(e, s,
				     sorted + (size_t)(s->rows - PART) * p /
						      (PARTS - 1),
				     ids + p * PART, before + p * PART, PART);
	}
	return hp_pack_learn_text(&column, ids, before, n) >= n / WORTH;
}

/*
 * Store the strings of the symbol @s in the order of @sorted. e->order receives
 * the order that they have in the dump.
 */
static void
reorder_rows(struct hp_pack_encoder *e, struct hp_pack_symbol *s,
	     const struct hp_pack_text_place *sorted)
{
	uint32_t *rows = e->rows + s->first, *order = e->order + s->first;

	/*
	 * e->order holds a copy of the old rows until the new rows are complete
	 */
	memcpy(order, rows, s->rows * sizeof(*rows));
	for (uint32_t i = 0; i < s->rows; i++)
		rows[i] = order[sorted[i].item];
	for (uint32_t i = 0; i < s->rows; i++)
		order[sorted[i].item] = i;
	s->ncolumns = HP_PACK_ORDER + 1;
}

bool
hp_pack_order_texts(struct hp_pack_encoder *e)
{
	for (uint32_t i = 0; i < e->table.nsymbols; i++) {
		struct hp_pack_symbol *s = &e->table.symbols[i];
		const struct hp_pack_text_place *sorted;

		if (s->kind != HP_PACK_TEXT || s->rows < ROWS_LEAST)
			continue;
		if (!hp_pack_make_room(&e->order, &e->order_room,
				       e->table.items, sizeof(*e->order)) ||
		    !hp_pack_make_room(&e->places, &e->places_room,
				       2 * (size_t)e->table.items,
				       sizeof(*e->places)))
			return false;
		sorted = sort_texts(e, s);
		if (sorted && is_worth_order(e, s, sorted))
			reorder_rows(e, s, sorted);
	}
	return true;
}
