/*
 * symbol_table.c - write, read and check the symbol table of a block
 *
 * A symbol stands for items of one kind and class, such as the instances of one
 * class. The table describes all symbols of the block.
 */
#include "common/pack/block/coding.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

void
hp_pack_table_release(struct hp_pack_table *t)
{
	hp_free(t->symbols);
	hp_free(t->columns);
	hp_free(t->residues);
	*t = (struct hp_pack_table){0};
}

struct hp_pack_symbol *
hp_pack_table_symbol(struct hp_pack_table *t)
{
	if (!HP_LIST_RESERVE(t->symbols, t->nsymbols, t->symbols_room))
		return NULL;
	t->symbols[t->nsymbols] = (struct hp_pack_symbol){0};
	return &t->symbols[t->nsymbols++];
}

struct hp_pack_column *
hp_pack_table_column(struct hp_pack_table *t)
{
	if (!HP_LIST_RESERVE(t->columns, t->ncolumns, t->columns_room))
		return NULL;
	t->columns[t->ncolumns] = (struct hp_pack_column){0};
	return &t->columns[t->ncolumns++];
}

void
hp_pack_symbol_shape(struct hp_pack_symbol *s,
		     const struct hp_pack_column *columns, unsigned id_size)
{
	s->fixed = 0;
	s->unit = 0;
	switch (s->kind) {
	case HP_PACK_BYTES:
		s->unit = 1;
		break;
	case HP_PACK_ROW:
		s->fixed = 1;
		for (uint32_t i = 0; i < s->ncolumns; i++)
			s->fixed += columns[s->column + i].width;
		break;
	case HP_PACK_TEXT:
		s->fixed = HP_HEAD_SIZE;
		s->unit = 1;
		break;
	case HP_PACK_INSTANCE:
		s->fixed = hp_instance_head(id_size) + s->bytes;
		break;
	case HP_PACK_OBJECTS:
	case HP_PACK_OBJECTS_HEAD:
		s->fixed = hp_object_array_head(id_size);
		break;
	case HP_PACK_PRIMITIVES:
	case HP_PACK_PRIMITIVES_HEAD:
		s->fixed = hp_primitive_array_head(id_size);
		break;
	default:
		break;
	}
	if (hp_pack_has_elements(s->kind))
		s->unit = hp_type_size(s->type, id_size);
}

/* ---- sums ---- */

void
hp_pack_sum(struct hp_pack_sum *sum, unsigned type, const uint32_t *lengths,
	    size_t n)
{
	uint32_t mask = hp_pack_residues(type) - 1;

	for (size_t i = 0; i < n; i++) {
		sum->elements += lengths[i];
		sum->rows[lengths[i] & mask]++;
	}
}

static bool
add_residue(struct hp_pack_table *t, struct hp_pack_symbol *s, uint32_t residue,
	    uint32_t rows)
{
	if (!HP_LIST_PUSH(
		    t->residues, t->nresidues, t->residues_room,
		    (struct hp_pack_residue){.residue = residue, .rows = rows}))
		return false;
	s->nresidues++;
	return true;
}

bool
hp_pack_table_sum(struct hp_pack_table *t, struct hp_pack_symbol *s,
		  const struct hp_pack_sum *sum)
{
	unsigned n = hp_pack_residues(s->type);
	bool ok = true;

	s->elements = sum->elements;
	s->residue = t->nresidues;
	s->nresidues = 0;
	for (unsigned i = 0; i < n && ok; i++)
		ok = !sum->rows[i] || add_residue(t, s, i, sum->rows[i]);
	return ok;
}

bool
hp_pack_table_sum_is(const struct hp_pack_table *t,
		     const struct hp_pack_symbol *s,
		     const struct hp_pack_sum *sum)
{
	/*
	 * comparing these entries suffices, because together they count all
	 * arrays of the symbol (kind of items)
	 */
	for (uint32_t i = 0; i < s->nresidues; i++) {
		const struct hp_pack_residue *r = &t->residues[s->residue + i];

		if (sum->rows[r->residue] != r->rows)
			return false;
	}
	return sum->elements == s->elements;
}

