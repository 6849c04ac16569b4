/*
 * gzip_out.c - write gzip in blocks, as HotSpot does: each block of at most 1
 * MiB is a gzip member, and the comment of the first member states the block
 * size
 *
 * Any gunzip can read the output, and Eclipse MAT can open it without
 * decompressing it first. The headers are identical to HotSpot's. The first
 * member has FLG=FCOMMENT and OS=0; the others have FLG=0 and OS=3.
 * block_compressor.c manages the threads, cuts the blocks and writes them.
 *
 * For level 1, the library ISA-L compresses. On heap dumps it is twice as fast
 * as level 1 of libdeflate, and its output is 5 % larger. Level 2 is level 1 of
 * libdeflate. From 3 on, the levels are those of libdeflate.
 */
#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/sink/internal.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK ((size_t)1 << 20)
/* size in bytes of the header of a gzip member without its comment */
#define HEADER 10
#define TRAILER 8
/*
 * the comment of the first gzip member; the number in it must be equal to BLOCK
 */
#define COMMENT "HPROF BLOCKSIZE=1048576"
#define LEVEL_FASTEST 1
/* The maximum number of bytes by which ISA-L can make a block longer. */
#define FASTEST_SPARE 4096

enum { XFL_SMALLEST = 2, XFL_FASTEST = 4 };

/* The state of ISA-L's compressor, at an address that open_fast() chooses. */
struct fast {
	struct isal_zstream stream;
	uint8_t room[ISAL_DEF_LVL1_DEFAULT];
};

struct worker {
	int level;
	/* the compressor for all levels except LEVEL_FASTEST */
	struct libdeflate_compressor *small;
	struct fast *fast; /* the compressor for LEVEL_FASTEST */
};

/* ---- the address of ISA-L's stream ---- */

enum {
	/* number of low bits of the address that ISA-L does not hash */
	WINDOW_BITS = 16,
	/* number of buckets of the hash table that ISA-L uses at level 1 */
	BUCKETS = 1 << 13,
	/*
	 * How many addresses open_fast() examines. Enough of them have the hash
	 * that it needs, even for twice the maximum number of threads.
	 */
	WINDOWS = 2048 * BUCKETS,
	/*
	 * A window number is an address without its lowest WINDOW_BITS bits.
	 * The lowest 12 bits of a window number have this many values.
	 */
	LOWS = 1 << 12,
};

/* The CRC-32C of four bytes, as the x86 instruction computes it. */
static uint32_t
crc32c(uint32_t word)
{
	for (unsigned i = 0; i < 32; i++)
		word = (word >> 1) ^ (word & 1 ? 0x82f63b78 : 0);
	return word;
}

