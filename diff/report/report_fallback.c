/*
 * report_fallback.c - the part of the HTML report that is shown if JavaScript
 * is off
 *
 * It contains the names of the dumps, the result in one sentence, and the first
 * rows as a plain table.
 */

#include "diff/report/report.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/cli/quantity.h"

#include <string.h>

enum { FALLBACK_ROWS = 500, FALLBACK_FRAMES = 3 };

/*
 * Append facts about a dump, for example ", taken 2026-11-20 22:33:54 UTC, 5.0
 * MB on the disk, host=web-7".
 */
static void
write_origin(struct hp_buf *b, const struct hp_dump_info *d)
{
	if (d->timestamp_ms) {
		hp_buf_text(b, ", taken ");
		(void)hp_time_text(b, d->timestamp_ms);
	}
	if (d->file_bytes) {
		hp_buf_text(b, ", ");
		hp_size_text(b, d->file_bytes);
		hp_buf_text(b, " on the disk");
	}
	for (size_t i = 0; i < d->nlabels; i++) {
		const struct hp_label *l = &d->labels[i];

		hp_buf_printf(b, ", %s=", l->key);
		if (l->visible)
			hp_buf_text(b, l->value);
		else
			hp_text_clean(b, l->value, strlen(l->value));
	}
}

static void
write_dumps(struct hp_html *h, const struct hp_result *r)
{
	hp_html_markup(h, "<ol>\n");
	for (size_t i = 0; i < r->ndumps; i++) {
		const struct hp_dump_info *d = &r->dumps[i];
		struct hp_buf b = {0};

		hp_buf_printf(&b, ": %s, ", d->dialect);
		hp_report_dump_text(&b, r, i);
		write_origin(&b, d);
		if (d->partial)
			hp_buf_text(&b, ", partial");
		if (d->undescribed.objects > 0) {
			hp_buf_text(&b, ", fields of ");
			hp_count_noun_text(&b, d->undescribed.objects,
					   "object");
			hp_buf_text(&b, " not described");
		}
		hp_html_markup(h, "<li><code>");
		hp_html_text(h, hp_shown_path(d->path));
		hp_html_markup(h, "</code>");
		hp_html_visible(h, hp_buf_string(&b));
		hp_html_markup(h, "</li>\n");
		hp_buf_inherit(&h->buf, &b);
		hp_buf_release(&b);
	}
	hp_html_markup(h, "</ol>\n");
}

static void
write_ignored(struct hp_html *h, const struct hp_result *r)
{
	struct hp_buf line = {0};

	hp_ignored_text(&line, r);
	if (line.len > 0)
		hp_html_element(h, "p", hp_buf_string(&line));
	hp_buf_inherit(&h->buf, &line);
	hp_buf_release(&line);
}

static void
write_gates(struct hp_html *h, const struct hp_result *r)
{
	struct hp_buf name = {0};

	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_html_markup(h, g->tripped   ? "<p class=\"bad\">Failed: "
				  : g->matched ? "<p class=\"good\">Passed: "
					       : "<p class=\"bad\">No row "
						 "matches: ");
		hp_html_markup(h, "<code>");
		hp_html_text(h, g->text);
		hp_html_markup(h, "</code>");
		for (size_t k = 0; k < hp_gate_failures(r, g); k++) {
			hp_buf_clear(&name);
			hp_gate_failure_name(&name, r, g, k);
			hp_html_markup(h, k ? ", " : " ");
			hp_html_visible(h, hp_buf_string(&name));
			hp_buf_inherit(&h->buf, &name);
		}
		if (hp_result_gate_is_blind(r, g))
			hp_html_markup(h,
				       " counts only the objects of the rows, "
				       "and passes; if it also counted the "
				       "objects that they retain, it would "
				       "fail");
		hp_html_markup(h, "</p>\n");
	}
	hp_buf_release(&name);
}

static void
write_suspects(struct hp_html *h, const struct hp_result *r)
{
	struct hp_buf b = {0};
	char *text, *line, *end;

	hp_answer_text(&b, r, 0);
	hp_buf_inherit(&h->buf, &b);
	text = hp_buf_take(&b);
	for (line = text; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (*line)
			hp_html_element(h, "p", line);
	}
	hp_free(text);
}

/*
 * Write a table cell for each dump. If @row is NULL, write headings instead:
 * "bytes" or, with several dumps, "bytes 1", "bytes 2" and so on.
 */
static void
write_values(struct hp_html *h, const struct hp_result *r,
	     const struct hp_row *row, enum hp_col c)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		hp_buf_text(&h->buf, row ? "<td>" : "<th>");
		if (row && hp_result_shows_value(r, row, c))
			hp_column_text(&h->buf, c,
				       hp_result_value(r, row, c, i));
		else if (!row && r->ndumps > 1)
			hp_buf_printf(&h->buf, "%s %zu", hp_columns[c].heading,
				      i + 1);
		else if (!row)
			hp_buf_text(&h->buf, hp_columns[c].heading);
		hp_html_markup(h, row ? "</td>" : "</th>\n");
	}
}

