/* block.h - encode and decode a block (a part of the dump) of a pack */
#ifndef HP_PACK_BLOCK_H
#define HP_PACK_BLOCK_H

#include "common/base/zstd_memory.h"
#include "common/pack/block/coding.h"
#include "common/pack/block/internal.h"

/*
 * ----------------------------------------------------------------------
 * Decode the streams of a block to the bytes of the dump
 *
 * layout.h explains streams, items, symbols and columns. The pack may be
 * damaged, so every length is compared with the number of bytes that remain in
 * the block and in the stream. Private to common/pack.
 */

/*
 * The state of the decoder. Zero-initialise it before its first use. Its
 * buffers are used again for the next block.
 */
struct hp_pack_decoder {
	/* for each stream: the bytes that the decoder has not read yet */
	struct hp_pack_bytes streams[HP_PACK_STREAMS];
	struct hp_pack_table table;
	/*
	 * For each item whose length can vary: its length. Column 0 of a symbol
	 * (kind and class of items) has the lengths of its items.
	 */
	uint32_t *lengths;
	/*
	 * For each item: its offset in the unpacked block. The items of a
	 * symbol (kind and class of items) are adjacent in this list.
	 */
	uint32_t *rows;
	/*
	 * Only for symbols (kinds of items) whose items were sorted when the
	 * pack was written. Lists the indexes of these items in the order of
	 * the dump.
	 */
	uint32_t *order;
	/* for each instance or array of the block: its object id */
	uint64_t *ids;
	/*
	 * for each symbol (kind of items): how many of its items were already
	 * placed in the unpacked block
	 */
	uint32_t *next;
	size_t lengths_room, rows_room, order_room, ids_room, next_room;
	/* facts about the object ids of the block, computed while decoding */
	struct hp_pack_facts facts;
	uint8_t *out;
	uint32_t plain;
};

/*
 * The size in bytes that one item takes in all lists of struct hp_pack_decoder
 * together.
 */
enum { HP_PACK_ITEM_BYTES = 20 };

/*
 * Make all streams empty. Afterwards the pointers of each stream point to valid
 * memory, not NULL.
 */
void hp_pack_streams_clear(struct hp_pack_decoder *d);

/**
 * hp_pack_decode_table() - decode the symbol table, which lists the kinds of
 * items in the block
 * @plain: size of the unpacked block in bytes, which limits the numbers in the
 *         table
 *
 * Set d->streams before the call. The function reads all bytes of the stream
 * HP_PACK_S_SYMBOLS.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode_table(struct hp_pack_decoder *d,
						uint32_t plain);

/**
 * hp_pack_decode_lengths() - decode the lengths of the items
 * @symbols: decode only the lengths for the first @symbols symbols (kinds of
 * items)
 *
 * Call it after hp_pack_decode_table(). The function compares the lengths with
 * the sums in the table. If the strings were sorted for the pack, it also
 * decodes their order in the dump.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode_lengths(struct hp_pack_decoder *d,
						  uint32_t symbols);

/*
 * Returns the index in d->rows of the next item of the symbol (kind of items)
 * with the index @i. The symbol must have an item left.
 */
static inline uint32_t
hp_pack_next_row(struct hp_pack_decoder *d, uint32_t i)
{
	const struct hp_pack_symbol *s = &d->table.symbols[i];
	uint32_t row = s->first + d->next[i]++;

	return HP_UNLIKELY(hp_pack_is_ordered(s)) ? d->order[row] : row;
}

/**
 * hp_pack_decode_symbol() - decode the contents of all items of a symbol (kind
 * of items), except the object headers
 *
 * The streams contain the values of the first symbol, then those of the second
 * symbol, and so on. So decode the symbols in this order. Skip a symbol only if
 * all later symbols use other streams.
 * Returns: HP_OK; HP_DAMAGED.
 */
HP_MUST_USE enum hp_status
hp_pack_decode_symbol(struct hp_pack_decoder *d,
		      const struct hp_pack_symbol *s);

/*
 * Decode a whole block to the @plain bytes at @out. Returns HP_OK; HP_DAMAGED;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_decode(struct hp_pack_decoder *d,
					  uint8_t *out, uint32_t plain);

void hp_pack_decoder_release(struct hp_pack_decoder *d);

/* ----------------------------------------------------------------------
 * Encode a block of a dump into streams
 *
 * Private to common/pack.
 */

/**
 * hp_pack_encode() - encode a block
 * @w: state of the parser at the first byte of the block. w->at points to the
 * w->left bytes of the block; w->last must be true
 *
 * Returns: HP_OK: e->segments has the segments (parts) of all streams; they
 *          point to memory of @e and of the block. HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_encode(struct hp_pack_encoder *e,
					  const struct hp_pack_walk *w);

/*
 * ----------------------------------------------------------------------
 * Read and write a block of a pack file: its header, the list of its streams,
 * the streams
 *
 * Private to common/pack.
 */

enum {
	/* size of the header of a pack file in bytes */
	HP_PACK_FILE_HEAD = 16,
	HP_PACK_BLOCK_HEAD = 48, /* size of the header of a block in bytes */
	/* size in bytes of the entry for one stream in the list of streams */
	HP_PACK_ENTRY = 16,
	HP_PACK_LIST_MOST = HP_PACK_ENTRY * HP_PACK_STREAMS,
};

/*
 * A flag in the header of a block. The dump is unusual, so the objects of the
 * block can be counted only by unpacking the whole block. See `odd` in struct
 * hp_pack_walk.
 */
enum { HP_PACK_ODD = 1 };

