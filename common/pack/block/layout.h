/*
 * layout.h - the layout of a pack and of its blocks
 */
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
 * Round a size up, by at most a quarter, or by 1023 if that is more.
 * Consecutive blocks differ a little in size, and resizing a large buffer each
 * time would cost more than decoding a block.
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
 * hp_pack_make_room() - make room for @n items in a list
 * @list: address of the pointer to the items, which are kept
 * @room: number of items that fit
 * @size: bytes of an item
 *
 * Returns: true; false if out of memory, and then nothing changes.
 */
HP_MUST_USE static inline bool
hp_pack_make_room(void *list, size_t *room, size_t n, size_t size)
{
	return n <= *room || hp_list_resize(list, room, hp_pack_room(n), size);
}

/* ----------------------------------------------------------------------
 * What a block of a pack contains: items, symbols, columns and streams
 *
 * common/pack-format.md describes the bytes of a file. A block is a part of the
 * dump.
 * - An item is a sub-record, a record or a sequence of raw bytes.
 * - A symbol stands for all items of the same kind and class. Its items are its
 *   rows.
 * - A column is one field of all the rows of a symbol.
 * - A plane consists of one byte of each code of a column: all low-order bytes
 *   first.
 * - A stream contains planes of similar columns, and is compressed on its own.
 *
 * Private to common/pack.
 */

#define HP_PACK_MAGIC "\x89HPK\r\n\x1a\n"
#define HP_PACK_END "HPKEND\r\n"

enum {
	/* version of the format that packs are written in */
	HP_PACK_VERSION = 3,
	/* oldest version of the format that can be read */
	HP_PACK_VERSION_LEAST = 2,
	/* maximum number of bytes of the dump that a written block holds */
	HP_PACK_BLOCK = 16 << 20,
	/*
	 * the same for the first blocks of a pack, which are smaller so that
	 * all threads soon have work
	 */
	HP_PACK_BLOCK_FIRST = 4 << 20,
	/* readers refuse blocks of more bytes than this */
	HP_PACK_BLOCK_MOST = HP_PACK_BLOCK,
	/* an array of more bytes may continue in the next block */
	HP_PACK_LONG = 256 << 10,
	/* A heap record up to this size is handled as one batch by scan.h. */
	HP_PACK_SHORT = 1 << 20,
	HP_PACK_SYMBOLS = 65535,
	/*
	 * maximum number of columns in a block, of all kinds of items together;
	 * readers refuse more
	 */
	HP_PACK_COLUMNS = 1 << 20,
};

/* What an item is. These numbers are in files, so they never change. */
enum hp_pack_kind {
	HP_PACK_BYTES,	    /* bytes that are copied without parsing them */
	HP_PACK_ROW,	    /* a record or sub-record of a fixed length */
	HP_PACK_TEXT,	    /* a STRING record */
	HP_PACK_INSTANCE,   /* an instance with the values of its fields */
	HP_PACK_OBJECTS,    /* an array of references with its elements */
	HP_PACK_PRIMITIVES, /* an array of primitive values with its elements */
	/*
	 * The header of an array of references; its elements are separate
	 * items.
	 */
	HP_PACK_OBJECTS_HEAD,
	/* The header of a primitive array; its elements are separate items. */
	HP_PACK_PRIMITIVES_HEAD,
	/* elements of an array whose header was an earlier item */
	HP_PACK_ELEMENTS,
	HP_PACK_KINDS,
};

/* The tag of an item: the tag of a sub-record, or one of the following. */
enum {
	/*
	 * added to the tag of a record, because a sub-record may have the same
	 * tag
	 */
	HP_PACK_RECORD = 0x100,
	HP_PACK_HEADER = 0x200, /* the item is the header of the dump */
	/*
	 * added to the first byte of a row of ALLOC SITES, which has no tag;
	 * contains the bit HP_PACK_RECORD
	 */
	HP_PACK_SITE = 0x500,
	/* the item is a sequence of bytes that could not be parsed */
	HP_PACK_RAW = 0x300,
};

/*
 * How the values of a column are encoded as codes. These numbers are in files,
 * so they never change.
 */
