/* internal.h - the steps of encoding a block of a pack */
#ifndef HP_PACK_BLOCK_INTERNAL_H
#define HP_PACK_BLOCK_INTERNAL_H

#include "common/base/arena.h"
#include "common/format/heap.h"
#include "common/object_ids/id_map.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"

#include <pthread.h>

/*
 * ----------------------------------------------------------------------
 * Split the bytes of a dump into items
 *
 * An item is a record, a sub-record, a part of a long array or, where the dump
 * cannot be parsed, a sequence of raw bytes. The caller may stop after any item
 * and continue later; this does not change the items. Private to common/pack.
 */

struct hp_pack_item {
	uint8_t kind; /* the kind of the item, of enum hp_pack_kind */
	uint8_t type; /* for arrays: the type code of the elements */
	uint16_t tag;
	uint32_t size; /* size of the item in the dump in bytes */
	/*
	 * for arrays: number of elements; for instances: number of bytes of the
	 * values of all fields
	 */
	uint32_t count;
	uint64_t class_id;
	const uint8_t *at;
};

enum hp_pack_phase {
	HP_PACK_AT_HEADER,
	HP_PACK_AT_RECORD,
	/* the parser is inside a heap record, between two sub-records */
	HP_PACK_IN_HEAP,
	/*
	 * inside a long array, or inside bytes that are stored without parsing
	 * them
	 */
	HP_PACK_IN_RUN,
	/*
	 * after the fixed fields of a STACK TRACE, ALLOC SITES or CLASS DUMP;
	 * its frames, rows or tables follow
	 */
	HP_PACK_IN_ROWS,
	/*
	 * The parser no longer finds records, so it does not parse the rest of
	 * the dump.
	 */
	HP_PACK_LOST,
};

/*
 * The state of the parser. Zero-initialise it before the first byte of the
 * dump. Parsing can also continue from a copy of the state.
 */
struct hp_pack_walk {
	const uint8_t *at;
	size_t left; /* number of bytes at `at` that are in memory */
	bool last;   /* these bytes are the last ones of the input */
	enum hp_pack_phase phase;
	uint8_t id_size;
	/*
	 * inside a long array: the type code of its elements; 0: inside bytes
	 * that are not parsed
	 */
	uint8_t run_type;
	/*
	 * the parser ignores the length of the heap record, because it is
	 * wrong: 0, or too small in a dump over 4 GB
	 */
	bool overflow;
	uint8_t heap_tag;
	/*
	 * Only for HP_PACK_IN_ROWS: the tag for the items that follow, such as
	 * frames
	 */
	uint16_t rows_tag;
	/*
	 * The number of bytes that follow in the current long array, or in the
	 * current record.
	 */
	uint64_t run;
	/*
	 * The number of bytes that follow in the current heap record after the
	 * bytes that `run` counts.
	 */
	uint64_t heap;
	/*
	 * The number of consecutive records with an unknown tag. After
	 * UNKNOWN_MOST of them, the state becomes HP_PACK_LOST.
	 */
	unsigned unknown;
	/*
	 * The dump is unusual, so its objects cannot be counted from the symbol
	 * tables of the pack. The parser sets this flag and never clears it.
	 */
	bool odd;
};

enum hp_pack_step {
	HP_PACK_ITEM,
	/*
	 * more bytes are needed, because the available bytes contain no
	 * complete item
	 */
	HP_PACK_MORE,
};

/*
 * Whether the parser is inside a heap record. A dump that ends inside a heap
 * record is truncated.
 */
static inline bool
hp_pack_walk_in_heap(const struct hp_pack_walk *w)
{
	return (w->phase == HP_PACK_IN_HEAP && w->heap > 0) ||
	       (w->phase == HP_PACK_IN_RUN && (w->run > 0 || w->heap > 0));
}

/*
 * Parse the next item. Returns HP_PACK_MORE if the available bytes contain no
 * complete item. If w->last is set, HP_PACK_MORE means that all bytes were
 * returned as items.
 */
enum hp_pack_step hp_pack_walk_next(struct hp_pack_walk *w,
				    struct hp_pack_item *item);

/*
 * ----------------------------------------------------------------------
 * The types of the fields of the classes seen so far
 *
 * One thread adds classes in the order of the dump; worker threads look them
 * up. A look-up uses only the first @known classes of the dump. So its result
 * does not depend on the progress of other threads. Private to common/pack.
 */

struct hp_pack_layouts {
	pthread_mutex_t lock;
	/*
	 * maps a class id to its struct class *, which has the types of the
	 * fields
	 */
	struct hp_id_map classes;
	struct hp_arena arena;
	uint32_t count;
};

void hp_pack_layouts_init(struct hp_pack_layouts *l);
void hp_pack_layouts_release(struct hp_pack_layouts *l);