struct hp_pack_head {
	uint32_t number; /* number of the block in the file; the first is 0 */
	uint64_t offset; /* offset of the block's bytes in the unpacked dump */
	uint32_t plain;	 /* size of the unpacked block in bytes */
	/* size in bytes of all compressed streams of the block together */
	uint32_t body;
	uint32_t nstreams;
	uint32_t flags;
	uint64_t hash; /* XXH3 hash of the unpacked bytes of the block */
};

/* Write the header of a pack file. */
void hp_pack_file_head(uint8_t head[HP_PACK_FILE_HEAD]);
/*
 * Check the header of a pack file. Returns HP_OK; HP_DAMAGED; HP_UNSUPPORTED if
 * the version of the format is unknown.
 */
HP_MUST_USE enum hp_status
hp_pack_file_head_check(const uint8_t head[HP_PACK_FILE_HEAD]);

/**
 * hp_pack_head_read() - parse the header of a block
 *
 * Returns: false if the bytes are not a header, or the values are impossible.
 *          The function does not check the hash; hp_pack_head_intact() does.
 */
HP_MUST_USE bool hp_pack_head_read(struct hp_pack_head *h,
				   const uint8_t bytes[HP_PACK_BLOCK_HEAD]);

/*
 * Whether the hash of the block's header and list of streams is correct. @list
 * has h->nstreams entries.
 */
HP_MUST_USE bool hp_pack_head_intact(const struct hp_pack_head *h,
				     const uint8_t bytes[HP_PACK_BLOCK_HEAD],
				     const uint8_t *list);

struct hp_pack_unpacker {
	struct hp_pack_decoder decoder;
	ZSTD_DCtx *zstd;
	uint8_t *streams; /* the decompressed streams of the block */
	size_t streams_room;
};

/* ---- writing ---- */

struct hp_pack_packer {
	struct hp_pack_encoder encoder;
	ZSTD_CCtx *zstd;
	struct hp_pack_unpacker check;
};

/**
 * hp_pack_block_write() - encode and compress a block
 *
 * To check the result, the function decodes the block again. If the decoded
 * bytes are wrong, it stores the bytes of the block without parsing them.
 * @w:   as for hp_pack_encode()
 * @out: is cleared, then receives the block
 * @h:   number and offset are inputs; the other members are set
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_block_write(struct hp_pack_packer *p,
					       const struct hp_pack_walk *w,
					       struct hp_pack_head *h,
					       struct hp_buf *out);

/*
 * Prepare a packer, the state for encoding and compressing blocks. The caller
 * has zeroed it. @level: compression level of zstd. Returns false if out of
 * memory.
 */
HP_MUST_USE bool hp_pack_packer_init(struct hp_pack_packer *p, int level);
void hp_pack_packer_release(struct hp_pack_packer *p);

/* ---- reading ---- */

/* An entry of a block's list of streams. It describes one compressed stream. */
struct hp_pack_packed {
	uint8_t stream;
	bool compressed;
	/*
	 * `plain`: size of the uncompressed stream in bytes. `packed`: size of
	 * the stream in the file.
	 */
	uint32_t plain, packed;
	/* low half of the XXH3 hash of the stream's bytes in the file */
	uint32_t hash;
};

/**
 * hp_pack_list_read() - parse the list of streams of a block
 * @out: an array of HP_PACK_STREAMS entries; receives the h->nstreams entries
 *       of the list
 *
 * Returns: false if sizes or the order of the streams are invalid.
 */
HP_MUST_USE bool hp_pack_list_read(const struct hp_pack_head *h,
				   const uint8_t *list,
				   struct hp_pack_packed *out);

/**
 * hp_pack_body_intact() - whether the hashes of all streams are correct
 * @body: the h->body bytes of all compressed streams
 */
HP_MUST_USE bool hp_pack_body_intact(const struct hp_pack_head *h,
				     const uint8_t *list, const uint8_t *body);

/**
 * hp_pack_stream_read() - decompress the beginning of a stream
 * @from: the s->packed bytes of the stream in the file
 * @to:   receives @n bytes; @n is at most s->plain
 *
 * Returns: HP_OK; HP_DAMAGED, also if the hash of the stream is wrong.
 */
HP_MUST_USE enum hp_status hp_pack_stream_read(ZSTD_DCtx *zstd,
					       const struct hp_pack_packed *s,
					       const uint8_t *from, uint8_t *to,
					       size_t n);

/**
 * hp_pack_block_streams() - decompress all streams of a block to
 * u->decoder.streams
 * @list: the list of streams, with h->nstreams entries
 * @body: the h->body bytes of all streams in the file; streams that are stored
 *        without compression point into it
 *
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_block_streams(struct hp_pack_unpacker *u,
						 const struct hp_pack_head *h,
						 const uint8_t *list,
						 const uint8_t *body);

/**
 * hp_pack_block_read() - unpack a block
 * @out: receives the h->plain bytes of the dump
 *
 * Returns: HP_OK if the hash is correct; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_pack_block_read(struct hp_pack_unpacker *u, const struct hp_pack_head *h,
		   const uint8_t *list, const uint8_t *body, uint8_t *out);

/*
 * Provide memory for all decompressed streams of a block, @n bytes together.
 * The old contents are lost. Returns false if out of memory.
 */
HP_MUST_USE bool hp_pack_memory(struct hp_pack_unpacker *u, size_t n);

HP_MUST_USE bool hp_pack_unpacker_init(struct hp_pack_unpacker *u);
void hp_pack_unpacker_release(struct hp_pack_unpacker *u);

#endif
