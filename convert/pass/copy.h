/*
 * copy.h - copy a dump unchanged, or with its payload removed (strip)
 */
#ifndef HP_CONVERT_PASS_COPY_H
#define HP_CONVERT_PASS_COPY_H

#include "common/sink/sink.h"
#include "convert/options.h"
#include "convert/strip/strip.h"

/* Sensitive values that a strip cannot remove, if the dump contains them. */
struct hp_remainder {
	bool time;	   /* the header has a timestamp */
	bool record_times; /* a record has a time offset that is not 0 */
	/*
	 * there are counters: heap summary, allocation sites, CPU samples,
	 * control settings
	 */
	bool counts;
};

/* Statistics of one run, for the summary. */
struct hp_copy_result {
	struct hp_strip_stats stripped;
	struct hp_remainder remainder;
	uint64_t keep_used; /* bit i: the pattern keep[i] matched a field */
	uint64_t proved;    /* payload bytes that the proof found replaced */
};

/**
 * hp_copy() - copy @src to @sink, check the framing, and strip if asked to
 *
 * @src must be rewindable if hp_policy_needs_prepass(). On return the sink is
 * finished but not committed. If the options ask for a strip, the output was
 * proved. A file is read back for the proof. For standard output, each byte is
 * proved before it is written.
 * Returns: HP_OK; HP_DAMAGED: a framing error, or the proof failed. The caller
 *          must then discard the output. HP_IO, HP_LIMIT, HP_NOMEM.
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

#endif
