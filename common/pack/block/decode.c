/*
 * decode.c - decode a block of a pack
 *
 * A block describes items (records and sub-records). All items of one kind and
 * class belong to one symbol; they are the rows of a table. The decoder first
 * decodes the lengths of all items, then their positions and fixed fields, then
 * their contents, column by column.
 */
#include "common/pack/block/block.h"

#include "common/base/memory.h"
#include "common/format/cursor.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"

void
hp_pack_streams_clear(struct hp_pack_decoder *d)
{
	static const uint8_t none[1];

	for (unsigned i = 0; i < HP_PACK_STREAMS; i++)
		d->streams[i] = (struct hp_pack_bytes){none, none};
}

/* ---- lengths ---- */

/*
 * Read @count planes of a column from the streams of a group (similar columns).
 * The column has @n values; a plane contains one byte of each value.
 */
static bool
read_planes(struct hp_pack_decoder *d, unsigned group, unsigned count, size_t n,
	    const uint8_t *planes[8])
{
	for (unsigned p = 0; p < count; p++) {
		struct hp_pack_bytes *b = &d->streams[8 * group + p];

		if (n > hp_pack_left(b))
			return false;
		planes[p] = b->p;
		b->p += n;
	}
	return true;
}

/* A column of numbers that is decoded some rows at a time. */
struct column {
	const struct hp_pack_column *c;
	const uint8_t *planes[8];
	uint64_t prev;
};

static bool
column_open(struct hp_pack_decoder *d, const struct hp_pack_symbol *s,
	    unsigned i, size_t n, struct column *column)
{
	column->c = &d->table.columns[s->column + i];
	column->prev = 0;
	if (column->c->how == HP_PACK_CONST)
		return true;
	return read_planes(d, hp_pack_group(s, column->c, i), column->c->planes,
			   n, column->planes);
}

static void
column_next(struct column *column, const uint64_t *own, uint64_t *values,
	    size_t n)
{
	const struct hp_pack_column *c = column->c;

	if (c->how != HP_PACK_CONST) {
		hp_byte_unshuffle(column->planes, c->planes, values, n);
		for (unsigned p = 0; p < c->planes; p++)
			column->planes[p] += n;
	}
	if (c->how != HP_PACK_PLAIN)
		hp_pack_decode_value(c, &column->prev, values, own, n);
}

static bool
decode_lengths(struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	uint64_t values[HP_PACK_TILE];
	uint32_t *to = d->lengths + s->first;
	struct column column;

	if (!column_open(d, s, 0, s->rows, &column))
		return false;
	for (size_t at = 0; at < s->rows; at += HP_PACK_TILE) {
		size_t n = hp_pack_tile(s->rows - at);

		column_next(&column, NULL, values, n);
		for (size_t i = 0; i < n; i++)
			to[at + i] = (uint32_t)values[i];
	}
	return true;
}

/*
 * Decode the order of the strings in the dump, because the block may store the
 * strings in another order. Returns false if the decoded order does not contain
 * each string exactly once.
 */
static bool
decode_order(struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	uint64_t values[HP_PACK_TILE];
	uint32_t *seen = d->rows + s->first, *to = d->order + s->first;
	struct column column;

	if (!column_open(d, s, HP_PACK_ORDER, s->rows, &column))
		return false;
	memset(seen, 0, s->rows * sizeof(*seen));
	for (size_t at = 0; at < s->rows; at += HP_PACK_TILE) {
		size_t n = hp_pack_tile(s->rows - at);

		column_next(&column, NULL, values, n);
		for (size_t i = 0; i < n; i++) {
			if (values[i] >= s->rows || seen[values[i]])
				return false;
			seen[values[i]] = 1;
			to[at + i] = s->first + (uint32_t)values[i];
		}
	}
	return true;
}

/*
 * Whether the decoded lengths of the arrays add up to the totals in the symbol
 * table.
 */
static bool
sums_hold(const struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	struct hp_pack_sum sum = {0};

	if (!hp_pack_is_array(s->kind))
		return true;
	hp_pack_sum(&sum, s->type, d->lengths + s->first, s->rows);
	return hp_pack_table_sum_is(&d->table, s, &sum);
}

