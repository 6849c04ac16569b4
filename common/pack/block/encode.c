/*
 * encode.c - divide a block into items (records and sub-records), and sort the
 * items by symbol
 *
 * A symbol stands for all items of the same kind and class, which are encoded
 * as the rows of a table. encode_ids.c encodes the ids, encode_columns.c the
 * columns.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/pack/block/block.h"

#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/pack/block/internal.h"
#include "common/pack/block/layout.h"

#include <stdlib.h>

enum {
	TYPES_MOST = 4096,
	/*
	 * Limits of the memory. Items beyond a limit are stored as unparsed
	 * bytes. A block may have one column for each COLUMN_BYTES bytes, but
	 * at least COLUMNS_FREE columns.
	 */
	SYMBOLS_MOST = HP_PACK_SYMBOLS / 2,
	COLUMN_BYTES = 128,
	COLUMNS_FREE = 32768,
};

/* ---- symbols ---- */

static bool
add_column(struct hp_pack_encoder *e, struct hp_pack_symbol *s, unsigned width,
	   bool ref)
{
	struct hp_pack_column *c = hp_pack_table_column(&e->table);

	if (!c)
		return false;
	c->width = (uint8_t)width;
	c->ref = ref;
	s->ncolumns++;
	return true;
}

/*
 * Add the columns of an instance to its symbol (kind of items): one column for
 * each field or, if the class is not known, one for each 4 bytes.
 */
static bool
instance_columns(struct hp_pack_encoder *e, struct hp_pack_symbol *s)
{
	unsigned id_size = e->table.id_size;
	uint8_t types[TYPES_MOST];
	uint32_t sum = 0, left;
	size_t n = 0;
	bool ok = true;

	/*
	 * each field has at least one byte, so the number of bytes of the
	 * instance limits the number of its fields
	 */
	if (e->layouts)
		n = hp_pack_layouts_fields(
			e->layouts, s->class_id, e->known, types,
			s->bytes < TYPES_MOST ? s->bytes : TYPES_MOST);
	for (size_t i = 0; i < n; i++)
		sum += hp_type_size(types[i], id_size);
	if (sum != s->bytes)
		n = 0;
	for (size_t i = 0; i < n && ok; i++)
		ok = add_column(e, s, hp_type_size(types[i], id_size),
				hp_type_is_reference(types[i]));
	for (left = n ? 0 : s->bytes; left >= 4 && ok; left -= 4)
		ok = add_column(e, s, 4, false);
	for (; left > 0 && ok; left--)
		ok = add_column(e, s, 1, false);
	return ok;
}

/*
 * Add the columns of a record, or of a row of ALLOC SITES: one for each field.
 * A row has no tag byte, so its first byte is treated as the tag.
 */
static bool
row_columns(struct hp_pack_encoder *e, struct hp_pack_symbol *s)
{
	unsigned id_size = e->table.id_size;
	bool site = (s->tag & ~0xFFU) == HP_PACK_SITE;
	bool record = s->tag & HP_PACK_RECORD && !site, ok = true;
	const struct hp_record_desc *d =
		site	 ? hp_site_row()
		: record ? hp_record_desc((uint8_t)s->tag)
			 : hp_subrecord_desc((uint8_t)s->tag);

	for (unsigned i = 0; record && i < 2 && ok; i++)
		/*
		 * The fields in the header of a record: its time and its
		 * length.
		 */
		ok = add_column(e, s, 4, false);
	for (const struct hp_field_desc *f = d->fields + site; f->name && ok;
	     f++)
		ok = add_column(e, s, hp_shape_size(f->shape, id_size),
				f->shape == HP_ID);
	return ok;
}

