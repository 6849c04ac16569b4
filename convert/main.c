/* main.c - the program hprof-convert: options, input, output, exit status */
#include "common/base/memory.h"
#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/cli/resources.h"
#include "common/cli/message.h"
#include "common/components/components.h"
#include "common/base/threads.h"
#include "convert/agent/agent.h"
#include "convert/pipeline.h"

#include <unistd.h>

enum {
	FIXED = 24 << 20, /* memory that every conversion needs, in bytes */
	/*
	 * additional memory for each thread, in bytes: for its part of the dump
	 * and the output of this part
	 */
	THREAD_BYTES = 12 << 20,
};

struct run {
	struct hp_convert_options options;
	struct hp_messages messages;
	struct hp_source *src;
	struct hp_sink *sink;
	struct hp_pipeline stages;
	/*
	 * the memory limit that the process had before --memory was applied,
	 * from hp_machine_limit(); 0: --memory was not applied
	 */
	uint64_t unlimited;
	/* time when the program started, from hp_elapsed_begin() */
	uint64_t begun;
	struct hp_agent_connection connection;
	/*
	 * receives a dump from the agent of a JVM; NULL: no agent is connected
	 */
	struct hp_agent_receiver *receiver;
	struct hp_agent_received received;
};

/*
 * Returns how many bytes of memory a thread needs for writing a pack. A small
 * dump needs no more than its own size. A single long item, such as a long
 * string, may need more than --memory allows. The result then excludes such an
 * item, and o->pack_most makes the conversion fail if the item occurs.
 */
static uint64_t
pack_memory(const struct run *r, struct hp_sink_options *o)
{
	const struct hp_pack_vtable *p = hp_packs;
	uint64_t size = hp_source_size(r->src), usual = p->usual_part(size);
	uint64_t part = size < p->part ? size : p->part;

	/* an empty input also becomes a pack, so allow some memory for it */
	if (part == 0)
		part = 1;
	if (r->options.common.memory < p->packing(o->level, part) + FIXED &&
	    usual < part) {
		o->pack_most = usual;
		part = usual;
	}
	return p->packing(o->level, part);
}

/*
 * Choose the number of threads for writing a pack, so that they use at most
 * three quarters of --memory. This does not change the output.
 */
static enum hp_status
pack_threads(struct run *r, struct hp_sink_options *o, struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	uint64_t most;

	if (o->compression != HP_COMPRESSION_PACK)
		return HP_OK;
	most = pack_memory(r, o);
	o->threads =
		hp_pack_vtable_threads(most, c->memory / 4 * 3, c->threads);
	r->options.packing = most * (o->threads ? o->threads : 1);
	if (c->memory >= most + FIXED)
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "packing needs %llu MB, more than --memory; allow more",
		       (unsigned long long)(most + FIXED) >> 20);
}

static const char *
output_name(const struct run *r)
{
	return r->options.output ? r->options.output : "standard output";
}

static bool
is_plain(const struct hp_convert_options *o)
{
	return hp_convert_holds(o, HP_OUTPUT_DUMP) && !hp_convert_rewrites(o) &&
	       !hp_policy_strips(&o->policy);
}

/*
 * Returns the functions that convert a text of the HPROF agent into a dump.
 * Returns NULL if the bytes of the input must not change.
 */
static const struct hp_translation *
translation(const struct run *r)
{
	const struct hp_convert_options *o = &r->options;

	return o->raw || (o->compression == HP_COMPRESSION_PACK && is_plain(o))
		       ? NULL
		       : hp_agent_text;
}

/*
 * Whether the output file exists and must not be replaced. This is checked
 * before an agent connects, because an agent sends its dump only once.
 */
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

static bool
connect_agent(struct run *r)
{
	struct hp_agent_listen *l = &r->options.agent;
	struct hp_error err = {0};

	l->commands = &r->options.send;
	l->max_size = r->options.common.max_size;
	l->raw = r->options.raw;
	l->messages = &r->messages;
	if (output_is_there(r))
		return false;
	if (hp_agent_accept(l, &r->connection, &err) == HP_OK)
		return true;
	hp_message_failure(&r->messages, r->options.input, &err);
	return false;
}

/*
 * Print how the connection to the agent ended. Returns false if it ended too
 * early. @made: an output was written.
 */