static void
write_growth(struct hp_html *h, const struct hp_result *r,
	     const struct hp_row *row, enum hp_col c)
{
	hp_buf_text(&h->buf, row ? "<td>" : "<th>+");
	if (row && hp_result_shows_value(r, row, c))
		hp_column_growth_text(&h->buf, c, hp_result_growth(r, row, c));
	else if (!row)
		hp_buf_text(&h->buf, hp_columns[c].heading);
	hp_html_markup(h, row ? "</td>" : "</th>\n");
}

/*
 * Write the numbers of a row or of the total. If @row is NULL, write their
 * headings.
 */
static void
write_cells(struct hp_html *h, const struct hp_result *r,
	    const struct hp_row *row)
{
	for (unsigned c = 0; c < HP_COLS; c++) {
		if (!hp_result_shows(r, (enum hp_col)c))
			continue;
		write_values(h, r, row, (enum hp_col)c);
		if (r->ndumps > 1 &&
		    hp_column_is((enum hp_col)c, HP_COLUMN_IS_GROWS))
			write_growth(h, r, row, (enum hp_col)c);
	}
}

static void
write_key(struct hp_html *h, const struct hp_row *row)
{
	hp_html_markup(h, "<tr><th class=\"text\" scope=\"row\">");
	hp_html_visible(h, row->key);
	for (uint32_t i = 0; i < row->frames.count && i < FALLBACK_FRAMES;
	     i++) {
		hp_html_markup(h, i ? " ← " : "<br><small>");
		hp_html_visible(h, row->frames.text[i]);
	}
	if (row->frames.count > 0)
		hp_html_markup(h, "</small>");
	if (row->rollup)
		hp_html_markup(h, " <small>(sum of others)</small>");
	hp_html_markup(h, "</th>");
}

/*
 * Whether the plain table lists a row. It leaves out unchanged rows. The page
 * contains such rows only because its script can show them.
 */
static bool
is_listed(const struct hp_result *r, const struct hp_row *row)
{
	return r->ndumps == 1 || r->options->all || !r->changed ||
	       hp_row_changed(&r->rows, row);
}

static size_t
write_rows(struct hp_html *h, const struct hp_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];

		if (!is_listed(r, row) || n++ >= FALLBACK_ROWS)
			continue;
		write_key(h, row);
		write_cells(h, r, row);
		hp_html_markup(h, "</tr>\n");
	}
	return n;
}

static void
write_table(struct hp_html *h, const struct hp_result *r)
{
	size_t n;

	hp_html_markup(h, "<table><thead><tr><th class=\"text\">");
	hp_html_markup(h, hp_by_name(r->by));
	hp_html_markup(h, "</th>\n");
	write_cells(h, r, NULL);
	hp_html_markup(h, "</tr></thead>\n<tbody>\n");
	n = write_rows(h, r);
	hp_html_markup(h, "</tbody>\n<tfoot><tr><th class=\"text\" "
			  "scope=\"row\">all rows</th>");
	write_cells(h, r, r->total);
	hp_html_markup(h, "</tr>\n</tfoot></table>\n");
	if (n > FALLBACK_ROWS) {
		hp_html_markup(h, "<p>The first ");
		hp_count_text(&h->buf, FALLBACK_ROWS);
		hp_html_markup(h, " of ");
		hp_count_noun_text(&h->buf, n, "row");
		hp_html_markup(h, " are listed.</p>\n");
	}
	if (r->ncut > 0) {
		hp_html_markup(h, "<p>");
		hp_count_text(&h->buf, r->ncut);
		hp_html_markup(h, " left out by --top.</p>\n");
	}
}

void
hp_html_fallback(struct hp_html *h, const void *result)
{
	const struct hp_result *r = result;

	hp_html_markup(h, "<h1>");
	hp_html_headline(h, r);
	hp_html_markup(h, "</h1>\n");
	hp_html_markup(h, "<p>JavaScript is disabled, so this page shows no "
			  "charts and cannot be searched.</p>\n");
	write_dumps(h, r);
	if (r->ndumps > 1 && !r->changed)
		hp_html_markup(h, "<p>Nothing changed.</p>\n");
	write_gates(h, r);
	write_ignored(h, r);
	write_suspects(h, r);
	write_table(h, r);
	if (r->command) {
		hp_html_markup(h, "<p><code>");
		hp_html_text(h, r->command);
		hp_html_markup(h, "</code>, version " HP_VERSION "</p>\n");
	}
}