/*
 * Add the CLASS DUMP of @size bytes at @at. If several classes have the same
 * id, the first one is used. The memory for classes is limited. Classes that
 * exceed the limit are not stored; only a crafted dump has so many. Returns
 * HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_layouts_add(struct hp_pack_layouts *l,
					       const uint8_t *at, size_t size,
					       unsigned id_size,
					       struct hp_error *err);

/**
 * hp_pack_layouts_fields() - get the types of the fields of an instance, in the
 * order of its data
 * @known: look only at the first @known classes
 * @types: an array of @room elements, which receives the types
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
 * A segment: some bytes in memory that are a part of a stream. A stream
 * consists of all its segments, in the order of the list.
 */
struct hp_pack_segment {
	uint8_t stream;
	const uint8_t *data;
	size_t n;
};

/*
 * The place of a string: its id, and its index (row) among the strings of the
 * block.
 */
struct hp_pack_text_place {
	uint64_t id;
	uint32_t item;
};

/* The state of the encoder. Zero-initialise it before its first use. */
struct hp_pack_encoder {
	/* The types of the fields of each class. NULL: they are not known. */
	struct hp_pack_layouts *layouts;
	/*
	 * Use only the first `known` classes of `layouts`, because another
	 * thread may have added further classes.
	 */
	uint32_t known;
	const uint8_t *data; /* the bytes of the block */
	uint32_t n;
	struct hp_pack_table table;
	/*
	 * For each item in the order of the dump: the index of its symbol (kind
	 * and class) in the symbol table.
	 */
	uint16_t *ops;
	/*
	 * For each item: its offset in the block. The last entry is the end of
	 * the block.
	 */
	uint32_t *at;
	/*
	 * The offset of each item in the block, sorted by symbol (kind and
	 * class of items). For the symbols of hp_pack_by_number(), the element
	 * is the index of the item in `at` instead.
	 */
	uint32_t *rows;
	size_t ops_room, at_room, rows_room;
	/*
	 * Only for symbols (kinds of items) whose items are reordered: for each
	 * item in the order of the dump, its index (row) in the new order. The
	 * list of a symbol begins at index s->first.
	 */
	uint32_t *order;
	struct hp_pack_text_place *places;
	size_t order_room, places_room;
	/*
	 * Finds the symbol (kind and class of items) to which an item belongs.
	 */
	struct hp_hash_table found;
	/*
	 * memory for planes; a plane has the same byte of every number of a
	 * column, for example the lowest byte
	 */
	uint8_t *planes;
	size_t planes_used, planes_room;
	uint64_t *odd_ids, *odd_traces;
	size_t odd_ids_room, odd_traces_room;
	struct hp_buf id_runs, trace_runs, head;
	struct hp_pack_segment *segments;
	size_t nsegments, segments_room;
	/* for each column: the state of its encoding */
	struct hp_pack_coder *coders;
	size_t coders_room;
	/*
	 * the dump is unusual, so its objects cannot be counted from the symbol
	 * tables of the pack
	 */
	bool odd;
};

void hp_pack_encoder_release(struct hp_pack_encoder *e);
/*
 * Free the contents of a block. Keep the types of the fields of classes, and
 * the memory for planes. A plane has the same byte of every number of a column,
 * for example the lowest byte.
 */
void hp_pack_encoder_clear(struct hp_pack_encoder *e);

/*
 * Whether hp_pack_encoder.rows contains the numbers of items of this kind, and
 * not their offsets. The list `at` has the offset of each item. So the end of
 * item i is at[i + 1].
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
 * Reserve @n bytes for planes (see `planes` in struct hp_pack_encoder). Returns
 * NULL if the memory would exceed the maximum that a valid block can need.
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
 * @order:    the indexes in @segments of the @count segments of the stream, in
 *            order
 * @n:        total size of the stream in bytes
 *
 * Encrypted and compressed data look random: pictures, archives, keys. This
 * test takes a tenth of the time of trying to compress the stream. Equal
 * streams always give equal results.
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
 * Encode the columns of all symbols (kinds of items). A column is one field of
 * all items of a symbol. Returns false if out of memory.
 */
HP_MUST_USE bool hp_pack_encode_columns(struct hp_pack_encoder *e);

/* ----------------------------------------------------------------------
 * Encode the object ids and trace serials of a block
 *
 * Private to common/pack.
 */

/*
 * Encode the object ids and stack trace serials of all objects. Returns false
 * if out of memory.
 */
HP_MUST_USE bool hp_pack_encode_ids(struct hp_pack_encoder *e);

/*
 * ----------------------------------------------------------------------
 * Sort the strings of a block by id
 *
 * Private to common/pack.
 */

/*
 * If the block becomes smaller, sort its strings by id. Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_pack_order_texts(struct hp_pack_encoder *e);

#endif
