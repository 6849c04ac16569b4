/*
 * encode_columns.c - encode the columns of a block of a pack
 *
 * A column is one field of all items of a symbol (a kind and class of items);
 * the items are its rows. The encoder processes some rows of all columns, then
 * the next rows of all columns, so that the rows stay in the cache. It chooses
 * the encoding of each column by a sample of the column's values.
 */
#include "common/pack/block/internal.h"

#include "common/base/memory.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"

enum {
	/*
	 * number of neighbouring values in each part of a sample; a sample has
	 * several parts
	 */
	PART = 256,
	PARTS = HP_PACK_SAMPLE / PART,
};

/*
 * If the entropy of a sample is at least this number of bits for each byte, its
 * values are treated like random bytes.
 */
static const double RANDOM_BITS = 7.7;

/* The state of encoding a column. */
struct hp_pack_coder {
	struct hp_pack_column *column;
	/* where the value of the column is in an item, as an offset in bytes */
	uint32_t off;
	uint8_t *planes;
	/* size in bytes of a plane of the column: one byte for each value */
	size_t stride;
	/* number of values of the column that were encoded so far */
	size_t written;
	uint64_t prev, bits;
	/* some value of the column has no code in the chosen encoding */
	bool bad;
};

static void
encode_values(struct hp_pack_coder *c, const uint64_t *values,
	      const uint64_t *own, size_t n)
{
	uint64_t codes[HP_PACK_TILE], before = c->bits;

	if (!hp_pack_encode_value(c->column, &c->prev, values, own, codes, n,
				  &c->bits))
		c->bad = true;
	if (c->column->how != HP_PACK_CONST) {
		/*
		 * Up to now, byte p of every code was 0, so plane p was not
		 * written. Write these zeros now.
		 */
		for (unsigned p = 0; p < 8; p++)
			if ((c->bits >> 8 * p & 0xFF) &&
			    !(before >> 8 * p & 0xFF))
				memset(c->planes + p * c->stride, 0,
				       c->written);
		hp_byte_shuffle(c->planes + c->written, c->stride, codes, n,
				c->bits);
	}
	c->written += n;
}

/*
 * Encode the column again from its beginning, with HP_PACK_PLAIN, which can
 * represent every value.
 */
static void
restart_plain(struct hp_pack_coder *c)
{
	c->column->how = HP_PACK_PLAIN;
	c->column->shift = 0;
	c->column->base = 0;
	c->written = 0;
	c->prev = c->bits = 0;
	c->bad = false;
}

/*
 * Reserve memory for the planes of a column of @n values. Plane p contains byte
 * p of every encoded value. Returns false if there is not enough memory.
 */
static bool
coder_start(struct hp_pack_encoder *e, struct hp_pack_coder *c, size_t n)
{
	c->stride = n;
	c->written = 0;
	c->prev = c->bits = 0;
	c->bad = false;
	c->planes = NULL;
	if (c->column->how == HP_PACK_CONST)
		return true;
	c->planes = hp_pack_planes(e, n * c->column->width);
	return c->planes;
}

/*
 * Append the planes (one byte of each number) of a column to its streams. Leave
 * out the high planes that are all zero.
 */
static bool
coder_end(struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	  struct hp_pack_coder *c, unsigned number)
{
	unsigned group = hp_pack_group(s, c->column, number), n = 0;

	c->column->planes = 0;
	if (c->column->how == HP_PACK_CONST)
		return true;
	for (uint64_t bits = c->bits; bits; bits >>= 8)
		n++;
	for (unsigned p = 0; p < n; p++) {
		/*
		 * Up to now, byte p of every code was 0, so plane p was not
		 * written.
		 */
		if (!(c->bits >> 8 * p & 0xFF))
			memset(c->planes + p * c->stride, 0, c->stride);
		if (!hp_pack_segment_add(e, 8 * group + p,
					 c->planes + p * c->stride, c->stride))
			return false;
	}
	c->column->planes = (uint8_t)n;
	return true;
}

/* ---- columns at fixed offsets ---- */

/* Returns the offset, within an item, of its value in column @i. */
static uint32_t
offset_of(const struct hp_pack_table *t, const struct hp_pack_symbol *s,
	  unsigned i)
{
	static const uint8_t text[] = {5, 1, HP_HEAD_SIZE};
	uint32_t off = 1;

	if (s->kind == HP_PACK_TEXT)
		return text[i];
	if (hp_pack_varies(s->kind))
		return 5U + t->id_size;
	if (s->kind == HP_PACK_INSTANCE)
		off = hp_instance_head(t->id_size);
	for (unsigned k = 0; k < i; k++)
		off += t->columns[s->column + k].width;
	return off;
}

