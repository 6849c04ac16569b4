/*
 * main.c - the program hprof-diff: parse options, compare, write the report
 */
#include "common/base/memory.h"
#include "common/options/options.h"
#include "common/cli/quantity.h"
#include "common/cli/message.h"
#include "common/cli/output.h"
#include "common/cli/resources.h"
#include "diff/internal.h"
#include "diff/options.h"
#include "diff/paths/paths.h"
#include "diff/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	HP_TABLE_TOP = 30,
	/*
	 * maximum number of rows that the message about a failed gate
	 * (--fail-if) lists
	 */
	HP_TOLD = 5
};

/* Values that are equal for all dumps of a run. */
struct run_limits {
	const char *command;
	/*
	 * HP_SANDBOX_ bits of the sandbox features that this system does not
	 * have, see hp_confine()
	 */
	unsigned sandbox_missing;
	struct hp_known *known; /* the file of --known; NULL: not given */
};

/*
 * The maximum number of rows to show: 30 in a table on a terminal, otherwise 0,
 * which means all rows.
 */
static size_t
row_limit(const struct hp_diff_options *o)
{
	if (o->top_given)
		return o->top < SIZE_MAX ? (size_t)o->top : 0;
	return hp_diff_holds(o, HP_FORMAT_SCREEN) ? HP_TABLE_TOP : 0;
}

/*
 * Returns a text that says why a gate (--fail-if) cannot be combined with this
 * --by key, or NULL if it can.
 */
static const char *
find_gate_conflict(const struct hp_diff_options *o, const struct hp_gate *g)
{
	if (hp_key_is(o->by, HP_KEY_OVERLAPS) && g->of == HP_GATE_TOTAL)
		return "with this --by, an object can count in several rows, "
		       "so there is no total; use --by=class";
	if (hp_key_is(o->by, HP_KEY_OWNERS) && g->of == HP_GATE_TOTAL &&
	    !hp_gate_is_retained(g->what))
		return "with --by=dominator, this total would count only the "
		       "owners and not the objects that they retain; use "
		       "'total retained' or 'total retained-count'";
	return NULL;
}

/*
 * Whether a finding needs the object graph. Other findings need the rows of
 * --by=waste.
 */
static bool
needs_graph(const struct hp_diff_options *o, enum hp_unusual finding)
{
	return !hp_key_is(o->by, HP_KEY_WASTE) ||
	       (finding != HP_UNUSUAL_STRINGS && finding != HP_UNUSUAL_WASTE);
}

static enum hp_status
check_gates(struct hp_result *r, const struct hp_diff_options *o,
	    struct hp_error *err)
{
	const char *conflict;

	r->gates =
		hp_calloc(o->gate_count ? o->gate_count : 1, sizeof(*r->gates));
	if (!r->gates)
		return hp_no_memory(err);
	for (size_t i = 0; i < o->gate_count; i++) {
		struct hp_gate *g = &r->gates[i];

		if (hp_gate_parse(g, o->gates[i], err) != HP_OK)
			return err->status;
		r->ngates++;
		if (g->of == HP_GATE_FINDING) {
			r->rows.retained |= needs_graph(o, g->finding);
			continue;
		}
		if (g->growth && r->ndumps < 2)
			return hp_fail(err, HP_DAMAGED, "%s",
				       o->flat ? "--format=rows and tsv show "
						 "each dump by itself, so they "
						 "cannot check growth gates"
					       : "a growth gate needs two "
						 "dumps");
		if (hp_column_is(g->what, HP_COLUMN_IS_OF_SERIES) &&
		    r->ndumps < 3)
			return hp_fail(err, HP_DAMAGED,
				       "\"%.60s\" needs three or more dumps",
				       o->gates[i]);
		if (!(hp_columns[g->what].keys & 1u << o->by))
			return hp_fail(err, HP_DAMAGED,
				       "\"%.60s\": --by=%s has no column %s",
				       o->gates[i], hp_by_name(o->by),
				       hp_columns[g->what].word);
		r->rows.retained |= hp_gate_is_retained(g->what);
		conflict = find_gate_conflict(o, g);
		if (conflict)
			return hp_fail(err, HP_DAMAGED, "\"%.60s\": %s",
				       o->gates[i], conflict);
	}
	return HP_OK;
}

static bool
has_gates(const struct hp_diff_options *o)
{
	return hp_diff_holds(o, HP_FORMAT_WHOLE);
}