static bool
make_room(struct hp_pack_decoder *d, size_t rows, size_t symbols)
{
	return hp_pack_make_room(&d->lengths, &d->lengths_room, rows,
				 sizeof(*d->lengths)) &&
	       hp_pack_make_room(&d->rows, &d->rows_room, rows,
				 sizeof(*d->rows)) &&
	       hp_pack_make_room(&d->ids, &d->ids_room, rows,
				 sizeof(*d->ids)) &&
	       hp_pack_make_room(&d->next, &d->next_room, symbols,
				 sizeof(*d->next));
}

enum hp_status
hp_pack_decode_table(struct hp_pack_decoder *d, uint32_t plain)
{
	struct hp_pack_bytes *b = &d->streams[HP_PACK_S_SYMBOLS];
	enum hp_status st =
		hp_pack_table_read(&d->table, b->p, hp_pack_left(b), plain);

	b->p = b->end;
	d->plain = plain;
	return st;
}

enum hp_status
hp_pack_decode_lengths(struct hp_pack_decoder *d, uint32_t symbols)
{
	const struct hp_pack_symbol *list = d->table.symbols;
	size_t rows = 0;

	if (symbols > 0)
		rows = (size_t)list[symbols - 1].first + list[symbols - 1].rows;
	if (!make_room(d, rows, symbols))
		return HP_NOMEM;
	for (uint32_t i = 0; i < symbols; i++) {
		if (hp_pack_varies(list[i].kind) &&
		    (!decode_lengths(d, &list[i]) || !sums_hold(d, &list[i])))
			return HP_DAMAGED;
		if (!hp_pack_is_ordered(&list[i]))
			continue;
		if (!hp_pack_make_room(&d->order, &d->order_room,
				       (size_t)list[i].first + list[i].rows,
				       sizeof(*d->order)))
			return HP_NOMEM;
		if (!decode_order(d, &list[i]))
			return HP_DAMAGED;
	}
	if (symbols > 0)
		memset(d->next, 0, symbols * sizeof(*d->next));
	return HP_OK;
}

/* ---- positions and headers ---- */

/*
 * Exceptions are object ids (or trace serials) that differ from the predicted
 * value. One stream contains, for each exception, the number of objects with
 * predicted values that come directly before it. Other streams contain the
 * values of the exceptions.
 */
struct exceptions {
	struct hp_pack_bytes *runs;
	const uint8_t *planes[8];
	unsigned nplanes;
	/* number of exceptions (unpredicted values) that were not read yet */
	uint32_t left;
	/*
	 * number of objects with the predicted value that come before the next
	 * exception
	 */
	uint64_t run;
};

static bool
exceptions_run(struct exceptions *s)
{
	s->run = UINT64_MAX;
	return s->left == 0 || hp_get_varint(s->runs, &s->run);
}

static bool
exceptions_open(struct hp_pack_decoder *d, struct exceptions *s,
		unsigned stream, unsigned group, unsigned nplanes,
		uint32_t count)
{
	s->runs = &d->streams[stream];
	s->nplanes = nplanes;
	s->left = count;
	return read_planes(d, group, nplanes, count, s->planes) &&
	       exceptions_run(s);
}

/*
 * Get the value of the next exception (unpredicted value). Returns false if a
 * stream is damaged.
 */
static bool
exceptions_next(struct exceptions *s, uint64_t *v)
{
	*v = 0;
	for (unsigned p = 0; p < s->nplanes; p++)
		*v |= (uint64_t)*s->planes[p]++ << 8 * p;
	s->left--;
	return exceptions_run(s);
}

struct walk {
	struct exceptions ids, traces;
	uint64_t expected; /* predicted id of the next object */
	/* serial number of the stack trace of the previous object */
	uint32_t trace;
};

/*
 * Write the fields in the header of an object that come after the id and the
 * trace serial. @n: for an array, the number of elements; for an instance, the
 * number of bytes.
 */
static void
write_head(const struct hp_pack_symbol *s, uint8_t *p, uint32_t n,
	   unsigned id_size)
{
	switch (s->kind) {
	case HP_PACK_INSTANCE:
		hp_store_id(p, s->class_id, id_size);
		hp_store4(p + id_size, s->bytes);
		break;
	case HP_PACK_OBJECTS:
	case HP_PACK_OBJECTS_HEAD:
		hp_store4(p, n);
		hp_store_id(p + 4, s->class_id, id_size);
		break;
	default:
		hp_store4(p, n);
		p[4] = s->type;
	}
}

