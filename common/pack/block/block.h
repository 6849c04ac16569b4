/*
 * block.h - read and write a block of a pack: header, list of streams, streams
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_BLOCK_H
#define HP_PACK_BLOCK_H

#include "common/pack/block/decode.h"
#include "common/pack/block/encode.h"

#include <zstd.h>

enum {
	HP_PACK_FILE_HEAD = 16,	 /* bytes of the file header */
	HP_PACK_BLOCK_HEAD = 48, /* bytes of the block header */
	HP_PACK_ENTRY = 16,	 /* bytes of a stream's entry in the list */
	HP_PACK_LIST_MOST = HP_PACK_ENTRY * HP_PACK_STREAMS,
};

/*
 * A flag in the header of a block: its dump is unusual, so it must be unpacked
 * completely to count objects. See `odd` in struct hp_pack_walk.
 */
enum { HP_PACK_ODD = 1 };

struct hp_pack_head {
	uint32_t number; /* serial of the block, from 0 */
	uint64_t offset; /* offset of its data in the dump */
	uint32_t plain;	 /* bytes of the dump in the block */
	uint32_t body;	 /* bytes of all streams */
	uint32_t nstreams;
	uint32_t flags;
	uint64_t hash; /* XXH3 hash of the unpacked data */
};

/* Write the file header. */
void hp_pack_file_head(uint8_t head[HP_PACK_FILE_HEAD]);
/*
 * Check the file header. Returns HP_OK; HP_DAMAGED; HP_UNSUPPORTED if the
 * version is unknown.
 */
HP_MUST_USE enum hp_status
hp_pack_file_head_check(const uint8_t head[HP_PACK_FILE_HEAD]);

/**
 * hp_pack_head_read() - parse the header of a block
 *
 * Returns: false if it is not a header, or its values are impossible. Only
 *          hp_pack_head_intact() checks the hash.
 */
HP_MUST_USE bool hp_pack_head_read(struct hp_pack_head *h,
				   const uint8_t bytes[HP_PACK_BLOCK_HEAD]);

/*
 * Whether the hash of the header and the list is correct. @list: the
 * h->nstreams entries.
 */
HP_MUST_USE bool hp_pack_head_intact(const struct hp_pack_head *h,
				     const uint8_t bytes[HP_PACK_BLOCK_HEAD],
				     const uint8_t *list);

struct hp_pack_unpacker {
	struct hp_pack_decoder decoder;
	ZSTD_DCtx *zstd;
	uint8_t *streams; /* memory of decompressed streams */
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
 * The block is decoded again to check it. If the result differs, the block is
 * written as unparsed bytes.
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

/* @level: compression level of zstd. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_packer_init(struct hp_pack_packer *p, int level);
void hp_pack_packer_release(struct hp_pack_packer *p);

/* ---- reading ---- */

/* An entry of the list of streams. */
struct hp_pack_packed {
	uint8_t stream;
	bool compressed;
	uint32_t plain, packed; /* bytes uncompressed, bytes in the file */
	/* low half of the XXH3 hash of the bytes in the file */
	uint32_t hash;
};

/**
 * hp_pack_list_read() - parse the list of streams of a block
 * @out: room for HP_PACK_STREAMS entries; receives h->nstreams
 *
 * Returns: false if sizes or order are invalid.
 */
HP_MUST_USE bool hp_pack_list_read(const struct hp_pack_head *h,
				   const uint8_t *list,
				   struct hp_pack_packed *out);

/**
 * hp_pack_body_intact() - whether the hashes of all streams are correct
 * @body: h->body bytes
 */
HP_MUST_USE bool hp_pack_body_intact(const struct hp_pack_head *h,
				     const uint8_t *list, const uint8_t *body);

/**
 * hp_pack_stream_read() - decompress the beginning of a stream
 * @from: the s->packed bytes in the file
 * @to:   receives @n bytes; at most s->plain
 *
 * Returns: HP_OK; HP_DAMAGED, also if the hash is wrong.
 */
HP_MUST_USE enum hp_status hp_pack_stream_read(ZSTD_DCtx *zstd,
					       const struct hp_pack_packed *s,
					       const uint8_t *from, uint8_t *to,
					       size_t n);

/**
 * hp_pack_block_streams() - decompress all streams of a block to
 * u->decoder.streams
 * @list: the h->nstreams entries
 * @body: h->body bytes; uncompressed streams point into it
 *
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_block_streams(struct hp_pack_unpacker *u,
						 const struct hp_pack_head *h,
						 const uint8_t *list,
						 const uint8_t *body);

/**
 * hp_pack_block_read() - unpack a block
 * @out: room for h->plain bytes of the dump
 *
 * Returns: HP_OK if the hash is correct; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_pack_block_read(struct hp_pack_unpacker *u, const struct hp_pack_head *h,
		   const uint8_t *list, const uint8_t *body, uint8_t *out);

/*
 * Make room for @n bytes of streams; the old contents are lost. Returns false
 * if out of memory.
 */
HP_MUST_USE bool hp_pack_memory(struct hp_pack_unpacker *u, size_t n);

HP_MUST_USE bool hp_pack_unpacker_init(struct hp_pack_unpacker *u);
void hp_pack_unpacker_release(struct hp_pack_unpacker *u);

#endif
