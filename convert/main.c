/*
 * main.c - hprof-convert: options, input, output, exit code
 */
#include "common/cli/message.h"
#include "common/cli/progress.h"
#include "common/cli/sandbox.h"
#include "common/cli/signals.h"
#include "common/cli/size.h"
#include "convert/copy.h"
#include "convert/ndjson.h"
#include "convert/profile.h"
#include "convert/salvage.h"
#include "convert/standard.h"
#include "convert/text.h"

#include <stdlib.h>

struct run {
	struct hp_convert_options options;
	struct hp_messages messages;
	struct hp_source *src;
	struct hp_sink *sink;
	struct hp_copy_result result;
	struct hp_standard_result standard;
	struct hp_salvage_result salvage;
	struct hp_sift_result sifted;
};

static void
confine(const struct run *r)
{
	const char *tmp = getenv("TMPDIR");
	const struct hp_sandbox_rules rules = {
		.inputs = r->options.common.arguments,
		.input_count = 1,
		.output = r->options.output,
		.folder = tmp && *tmp ? tmp : "/tmp",
	};

	if (r->options.common.sandbox)
		hp_sandbox_enter(&rules);
}

static void
how_far(void *context, uint64_t *taken, uint64_t *total)
{
	hp_source_progress(context, taken, total);
}

static enum hp_status
open_both(struct run *r, struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	const struct hp_source_options so = {.threads = c->threads,
					     .max_size = c->max_size};
	struct hp_sink_options ko = {.compression = r->options.compression,
				     .level = r->options.level,
				     .force = c->force,
				     .sync = c->sync,
				     .threads = c->threads,
				     .text = r->options.to != HP_TO_HPROF};
	enum hp_status st = hp_source_open(&r->src, r->options.input, &so, err);

	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	ko.input = r->src;
	st = hp_sink_open(&r->sink, r->options.output, &ko, err);
	if (st != HP_OK)
		hp_message_failure(&r->messages,
				   r->options.output ? r->options.output
						     : "standard output",
				   err);
	return st;
}

/* ", 1,234 arrays": appended, without the comma in front. */
static void
add_count(struct hp_buf *b, uint64_t n, const char *one)
{
	if (b->len > 0)
		hp_buf_text(b, ", ");
	hp_count_text(b, n);
	hp_buf_byte(b, ' ');
	hp_buf_text(b, one);
	if (n != 1)
		hp_buf_byte(b, 's');
}

static void
tell_standard(const struct run *r)
{
	const struct hp_standard_result *s = &r->standard;
	struct hp_buf text = {0};

	add_count(&text, s->roots, "root");
	hp_buf_text(&text, " became unknown ones");
	add_count(&text, s->arrays, "array");
	hp_buf_text(&text, " without data became empty");
	hp_message(&r->messages, HP_MESSAGE_DETAIL, r->options.input, "%s",
		   hp_buf_string(&text));
	hp_buf_release(&text);
}

static void
add_nulled(struct hp_buf *b, const struct hp_sift_result *s)
{
	add_count(b, s->roots, "root");
	hp_buf_text(b, " left out");
	add_count(b, s->references, "reference");
	hp_buf_text(b, " nulled");
}

static void
tell_heaps(const struct run *r)
{
	struct hp_buf text = {0};

	add_count(&text, r->sifted.objects, "object");
	hp_buf_text(&text, " of other heaps left out");
	add_nulled(&text, &r->sifted);
	hp_message(&r->messages, HP_MESSAGE_NOTE, r->options.input, "%s",
		   hp_buf_string(&text));
	hp_buf_release(&text);
}

static void
tell_salvage(const struct run *r)
{
	const struct hp_salvage_result *s = &r->salvage;
	struct hp_buf text = {0};

	add_count(&text, s->records, "record");
	hp_buf_text(&text, " kept");
	add_count(&text, s->lost, "byte");
	hp_buf_text(&text, " lost");
	if (s->places) {
		hp_buf_text(&text, " in ");
		hp_count_text(&text, s->places);
		hp_buf_printf(&text, s->places == 1 ? " place" : " places");
		hp_buf_printf(&text, ", the first at offset %llu",
			      (unsigned long long)s->first);
	}
	if (s->sifted.objects)
		hp_buf_printf(&text,
			      ", %llu objects without a class that fits left "
			      "out",
			      (unsigned long long)s->sifted.objects);
	if (r->options.null_dangling)
		add_nulled(&text, &s->sifted);
	hp_message(&r->messages, HP_MESSAGE_NOTE, r->options.input,
		   "salvaged: %s", hp_buf_string(&text));
	hp_buf_release(&text);
}

