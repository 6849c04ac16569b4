/*
 * report_ci.c - write the result for continuous integration: JUnit XML,
 * workflow commands of GitHub, and a comment for a pull request
 *
 * In each format, names from a dump are escaped, so that GitHub does not
 * interpret a class name as a command, a mention of a user, or a link.
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"

#include <string.h>

enum {
	/*
	 * maximum length of a comment, because GitHub refuses comments of
	 * 65,536 characters
	 */
	COMMENT_MOST = 55000,
	COMMENT_ROWS = 10, /* maximum number of rows in a comment */
	/* maximum number of rows in a message about a gate */
	ROWS_OF_A_GATE = 5,
	/*
	 * maximum number of bytes of a text, such as a class name, in a comment
	 */
	CODE_MOST = 500,
};

/*
 * Append the dumps and their sizes: "before.hprof, 703 KB; after.hprof, 2.1
 * MB".
 */
static void
headline(struct hp_buf *b, const struct hp_result *r)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		const char *name = hp_shown_path(r->dumps[i].path);

		if (i > 0 && i + 1 < r->ndumps)
			/*
			 * if there are more than two dumps, list only the first
			 * and the last one
			 */
			continue;
		hp_buf_text(b, i > 0 ? " \u2192 " : "");
		hp_text_clean(b, name, strlen(name));
		hp_buf_text(b, ": ");
		hp_report_dump_text(b, r, i);
	}
}

static size_t
count_failed(const struct hp_result *r)
{
	size_t failed = 0;

	for (size_t i = 0; i < r->ngates; i++)
		failed += r->gates[i].tripped;
	return failed;
}

/*
 * Append the names of the first few rows on which a gate (--fail-if) failed,
 * and the number of the others.
 */
static void
gate_rows(struct hp_buf *b, const struct hp_result *r, const struct hp_gate *g)
{
	size_t all = hp_gate_failures(r, g);
	size_t n = all < ROWS_OF_A_GATE ? all : ROWS_OF_A_GATE;

	if (g->of == HP_GATE_TOTAL)
		hp_gate_row_text(b, r, g, r->total);
	for (size_t k = 0; k < n; k++) {
		hp_buf_text(b, k > 0 ? "; " : "");
		hp_gate_failure_text(b, r, g, k);
	}
	if (all > n) {
		hp_buf_text(b, "; and ");
		hp_count_text(b, all - n);
		hp_buf_text(b, " more");
	}
}

/* --- JUnit ---------------------------------------------------------------- */

static void
junit_gate(struct hp_buf *b, const struct hp_result *r, const struct hp_gate *g)
{
	struct hp_buf text = {0};

	hp_buf_text(b, "    <testcase classname=\"hprof-diff\" name=\"");
	hp_escape_xml(b, g->text, strlen(g->text));
	if (g->tripped) {
		gate_rows(&text, r, g);
		hp_buf_text(b, "\">\n      <failure message=\"");
		hp_escape_xml_visible(b, hp_buf_string(&text),
				      hp_buf_length(&text));
		hp_buf_text(b, "\"/>\n    </testcase>\n");
	} else if (!g->matched) {
		hp_buf_text(b, "\">\n      <system-out>no row matches the "
			       "pattern</system-out>\n    </testcase>\n");
	} else {
		hp_buf_text(b, "\"/>\n");
	}
	hp_buf_inherit(b, &text);
	hp_buf_release(&text);
}

enum hp_status
hp_report_junit(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0}, text = {0};
	size_t failures = count_failed(r);
	enum hp_status st;

	headline(&text, r);
	hp_buf_text(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<testsuites name=\"hprof-diff\">\n"
			"  <testsuite name=\"");
	hp_escape_xml_visible(&b, hp_buf_string(&text), hp_buf_length(&text));
	hp_buf_printf(&b, "\" tests=\"%zu\" failures=\"%zu\">\n", r->ngates,
		      failures);
	for (size_t i = 0; i < r->ngates; i++)
		junit_gate(&b, r, &r->gates[i]);
	hp_buf_inherit(&b, &text);
	hp_buf_clear(&text);
	hp_ignored_text(&text, r);
	if (text.len > 0) {
		hp_buf_text(&b, "    <system-out>");
		hp_escape_xml_visible(&b, hp_buf_string(&text),
				      hp_buf_length(&text));
		hp_buf_text(&b, "</system-out>\n");
	}
	hp_buf_text(&b, "  </testsuite>\n</testsuites>\n");
	hp_buf_inherit(&b, &text);
	hp_buf_release(&text);
	st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}

/* --- workflow commands of GitHub ------------------------------------------ */