static inline uint8_t
tag_of(const struct hp_pack_symbol *s)
{
	switch (s->kind) {
	case HP_PACK_INSTANCE:
		return HP_SUB_INSTANCE_DUMP;
	case HP_PACK_OBJECTS:
	case HP_PACK_OBJECTS_HEAD:
		return HP_SUB_OBJECT_ARRAY_DUMP;
	case HP_PACK_PRIMITIVES:
	case HP_PACK_PRIMITIVES_HEAD:
		return HP_SUB_PRIMITIVE_ARRAY_DUMP;
	default:
		return (uint8_t)s->tag;
	}
}

/* Decode the id and trace serial of an object, and write its header. */
static inline bool
decode_object(struct hp_pack_decoder *d, struct walk *w,
	      const struct hp_pack_symbol *s, uint32_t row, uint8_t *p)
{
	unsigned id_size = d->table.id_size;
	uint32_t n = s->kind == HP_PACK_INSTANCE ? 0 : d->lengths[row];
	uint64_t id = w->expected, v;

	if (HP_UNLIKELY(w->ids.run == 0)) {
		if (!exceptions_next(&w->ids, &v))
			return false;
		id += hp_unzigzag(v);
		if (id_size == 4)
			id = (uint32_t)id;
	} else {
		w->ids.run--;
	}
	if (HP_UNLIKELY(w->traces.run == 0)) {
		if (!exceptions_next(&w->traces, &v))
			return false;
		w->trace = (uint32_t)v;
	} else {
		w->traces.run--;
	}
	d->ids[row] = id;
	hp_pack_fact(&d->facts, s->kind, id, n);
	w->expected = id + hp_pack_extent(s, n);
	if (id_size == 4)
		w->expected = (uint32_t)w->expected;
	hp_store_id(p + 1, id, id_size);
	hp_store4(p + 1 + id_size, w->trace);
	write_head(s, p + 5 + id_size, n, id_size);
	return true;
}

/*
 * Go through all items in the order of the dump. Store the position of each
 * item in d->rows, and write its fixed fields.
 */
static bool
walk_items(struct hp_pack_decoder *d, struct walk *w, uint8_t *out)
{
	const struct hp_pack_table *t = &d->table;
	const uint8_t *low = d->streams[HP_PACK_S_OP_LOW].p, *high = NULL;
	uint32_t pos = 0;

	if (t->nsymbols > 256)
		high = d->streams[HP_PACK_S_OP_HIGH].p;
	for (uint32_t i = 0; i < t->items; i++) {
		unsigned op = low[i] | (high ? high[i] << 8 : 0);
		const struct hp_pack_symbol *s = &t->symbols[op];
		uint64_t size;
		uint32_t row;

		if (op >= t->nsymbols || d->next[op] == s->rows)
			return false;
		row = hp_pack_next_row(d, op);
		size = s->fixed;
		if (s->unit)
			size += (uint64_t)d->lengths[row] * s->unit;
		if (size > d->plain - pos)
			return false;
		d->rows[row] = pos;
		if (s->fixed)
			out[pos] = tag_of(s);
		if (hp_pack_is_object(s->kind)) {
			if (!decode_object(d, w, s, row, out + pos))
				return false;
		} else if (hp_pack_is_heap_head(s)) {
			hp_pack_fact_head(&d->facts, pos);
		}
		pos += (uint32_t)size;
	}
	return pos == d->plain && w->ids.left == 0 && w->traces.left == 0;
}

/*
 * The stream with the index @stream has one byte for each item: a part of the
 * number of the symbol (kind) of the item. Check that the stream has as many
 * bytes as there are items.
 */
static bool
read_ops(struct hp_pack_decoder *d, unsigned stream)
{
	struct hp_pack_bytes *b = &d->streams[stream];

	return hp_pack_left(b) == d->table.items;
}

static bool
same_facts(const struct hp_pack_facts *a, const struct hp_pack_facts *b)
{
	return a->id_bits == b->id_bits && a->any == b->any &&
	       a->first_array == b->first_array &&
	       a->last_array == b->last_array && a->last_end == b->last_end &&
	       a->overlaps == b->overlaps && a->near == b->near;
}

/*
 * Compute the positions of all items and write their fixed fields. Call it
 * after the lengths were decoded.
 * @out: memory for the unpacked block
 */