static void
load_values(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	    const struct hp_pack_coder *c, uint64_t *values, size_t first,
	    size_t n)
{
	const uint32_t *rows = e->rows + s->first + first;

	if (!hp_pack_by_number(s->kind)) {
		hp_rows_load(values, e->data, rows, n, c->off,
			     c->column->width);
		return;
	}
	/*
	 * the dump has no field for the length of these items, so compute it
	 * from the offset of the next item
	 */
	for (size_t i = 0; i < n; i++)
		values[i] = (e->at[rows[i] + 1] - e->at[rows[i]]) / s->unit;
}

/*
 * Fill @before: for the string of each row, the length of the previous string;
 * 0 for the first string.
 */
static const uint64_t *
load_text_before(const struct hp_pack_encoder *e,
		 const struct hp_pack_symbol *s, uint64_t *before, size_t first,
		 size_t n)
{
	const uint32_t *rows = e->rows + s->first;

	for (size_t i = 0; i < n; i++) {
		size_t row = first + i;

		before[i] = row ? hp_load4(e->data + rows[row - 1] + 5) -
					    e->table.id_size
				: 0;
	}
	return before;
}

/*
 * For each value of a column, get the number that is subtracted to encode the
 * value. If the values are ids of strings, this number is the length of the
 * previous string. If the values are fields, it is the id of the instance.
 * Returns @own; NULL if nothing is subtracted.
 */
static const uint64_t *
load_own(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	 uint64_t *own, size_t first, size_t n)
{
	if (s->kind == HP_PACK_TEXT)
		return load_text_before(e, s, own, first, n);
	if (s->kind != HP_PACK_INSTANCE)
		return NULL;
	hp_rows_load(own, e->data, e->rows + s->first + first, n, 1,
		     e->table.id_size);
	return own;
}

static void
choose_column(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	      struct hp_pack_coder *c)
{
	uint64_t values[HP_PACK_SAMPLE], own[HP_PACK_SAMPLE];
	const uint64_t *objects = NULL;
	size_t n = 0;

	if (s->rows <= HP_PACK_SAMPLE) {
		n = s->rows;
		load_values(e, s, c, values, 0, n);
		objects = load_own(e, s, own, 0, n);
	}
	for (size_t i = 0; s->rows > HP_PACK_SAMPLE && i < PARTS; i++) {
		size_t at = (size_t)(s->rows - PART) * i / (PARTS - 1);

		load_values(e, s, c, values + n, at, PART);
		objects = load_own(e, s, own + n, at, PART) ? own : NULL;
		n += PART;
	}
	if (s->kind != HP_PACK_TEXT)
		hp_pack_choose_column(c->column, values, objects, n, s->rows,
				      e->table.id_size);
	else if (c->column->ref)
		hp_pack_choose_text_id(c->column, values, own, n, s->rows,
				       e->table.id_size);
	else
		hp_pack_choose_column(c->column, values, NULL, n, s->rows,
				      e->table.id_size);
}

/* Encode columns @from to @to - 1 for all items of a symbol (kind of items). */
static void
code_rows(struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	  unsigned from, unsigned to)
{
	uint64_t values[HP_PACK_TILE], own[HP_PACK_TILE];

	for (size_t at = 0; at < s->rows; at += HP_PACK_TILE) {
		size_t n = hp_pack_tile(s->rows - at);
		const uint64_t *objects;

		objects = load_own(e, s, own, at, n);
		for (unsigned i = from; i < to; i++) {
			struct hp_pack_coder *c = &e->coders[i];

			load_values(e, s, c, values, at, n);
			encode_values(c, values, objects, n);
		}
	}
}

/*
 * Encode the first @n columns of a symbol (kind of items). Their values are at
 * the same offset in all items.
 */
static bool
fixed_columns(struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	      unsigned n)
{
	struct hp_pack_table *t = &e->table;

	if (!hp_pack_make_room(&e->coders, &e->coders_room, n,
			       sizeof(*e->coders)))
		return false;
	for (unsigned i = 0; i < n; i++) {
		struct hp_pack_coder *c = &e->coders[i];

		c->column = &t->columns[s->column + i];
		c->off = i && s->kind != HP_PACK_TEXT
				 ? c[-1].off + c[-1].column->width
				 : offset_of(t, s, i);
		choose_column(e, s, c);
		if (!coder_start(e, c, s->rows))
			return false;
	}
	code_rows(e, s, 0, n);
	for (unsigned i = 0; i < n; i++) {
		struct hp_pack_coder *c = &e->coders[i];

		if (c->bad) {
			restart_plain(c);
			if (!c->planes && !coder_start(e, c, s->rows))
				return false;
			code_rows(e, s, i, i + 1);
		}
		if (!coder_end(e, s, c, i))
			return false;
	}
	return true;
}