static bool
symbol_columns(struct hp_pack_encoder *e, struct hp_pack_symbol *s)
{
	unsigned id_size = e->table.id_size;

	s->column = e->table.ncolumns;
	if (s->kind == HP_PACK_INSTANCE)
		return instance_columns(e, s);
	if (s->kind == HP_PACK_ROW)
		return row_columns(e, s);
	if (!add_column(e, s, 4, false))
		return false;
	if (s->kind == HP_PACK_TEXT) {
		bool ok = add_column(e, s, 4, false) &&
			  add_column(e, s, id_size, true) &&
			  add_column(e, s, 4, false);

		/*
		 * column HP_PACK_ORDER is used only if the strings are
		 * reordered
		 */
		s->ncolumns = HP_PACK_ORDER;
		return ok;
	}
	if (hp_pack_has_elements(s->kind))
		return add_column(e, s, hp_type_size(s->type, id_size),
				  hp_type_is_reference(s->type));
	return true;
}

static uint32_t
columns_most(uint32_t n)
{
	n /= COLUMN_BYTES;
	return n > COLUMNS_FREE ? n : COLUMNS_FREE;
}

static size_t
symbol_new(struct hp_pack_encoder *e, const struct hp_pack_item *item,
	   uint32_t bytes)
{
	struct hp_pack_symbol *s = hp_pack_table_symbol(&e->table);

	if (!s)
		return SIZE_MAX;
	s->kind = item->kind;
	s->type = item->type;
	s->tag = item->tag;
	s->class_id = item->class_id;
	s->bytes = bytes;
	if (!symbol_columns(e, s))
		return SIZE_MAX;
	hp_pack_symbol_shape(s, e->table.columns, e->table.id_size);
	return e->table.nsymbols - 1;
}

/* An item whose symbol (kind of items) is searched. */
struct symbol_key {
	const struct hp_pack_item *item;
	uint32_t bytes;
};

HP_HOT bool
is_symbol(const void *symbols, uint32_t number, const void *key)
{
	const struct hp_pack_symbol *s =
		&((const struct hp_pack_symbol *)symbols)[number - 1];
	const struct symbol_key *k = key;

	return s->class_id == k->item->class_id && s->kind == k->item->kind &&
	       s->tag == k->item->tag && s->type == k->item->type &&
	       s->bytes == k->bytes;
}

static uint32_t
symbol_hash(const struct hp_pack_encoder *e, const struct symbol_key *k)
{
	const uint64_t numbers[2] = {
		k->item->class_id,
		(uint64_t)k->item->tag << 48 | (uint64_t)k->item->type << 40 |
			(uint64_t)k->item->kind << 32 | k->bytes};

	return (uint32_t)XXH3_64bits_withSeed(numbers, sizeof(numbers),
					      e->found.seed);
}

/*
 * Find the symbol (kind of items) of an item, or add it. Symbol 0 is for items
 * that are stored as unparsed bytes. Returns SIZE_MAX if out of memory.
 */
static size_t
symbol_of(struct hp_pack_encoder *e, struct hp_pack_item *item)
{
	const struct symbol_key key = {
		item, item->kind == HP_PACK_INSTANCE ? item->count : 0};
	struct hp_hash_slot *slot;
	uint32_t hash;
	size_t number;

	if (item->kind != HP_PACK_INSTANCE && item->kind != HP_PACK_OBJECTS &&
	    item->kind != HP_PACK_OBJECTS_HEAD)
		item->class_id = 0;
	if (item->kind == HP_PACK_BYTES && item->tag == HP_PACK_RAW)
		return 0;
	if (!hp_hash_reserve(&e->found, e->found.count + 1))
		return SIZE_MAX;
	hash = symbol_hash(e, &key);
	slot = hp_hash_find(&e->found, hash, is_symbol, e->table.symbols, &key);
	if (slot->number)
		return slot->number - 1;
	if (e->table.nsymbols == SYMBOLS_MOST ||
	    e->table.ncolumns + key.bytes + 16 > columns_most(e->n)) {
		e->odd = true;
		return 0;
	}
	number = symbol_new(e, item, key.bytes);
	if (number != SIZE_MAX)
		hp_hash_add(&e->found, slot, hash, (uint32_t)number + 1);
	return number;
}

/* ---- items ---- */

