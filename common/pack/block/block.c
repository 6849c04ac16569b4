/*
 * block.c - write and read a block of a pack: its header, hashes and compressed
 * data streams
 */
#include "common/pack/block/block.h"

#include "common/base/memory.h"
#include "common/pack/block/internal.h"
#include "common/pack/block/layout.h"

#include <xxhash.h>
#include <zstd_errors.h>

static const uint8_t block_magic[4] = {'H', 'P', 'K', 'B'};

enum {
	STORED,	    /* a stream is stored without compression */
	COMPRESSED, /* a stream is stored as one zstd frame */
	/*
	 * Streams with fewer bytes than this are not compressed, because that
	 * saves too little.
	 */
	SMALL = 48,
	/*
	 * If a segment (some bytes of a stream) has at least this many bytes,
	 * it is compressed separately from its neighbours.
	 */
	FLUSH = 2048
};

/*
 * Returns the maximum size in bytes that all uncompressed streams of a block
 * can have together. @plain: the size of the unpacked block.
 */
static uint64_t
max_stream_bytes(uint32_t plain)
{
	return 2 * (uint64_t)plain + 65536;
}

void
hp_pack_file_head(uint8_t head[HP_PACK_FILE_HEAD])
{
	memcpy(head, HP_PACK_MAGIC, 8);
	hp_put_le2(head + 8, HP_PACK_VERSION);
	hp_put_le2(head + 10, 0);
	hp_put_le4(head + 12, (uint32_t)XXH3_64bits(head, 12));
}

enum hp_status
hp_pack_file_head_check(const uint8_t head[HP_PACK_FILE_HEAD])
{
	if (memcmp(head, HP_PACK_MAGIC, 8) != 0 ||
	    hp_le4(head + 12) != (uint32_t)XXH3_64bits(head, 12))
		return HP_DAMAGED;
	return hp_le2(head + 8) >= HP_PACK_VERSION_LEAST &&
			       hp_le2(head + 8) <= HP_PACK_VERSION
		       ? HP_OK
		       : HP_UNSUPPORTED;
}

bool
hp_pack_head_read(struct hp_pack_head *h,
		  const uint8_t bytes[HP_PACK_BLOCK_HEAD])
{
	if (memcmp(bytes, block_magic, 4) != 0)
		return false;
	h->number = hp_le4(bytes + 4);
	h->offset = hp_le8(bytes + 8);
	h->plain = hp_le4(bytes + 16);
	h->body = hp_le4(bytes + 20);
	h->nstreams = hp_le4(bytes + 24);
	h->flags = hp_le4(bytes + 28);
	h->hash = hp_le8(bytes + 32);
	return h->nstreams <= HP_PACK_STREAMS && h->plain > 0 &&
	       h->plain <= HP_PACK_BLOCK_MOST &&
	       h->body <= max_stream_bytes(h->plain);
}

/*
 * Returns the hash of a block's header and list of streams. The bytes of the
 * header that contain this hash are left out.
 */
static uint64_t
head_hash(const uint8_t *bytes, const uint8_t *list, size_t n)
{
	XXH64_hash_t seed = XXH3_64bits(bytes, HP_PACK_BLOCK_HEAD - 8);

	return XXH3_64bits_withSeed(list, n, seed);
}

bool
hp_pack_head_intact(const struct hp_pack_head *h,
		    const uint8_t bytes[HP_PACK_BLOCK_HEAD],
		    const uint8_t *list)
{
	return hp_le8(bytes + HP_PACK_BLOCK_HEAD - 8) ==
	       head_hash(bytes, list, HP_PACK_ENTRY * (size_t)h->nstreams);
}

static void
head_write(const struct hp_pack_head *h, uint8_t *bytes)
{
	memcpy(bytes, block_magic, 4);
	hp_put_le4(bytes + 4, h->number);
	hp_put_le8(bytes + 8, h->offset);
	hp_put_le4(bytes + 16, h->plain);
	hp_put_le4(bytes + 20, h->body);
	hp_put_le4(bytes + 24, h->nstreams);
	hp_put_le4(bytes + 28, h->flags);
	hp_put_le8(bytes + 32, h->hash);
	hp_put_le8(bytes + 40, head_hash(bytes, bytes + HP_PACK_BLOCK_HEAD,
					 HP_PACK_ENTRY * (size_t)h->nstreams));
}

/* ---- writing ---- */

/*
 * A data stream of a block. It consists of segments (see struct
 * hp_pack_segment), which are adjacent in the list that sort_segments()
 * returns.
 */
struct stream {
	/*
	 * The segments (parts) of this stream are consecutive in the list that
	 * sort_segments() returns. `first`: index of the first segment in the
	 * list. `count`: number of segments.
	 */
	size_t first, count;
	size_t plain;
};

