/*
 * layout.h - what is in a block of the columnar archive: items, symbols,
 * columns and streams
 *
 * common/pack-format.md says what the bytes of a file are. A block is
 * a run of the dump, cut into items (a sub-record, a record, a stretch of
 * bytes). Items of one kind and class share a symbol, and every field of the
 * items of a symbol is a column. Private to common/pack.
 */
#ifndef HP_PACK_LAYOUT_H
#define HP_PACK_LAYOUT_H

#include "common/format/format.h"

#define HP_PACK_MAGIC "\x89HPK\r\n\x1a\n"
#define HP_PACK_END "HPKEND\r\n"

enum {
	HP_PACK_VERSION = 3,		    /* that is written */
	HP_PACK_VERSION_LEAST = 2,	    /* that is read */
	HP_PACK_BLOCK = 16 << 20,	    /* bytes of the dump in a block */
	HP_PACK_BLOCK_FIRST = 4 << 20,	    /* ... in the first ones */
	HP_PACK_BLOCK_MOST = HP_PACK_BLOCK, /* no reader takes more */
	HP_PACK_LONG = 256 << 10,	    /* longer arrays are cut at will */
	HP_PACK_SHORT = 1 << 20, /* heap records that a batch holds */
	HP_PACK_SYMBOLS = 65535,
	HP_PACK_COLUMNS = 1 << 20, /* of all symbols of a block */
};

/* What an item is; in the file, so never renumbered. */
enum hp_pack_kind {
	HP_PACK_BYTES,		 /* as they are */
	HP_PACK_ROW,		 /* a tag and fields of fixed width */
	HP_PACK_TEXT,		 /* a STRING record */
	HP_PACK_INSTANCE,	 /* an instance with its fields */
	HP_PACK_OBJECTS,	 /* an array of references */
	HP_PACK_PRIMITIVES,	 /* an array of primitives */
	HP_PACK_OBJECTS_HEAD,	 /* ... whose elements are items of their own */
	HP_PACK_PRIMITIVES_HEAD, /* likewise */
	HP_PACK_ELEMENTS,	 /* elements of an array begun before */
	HP_PACK_KINDS,
};

/* An item's tag: a sub-record's, or one of these. */
enum {
	HP_PACK_RECORD = 0x100, /* + the tag of a top-level record */
	HP_PACK_HEADER = 0x200, /* the dump's header */
	HP_PACK_SITE = 0x500,	/* + the first byte of a row of ALLOC SITES;
				   counts as HP_PACK_RECORD */
	HP_PACK_RAW = 0x300,	/* what could not be parsed */
};

/* How a column's values became codes; in the file. */
enum hp_pack_how {
	HP_PACK_CONST, /* all values are the base, there are no codes */
	HP_PACK_PLAIN, /* the value */
	HP_PACK_PREV,  /* 0, or the difference from the last that was not 0 */
	HP_PACK_OWN,   /* 0, or the difference from the object's own id */
	HP_PACK_ABS,   /* 0, or the difference from the base */
	HP_PACK_COPY,  /* elements only: bytes in the dump's order */
	HP_PACK_NEXT,  /* ids of TEXT: 0, or the difference from where the last
			  text ended, see hp_pack_text_end() */
	HP_PACK_HOWS,
};

/* Columns of TEXT. */
enum {
	HP_PACK_TEXT_LENGTH,
	HP_PACK_TEXT_TIME,
	HP_PACK_TEXT_ID,
	HP_PACK_ORDER, /* may be missing */
};

struct hp_pack_column {
	uint8_t width;	/* bytes of a value: 1, 2, 4, 8 */
	uint8_t how;	/* enum hp_pack_how */
	uint8_t planes; /* low bytes of a code that are kept */
	uint8_t shift;	/* bits that differences are rotated by */
	bool ref;	/* a reference: not in the file's streams by width */
	uint64_t base;
};

/*
 * How many arrays of a symbol have a number of elements with this residue, by
 * hp_pack_residues(). What they take in a heap can be summed from that.
 */
struct hp_pack_residue {
	uint32_t residue, rows;
};

struct hp_pack_symbol {
	uint8_t kind; /* enum hp_pack_kind */
	uint8_t type; /* of elements */
	uint16_t tag;
	uint32_t rows; /* items */
	uint64_t class_id;
	uint32_t bytes; /* INSTANCE: of its data */
	/*
	 * Where the next object is: of instances, bytes in the heap; of arrays
	 * the header's, and those of an element.
	 */
	uint32_t gap;
	uint8_t gap_width;
	uint32_t column, ncolumns;   /* in the list of all columns */
	uint64_t elements;	     /* of arrays: of all rows */
	uint32_t residue, nresidues; /* likewise: in the list of all residues */
	/* not in the file */
	uint32_t first; /* row number of its first row */
	uint32_t fixed; /* bytes of an item before what varies */
	uint32_t unit;	/* bytes of one of what varies; 0: nothing does */
};

/*
 * Streams. A column's planes go to the streams of its group, one for each
 * plane, one column behind the other.
 */
