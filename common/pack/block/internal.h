/*
 * internal.h - the steps of encoding a block
 */
#ifndef HP_PACK_BLOCK_INTERNAL_H
#define HP_PACK_BLOCK_INTERNAL_H

#include "common/base/arena.h"
#include "common/format/heap.h"
#include "common/object_ids/id_map.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"

#include <pthread.h>

/* ----------------------------------------------------------------------
 * Split any bytes into items
 *
 * Splits a dump into records, sub-records, parts of long arrays and, where it
 * cannot be parsed, raw bytes. The result does not depend on where the input is
 * interrupted between two items. Private to common/pack.
 */

struct hp_pack_item {
	uint8_t kind; /* the kind of the item, of enum hp_pack_kind */
	uint8_t type; /* arrays: type code of the elements */
	uint16_t tag;
	uint32_t size;	/* bytes that the item takes in the dump */
	uint32_t count; /* instances: bytes of the fields' values */
	uint64_t class_id;
	const uint8_t *at;
};

enum hp_pack_phase {
	HP_PACK_AT_HEADER,
	HP_PACK_AT_RECORD,
	/* the parser is inside a heap record, between two sub-records */
	HP_PACK_IN_HEAP,
	HP_PACK_IN_RUN, /* in a long array, or in bytes that are not parsed */
	/* after the fixed fields of STACK TRACE, ALLOC SITES or CLASS DUMP */
	HP_PACK_IN_ROWS,
	/*
	 * The parser cannot find records any more; all further bytes are
	 * copied.
	 */
	HP_PACK_LOST,
};

/*
 * The state of the parser. Zero-initialise it before the first byte. A copy
 * continues from the same place.
 */
struct hp_pack_walk {
	const uint8_t *at;
	size_t left; /* number of bytes that are available at `at` */
	bool last;   /* the input ends after these bytes */
	enum hp_pack_phase phase;
	uint8_t id_size;
	/*
	 * for elements of a long array: their type code; 0: the bytes are not
	 * parsed
	 */
	uint8_t run_type;
	/* the length of the heap record was wrong and has been corrected */
	bool overflow;
	uint8_t heap_tag;
	uint16_t rows_tag; /* for HP_PACK_IN_ROWS: the tag of the items */
	/* bytes left of the long array, or of the record */
	uint64_t run;
	/* bytes after that in the same heap record */
	uint64_t heap;
	/* number of unknown record tags in a row; many mean lost */
	unsigned unknown;
	/*
	 * Something is unusual, so objects must not be counted from tables.
	 * Never reset here.
	 */
	bool odd;
};

enum hp_pack_step {
	HP_PACK_ITEM,
	HP_PACK_MORE, /* the available bytes have no further complete item */
};

/*
 * Whether the parser is inside a heap record, where a complete dump cannot end.
 */
static inline bool
hp_pack_walk_in_heap(const struct hp_pack_walk *w)
{
	return (w->phase == HP_PACK_IN_HEAP && w->heap > 0) ||
	       (w->phase == HP_PACK_IN_RUN && (w->run > 0 || w->heap > 0));
}

/*
 * Parse the next item. Returns HP_PACK_MORE if the available bytes have no
 * complete item. If w->last is set, all bytes have become items then.
 */
enum hp_pack_step hp_pack_walk_next(struct hp_pack_walk *w,
				    struct hp_pack_item *item);

/* ----------------------------------------------------------------------
 * The types of the fields of the classes seen so far
 *
 * One thread adds classes in the order of the dump; worker threads look them
 * up. A look-up only considers the first @known classes. So its result does not
 * depend on the progress of other threads. Private to common/pack.
 */

struct hp_pack_layouts {
	pthread_mutex_t lock;
	/* maps a class id to a struct class *, see class_fields.c */
	struct hp_id_map classes;
	struct hp_arena arena;
	uint32_t count;
};

void hp_pack_layouts_init(struct hp_pack_layouts *l);
void hp_pack_layouts_release(struct hp_pack_layouts *l);

/*
 * Add the CLASS DUMP of @size bytes at @at. If a class occurs twice, the first
 * one wins. Classes over the memory limit, which only a crafted dump has, are
 * not stored. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_layouts_add(struct hp_pack_layouts *l,
					       const uint8_t *at, size_t size,
					       unsigned id_size,
					       struct hp_error *err);

/**
 * hp_pack_layouts_fields() - the types of the fields of an instance, in the
 * order of its data
 * @known: consider only the first @known classes
 * @types: room for @room types
 *
 * Returns: the number of types; 0 if a class is unknown, or there are too many
 *          fields.
 */
size_t hp_pack_layouts_fields(struct hp_pack_layouts *l, uint64_t class_id,
			      uint32_t known, uint8_t *types, size_t room);

/* ----------------------------------------------------------------------
 * The state of encoding a block: symbols, items, and the segments of its
 * streams
 *
 * Private to common/pack.
 */