static enum hp_status
decode_items(struct hp_pack_decoder *d, uint8_t *out)
{
	const struct hp_pack_table *t = &d->table;
	struct walk w = {0};
	bool wide = t->nsymbols > 256;

	d->facts = (struct hp_pack_facts){0};
	d->out = out;
	if (!read_ops(d, HP_PACK_S_OP_LOW) ||
	    (wide && !read_ops(d, HP_PACK_S_OP_HIGH)) ||
	    !exceptions_open(d, &w.ids, HP_PACK_S_ID_RUN, HP_PACK_G_ID,
			     t->id_planes, t->id_count) ||
	    !exceptions_open(d, &w.traces, HP_PACK_S_TRACE_RUN, HP_PACK_G_TRACE,
			     t->trace_planes, t->trace_count) ||
	    !walk_items(d, &w, out) || !same_facts(&d->facts, &t->facts))
		return HP_DAMAGED;
	d->streams[HP_PACK_S_OP_LOW].p += t->items;
	if (wide)
		d->streams[HP_PACK_S_OP_HIGH].p += t->items;
	return HP_OK;
}

/* ---- contents of the items ---- */

/*
 * For each value of a column, get the number that was subtracted to encode the
 * value. If the values are ids of strings, this number is the length of the
 * previous string. Otherwise it is the id of the object that has the value.
 */
static const uint64_t *
column_owners(const struct hp_pack_decoder *d, const struct hp_pack_symbol *s,
	      size_t at, uint64_t *own, size_t n)
{
	const uint32_t *lengths = d->lengths + s->first + at;

	if (s->kind == HP_PACK_INSTANCE)
		return d->ids + s->first + at;
	if (s->kind != HP_PACK_TEXT)
		return NULL;
	for (size_t i = 0; i < n; i++)
		own[i] = at + i ? *(lengths + i - 1) - d->table.id_size : 0;
	return own;
}

/*
 * Decode a column whose values are at the same offset in all items of the
 * symbol (kind of items).
 */
static bool
fixed_column(struct hp_pack_decoder *d, const struct hp_pack_symbol *s,
	     unsigned i, uint32_t off)
{
	uint64_t values[HP_PACK_TILE], own[HP_PACK_TILE];
	struct column column;

	if (!column_open(d, s, i, s->rows, &column))
		return false;
	for (size_t at = 0; at < s->rows; at += HP_PACK_TILE) {
		size_t n = hp_pack_tile(s->rows - at);

		column_next(&column, column_owners(d, s, at, own, n), values,
			    n);
		hp_rows_store(values, d->out, d->rows + s->first + at, n, off,
			      column.c->width);
	}
	return true;
}

static bool
row_fields(struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	uint32_t off = 1;

	if (s->kind == HP_PACK_INSTANCE)
		off = hp_instance_head(d->table.id_size);
	for (uint32_t i = 0; i < s->ncolumns; i++) {
		if (!fixed_column(d, s, i, off))
			return false;
		off += d->table.columns[s->column + i].width;
	}
	return true;
}

/*
 * Decode the fields of STRING records. Time and id are columns. The length is
 * written separately.
 */
static bool
text_fields(struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	struct hp_pack_bytes *text = &d->streams[HP_PACK_S_TEXT];
	unsigned id_size = d->table.id_size;

	for (uint32_t i = 0; i < s->rows; i++)
		if (d->lengths[s->first + i] < id_size)
			return false;
	if (!fixed_column(d, s, 1, 1) || !fixed_column(d, s, 2, HP_HEAD_SIZE))
		return false;
	for (uint32_t i = 0; i < s->rows; i++) {
		uint8_t *p = d->out + d->rows[s->first + i];
		uint32_t length = d->lengths[s->first + i];
		size_t n = length - id_size;

		if (n > hp_pack_left(text))
			return false;
		hp_store4(p + 5, length);
		memcpy(p + HP_HEAD_SIZE + id_size, text->p, n);
		text->p += n;
	}
	return true;
}

/*
 * Copy the contents of all items of a symbol (kind of items) from a stream. The
 * length of each item is a multiple of s->unit.
 */
static bool
copy_rows(struct hp_pack_decoder *d, const struct hp_pack_symbol *s,
	  unsigned stream)
{
	struct hp_pack_bytes *b = &d->streams[stream];

	for (uint32_t i = 0; i < s->rows; i++) {
		uint8_t *p = d->out + d->rows[s->first + i] + s->fixed;
		size_t n = (size_t)d->lengths[s->first + i] * s->unit;

		if (n > hp_pack_left(b))
			return false;
		memcpy(p, b->p, n);
		b->p += n;
	}
	return true;
}

