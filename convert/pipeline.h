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
 * Write allocation traces into the objects of a dump from libhprof-agent
 */

struct hp_join_result {
	/* number of objects in the agent's table of traces */
	uint64_t noted;
	/* number of objects and classes whose allocation trace was written */
	uint64_t joined;
};

/**
 * hp_join_traces() - copy @src to @sink with the serial numbers of the
 * allocation traces, and finish the sink
 * @src: at its first byte; must be rewindable, and is read several times
 * @memory: limit for the tables, in bytes
 *
 * libhprof-agent adds a class hprofagent.AllocationTraces to the heap. The
 * class has two static arrays: objects[i] is an object, and traces[i] is its
 * allocation trace. All elements of the array "objects" are set to null,
 * because this array would keep the objects reachable.
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
 * Write a dump with the original names of obfuscated classes and members
 */

/**
 * hp_original_names_write() - copy @src to @sink with the original names from
 * the mapping files, and finish the sink
 * @src: at its first byte; must be rewindable, and is read three times
 * @memory: limit for the tables, in bytes
 * @counts: receives how many names of the dump the mapping files contain
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error; HP_LIMIT; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_original_names_write(struct hp_source *src, struct hp_sink *sink,
			const struct hp_mappings *mappings, unsigned threads,
			uint64_t memory, struct hp_rename_counts *counts,
			struct hp_error *err);

/* ----------------------------------------------------------------------
 * Run the transformations that the options ask for, one after the other
 */

struct hp_pipeline {
	const struct hp_convert_options *options;
	/* the progress display; NULL: no progress is shown */
	struct hp_progress *progress;
	/* the input has version 1.0 and was converted to 1.0.1 */
	bool newer;
	bool from_text; /* the input was a text of the HPROF agent */
	/* The following members are results, for the summary. */
	struct hp_salvage_result salvage;
	/*
	 * The place at which decompression ended too early while a dump was
	 * recovered. Its member `raw` is 0 if decompression reached the end.
	 */
	struct hp_container_note early_end;
	/*
	 * The damage of the compression, if the input was recovered or copied
	 * without checks. Its status is HP_OK if there is no damage.
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
	/*
	 * number of objects whose references should be written, but are not
	 * known, because no class dump describes their fields
	 */
	struct hp_undescribed undescribed;
	/*
	 * --to=tables: the tables; if they are in a folder, the caller must
	 * call hp_output_folder_commit()
	 */
	struct hp_table_set tables;
};

/**
 * hp_pipeline_run() - convert @src to @sink, and finish the sink
 *
 * The steps of a conversion always run in this order; each is optional: upgrade
 * of version 1.0, recovery of a damaged dump, selection of one dump, original
 * names, allocation traces, selection of heaps, conversion from Android, change
 * of the version, strip, output format. Between two steps, the dump is in a
 * temporary file without a name. If a step must read the input twice and the
 * input is a pipe, the input is first copied to a temporary file. The proof of
 * a strip, and --verify, read the output of the step that they check.
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

void hp_summary(const struct hp_pipeline *s, const struct hp_messages *m);

#endif