/*
 * A part of a stream: some bytes in memory. A stream consists of all its
 * segments, in the order of the list.
 */
struct hp_pack_segment {
	uint8_t stream;
	const uint8_t *data;
	size_t n;
};

/* The id of a string, and its index (row) among the strings. */
struct hp_pack_text_place {
	uint64_t id;
	uint32_t item;
};

/* The state of the encoder. Zero-initialise it. */
struct hp_pack_encoder {
	/* the fields of each class; NULL: not known */
	struct hp_pack_layouts *layouts;
	/* number of classes to consider, see hp_pack_layouts_fields() */
	uint32_t known;
	const uint8_t *data; /* the bytes of the block; their number */
	uint32_t n;
	struct hp_pack_table table;
	/*
	 * for each item in the order of the dump: its symbol (kind of item), as
	 * an index in the table
	 */
	uint16_t *ops;
	/*
	 * for each item: its offset in the block; the last entry is the block's
	 * end
	 */
	uint32_t *at;
	/*
	 * The items sorted by kind. For each: its offset in the block; for
	 * kinds of hp_pack_by_number(), its number.
	 */
	uint32_t *rows;
	size_t ops_room, at_room, rows_room;
	/*
	 * For kinds of items that are reordered: which row comes next in the
	 * dump, from s->first on.
	 */
	uint32_t *order;
	struct hp_pack_text_place *places;
	size_t order_room, places_room;
	/*
	 * A hash table that finds the symbol of a kind of item. An entry is the
	 * index of the symbol + 1; 0: free.
	 */
	uint16_t *found;
	/* seed of the hash table, so that crafted class ids cannot collide */
	uint64_t seed;
	/* memory for planes: the bytes of numbers, grouped by significance */
	uint8_t *planes;
	size_t planes_used, planes_room;
	uint64_t *odd_ids, *odd_traces;
	size_t odd_ids_room, odd_traces_room;
	struct hp_buf id_runs, trace_runs, head;
	struct hp_pack_segment *segments;
	size_t nsegments, segments_room;
	/*
	 * for each column of a symbol (kind of item): the state of its
	 * encoding, see encode_columns.c
	 */
	struct hp_pack_coder *coders;
	size_t coders_room;
	bool odd; /* the dump is unusual, see struct hp_pack_walk */
};

void hp_pack_encoder_release(struct hp_pack_encoder *e);
/*
 * Free the memory that depends on the contents of a block, except for planes.
 * What is known about classes is kept.
 */
void hp_pack_encoder_clear(struct hp_pack_encoder *e);

/*
 * Whether an item of this kind does not have its own length, which follows from
 * the beginning of the next item.
 */
static inline bool
hp_pack_by_number(unsigned kind)
{
	return kind == HP_PACK_BYTES || kind == HP_PACK_ELEMENTS;
}

/*
 * Append the @n bytes at @data to a stream, without copying them. Returns false
 * if out of memory.
 */
HP_MUST_USE bool hp_pack_segment_add(struct hp_pack_encoder *e, unsigned stream,
				     const uint8_t *data, size_t n);
/*
 * Reserve @n bytes for planes. Returns NULL if the block would use more memory
 * than any valid block can need.
 */
uint8_t *hp_pack_planes(struct hp_pack_encoder *e, size_t n);

/* ----------------------------------------------------------------------
 * Detect streams that cannot be compressed
 *
 * Private to common/pack.
 */

/**
 * hp_pack_stream_random() - whether a stream looks like random bytes
 * @segments: the segments of an encoder
 * @order:    the numbers of the @count segments of the stream, in order
 * @n:        total size of the stream in bytes
 *
 * Encrypted and compressed data look random: pictures, archives, keys. This
 * test takes a tenth of the time of trying to compress the stream. The result
 * depends on the bytes only.
 *
 * Returns: true if samples show that all byte values are equally frequent, and
 *          no sequence of eight bytes was found twice; always false for short
 *          streams.
 */
HP_MUST_USE bool hp_pack_stream_random(const struct hp_pack_segment *segments,
				       const size_t *order, size_t count,
				       size_t n);

/* ----------------------------------------------------------------------
 * Encode the columns of a block
 *
 * Private to common/pack.
 */

/*
 * Encode the columns of all symbols (kinds of items). Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_pack_encode_columns(struct hp_pack_encoder *e);

/* ----------------------------------------------------------------------
 * Encode the object ids and trace serials of a block
 *
 * Private to common/pack.
 */

/* Encode the ids and traces of all objects. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_encode_ids(struct hp_pack_encoder *e);

/* ----------------------------------------------------------------------
 * Reorder the strings of a block by id
 *
 * Private to common/pack.
 */

/* Sort strings by id if that saves space. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_order_texts(struct hp_pack_encoder *e);

#endif
