/*
 * encode_text.c - the order of a block's texts
 *
 * HotSpot's names are dumped bucket by bucket of a hash table, but lie in
 * memory as they were made: class by class. In the order of their ids, which
 * are addresses, texts are like those before, and an id is where the last text
 * ended. What that saves is more than the order of the dump takes.
 */
#include "common/pack/block/encode_text.h"

#include "common/pack/block/column.h"
#include "common/pack/block/room.h"

#include <string.h>

enum {
	ROWS_LEAST = 64, /* fewer are not worth an order */
	PART = 256,	 /* neighbours in a sample */
	PARTS = HP_PACK_SAMPLE / PART,
	WORTH = 8, /* of so many ids one has to be where a text ended */
};

/* Sorts by one byte of the ids, stably. */
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
 * The symbol's texts by their ids, in e->places; equal ids as in the dump.
 * NULL: they stand like that in the dump.
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

/* Some neighbours: their ids, and the bytes of the text before each. */
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

/* Are ids where the text before ended, often enough? */
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

/* Rows by the sorted list; e->order says which the dump's are. */
static void
reorder_rows(struct hp_pack_encoder *e, struct hp_pack_symbol *s,
	     const struct hp_pack_text_place *sorted)
{
	uint32_t *rows = e->rows + s->first, *order = e->order + s->first;

	/* the old rows wait where the order will be */
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
