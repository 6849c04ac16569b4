/*
 * blocks.c - read a text in blocks, and pack the blocks on several threads
 *
 * Threads start only when a second block is read, because most texts are small.
 * Each thread reads a block and packs its lines itself, so that the block stays
 * in the cache of its processor. Only one thread reads at a time.
 */
#include "common/text/lines/lines.h"
#include "common/base/memory.h"
#include "common/io/workers.h"

#include <string.h>

enum {
	SLACK = 16, /* number of readable bytes after the text of a block */
	/* number of blocks in memory besides one for each thread */
	AHEAD = 2,
	/*
	 * Wake the caller's thread after every packed block, not only after
	 * several blocks; see workers.h.
	 */
	TOGETHER = 1,
	/* The blocks use at most 1/8 of the memory limit. */
	PART_OF_MEMORY = 8
};

struct hp_text_blocks {
	struct hp_text_blocks_options o;
	/*
	 * The incomplete line at the end of the previous block. It becomes the
	 * beginning of the next block.
	 */
	char *tail;
	size_t tail_length;
	/*
	 * The first block of the text. Without worker threads, this memory also
	 * holds all other blocks.
	 */
	struct hp_text_block first;
	/* packs the lines of the block `first` */
	struct hp_text_packer *packer;
	/* the worker threads; NULL: no threads were started */
	struct hp_worker_pool *pool;
	/*
	 * The caller is using a block of the pool, which must be returned to
	 * the pool when the caller asks for the next block.
	 */
	bool taken;
};

static void
block_release(void *slot)
{
	struct hp_text_block *block = slot;

	hp_free(block->text);
	hp_text_runs_release(&block->runs);
}

/*
 * The number of worker threads that the memory limit allows. 0 or 1: the
 * calling thread does all the work.
 */
static unsigned
threads_that_fit(const struct hp_text_blocks_options *o)
{
	uint64_t most = o->memory / PART_OF_MEMORY / (2 * HP_TEXT_BLOCK);

	if (o->memory == 0 || o->threads + AHEAD <= most)
		return o->threads;
	return most > AHEAD ? (unsigned)most - AHEAD : 0;
}

enum hp_status
hp_text_blocks_open(struct hp_text_blocks **out,
		    const struct hp_text_blocks_options *options,
		    struct hp_error *err)
{
	struct hp_text_blocks *b = hp_calloc(1, sizeof(*b));

	*out = NULL;
	if (!b)
		return hp_no_memory(err);
	b->o = *options;
	b->o.threads = threads_that_fit(options);
	b->tail = hp_malloc(HP_TEXT_BLOCK);
	b->packer = hp_text_packer_open(b->o.places);
	if (!b->tail || !b->packer) {
		hp_text_blocks_close(b);
		return hp_no_memory(err);
	}
	*out = b;
	return HP_OK;
}

void
hp_text_blocks_close(struct hp_text_blocks *b)
{
	if (!b)
		return;
	hp_worker_pool_close(b->pool);
	hp_text_packer_close(b->packer);
	block_release(&b->first);
	hp_free(b->tail);
	hp_free(b);
}

/* ---- one block ---- */

/*
 * Move the incomplete line at the end of the block to b->tail. The next block
 * begins with this line.
 */
static void
cut_block(struct hp_text_blocks *b, struct hp_text_block *block)
{
	const char *text = block->text, *end = NULL;

	if (!block->last)
		end = memrchr(text, '\n', block->length);
	if (!end)
		return;
	b->tail_length = block->length - (size_t)(end + 1 - text);
	memcpy(b->tail, end + 1, b->tail_length);
	block->length -= b->tail_length;
}

static void
fill_block(struct hp_text_blocks *b, struct hp_text_block *block)
{
	size_t want = HP_TEXT_BLOCK - b->tail_length, got = 0;

	block->error = (struct hp_error){0};
	block->status = HP_OK;
	block->packed = false;
	block->runs.count = 0;
	if (!block->text)
		block->text = hp_calloc(1, HP_TEXT_BLOCK + SLACK);
	if (block->text)
		block->status =
			b->o.read(b->o.ctx, block->text + b->tail_length, want,
				  &got, &block->error);
	else
		block->status = hp_no_memory(&block->error);
	block->last = block->status != HP_OK || got < want;
	block->length = 0;
	if (block->status != HP_OK)
		return;
	memcpy(block->text, b->tail, b->tail_length);
	block->length = b->tail_length + got;
	b->tail_length = 0;
	cut_block(b, block);
}

static void
pack_block(const struct hp_text_blocks *b, struct hp_text_packer *packer,
	   struct hp_text_block *block)
{
	block->packed = true;
	if (block->status == HP_OK && !b->o.by_line &&
	    !hp_text_pack(packer, block->text, block->length, &block->runs)) {
		block->status = hp_no_memory(&block->error);
		block->last = true;
	}
}

/* ---- several threads ---- */

static bool
pool_fill(void *context, void *slot, bool *work)
{
	struct hp_text_block *block = slot;

	fill_block(context, block);
	*work = block->status == HP_OK;
	return !block->last;
}

static void
pool_work(void *context, void *state, void *slot)
{
	pack_block(context, state, slot);
}

static void *
worker_open(void *context)
{
	const struct hp_text_blocks *b = context;

	return hp_text_packer_open(b->o.places);
}

static void
worker_close(void *state)
{
	hp_text_packer_close(state);
}

static enum hp_status
start_threads(struct hp_text_blocks *b, struct hp_error *err)
{
	struct hp_worker_pool_options o = {.threads = b->o.threads,
					   .slots = b->o.threads + AHEAD,
					   .together = TOGETHER,
					   .slot_size =
						   sizeof(struct hp_text_block),
					   .fill = pool_fill,
					   .work = pool_work,
					   .worker_open = worker_open,
					   .worker_close = worker_close,
					   .slot_release = block_release,
					   .context = b};

	return hp_worker_pool_open(&b->pool, &o, err);
}

enum hp_status
hp_text_blocks_next(struct hp_text_blocks *b, const struct hp_text_block **out,
		    struct hp_error *err)
{
	struct hp_text_block *block = &b->first;
	enum hp_status st = HP_OK;

	if (block->text && !b->pool && b->o.threads > 1)
		st = start_threads(b, err);
	if (st != HP_OK)
		return st;
	if (b->taken)
		hp_worker_pool_give(b->pool);
	b->taken = false;
	if (b->pool) {
		block = hp_worker_pool_take(b->pool);
		if (!block)
			return hp_fail(err, HP_STOPPED, "stopped");
		b->taken = true;
	} else {
		fill_block(b, block);
	}
	if (block->status != HP_OK) {
		if (err)
			*err = block->error;
		return block->status;
	}
	*out = block;
	return HP_OK;
}

enum hp_status
hp_text_blocks_pack(struct hp_text_blocks *b, struct hp_error *err)
{
	struct hp_text_block *block = &b->first;

	if (b->pool || block->packed)
		return HP_OK;
	pack_block(b, b->packer, block);
	if (block->status != HP_OK && err)
		*err = block->error;
	return block->status;
}

uint64_t
hp_text_blocks_memory(const struct hp_text_blocks *b)
{
	uint64_t blocks = 1;

	if (b->pool)
		blocks += b->o.threads + AHEAD;
	return blocks * 2 * HP_TEXT_BLOCK;
}
