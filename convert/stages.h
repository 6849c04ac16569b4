/*
 * stages.h - what the options ask for, one transformation after the other
 */
#ifndef HP_CONVERT_STAGES_H
#define HP_CONVERT_STAGES_H

#include "common/cli/progress.h"
#include "convert/copy.h"
#include "convert/join_traces.h"
#include "convert/ndjson.h"
#include "convert/options.h"
#include "convert/salvage.h"
#include "convert/standard.h"
#include "convert/text.h"

struct hp_stages {
	const struct hp_convert_options *options;
	struct hp_progress *progress; /* NULL: nobody looks */
	bool newer;		      /* version 1.0 became 1.0.1 */
	bool from_text;		      /* it was the agent's text */
	/* what each of them did: */
	struct hp_salvage_result salvage;
	struct hp_error container; /* what was wrong with the compression of
				      what was salvaged; empty: nothing */
	struct hp_join_result joined;
	struct hp_sift_result heaps;
	struct hp_standard_result standard;
	struct hp_copy_result copy;
	struct hp_text_result text;
	struct hp_ndjson_result ndjson;
};

/**
 * hp_stages_run() - convert @src to @sink; the sink is finished
 *
 * The order is always the same: version 1.0 to 1.0.1, salvage, one dump,
 * traces, heaps, standard, profile, strip, and then the output's format.
 * Between two of them the dump stands in a temporary file without a name; so
 * does an input that has to be read twice and cannot be. A strip is proved on
 * what it wrote; --verify on the output. Returns: HP_OK; HP_DAMAGED and others
 * of the transformations; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_stages_run(struct hp_stages *s,
					 struct hp_source *src,
					 struct hp_sink *sink,
					 struct hp_error *err);

#endif
