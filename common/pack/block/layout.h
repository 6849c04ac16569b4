/* layout.h - the layout of a pack file and of its blocks */
#ifndef HP_PACK_LAYOUT_H
#define HP_PACK_LAYOUT_H

#include "common/base/vec.h"
#include "common/format/format.h"

/* ----------------------------------------------------------------------
 * Grow buffers that are reused for each block
 *
 * Private to common/pack.
 */

/*
 * Round the size of a buffer up, by at most a quarter of the size or 1023
 * bytes, whichever is more. The sizes of consecutive blocks differ a little,
 * and resizing a large buffer for each block would cost more than decoding the
 * block.
 */
static inline size_t
hp_pack_room(size_t n)
{
	size_t step = 1024;

	while (step < n / 8)
		step *= 2;
	return n + (step - n % step) % step;
}

/**
 * hp_pack_make_room() - ensure that a list has memory for @n items
 * @list: address of the pointer to the items; existing items are kept
 * @room: number of items that fit into the memory
 * @size: size of an item in bytes
 *
 * Returns: true; false if out of memory, and then nothing changes.
 */
HP_MUST_USE static inline bool
hp_pack_make_room(void *list, size_t *room, size_t n, size_t size)
{
	return n <= *room || hp_list_resize(list, room, hp_pack_room(n), size);
}

/*
 * ----------------------------------------------------------------------
 * The contents of a block of a pack: items, symbols, columns and streams
 *
 * common/pack-format.md describes the bytes of a file. A block holds a part of
 * the dump.
 * - An item is a sub-record, a record or a sequence of raw bytes.
 * - A symbol stands for all items of the same kind and class. The items of a
 *   symbol are its rows.
 * - A column is one field of all the rows of a symbol.
 * - A code is a value of a column, encoded so that it compresses well.
 * - A plane consists of one byte of each code of a column: all low-order bytes
 *   first.
 * - A stream contains planes of similar columns, and is compressed on its own.
 *
 * Private to common/pack.
 */

#define HP_PACK_MAGIC "\x89HPK\r\n\x1a\n"
#define HP_PACK_END "HPKEND\r\n"

enum {
	/* version of the pack format that this program writes */
	HP_PACK_VERSION = 3,
	/* oldest version of the pack format that this program can read */
	HP_PACK_VERSION_LEAST = 2,
	/* maximum number of bytes of the dump that a written block holds */
	HP_PACK_BLOCK = 16 << 20,
	/*
	 * Maximum number of bytes of the dump in the first blocks of a pack.
	 * These blocks are smaller, so that all threads have work early.
	 */
	HP_PACK_BLOCK_FIRST = 4 << 20,
	/*
	 * If a block of a pack holds more bytes of the dump than this, the pack
	 * is refused.
	 */
	HP_PACK_BLOCK_MOST = HP_PACK_BLOCK,
	/*
	 * An array with more bytes than this may be divided between two blocks.
	 */
	HP_PACK_LONG = 256 << 10,
	/*
	 * scan.h processes a heap record of at most this many bytes as one
	 * batch
	 */
	HP_PACK_SHORT = 1 << 20,
	HP_PACK_SYMBOLS = 65535,
	/*
	 * If the symbols (kinds of items) of a block have more columns than
	 * this together, the pack is refused.
	 */
	HP_PACK_COLUMNS = 1 << 20,
};

/* The kind of an item. These numbers are in files, so they never change. */
enum hp_pack_kind {
	/* a sequence of bytes that is copied without parsing it */
	HP_PACK_BYTES,
	/*
	 * a record or sub-record of a fixed length, which has columns for its
	 * fields
	 */
	HP_PACK_ROW,
	HP_PACK_TEXT,	    /* a STRING record */
	HP_PACK_INSTANCE,   /* an instance with the values of its fields */
	HP_PACK_OBJECTS,    /* an array of references with its elements */
	HP_PACK_PRIMITIVES, /* an array of primitive values with its elements */
	/*
	 * the header of an array of references; its elements are separate items
	 */
	HP_PACK_OBJECTS_HEAD,
	/* the header of a primitive array; its elements are separate items */
	HP_PACK_PRIMITIVES_HEAD,
	/* elements of an array whose header was an earlier item */
	HP_PACK_ELEMENTS,
	HP_PACK_KINDS,
};

/*
 * The tag of an item: the tag byte of a sub-record, or one of the following
 * numbers.
 */
