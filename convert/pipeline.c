/*
 * pipeline.c - run the conversions that the options ask for, one after the
 * other
 *
 * Each stage reads a source and writes to a sink. This file decides the order
 * of the stages, creates the temporary files between them, and implements
 * --verify.
 */
#include "convert/pipeline.h"

#include "convert/version/version.h"
#include "convert/filter/filter.h"
#include "convert/copy/ordered_pass.h"
#include "convert/export/ndjson.h"
#include "convert/copy/copy.h"
#include "convert/export/text.h"

/*
 * How a stage of the conversion reads its input: once; several times from the
 * start; at any offset.
 */
enum reads { ONCE, AGAIN, ANYWHERE };

typedef enum hp_status stage_fn(struct hp_pipeline *s, struct hp_source *src,
				struct hp_sink *sink, struct hp_error *err);

struct stage {
	stage_fn *run;
	enum reads reads;
};

enum { STAGES_MAX = 10 };

/*
 * Copy the bytes without checks. If the compression is damaged, --raw and
 * --to=pack write what can be decompressed. If the input is a damaged pack,
 * they write nothing.
 */
static enum hp_status
run_raw(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	struct hp_error *err)
{
	const struct hp_convert_options *o = s->options;
	bool any = o->raw || o->compression == HP_COMPRESSION_PACK;
	enum hp_status st = hp_copy_bytes(src, sink, !o->raw,
					  any ? &s->container : NULL, err);

	s->copied = hp_source_tell(src);
	return st;
}

/*
 * If nothing can be recovered because the compression is damaged, add this
 * reason to the message.
 */
static enum hp_status
blame_container(struct hp_source *src, enum hp_status st, struct hp_error *err)
{
	struct hp_error container, nothing = *err;

	if (st != HP_DAMAGED)
		return st;
	container = hp_framing_container(src);
	if (container.status == HP_OK)
		return st;
	*err = (struct hp_error){0};
	return hp_fail(err, st, "%s: %s", container.text, nothing.text);
}

/*
 * Find the place at which decompression ended too early: the file is truncated
 * there, or nothing after damage can be decompressed.
 */
static void
find_early_end(struct hp_pipeline *s, struct hp_source *src)
{
	size_t n;
	const struct hp_container_note *notes = hp_source_notes(src, &n);

	for (size_t i = 0; i < n; i++) {
		switch (notes[i].problem) {
		case HP_CONTAINER_GZIP_MEMBER:
		case HP_CONTAINER_GZIP_TRUNCATED:
		case HP_CONTAINER_ZSTD_FRAME:
		case HP_CONTAINER_ZSTD_TRUNCATED:
			if (notes[i].offset == hp_source_tell(src))
				s->early_end = notes[i];
			break;
		default:
			break;
		}
	}
}

/*
 * Recover a damaged dump. The recovery reads at any offset, so an input that
 * cannot seek is copied to a temporary file first.
 */
static enum hp_status
run_salvage(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	    struct hp_error *err)
{
	struct hp_source *spooled = NULL;
	const struct hp_salvage_options how = {
		.threads = s->options->common.threads,
		.null_dangling = s->options->null_dangling,
		.keep_numbers = s->options->common.dump > 0,
		.memory = hp_convert_memory(s->options)};
	const struct hp_hole *holes;
	enum hp_status st = HP_OK;
	size_t n;

	if (!hp_source_seekable(src)) {
		st = hp_temp_copy(src, &spooled,
				  /*
				   * damage in the input is no error, because
				   * the purpose is to recover what is left
				   */
				  err);
		hp_progress_watch_source(s->progress, spooled,
					 s->options->input);
		s->container = hp_framing_container(src);
		find_early_end(s, src);
	}
	holes = hp_source_holes(src, &n);
	if (st == HP_OK)
		st = hp_salvage(spooled ? spooled : src, holes, n, sink, &how,
				&s->salvage, err);
	hp_progress_watch(s->progress, NULL, NULL, NULL);
	hp_source_close(spooled);
	return blame_container(src, st, err);
}

static enum hp_status
run_select_dump(struct hp_pipeline *s, struct hp_source *src,
		struct hp_sink *sink, struct hp_error *err)
{
	return hp_select_dump(src, sink, (unsigned)s->options->common.dump,
			      s->options->common.threads, err);
}

static enum hp_status
run_join_traces(struct hp_pipeline *s, struct hp_source *src,
		struct hp_sink *sink, struct hp_error *err)
{
	return hp_join_traces(src, sink, s->options->common.threads,
			      hp_convert_memory(s->options), &s->joined, err);
}

static enum hp_status
run_original_names(struct hp_pipeline *s, struct hp_source *src,
		   struct hp_sink *sink, struct hp_error *err)
{
	return hp_original_names_write(
		src, sink, &s->options->mappings, s->options->common.threads,
		hp_convert_memory(s->options), &s->renamed, err);
}

