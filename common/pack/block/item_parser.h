/*
 * item_parser.h - any bytes as items, one after the other
 *
 * Cuts a dump into records, sub-records, long arrays' pieces and, where it
 * makes no sense, stretches of raw bytes. The same bytes give the same items
 * wherever the walk is interrupted between two of them. Private to
 * common/pack.
 */
#ifndef HP_PACK_ITEM_PARSER_H
#define HP_PACK_ITEM_PARSER_H

#include "common/format/heap.h"
#include "common/pack/block/layout.h"

struct hp_pack_item {
	uint8_t kind; /* enum hp_pack_kind */
	uint8_t type; /* of elements */
	uint16_t tag;
	uint32_t size;	/* bytes of the item */
	uint32_t count; /* bytes of an instance */
	uint64_t class_id;
	const uint8_t *at;
};

enum hp_pack_phase {
	HP_PACK_AT_HEADER,
	HP_PACK_AT_RECORD,
	HP_PACK_IN_HEAP, /* between two sub-records */
	HP_PACK_IN_RUN,	 /* in a long array or in bytes that are not parsed */
	HP_PACK_IN_ROWS, /* behind the fields of STACK TRACE, ALLOC SITES,
			    CLASS DUMP */
	HP_PACK_LOST,	 /* all that follows is bytes */
};

/* Zeroed before the first byte; copied, it goes on from the same place. */
struct hp_pack_walk {
	const uint8_t *at;
	size_t left; /* bytes at @at */
	bool last;   /* nothing follows them */
	enum hp_pack_phase phase;
	uint8_t id_size;
	uint8_t run_type; /* of elements; 0: bytes */
	bool overflow;	  /* the heap record's length was repaired */
	uint8_t heap_tag;
	uint16_t rows_tag; /* IN_ROWS: the item's */
	uint64_t run;	   /* bytes left of the run, or of the record */
	uint64_t heap;	   /* bytes left of the heap record behind it */
	unsigned unknown;  /* unknown tags in a row */
	bool odd;	   /* something was not as it should be; stays */
};

enum hp_pack_step {
	HP_PACK_ITEM,
	HP_PACK_MORE, /* the bytes end inside an item, or all are used */
};

/* Is the walk between two items of a record, where a dump cannot end? */
static inline bool
hp_pack_walk_in_heap(const struct hp_pack_walk *w)
{
	return (w->phase == HP_PACK_IN_HEAP && w->heap > 0) ||
	       (w->phase == HP_PACK_IN_RUN && (w->run > 0 || w->heap > 0));
}

/* The next item; MORE with bytes left only if w->last is not set. */
enum hp_pack_step hp_pack_walk_next(struct hp_pack_walk *w,
				    struct hp_pack_item *item);

#endif
