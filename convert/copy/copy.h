/*
 * copy.h - copy a dump, plain or rewritten
 */
#ifndef HP_CONVERT_PASS_COPY_H
#define HP_CONVERT_PASS_COPY_H

#include "common/sink/sink.h"
#include "convert/options.h"
#include "convert/copy/ordered_pass.h"
#include "convert/strip/strip.h"

/* ----------------------------------------------------------------------
 * A temporary copy that makes a pipe readable more than once
 */

/**
 * hp_temp_copy() - copy all of @src to a temporary file without a name
 * @out: receives a source that reads the file; the caller closes it
 *
 * The file is in $TMPDIR, or in /tmp.
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_temp_copy(struct hp_source *src,
					struct hp_source **out,
					struct hp_error *err);

/*
 * As hp_temp_copy(), but returns HP_DAMAGED if the compression of @src is
 * damaged.
 */
HP_MUST_USE enum hp_status hp_temp_copy_checked(struct hp_source *src,
						struct hp_source **out,
						struct hp_error *err);

/**
 * hp_temp_copy_end() - reopen a temporary sink as a source
 * @sink: from hp_sink_open_temporary(), with all bytes written; released in any
 *        case
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM. The caller closes *@out.
 */
HP_MUST_USE enum hp_status hp_temp_copy_end(struct hp_sink *sink,
					    struct hp_source **out,
					    struct hp_error *err);

/* ----------------------------------------------------------------------
 * Copy a dump unchanged, or with its payload removed (strip)
 */

/* Sensitive values that a strip cannot remove, if the dump contains them. */
struct hp_remainder {
	bool time;	   /* the header has a timestamp */
	bool record_times; /* a record has a time offset that is not 0 */
	/*
	 * there are records with numbers about the program: heap summary,
	 * allocation sites, CPU samples, control settings
	 */
	bool counts;
};

/* Statistics of one run, for the summary. */
struct hp_copy_result {
	struct hp_strip_stats stripped;
	struct hp_remainder remainder;
	/*
	 * bit i is set: the pattern keep[i] of --keep matched at least one
	 * field
	 */
	uint64_t keep_used;
	/* number of bytes of removed values that the proof has checked */
	uint64_t proved;
};

/**
 * hp_copy() - copy @src to @sink, check its structure, and remove values if the
 * options ask for it (--strip-*)
 *
 * @src must be readable from the start again if hp_policy_needs_prepass(). On
 *   return the sink is finished but not committed. If values were removed, the
 *   output was proved: a file is read again for the proof; for standard output,
 *   each byte is proved before it is written.
 * Returns: HP_OK; HP_DAMAGED: the input is damaged, or the proof failed, so
 * that the caller must discard the output; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_copy(struct hp_source *src, struct hp_sink *sink,
				   const struct hp_convert_options *options,
				   struct hp_copy_result *result,
				   struct hp_error *err);

/**
 * hp_copy_bytes() - copy the decompressed bytes of @src unchanged
 * @records: the bytes may be a dump: align the blocks of compressed output with
 *           the records
 * @lost: receives the damage of the compressed input; the bytes before the
 *        damage are copied. Not changed if there is no damage. NULL: damage is
 *        a failure.
 *
 * Returns: as hp_copy(). HP_DAMAGED or HP_TRUNCATED if the compressed input is
 *          damaged and @lost is NULL or no byte could be decompressed.
 */
HP_MUST_USE enum hp_status hp_copy_bytes(struct hp_source *src,
					 struct hp_sink *sink, bool records,
					 struct hp_error *lost,
					 struct hp_error *err);

/* ----------------------------------------------------------------------
 * Copy a dump with some sub-records changed, shortened or removed
 *
 * The first pass computes the new length of each heap record, the second pass
 * writes. The order of the records does not change.
 */

struct hp_rewrite {
	/*
	 * Returns how many bytes are removed at the end of a sub-record; its
	 * whole size removes the sub-record. Several threads call this, and it
	 * must return the same in both passes. For a very long array, which
	 * comes in pieces, it is called for every piece with the fixed fields
	 * of the array, and removes everything or nothing.
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
	 * Change a copy of the fixed fields of an array that comes in pieces;
	 * or NULL.
	 */
	void (*edit_head)(void *ctx, const struct hp_batch *b,
			  const struct hp_sub *sub, uint8_t *copy);
	/* Change a copy of the elements of a piece in place; or NULL. */
	void (*edit_piece)(void *ctx, const struct hp_batch *b,
			   const struct hp_piece *piece, uint8_t *copy);
	/*
	 * Returns true to remove a record that is not a heap record. The thread
	 * that reads calls this in the first pass. NULL: keep all.
	 */
	bool (*omit)(void *ctx, const struct hp_record *rec,
		     struct hp_cursor body);
	/* Called in both passes when the header was read; or NULL. */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/* report only damage that prevents decoding, see struct hp_framing */
	bool framing_only;
	/* new last character of the version in the file header; 0: no change */
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
