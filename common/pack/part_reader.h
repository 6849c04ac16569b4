/*
 * part_reader.h - read a pack sequentially: blocks, lost blocks, and the end
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_PART_READER_H
#define HP_PACK_PART_READER_H

#include "common/io/layer.h"
#include "common/pack/block/block.h"
#include "common/pack/internal.h"

enum hp_pack_part_kind {
	HP_PACK_PART_BLOCK, /* a block: head, list and body are set */
	/*
	 * A lost block: damaged or missing. head.number and head.offset
	 * identify it; it extends to next. If next equals head.offset and most
	 * is 0, no block is lost: the bytes do not belong to this pack.
	 */
	HP_PACK_PART_LOST,
	/*
	 * The complete end of a pack. head.number and head.offset are those of
	 * the block that would come next.
	 */
	HP_PACK_PART_TAIL,
	HP_PACK_PART_CUT,  /* the pack is truncated */
	HP_PACK_PART_FAIL, /* reading failed */
};

/* A part of a pack. Zero-initialise it. The buffer is reused. */
struct hp_pack_part {
	enum hp_pack_part_kind kind;
	uint64_t at; /* offset of the part in the file */
	struct hp_pack_head head;
	uint8_t list[HP_PACK_LIST_MOST];
	uint8_t *body;
	size_t body_room;
	/*
	 * BLOCK: bytes of memory to unpack it, including this struct's buffers.
	 */
	uint64_t needs;
	/* LOST: offset in the dump of the next block */
	uint64_t next;
	/*
	 * LOST: not 0 if no block follows, so next is unknown. TAIL: the
	 * maximum size of a dump in a pack of this length.
	 */
	uint64_t most;
	struct hp_pack_tail tail; /* TAIL: its contents */
	bool directory_bad;	  /* TAIL: the hash of the directory is wrong */
	uint64_t trailing;	  /* TAIL: bytes after the end of the pack */
	enum hp_status status;	  /* FAIL: why */
	struct hp_error error;
};

/*
 * The state of reading a pack. Zero-initialise it, but set below and
 * block_memory.
 */
struct hp_pack_input {
	struct hp_layer *below;
	/* limit in bytes for unpacking a block; 0: no limit */
	uint64_t block_memory;
	uint8_t window[16 << 10];
	size_t start, end;
	uint64_t at; /* offset of window[start] in the file */
	bool last;   /* no bytes follow the window */
	bool ended;  /* below has no more bytes */
	/*
	 * The body of a damaged block, which is searched for further blocks.
	 * Its bytes are read before those of below.
	 */
	uint8_t *again;
	size_t again_room, again_start, again_end;
	/* bodies have been searched up to this file offset */
	uint64_t searched;
	bool begun;
	uint32_t number; /* number of the next block */
	uint64_t offset; /* offset of the next block in the dump */
};

/* Read the next part. Must not be called after TAIL, CUT or FAIL. */
void hp_pack_input_next(struct hp_pack_input *in, struct hp_pack_part *part);
void hp_pack_input_release(struct hp_pack_input *in);

#endif