/*
 * Warn about entries of the --known file that have expired, or that match no
 * suspect and no finding. Returns the exit status.
 */
static int
report_known(const struct hp_known *k, const struct hp_messages *m)
{
	int status = HP_EXIT_OK;
	size_t gone = 0;

	for (size_t i = 0; i < k->count; i++) {
		const struct hp_known_leak *leak = &k->list[i];

		gone += !leak->is_found && !leak->moved_to;
		if (leak->moved_to)
			hp_message(m, HP_MESSAGE_NOTE, k->file,
				   "the known leak %s may now be on another "
				   "path, as the new suspect %s (%s)",
				   leak->fingerprint,
				   leak->moved_to->fingerprint.text,
				   leak->moved_to->label);
		if (!leak->is_expired)
			continue;
		status = HP_EXIT_FOUND;
		hp_message(m, HP_MESSAGE_RESULT, k->file,
			   "%s expired on %s: %s%s%s", leak->fingerprint,
			   leak->expires, leak->reason, leak->owner ? ", " : "",
			   leak->owner ? leak->owner : "");
	}
	if (gone > 0)
		hp_message(m, HP_MESSAGE_NOTE, k->file,
			   "%zu known leak%s not among the suspects", gone,
			   gone == 1 ? " is" : "s are");
	return status;
}

/*
 * Print a message about a gate (--fail-if) that failed. @path: the path of the
 * dump if each dump is checked separately, otherwise NULL.
 */
static void
report_tripped_gate(const struct hp_gate *g, const struct hp_result *r,
		    const char *path, const struct hp_messages *m)
{
	size_t n = hp_gate_failures(r, g);
	struct hp_buf b = {0};

	for (size_t i = 0; i < n && i < HP_TOLD; i++) {
		hp_buf_text(&b, i > 0 ? ", " : ": ");
		hp_gate_failure_name(&b, r, g, i);
	}
	if (n > HP_TOLD)
		hp_buf_printf(&b, " and %zu more", n - HP_TOLD);
	hp_message(m, HP_MESSAGE_NOTE, path, "the gate \"%s\" failed%s",
		   g->text, hp_buf_string(&b));
	hp_buf_release(&b);
}

static void
report_blind_gate(const struct hp_gate *g, const struct hp_result *r,
		  const char *path, const struct hp_messages *m)
{
	enum hp_col retained = hp_column_retained(g->what);

	if (!hp_result_gate_is_blind(r, g))
		return;
	hp_message(m, HP_MESSAGE_WARNING, path,
		   "the gate \"%s\" counts only the objects of the rows, and "
		   "passes; if it also counted the objects that they retain, "
		   "it would fail: use %s%s",
		   g->text, g->growth ? "growth-" : "",
		   hp_columns[retained].word);
}

/*
 * Warn that a gate on a static field may have missed objects. With
 * --by=dominator, an object is in another row if a stack or another field of
 * the class also refers to the object.
 */
static void
report_several(const struct hp_gate *g, const struct hp_result *r,
	       const char *path, const struct hp_messages *m)
{
	if (!hp_key_is(r->by, HP_KEY_OWNERS) || r->unowned_told || g->tripped ||
	    !g->several || !g->statics)
		return;
	hp_message(m, HP_MESSAGE_WARNING, path,
		   "the gate \"%s\" does not check the row \"%s\", whose value "
		   "exceeds the limit: static fields may keep its objects "
		   "alive together with other paths; to check them, use "
		   "--by=path",
		   g->text, g->several->key);
}

/*
 * Print how many objects in the shown rows have only moved there from other
 * paths, for output formats that cannot show this, such as flame graphs.
 */
static void
report_moved(const struct hp_result *r, const struct hp_messages *m)
{
	struct hp_buf b = {0};
	uint64_t objects = 0;
	size_t rows = 0;

	for (size_t i = 0; i < r->nshown; i++) {
		if (!r->shown[i]->moved_from)
			continue;
		hp_sum_add(&objects, r->shown[i]->moved_count);
		rows++;
	}
	if (rows == 0)
		return;
	hp_count_noun_text(&b, objects, "object");
	hp_buf_text(&b, " of ");
	hp_count_noun_text(&b, rows, "row");
	hp_message(m, HP_MESSAGE_NOTE, NULL,
		   "moved: %s may have been on other paths in the first dump",
		   hp_buf_string(&b));
	hp_buf_release(&b);
}