static bool
items_grow(struct hp_pack_encoder *e)
{
	return hp_list_enlarge(&e->ops, &e->ops_room, sizeof(*e->ops)) &&
	       hp_list_enlarge(&e->at, &e->at_room, sizeof(*e->at)) &&
	       hp_list_enlarge(&e->rows, &e->rows_room, sizeof(*e->rows));
}

/*
 * Divide the block into items, and find the symbol (kind of items) of each
 * item. Returns false if out of memory.
 */
static bool
parse_items(struct hp_pack_encoder *e, struct hp_pack_walk w)
{
	struct hp_pack_table *t = &e->table;
	struct hp_pack_item item = {0};

	while (hp_pack_walk_next(&w, &item) == HP_PACK_ITEM) {
		size_t number;

		if (!t->id_size)
			t->id_size = w.id_size;
		if (t->items + 1 >= e->rows_room && !items_grow(e))
			return false;
		number = symbol_of(e, &item);
		if (number == SIZE_MAX)
			return false;
		t->symbols[number].rows++;
		e->ops[t->items] = (uint16_t)number;
		e->at[t->items++] = (uint32_t)(item.at - e->data);
		e->at[t->items] = e->n;
	}
	e->odd |= w.odd;
	return true;
}

/*
 * The key for sorting symbols (kinds of items). Symbols whose items are not
 * objects come first, so that their data is at the beginning of each stream:
 * some readers need only this data. Symbols with many items come before those
 * with few.
 */
struct rank {
	uint32_t rows, number;
	bool object;
};

static int
rank_compare(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	int c = hp_order(x->rows == 0, y->rows == 0);

	c = c ? c : hp_order(x->object, y->object);
	c = c ? c : hp_order(y->rows, x->rows);
	return c ? c : hp_order(x->number, y->number);
}

/*
 * Sort the symbols (kinds of items), remove unused ones, and renumber the items
 * accordingly. Returns false if out of memory.
 */
static bool
rank_symbols(struct hp_pack_encoder *e)
{
	struct hp_pack_table *t = &e->table;
	uint32_t n = t->nsymbols, used = 0, first = 0;
	struct rank *ranks = hp_malloc((n + 1) * sizeof(*ranks));
	struct hp_pack_symbol *list = hp_malloc((n + 1) * sizeof(*list));
	bool ok = ranks && list;

	for (uint32_t i = 0; ok && i < n; i++)
		ranks[i] = (struct rank){t->symbols[i].rows, i,
					 !hp_pack_is_kept(&t->symbols[i])};
	if (ok)
		qsort(ranks, n, sizeof(*ranks), rank_compare);
	for (uint32_t i = 0; ok && i < n && ranks[i].rows > 0; i++, used++) {
		list[i] = t->symbols[ranks[i].number];
		list[i].first = first;
		first += list[i].rows;
	}
	if (ok) {
		/*
		 * From here on, the member `fixed` of a symbol (kind of items)
		 * in the old table contains the new number of the symbol.
		 */
		for (uint32_t i = 0; i < used; i++)
			t->symbols[ranks[i].number].fixed = i;
		for (uint32_t i = 0; i < t->items; i++)
			e->ops[i] = (uint16_t)t->symbols[e->ops[i]].fixed;
		memcpy(t->symbols, list, used * sizeof(*list));
		t->nsymbols = used;
	}
	hp_free(ranks);
	hp_free(list);
	return ok;
}

/*
 * Fill e->rows: list the items of the first symbol (kind of items), then those
 * of the second symbol, and so on.
 */
static void
sort_rows(struct hp_pack_encoder *e)
{
	struct hp_pack_symbol *symbols = e->table.symbols;

	for (uint32_t i = 0; i < e->table.items; i++) {
		struct hp_pack_symbol *s = &symbols[e->ops[i]];

		e->rows[s->first++] = hp_pack_by_number(s->kind) ? i : e->at[i];
	}
	for (uint32_t i = 0; i < e->table.nsymbols; i++)
		symbols[i].first -= symbols[i].rows;
}