/* ---- elements of arrays ---- */

/*
 * Find the elements of array number @i of a symbol (kind of items). Returns the
 * number of elements. *@own receives the id of the array.
 */
static size_t
elements_at(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	    size_t i, const uint8_t **at, uint64_t *own)
{
	unsigned id_size = e->table.id_size;
	uint32_t row = e->rows[s->first + i];

	*own = 0;
	if (s->kind == HP_PACK_ELEMENTS) {
		*at = e->data + e->at[row];
		return (e->at[row + 1] - e->at[row]) / s->unit;
	}
	*at = e->data + row + s->fixed;
	*own = hp_load_id(e->data + row + 1, id_size);
	return hp_load4(e->data + row + 5 + id_size);
}

/*
 * The next array element to collect. Elements are collected from one array
 * after the other.
 */
struct gather {
	/* row (index) of the next array from which elements are collected */
	size_t row;
	/* number of elements of this array that were already collected */
	size_t pass;
	uint64_t values[HP_PACK_TILE], own[HP_PACK_TILE];
};

/*
 * Collect up to @room elements. Returns the number of elements; 0 after the
 * last one.
 */
static size_t
gather_values(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	      struct gather *g, size_t room)
{
	size_t n = 0;

	while (n < room && g->row < s->rows) {
		const uint8_t *at;
		uint64_t own;
		size_t all = elements_at(e, s, g->row, &at, &own);
		size_t k = all - g->pass;

		if (k > room - n)
			k = room - n;
		hp_run_load(g->values + n, at + g->pass * s->unit, k, s->unit);
		for (size_t i = 0; i < k; i++)
			g->own[n + i] = own;
		n += k;
		g->pass += k;
		if (g->pass == all) {
			g->row++;
			g->pass = 0;
		}
	}
	return n;
}

static void
choose_elements(const struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
		struct hp_pack_coder *c, size_t total, struct gather *g)
{
	uint64_t values[HP_PACK_SAMPLE], own[HP_PACK_SAMPLE];
	double bits;
	size_t n = 0;

	for (size_t i = 0; i < PARTS && n < HP_PACK_SAMPLE; i++) {
		size_t k;

		/*
		 * Distribute the parts of the sample evenly over all arrays:
		 * part i begins with array i * rows / PARTS. If there is only
		 * one array, the parts are distributed over the elements of
		 * this array.
		 */
		g->row = s->rows > 1 ? (size_t)s->rows * i / PARTS : 0;
		g->pass = 0;
		if (s->rows == 1 && total > HP_PACK_SAMPLE)
			g->pass = (total - PART) * i / (PARTS - 1);
		k = gather_values(e, s, g, PART);
		memcpy(values + n, g->values, k * sizeof(*values));
		memcpy(own + n, g->own, k * sizeof(*own));
		n += k;
	}
	bits = hp_pack_choose_column(c->column, values,
				     s->kind == HP_PACK_OBJECTS ? own : NULL, n,
				     total, e->table.id_size);
	/* the elements look random, so columns would not save space */
	if (n == HP_PACK_SAMPLE &&
	    bits > RANDOM_BITS * (double)(n * c->column->width)) {
		c->column->how = HP_PACK_COPY;
		c->column->shift = 0;
		c->column->base = 0;
	}
}

static void
code_elements(struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	      struct hp_pack_coder *c, struct gather *g)
{
	const uint64_t *own = s->kind == HP_PACK_OBJECTS ? g->own : NULL;
	size_t n;

	g->row = g->pass = 0;
	while ((n = gather_values(e, s, g, HP_PACK_TILE)) > 0)
		encode_values(c, g->values, own, n);
}

/*
 * Copy the elements of all arrays of a symbol (kind of items) to a stream,
 * unchanged.
 */
static bool
copy_rows(struct hp_pack_encoder *e, const struct hp_pack_symbol *s,
	  unsigned stream, size_t total)
{
	uint8_t *to = hp_pack_planes(e, total * s->unit), *start = to;

	if (!to)
		return false;
	for (size_t i = 0; i < s->rows; i++) {
		const uint8_t *at;
		uint64_t own;
		size_t n = elements_at(e, s, i, &at, &own) * s->unit;

		memcpy(to, at, n);
		to += n;
	}
	return hp_pack_segment_add(e, stream, start, total * s->unit);
}