/*
 * Sort the segments (parts of streams) by stream. Returns a list of their
 * indexes in e->segments; NULL if out of memory.
 */
static size_t *
sort_segments(const struct hp_pack_encoder *e, struct stream *streams)
{
	size_t *order = hp_malloc((e->nsegments + 1) * sizeof(*order));
	size_t first = 0;

	memset(streams, 0, HP_PACK_STREAMS * sizeof(*streams));
	if (!order)
		return NULL;
	for (size_t i = 0; i < e->nsegments; i++) {
		streams[e->segments[i].stream].count++;
		streams[e->segments[i].stream].plain += e->segments[i].n;
	}
	for (unsigned s = 0; s < HP_PACK_STREAMS; s++) {
		streams[s].first = first;
		first += streams[s].count;
		streams[s].count = 0;
	}
	for (size_t i = 0; i < e->nsegments; i++) {
		struct stream *s = &streams[e->segments[i].stream];

		order[s->first + s->count++] = i;
	}
	return order;
}

/*
 * Compress a stream to one zstd frame at @to, and set *@n to the length of the
 * frame. If the frame is not smaller than the stream, set *@n to 0. A long
 * segment (part of the stream) gets zstd blocks of its own, because its
 * contents differ from those of its neighbours. Returns false if zstd has no
 * memory.
 */
static bool
compress_stream(struct hp_pack_packer *p, const struct stream *s,
		const size_t *order, uint8_t *to, size_t *n)
{
	const struct hp_pack_segment *list = p->encoder.segments;
	ZSTD_outBuffer out = {to, s->plain, 0};

	*n = 0;
	if (hp_pack_stream_random(list, order + s->first, s->count, s->plain))
		return true;
	ZSTD_CCtx_reset(p->zstd, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(p->zstd, s->plain);
	for (size_t i = 0; i < s->count; i++) {
		const struct hp_pack_segment *g = &list[order[s->first + i]];
		bool last = i + 1 == s->count;
		ZSTD_inBuffer in = {g->data, g->n, 0};
		ZSTD_EndDirective end = ZSTD_e_continue;
		size_t left;

		if (last)
			end = ZSTD_e_end;
		else if (g->n >= FLUSH ||
			 list[order[s->first + i + 1]].n >= FLUSH)
			end = ZSTD_e_flush;
		do {
			left = ZSTD_compressStream2(p->zstd, &out, &in, end);
			if (ZSTD_isError(left))
				return ZSTD_getErrorCode(left) !=
				       ZSTD_error_memory_allocation;
			if (out.pos == out.size &&
			    (left > 0 || in.pos < in.size))
				return true;
		} while (in.pos < in.size ||
			 (end != ZSTD_e_continue && left > 0));
	}
	*n = out.pos < s->plain ? out.pos : 0;
	return true;
}

static void
store_stream(const struct hp_pack_encoder *e, const struct stream *s,
	     const size_t *order, uint8_t *to)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct hp_pack_segment *g =
			&e->segments[order[s->first + i]];

		memcpy(to, g->data, g->n);
		to += g->n;
	}
}

/*
 * Append all streams to the output @out, and an entry for each stream (its
 * sizes and hash) to @list. Returns false if out of memory.
 */
static bool
write_streams(struct hp_pack_packer *p, const struct stream *streams,
	      const size_t *order, uint8_t *list, struct hp_pack_head *h,
	      struct hp_buf *out)
{
	for (unsigned id = 0; id < HP_PACK_STREAMS; id++) {
		const struct stream *s = &streams[id];
		uint8_t *entry = list + HP_PACK_ENTRY * h->nstreams;
		uint8_t *to;
		size_t n = 0;

		if (s->plain == 0)
			continue;
		if (!hp_buf_reserve(out, s->plain))
			return false;
		to = (uint8_t *)out->data + out->len;
		if (s->plain >= SMALL && !compress_stream(p, s, order, to, &n))
			return false;
		entry[0] = (uint8_t)id;
		entry[1] = n ? COMPRESSED : STORED;
		entry[2] = entry[3] = 0;
		if (n == 0) {
			n = s->plain;
			store_stream(&p->encoder, s, order, to);
		}
		hp_put_le4(entry + 4, (uint32_t)s->plain);
		hp_put_le4(entry + 8, (uint32_t)n);
		hp_put_le4(entry + 12, (uint32_t)XXH3_64bits(to, n));
		out->len += n;
		h->nstreams++;
	}
	return true;
}

/*
 * Encode a block. If its streams would be too large, store the bytes of the
 * block without parsing them.
 */