enum hp_pack_how {
	HP_PACK_CONST, /* all values equal the base; there are no codes */
	HP_PACK_PLAIN, /* each value is stored as it is */
	/*
	 * 0 for the value 0, otherwise the difference from the last value that
	 * was not 0
	 */
	HP_PACK_PREV,
	/*
	 * 0 for the value 0, otherwise the difference from the id of the object
	 */
	HP_PACK_OWN,
	/* 0 for the value 0, otherwise the difference from the base */
	HP_PACK_ABS,
	/*
	 * only for elements of arrays: copied as in the dump, not split into
	 * planes
	 */
	HP_PACK_COPY,
	/*
	 * only for ids of strings: 0 for the value 0, otherwise the difference
	 * from the address where the last string ends, see hp_pack_text_end()
	 */
	HP_PACK_NEXT,
	HP_PACK_HOWS,
};

/* The columns of a symbol for STRING records. */
enum {
	HP_PACK_TEXT_LENGTH,
	HP_PACK_TEXT_TIME,
	HP_PACK_TEXT_ID,
	/*
	 * The order of the strings in the dump; this column exists only if the
	 * strings are reordered.
	 */
	HP_PACK_ORDER,
};

struct hp_pack_column {
	uint8_t width; /* bytes of each value of the column: 1, 2, 4 or 8 */
	uint8_t how;   /* how the values are encoded, of enum hp_pack_how */
	/*
	 * how many bytes of each value are stored, from the low-order byte on
	 */
	uint8_t planes;
	/* number of bits by which differences are rotated to the right */
	uint8_t shift;
	/*
	 * the values are ids of other objects; such columns have streams of
	 * their own
	 */
	bool ref;
	uint64_t base;
};

/*
 * How many arrays of a symbol have a length with this residue modulo
 * hp_pack_residues(). The memory that all the arrays take follows from these
 * numbers.
 */
struct hp_pack_residue {
	uint32_t residue, rows;
};

struct hp_pack_symbol {
	uint8_t kind; /* the kind of the items, of enum hp_pack_kind */
	uint8_t type; /* arrays: type code of the elements */
	uint16_t tag;
	uint32_t rows; /* number of items of this kind and class in the block */
	uint64_t class_id;
	uint32_t bytes; /* instances: bytes of the fields' values */
	/*
	 * Predicts the id of the next object from the id of an object.
	 * Instances: gap is the size of the object in memory. Arrays: gap is
	 * the size of the header, gap_width the size of an element.
	 */
	uint32_t gap;
	uint8_t gap_width;
	/*
	 * index of the symbol's first column in the list of all columns, and
	 * how many columns it has
	 */
	uint32_t column, ncolumns;
	/* arrays: number of elements of all arrays of this symbol together */
	uint64_t elements;
	/*
	 * Arrays: index of the symbol's first entry in the list of all
	 * residues, and how many entries it has.
	 */
	uint32_t residue, nresidues;
	/* The following members are computed, not stored in files. */
	/* number of items of all symbols before this one in the table */
	uint32_t first;
	/* bytes of each item without the part that varies in length */
	uint32_t fixed;
	/*
	 * The length of the varying part is a multiple of this number of bytes.
	 * 0: the items have no such part.
	 */
	uint32_t unit;
};

/*
 * Groups of similar columns. Plane p of each column of a group is appended to
 * stream 8 * group + p.
 */
enum hp_pack_group {
	/* lengths: of arrays in elements, of strings in bytes */
	HP_PACK_G_LENGTH,
	/* values of fields; plus 0, 1, 2, 3 for values of 1, 2, 4, 8 bytes */
	HP_PACK_G_FIELD,
	HP_PACK_G_FIELD_REF = HP_PACK_G_FIELD + 4,
	HP_PACK_G_ELEMENT,
	HP_PACK_G_ELEMENT_REF = HP_PACK_G_ELEMENT + 4,
	HP_PACK_G_ID,	 /* object ids that differ from the predicted id */
	HP_PACK_G_TRACE, /* trace serials that differ from the previous one */
	HP_PACK_GROUPS,
	/*
	 * in which order the dump has reordered strings; these streams have the
	 * highest numbers
	 */
	HP_PACK_G_ORDER = HP_PACK_GROUPS + 1,
};