enum {
	/*
	 * Added to the tag of a record, because a sub-record may have the same
	 * tag.
	 */
	HP_PACK_RECORD = 0x100,
	HP_PACK_HEADER = 0x200, /* the item is the header of the dump */
	/*
	 * The tag for rows of ALLOC SITES, which have no tag byte: this number
	 * plus the first byte of the row. The number contains the bit
	 * HP_PACK_RECORD.
	 */
	HP_PACK_SITE = 0x500,
	/* the item is a sequence of bytes that could not be parsed */
	HP_PACK_RAW = 0x300,
};

/*
 * How the values of a column are encoded as codes. These numbers are in files,
 * so they never change. `base` is a member of struct hp_pack_column.
 */
enum hp_pack_how {
	/* all values of the column equal `base`, so there are no codes */
	HP_PACK_CONST,
	HP_PACK_PLAIN, /* the code is the value itself */
	/*
	 * The code is 0 for the value 0, otherwise the difference from the
	 * previous value that was not 0.
	 */
	HP_PACK_PREV,
	/*
	 * The code is 0 for the value 0, otherwise the difference from the id
	 * of the object that contains the value.
	 */
	HP_PACK_OWN,
	/*
	 * The code is 0 for the value 0, otherwise the difference from `base`.
	 */
	HP_PACK_ABS,
	/*
	 * only for elements of arrays: they are copied from the dump, without
	 * splitting them into planes (one byte of each number)
	 */
	HP_PACK_COPY,
	/*
	 * Only for ids of strings. The code is 0 for the value 0, otherwise the
	 * difference from the address where the previous string ends; see
	 * hp_pack_text_end().
	 */
	HP_PACK_NEXT,
	HP_PACK_HOWS,
};

/* The columns of a symbol (kind of items) whose items are STRING records. */
enum {
	HP_PACK_TEXT_LENGTH,
	HP_PACK_TEXT_TIME,
	HP_PACK_TEXT_ID,
	/*
	 * The order of the strings in the dump. This column exists only if the
	 * block has the strings in another order.
	 */
	HP_PACK_ORDER,
};

struct hp_pack_column {
	/* size of each value of the column: 1, 2, 4 or 8 bytes */
	uint8_t width;
	/* how the values of the column are encoded, of enum hp_pack_how */
	uint8_t how;
	/*
	 * the number of bytes of each code that are stored, beginning with the
	 * low-order byte
	 */
	uint8_t planes;
	/*
	 * Differences between values are rotated to the right by this number of
	 * bits, because the low bits of addresses are equal.
	 */
	uint8_t shift;
	/*
	 * The values are ids of other objects. Columns with references have
	 * streams of their own.
	 */
	bool ref;
	uint64_t base;
};

/*
 * How many arrays of a symbol (kind of items) have lengths with a certain
 * remainder (residue) modulo hp_pack_residues(). The total memory that the
 * arrays take in the JVM follows from these numbers.
 */
struct hp_pack_residue {
	uint32_t residue, rows;
};

struct hp_pack_symbol {
	/* the kind of the items of this symbol, of enum hp_pack_kind */
	uint8_t kind;
	uint8_t type; /* for arrays: type code of the elements */
	uint16_t tag;
	uint32_t rows; /* number of items of this symbol in the block */
	uint64_t class_id;
	/* for instances: size of the values of all fields in bytes */
	uint32_t bytes;
	/*
	 * Used to predict the id of the next object in memory. For instances,
	 * `gap` is the distance in bytes to the next object. For arrays, `gap`
	 * is the size of the header, and the distance is `gap` + number of
	 * elements * `gap_width`.
	 */
	uint32_t gap;
	uint8_t gap_width;
	/*
	 * `column`: the index of the first column of the symbol (kind of items)
	 * in the list of all columns. `ncolumns`: the number of its columns.
	 */
	uint32_t column, ncolumns;
	/*
	 * For arrays: the number of elements of all arrays of this symbol (kind
	 * of items) together.
	 */
	uint64_t elements;
	/*
	 * For arrays: the residues (see struct hp_pack_residue) of the symbol,
	 * in the list of the residues of all symbols. `residue` is the index of
	 * the first one, `nresidues` is their number.
	 */
	uint32_t residue, nresidues;
	/* This member and those after it are computed, not stored in files. */
	/*
	 * number of items of all earlier symbols (kinds of items) in the table
	 */
	uint32_t first;
	/* size of each item in bytes, without the part whose length varies */
	uint32_t fixed;
	/*
	 * If the lengths of the items vary, the varying part has a multiple of
	 * this number of bytes. 0: all items have the same length.
	 */
	uint32_t unit;
};

/*
 * Groups of similar columns, which share streams. Plane p of each column of a
 * group is appended to stream 8 * group + p.
 */
