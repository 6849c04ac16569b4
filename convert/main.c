/*
 * main.c - hprof-convert: options, input, output, exit code
 */
#include "common/cli/machine.h"
#include "common/cli/message.h"
#include "common/cli/progress.h"
#include "common/cli/sandbox.h"
#include "common/cli/signals.h"
#include "common/cli/terminal.h"
#include "common/pack/packing.h"
#include "common/text/translation.h"
#include "common/threads.h"
#include "convert/agent_listen.h"
#include "convert/stages.h"
#include "convert/tell.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	FIXED = 24 << 20,	 /* bytes that any conversion may take */
	THREAD_BYTES = 12 << 20, /* of batches and what becomes of them */
};

struct run {
	struct hp_convert_options options;
	struct hp_messages messages;
	struct hp_source *src;
	struct hp_sink *sink;
	struct hp_stages stages;
	int connection; /* of an agent, until it is received */
	struct hp_agent_received received;
};

static void
confine(const struct run *r)
{
	const char *tmp = getenv("TMPDIR");
	const struct hp_sandbox_rules rules = {
		.inputs = r->options.common.arguments,
		.input_count = r->options.listen ? 0 : 1,
		.output = r->options.output,
		.folder = tmp && *tmp ? tmp : "/tmp",
	};

	if (r->options.common.sandbox)
		hp_sandbox_enter(&rules);
}

/*
 * Packing takes three quarters of --memory at the most; it can do with a part
 * of a pack at a time.
 */
