/*
 * rewrite.h - copy a dump with some sub-records changed, shortened or removed
 *
 * The first pass computes the new length of each heap record, the second pass
 * writes. The order of the records does not change.
 */
#ifndef HP_CONVERT_PASS_REWRITE_H
#define HP_CONVERT_PASS_REWRITE_H

#include "convert/pass/ordered_pass.h"

struct hp_rewrite {
	/*
	 * Returns the number of bytes to remove at the end of a sub-record; its
	 * whole size removes it. Called by workers, and must return the same in
	 * both passes. For an array that comes in pieces it is called for every
	 * piece, with the head of the array, and removes either everything or
	 * nothing.
	 */
	uint64_t (*loss)(void *ctx, const struct hp_batch *b,
			 const struct hp_run *r, const struct hp_sub *sub);
	/*
	 * Change a copy of the sub-record in place, before it is shortened; or
	 * NULL.
	 */
	void (*edit)(void *ctx, const struct hp_batch *b,
		     const struct hp_sub *sub, uint8_t *copy);
	/*
	 * Change a copy of the head of an array that comes in pieces; or NULL.
	 */
	void (*edit_head)(void *ctx, const struct hp_batch *b,
			  const struct hp_sub *sub, uint8_t *copy);
	/* Change a copy of the elements of a piece in place; or NULL. */
	void (*edit_piece)(void *ctx, const struct hp_batch *b,
			   const struct hp_piece *piece, uint8_t *copy);
	/*
	 * Returns true to remove a record that is not a heap record. Called by
	 * the reading thread in the first pass. NULL: keep all.
	 */
	bool (*omit)(void *ctx, const struct hp_record *rec,
		     struct hp_cursor body);
	/* Called in both passes when the header was read; or NULL. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/* report only damage that prevents decoding, see struct hp_framing */
	bool framing_only;
	/* new last character of the version in the header; 0: no change */
	char version;
	void *ctx;
};

/**
 * hp_rewrite() - rewrite @src to @sink, and finish the sink
 * @src: at its first byte; must be rewindable, and is read twice
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rewrite(struct hp_source *src,
				      struct hp_sink *sink,
				      const struct hp_rewrite *rewrite,
				      unsigned threads, struct hp_error *err);

#endif