static bool
print_end(const struct run *r, bool made)
{
	static const char *const ends[] = {
		[HP_AGENT_CLOSED] = NULL,
		[HP_AGENT_STOPPED] = NULL,
		[HP_AGENT_VANISHED] = "the connection to the agent was lost",
		[HP_AGENT_TOO_MUCH] = "the agent sent more than --max-size"};
	const struct hp_agent_received *in = &r->received;
	const char *end = ends[in->end];
	const char *heap = in->heap_open && !r->options.raw
				   ? "; the heap dump in the output ends there"
				   : "";
	unsigned long long lost = in->lost;

	if (in->end == HP_AGENT_CLOSED && (lost || in->heap_open))
		end = lost ? "the agent ended inside a record"
			   : "the agent ended inside a heap dump";
	if (end && !made)
		hp_message(&r->messages, HP_MESSAGE_ERROR, r->options.input,
			   "%s", end);
	else if (end)
		hp_message(&r->messages, HP_MESSAGE_ERROR, r->options.input,
			   "%s; kept the %llu bytes up to the end of the last "
			   "complete record, dropped the %llu bytes after it%s",
			   end, (unsigned long long)in->bytes, lost, heap);
	else if ((lost || in->heap_open) && made)
		hp_message(&r->messages, HP_MESSAGE_NOTE, r->options.input,
			   "stopped; dropped the %llu bytes after the last "
			   "complete record%s",
			   lost, heap);
	return !end;
}

static enum hp_status
open_input(struct run *r, const struct hp_source_options *so,
	   struct hp_error *err)
{
	const char *name = r->options.input;
	enum hp_status st;
	int fd;

	if (!r->options.agent.address)
		return hp_source_open(&r->src, name, so, err);
	st = hp_agent_receive(&r->receiver, &r->options.agent, &r->connection,
			      &fd, err);
	return st == HP_OK ? hp_source_open_fd(&r->src, fd, name, so, err) : st;
}

/*
 * End the connection to the agent. If received bytes could not be stored,
 * return false and store this error in *@st and @err. This error replaces an
 * error of the conversion, because it has caused the other one.
 */
static bool
end_connection(struct run *r, enum hp_status *st, struct hp_error *err)
{
	struct hp_error lost = {0};
	enum hp_status kept =
		hp_agent_receiver_finish(r->receiver, &r->received, &lost);

	r->receiver = NULL;
	if (kept == HP_OK)
		return true;
	*st = kept;
	*err = lost;
	return false;
}

static enum hp_status
open_both(struct run *r, struct hp_error *err)
{
	const struct hp_options *c = &r->options.common;
	const struct hp_source_options so = {
		.threads = c->threads,
		.max_size = c->max_size,
		.memory = c->memory / 4 * 3,
		.holes = r->options.salvage,
		.packing = hp_packs,
		.translation = translation(r),
		.digest = hp_convert_holds(&r->options, HP_OUTPUT_FOLDER),
		.restore = is_plain(&r->options)};
	struct hp_sink_options ko = {
		.compression = r->options.compression,
		.level = r->options.level,
		.packing = hp_packs,
		.force = c->force,
		.sync = c->sync,
		.threads = c->threads,
		.memory = c->memory / 4 * 3,
		.text = hp_convert_holds(&r->options, HP_OUTPUT_LINES),
		.verify = r->options.verify,
		.write_only = !c->output_is_read};
	enum hp_status st = open_input(r, &so, err);

	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	/*
	 * Remove the limit of the operating system for the memory of this
	 * process. For a pack, this limit is not needed: the memory for reading
	 * it is computed in advance, for the worst case.
	 */
	if (r->unlimited && hp_source_is_pack(r->src))
		hp_machine_unlimit(r->unlimited);
	st = pack_threads(r, &ko, err);
	if (st != HP_OK) {
		hp_message_failure(&r->messages, r->options.input, err);
		return st;
	}
	ko.input = r->src;
	if (hp_convert_holds(&r->options, HP_OUTPUT_FOLDER))
		st = hp_table_set_open(&r->stages.tables,
				       c->output_is_folder ? r->options.output
							   : NULL,
				       c->sync, r->src, err);
	if (st == HP_OK && !c->output_is_folder)
		st = hp_sink_open(&r->sink, r->options.output, &ko, err);
	if (st == HP_OK)
		return HP_OK;
	/*
	 * opening a pack for output writes its first bytes; this fails if the
	 * output is a pipe that its reader has closed
	 */
	hp_signals_end_closed(err);
	hp_message_failure(&r->messages, output_name(r), err);
	return st;
}

