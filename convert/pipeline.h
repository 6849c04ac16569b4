/*
 * pipeline.h - the stages of a conversion, and its summary
 */
#ifndef HP_CONVERT_PIPELINE_H
#define HP_CONVERT_PIPELINE_H

#include "common/cli/message.h"
#include "common/sink/sink.h"
#include "convert/export/ndjson.h"
#include "convert/export/threads.h"
#include "convert/export/tables.h"
#include "convert/export/text.h"
#include "convert/options.h"
#include "convert/copy/copy.h"
#include "convert/salvage/salvage.h"
#include "convert/version/version.h"

/* ----------------------------------------------------------------------
 * Write allocation traces into objects of a libhprof-agent dump
 */

struct hp_join_result {
	uint64_t noted; /* number of objects in the agent's table of traces */
	/* number of objects and classes that got their trace */
	uint64_t joined;
};

/**
 * hp_join_traces() - rewrite @src to @sink with trace serials, and finish the
 * sink
 * @src: at its first byte; must be rewindable, and is read several times
 * @memory: limit for the tables, in bytes
 *
 * libhprof-agent puts a class hprofagent.AllocationTraces into the heap. The
 * elements of its static arrays "objects" and "traces" with the same index are
 * an object and its trace. The first array becomes an array of nulls. Otherwise
 * it would keep the objects reachable.
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error, there is no such class, or its
 *          arrays differ in length; HP_LIMIT; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_join_traces(struct hp_source *src,
					  struct hp_sink *sink,
					  unsigned threads, uint64_t memory,
					  struct hp_join_result *result,
					  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Write a dump with its original names
 */

/**
 * hp_original_names_write() - rewrite @src to @sink with the names that the
 * mappings give, and finish the sink
 * @src: at its first byte; must be rewindable, and is read three times
 * @memory: limit for the tables, in bytes
 * @counts: receives how well the mappings fit
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error; HP_LIMIT; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_original_names_write(struct hp_source *src, struct hp_sink *sink,
			const struct hp_mappings *mappings, unsigned threads,
			uint64_t memory, struct hp_rename_counts *counts,
			struct hp_error *err);

/* ----------------------------------------------------------------------
 * Run the transformations that the options ask for, in order
 */

struct hp_pipeline {
	const struct hp_convert_options *options;
	/* the progress display; NULL: none is shown */
	struct hp_progress *progress;
	bool newer;	/* the input of version 1.0 was converted to 1.0.1 */
	bool from_text; /* the input was the agent's text */
	/* The following members are the results of the stages. */
	struct hp_salvage_result salvage;
	/*
	 * where decompression ended too early while a dump was recovered; the
	 * member raw is 0 if it did not
	 */
	struct hp_container_note early_end;
	/*
	 * damage of the compression, if the input was recovered or copied
	 * without checks; empty: none
	 */
	struct hp_error container;
	uint64_t copied; /* number of bytes that were copied without checks */
	struct hp_join_result joined;
	struct hp_rename_counts renamed;
	struct hp_filter_objects_result heaps;
	struct hp_android_to_jvm_result standard;
	struct hp_copy_result copy;
	struct hp_text_result text;
	struct hp_ndjson_result ndjson;
	struct hp_threads_result threads;
	/* objects whose references were asked for but are not known */
	struct hp_undescribed undescribed;
	/* the tables; if they are in a folder, the caller must commit it */
	struct hp_table_set tables;
};

/**
 * hp_pipeline_run() - convert @src to @sink, and finish the sink
 *
 * The order is always the same: upgrade of version 1.0, salvage, one dump,
 * original names, traces, heaps, standard, profile, strip, output format.
 * Between two of them, the dump is in a temporary file without a name. An input
 * that cannot be read twice is also copied to one, if needed. The proof of a
 * strip and --verify both read the output of their step.
 *
 * Returns: HP_OK; HP_DAMAGED and other statuses of the transformations; HP_IO;
 *          HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pipeline_run(struct hp_pipeline *s,
					   struct hp_source *src,
					   struct hp_sink *sink,
					   struct hp_error *err);

/* ----------------------------------------------------------------------
 * The summary of a successful conversion, on standard error
 */

/* Print the summary of what the pipeline did. */
void hp_summary(const struct hp_pipeline *s, const struct hp_messages *m);

#endif