/* Print on standard error those results that the output format cannot show. */
static void
report_left_out(const struct hp_result *r, const struct hp_diff_options *o,
		const char *path, const struct hp_messages *m)
{
	struct hp_buf b = {0};

	if (!hp_diff_holds(o, HP_FORMAT_WHOLE))
		hp_ignored_text(&b, r);
	if (b.len > 0)
		hp_message(m, HP_MESSAGE_NOTE, path, "%s", hp_buf_string(&b));
	hp_buf_release(&b);
	if (!hp_diff_holds(o, HP_FORMAT_MOVED))
		report_moved(r, m);
}

/*
 * Print a message about a gate that was not checked, because no row matches its
 * pattern.
 */
static void
report_unmatched(const struct hp_gate *g, const struct hp_diff_options *o,
		 const char *path, const struct hp_messages *m)
{
	enum hp_message_level level =
		has_gates(o) ? HP_MESSAGE_WARNING : HP_MESSAGE_RESULT;

	if (g->of == HP_GATE_FINDING)
		hp_message(m, level, path,
			   "the gate \"%s\" was not checked: the last input "
			   "does not have what the finding needs",
			   g->text);
	else
		hp_message(m, level, path,
			   "no row matches the gate \"%s\", so it %s", g->text,
			   o->fail_unmatched
				   ? "fails (--fail-unmatched)"
				   : "passes; --fail-unmatched makes it fail");
}

static int
exit_code(const struct hp_result *r, const struct hp_diff_options *o,
	  const struct hp_messages *m)
{
	/*
	 * If no option asks for the object graph, only the numbers and bytes of
	 * objects decide whether the heap has changed. So the exit status does
	 * not depend on whether the graph fits in memory.
	 */
	bool changed = r->graph_unasked ? r->counts_changed : r->changed;
	int status = o->exit_code && changed ? HP_EXIT_FOUND : HP_EXIT_OK;
	const char *path = o->flat ? r->dumps[0].path : NULL;

	report_left_out(r, o, path, m);
	if (r->known)
		status = hp_exit_worse(status, report_known(r->known, m));
	if (o->filter && !r->matched)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "no row matches --filter=%s", o->filter);
	for (size_t i = 0; i < r->ngates; i++) {
		if (!r->gates[i].matched) {
			report_unmatched(&r->gates[i], o, path, m);
			if (o->fail_unmatched)
				status = HP_EXIT_FOUND;
		}
		report_blind_gate(&r->gates[i], r, path, m);
		report_several(&r->gates[i], r, path, m);
		if (!r->gates[i].tripped)
			continue;
		status = HP_EXIT_FOUND;
		if (o->common.output || !has_gates(o))
			report_tripped_gate(&r->gates[i], r, path, m);
	}
	return status;
}

/*
 * With -v, print a summary of the work, for example "2 dumps, 36,804 objects,
 * 0.1 s, 2 threads".
 */
static void
diff_tell_work(const struct hp_result *r, const struct hp_messages *m,
	       uint64_t begun)
{
	struct hp_buf b = {0};

	hp_buf_printf(&b, "%zu dump%s, ", r->ndumps, r->ndumps == 1 ? "" : "s");
	hp_report_work_text(&b, r);
	hp_elapsed_text(&b, begun, r->threads);
	hp_message(m, HP_MESSAGE_DETAIL, NULL, "%s", hp_buf_string(&b));
	hp_buf_release(&b);
}

/*
 * Fail if --fail-if or --exit-code needs the objects of all Android heaps, but
 * a saved result contains only the heaps that --heap had selected.
 */
static int
diff_blind(const struct hp_result *r, const struct hp_diff_options *o,
	   const struct hp_messages *m)
{
	bool all = o->exit_code;

	for (size_t i = 0; i < r->ngates; i++)
		all |= r->gates[i].of != HP_GATE_TOTAL &&
		       r->gates[i].of != HP_GATE_FINDING;
	if (!r->heap_only || !all)
		return HP_EXIT_OK;
	hp_message(
		m, HP_MESSAGE_ERROR, NULL,
		"gates and --exit-code check all heaps, but a result that was "
		"saved with --heap has only one: save it without --heap");
	return HP_EXIT_TROUBLE;
}