enum hp_pack_group {
	/* lengths of items: of arrays in elements, of strings in bytes */
	HP_PACK_G_LENGTH,
	/*
	 * values of fields. The numbers +0, +1, +2, +3 are the groups for
	 * values of 1, 2, 4 and 8 bytes.
	 */
	HP_PACK_G_FIELD,
	HP_PACK_G_FIELD_REF = HP_PACK_G_FIELD + 4,
	HP_PACK_G_ELEMENT,
	HP_PACK_G_ELEMENT_REF = HP_PACK_G_ELEMENT + 4,
	HP_PACK_G_ID, /* object ids that differ from the predicted id */
	/* trace serials that differ from that of the previous object */
	HP_PACK_G_TRACE,
	HP_PACK_GROUPS,
	/*
	 * the order that reordered strings have in the dump; these streams have
	 * the highest numbers
	 */
	HP_PACK_G_ORDER = HP_PACK_GROUPS + 1,
};

enum hp_pack_stream {
	HP_PACK_S_SYMBOLS = 8 * HP_PACK_GROUPS,
	/*
	 * for each item in the order of the dump: the low byte of the index of
	 * its symbol (kind of items); the next stream has the high bytes
	 */
	HP_PACK_S_OP_LOW,
	HP_PACK_S_OP_HIGH,
	/*
	 * For each id in HP_PACK_G_ID: how many objects before it have the
	 * predicted id. The ids of these objects are not stored.
	 */
	HP_PACK_S_ID_RUN,
	/*
	 * For each trace serial in HP_PACK_G_TRACE: how many objects before it
	 * have the same trace as the previous object. The traces of these
	 * objects are not stored.
	 */
	HP_PACK_S_TRACE_RUN,
	HP_PACK_S_TEXT,
	HP_PACK_S_BYTES,
	HP_PACK_S_CLASS, /* the contents of CLASS DUMP sub-records */
	/*
	 * Only if the strings were reordered: for each string in the order of
	 * the dump, its index (row) in the new order. Each plane (one byte of
	 * each of these numbers) has a stream.
	 */
	HP_PACK_S_ORDER = 8 * HP_PACK_G_ORDER,
	HP_PACK_STREAMS = HP_PACK_S_ORDER + 8,
};

/*
 * Facts about the object ids of a block. With them, hprof-diff decides whether
 * references have 4 or 8 bytes: if an array would overlap the next array with
 * references of 8 bytes, references have 4 bytes. A scan of the unpacked dump
 * (scan.h) compares only arrays of the same batch. To get the same result, the
 * overlaps in short heap records, which are never divided into several batches,
 * are also counted separately.
 */
struct hp_pack_facts {
	uint64_t id_bits; /* bitwise OR of all object ids of the block */
	/* object id of the first array of references in the block */
	uint64_t first_array;
	/*
	 * `last_array`: the id of the last array of references in the block.
	 * `last_end`: the address where this array would end if references had
	 * 8 bytes.
	 */
	uint64_t last_array, last_end;
	/*
	 * number of arrays that would overlap the previous array if references
	 * had 8 bytes
	 */
	uint64_t overlaps;
	/*
	 * The part of `overlaps` in which both arrays are in the same short
	 * heap record.
	 */
	uint64_t near;
	bool any; /* the block has at least one array of references */
	/*
	 * This member and those after it are needed only while the facts are
	 * computed. They are not stored in files.
	 */
	/*
	 * The number of overlaps (see `overlaps`) in the current heap record so
	 * far. If the record is short, this number is added to `near`.
	 */
	uint64_t pending;
	/* offset of the header of the current heap record in the block */
	uint32_t head;
	/*
	 * the current heap record begins in this block, not in an earlier one
	 */
	bool inside;
	/*
	 * the current heap record contains an array of references before the
	 * current position
	 */
	bool since;
};

/*
 * Whether items of this kind begin with an object id and a trace serial number.
 */
static inline bool
hp_pack_is_object(unsigned kind)
{
	return kind >= HP_PACK_INSTANCE && kind <= HP_PACK_PRIMITIVES_HEAD;
}

/* Whether items of this kind are arrays, or headers of arrays. */
static inline bool
hp_pack_is_array(unsigned kind)
{
	return kind >= HP_PACK_OBJECTS && kind <= HP_PACK_PRIMITIVES_HEAD;
}

/*
 * When hprof-diff counts objects from the symbol tables, it also reads a dump
 * without objects: names, classes, roots and traces. Returns whether items of
 * this symbol belong to that dump. Items of kind HP_PACK_ELEMENTS belong to it
 * if they are frames of a STACK TRACE.
 */
static inline bool
hp_pack_is_kept(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_ROW || s->kind == HP_PACK_TEXT ||
	       s->kind == HP_PACK_BYTES ||
	       (s->kind == HP_PACK_ELEMENTS && s->tag & HP_PACK_RECORD);
}

