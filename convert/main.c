/*
 * main.c - hprof-convert: options, input, output, exit code
 */
#include "common/cli/confine.h"
#include "common/cli/times.h"
#include "common/cli/resources.h"
#include "common/cli/message.h"
#include "common/cli/progress.h"
#include "common/cli/signals.h"
#include "common/cli/quantity.h"
#include "common/cli/terminal.h"
#include "common/pack/vtable.h"
#include "common/base/threads.h"
#include "convert/pipeline.h"
#include "convert/summary.h"

enum {
	FIXED = 24 << 20,	 /* bytes that any conversion may take */
	THREAD_BYTES = 12 << 20, /* of batches and what becomes of them */
};

struct run {
	struct hp_convert_options options;
	struct hp_messages messages;
	struct hp_source *src;
	struct hp_sink *sink;
	struct hp_pipeline stages;
	uint64_t unlimited; /* of hp_machine_limit(); 0: it was not called */
	uint64_t begun;	    /* hp_elapsed_begin() */
};

/*
 * Packing takes three quarters of --memory at the most; it can do with a part
 * of a pack at a time.
 */
static enum hp_status
pack_threads(const struct run *r, struct hp_sink_options *o,
	     struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	uint64_t most = hp_pack_vtable.packing, size = hp_source_size(r->src);

	if (o->compression != HP_COMPRESSION_PACK)
		return HP_OK;
	o->threads =
		hp_pack_vtable_threads(most, 1, c->memory / 4 * 3, c->threads);
	if (size < hp_pack_vtable.part)
		most = most * size / hp_pack_vtable.part;
	if (c->memory >= most + FIXED)
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "packing takes %llu MB, more than --memory; allow more",
		       (unsigned long long)(most + FIXED) >> 20);
}

static const char *
output_name(const struct run *r)
{
	return r->options.output ? r->options.output : "standard output";
}

static enum hp_status
open_both(struct run *r, struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	const struct hp_source_options so = {.threads = c->threads,
					     .max_size = c->max_size,
					     .memory = c->memory / 4 * 3,
					     .holes = r->options.salvage,
					     .packing = &hp_pack_vtable};
	struct hp_sink_options ko = {.compression = r->options.compression,
				     .level = r->options.level,
				     .packing = &hp_pack_vtable,
				     .force = c->force,
				     .sync = c->sync,
				     .threads = c->threads,
				     .memory = c->memory / 4 * 3,
				     .text = r->options.to != HP_TO_HPROF,
				     .verify = r->options.verify};
	enum hp_status st = hp_source_open(&r->src, r->options.input, &so, err);

	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	/* what packs take is reckoned, and not all of it is touched */
	if (r->unlimited &&
	    hp_source_compression(r->src) == HP_COMPRESSION_PACK)
		hp_machine_unlimit(r->unlimited);
	st = pack_threads(r, &ko, err);
	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	ko.input = r->src;
	st = hp_sink_open(&r->sink, r->options.output, &ko, err);
	if (st == HP_OK)
		return HP_OK;
	hp_signals_end_closed(err); /* a pack's head is written at once */
	hp_message_failure(&r->messages, output_name(r), err);
	return st;
}

/* The exit code for how the conversion ended. */
static int
exit_code(enum hp_status st)
{
	if (st == HP_OK)
		return HP_EXIT_OK;
	return st == HP_DAMAGED || st == HP_TRUNCATED ? HP_EXIT_FOUND
						      : HP_EXIT_TROUBLE;
}

/* -v: "32.6 MB to 870.4 KB, 38x, 0.1 s, 2 threads"; bytes as they lie. */
static void
tell_work(const struct run *r, uint64_t written)
{
	struct hp_buf b = {0};
	uint64_t taken, total;

	hp_source_progress(r->src, &taken, &total);
	if (total > taken)
		taken = total; /* the last pass was not over all of it */
	hp_size_text(&b, taken);
	hp_buf_text(&b, " to ");
	hp_size_text(&b, written);
	if (written > 0 && taken >= 10 * written)
		hp_buf_printf(&b, ", %.0fx", (double)taken / (double)written);
	else if (written > 0)
		hp_buf_printf(&b, ", %.1fx", (double)taken / (double)written);
	hp_elapsed_text(&b, r->begun, r->options.common.threads);
	hp_message(&r->messages, HP_MESSAGE_DETAIL, r->options.input, "%s",
		   hp_buf_string(&b));
	hp_buf_release(&b);
}

/* Bytes behind the compressed stream are nobody's: they are not converted. */
static void
warn_of_trailing(const struct run *r)
{
	if (hp_source_trailing(r->src))
		hp_message(&r->messages, HP_MESSAGE_WARNING, r->options.input,
			   "bytes behind the end of the compressed data are "
			   "left out");
}

/* Transforms and shows the output; a failure is told with what it is about. */
static enum hp_status
convert_input(struct run *r, struct hp_error *err)
{
	const char *about = r->options.input;
	struct hp_progress *p;
	uint64_t written = 0;
	enum hp_status st;

	p = hp_progress_start(r->options.common.progress, stderr,
			      "hprof-convert");
	r->messages.progress = p;
	r->stages.options = &r->options;
	r->stages.progress = p;
	st = hp_pipeline_run(&r->stages, r->src, r->sink, err);
	hp_progress_stop(p);
	r->messages.progress = NULL;
	if (st == HP_OK || hp_sink_refused(r->sink))
		about = output_name(r);
	if (st == HP_OK) {
		written = hp_sink_written(r->sink);
		st = hp_sink_commit(r->sink, err);
		r->sink = NULL;
	}
	if (st != HP_OK)
		hp_signals_end_closed(err);
	if (st == HP_NOMEM && r->options.common.memory_given)
		hp_message(&r->messages, HP_MESSAGE_ERROR, about,
			   "what the input holds does not fit in --memory; "
			   "allow more");
	else if (st != HP_OK)
		hp_message_failure(&r->messages, about, err);
	if (st != HP_OK)
		return st;
	warn_of_trailing(r);
	hp_summary(&r->stages, &r->messages);
	tell_work(r, written);
	return HP_OK;
}

static void
warn_about_suffix(const struct run *r)
{
	const char *wrong = hp_convert_name_mismatch(&r->options);

	if (wrong)
		hp_message(&r->messages, HP_MESSAGE_WARNING, output_name(r),
			   "%s", wrong);
}

int
main(int argc, char **argv)
{
	struct run r = {
		.messages = {.program = "hprof-convert", .file = stderr}};
	struct hp_options *common = &r.options.common;
	struct hp_error err = {0};
	enum hp_status st;
	int code;

	hp_streams_guard();
	code = hp_convert_options_parse(&r.options, argc, argv);
	if (code != HP_GO_ON)
		return code;
	r.messages.quiet = common->quiet;
	r.messages.verbose = common->verbose;
	hp_signals_install();
	if (common->memory_given &&
	    r.options.compression != HP_COMPRESSION_PACK)
		r.unlimited = hp_machine_limit(common->memory);
	hp_tune_malloc();
	/* fewer where --memory is little: the output is the same */
	common->threads = hp_threads_within(common->threads, common->memory / 2,
					    FIXED, THREAD_BYTES);
	hp_confine(common, 1, r.options.output, &r.messages);
	warn_about_suffix(&r);
	r.begun = hp_elapsed_begin();
	st = open_both(&r, &err);
	if (st == HP_OK)
		st = convert_input(&r, &err);
	code = st == HP_OK || r.src ? exit_code(st) : HP_EXIT_TROUBLE;
	hp_sink_abort(r.sink);
	hp_source_close(r.src);
	return code;
}