static enum hp_status
encode_block(struct hp_pack_packer *p, const struct hp_pack_walk *w)
{
	struct hp_pack_walk lost = *w;
	enum hp_status st = hp_pack_encode(&p->encoder, w);
	uint64_t sum = 0;

	for (size_t i = 0; i < p->encoder.nsegments; i++)
		sum += p->encoder.segments[i].n;
	if (st != HP_OK || sum <= max_stream_bytes((uint32_t)w->left))
		return st;
	lost.phase = HP_PACK_LOST;
	return hp_pack_encode(&p->encoder, &lost);
}

/*
 * Write the header and the list of streams before the streams. Space was
 * reserved for the longest possible list. If the list is shorter, move the
 * streams to a lower offset.
 */
static void
write_front(struct hp_pack_head *h, const uint8_t *list, struct hp_buf *out)
{
	size_t most = HP_PACK_BLOCK_HEAD + HP_PACK_LIST_MOST;
	size_t used = HP_PACK_ENTRY * (size_t)h->nstreams;
	uint8_t *data = (uint8_t *)out->data;

	h->body = (uint32_t)(out->len - most);
	memmove(data + HP_PACK_BLOCK_HEAD + used, data + most, h->body);
	memcpy(data + HP_PACK_BLOCK_HEAD, list, used);
	head_write(h, data);
	out->len = HP_PACK_BLOCK_HEAD + used + h->body;
}

/*
 * Make a block of the encoded streams: compress them, and write the header and
 * the list of streams.
 */
static enum hp_status
assemble_block(struct hp_pack_packer *p, struct hp_pack_head *h,
	       struct hp_buf *out)
{
	struct stream streams[HP_PACK_STREAMS];
	uint8_t list[HP_PACK_LIST_MOST];
	size_t *order = sort_segments(&p->encoder, streams);
	bool ok;

	h->nstreams = 0;
	h->flags = p->encoder.odd ? HP_PACK_ODD : 0;
	hp_buf_clear(out);
	hp_buf_fill(out, 0, HP_PACK_BLOCK_HEAD + HP_PACK_LIST_MOST);
	ok = order && hp_buf_ok(out) &&
	     write_streams(p, streams, order, list, h, out);
	if (ok)
		write_front(h, list, out);
	hp_free(order);
	return ok ? HP_OK : HP_NOMEM;
}

/*
 * Decode the block again to check that the result is equal to the original
 * bytes. To save memory, free the lists of the encoder before, and the lists of
 * the decoder afterwards. With very many classes, these lists can be as large
 * as the block. The decoded bytes replace the planes (encoded columns) of the
 * encoder.
 */
static enum hp_status
read_back(struct hp_pack_packer *p, const struct hp_pack_head *h,
	  const struct hp_buf *out)
{
	const uint8_t *list = (const uint8_t *)out->data + HP_PACK_BLOCK_HEAD;
	enum hp_status st;

	hp_pack_encoder_clear(&p->encoder);
	st = hp_pack_block_read(&p->check, h, list,
				list + HP_PACK_ENTRY * (size_t)h->nstreams,
				p->encoder.planes);
	hp_pack_decoder_release(&p->check.decoder);
	return st;
}

enum hp_status
hp_pack_block_write(struct hp_pack_packer *p, const struct hp_pack_walk *w,
		    struct hp_pack_head *h, struct hp_buf *out)
{
	struct hp_pack_walk lost = *w;
	enum hp_status st = encode_block(p, w);

	h->plain = (uint32_t)w->left;
	h->hash = XXH3_64bits(w->at, w->left);
	if (st == HP_OK)
		st = assemble_block(p, h, out);
	if (st == HP_OK)
		st = read_back(p, h, out);
	if (st != HP_DAMAGED)
		return st;
	lost.phase = HP_PACK_LOST;
	st = hp_pack_encode(&p->encoder, &lost);
	return st == HP_OK ? assemble_block(p, h, out) : st;
}

bool
hp_pack_packer_init(struct hp_pack_packer *p, int level)
{
	*p = (struct hp_pack_packer){0};
	p->zstd = hp_zstd_new_encoder();
	return hp_pack_unpacker_init(&p->check) && p->zstd &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(
		       p->zstd, ZSTD_c_compressionLevel, level));
}

void
hp_pack_packer_release(struct hp_pack_packer *p)
{
	hp_pack_encoder_release(&p->encoder);
	hp_pack_unpacker_release(&p->check);
	ZSTD_freeCCtx(p->zstd);
}

/* ---- reading ---- */

bool
hp_pack_list_read(const struct hp_pack_head *h, const uint8_t *list,
		  struct hp_pack_packed *out)
{
	uint64_t plain = 0, packed = 0;
	int last = -1;

