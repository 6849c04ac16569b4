/*
 * blocks.h - a text as blocks that end where lines do
 *
 * Each block is looked at on its own (runs.h), by several threads where there
 * are some, and handed out in the order of the text. Where blocks are cut does
 * not depend on threads, nor on how the input comes.
 */
#ifndef HP_TEXT_BLOCKS_H
#define HP_TEXT_BLOCKS_H

#include "common/text/lines/runs.h"

/* As hp_layer_read(): fewer bytes than wanted only at the end. */
typedef enum hp_status hp_text_read(void *ctx, void *buf, size_t n, size_t *got,
				    struct hp_error *err);

struct hp_text_blocks_options {
	hp_text_read *read; /* called on one thread at a time */
	void *ctx;
	unsigned threads; /* that look at blocks; up to 1: the caller's does */
	uint64_t memory; /* threads are fewer where it is little; 0: no limit */
	bool places;	 /* keep the lines' numbers with what is packed */
	bool by_line;	 /* pack nothing */
};

struct hp_text_block {
	char *text; /* whole lines, or a part of a line as long as a block */
	size_t length;
	bool last;	       /* nothing comes behind it */
	enum hp_status status; /* not HP_OK: it is empty and the last one */
	struct hp_error error;
	bool packed; /* its runs are known; see hp_text_blocks_pack() */
	struct hp_text_runs runs;
};

struct hp_text_blocks;

/* HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_text_blocks_open(struct hp_text_blocks **out,
		    const struct hp_text_blocks_options *options,
		    struct hp_error *err);

/* Joins the threads; NULL is allowed. */
void hp_text_blocks_close(struct hp_text_blocks *b);

/**
 * hp_text_blocks_next() - the next block; not behind the last one
 * @out: borrowed until the next call
 *
 * Returns: HP_OK; HP_NOMEM; HP_IO; what the reading function returns.
 */
HP_MUST_USE enum hp_status hp_text_blocks_next(struct hp_text_blocks *b,
					       const struct hp_text_block **out,
					       struct hp_error *err);

/*
 * Finds the runs of the last block, unless a thread did: where no heap dump is
 * open they are not asked for. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_blocks_pack(struct hp_text_blocks *b,
					       struct hp_error *err);

/* Bytes of memory taken by blocks, about. */
uint64_t hp_text_blocks_memory(const struct hp_text_blocks *b);

#endif
