/*
 * pipeline.h - run the transformations that the options ask for, in order
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
	/* the progress display; NULL: none is shown */
	struct hp_progress *progress;
	bool newer;	/* version 1.0 was upgraded to 1.0.1 */
	bool from_text; /* the input was the agent's text */
	/* The results of the transformations follow. */
	struct hp_salvage_result salvage;
	/*
	 * where the decompression ended too early during a salvage; raw is 0 if
	 * it did not
	 */
	struct hp_container_note early_end;
	/*
	 * damage of the compression, if the input was salvaged or copied
	 * unchecked; empty: none
	 */
	struct hp_error container;
	uint64_t copied; /* number of bytes that were copied unchecked */
	struct hp_join_result joined;
	struct hp_filter_objects_result heaps;
	struct hp_android_to_jvm_result standard;
	struct hp_copy_result copy;
	struct hp_text_result text;
	struct hp_ndjson_result ndjson;
	/* objects whose references were asked for but are not known */
	struct hp_undescribed undescribed;
	/* the tables; if they are in a folder, the caller must commit it */
	struct hp_table_set tables;
};

/**
 * hp_pipeline_run() - convert @src to @sink, and finish the sink
 *
 * The order is always the same: upgrade of version 1.0, salvage, one dump,
 * traces, heaps, standard, profile, strip, output format. Between two of them,
 * the dump is in a temporary file without a name. An input that cannot be read
 * twice is also copied to one, if needed. The proof of a strip and --verify
 * both read the output of their step.
 *
 * Returns: HP_OK; HP_DAMAGED and other statuses of the transformations; HP_IO;
 *          HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pipeline_run(struct hp_pipeline *s,
					   struct hp_source *src,
					   struct hp_sink *sink,
					   struct hp_error *err);

#endif
