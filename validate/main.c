/*
 * main.c - hprof-validate: parse options, check the files, write the report
 */
#include <string.h>

#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/cli/message.h"
#include "common/cli/output.h"
#include "common/cli/resources.h"
#include "common/base/memory.h"
#include "common/base/threads.h"
#include "validate/options.h"
#include "validate/baseline.h"
#include "validate/report/report.h"

static int
print_rules(const struct hp_validate_command *c, const struct hp_messages *m)
{
	const struct hp_output_options options = {.path = c->common.output,
						  .force = c->common.force,
						  .sync = c->common.sync};
	struct hp_output out = {0};
	struct hp_buf b = {0};
	struct hp_error err = {0};
	enum hp_status st = hp_output_open(&out, &options, &err);

	if (c->explains)
		hp_validate_explain(&b, c->explain);
	else
		hp_validate_list_rules(&b);
	if (st == HP_OK)
		st = hp_buf_flush(&b, out.file, &err);
	hp_buf_release(&b);
	return hp_output_end(&out, st, HP_EXIT_OK, m, c->common.output, &err);
}

/* Returns the exit status for the result of one file. */
static int
file_status(const struct hp_validation *v, bool strict)
{
	if (hp_validation_failed(v))
		return HP_EXIT_TROUBLE;
	if (v->verdict == HP_INVALID ||
	    (strict && v->totals[HP_SEVERITY_WARNING] > 0))
		return HP_EXIT_FOUND;
	return hp_validation_left_out(v) ? HP_EXIT_TROUBLE : HP_EXIT_OK;
}

/* With -v, print a message like "6.1 MB checked, 0.1 s, 2 threads". */
static void
tell_work(const struct hp_validate_command *c, const struct hp_messages *m,
	  const struct hp_validation *v, uint64_t begun)
{
	struct hp_buf b = {0};

	hp_size_text(&b, v->bytes);
	hp_buf_text(&b, " checked");
	hp_elapsed_text(&b, begun, c->run.threads);
	hp_message(m, HP_MESSAGE_DETAIL, v->path, "%s", hp_buf_string(&b));
	hp_buf_release(&b);
}

/*
 * Returns how important a message about omitted checks is: if the report cannot
 * contain the message (in some output formats), the message is printed even
 * with -q.
 */
static enum hp_message_level
limits_level(const struct hp_validate_command *c)
{
	return hp_validate_format_holds(c->common.format, HP_VALIDATE_LIMITS)
		       ? HP_MESSAGE_WARNING
		       : HP_MESSAGE_RESULT;
}

static void
tell_mapping(const struct hp_messages *m, const struct hp_validation *v)
{
	struct hp_buf b = {0};
	bool fits = hp_rename_fit(&v->renamed, &b);

	if (v->verdict != HP_UNREADABLE)
		hp_message(m, fits ? HP_MESSAGE_NOTE : HP_MESSAGE_WARNING,
			   v->path, "%s", hp_buf_string(&b));
	hp_buf_release(&b);
}

/*
 * Check one file and print its messages. In the text format, also write the
 * part of the report about this file.
 */
static enum hp_status
check_file(const struct hp_validate_command *c,
	   const struct hp_validate_baseline *baseline,
	   const struct hp_messages *m, const struct hp_validate_report *r,
	   struct hp_validation *v, FILE *out, struct hp_error *err)
{
	const char *path = c->common.arguments[v - r->files];
	uint64_t begun = hp_elapsed_begin();

	hp_validate_file(path, &c->run, v);
	if (baseline)
		hp_validate_baseline_apply(baseline, &c->run, v);
	if (hp_validation_failed(v))
		hp_message_failure(m, path, &v->error);
	if (c->run.mappings.count > 0)
		tell_mapping(m, v);
	for (size_t k = 0; k < v->nlimits; k++)
		hp_message(m, limits_level(c), path, "%s", v->limits[k]);
	hp_message_archives(m, path, v->archives, v->narchives);
	hp_message_graph_in_files(m, path, v->graph_in_files);
	if (v->verdict != HP_UNREADABLE)
		tell_work(c, m, v, begun);
	hp_progress_clear(m->progress);
	if (!hp_validate_format_holds(c->common.format, HP_VALIDATE_EACH_FILE))
		return HP_OK;
	return hp_validate_text_file(r, (size_t)(v - r->files), out, err);
}

/*
 * The formats that consist of rows for databases have no function in this
 * table: hp_validate_rows_file() writes the rows of each file as soon as it is
 * checked.
 */
#define hp_validate_report_each_file NULL

/*
 * Returns the function that writes the report in the format @format. The
 * functions are in the order of formats.def.
 */
static hp_validate_writer *
writer_of(const char *format)
{
#define FORMAT(name, suffixes, writer, holds) hp_validate_report_##writer,
	static hp_validate_writer *const writers[] = {
#include "validate/formats.def"
	};

	return writers[hp_validate_format(format)];
}

static enum hp_status
check_files(const struct hp_validate_command *c,
	    const struct hp_validate_baseline *baseline,
	    const struct hp_messages *m, struct hp_validation *files, FILE *out,
	    int *status, struct hp_error *err)
{
	const struct hp_validate_report report = {
		.files = files,
		.count = c->common.argument_count,
		.disabled = c->run.disabled,
		.min_severity = hp_validate_min_severity(c),
		.strict = c->strict,
		.color = hp_color_wanted(c->common.color, out),
		.quiet = c->common.quiet,
		.verbose = c->common.verbose,
		.command = c->command,
		.sandbox_missing = c->sandbox_missing};
	const bool in_rows =
		hp_validate_format_holds(c->common.format, HP_VALIDATE_ROWS);
	struct hp_flat_rows rows = {0};
	enum hp_status st = HP_OK;

	if (in_rows)
		hp_validate_rows_open(&rows, c->common.format, &c->labels, out);
	for (size_t i = 0; st == HP_OK && i < report.count; i++) {
		st = check_file(c, baseline, m, &report, &files[i], out, err);
		*status = hp_exit_worse(*status,
					file_status(&files[i], c->strict));
		if (st == HP_OK && in_rows)
			st = hp_validate_rows_file(&rows, &files[i],
						   report.min_severity, err);
		/*
		 * The rows of this file were written, so its result is no
		 * longer needed.
		 */
		if (in_rows)
			hp_validation_release(&files[i]);
	}
	hp_flat_release(&rows);
	return st == HP_OK && !in_rows
		       ? writer_of(c->common.format)(&report, out, err)
		       : st;
}