static enum hp_status
run_filter_objects(struct hp_pipeline *s, struct hp_source *src,
		   struct hp_sink *sink, struct hp_error *err)
{
	const struct hp_filter_objects how = {
		.nulls = true,
		.heaps = s->options->heaps,
		.prune = s->options->prune,
		.memory = hp_convert_memory(s->options)};

	return hp_filter_objects(src, sink, &how, s->options->common.threads,
				 &s->heaps, err);
}

static enum hp_status
run_android_to_jvm(struct hp_pipeline *s, struct hp_source *src,
		   struct hp_sink *sink, struct hp_error *err)
{
	return hp_android_to_jvm(src, sink, s->options->common.threads,
				 &s->standard, err);
}

static enum hp_status
run_segments(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	     struct hp_error *err)
{
	return hp_segments_convert(src, sink, s->options->profile,
				   s->options->common.threads, err);
}

/*
 * Strip to a temporary file, then copy the file to a pipe. --strip-matching
 * must search the whole output before any of its bytes is in the pipe.
 */
static enum hp_status
strip_to_pipe(struct hp_pipeline *s, struct hp_source *src,
	      struct hp_sink *sink, struct hp_error *err)
{
	struct hp_source *stripped = NULL;
	struct hp_sink *temp;
	enum hp_status st = hp_sink_open_temporary(&temp, err);

	if (st != HP_OK)
		return st;
	st = hp_copy(src, temp, s->options, &s->copy, err);
	if (st == HP_OK)
		st = hp_temp_copy_end(temp, &stripped, err);
	else
		hp_sink_abort(temp);
	if (st == HP_OK)
		st = hp_copy_bytes(stripped, sink, true, NULL, err);
	hp_source_close(stripped);
	return st;
}

static enum hp_status
run_copy(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	 struct hp_error *err)
{
	if (s->options->policy.matching && !hp_sink_readable(sink))
		return strip_to_pipe(s, src, sink, err);
	return hp_copy(src, sink, s->options, &s->copy, err);
}

static enum hp_status
run_ndjson(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	   struct hp_error *err)
{
	enum hp_status st =
		hp_ndjson_convert(src, sink, s->options, &s->ndjson, err);

	if (s->options->edges || s->options->graph)
		s->undescribed = s->ndjson.undescribed;
	return st;
}

static enum hp_status
run_threads(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	    struct hp_error *err)
{
	return hp_threads_convert(src, sink, s->options, &s->threads, err);
}

/*
 * Write the tables: directly to the files of a folder, or to temporary files
 * and then into an archive.
 */
static enum hp_status
run_tables(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	   struct hp_error *err)
{
	enum hp_status st = hp_tables_convert(src, &s->tables, s->options,
					      &s->undescribed, err);

	return st == HP_OK && sink ? hp_table_set_archive(&s->tables, sink, err)
				   : st;
}

static enum hp_status
run_text(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	 struct hp_error *err)
{
	return hp_text_convert(src, sink, s->options, &s->text, err);
}

static enum hp_status
run_upgrade(struct hp_pipeline *s, struct hp_source *src, struct hp_sink *sink,
	    struct hp_error *err)
{
	s->newer = true;
	return hp_upgrade_v1_0(src, sink, false, err);
}

static enum hp_status
run_upgrade_copy(struct hp_pipeline *s, struct hp_source *src,
		 struct hp_sink *sink, struct hp_error *err)
{
	return hp_upgrade_v1_0(src, sink, true, err);
}

/*
 * Whether the bytes of the input are copied without checks. With --pack, this
 * is allowed for any bytes.
 */
static bool
is_raw_copy(const struct hp_convert_options *o, const struct hp_source *src)
{
	return o->raw || o->compression == HP_COMPRESSION_PACK ||
	       (hp_source_is_pack(src) && !hp_source_translated(src));
}

/*
 * For each output format: the function of the last stage, which writes this
 * format. NULL: the records are copied.
 */
#define run_none NULL
#define FORMAT(symbol, name, suffixes, stage, holds) run_##stage,
static stage_fn *const writers[] = {
#include "convert/formats.def"
};

/*
 * Store the stages that the options require in @to, in order. Returns their
 * number. @version_1_0: the input is a dump of version 1.0.
 */