enum hp_pack_group {
	HP_PACK_G_LENGTH, /* numbers of elements or bytes */
	HP_PACK_G_FIELD,  /* + 0, 1, 2, 3: widths 1, 2, 4, 8 */
	HP_PACK_G_FIELD_REF = HP_PACK_G_FIELD + 4,
	HP_PACK_G_ELEMENT,
	HP_PACK_G_ELEMENT_REF = HP_PACK_G_ELEMENT + 4,
	HP_PACK_G_ID,	 /* ids that were not as predicted */
	HP_PACK_G_TRACE, /* trace serials that changed */
	HP_PACK_GROUPS,
	HP_PACK_G_ORDER = HP_PACK_GROUPS + 1, /* behind the other streams */
};

enum hp_pack_stream {
	HP_PACK_S_SYMBOLS = 8 * HP_PACK_GROUPS,
	HP_PACK_S_OP_LOW, /* the items' symbols */
	HP_PACK_S_OP_HIGH,
	HP_PACK_S_ID_RUN,    /* objects between ids not as predicted */
	HP_PACK_S_TRACE_RUN, /* objects between changes of the trace */
	HP_PACK_S_TEXT,
	HP_PACK_S_BYTES,
	HP_PACK_S_CLASS,		       /* CLASS DUMPs */
	HP_PACK_S_ORDER = 8 * HP_PACK_G_ORDER, /* rows of TEXT in the dump's
						  order, by planes */
	HP_PACK_STREAMS = HP_PACK_S_ORDER + 8,
};

/*
 * What a comparison wants to know of the ids in a block. Whether two arrays
 * overlap is a question for neighbours in one batch of a scan (scan.h), and a
 * short heap record is in one batch.
 */
struct hp_pack_facts {
	uint64_t id_bits;	       /* or of all object ids */
	uint64_t first_array;	       /* id of the first array of references */
	uint64_t last_array, last_end; /* of the last one; where it would end
					  with 8-byte references */
	uint64_t overlaps; /* arrays that begin before the last one's end */
	uint64_t near;	   /* such arrays, both in one short heap record */
	bool any;	   /* there is an array of references */
	/* not in the file */
	uint64_t pending; /* as near, in the present heap record */
	uint32_t head;	  /* where that begins */
	bool inside;	  /* it begins in this block */
	bool since;	  /* an array of references was met since */
};

/* Does an item of this kind begin with an object's id and trace serial? */
static inline bool
hp_pack_is_object(unsigned kind)
{
	return kind >= HP_PACK_INSTANCE && kind <= HP_PACK_PRIMITIVES_HEAD;
}

/* Is it an array, or the head of one? */
static inline bool
hp_pack_is_array(unsigned kind)
{
	return kind >= HP_PACK_OBJECTS && kind <= HP_PACK_PRIMITIVES_HEAD;
}

/*
 * Is it part of the dump without its objects? Elements are if they are the
 * frames of a STACK TRACE.
 */
static inline bool
hp_pack_is_kept(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_ROW || s->kind == HP_PACK_TEXT ||
	       s->kind == HP_PACK_BYTES ||
	       (s->kind == HP_PACK_ELEMENTS && s->tag & HP_PACK_RECORD);
}

/*
 * Residues of the numbers of elements that are told apart: 256 bytes, a
 * multiple of any alignment of a heap. References count as 4 bytes; 8 follow.
 */
static inline unsigned
hp_pack_residues(unsigned type)
{
	return 256 / hp_type_size(type, 4);
}

/* Does the length of its items vary? Column 0 has it then. */
static inline bool
hp_pack_varies(unsigned kind)
{
	return kind != HP_PACK_ROW && kind != HP_PACK_INSTANCE;
}

/* Does the number of elements say how many are in the item? */
static inline bool
hp_pack_has_elements(unsigned kind)
{
	return kind == HP_PACK_OBJECTS || kind == HP_PACK_PRIMITIVES ||
	       kind == HP_PACK_ELEMENTS;
}

/*
 * Are the rows of a symbol of TEXT in another order than in the dump? Column
 * HP_PACK_ORDER says in which.
 */
static inline bool
hp_pack_is_ordered(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_TEXT && s->ncolumns > HP_PACK_ORDER;
}

/*
 * The bytes that a text of @n bytes takes in the memory of a virtual machine,
 * by a column of HP_PACK_NEXT: with a head, and aligned.
 */
static inline uint64_t
hp_pack_text_end(const struct hp_pack_column *c, uint64_t n)
{
	uint64_t low = ((uint64_t)1 << c->shift) - 1;

	return (c->base + n + low) & ~low;
}

/* The stream of bytes of BYTES symbols with this tag. */
static inline unsigned
hp_pack_bytes_stream(unsigned tag)
{
	return tag == HP_SUB_CLASS_DUMP ? HP_PACK_S_CLASS : HP_PACK_S_BYTES;
}

/* The group of a symbol's column number @i. */
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

/* Predicted bytes of an object in the heap; @n: elements. */
static inline uint64_t
hp_pack_extent(const struct hp_pack_symbol *s, uint32_t n)
{
	if (s->kind == HP_PACK_INSTANCE)
		return s->gap;
	return (s->gap + (uint64_t)n * s->gap_width + 7) & ~(uint64_t)7;
}

/* Note an object's id, and that of an array of @n references. */
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

/* Note a heap record's head, @at bytes behind the block's begin. */
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

/* Is it the head of a heap record? */
static inline bool
hp_pack_is_heap_head(const struct hp_pack_symbol *s)
{
	return s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP) ||
	       s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP_SEGMENT);
}

#endif
