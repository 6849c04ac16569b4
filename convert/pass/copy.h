/*
 * copy.h - a dump to a dump of the same bytes, or the same but for the payload
 */
#ifndef HP_CONVERT_PASS_COPY_H
#define HP_CONVERT_PASS_COPY_H

#include "common/sink/sink.h"
#include "convert/options.h"
#include "convert/strip/strip.h"

/* What no strip removes, if the dump has it. */
struct hp_remainder {
	bool time;	   /* of the dump */
	bool record_times; /* other than the dump's */
	bool counts;	   /* of a summary, allocation sites or samples */
};

/* What a run did, for the statistics. */
struct hp_copy_result {
	struct hp_strip_stats stripped;
	struct hp_remainder remainder;
	uint64_t keep_used; /* patterns that name a field: a bit each */
	uint64_t proved;    /* payload bytes that the proof saw replaced */
};

/**
 * hp_copy() - copy @src to @sink, checking its framing, stripping as told
 *
 * @src must be rewindable if hp_policy_needs_prepass().
 * The sink is finished but not committed; when a strip is asked for, its
 * output was proved: read back from the sink, or on the way to standard
 * output, before each byte was handed over.
 * Returns: HP_OK; HP_DAMAGED (a framing error, or the proof failed), after
 *          which nothing of the output is to be used; HP_IO, HP_LIMIT,
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_copy(struct hp_source *src, struct hp_sink *sink,
				   const struct hp_convert_options *options,
				   struct hp_copy_result *result,
				   struct hp_error *err);

/**
 * hp_copy_bytes() - the bytes as they are; @src peels compression, no more
 * @records: they may be a dump: compressed blocks end where records do then
 * @lost:    what is wrong with the container, whose bytes up to there are
 *           copied; untouched if nothing is. NULL: that is a failure
 *
 * Returns: as hp_copy(); HP_DAMAGED, HP_TRUNCATED if the container is and
 *          @lost is NULL, or not one byte came of it.
 */
HP_MUST_USE enum hp_status hp_copy_bytes(struct hp_source *src,
					 struct hp_sink *sink, bool records,
					 struct hp_error *lost,
					 struct hp_error *err);

#endif