static size_t
plan_stages(const struct hp_convert_options *o, const struct hp_source *src,
	    bool version_1_0, struct stage *to)
{
	const struct hp_policy *p = &o->policy;
	size_t n = 0;

	if (o->salvage)
		to[n++] = (struct stage){run_salvage, ONCE};
	if (o->common.dump && !hp_convert_holds(o, HP_OUTPUT_CHOOSES))
		to[n++] = (struct stage){run_select_dump, ONCE};
	if (o->mappings.count > 0)
		to[n++] = (struct stage){run_original_names, AGAIN};
	if (o->join_traces)
		to[n++] = (struct stage){run_join_traces, AGAIN};
	if (o->heaps)
		to[n++] = (struct stage){run_filter_objects, AGAIN};
	if (o->standard)
		to[n++] = (struct stage){run_android_to_jvm, AGAIN};
	if (o->profile)
		to[n++] = (struct stage){run_segments,
					 o->profile == 1 ? AGAIN : ONCE};
	if (hp_policy_strips(p))
		to[n++] = (struct stage){
			run_copy, hp_policy_needs_prepass(p) ? AGAIN : ONCE};
	if (writers[o->to])
		to[n++] = (struct stage){writers[o->to],
					 o->strings ? ANYWHERE : AGAIN};
	if (n == 0 && version_1_0 && !is_raw_copy(o, src)) {
		to[n++] = (struct stage){run_upgrade_copy, AGAIN};
	} else if (n == 0) {
		to[n++] = (struct stage){
			is_raw_copy(o, src) ? run_raw : run_copy, ONCE};
	} else if (version_1_0) {
		memmove(to + 1, to, n * sizeof(*to));
		to[0] = (struct stage){run_upgrade, AGAIN};
		n++;
	}
	return n;
}

/*
 * If a stage cannot read the source in the way that it needs, copy the source
 * to a temporary file. *@owned receives this copy, or NULL if none was needed.
 */
static enum hp_status
make_readable(const struct stage *stage, struct hp_source *src,
	      struct hp_source **owned, struct hp_error *err)
{
	*owned = NULL;
	if (stage->reads == ANYWHERE && !hp_source_seekable(src))
		return hp_temp_copy_checked(src, owned, err);
	if (stage->reads == AGAIN && !hp_source_rewindable(src))
		return hp_temp_copy_checked(src, owned, err);
	return HP_OK;
}

static enum hp_status
run_one(struct hp_pipeline *s, const struct stage *stage, struct hp_source *src,
	struct hp_sink *sink, struct hp_error *err)
{
	struct hp_source *spooled;
	enum hp_status st;

	hp_progress_watch_source(s->progress, src, s->options->input);
	st = make_readable(stage, src, &spooled, err);
	if (spooled) {
		src = spooled;
		hp_progress_watch_source(s->progress, src, s->options->input);
	}
	if (st == HP_OK)
		st = stage->run(s, src, sink, err);
	hp_progress_watch(s->progress, NULL, NULL, NULL);
	hp_source_close(spooled);
	return st;
}

static enum hp_status
run_to_temp(struct hp_pipeline *s, const struct stage *stage,
	    struct hp_source **src, struct hp_source *given,
	    struct hp_error *err)
{
	struct hp_source *next = NULL;
	struct hp_sink *sink;
	enum hp_status st = hp_sink_open_temporary(&sink, err);

	if (st != HP_OK)
		return st;
	st = run_one(s, stage, *src, sink, err);
	if (st == HP_OK)
		st = hp_temp_copy_end(sink, &next, err);
	else
		hp_sink_abort(sink);
	if (*src != given)
		hp_source_close(*src);
	*src = next;
	return st;
}

/*
 * For --verify: check that the output file contains the bytes that were
 * written, and that the lengths in a rewritten dump are correct.
 */
static enum hp_status
verify_output(const struct hp_pipeline *s, struct hp_sink *sink,
	      struct hp_error *err)
{
	const struct hp_transform look = {.need = HP_NEED_HEADS};
	const unsigned threads = s->options->common.threads;
	const struct hp_source_options so = {.threads = threads};
	struct hp_source *back;
	enum hp_status st = hp_sink_verify(sink, threads, err);

	if (st != HP_OK || !hp_convert_rewrites(s->options) ||
	    !hp_convert_holds(s->options, HP_OUTPUT_DUMP))
		return st;
	st = hp_sink_reopen(sink, &back, &so, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(back, NULL, &look, threads, err);
	hp_source_close(back);
	return st;
}

enum hp_status
hp_pipeline_run(struct hp_pipeline *s, struct hp_source *src,
		struct hp_sink *sink, struct hp_error *err)
{
	struct hp_source *at = src;
	struct stage stages[STAGES_MAX];
	bool version_1_0;
	enum hp_status st = hp_is_version_1_0(src, &version_1_0, err);
	size_t n = plan_stages(s->options, src, version_1_0, stages);

	s->from_text = hp_source_translated(src);
	for (size_t i = 0; i + 1 < n && st == HP_OK; i++)
		st = run_to_temp(s, &stages[i], &at, src, err);
	if (st == HP_OK)
		st = run_one(s, &stages[n - 1], at, sink, err);
	if (at != src)
		hp_source_close(at);
	if (st == HP_OK && s->options->verify)
		st = verify_output(s, sink, err);
	return st;
}
