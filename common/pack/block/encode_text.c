/*
 * encode_text.c - reorder the strings of a block by id
 *
 * HotSpot dumps names in the order of the buckets of a hash table. In memory
 * they are in the order of creation, class by class, and their ids are
 * addresses. Sorted by id, similar texts are neighbours, and an id is where the
 * previous text ends. This saves more than storing the original order costs.
 */
#include "common/pack/block/internal.h"

#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"

#include <string.h>

enum {
	/* minimum number of strings that are worth reordering */
	ROWS_LEAST = 64,
	/* number of neighbouring strings in each part of a sample */
	PART = 256,
	PARTS = HP_PACK_SAMPLE / PART,
	/*
	 * reorder the strings if at least one id in this many is where the
	 * previous string ends in memory
	 */
	WORTH = 8,
};

/* One pass of an LSD radix sort by a byte of the ids. Stable. */
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
 * Sort the symbol's texts by id, in e->places. Texts with equal ids keep their
 * order. Returns NULL if they are already sorted.
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
 * Take @n neighbours as a sample: their ids, and the length of the text before
 * each.
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

/* Whether ids are often enough where the previous string ends in memory. */
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
 * Reorder the rows like @sorted, and store the order of the dump in e->order.
 */
static void
reorder_rows(struct hp_pack_encoder *e, struct hp_pack_symbol *s,
	     const struct hp_pack_text_place *sorted)
{
	uint32_t *rows = e->rows + s->first, *order = e->order + s->first;

	/* e->order holds the old rows temporarily */
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