/* ---- writing ---- */

static bool
has_class(unsigned kind)
{
	return kind == HP_PACK_INSTANCE || kind == HP_PACK_OBJECTS ||
	       kind == HP_PACK_OBJECTS_HEAD;
}

static bool
has_base(const struct hp_pack_column *c)
{
	return c->how == HP_PACK_CONST || c->how == HP_PACK_ABS ||
	       c->how == HP_PACK_NEXT;
}

static void
write_column(const struct hp_pack_column *c, struct hp_buf *out)
{
	unsigned log = c->width == 8 ? 3 : c->width / 2;

	hp_buf_byte(out, (char)(log | c->ref << 2 | c->how << 3));
	hp_buf_byte(out, (char)(c->planes | c->shift << 4));
	if (has_base(c))
		hp_put_varint(out, c->base);
}

/*
 * Write how long the arrays of a symbol (kind of items) are: the sum of their
 * lengths; then, for each remainder that occurs (length modulo
 * hp_pack_residues()), the distance from the previous remainder, and the number
 * of arrays with this remainder.
 */
static void
write_sum(const struct hp_pack_table *t, const struct hp_pack_symbol *s,
	  struct hp_buf *out)
{
	uint32_t next = 0;

	hp_put_varint(out, s->elements);
	for (uint32_t i = 0; i < s->nresidues; i++) {
		const struct hp_pack_residue *r = &t->residues[s->residue + i];

		hp_put_varint(out, r->residue - next);
		hp_put_varint(out, r->rows);
		next = r->residue + 1;
	}
}

static void
write_symbol(const struct hp_pack_table *t, const struct hp_pack_symbol *s,
	     uint64_t *last_class, struct hp_buf *out)
{
	hp_buf_byte(out, (char)s->kind);
	hp_put_varint(out, s->tag);
	hp_buf_byte(out, (char)s->type);
	hp_put_varint(out, s->rows);
	if (has_class(s->kind)) {
		hp_put_varint(out, hp_zigzag(s->class_id - *last_class));
		*last_class = s->class_id;
	}
	if (s->kind == HP_PACK_INSTANCE)
		hp_put_varint(out, s->bytes);
	if (hp_pack_is_object(s->kind)) {
		hp_put_varint(out, s->gap);
		hp_buf_byte(out, (char)s->gap_width);
	}
	if (hp_pack_is_array(s->kind))
		write_sum(t, s, out);
	hp_put_varint(out, s->ncolumns);
}

void
hp_pack_table_write(const struct hp_pack_table *t, struct hp_buf *out)
{
	const struct hp_pack_facts *f = &t->facts;
	uint64_t last_class = 0;

	hp_buf_byte(out, (char)t->id_size);
	hp_buf_byte(out, f->any);
	hp_put_varint(out, f->id_bits);
	hp_put_varint(out, f->first_array);
	hp_put_varint(out, f->last_array);
	hp_put_varint(out, f->last_end);
	hp_put_varint(out, f->overlaps);
	hp_put_varint(out, f->near);
	hp_put_varint(out, t->items);
	hp_put_varint(out, t->id_count);
	hp_buf_byte(out, (char)t->id_planes);
	hp_put_varint(out, t->trace_count);
	hp_buf_byte(out, (char)t->trace_planes);
	hp_put_varint(out, t->nsymbols);
	for (uint32_t i = 0; i < t->nsymbols; i++) {
		const struct hp_pack_symbol *s = &t->symbols[i];

		write_symbol(t, s, &last_class, out);
		for (uint32_t k = 0; k < s->ncolumns; k++)
			write_column(&t->columns[s->column + k], out);
	}
}

/* ---- reading ---- */

static bool
get_byte(struct hp_pack_bytes *b, uint8_t *v)
{
	if (b->p == b->end)
		return false;
	*v = *b->p++;
	return true;
}

