/*
 * blocks.h - split a text into blocks that end at the end of a line
 *
 * Each block is packed separately (runs.h), in parallel if there are several
 * threads. Blocks are delivered in the order of the text. Where a block ends
 * does not depend on the threads, nor on the sizes of reads.
 */
#ifndef HP_TEXT_BLOCKS_H
#define HP_TEXT_BLOCKS_H

#include "common/text/lines/runs.h"

/*
 * Reads bytes of the text, as hp_layer_read() does. It returns fewer bytes than
 * requested only at the end.
 */
typedef enum hp_status hp_text_read(void *ctx, void *buf, size_t n, size_t *got,
				    struct hp_error *err);

struct hp_text_blocks_options {
	hp_text_read *read; /* called on one thread at a time */
	void *ctx;
	/* threads that pack blocks; 0 or 1: only the caller's */
	unsigned threads;
	/*
	 * Limit in bytes; a low limit reduces the number of threads. 0: no
	 * limit.
	 */
	uint64_t memory;
	bool places;  /* keep line numbers in the packed rows */
	bool by_line; /* do not pack blocks */
};

struct hp_text_block {
	char *text; /* whole lines; or part of a line longer than a block */
	size_t length;
	bool last; /* it is the last block */
	/* not HP_OK: reading failed, the block is empty */
	enum hp_status status;
	struct hp_error error;
	bool packed; /* runs is set; see hp_text_blocks_pack() */
	struct hp_text_runs runs;
};

struct hp_text_blocks;

/* Open a text for reading in blocks. Returns HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_text_blocks_open(struct hp_text_blocks **out,
		    const struct hp_text_blocks_options *options,
		    struct hp_error *err);

/* Joins the threads and frees everything. @b may be NULL. */
void hp_text_blocks_close(struct hp_text_blocks *b);

/**
 * hp_text_blocks_next() - get the next block; must not be called after the last
 * @out: valid until the next call
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO; or the status of the reading function.
 */
HP_MUST_USE enum hp_status hp_text_blocks_next(struct hp_text_blocks *b,
					       const struct hp_text_block **out,
					       struct hp_error *err);

/*
 * Pack the current block, unless a worker thread has done it. Runs are needed
 * only inside a heap dump, so a single thread packs on demand. Returns HP_OK;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_blocks_pack(struct hp_text_blocks *b,
					       struct hp_error *err);

/* Approximate memory of the blocks in bytes. */
uint64_t hp_text_blocks_memory(const struct hp_text_blocks *b);

#endif