/*
 * Fail if --fail-if needs a column that no input has. With --by=cpu this is
 * known only now, because some inputs have samples and others have
 * milliseconds.
 */
static int
diff_lacks_column(const struct hp_result *r, const struct hp_diff_options *o,
		  const struct hp_messages *m)
{
	unsigned own = hp_columns_of_key(r->by) & ~r->absent &
		       hp_columns_that_are(HP_COLUMN_IS_DEFAULT);
	struct hp_buf words = {0};

	for (size_t i = 0; i < r->ngates; i++) {
		if (!(r->absent & 1u << r->gates[i].what) ||
		    r->gates[i].of == HP_GATE_FINDING)
			continue;
		hp_columns_words(&words, own);
		hp_message(
			m, HP_MESSAGE_ERROR, o->flat ? r->dumps[0].path : NULL,
			"\"%s\": no input has the column %s for --by=%s; the "
			"columns are %s",
			r->gates[i].text, hp_columns[r->gates[i].what].word,
			hp_by_name(r->by), hp_buf_string(&words));
		hp_buf_release(&words);
		return HP_EXIT_TROUBLE;
	}
	return HP_EXIT_OK;
}

static struct hp_output_options
output_options(const struct hp_diff_options *o)
{
	return (struct hp_output_options){.path = o->common.output,
					  .force = o->common.force,
					  .sync = o->common.sync,
					  .inputs = o->common.arguments,
					  .input_count =
						  o->common.argument_count};
}

static bool
may_repeat(const struct hp_diff_options *o)
{
	struct stat sb;

	for (size_t i = 0; i < o->common.argument_count; i++)
		if (strcmp(o->common.arguments[i], "-") == 0 ||
		    stat(o->common.arguments[i], &sb) != 0 ||
		    !S_ISREG(sb.st_mode))
			return false;
	return true;
}

static enum hp_status
check_columns(const struct hp_diff_options *o, struct hp_error *err)
{
	unsigned others = ~hp_columns_of_key(o->by);
	unsigned listed = o->columns_listed & others;
	unsigned sorted = o->sort_given ? hp_sort_columns(o->sort) & others : 0;
	enum hp_col c;

	if (!listed && !sorted)
		return HP_OK;
	c = (enum hp_col)(31 - __builtin_clz(listed ? listed : sorted));
	return hp_fail(err, HP_DAMAGED, "%s=%s cannot be combined with --by=%s",
		       listed ? "--columns" : "--sort", hp_columns[c].word,
		       hp_by_name(o->by));
}

/* Check the gates (--fail-if), and whether the options can be combined. */
static int
check_options(struct hp_result *r, const struct hp_diff_options *o)
{
	struct hp_error err = {0};
	enum hp_status st = check_gates(r, o, &err);

	hp_result_set_columns(r, o);
	if (st == HP_OK)
		st = check_columns(o, &err);
	if (st == HP_OK)
		st = hp_diff_conflict(o, r->rows.retained, &err);
	return st == HP_OK ? HP_EXIT_OK
			   : hp_program_usage_error(&hp_diff_program, stderr,
						    "%s", err.text);
}

static int
diff_lacks_suspects(const struct hp_result *r, const struct hp_messages *m)
{
	bool asked = r->known != NULL;

	for (size_t i = 0; i < r->ngates; i++)
		asked |= r->gates[i].of == HP_GATE_SUSPECTS;
	if (!asked || r->suspects_sought)
		return HP_EXIT_OK;
	hp_message(m, HP_MESSAGE_ERROR, NULL,
		   "leak suspects are not known, because an input has no "
		   "object graph; --known and the gate 'new suspect' need one");
	return HP_EXIT_TROUBLE;
}

/* Fail if --why or --object asks for the id of an object that no input has. */
static int
diff_lacks_object(const struct hp_diff_options *o, bool known,
		  const struct hp_messages *m)
{
	uint64_t id;

	if (!o->object && (!o->why || !hp_id_parse(o->why, &id)))
		return HP_EXIT_OK;
	if (known)
		return HP_EXIT_OK;
	hp_message(m, HP_MESSAGE_ERROR, NULL, "no object has the id %s",
		   o->object ? o->object : o->why);
	return HP_EXIT_TROUBLE;
}

/*
 * Initialise an empty result for @ndumps inputs, and check that the options can
 * be combined.
 */