static bool
read_column(struct hp_pack_bytes *b, struct hp_pack_column *c)
{
	uint8_t first, second;

	if (!get_byte(b, &first) || !get_byte(b, &second))
		return false;
	c->width = (uint8_t)(1 << (first & 3));
	c->ref = first >> 2 & 1;
	c->how = first >> 3;
	c->planes = second & 15;
	c->shift = second >> 4;
	if (c->how >= HP_PACK_HOWS || c->planes > c->width || c->shift > 7)
		return false;
	return !has_base(c) || hp_get_varint(b, &c->base);
}

static bool
columns_fit(const struct hp_pack_symbol *s,
	    const struct hp_pack_column *columns, unsigned id_size)
{
	const struct hp_pack_column *c = columns + s->column;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->ncolumns; i++) {
		if (c[i].how == HP_PACK_COPY &&
		    !(hp_pack_has_elements(s->kind) && i == 1))
			return false;
		if (c[i].how == HP_PACK_NEXT &&
		    !(s->kind == HP_PACK_TEXT && i == HP_PACK_TEXT_ID))
			return false;
		sum += c[i].width;
	}
	if (hp_pack_varies(s->kind) && (s->ncolumns == 0 || c[0].width != 4))
		return false;
	switch (s->kind) {
	case HP_PACK_ROW:
		return true;
	case HP_PACK_INSTANCE:
		return sum == s->bytes;
	case HP_PACK_TEXT:
		return (s->ncolumns == HP_PACK_ORDER ||
			(s->ncolumns == HP_PACK_ORDER + 1 &&
			 c[HP_PACK_ORDER].width == 4)) &&
		       c[HP_PACK_TEXT_TIME].width == 4 &&
		       c[HP_PACK_TEXT_ID].width == id_size;
	case HP_PACK_OBJECTS:
	case HP_PACK_PRIMITIVES:
	case HP_PACK_ELEMENTS:
		return s->ncolumns == 2 && c[1].width == s->unit;
	default:
		return s->ncolumns == 1;
	}
}

static bool
symbol_fits(const struct hp_pack_symbol *s, unsigned id_size)
{
	if (s->kind >= HP_PACK_KINDS)
		return false;
	if (s->kind != HP_PACK_BYTES && s->kind != HP_PACK_ROW && !id_size)
		return false;
	switch (s->kind) {
	case HP_PACK_OBJECTS:
	case HP_PACK_OBJECTS_HEAD:
		return s->type == HP_TYPE_OBJECT;
	case HP_PACK_PRIMITIVES:
	case HP_PACK_PRIMITIVES_HEAD:
		return hp_type_is_primitive(s->type);
	case HP_PACK_ELEMENTS:
		return s->type == HP_TYPE_OBJECT ||
		       hp_type_is_primitive(s->type);
	default:
		return true;
	}
}

/*
 * The table has pairs: a remainder of array lengths (see struct
 * hp_pack_residue), and the number of arrays of @s with this remainder. Read
 * these pairs, until all arrays of @s are counted.
 */
static enum hp_status
read_sum(struct hp_pack_bytes *b, struct hp_pack_table *t,
	 struct hp_pack_symbol *s)
{
	uint32_t rows = s->rows, left = hp_pack_residues(s->type);

	s->residue = t->nresidues;
	if (!hp_get_varint(b, &s->elements))
		return HP_DAMAGED;
	while (rows > 0) {
		uint32_t distance, n;

		if (!hp_get_varint32(b, &distance) || distance >= left ||
		    !hp_get_varint32(b, &n) || n == 0 || n > rows)
			return HP_DAMAGED;
		left -= distance + 1;
		rows -= n;
		if (!add_residue(t, s, hp_pack_residues(s->type) - left - 1, n))
			return HP_NOMEM;
	}
	return HP_OK;
}

static bool
read_symbol(struct hp_pack_bytes *b, struct hp_pack_symbol *s,
	    uint64_t *last_class)
{
	uint64_t class_id = 0;
	uint32_t tag;

	if (!get_byte(b, &s->kind) || !hp_get_varint32(b, &tag) ||
	    tag > UINT16_MAX || !get_byte(b, &s->type) ||
	    !hp_get_varint32(b, &s->rows))
		return false;
	s->tag = (uint16_t)tag;
	if (has_class(s->kind)) {
		if (!hp_get_varint(b, &class_id))
			return false;
		*last_class += hp_unzigzag(class_id);
		s->class_id = *last_class;
	}
	if (s->kind == HP_PACK_INSTANCE && !hp_get_varint32(b, &s->bytes))
		return false;
	return !hp_pack_is_object(s->kind) ||
	       (hp_get_varint32(b, &s->gap) && get_byte(b, &s->gap_width));
}