static int
run_checks(struct hp_validate_command *c, struct hp_messages *m,
	   const struct hp_validate_baseline *baseline)
{
	const struct hp_output_options options = {
		.path = c->common.output,
		.force = c->common.force,
		.sync = c->common.sync,
		.inputs = c->common.arguments,
		.input_count = c->common.argument_count};
	size_t n = c->common.argument_count;
	struct hp_validation *files = hp_calloc(n, sizeof(*files));
	struct hp_output out = {0};
	struct hp_error err = {0};
	enum hp_status st = files ? HP_OK : hp_no_memory(&err);
	int status = HP_EXIT_OK;

	if (c->baseline && hp_output_is_input(c->common.output, c->baseline))
		st = hp_fail(&err, HP_IO,
			     "is the baseline; choose another output");
	if (st == HP_OK)
		st = hp_output_open(&out, &options, &err);
	if (st == HP_OK)
		st = check_files(c, baseline, m, files, out.file, &status,
				 &err);
	for (size_t i = 0; files && i < n; i++)
		hp_validation_release(&files[i]);
	hp_free(files);
	return hp_output_end(&out, st, status, m, c->common.output, &err);
}

static void
apply_common_options(struct hp_validate_command *c)
{
	/*
	 * Use fewer threads if the memory is too small for the sets of object
	 * ids of all threads. The result is the same.
	 */
	c->run.threads =
		hp_threads_within(c->common.threads, c->common.memory / 2,
				  HP_VALIDATE_FIXED, HP_VALIDATE_FIXED_THREAD);
	c->run.memory = c->common.memory;
	c->run.max_size = c->common.max_size;
	c->run.dump = (unsigned)c->common.dump;
	c->run.identify =
		hp_validate_format_holds(c->common.format, HP_VALIDATE_ROWS);
	c->run.places =
		hp_validate_format_holds(c->common.format, HP_VALIDATE_MAP);
}

/*
 * Read the baseline, before the process enters its sandbox. No dump is in
 * memory yet, so the baseline may use nearly all of --memory. The checks may
 * use the rest.
 */
static enum hp_status
open_baseline(struct hp_validate_command *c,
	      struct hp_validate_baseline **baseline, struct hp_error *err)
{
	return c->baseline
		       ? hp_validate_baseline_open(baseline, c->baseline, err)
		       : HP_OK;
}

static int
start_report(struct hp_validate_command *c, struct hp_messages *m)
{
	struct hp_validate_baseline *baseline = NULL;
	const char *mapping = NULL;
	struct hp_error err = {0};
	int status = HP_EXIT_TROUBLE;

	if (open_baseline(c, &baseline, &err) != HP_OK) {
		hp_message_failure(m, c->baseline, &err);
	} else if (hp_mappings_read(&c->run.mappings, &mapping, &err) !=
		   HP_OK) {
		hp_message_failure(m, mapping, &err);
	} else {
		apply_common_options(c);
		c->sandbox_missing =
			hp_confine(&c->common, c->common.argument_count,
				   c->common.output, m);
		m->progress = hp_progress_start(c->common.progress, stderr,
						"hprof-validate");
		c->run.progress = m->progress;
		status = run_checks(c, m, baseline);
		hp_progress_stop(m->progress);
	}
	hp_validate_baseline_close(baseline);
	return status;
}

static int
run_command(struct hp_validate_command *c)
{
	struct hp_messages m = {.program = "hprof-validate", .file = stderr};
	uint64_t limit, apart;
	const char *wrong;

	m.quiet = c->common.quiet;
	m.verbose = c->common.verbose;
	if (c->list_rules || c->explains)
		return print_rules(c, &m);
	wrong = hp_options_inputs(&c->common);
	if (wrong)
		return hp_program_usage_error(&hp_validate_program, stderr,
					      "%s", wrong);
	if (c->labels.count > 0 &&
	    !hp_validate_format_holds(c->common.format, HP_VALIDATE_ROWS))
		return hp_program_usage_error(
			&hp_validate_program, stderr,
			"--label adds a column, which only --format=rows and "
			"tsv have");
	hp_signals_install();
	hp_tune_malloc(c->common.memory);
	limit = hp_validate_memory(c->common.memory, c->common.threads, &apart);
	hp_memory_limit(limit + apart, apart);
	return start_report(c, &m);
}

int
main(int argc, char **argv)
{
	struct hp_validate_command c;
	struct hp_buf command = {0};
	int status;

	hp_streams_guard();
	hp_validate_command_init(&c);
	hp_command_line_text(&command, argc, argv);
	c.command = hp_buf_string(&command);
	status = hp_options_parse(&hp_validate_program, argc, argv, &c.common,
				  &c, stdout, stderr);
	if (status == HP_GO_ON && !hp_buf_ok(&command))
		status = hp_program_usage_error(&hp_validate_program, stderr,
						"out of memory");
	if (status == HP_GO_ON)
		status = run_command(&c);
	hp_validate_command_release(&c);
	hp_buf_release(&command);
	return status;
}