	for (uint32_t i = 0; i < h->nstreams; i++, list += HP_PACK_ENTRY) {
		struct hp_pack_packed *s = &out[i];

		*s = (struct hp_pack_packed){.stream = list[0],
					     .compressed =
						     list[1] == COMPRESSED,
					     .plain = hp_le4(list + 4),
					     .packed = hp_le4(list + 8),
					     .hash = hp_le4(list + 12)};
		if (s->stream <= last || s->stream >= HP_PACK_STREAMS ||
		    list[1] > COMPRESSED ||
		    (!s->compressed && s->plain != s->packed))
			return false;
		last = s->stream;
		plain += s->plain;
		packed += s->packed;
	}
	return packed == h->body && plain <= max_stream_bytes(h->plain);
}

bool
hp_pack_body_intact(const struct hp_pack_head *h, const uint8_t *list,
		    const uint8_t *body)
{
	struct hp_pack_packed streams[HP_PACK_STREAMS];

	if (!hp_pack_list_read(h, list, streams))
		return false;
	for (uint32_t i = 0; i < h->nstreams; i++) {
		if ((uint32_t)XXH3_64bits(body, streams[i].packed) !=
		    streams[i].hash)
			return false;
		body += streams[i].packed;
	}
	return true;
}

static enum hp_status
decompress_some(ZSTD_DCtx *zstd, const struct hp_pack_packed *s,
		const uint8_t *from, uint8_t *to, size_t n)
{
	ZSTD_inBuffer in = {from, s->packed, 0};
	ZSTD_outBuffer out = {to, n, 0};

	ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only);
	while (out.pos < out.size) {
		size_t before = out.pos + in.pos;
		size_t left = ZSTD_decompressStream(zstd, &out, &in);

		if (ZSTD_isError(left) || before == out.pos + in.pos)
			return HP_DAMAGED;
	}
	return HP_OK;
}

enum hp_status
hp_pack_stream_read(ZSTD_DCtx *zstd, const struct hp_pack_packed *s,
		    const uint8_t *from, uint8_t *to, size_t n)
{
	size_t got;

	if ((uint32_t)XXH3_64bits(from, s->packed) != s->hash || n > s->plain)
		return HP_DAMAGED;
	if (!s->compressed) {
		memcpy(to, from, n);
		return HP_OK;
	}
	if (n < s->plain)
		return decompress_some(zstd, s, from, to, n);
	got = ZSTD_decompressDCtx(zstd, to, n, from, s->packed);
	return ZSTD_isError(got) || got != n ? HP_DAMAGED : HP_OK;
}

enum hp_status
hp_pack_block_streams(struct hp_pack_unpacker *u, const struct hp_pack_head *h,
		      const uint8_t *list, const uint8_t *body)
{
	struct hp_pack_packed streams[HP_PACK_STREAMS];
	enum hp_status st = HP_OK;
	size_t sum = 0;
	uint8_t *to;

	hp_pack_streams_clear(&u->decoder);
	if (!hp_pack_list_read(h, list, streams))
		return HP_DAMAGED;
	for (uint32_t i = 0; i < h->nstreams; i++)
		sum += streams[i].compressed ? streams[i].plain : 0;
	if (sum > 0 && !hp_pack_memory(u, sum))
		return HP_NOMEM;
	to = u->streams;
	for (uint32_t i = 0; i < h->nstreams && st == HP_OK; i++) {
		const struct hp_pack_packed *s = &streams[i];
		const uint8_t *from = body;

		if (s->compressed) {
			st = hp_pack_stream_read(u->zstd, s, body, to,
						 s->plain);
			from = to;
			to += s->plain;
		} else if ((uint32_t)XXH3_64bits(body, s->packed) != s->hash) {
			st = HP_DAMAGED;
		}
		u->decoder.streams[s->stream] =
			(struct hp_pack_bytes){from, from + s->plain};
		body += s->packed;
	}
	return st;
}

bool
hp_pack_memory(struct hp_pack_unpacker *u, size_t n)
{
	return hp_pack_make_room(&u->streams, &u->streams_room, n, 1);
}

enum hp_status
hp_pack_block_read(struct hp_pack_unpacker *u, const struct hp_pack_head *h,
		   const uint8_t *list, const uint8_t *body, uint8_t *out)
{
	enum hp_status st = hp_pack_block_streams(u, h, list, body);

	if (st == HP_OK)
		st = hp_pack_decode(&u->decoder, out, h->plain);
	if (st == HP_OK && XXH3_64bits(out, h->plain) != h->hash)
		st = HP_DAMAGED;
	return st;
}

bool
hp_pack_unpacker_init(struct hp_pack_unpacker *u)
{
	*u = (struct hp_pack_unpacker){0};
	u->zstd = hp_zstd_new_decoder();
	return u->zstd;
}

void
hp_pack_unpacker_release(struct hp_pack_unpacker *u)
{
	hp_pack_decoder_release(&u->decoder);
	ZSTD_freeDCtx(u->zstd);
	hp_free(u->streams);
}