static int
begin_result(struct hp_result *r, size_t ndumps,
	     const struct hp_diff_options *o, const struct run_limits *limits,
	     const struct hp_messages *m)
{
	struct hp_error err = {0};
	int status;

	if (hp_result_init(r, ndumps, &err) != HP_OK) {
		hp_message_failure(m, NULL, &err);
		return HP_EXIT_TROUBLE;
	}
	r->by = o->by;
	r->options = o;
	r->sandbox_missing = limits->sandbox_missing;
	r->heap_shown = o->heap != NULL;
	r->known = limits->known;
	r->command = limits->command;
	r->threads = may_repeat(o) ? o->common.threads
				   : hp_budget_threads_once(o->common.memory,
							    o->common.threads);
	r->rows.retained = o->retained;
	status = check_options(r, o);
	r->graph_unasked = o->retained_unasked;
	for (size_t i = 0; i < r->ngates; i++)
		r->graph_unasked &= !hp_gate_is_retained(r->gates[i].what) &&
				    r->gates[i].of != HP_GATE_FINDING;
	return status;
}

/*
 * Read and compare the inputs, and prepare the result for showing at most @top
 * rows. Returns the exit status.
 */
static int
try_result(struct hp_result *r, const struct hp_diff_options *o, size_t top,
	   const struct hp_messages *m)
{
	struct hp_error err = {0};
	int status = hp_compare_run(r, o, m);

	hp_progress_clear(m->progress);
	if (status == HP_EXIT_OK)
		status = diff_blind(r, o, m);
	if (status == HP_EXIT_OK)
		status = diff_lacks_column(r, o, m);
	if (status == HP_EXIT_OK && !o->flat)
		status = diff_lacks_object(o, r->why_known || r->object, m);
	if (status == HP_EXIT_OK)
		status = diff_lacks_suspects(r, m);
	if (status != HP_EXIT_OK || hp_result_finish(r, o, top, &err) == HP_OK)
		return status;
	r->refused |= err.status == HP_LIMIT;
	hp_message_failure(m, o->flat ? r->dumps[0].path : NULL, &err);
	return HP_EXIT_TROUBLE;
}

/* Repeat the run with one thread, which leaves more of --memory for data. */
static int
try_alone(struct hp_result *r, const struct hp_diff_options *o,
	  const struct run_limits *limits, size_t top,
	  const struct hp_messages *m)
{
	struct hp_dump_info first = r->dumps[0];
	size_t ndumps = r->ndumps;
	int status;

	hp_result_release(r);
	hp_trim_malloc();
	status = begin_result(r, ndumps, o, limits, m);
	if (status != HP_EXIT_OK)
		return status;
	r->threads = 1;
	r->dumps[0].path = first.path;
	r->dumps[0].id = first.id;
	return try_result(r, o, top, m);
}

/*
 * Read the inputs with as many threads as --memory allows. If the memory does
 * not suffice, repeat the run with one thread. Without the second run, a larger
 * --memory could fail where a smaller one succeeds, because the first run uses
 * more threads if it has more memory. Messages of the first run are printed
 * only if there is no second run.
 */
static int
find_result(struct hp_result *r, const struct hp_diff_options *o,
	    const struct run_limits *limits, size_t top,
	    const struct hp_messages *m)
{
	struct hp_messages holding = *m;
	struct hp_buf held = {0};
	int status;

	if (r->threads == 1 || !may_repeat(o))
		return try_result(r, o, top, m);
	holding.held = &held;
	status = try_result(r, o, top, &holding);
	if (r->refused && r->threads > 1) {
		if (m->first_error)
			hp_buf_release(m->first_error);
		status = try_alone(r, o, limits, top, m);
	} else {
		hp_message_lines(m, &held);
	}
	hp_buf_release(&held);
	return status;
}

/*
 * Read the inputs and complete the result, with find_result(). If this fails
 * because of --memory, and no option asks for the object graph, repeat it
 * without the graph.
 */
