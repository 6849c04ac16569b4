/*
 * part_reader.h - a pack from front to end: blocks, what is lost, and the end
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_PART_READER_H
#define HP_PACK_PART_READER_H

#include "common/io/layer.h"
#include "common/pack/block/block.h"
#include "common/pack/internal.h"

enum hp_pack_part_kind {
	HP_PACK_PART_BLOCK, /* head, list and body are set */
	HP_PACK_PART_LOST,  /* head.number, offset: what is lost, up to @next:
			       a block that lost bytes, or is missing;
			       nothing: bytes that are none of this pack's */
	HP_PACK_PART_TAIL,  /* the end of a pack; head.number, offset: of the
			       block that would come next */
	HP_PACK_PART_CUT,   /* the end of one that is not */
	HP_PACK_PART_FAIL,  /* reading failed */
};

/* Zeroed at first; the buffer is kept from part to part. */
struct hp_pack_part {
	enum hp_pack_part_kind kind;
	uint64_t at; /* where it begins in the file */
	struct hp_pack_head head;
	uint8_t list[HP_PACK_LIST_MOST];
	uint8_t *body;
	size_t body_room;
	uint64_t needs;		  /* BLOCK: bytes while it is unpacked, with
				     those above */
	uint64_t next;		  /* LOST: the offset where it goes on */
	uint64_t most;		  /* LOST: not 0: where that is is not known, as
				     no block comes any more. TAIL: a pack so
				     long has no more of a dump */
	struct hp_pack_tail tail; /* TAIL */
	bool directory_bad;	  /* TAIL: its hash does not fit */
	uint64_t trailing;	  /* TAIL: bytes behind the end */
	enum hp_status status;	  /* FAIL */
	struct hp_error error;
};

/* Zeroed but for below and block_memory before its first use. */
struct hp_pack_input {
	struct hp_layer *below;
	uint64_t block_memory; /* that a block may take; 0: no limit */
	uint8_t window[16 << 10];
	size_t start, end;
	uint64_t at;	/* offset of window[start] in the file */
	bool last;	/* nothing comes behind the window */
	bool ended;	/* nor from below */
	uint8_t *again; /* bytes of a damaged body, which come first */
	size_t again_room, again_start, again_end;
	uint64_t searched; /* bodies were searched up to there */
	bool begun;
	uint32_t number; /* of the next block */
	uint64_t offset; /* of its bytes in the dump */
};

/* The next part; after TAIL, CUT and FAIL there is none. */
void hp_pack_input_next(struct hp_pack_input *in, struct hp_pack_part *part);
void hp_pack_input_release(struct hp_pack_input *in);

#endif