/* What was removed, and the risk that is left. */
static void
tell(const struct run *r)
{
	const struct hp_strip_stats *s = &r->result.stripped;
	const struct hp_policy *p = &r->options.policy;
	struct hp_buf text = {0};

	if (r->options.standard)
		tell_standard(r);
	if (r->options.salvage)
		tell_salvage(r);
	if (r->options.heaps)
		tell_heaps(r);
	if (!hp_policy_strips(p))
		return;
	if (p->array_types)
		add_count(&text, s->arrays, "array");
	if (p->field_types)
		add_count(&text, s->fields, "field");
	if (p->strings)
		add_count(&text, s->strings, "string");
	add_count(&text, s->bytes, "byte");
	hp_message(&r->messages, HP_MESSAGE_NOTE, r->options.input,
		   "stripped %s; proved on the output", hp_buf_string(&text));
	hp_message(&r->messages, HP_MESSAGE_NOTE, r->options.input,
		   "still there: names of classes, members, files and threads"
		   "%s%s%s%s",
		   p->strings ? "" : ", string constants",
		   p->array_types == HP_POLICY_ALL_TYPES && !p->keep_first
			   ? ""
			   : ", elements of arrays",
		   p->field_types == HP_POLICY_ALL_TYPES ? ""
							 : ", primitive fields",
		   "; lengths and references");
	hp_buf_release(&text);
}

/* The exit code for how the conversion ended. */
static int
exit_of(enum hp_status st)
{
	if (st == HP_OK)
		return HP_EXIT_OK;
	return st == HP_DAMAGED || st == HP_TRUNCATED ? HP_EXIT_FOUND
						      : HP_EXIT_TROUBLE;
}

static enum hp_status
convert(struct run *r, struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	struct hp_progress *p;
	enum hp_status st;

	p = hp_progress_start(c->progress, stderr, "hprof-convert");
	r->messages.progress = p;
	hp_progress_watch(p, how_far, r->src, r->options.input);
	if (r->options.raw)
		st = hp_copy_raw(r->src, r->sink, &r->options, err);
	else if (r->options.to == HP_TO_NDJSON)
		st = hp_ndjson(r->src, r->sink, c->threads, err);
	else if (r->options.to == HP_TO_TEXT)
		st = hp_astext(r->src, r->sink, c->threads, err);
	else if (r->options.salvage)
		st = hp_salvage(r->src, r->sink, c->threads,
				r->options.null_dangling, &r->salvage, err);
	else if (r->options.heaps)
		st = hp_heaps(r->src, r->sink, r->options.heaps, c->threads,
			      &r->sifted, err);
	else if (r->options.profile)
		st = hp_profile(r->src, r->sink, r->options.profile, c->threads,
				err);
	else if (r->options.standard)
		st = hp_standard(r->src, r->sink, c->threads, &r->standard,
				 err);
	else
		st = hp_copy(r->src, r->sink, &r->options, &r->result, err);
	hp_progress_stop(p);
	r->messages.progress = NULL;
	return st;
}

int
main(int argc, char **argv)
{
	struct run r = {
		.messages = {.program = "hprof-convert", .file = stderr}};
	struct hp_error err = {0};
	enum hp_status st;
	int code;

	code = hp_convert_options_parse(&r.options, argc, argv);
	if (code != HP_GO_ON)
		return code;
	r.messages.quiet = r.options.common.quiet;
	r.messages.verbose = r.options.common.verbose;
	hp_signals_install();
	confine(&r);
	st = open_both(&r, &err);
	if (st == HP_OK) {
		st = convert(&r, &err);
		if (st == HP_OK) {
			st = hp_sink_commit(r.sink, &err);
			r.sink = NULL;
		}
		if (st == HP_OK)
			tell(&r);
		else
			hp_message_failure(&r.messages, r.options.input, &err);
	}
	code = st == HP_OK || r.src ? exit_of(st) : HP_EXIT_TROUBLE;
	hp_sink_abort(r.sink);
	hp_source_close(r.src);
	return code;
}
