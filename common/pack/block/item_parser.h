/*
 * item_parser.h - split any bytes into items
 *
 * Splits a dump into records, sub-records, parts of long arrays and, where it
 * cannot be parsed, raw bytes. The result does not depend on where the input is
 * interrupted between two items. Private to common/pack.
 */
#ifndef HP_PACK_ITEM_PARSER_H
#define HP_PACK_ITEM_PARSER_H

#include "common/format/heap.h"
#include "common/pack/block/layout.h"

struct hp_pack_item {
	uint8_t kind; /* enum hp_pack_kind */
	uint8_t type; /* type code of the elements */
	uint16_t tag;
	uint32_t size;	/* bytes of the item in the dump */
	uint32_t count; /* bytes of data of an instance */
	uint64_t class_id;
	const uint8_t *at;
};

enum hp_pack_phase {
	HP_PACK_AT_HEADER,
	HP_PACK_AT_RECORD,
	HP_PACK_IN_HEAP, /* between two sub-records */
	HP_PACK_IN_RUN,	 /* in a long array, or in bytes that are not parsed */
	/* After the fixed fields of STACK TRACE, ALLOC SITES or CLASS DUMP. */
	HP_PACK_IN_ROWS,
	HP_PACK_LOST, /* all further bytes are raw */
};

/*
 * The state of the parser. Zero-initialise it before the first byte. A copy
 * continues from the same place.
 */
struct hp_pack_walk {
	const uint8_t *at;
	size_t left; /* bytes available at `at` */
	bool last;   /* no bytes follow them */
	enum hp_pack_phase phase;
	uint8_t id_size;
	uint8_t run_type; /* type code of the elements; 0: raw bytes */
	bool overflow;	  /* the length of the heap record was repaired */
	uint8_t heap_tag;
	uint16_t rows_tag; /* IN_ROWS: tag of the items */
	uint64_t run;	   /* remaining bytes of the run or record */
	/* remaining bytes of the heap record after the run */
	uint64_t heap;
	unsigned unknown; /* number of consecutive unknown tags */
	/*
	 * Something is unusual, so objects must not be counted from tables.
	 * Never reset here.
	 */
	bool odd;
};

enum hp_pack_step {
	HP_PACK_ITEM,
	HP_PACK_MORE, /* no complete item is left */
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
 * Parse the next item. Returns HP_PACK_MORE if there is no complete item; if
 * w->last is set, all bytes are used up then.
 */
enum hp_pack_step hp_pack_walk_next(struct hp_pack_walk *w,
				    struct hp_pack_item *item);

#endif
