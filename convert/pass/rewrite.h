/*
 * rewrite.h - a dump to a dump with sub-records changed, shortened, left out
 *
 * A first pass finds how long every heap record becomes, a second one writes.
 * Records stay where they are.
 */
#ifndef HP_CONVERT_PASS_REWRITE_H
#define HP_CONVERT_PASS_REWRITE_H

#include "convert/pass/ordered_pass.h"

struct hp_rewrite {
	/*
	 * Bytes that a sub-record loses at its end; all of them: it is left
	 * out. On workers; must say the same in both passes. An array that
	 * comes in pieces: asked for every piece, with the array's head; all
	 * or nothing.
	 */
	uint64_t (*loss)(void *ctx, const struct hp_batch *b,
			 const struct hp_run *r, const struct hp_sub *sub);
	/* Change a copy in place, before it is shortened; NULL: nothing. */
	void (*edit)(void *ctx, const struct hp_batch *b,
		     const struct hp_sub *sub, uint8_t *copy);
	/* Change a copy of a piece's elements in place; NULL: nothing. */
	void (*edit_piece)(void *ctx, const struct hp_batch *b,
			   const struct hp_piece *piece, uint8_t *copy);
	/*
	 * Is a record that is no heap record left out? On the reading thread,
	 * in the first pass. NULL: all stay.
	 */
	bool (*omit)(void *ctx, const struct hp_record *rec,
		     struct hp_cursor body);
	/* The header was read; or NULL. Called in both passes. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	bool framing_only; /* see struct hp_framing */
	char version; /* the header's last character becomes it; 0: stays */
	void *ctx;
};

/**
 * hp_rewrite() - rewrite @src to @sink; the sink is finished
 * @src: read twice, from its first byte; must be rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rewrite(struct hp_source *src,
				      struct hp_sink *sink,
				      const struct hp_rewrite *rewrite,
				      unsigned threads, struct hp_error *err);

#endif