/* Write a command such as "::error title=...::message", and clear @message. */
static void
github_command(struct hp_buf *b, const char *level, const char *title,
	       struct hp_buf *message)
{
	hp_buf_printf(b, "::%s title=hprof-diff%%3A ", level);
	hp_escape_github_property(b, title, strlen(title));
	hp_buf_text(b, "::");
	hp_escape_github_visible(b, hp_buf_string(message),
				 hp_buf_length(message));
	hp_buf_byte(b, '\n');
	hp_buf_inherit(b, message);
	hp_buf_clear(message);
}

enum hp_status
hp_report_github(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0}, text = {0};
	enum hp_status st;

	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		if (!g->tripped)
			continue;
		gate_rows(&text, r, g);
		github_command(&b, "error", g->text, &text);
	}
	for (size_t i = 0; i < r->nsuspects; i++) {
		bool warn = r->ndumps > 1 && !r->suspects[i].known;

		hp_suspect_line(&text, r, &r->suspects[i]);
		github_command(&b, warn ? "warning" : "notice",
			       hp_suspect_words(r)->title, &text);
	}
	for (unsigned i = 0; i < HP_UNUSUALS; i++) {
		if (!r->findings[i].applies)
			continue;
		hp_unusual_text(&text, (enum hp_unusual)i, &r->findings[i]);
		github_command(&b, r->known_findings[i] ? "notice" : "warning",
			       hp_unusual_kinds[i].id, &text);
	}
	headline(&text, r);
	github_command(&b, "notice", "heap", &text);
	hp_ignored_text(&text, r);
	if (text.len > 0)
		github_command(&b, "notice", "ignored paths", &text);
	hp_buf_release(&text);
	st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}

/* --- a comment for a pull request ----------------------------------------- */

/*
 * Returns the length to which a text must be shortened to have at most @most
 * bytes. It is never cut inside a UTF-8 character.
 */
static size_t
cut_length(const char *text, size_t n, size_t most)
{
	if (n <= most)
		return n;
	while (most > 0 && (text[most] & 0xC0) == 0x80)
		most--;
	return most;
}

/*
 * Append a text as an HTML element "code", and shorten it if it is too long. In
 * such an element, GitHub does not interpret Markdown, mentions or links. A bar
 * "|" is escaped, because it would end a cell of a table.
 */
static void
code(struct hp_buf *b, const char *text, size_t n)
{
	struct hp_buf escaped = {0};
	size_t most = cut_length(text, n, CODE_MOST);
	const char *p;

	hp_escape_xml_visible(&escaped, text, most);
	if (most < n)
		hp_buf_text(&escaped, "…");
	hp_buf_text(b, "<code>");
	for (p = hp_buf_string(&escaped); *p; p++)
		if (*p == '|')
			hp_buf_text(b, "&#124;");
		else if (*p == '\\' || *p == '`' || *p == '*' || *p == '_')
			hp_buf_printf(b, "&#%d;", *p);
		else
			hp_buf_byte(b, *p);
	hp_buf_text(b, "</code>");
	hp_buf_inherit(b, &escaped);
	hp_buf_release(&escaped);
}

static void
code_text(struct hp_buf *b, const char *text)
{
	code(b, text, strlen(text));
}

/* Append a line such as "1,234 more rows" as a paragraph. */
static void
add_rest(struct hp_buf *b, size_t n, const char *noun)
{
	hp_buf_byte(b, '\n');
	hp_count_noun_text(b, n, noun);
	hp_buf_byte(b, '\n');
}

static void
markdown_gates(struct hp_buf *b, const struct hp_result *r)
{
	struct hp_buf text = {0};
	size_t i;

	if (r->ngates == 0)
		return;
	hp_buf_printf(b, "\n| gate | result |\n|---|---|\n");
	for (i = 0; i < r->ngates && b->len < COMMENT_MOST; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_buf_text(b, "| ");
		code_text(b, g->text);
		hp_buf_text(b, g->tripped   ? " | :x: "
			       : g->matched ? " | :white_check_mark: passed"
					    : " | no row matches");
		gate_rows(&text, r, g);
		if (g->tripped)
			code(b, hp_buf_string(&text), hp_buf_length(&text));
		hp_buf_inherit(b, &text);
		hp_buf_clear(&text);
		hp_buf_text(b, " |\n");
	}
	if (i < r->ngates)
		add_rest(b, r->ngates - i, "more gate");
	hp_buf_release(&text);
}