static enum hp_status
pack_threads(const struct run *r, struct hp_sink_options *o,
	     struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	uint64_t most = hp_packing.packing, size = hp_source_size(r->src);

	if (o->compression != HP_COMPRESSION_PACK)
		return HP_OK;
	o->threads = hp_packing_threads(most, 1, c->memory / 4 * 3, c->threads);
	if (size < hp_packing.part)
		most = most * size / hp_packing.part;
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

/* Is the dump copied as it is? */
static bool
is_plain(const struct hp_convert_options *o)
{
	return o->to == HP_TO_HPROF && !hp_convert_rewrites(o);
}

/* The agent's text becomes a dump, unless its bytes are what is wanted. */
static const struct hp_translation *
translation(const struct run *r)
{
	const struct hp_convert_options *o = &r->options;

	return o->raw || o->compression == HP_COMPRESSION_PACK
		       ? NULL
		       : &hp_text_translation;
}

/* What an agent sent once it does not send again: look before it comes. */
static bool
output_is_there(const struct run *r)
{
	const char *path = r->options.output;

	if (!path || r->options.common.force || access(path, F_OK) != 0)
		return false;
	hp_message(&r->messages, HP_MESSAGE_ERROR, path,
		   "exists; --force replaces it");
	return true;
}

static struct hp_agent_listen
listen_of(const struct run *r)
{
	const struct hp_convert_options *o = &r->options;

	return (struct hp_agent_listen){.address = o->listen,
					.commands = &o->send,
					.every = o->send_every,
					.idle = o->idle,
					.most = o->listen_time,
					.max_size = o->common.max_size,
					.messages = &r->messages};
}

/* Waits for the agent; false: it was said why there is none. */
static bool
connect_agent(struct run *r)
{
	const struct hp_agent_listen l = listen_of(r);
	struct hp_error err = {0};

	if (output_is_there(r))
		return false;
	if (hp_agent_accept(&l, &r->connection, &err) == HP_OK)
		return true;
	hp_message_failure(&r->messages, r->options.input, &err);
	return false;
}

/* How the connection ended; false: not as it should. */
static bool
tell_received(const struct run *r)
{
	static const char *const ends[] = {
		[HP_AGENT_CLOSED] = NULL,
		[HP_AGENT_STOPPED] = NULL,
		[HP_AGENT_VANISHED] = "the agent has vanished",
		[HP_AGENT_TOO_MUCH] = "sends more than --max-size"};
	const struct hp_agent_received *in = &r->received;
	const char *end = ends[in->end];
	unsigned long long lost = in->lost;

	if (lost && !end && in->end == HP_AGENT_CLOSED)
		end = "the agent ended inside a record";
	if (end)
		hp_message(&r->messages, HP_MESSAGE_ERROR, r->options.input,
			   "%s; kept are the %llu bytes up to the last record, "
			   "%llu behind it are not",
			   end, (unsigned long long)in->bytes, lost);
	else if (lost)
		hp_message(&r->messages, HP_MESSAGE_NOTE, r->options.input,
			   "stopped; %llu bytes behind the last record are not "
			   "kept",
			   lost);
	return !end;
}

/* All that the agent sends, before anything is made of it. */
static enum hp_status
receive(struct run *r, struct hp_error *err)
{
	const struct hp_agent_listen l = listen_of(r);
	enum hp_status st;

	if (!r->options.listen)
		return HP_OK;
	st = hp_agent_receive(&l, r->connection, &r->received, err);
	if (st != HP_OK)
		hp_message_failure(&r->messages, r->options.input, err);
	return st;
}

static enum hp_status
open_both(struct run *r, struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	const struct hp_source_options so = {.threads = c->threads,
					     .max_size = c->max_size,
					     .memory = c->memory / 4 * 3,
					     .holes = r->options.salvage,
					     .packing = &hp_packing,
					     .translation = translation(r),
					     .restore = is_plain(&r->options)};
	struct hp_sink_options ko = {.compression = r->options.compression,
				     .level = r->options.level,
				     .packing = &hp_packing,
				     .force = c->force,
				     .sync = c->sync,
				     .threads = c->threads,
				     .memory = c->memory / 4 * 3,
				     .text = r->options.to != HP_TO_HPROF,
				     .verify = r->options.verify};
	enum hp_status st =
		r->options.listen
			? hp_source_open_fd(&r->src, r->received.fd,
					    r->options.input, &so, err)
			: hp_source_open(&r->src, r->options.input, &so, err);

	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	st = pack_threads(r, &ko, err);
	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	ko.input = r->src;
	st = hp_sink_open(&r->sink, r->options.output, &ko, err);
	if (st != HP_OK)
		hp_message_failure(&r->messages, output_name(r), err);
	return st;
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

/* Transforms and shows the output; a failure is told with what it is about. */
static enum hp_status
convert(struct run *r, struct hp_error *err)
{
	const char *about = r->options.input;
	struct hp_progress *p;
	enum hp_status st;

	p = hp_progress_start(r->options.common.progress, stderr,
			      "hprof-convert");
	r->messages.progress = p;
	r->stages.options = &r->options;
	r->stages.progress = p;
	st = hp_stages_run(&r->stages, r->src, r->sink, err);
	hp_progress_stop(p);
	r->messages.progress = NULL;
	if (st == HP_OK || hp_sink_refused(r->sink))
		about = output_name(r);
	if (st == HP_OK) {
		st = hp_sink_commit(r->sink, err);
		r->sink = NULL;
	}
	if (st == HP_OK)
		hp_tell(&r->stages, &r->messages);
	else
		hp_message_failure(&r->messages, about, err);
	return st;
}

static void
warn_of_name(const struct run *r)
{
	const char *wrong = hp_convert_misnomer(&r->options);

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
	if (code != HP_GO_ON) {
		hp_buf_release(&r.options.send.bytes);
		return code;
	}
	r.messages.quiet = common->quiet;
	r.messages.verbose = common->verbose;
	hp_signals_install();
	hp_machine_heap();
	/* fewer where --memory is little: the output is the same */
	common->threads = hp_threads_within(common->threads, common->memory / 2,
					    FIXED, THREAD_BYTES);
	if (r.options.listen && !connect_agent(&r)) {
		hp_buf_release(&r.options.send.bytes);
		return HP_EXIT_TROUBLE;
	}
	confine(&r);
	warn_of_name(&r);
	st = receive(&r, &err);
	if (st == HP_OK)
		st = open_both(&r, &err);
	if (st == HP_OK)
		st = convert(&r, &err);
	code = st == HP_OK || r.src ? exit_of(st) : HP_EXIT_TROUBLE;
	if (r.options.listen && r.src && !tell_received(&r))
		code = hp_exit_worse(code, HP_EXIT_FOUND);
	hp_sink_abort(r.sink);
	hp_source_close(r.src);
	hp_buf_release(&r.options.send.bytes);
	return code;
}
