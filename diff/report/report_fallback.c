/*
 * report_fallback.c - the HTML report for those who have no JavaScript: what
 * was compared, what it came to, and the first rows as a plain table
 */

#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"
#include "common/cli/times.h"

#include <stdlib.h>
#include <string.h>

enum { FALLBACK_ROWS = 500, FALLBACK_FRAMES = 3 };

/* One cell or word: a count, or a size where the values are bytes. */
static void
value_text(struct hp_buf *b, const struct hp_result *r, uint64_t v,
	   bool of_bytes)
{
	if (of_bytes && r->unit == HP_UNIT_BYTES)
		hp_size_text(b, v);
	else
		hp_count_text(b, v);
}

static void
growth_text(struct hp_buf *b, const struct hp_result *r, int64_t v,
	    bool of_bytes)
{
	if (of_bytes && r->unit == HP_UNIT_BYTES)
		hp_size_text_signed(b, v);
	else
		hp_count_text_signed(b, v);
}

/* ", taken 2026-11-20 22:33:54 UTC, 5.0 MB on the disk, host=web-7" */
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

/* What was compared, a line a dump. */
static void
write_dumps(struct hp_html *h, const struct hp_result *r)
{
	hp_html_markup(h, "<ol>\n");
	for (size_t i = 0; i < r->ndumps; i++) {
		const struct hp_dump_info *d = &r->dumps[i];
		struct hp_buf b = {0};

		hp_buf_printf(&b, ": %s, ", d->dialect);
		hp_count_text(&b, d->objects);
		hp_buf_text(&b, r->unit == HP_UNIT_BYTES   ? " objects, "
				: r->unit == HP_UNIT_WAITS ? " waits, "
							   : " ");
		if (r->unit == HP_UNIT_BYTES || r->unit == HP_UNIT_WAITS)
			value_text(&b, r, d->bytes, true);
		if (r->unit != HP_UNIT_BYTES)
			hp_buf_text(&b, r->unit == HP_UNIT_SAMPLES ? "samples"
								   : " ms");
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
		hp_html_text(h, d->path);
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
	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_html_markup(h, g->tripped   ? "<p class=\"bad\">Failed: "
				  : g->matched ? "<p class=\"good\">Passed: "
					       : "<p class=\"bad\">No row "
						 "matches: ");
		hp_html_markup(h, "<code>");
		hp_html_text(h, g->text);
		hp_html_markup(h, "</code>");
		for (size_t k = 0; k < g->nrows; k++) {
			hp_html_markup(h, k ? ", " : " ");
			hp_html_visible(h, g->rows[k]->key);
		}
		if (hp_result_gate_is_blind(r, g))
			hp_html_markup(h, " about the rows themselves; what "
					  "they retain would trip it");
		hp_html_markup(h, "</p>\n");
	}
}

/* A line a line: of each suspect three. */
static void
write_suspects(struct hp_html *h, const struct hp_result *r)
{
	struct hp_buf b = {0};
	char *text, *line, *end;

	hp_suspects_text(&b, r);
	hp_buf_inherit(&h->buf, &b);
	text = hp_buf_take(&b);
	for (line = text; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		hp_html_element(h, "p", line);
	}
	free(text);
}

/* Samples and their times have one value of their own, rows' counts. */
static bool
has_bytes(const struct hp_result *r)
{
	return r->unit != HP_UNIT_SAMPLES;
}

/* A cell of each dump; of the head, where @v is NULL, "bytes 2" or "bytes". */
static void
write_values(struct hp_html *h, const struct hp_result *r, const char *name,
	     const uint64_t *v, bool of_bytes)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		hp_buf_text(&h->buf, v ? "<td>" : "<th>");
		if (v)
			value_text(&h->buf, r, v[i], of_bytes);
		else if (r->ndumps > 1)
			hp_buf_printf(&h->buf, "%s %zu", name, i + 1);
		else
			hp_buf_text(&h->buf, name);
		hp_html_markup(h, v ? "</td>" : "</th>\n");
	}
}