/*
 * Compute the sums of the array lengths for all symbols (kinds of items) of
 * arrays. Returns false if out of memory.
 */
static bool
sum_arrays(struct hp_pack_encoder *e)
{
	struct hp_pack_table *t = &e->table;
	/* offset of the number of elements in the sub-record of an array */
	unsigned off = 5U + t->id_size;
	bool ok = true;

	for (uint32_t i = 0; i < t->nsymbols && ok; i++) {
		struct hp_pack_symbol *s = &t->symbols[i];
		const uint32_t *rows = e->rows + s->first;
		struct hp_pack_sum sum = {0};

		if (!hp_pack_is_array(s->kind))
			continue;
		for (uint32_t k = 0; k < s->rows; k++) {
			uint32_t n = hp_load4(e->data + rows[k] + off);

			hp_pack_sum(&sum, s->type, &n, 1);
		}
		ok = hp_pack_table_sum(t, s, &sum);
	}
	return ok;
}

static bool
encode_ops(struct hp_pack_encoder *e)
{
	uint32_t n = e->table.items;
	uint8_t *low = hp_pack_planes(e, n), *high = NULL;

	if (e->table.nsymbols > 256)
		high = hp_pack_planes(e, n);
	if (!low || (e->table.nsymbols > 256 && !high))
		return false;
	for (uint32_t i = 0; i < n; i++)
		low[i] = (uint8_t)e->ops[i];
	for (uint32_t i = 0; high && i < n; i++)
		high[i] = (uint8_t)(e->ops[i] >> 8);
	return hp_pack_segment_add(e, HP_PACK_S_OP_LOW, low, n) &&
	       (!high || hp_pack_segment_add(e, HP_PACK_S_OP_HIGH, high, n));
}

/* ---- the whole block ---- */

static bool
encoder_reset(struct hp_pack_encoder *e, const struct hp_pack_walk *w)
{
	const struct hp_pack_item raw = {.kind = HP_PACK_BYTES,
					 .tag = HP_PACK_RAW};
	struct hp_pack_table *t = &e->table;
	/*
	 * The planes (encoded columns) have at most 7 bytes for each byte of
	 * the block: an item has at least 1 byte, and its length and symbol
	 * number take at most 6 bytes.
	 */
	size_t room = 8 * w->left + 4096;

	e->data = w->at;
	e->n = (uint32_t)w->left;
	t->items = t->nsymbols = t->ncolumns = t->nresidues = 0;
	t->id_size = w->id_size;
	t->id_count = t->trace_count = 0;
	t->facts = (struct hp_pack_facts){0};
	e->nsegments = e->planes_used = 0;
	e->odd = false;
	hp_buf_clear(&e->id_runs);
	hp_buf_clear(&e->trace_runs);
	hp_buf_clear(&e->head);
	hp_hash_clear(&e->found);
	return hp_pack_make_room(&e->planes, &e->planes_room, room, 1) &&
	       symbol_new(e, &raw, 0) != SIZE_MAX;
}

enum hp_status
hp_pack_encode(struct hp_pack_encoder *e, const struct hp_pack_walk *w)
{
	struct hp_pack_table *t = &e->table;

	if (!encoder_reset(e, w) || !parse_items(e, *w) || !rank_symbols(e))
		return HP_NOMEM;
	for (uint32_t i = 0; i < t->nsymbols; i++)
		hp_pack_symbol_shape(&t->symbols[i], t->columns, t->id_size);
	sort_rows(e);
	if (!hp_pack_order_texts(e) || !sum_arrays(e) || !encode_ops(e) ||
	    !hp_pack_encode_ids(e) || !hp_pack_encode_columns(e))
		return HP_NOMEM;
	hp_pack_table_write(t, &e->head);
	if (!hp_buf_ok(&e->head) ||
	    !hp_pack_segment_add(e, HP_PACK_S_SYMBOLS,
				 (const uint8_t *)e->head.data, e->head.len))
		return HP_NOMEM;
	return HP_OK;
}