static bool
element_column(struct hp_pack_encoder *e, const struct hp_pack_symbol *s)
{
	struct hp_pack_coder c = {.column = &e->table.columns[s->column + 1]};
	struct gather *g;
	size_t total = 0;
	bool ok = true;

	for (size_t i = 0; i < s->rows; i++) {
		const uint8_t *at;
		uint64_t own;

		total += elements_at(e, s, i, &at, &own);
	}
	g = hp_malloc(sizeof(*g));
	if (!g)
		return false;
	c.column->how = HP_PACK_COPY;
	if (s->unit > 1)
		choose_elements(e, s, &c, total, g);
	if (c.column->how == HP_PACK_COPY) {
		hp_free(g);
		return copy_rows(e, s, 8 * hp_pack_group(s, c.column, 1),
				 total);
	}
	ok = coder_start(e, &c, total);
	if (ok)
		code_elements(e, s, &c, g);
	if (ok && c.bad) {
		restart_plain(&c);
		ok = c.planes || coder_start(e, &c, total);
		if (ok)
			code_elements(e, s, &c, g);
	}
	hp_free(g);
	return ok && coder_end(e, s, &c, 1);
}

/* ---- text and bytes ---- */

/*
 * Copy the bytes after the fixed fields of all items of a symbol (kind of
 * items): the characters of strings, or the bytes of unparsed items.
 */
static bool
copy_tail_bytes(struct hp_pack_encoder *e, const struct hp_pack_symbol *s)
{
	bool text = s->kind == HP_PACK_TEXT;
	unsigned head = text ? HP_HEAD_SIZE + e->table.id_size : 0;
	uint8_t *to = e->planes + e->planes_used, *start = to;
	size_t room = e->planes_room - e->planes_used;

	/* a single item is contiguous in the dump, so it need not be copied */
	if (s->rows == 1 && !text) {
		uint32_t row = e->rows[s->first];

		return hp_pack_segment_add(e, hp_pack_bytes_stream(s->tag),
					   e->data + e->at[row],
					   e->at[row + 1] - e->at[row]);
	}
	for (size_t i = 0; i < s->rows; i++) {
		uint32_t row = e->rows[s->first + i];
		const uint8_t *at = e->data + (text ? row : e->at[row]);
		size_t n = text ? hp_load4(at + 5) - e->table.id_size
				: e->at[row + 1] - e->at[row];

		if (n > room - (size_t)(to - start))
			return false;
		memcpy(to, at + head, n);
		to += n;
	}
	e->planes_used += (size_t)(to - start);
	return hp_pack_segment_add(
		e, text ? HP_PACK_S_TEXT : hp_pack_bytes_stream(s->tag), start,
		(size_t)(to - start));
}

/*
 * Encode the order of the strings in the dump, because the block stores the
 * strings in another order.
 */
static bool
order_column(struct hp_pack_encoder *e, const struct hp_pack_symbol *s)
{
	struct hp_pack_coder c = {
		.column = &e->table.columns[s->column + HP_PACK_ORDER]};
	uint64_t values[HP_PACK_TILE];

	restart_plain(&c);
	if (!coder_start(e, &c, s->rows))
		return false;
	for (size_t at = 0; at < s->rows; at += HP_PACK_TILE) {
		size_t n = hp_pack_tile(s->rows - at);

		for (size_t i = 0; i < n; i++)
			values[i] = e->order[s->first + at + i];
		encode_values(&c, values, NULL, n);
	}
	return coder_end(e, s, &c, HP_PACK_ORDER);
}

bool
hp_pack_encode_columns(struct hp_pack_encoder *e)
{
	struct hp_pack_table *t = &e->table;
	bool ok = true;

	for (uint32_t i = 0; i < t->nsymbols && ok; i++) {
		const struct hp_pack_symbol *s = &t->symbols[i];
		bool elements = hp_pack_has_elements(s->kind);
		bool ordered = hp_pack_is_ordered(s);

		ok = fixed_columns(e, s, s->ncolumns - elements - ordered);
		if (ok && ordered)
			ok = order_column(e, s);
		if (ok && elements)
			ok = element_column(e, s);
		if (ok && (s->kind == HP_PACK_TEXT || s->kind == HP_PACK_BYTES))
			ok = copy_tail_bytes(e, s);
	}
	return ok;
}