/* The next array element to decode. */
struct scatter {
	/*
	 * index (row) of the array among the items of its symbol (kind of
	 * items)
	 */
	uint32_t row;
	/* number of elements of this array that were already written */
	uint32_t pass;
};

/*
 * Fill @own: for each of the next @n elements, the id of the array that
 * contains the element.
 */
static void
decode_owners(const struct hp_pack_decoder *d, const struct hp_pack_symbol *s,
	      struct scatter at, uint64_t *own, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t row = s->first + at.row;
		uint64_t id = s->kind == HP_PACK_ELEMENTS ? 0 : d->ids[row];
		size_t k = d->lengths[row] - at.pass;

		for (k = k < n - i ? k : n - i; k > 0; k--)
			own[i++] = id;
		at.row++;
		at.pass = 0;
	}
}

static void
scatter_values(struct hp_pack_decoder *d, const struct hp_pack_symbol *s,
	       struct scatter *at, const uint64_t *values, size_t n)
{
	while (n > 0) {
		uint32_t row = s->first + at->row;
		size_t left = d->lengths[row] - at->pass;
		size_t k = left < n ? left : n;

		hp_run_store(values,
			     d->out + d->rows[row] + s->fixed +
				     (size_t)at->pass * s->unit,
			     k, s->unit);
		values += k;
		n -= k;
		at->pass += (uint32_t)k;
		if (k == left) {
			at->row++;
			at->pass = 0;
		}
	}
}

static bool
element_column(struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	uint64_t values[HP_PACK_TILE], own[HP_PACK_TILE];
	const struct hp_pack_column *c = &d->table.columns[s->column + 1];
	struct scatter to = {0};
	struct column column;
	size_t total = 0;

	if (c->how == HP_PACK_COPY)
		return copy_rows(d, s, 8 * hp_pack_group(s, c, 1));
	for (uint32_t i = 0; i < s->rows; i++)
		total += d->lengths[s->first + i];
	if (!column_open(d, s, 1, total, &column))
		return false;
	for (size_t at = 0; at < total; at += HP_PACK_TILE) {
		size_t n = hp_pack_tile(total - at);

		if (c->how == HP_PACK_OWN)
			decode_owners(d, s, to, own, n);
		column_next(&column, c->how == HP_PACK_OWN ? own : NULL, values,
			    n);
		scatter_values(d, s, &to, values, n);
	}
	return true;
}

enum hp_status
hp_pack_decode_symbol(struct hp_pack_decoder *d, const struct hp_pack_symbol *s)
{
	bool ok = true;

	if (s->kind == HP_PACK_ROW || s->kind == HP_PACK_INSTANCE)
		ok = row_fields(d, s);
	else if (s->kind == HP_PACK_TEXT)
		ok = text_fields(d, s);
	else if (s->kind == HP_PACK_BYTES)
		ok = copy_rows(d, s, hp_pack_bytes_stream(s->tag));
	else if (hp_pack_has_elements(s->kind))
		ok = element_column(d, s);
	return ok ? HP_OK : HP_DAMAGED;
}

enum hp_status
hp_pack_decode(struct hp_pack_decoder *d, uint8_t *out, uint32_t plain)
{
	enum hp_status st = hp_pack_decode_table(d, plain);

	if (st == HP_OK)
		st = hp_pack_decode_lengths(d, d->table.nsymbols);
	if (st == HP_OK)
		st = decode_items(d, out);
	for (uint32_t i = 0; i < d->table.nsymbols && st == HP_OK; i++)
		st = hp_pack_decode_symbol(d, &d->table.symbols[i]);
	for (unsigned i = 0; i < HP_PACK_STREAMS && st == HP_OK; i++)
		if (hp_pack_left(&d->streams[i]) > 0)
			st = HP_DAMAGED;
	return st;
}

void
hp_pack_decoder_release(struct hp_pack_decoder *d)
{
	hp_pack_table_release(&d->table);
	hp_free(d->lengths);
	hp_free(d->rows);
	hp_free(d->ids);
	hp_free(d->order);
	hp_free(d->next);
	*d = (struct hp_pack_decoder){0};
}