static void
print_work(const struct run *r, uint64_t written)
{
	struct hp_buf b = {0};
	uint64_t taken, total;

	hp_source_progress(r->src, &taken, &total);
	if (total > taken)
		/*
		 * The last pass did not read the whole input, so show the total
		 * size instead.
		 */
		taken = total;
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

/*
 * Run the conversion. If it succeeds, the output file appears at its path. An
 * error message begins with the path of the file that caused it: the input or
 * the output.
 */
static enum hp_status
convert_input(struct run *r, struct hp_error *err)
{
	const char *about = r->options.input;
	struct hp_archive archives[HP_SOURCE_ARCHIVES];
	struct hp_progress *p;
	uint64_t written = 0;
	size_t narchives;
	enum hp_status st;

	p = hp_progress_start(r->options.common.progress, stderr,
			      "hprof-convert");
	r->messages.progress = p;
	r->stages.options = &r->options;
	r->stages.progress = p;
	st = hp_pipeline_run(&r->stages, r->src, r->sink, err);
	hp_progress_stop(p);
	r->messages.progress = NULL;
	/* if the output file caused the error, the message must name it */
	if (st == HP_OK || (r->sink ? hp_sink_refused(r->sink)
				    : r->stages.tables.folder.refused))
		about = output_name(r);
	if (r->receiver && !end_connection(r, &st, err))
		about = r->options.input;
	if (st == HP_OK && !r->sink) {
		written = hp_table_set_bytes(&r->stages.tables);
		st = hp_output_folder_commit(&r->stages.tables.folder, err);
	} else if (st == HP_OK) {
		written = hp_sink_written(r->sink);
		st = hp_sink_commit(r->sink, err);
		r->sink = NULL;
	}
	if (st != HP_OK)
		hp_signals_end_closed(err);
	narchives = hp_source_archives(r->src, archives);
	hp_message_archives(&r->messages, r->options.input, archives,
			    narchives);
	if (st == HP_NOMEM && r->options.common.memory_given)
		hp_message(&r->messages, HP_MESSAGE_ERROR, about,
			   "the tables for this input do not fit in --memory; "
			   "allow more");
	else if (st != HP_OK)
		hp_message_failure(&r->messages, about, err);
	if (st != HP_OK)
		return st;
	/*
	 * The input file has more bytes after the end of the compressed data,
	 * so warn.
	 */
	if (hp_source_trailing(r->src))
		hp_message(&r->messages, HP_MESSAGE_WARNING, r->options.input,
			   "ignored the bytes after the end of the compressed "
			   "data");
	hp_summary(&r->stages, &r->messages);
	print_work(r, written);
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

/*
 * Apply --memory: limit the memory of the process and the number of threads.
 * Returns false after printing a message if --memory is too small.
 */
static bool
take_resources(struct run *r)
{
	struct hp_options *common = &r->options.common;

	if (common->memory < FIXED) {
		hp_message(&r->messages, HP_MESSAGE_ERROR, NULL,
			   "--memory: a conversion needs at least %d MB; allow "
			   "more",
			   FIXED >> 20);
		return false;
	}
	/*
	 * With the object graph there is no limit of the operating system,
	 * because the graph reserves more address space than it uses. The graph
	 * itself observes --memory.
	 */
	if (common->memory_given && !r->options.graph &&
	    r->options.compression != HP_COMPRESSION_PACK)
		r->unlimited = hp_machine_limit(common->memory);
	hp_tune_malloc(common->memory);
	/*
	 * if --memory is small, use fewer threads, which does not change the
	 * output
	 */
	common->threads = hp_threads_within(common->threads, common->memory / 2,
					    FIXED, THREAD_BYTES);
	return true;
}

static bool
read_mappings(struct run *r)
{
	struct hp_error err = {0};
	const char *path = NULL;

	if (hp_mappings_read(&r->options.mappings, &path, &err) == HP_OK)
		return true;
	hp_message_failure(&r->messages, path, &err);
	return false;
}

static int
run(struct run *r)
{
	bool listens = r->options.agent.address != NULL;
	struct hp_error err = {0};
	int code = HP_EXIT_TROUBLE;
	enum hp_status st;

	if (!take_resources(r) || !read_mappings(r) ||
	    (listens && !connect_agent(r)))
		return HP_EXIT_TROUBLE;
	hp_confine(&r->options.common, listens ? 0 : 1, r->options.output,
		   &r->messages);
	warn_about_suffix(r);
	r->begun = hp_elapsed_begin();
	st = open_both(r, &err);
	if (st == HP_OK)
		st = convert_input(r, &err);
	if (st == HP_OK)
		code = HP_EXIT_OK;
	else if (r->src && (st == HP_DAMAGED || st == HP_TRUNCATED))
		code = HP_EXIT_FOUND;
	if (r->receiver && !end_connection(r, &st, &err))
		hp_message_failure(&r->messages, r->options.input, &err);
	if (listens && r->src && !print_end(r, st == HP_OK))
		code = hp_exit_worse(code, HP_EXIT_FOUND);
	return code;
}

static void
run_release(struct run *r)
{
	hp_sink_abort(r->sink);
	hp_table_set_release(&r->stages.tables);
	hp_source_close(r->src);
	hp_buf_release(&r->options.send.bytes);
	hp_mappings_release(&r->options.mappings);
}

int
main(int argc, char **argv)
{
	struct run r = {
		.messages = {.program = "hprof-convert", .file = stderr}};
	int code;

	hp_streams_guard();
	code = hp_convert_options_parse(&r.options, argc, argv);
	if (code == HP_GO_ON) {
		r.messages.quiet = r.options.common.quiet;
		r.messages.verbose = r.options.common.verbose;
		hp_signals_install();
		code = run(&r);
	}
	run_release(&r);
	return code;
}