static struct fast *
map_fast(uintptr_t where)
{
	void *p =
		mmap((void *)where, sizeof(struct fast), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void
unmap_fast(struct fast *f)
{
	if (f)
		munmap(f, sizeof(*f));
}

/*
 * Allocate the state of ISA-L at an address with which its output is the same
 * in every run.
 *
 * ISA-L's loop for x86 enters the third byte of a block into its hash table
 * before it has loaded that byte. Instead it hashes the register in which the
 * address of the stream was passed, without the low bits
 * (igzip_icf_body_h1_gr_bt.asm, write_first_byte; versions 2.22 to 2.32). So
 * with any address, one block in several hundred would differ between two runs.
 *
 * So this function allocates the stream at an address that has a fixed hash.
 * About one address in 512 MB is suitable, and each thread needs one. If all
 * suitable addresses are in use, the function uses any address. Returns NULL if
 * out of memory.
 */
static struct fast *
open_fast(void)
{
	struct fast *any = map_fast(0), *f;
	uintptr_t window = (uintptr_t)any >> WINDOW_BITS;
	/*
	 * The hash for each value of the lowest 12 bits of a window number (an
	 * address without its lowest WINDOW_BITS bits). The hash of a whole
	 * window number is the exclusive or of this hash and the hash of its
	 * upper bits.
	 */
	uint16_t low[LOWS] = {0};
	uint32_t high = 0;

	for (unsigned i = 1; i < LOWS; i++)
		low[i] = i & (i - 1) ? low[i & (i - 1)] ^ low[i & -i]
				     : crc32c(i) % BUCKETS;
	for (unsigned i = 0; any && i < WINDOWS && i < window; i++) {
		uintptr_t at = window - i;

		if (i == 0 || at % LOWS == LOWS - 1)
			high = crc32c((uint32_t)(at - at % LOWS)) % BUCKETS;
		if ((high ^ low[at % LOWS]) != BUCKETS - 1)
			continue;
		f = map_fast(at << WINDOW_BITS);
		if ((uintptr_t)f == at << WINDOW_BITS) {
			unmap_fast(any);
			return f;
		}
		unmap_fast(f);
	}
	return any;
}

/* ---- blocks ---- */

static void
worker_close(void *worker)
{
	struct worker *w = worker;

	if (w->small)
		libdeflate_free_compressor(w->small);
	unmap_fast(w->fast);
	hp_free(w);
}

static void *
worker_open(int level)
{
	struct worker *w = hp_calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->level = level;
	if (level == LEVEL_FASTEST)
		w->fast = open_fast();
	else
		w->small = libdeflate_alloc_compressor(level == 2 ? 1 : level);
	if (!w->fast && !w->small) {
		hp_free(w);
		return NULL;
	}
	return w;
}

/*
 * Returns how many bytes of memory libdeflate_alloc_compressor() needs, rounded
 * up.
 */
static size_t
working_memory(int level)
{
	return level < 10 ? 2 << 20 : 10 << 20;
}

static size_t
compressed_bound(size_t n)
{
	size_t small = libdeflate_deflate_compress_bound(NULL, n);
	size_t fast = n + n / 8 + FASTEST_SPARE;

	return HEADER + sizeof(COMMENT) + TRAILER +
	       (small > fast ? small : fast);
}

/*
 * Compress a block with ISA-L. Returns the length of the raw deflate data. If
 * the data does not fit into @room bytes, returns 0.
 */
static size_t
deflate_fastest(struct worker *w, const struct hp_compressor_block *b,
		uint8_t *out, size_t room)
{
	struct isal_zstream *z = &w->fast->stream;

	isal_deflate_stateless_init(z);
	z->level = 1;
	z->level_buf = w->fast->room;
	z->level_buf_size = sizeof(w->fast->room);
	z->end_of_stream = 1;
	z->next_in = b->in;
	z->avail_in = (uint32_t)b->in_len;
	z->next_out = out;
	z->avail_out = (uint32_t)room;
	if (isal_deflate_stateless(z) != COMP_OK || z->avail_in > 0)
		return 0;
	return z->total_out;
}

static size_t
write_header(uint8_t *p, int level, bool first)
{
	memset(p, 0, HEADER);
	p[0] = 0x1f;
	p[1] = 0x8b;
	p[2] = 8; /* compression method: deflate */
	p[3] = first ? 0x10 : 0;
	p[8] = level == LEVEL_FASTEST ? XFL_FASTEST
	       : level >= 9	      ? XFL_SMALLEST
				      : 0;
	p[9] = first ? 0 : 3;
	if (!first)
		return HEADER;
	memcpy(p + HEADER, COMMENT, sizeof(COMMENT));
	return HEADER + sizeof(COMMENT);
}

static bool
encode_block(void *worker, struct hp_compressor_block *b)
{
	struct worker *w = worker;
	size_t head = write_header(b->out, w->level, b->first);
	uint8_t *out = b->out + head;
	size_t room = b->out_room - head - TRAILER;
	size_t len = w->small ? libdeflate_deflate_compress(
					w->small, b->in, b->in_len, out, room)
			      : deflate_fastest(w, b, out, room);

	if (len == 0)
		return false;
	hp_put_le4(out + len, libdeflate_crc32(0, b->in, b->in_len));
	hp_put_le4(out + len + 4, (uint32_t)b->in_len);
	b->out_len = head + len + TRAILER;
	return true;
}

const struct hp_block_encoder hp_gzip_encoder = {
	.good = BLOCK - BLOCK / 8,
	.most = BLOCK,
	.level_least = LEVEL_FASTEST,
	.level_most = 12,
	.level_default = LEVEL_FASTEST,
	.worker_open = worker_open,
	.worker_close = worker_close,
	.encode = encode_block,
	.working = working_memory,
	.bound = compressed_bound,
};
