/*
 * block.h - a block as it stands in a file: head, list of streams, streams
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_BLOCK_H
#define HP_PACK_BLOCK_H

#include "common/pack/block/decode.h"
#include "common/pack/block/encode.h"

#include <zstd.h>

enum {
	HP_PACK_FILE_HEAD = 16,	 /* bytes at a file's begin */
	HP_PACK_BLOCK_HEAD = 48, /* bytes before the list of streams */
	HP_PACK_ENTRY = 16,	 /* bytes of a stream in the list */
	HP_PACK_LIST_MOST = HP_PACK_ENTRY * HP_PACK_STREAMS,
};

/* Set in a block's flags: no short way through it; see struct hp_pack_walk. */
enum { HP_PACK_ODD = 1 };

struct hp_pack_head {
	uint32_t number; /* from 0 */
	uint64_t offset; /* of its first byte in the dump */
	uint32_t plain;	 /* bytes of the dump */
	uint32_t body;	 /* bytes of all streams */
	uint32_t nstreams;
	uint32_t flags;
	uint64_t hash; /* XXH3 of the bytes of the dump */
};

/* The bytes at a file's begin. */
void hp_pack_file_head(uint8_t head[HP_PACK_FILE_HEAD]);
/* HP_OK; HP_DAMAGED; HP_UNSUPPORTED: a version that is not known. */
HP_MUST_USE enum hp_status
hp_pack_file_head_check(const uint8_t head[HP_PACK_FILE_HEAD]);

/**
 * hp_pack_head_read() - the first bytes of a block
 *
 * Returns: false if they are no block's; then nothing is to be believed.
 *          Whether they are intact says hp_pack_head_intact().
 */
HP_MUST_USE bool hp_pack_head_read(struct hp_pack_head *h,
				   const uint8_t bytes[HP_PACK_BLOCK_HEAD]);

/* Does the hash of head and list fit? @list: h->nstreams entries. */
HP_MUST_USE bool hp_pack_head_intact(const struct hp_pack_head *h,
				     const uint8_t bytes[HP_PACK_BLOCK_HEAD],
				     const uint8_t *list);

struct hp_pack_unpacker {
	struct hp_pack_decoder decoder;
	ZSTD_DCtx *zstd;
	uint8_t *streams; /* decompressed */
	size_t streams_room;
};

/* ---- writing ---- */

struct hp_pack_packer {
	struct hp_pack_encoder encoder;
	ZSTD_CCtx *zstd;
	struct hp_pack_unpacker check;
};

/**
 * hp_pack_block_write() - a block, from the bytes of a dump
 *
 * The block is read back before it is handed out. One that does not give the
 * same bytes again is written as bytes that are not parsed.
 * @w:   as for hp_pack_encode()
 * @out: cleared, then the block
 * @h:   number and offset are set, the others are filled in
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_block_write(struct hp_pack_packer *p,
					       const struct hp_pack_walk *w,
					       struct hp_pack_head *h,
					       struct hp_buf *out);

/* @level: zstd's. False: no memory. */
HP_MUST_USE bool hp_pack_packer_init(struct hp_pack_packer *p, int level);
void hp_pack_packer_release(struct hp_pack_packer *p);

/* ---- reading ---- */

/* A stream in the list. */
struct hp_pack_packed {
	uint8_t stream;
	bool compressed;
	uint32_t plain, packed; /* bytes */
	uint32_t hash;		/* of the packed ones */
};

/**
 * hp_pack_list_read() - a block's list of streams
 * @out: HP_PACK_STREAMS of them, of which h->nstreams are set
 *
 * Returns: false if sizes or order are wrong.
 */
HP_MUST_USE bool hp_pack_list_read(const struct hp_pack_head *h,
				   const uint8_t *list,
				   struct hp_pack_packed *out);

/**
 * hp_pack_body_intact() - do the sums of all streams fit?
 * @body: h->body bytes
 */
HP_MUST_USE bool hp_pack_body_intact(const struct hp_pack_head *h,
				     const uint8_t *list, const uint8_t *body);

/**
 * hp_pack_stream_read() - decompress the first bytes of a stream
 * @from: s->packed bytes
 * @to:   room for @n bytes, at most s->plain
 *
 * Returns: HP_OK; HP_DAMAGED, also if the hash does not fit.
 */
HP_MUST_USE enum hp_status hp_pack_stream_read(ZSTD_DCtx *zstd,
					       const struct hp_pack_packed *s,
					       const uint8_t *from, uint8_t *to,
					       size_t n);

/**
 * hp_pack_block_streams() - decompress all streams
 * @list:   of h->nstreams entries
 * @body:   h->body bytes; streams that are stored are borrowed from it
 *
 * u->decoder.streams is what they are.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_block_streams(struct hp_pack_unpacker *u,
						 const struct hp_pack_head *h,
						 const uint8_t *list,
						 const uint8_t *body);

/**
 * hp_pack_block_read() - the bytes of the dump in a block
 * @out: room for h->plain bytes
 *
 * Returns: HP_OK: and the hash fits; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_pack_block_read(struct hp_pack_unpacker *u, const struct hp_pack_head *h,
		   const uint8_t *list, const uint8_t *body, uint8_t *out);

/* Makes room for @n bytes of streams; what was there is lost. */
HP_MUST_USE bool hp_pack_memory(struct hp_pack_unpacker *u, size_t n);

HP_MUST_USE bool hp_pack_unpacker_init(struct hp_pack_unpacker *u);
void hp_pack_unpacker_release(struct hp_pack_unpacker *u);

#endif
