/*
 * copy.h - copy a dump: unchanged, with its values removed (strip), or with
 * other changes
 */
#ifndef HP_CONVERT_PASS_COPY_H
#define HP_CONVERT_PASS_COPY_H

#include "common/sink/sink.h"
#include "convert/options.h"
#include "convert/copy/ordered_pass.h"
#include "convert/strip/strip.h"

/* ----------------------------------------------------------------------
 * Copy the input to a temporary file, so that input from a pipe can be read
 * several times
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
 * Like hp_temp_copy(), but return HP_DAMAGED if the compression of @src is
 * damaged.
 */
HP_MUST_USE enum hp_status hp_temp_copy_checked(struct hp_source *src,
						struct hp_source **out,
						struct hp_error *err);

/**
 * hp_temp_copy_end() - read back what was written to a temporary sink
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

/* Sensitive values that the dump contains and that a strip cannot remove. */
struct hp_remainder {
	bool time; /* the header has a timestamp */
	/* a record has a time (relative to the header) that is not 0 */
	bool record_times;
	/*
	 * the dump has records with statistics of the program: heap summary,
	 * allocation sites, CPU samples, control settings
	 */
	bool counts;
	/*
	 * The dump has START_THREAD records, whose STRING records are the names
	 * of threads. Dumps of HotSpot have no such records: in them, the name
	 * of a thread is the text of a String in the heap.
	 */
	bool thread_names;
};

/* Numbers for the summary of one copy. */
struct hp_copy_result {
	struct hp_strip_stats stripped;
	struct hp_remainder remainder;
	/* bit i is set if the pattern keep[i] of --keep has matched a field */
	uint64_t keep_used;
	/*
	 * number of replaced bytes that the proof (strip/proof.h) has checked
	 */
	uint64_t proved;
};

/**
 * hp_copy() - copy @src to @sink, check its structure, and remove values if the
 * options ask for it (--strip-*)
 *
 * @src must be readable from the start again if hp_policy_needs_prepass(). On
 *   return the sink is finished but not committed. If values were removed,
 *   independent code (strip/proof.h) has checked that the output lacks them. If
 *   the output is a file, this code reads the file again. If the output is
 *   standard output, the bytes are checked before they are written.
 * Returns: HP_OK; HP_DAMAGED: the input is damaged, or the proof failed, so
 * that the caller must discard the output; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_copy(struct hp_source *src, struct hp_sink *sink,
				   const struct hp_convert_options *options,
				   struct hp_copy_result *result,
				   struct hp_error *err);

/**
 * hp_copy_bytes() - copy the decompressed bytes of @src unchanged
 * @records: whether the bytes may be a dump: if so, each block of compressed
 *           output begins at a record
 * @lost: receives a description of the damage, if the compressed input is
 *        damaged; the bytes before the damage are copied. NULL: damage is a
 *        failure.
 *
 * Returns: as hp_copy(). If the compressed input is damaged, and either @lost
 *          is NULL or no byte could be decompressed: HP_DAMAGED or
 *          HP_TRUNCATED.
 */
HP_MUST_USE enum hp_status hp_copy_bytes(struct hp_source *src,
					 struct hp_sink *sink, bool records,
					 struct hp_error *lost,
					 struct hp_error *err);

/* ----------------------------------------------------------------------
 * Copy a dump with some sub-records changed, shortened or removed
 *
 * The first pass computes the new length of each heap record, the second pass
 * writes the output. The order of the records does not change.
 */

struct hp_rewrite {
	/*
	 * Returns how many bytes to remove at the end of a sub-record. If it
	 * returns the size of the whole sub-record, the sub-record is removed.
	 * Several threads call this function, and it must return the same
	 * number in both passes. A very long array arrives as several pieces.
	 * For each piece the function is called with the fixed fields of the
	 * array, and it must remove all pieces or no byte.
	 */
	uint64_t (*loss)(void *ctx, const struct hp_batch *b,
			 const struct hp_run *r, const struct hp_sub *sub);
	/*
	 * Change a copy of the sub-record in place, before its end is removed.
	 * NULL: change nothing.
	 */
	void (*edit)(void *ctx, const struct hp_batch *b,
		     const struct hp_sub *sub, uint8_t *copy);
	/*
	 * Change a copy of the fixed fields of a very long array, which arrives
	 * as several pieces. NULL: change nothing.
	 */
	void (*edit_head)(void *ctx, const struct hp_batch *b,
			  const struct hp_sub *sub, uint8_t *copy);
	/*
	 * Change a copy of the elements in one piece of a very long array.
	 * NULL: change nothing.
	 */
	void (*edit_piece)(void *ctx, const struct hp_batch *b,
			   const struct hp_piece *piece, uint8_t *copy);
	/*
	 * Returns true to remove a record that is not a heap record. The thread
	 * that reads the dump calls this in the first pass. NULL: keep all
	 * records.
	 */
	bool (*omit)(void *ctx, const struct hp_record *rec,
		     struct hp_cursor body);
	/*
	 * Called after the header was read, in both passes. NULL: not needed.
	 */
	enum hp_status (*header)(void *ctx, const struct hp_header *h,
				 struct hp_error *err);
	/*
	 * only damage that prevents decoding ends the copy; other damage, which
	 * hprof-validate would report, is ignored
	 */
	bool framing_only;
	/*
	 * a character that replaces the last character of the version in the
	 * file header, for example '2' for 1.0.2; 0: no change
	 */
	char version;
	void *ctx;
};

/**
 * hp_rewrite() - write @src with the changes to @sink, and finish the sink
 * @src: at its first byte; must be rewindable, and is read twice
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_rewrite(struct hp_source *src,
				      struct hp_sink *sink,
				      const struct hp_rewrite *rewrite,
				      unsigned threads, struct hp_error *err);

#endif