static int
find_answer(struct hp_result *r, struct hp_diff_options *o,
	    const struct run_limits *limits, size_t top,
	    const struct hp_messages *m)
{
	struct hp_messages holding = *m;
	struct hp_buf held = {0};
	size_t ndumps = r->ndumps;
	int status;

	if (!r->graph_unasked || !may_repeat(o))
		return find_result(r, o, limits, top, m);
	holding.held = &held;
	status = find_result(r, o, limits, top, &holding);
	if (status != HP_EXIT_OK && r->refused && !r->no_graph) {
		if (m->first_error)
			hp_buf_release(m->first_error);
		hp_result_release(r);
		hp_trim_malloc();
		o->retained = o->retained_unasked = false;
		o->columns &= ~(unsigned)HP_COLUMN_RETAINED;
		status = begin_result(r, ndumps, o, limits, m);
		r->no_graph = HP_NO_GRAPH_MEMORY;
		if (status == HP_EXIT_OK)
			status = find_result(r, o, limits, top, m);
	} else {
		hp_message_lines(m, &held);
	}
	hp_buf_release(&held);
	return status;
}

static int
run_diff(struct hp_result *r, struct hp_diff_options *o,
	 const struct run_limits *limits, const struct hp_messages *m)
{
	const struct hp_output_options options = output_options(o);
	struct hp_output out = {0};
	struct hp_error err = {0};
	uint64_t begun = hp_elapsed_begin();
	enum hp_status st = hp_output_open(&out, &options, &err);
	int status = HP_EXIT_OK;

	if (st == HP_OK)
		status = find_answer(r, o, limits, row_limit(o), m);
	if (st == HP_OK && status == HP_EXIT_OK) {
		st = hp_report_write(r, out.file, &err);
		if (st == HP_OK)
			st = hp_output_flush(out.file, &err);
	}
	if (st == HP_OK && status != HP_EXIT_OK) {
		hp_output_abort(&out);
		return status;
	}
	if (st == HP_OK) {
		diff_tell_work(r, m, begun);
		status = exit_code(r, o, m);
		if (o->write_known)
			hp_message(m, HP_MESSAGE_NOTE, NULL,
				   "wrote the suspects and findings to %s; "
				   "--known refuses an entry until you fill in "
				   "its \"reason\"",
				   o->write_known);
	}
	return hp_output_end(&out, st, status, m, o->common.output, &err);
}

/*
 * Write the rows of one dump. If the exit status of this dump is worse than
 * *@status, store it there.
 */
static enum hp_status
write_dump_rows(struct hp_flat_rows *f, struct hp_result *r,
		const struct hp_diff_options *o,
		const struct run_limits *limits, const struct hp_messages *all,
		int *status, struct hp_error *err)
{
	struct hp_buf error = {0};
	struct hp_messages m = *all;
	enum hp_status st = HP_OK;
	int code;

	m.first_error = &error;
	r->dumps[0].path = o->common.arguments[0];
	st = hp_dump_id_of_file(&r->dumps[0].id, r->dumps[0].path, err);
	if (st != HP_OK)
		return st;
	code = find_result(r, o, limits, o->top_given ? row_limit(o) : 0, &m);
	if (code != HP_EXIT_OK && error.len == 0)
		hp_buf_text(&error, "failed");
	st = hp_buf_ok(&error) ? hp_report_rows(f, r, &error, err)
			       : hp_no_memory(err);
	if (st == HP_OK && code == HP_EXIT_OK)
		code = exit_code(r, o, &m);
	*status = hp_exit_worse(*status, code);
	hp_buf_release(&error);
	return st;
}

/*
 * Process each dump separately. The data of a dump is freed after its rows are
 * written. If a dump cannot be read, the next dumps are still processed. @r:
 * the result, which the caller has initialised for the first dump.
 */
static int
run_rows(struct hp_result *r, const struct hp_diff_options *o,
	 const struct run_limits *limits, const struct hp_messages *m)
{
	const struct hp_output_options options = output_options(o);
	struct hp_diff_options one = *o;
	struct hp_output out = {0};
	struct hp_flat_rows f = {0};
	struct hp_error err = {0};
	enum hp_status st = hp_output_open(&out, &options, &err);
	int status = HP_EXIT_OK;
	bool known = false;

	if (st == HP_OK)
		hp_report_rows_open(&f, o, r->rows.retained, out.file);
	one.common.argument_count = 1;
	for (size_t i = 0; st == HP_OK && i < o->common.argument_count; i++) {
		int begun = HP_EXIT_OK;

		one.common.arguments = &o->common.arguments[i];
		if (i > 0) {
			hp_result_release(r);
			begun = begin_result(r, 1, &one, limits, m);
		}
		if (begun == HP_EXIT_OK)
			st = write_dump_rows(&f, r, &one, limits, m, &status,
					     &err);
		status = hp_exit_worse(status, begun);
		known |= r->why_known;
	}
	if (st == HP_OK && status != HP_EXIT_TROUBLE)
		status = hp_exit_worse(status, diff_lacks_object(o, known, m));
	hp_flat_release(&f);
	return hp_output_end(&out, st, status, m, o->common.output, &err);
}