/*
 * Array lengths are counted modulo this number (see struct hp_pack_residue). It
 * is the number of elements in 256 bytes, because 256 is a multiple of every
 * alignment. References are assumed to have 4 bytes; the totals for references
 * of 8 bytes can be computed from the same counts.
 */
static inline unsigned
hp_pack_residues(unsigned type)
{
	return 256 / hp_type_size(type, 4);
}

/*
 * Whether items of this kind vary in length. If they do, column 0 contains
 * their lengths.
 */
static inline bool
hp_pack_varies(unsigned kind)
{
	return kind != HP_PACK_ROW && kind != HP_PACK_INSTANCE;
}

/* Whether items of this kind contain the elements of an array. */
static inline bool
hp_pack_has_elements(unsigned kind)
{
	return kind == HP_PACK_OBJECTS || kind == HP_PACK_PRIMITIVES ||
	       kind == HP_PACK_ELEMENTS;
}

/*
 * Whether the strings of a symbol (kind of items) are in another order than in
 * the dump. Column HP_PACK_ORDER then contains the order of the dump.
 */
static inline bool
hp_pack_is_ordered(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_TEXT && s->ncolumns > HP_PACK_ORDER;
}

/*
 * Returns how much memory a string of @n bytes takes in the JVM: c->base bytes
 * for the header and @n bytes, rounded up to a multiple of 2 to the power of
 * c->shift. @c: a column with the encoding HP_PACK_NEXT.
 */
static inline uint64_t
hp_pack_text_end(const struct hp_pack_column *c, uint64_t n)
{
	uint64_t low = ((uint64_t)1 << c->shift) - 1;

	return (c->base + n + low) & ~low;
}

/*
 * Returns the number of the stream that contains the bytes of unparsed items
 * with this tag.
 */
static inline unsigned
hp_pack_bytes_stream(unsigned tag)
{
	return tag == HP_SUB_CLASS_DUMP ? HP_PACK_S_CLASS : HP_PACK_S_BYTES;
}

/*
 * Returns the group of streams that contains column number @i of a symbol (kind
 * of items).
 */
static inline unsigned
hp_pack_group(const struct hp_pack_symbol *s, const struct hp_pack_column *c,
	      unsigned i)
{
	unsigned log = c->width == 8 ? 3 : c->width / 2;

	if (hp_pack_varies(s->kind) && i == 0)
		return HP_PACK_G_LENGTH;
	if (s->kind == HP_PACK_TEXT && i == HP_PACK_ORDER)
		return HP_PACK_G_ORDER;
	if (hp_pack_has_elements(s->kind))
		return c->ref ? HP_PACK_G_ELEMENT_REF : HP_PACK_G_ELEMENT + log;
	return c->ref ? HP_PACK_G_FIELD_REF : HP_PACK_G_FIELD + log;
}

/*
 * Returns the predicted size in memory of an object. @n: number of elements, if
 * the object is an array.
 */
static inline uint64_t
hp_pack_extent(const struct hp_pack_symbol *s, uint32_t n)
{
	if (s->kind == HP_PACK_INSTANCE)
		return s->gap;
	return (s->gap + (uint64_t)n * s->gap_width + 7) & ~(uint64_t)7;
}

/*
 * Add the id of an object to the facts about the block. @n: number of elements,
 * if the object is an array.
 */
static inline void
hp_pack_fact(struct hp_pack_facts *f, unsigned kind, uint64_t id, uint32_t n)
{
	f->id_bits |= id;
	if (kind != HP_PACK_OBJECTS && kind != HP_PACK_OBJECTS_HEAD)
		return;
	if (!f->any) {
		f->first_array = id;
	} else if (id > f->last_array && id < f->last_end) {
		f->overlaps++;
		f->pending += f->since;
	}
	f->any = true;
	f->since = f->inside;
	f->last_array = id;
	f->last_end = id + 16 + 8 * (uint64_t)n;
}

/*
 * Update the facts @f: the header of a heap record begins at offset @at of the
 * block.
 */
static inline void
hp_pack_fact_head(struct hp_pack_facts *f, uint32_t at)
{
	if (f->inside && at - f->head <= HP_PACK_SHORT)
		f->near += f->pending;
	f->pending = 0;
	f->head = at;
	f->inside = true;
	f->since = false;
}

/*
 * Whether the items of the symbol (kind of items) are headers of heap records.
 */
static inline bool
hp_pack_is_heap_head(const struct hp_pack_symbol *s)
{
	return s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP) ||
	       s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP_SEGMENT);
}

#endif