static bool
read_head(struct hp_pack_bytes *b, struct hp_pack_table *t, uint32_t *nsymbols)
{
	struct hp_pack_facts *f = &t->facts;
	uint8_t any;
	bool ok = get_byte(b, &t->id_size) && get_byte(b, &any) &&
		  hp_get_varint(b, &f->id_bits) &&
		  hp_get_varint(b, &f->first_array) &&
		  hp_get_varint(b, &f->last_array) &&
		  hp_get_varint(b, &f->last_end) &&
		  hp_get_varint(b, &f->overlaps) &&
		  hp_get_varint(b, &f->near) && hp_get_varint32(b, &t->items) &&
		  hp_get_varint32(b, &t->id_count) &&
		  get_byte(b, &t->id_planes) &&
		  hp_get_varint32(b, &t->trace_count) &&
		  get_byte(b, &t->trace_planes) && hp_get_varint32(b, nsymbols);

	if (!ok)
		return false;
	f->any = any;
	return (t->id_size == 0 || t->id_size == 4 || t->id_size == 8) &&
	       any <= 1 && t->id_planes <= 8 && t->trace_planes <= 4 &&
	       t->id_count <= t->items && t->trace_count <= t->items &&
	       *nsymbols <= HP_PACK_SYMBOLS;
}

/*
 * Read the table's entry for one symbol (kind of items), with its columns. Adds
 * the number of items of the symbol to *@rows.
 */
static enum hp_status
read_one(struct hp_pack_bytes *b, struct hp_pack_table *t, uint64_t *last_class,
	 uint64_t *rows)
{
	struct hp_pack_symbol *s = hp_pack_table_symbol(t);
	enum hp_status st = HP_OK;

	if (!s)
		return HP_NOMEM;
	if (!read_symbol(b, s, last_class) || !symbol_fits(s, t->id_size) ||
	    s->rows == 0)
		return HP_DAMAGED;
	if (hp_pack_is_array(s->kind))
		st = read_sum(b, t, s);
	if (st != HP_OK)
		return st;
	if (!hp_get_varint32(b, &s->ncolumns) ||
	    s->ncolumns > HP_PACK_COLUMNS - t->ncolumns)
		return HP_DAMAGED;
	s->first = (uint32_t)*rows;
	*rows += s->rows;
	s->column = t->ncolumns;
	for (uint32_t k = 0; k < s->ncolumns; k++) {
		struct hp_pack_column *c = hp_pack_table_column(t);

		if (!c)
			return HP_NOMEM;
		if (!read_column(b, c))
			return HP_DAMAGED;
	}
	hp_pack_symbol_shape(s, t->columns, t->id_size);
	return *rows <= t->items && columns_fit(s, t->columns, t->id_size)
		       ? HP_OK
		       : HP_DAMAGED;
}

enum hp_status
hp_pack_table_read(struct hp_pack_table *t, const uint8_t *data, size_t n,
		   uint32_t plain)
{
	struct hp_pack_bytes b = {data, data + n};
	uint64_t last_class = 0, rows = 0;
	enum hp_status st = HP_OK;
	uint32_t nsymbols;

	if (!hp_pack_table_column(
		    /*
		     * Allocate the list even if it has 0 entries, so that the
		     * pointer is not NULL.
		     */
		    t))
		return HP_NOMEM;
	t->nsymbols = t->ncolumns = t->nresidues = 0;
	if (!read_head(&b, t, &nsymbols) || t->items > plain / 4 + 16)
		return HP_DAMAGED;
	for (uint32_t i = 0; i < nsymbols && st == HP_OK; i++)
		st = read_one(&b, t, &last_class, &rows);
	if (st == HP_OK && (rows != t->items || b.p != b.end))
		st = HP_DAMAGED;
	return st;
}