static void
markdown_suspects(struct hp_buf *b, const struct hp_result *r)
{
	if (r->nsuspects == 0)
		return;
	hp_buf_printf(b, "\n**%s**\n\n", hp_suspect_words(r)->heading);
	for (size_t i = 0; i < r->nsuspects && b->len < COMMENT_MOST; i++) {
		struct hp_buf text = {0};

		hp_suspect_line(&text, r, &r->suspects[i]);
		hp_buf_printf(b, "%zu. ", i + 1);
		code(b, hp_buf_string(&text), hp_buf_length(&text));
		hp_buf_byte(b, '\n');
		hp_buf_inherit(b, &text);
		hp_buf_release(&text);
	}
}

static void
markdown_findings(struct hp_buf *b, const struct hp_result *r)
{
	bool any = false;

	for (unsigned i = 0; i < HP_UNUSUALS; i++) {
		struct hp_buf text = {0};

		if (!r->findings[i].applies)
			continue;
		hp_buf_text(b, any ? "" : "\n**What is unusual**\n\n");
		any = true;
		hp_unusual_text(&text, (enum hp_unusual)i, &r->findings[i]);
		hp_buf_text(b, "- ");
		code(b, hp_buf_string(&text), hp_buf_length(&text));
		hp_buf_byte(b, '\n');
		hp_buf_inherit(b, &text);
		hp_buf_release(&text);
	}
}

/*
 * Append the cells of a row to a Markdown table: for each column all values and
 * the growth.
 */
static void
markdown_row(struct hp_buf *b, const struct hp_result *r,
	     const struct hp_row *row)
{
	hp_buf_text(b, "| ");
	code(b, row->key, row->key_len);
	for (unsigned c = 0; c < HP_COLS; c++) {
		enum hp_col col = (enum hp_col)c;

		if (!hp_result_shows(r, col))
			continue;
		hp_buf_text(b, " | ");
		if (hp_result_has_value(row, col))
			hp_column_text(
				b, col,
				hp_result_value(r, row, col, r->ndumps - 1));
		if (r->ndumps < 2 || !hp_column_is(col, HP_COLUMN_IS_GROWS))
			continue;
		hp_buf_text(b, " (");
		hp_column_growth_text(b, col, hp_result_growth(r, row, col));
		hp_buf_byte(b, ')');
	}
	hp_buf_text(b, " |\n");
}

static void
markdown_table(struct hp_buf *b, const struct hp_result *r)
{
	size_t n = 0;

	hp_buf_text(b, "\n<details><summary>");
	hp_count_noun_text(b, r->nshown, "row");
	hp_buf_printf(b, " by %s</summary>\n\n| ", hp_by_name(r->by));
	hp_buf_text(b, hp_row_keys[r->by].title);
	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_result_shows(r, (enum hp_col)c))
			hp_buf_printf(b, " | %s", hp_columns[c].title);
	hp_buf_text(b, " |\n|---");
	for (unsigned c = 0; c < HP_COLS; c++)
		if (hp_result_shows(r, (enum hp_col)c))
			hp_buf_text(b, "|---:");
	hp_buf_text(b, "|\n");
	for (; n < r->nshown && n < COMMENT_ROWS && b->len < COMMENT_MOST; n++)
		markdown_row(b, r, r->shown[n]);
	if (n < r->nshown)
		add_rest(b, r->nshown - n, "more row");
	hp_buf_text(b, "\n</details>\n");
}

enum hp_status
hp_report_markdown(const struct hp_result *r, FILE *out, struct hp_error *err)
{
	struct hp_buf b = {0}, text = {0};
	enum hp_status st;
	size_t failed = count_failed(r);

	hp_buf_text(&b, "### Heap: ");
	if (failed > 0) {
		hp_count_text(&b, failed);
		hp_buf_text(&b, " of ");
		hp_count_text(&b, r->ngates);
		hp_buf_text(&b, " gates failed\n\n");
	} else if (r->ngates > 0) {
		hp_buf_text(&b, "all gates passed\n\n");
	} else {
		hp_buf_text(&b, r->ndumps < 2 ? "contents\n\n"
				: r->changed  ? "changed\n\n"
					      : "nothing changed\n\n");
	}
	headline(&text, r);
	code(&b, hp_buf_string(&text), hp_buf_length(&text));
	hp_buf_byte(&b, '\n');
	for (size_t i = 0; i < r->ndumps; i++)
		if (r->dumps[i].partial)
			hp_buf_printf(&b,
				      "\nDump %zu is damaged; only its "
				      "readable part was used.\n",
				      i + 1);
	markdown_gates(&b, r);
	markdown_suspects(&b, r);
	markdown_findings(&b, r);
	markdown_table(&b, r);
	hp_buf_clear(&text);
	hp_ignored_text(&text, r);
	if (text.len > 0)
		hp_buf_printf(&b, "\n%s\n", hp_buf_string(&text));
	hp_buf_inherit(&b, &text);
	hp_buf_release(&text);
	st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}