enum hp_pack_stream {
	HP_PACK_S_SYMBOLS = 8 * HP_PACK_GROUPS,
	/*
	 * the symbol number of each item: the low byte; the next stream has the
	 * high byte
	 */
	HP_PACK_S_OP_LOW,
	HP_PACK_S_OP_HIGH,
	/*
	 * for each id in HP_PACK_G_ID: the number of objects before it whose id
	 * was predicted right
	 */
	HP_PACK_S_ID_RUN,
	/*
	 * for each trace in HP_PACK_G_TRACE: the number of objects before it
	 * that have the same trace as the object before them
	 */
	HP_PACK_S_TRACE_RUN,
	HP_PACK_S_TEXT,
	HP_PACK_S_BYTES,
	HP_PACK_S_CLASS, /* the contents of CLASS DUMP sub-records */
	/*
	 * For reordered strings: the row of each string, in the order of the
	 * dump. One stream for each plane.
	 */
	HP_PACK_S_ORDER = 8 * HP_PACK_G_ORDER,
	HP_PACK_STREAMS = HP_PACK_S_ORDER + 8,
};

/*
 * What hprof-diff must know about the ids in a block to choose a size model.
 * It shows that references have 4 bytes if with 8 bytes an array would overlap
 * the next one. scan.h looks for such overlaps only inside one batch; a short
 * heap record is always in one batch.
 */
struct hp_pack_facts {
	uint64_t id_bits; /* bitwise OR of all object ids of the block */
	/* object id of the first array of references in the block */
	uint64_t first_array;
	/*
	 * id of the last array of references, and the address where it would
	 * end if references had 8 bytes
	 */
	uint64_t last_array, last_end;
	/* number of arrays that would overlap the array before them */
	uint64_t overlaps;
	/*
	 * how many of these overlaps are between two arrays in the same short
	 * heap record
	 */
	uint64_t near;
	bool any; /* the block has at least one array of references */
	/* The following members are computed, not stored in files. */
	/* overlaps in the current heap record, which may be added to near */
	uint64_t pending;
	uint32_t head; /* offset of the current heap record in the block */
	bool inside;   /* the current heap record begins in this block */
	bool since;    /* the current heap record already contains an array of
			  references */
};

/* Whether items of this kind begin with an object id and a trace serial. */
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
 * Whether items of this symbol belong to the dump without objects, which
 * hprof-diff reads when it counts objects from the tables. ELEMENTS belong to
 * it if they are the frames of a STACK TRACE.
 */
static inline bool
hp_pack_is_kept(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_ROW || s->kind == HP_PACK_TEXT ||
	       s->kind == HP_PACK_BYTES ||
	       (s->kind == HP_PACK_ELEMENTS && s->tag & HP_PACK_RECORD);
}

/*
 * The number of residues of array lengths that are counted separately: the
 * number of elements in 256 bytes, which is a multiple of every alignment.
 * References count as 4 bytes; the result for 8 bytes follows from that.
 */
static inline unsigned
hp_pack_residues(unsigned type)
{
	return 256 / hp_type_size(type, 4);
}

/* Whether items of this kind vary in length. Then column 0 is the length. */
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
 * Whether the rows of a TEXT symbol are reordered. Column HP_PACK_ORDER then
 * contains the order of the dump.
 */
static inline bool
hp_pack_is_ordered(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_TEXT && s->ncolumns > HP_PACK_ORDER;
}

/*
 * How much memory a string of @n bytes takes in the JVM, for a column with
 * HP_PACK_NEXT: base is the size of its header, 2 to the power of shift is its
 * alignment.
 */
static inline uint64_t
hp_pack_text_end(const struct hp_pack_column *c, uint64_t n)
{
	uint64_t low = ((uint64_t)1 << c->shift) - 1;

	return (c->base + n + low) & ~low;
}

/* The number of the stream for the bytes of unparsed items with this tag. */
static inline unsigned
hp_pack_bytes_stream(unsigned tag)
{
	return tag == HP_SUB_CLASS_DUMP ? HP_PACK_S_CLASS : HP_PACK_S_BYTES;
}

/* To which group of streams column @i of a symbol belongs. */
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

/* The predicted size in memory of an object with @n elements. */
static inline uint64_t
hp_pack_extent(const struct hp_pack_symbol *s, uint32_t n)
{
	if (s->kind == HP_PACK_INSTANCE)
		return s->gap;
	return (s->gap + (uint64_t)n * s->gap_width + 7) & ~(uint64_t)7;
}

/*
 * Add the id of an object to the facts about the block. @n: number of elements
 * of an array.
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
 * Add the header of a heap record, at offset @at in the block, to the facts
 * about the block.
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

/* Whether the items of the symbol are headers of heap records. */
static inline bool
hp_pack_is_heap_head(const struct hp_pack_symbol *s)
{
	return s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP) ||
	       s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP_SEGMENT);
}

#endif