static void
write_growth(struct hp_html *h, const struct hp_result *r, const char *name,
	     const uint64_t *v, bool of_bytes)
{
	if (!v) {
		hp_html_element(h, "th", name);
		return;
	}
	hp_buf_text(&h->buf, "<td>");
	growth_text(&h->buf, r, hp_row_growth(&r->rows, v), of_bytes);
	hp_html_markup(h, "</td>");
}

/* The numbers of a row or the total; @row of nothing: what they are called. */
static void
write_cells(struct hp_html *h, const struct hp_result *r,
	    const struct hp_row *row)
{
	const char *count = r->unit == HP_UNIT_SAMPLES
				    ? "samples"
				    : hp_result_count_name(r);
	bool bytes = has_bytes(r), retained = r->rows.retained;

	write_values(h, r, count, row->count, false);
	if (bytes)
		write_values(h, r, hp_result_bytes_name(r), row->bytes, true);
	if (retained)
		write_values(h, r, "retained bytes", row->retained_bytes, true);
	if (r->ndumps > 1)
		write_growth(h, r, "growth", row->count, false);
	if (r->ndumps > 1 && bytes)
		write_growth(h, r, "growth, bytes", row->bytes, true);
	if (r->ndumps > 1 && retained)
		write_growth(h, r, "growth, retained", row->retained_bytes,
			     true);
}

/* The key, and of a stack the innermost frames. */
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

/* The page has rows that did not change for the asking: they are not here. */
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
	write_cells(h, r, &(struct hp_row){0});
	hp_html_markup(h, "</tr></thead>\n<tbody>\n");
	n = write_rows(h, r);
	hp_html_markup(h, "</tbody>\n<tfoot><tr><th class=\"text\" "
			  "scope=\"row\">all rows</th>");
	write_cells(h, r, r->total);
	hp_html_markup(h, "</tr>\n</tfoot></table>\n");
	if (n > FALLBACK_ROWS)
		hp_buf_printf(&h->buf,
			      "<p>The first %d of %zu rows are listed.</p>\n",
			      FALLBACK_ROWS, n);
	if (r->ncut > 0)
		hp_buf_printf(&h->buf, "<p>%zu left out by --top.</p>\n",
			      r->ncut);
}

/* The whole of a dump. By holder an object counts several times; of --heap the
 * total is of all heaps. */
static uint64_t
whole_of(const struct hp_result *r, size_t dump)
{
	const struct hp_row *total = r->total;

	if (r->by == HP_BY_HOLDER || r->heap_shown)
		return r->dumps[dump].bytes;
	if (r->by == HP_BY_DOMINATOR)
		return total->retained_bytes[dump];
	return r->unit == HP_UNIT_SAMPLES || r->unit == HP_UNIT_TIMES
		       ? total->count[dump]
		       : total->bytes[dump];
}

/* "Heap: +1.4 MB, from 703.5 KB to 2.1 MB". */
static void
write_heading(struct hp_html *h, const struct hp_result *r)
{
	uint64_t first = whole_of(r, 0), last = whole_of(r, r->ndumps - 1);
	bool of_bytes = r->unit == HP_UNIT_BYTES;
	struct hp_buf *b = &h->buf;

	hp_html_markup(h, "<h1>");
	if (r->options->why) {
		hp_buf_text(b, "What matches ");
		hp_html_text(h, r->options->why);
	} else {
		hp_buf_text(b, of_bytes			    ? "Heap"
			       : r->unit == HP_UNIT_SAMPLES ? "CPU samples"
							    : "Milliseconds");
	}
	if (r->heap_shown) {
		hp_buf_byte(b, ' ');
		hp_html_text(h, r->options->heap);
	}
	hp_buf_text(b, ": ");
	if (r->ndumps > 1) {
		growth_text(b, r, hp_growth(first, last), of_bytes);
		hp_buf_text(b, ", from ");
		value_text(b, r, first, of_bytes);
		hp_buf_text(b, " to ");
	}
	value_text(b, r, last, of_bytes);
	hp_html_markup(h, "</h1>\n");
}

void
hp_html_fallback(struct hp_html *h, const void *result)
{
	const struct hp_result *r = result;

	write_heading(h, r);
	hp_html_markup(h, "<p>Without JavaScript this page has the figures "
			  "alone.</p>\n");
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
