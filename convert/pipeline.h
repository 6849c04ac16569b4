/*
 * pipeline.h - the pipeline: the transformations that the options ask for, in
 * order
 */
#ifndef HP_CONVERT_PIPELINE_H
#define HP_CONVERT_PIPELINE_H

#include "common/cli/progress.h"
#include "convert/join_traces.h"
#include "convert/pass/copy.h"
#include "convert/export/ndjson.h"
#include "convert/options.h"
#include "convert/salvage/salvage.h"
#include "convert/version/android_to_jvm.h"
#include "convert/export/tables.h"
#include "convert/export/text.h"

struct hp_pipeline {
	const struct hp_convert_options *options;
	struct hp_progress *progress; /* NULL: no progress is shown */
	bool newer;		      /* version 1.0 became 1.0.1 */
	bool from_text;		      /* it was the agent's text */
	/* what each of them did: */
	struct hp_salvage_result salvage;
	/* where decompression of what was salvaged ended too early; raw 0: it
	 * did not */
	struct hp_container_note early_end;
	struct hp_error container; /* what was wrong with the compression of
				      what was salvaged, or copied without a
				      look at it; empty: nothing */
	uint64_t copied; /* bytes that were copied without a look at them */
	struct hp_join_result joined;
	struct hp_filter_objects_result heaps;
	struct hp_android_to_jvm_result standard;
	struct hp_copy_result copy;
	struct hp_text_result text;
	struct hp_ndjson_result ndjson;
	/* objects whose references were asked for and are not known */
	struct hp_undescribed undescribed;
	struct hp_table_set tables; /* its folder, if there is one, is to be
				       committed */
};

/**
 * hp_pipeline_run() - convert @src to @sink; the sink is finished
 *
 * The order is always the same: version 1.0 to 1.0.1, salvage, one dump,
 * traces, heaps, standard, profile, strip, and then the output's format.
 * Between two of them the dump stands in a temporary file without a name; so
 * does an input that has to be read twice and cannot be. A strip is proved on
 * what it wrote; --verify on the output. Returns: HP_OK; HP_DAMAGED and others
 * of the transformations; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pipeline_run(struct hp_pipeline *s,
					   struct hp_source *src,
					   struct hp_sink *sink,
					   struct hp_error *err);

#endif