static bool
read_mappings(struct hp_diff_options *o, const struct hp_messages *m)
{
	struct hp_error err = {0};
	const char *path = NULL;

	if (hp_mappings_read(&o->mappings, &path, &err) == HP_OK)
		return true;
	hp_message_failure(m, path, &err);
	return false;
}

/*
 * Print the list or text that --ignore-path=list, --findings or --explain
 * requests, instead of a report.
 */
static int
print_list(const struct hp_diff_options *o, const struct hp_messages *m)
{
	const struct hp_output_options options = {.path = o->common.output,
						  .force = o->common.force,
						  .sync = o->common.sync};
	struct hp_output out = {0};
	struct hp_buf b = {0};
	struct hp_error err = {0};
	enum hp_status st = hp_output_open(&out, &options, &err);

	if (o->print_ignore_list)
		hp_ignored_paths_text(&b);
	else if (o->explains)
		hp_unusual_explain(&b, o->explained);
	else
		hp_unusual_list(&b);
	if (st == HP_OK)
		st = hp_buf_flush(&b, out.file, &err);
	hp_buf_release(&b);
	return hp_output_end(&out, st, HP_EXIT_OK, m, o->common.output, &err);
}

int
main(int argc, char **argv)
{
	struct hp_diff_options o;
	struct hp_result r = {0};
	struct run_limits limits = {0};
	struct hp_messages m = {.program = "hprof-diff", .file = stderr};
	struct hp_buf command = {0};
	const char *wrong;
	int status;

	hp_streams_guard();
	hp_command_line_text(&command, argc, argv);
	hp_diff_options_init(&o);
	status = hp_options_parse(&hp_diff_program, argc, argv, &o.common, &o,
				  stdout, stderr);
	if (status == HP_GO_ON &&
	    (o.print_ignore_list || o.list_findings || o.explains))
		status = print_list(&o, &m);
	wrong = hp_options_inputs(&o.common);
	if (status == HP_GO_ON && wrong)
		status = hp_program_usage_error(&hp_diff_program, stderr, "%s",
						wrong);
	if (status == HP_GO_ON && !hp_diff_choose_known(&o))
		status = hp_program_usage_error(
			&hp_diff_program, stderr,
			"--write-known=FILE writes only FILE, so it cannot be "
			"combined with --output and --format");
	if (status == HP_GO_ON && !hp_buf_ok(&command))
		status = hp_program_usage_error(&hp_diff_program, stderr,
						"out of memory");
	if (status != HP_GO_ON) {
		hp_buf_release(&command);
		hp_diff_options_release(&o);
		return status;
	}
	hp_diff_choose_graph(&o);
	m.quiet = o.common.quiet;
	m.verbose = o.common.verbose;
	hp_signals_install();
	hp_tune_malloc(o.common.memory);
	if (o.why && !o.object && hp_key_is(o.by, HP_KEY_DETAILS))
		o.by = (enum hp_by)HP_KEY_OF_WHY;
	if (!read_mappings(&o, &m)) {
		hp_buf_release(&command);
		hp_diff_options_release(&o);
		return HP_EXIT_TROUBLE;
	}
	limits.sandbox_missing = hp_confine(&o.common, o.common.argument_count,
					    o.common.output, &m);
	o.flat = hp_diff_holds(&o, HP_FORMAT_EACH_DUMP);
	limits.command = hp_buf_string(&command);
	limits.known = o.known.file ? &o.known : NULL;
	status = begin_result(&r, o.flat ? 1 : o.common.argument_count, &o,
			      &limits, &m);
	if (status == HP_EXIT_OK) {
		m.progress = hp_progress_start(o.common.progress, stderr,
					       "hprof-diff");
		status = o.flat ? run_rows(&r, &o, &limits, &m)
				: run_diff(&r, &o, &limits, &m);
		hp_progress_stop(m.progress);
	}
	hp_result_release(&r);
	hp_buf_release(&command);
	hp_diff_options_release(&o);
	return status;
}
