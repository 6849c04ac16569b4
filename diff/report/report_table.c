/*
 * report_table.c - the result as a table for people
 */
#include "diff/report/report.h"
#include "diff/report/report_suspects.h"
#include "diff/report/report_why.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"
#include "common/cli/table.h"
#include "common/cli/times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns: count and bytes of each dump, their growth, marks, the key. */
struct table_plan {
	struct hp_table_column *columns;
	char (*titles)[24];
	size_t n, cap;
};

static void
add_column(struct table_plan *p, const char *title, bool right, bool shrink)
{
	p->columns[p->n++] = (struct hp_table_column){.title = title,
						      .right = right,
						      .shrink = shrink,
						      .names = shrink};
}

/* A column for each dump. */
static void
plan_values(struct table_plan *p, const struct hp_result *r, const char *title)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		snprintf(p->titles[p->n], sizeof(*p->titles),
			 r->ndumps > 1 ? "%s %zu" : "%s", title, i + 1);
		add_column(p, p->titles[p->n], true, false);
	}
}

/* Objects and bytes that would go with those of a row. */
static void
plan_retained(struct table_plan *p, const struct hp_result *r)
{
	static const char *const titles[][2] = {
		{"retained", "retained %zu"}, {"ret. bytes", "ret. bytes %zu"}};

	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; i < r->ndumps; i++) {
			snprintf(p->titles[p->n], sizeof(*p->titles),
				 k == 0		 ? r->ndumps > 1 ? titles[0][1]
								 : titles[0][0]
					  : r->ndumps > 1 ? titles[1][1]
						 : titles[1][0],
				 i + 1);
			add_column(p, p->titles[p->n], true, false);
		}
	if (r->ndumps > 1) {
		add_column(p, "+retained", true, false);
		add_column(p, "+ret. bytes", true, false);
	}
}

/* How often the objects of a row are referred to. */
static void
plan_references(struct table_plan *p, const struct hp_result *r)
{
	plan_values(p, r, "references");
	if (r->ndumps > 1)
		add_column(p, "+references", true, false);
}

/* Is there a column that says what is special about a row? */
static bool
has_marks(const struct hp_result *r)
{
	return r->ndumps > 2 || (r->ndumps > 1 && r->by == HP_BY_PATH);
}

static bool
make_columns(struct table_plan *p, const struct hp_result *r)
{
	bool cpu = r->by == HP_BY_CPU;

	p->cap = 8 * r->ndumps + 10;
	p->columns = calloc(p->cap, sizeof(*p->columns));
	p->titles = calloc(p->cap, sizeof(*p->titles));
	if (!p->columns || !p->titles)
		return false;
	if (hp_result_shows(r, HP_COLUMN_COUNT))
		plan_values(p, r,
			    r->unit == HP_UNIT_SAMPLES
				    ? "samples"
				    : hp_result_count_name(r));
	if (r->unit == HP_UNIT_TIMES)
		plan_values(p, r, hp_result_bytes_name(r));
	if (hp_result_shows(r, HP_COLUMN_BYTES))
		plan_values(p, r, cpu ? "inclusive" : hp_result_bytes_name(r));
	if (r->ndumps > 1 && hp_result_shows(r, HP_COLUMN_COUNT))
		add_column(p, cpu ? "change" : "+count", true, false);
	if (r->ndumps > 1 && hp_result_shows(r, HP_COLUMN_BYTES) && !cpu)
		add_column(p, r->unit == HP_UNIT_WAITS ? "+ms" : "+bytes", true,
			   false);
	if (hp_result_is_sampled(r))
		add_column(p, r->ndumps > 1 ? "\u00b1growth" : "\u00b1bytes",
			   true, false);
	if (hp_result_shows(r, HP_COLUMN_RETAINED))
		plan_retained(p, r);
	if (hp_result_shows(r, HP_COLUMN_LARGEST))
		plan_values(p, r, "largest");
	if (hp_result_shows(r, HP_COLUMN_DEPTH))
		plan_values(p, r, "depth");
	if (hp_result_shows(r, HP_COLUMN_NATIVE))
		plan_values(p, r, "native");
	if (r->by == HP_BY_HOLDER)
		plan_references(p, r);
	if (has_marks(r))
		add_column(p, "", false, false);
	if (r->by == HP_BY_LOADER)
		add_column(p, "loaders", true, false);
	add_column(p, cpu ? "method" : hp_by_name(r->by), false, true);
	return true;
}

static enum hp_color
growth_color(int64_t v)
{
	return v > 0 ? HP_COLOR_RED : v < 0 ? HP_COLOR_GREEN : HP_COLOR_NONE;
}

/* Everything of a row, or of the total, but its name. NULL: it has none. */
struct table_numbers {
	const uint64_t *count, *bytes, *extra;
	const uint64_t *retained_count, *retained_bytes;
	const uint64_t *largest, *depth, *native;
	const char *mark; /* what is special about the row, or "" */
	double margin;
};

static void
add_growth_cells(struct hp_table *t, const struct hp_result *r,
		 const uint64_t *count, const uint64_t *bytes)
{
	int64_t c = count ? hp_row_growth(&r->rows, count) : 0;
	int64_t b = bytes ? hp_row_growth(&r->rows, bytes) : 0;

	if (count)
		hp_count_text_signed(hp_table_open(t, growth_color(c)), c);
	if (bytes && r->unit == HP_UNIT_WAITS)
		hp_count_text_signed(hp_table_open(t, growth_color(b)), b);
	else if (bytes && r->by != HP_BY_CPU)
		hp_size_text_signed(hp_table_open(t, growth_color(b)), b);
}

static void
table_retained(struct hp_table *t, const struct hp_result *r,
	       const uint64_t *count, const uint64_t *bytes)
{
	for (size_t i = 0; i < r->ndumps; i++)
		hp_count_text(hp_table_open(t, HP_COLOR_NONE), count[i]);
	for (size_t i = 0; i < r->ndumps; i++)
		hp_size_text(hp_table_open(t, HP_COLOR_NONE), bytes[i]);
	if (r->ndumps > 1)
		add_growth_cells(t, r, count, bytes);
}

/* The largest object and such, which a total may not have. */
static void
table_more(struct hp_table *t, const struct hp_result *r,
	   const struct table_numbers *n)
{
	const uint64_t *const values[] = {n->largest, n->depth, n->native};
	static const unsigned columns[] = {HP_COLUMN_LARGEST, HP_COLUMN_DEPTH,
					   HP_COLUMN_NATIVE};

	for (unsigned k = 0; k < HP_ARRAY_LEN(columns); k++)
		for (size_t i = 0;
		     hp_result_shows(r, columns[k]) && i < r->ndumps; i++) {
			struct hp_buf *cell = hp_table_open(t, HP_COLOR_NONE);

			if (!values[k] || (columns[k] == HP_COLUMN_DEPTH &&
					   values[k][i] == 0))
				continue;
			if (columns[k] == HP_COLUMN_DEPTH)
				hp_count_text(cell, values[k][i]);
			else
				hp_size_text(cell, values[k][i]);
		}
}

static void
table_references(struct hp_table *t, const struct hp_result *r,
		 const uint64_t *references)
{
	int64_t growth = hp_row_growth(&r->rows, references);

	for (size_t i = 0; i < r->ndumps; i++)
		hp_count_text(hp_table_open(t, HP_COLOR_NONE), references[i]);
	if (r->ndumps > 1)
		hp_count_text_signed(hp_table_open(t, growth_color(growth)),
				     growth);
}

/* Bytes, or what stands in their place. */
static void
table_bytes(struct hp_table *t, const struct hp_result *r,
	    const struct table_numbers *n)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		struct hp_buf *cell = hp_table_open(t, HP_COLOR_NONE);

		if (r->unit == HP_UNIT_WAITS)
			hp_count_text(cell, n->bytes[i]);
		else if (r->by != HP_BY_CPU)
			hp_size_text(cell, n->bytes[i]);
		else if (n->extra)
			hp_count_text(cell, n->extra[i]);
	}
}

static void
add_number_cells(struct hp_table *t, const struct hp_result *r,
		 const struct table_numbers *n)
{
	bool count = hp_result_shows(r, HP_COLUMN_COUNT);
	bool bytes = hp_result_shows(r, HP_COLUMN_BYTES);

	for (size_t i = 0; i < r->ndumps && count; i++)
		hp_count_text(hp_table_open(t, HP_COLOR_NONE), n->count[i]);
	for (size_t i = 0; i < r->ndumps && r->unit == HP_UNIT_TIMES; i++)
		hp_count_text(hp_table_open(t, HP_COLOR_NONE), n->bytes[i]);
	if (bytes)
		table_bytes(t, r, n);
	if (r->ndumps > 1)
		add_growth_cells(t, r, count ? n->count : NULL,
				 bytes ? n->bytes : NULL);
	if (hp_result_is_sampled(r))
		hp_size_text(hp_table_open(t, HP_COLOR_NONE),
			     (uint64_t)n->margin);
	if (hp_result_shows(r, HP_COLUMN_RETAINED))
		table_retained(t, r, n->retained_count, n->retained_bytes);
	table_more(t, r, n);
	if (r->by == HP_BY_HOLDER)
		table_references(t, r, n->extra);
	if (has_marks(r))
		hp_buf_text(hp_table_open(t, HP_COLOR_RED), n->mark);
	if (r->by == HP_BY_LOADER) {
		struct hp_buf *cell = hp_table_open(t, HP_COLOR_NONE);

		for (size_t i = 0; n->extra && i < r->ndumps; i++)
			hp_buf_printf(cell, "%s%" PRIu64, i ? " " : "",
				      n->extra[i]);
	}
}

static void
add_row(struct hp_table *t, const struct hp_result *r, const struct hp_row *row)
{
	struct hp_buf *cell;

	add_number_cells(t, r,
			 &(struct table_numbers){
				 row->count, row->bytes, row->extra,
				 row->retained_count, row->retained_bytes,
				 row->largest, row->depth, row->native,
				 row->grows		    ? "grows"
				 : hp_result_is_new(r, row) ? "new"
							    : "",
				 hp_result_growth_margin(r, row, true)});
	cell = hp_table_open(t, HP_COLOR_NONE);
	hp_buf_add(cell, row->key, row->key_len);
	for (uint32_t i = 0; i < row->frames.count; i++) {
		hp_buf_text(cell, i ? " < " : "  ");
		hp_buf_text(cell, row->frames.text[i]);
	}
}

/* What the roots keep, and what they do not. */
static void
table_reached(struct hp_buf *b, const struct hp_dump_info *d, bool indent)
{
	static const char *const words[] = {"reachable", "weakly reachable",
					    "unreachable"};
	const struct hp_graph_sum *const sums[] = {&d->reachable, &d->weak,
						   &d->unreachable};

	hp_buf_text(b, indent ? "   " : "");
	for (unsigned i = 0; i < HP_ARRAY_LEN(sums); i++) {
		hp_buf_text(b, i > 0 ? ", " : "");
		hp_count_text(b, sums[i]->objects);
		hp_buf_printf(b, " %s (", words[i]);
		hp_size_text(b, sums[i]->bytes);
		hp_buf_byte(b, ')');
	}
	hp_buf_byte(b, '\n');
}

/* The two values of a dump or a row, and what they count. */
static void
table_words(struct hp_buf *b, const struct hp_result *r, uint64_t count,
	    uint64_t bytes)
{
	static const char *const words[] = {" objects, ", " samples", " ms, ",
					    " waits, "};

	hp_count_text(b, count);
	hp_buf_text(b, words[r->unit]);
	if (r->unit == HP_UNIT_BYTES) {
		hp_size_text(b, bytes);
	} else if (r->unit != HP_UNIT_SAMPLES) {
		hp_count_text(b, bytes);
		hp_buf_text(b, r->unit == HP_UNIT_TIMES ? " calls" : " ms");
	}
}

/* Their growth. */
static void
table_growth(struct hp_buf *b, const struct hp_result *r, int64_t count,
	     int64_t bytes)
{
	hp_buf_text(b, " (");
	hp_count_text_signed(b, count);
	if (r->unit != HP_UNIT_SAMPLES)
		hp_buf_text(b, ", ");
	if (r->unit == HP_UNIT_BYTES)
		hp_size_text_signed(b, bytes);
	else if (r->unit != HP_UNIT_SAMPLES)
		hp_count_text_signed(b, bytes);
	hp_buf_byte(b, ')');
}

/* Two models may have the same headers; the name given to --layout tells. */
static const char *
model_words(const struct hp_size_model *l)
{
	return strcmp(l->source, "auto") == 0 && l->model == HP_SIZE_MODEL_ART
		       ? ", art"
		       : "";
}

static void
print_dumps(struct hp_buf *b, const struct hp_result *r)
{
	for (size_t i = 0; i < r->ndumps; i++) {
		const struct hp_dump_info *d = &r->dumps[i];
		const struct hp_size_model *l = &d->layout;
		bool events = r->by == HP_BY_CPU || r->by == HP_BY_MONITOR;

		if (r->ndumps > 1)
			hp_buf_printf(b, "%zu  ", i + 1);
		hp_text_clean(b, d->path, strlen(d->path));
		hp_buf_printf(b, "  %s  ", d->dialect);
		if (d->timestamp_ms && hp_time_text(b, d->timestamp_ms))
			hp_buf_text(b, "  ");
		table_words(b, r, d->objects, d->bytes);
		if (!events && (i == 0 || hp_result_layouts_differ(r)))
			hp_buf_printf(
				b,
				"  (layout %s%s: references %u, headers %u "
				"and %u, alignment %u)",
				l->source, model_words(l), l->reference,
				l->header, l->array_header, l->alignment);
		if (d->sample) {
			hp_buf_text(b, "  one sample in ");
			hp_size_text(b, d->sample);
		}
		if (d->partial)
			hp_buf_text(b, "  partial");
		hp_buf_byte(b, '\n');
		if (r->rows.retained)
			table_reached(b, d, r->ndumps > 1);
	}
	hp_buf_byte(b, '\n');
}

/* A row that trips a gate, by what the gate is about. */
static void
print_gate_row(struct hp_buf *b, const struct hp_result *r,
	       const struct hp_gate *g, const struct hp_row *row)
{
	bool retained = hp_gate_is_retained(g->what);
	const uint64_t *count = retained ? row->retained_count : row->count;
	const uint64_t *bytes = retained ? row->retained_bytes : row->bytes;

	hp_buf_text(b, "        ");
	hp_buf_add(b, row->key, row->key_len);
	if (row->frames.count) {
		hp_buf_text(b, " at ");
		hp_buf_text(b, row->frames.text[0]);
	}
	hp_buf_text(b, retained ? "  retains " : "  ");
	table_words(b, r, count[r->ndumps - 1], bytes[r->ndumps - 1]);
	if (r->ndumps > 1)
		table_growth(b, r, hp_row_growth(&r->rows, count),
			     hp_row_growth(&r->rows, bytes));
	hp_buf_byte(b, '\n');
}

static void
print_gates(struct hp_buf *b, const struct hp_result *r)
{
	if (r->ngates)
		hp_buf_byte(b, '\n');
	for (size_t i = 0; i < r->ngates; i++) {
		const struct hp_gate *g = &r->gates[i];

		hp_buf_text(b, g->tripped   ? "FAILED  "
			       : g->matched ? "passed  "
					    : "no row matches  ");
		hp_text_clean(b, g->text, strlen(g->text));
		hp_buf_byte(b, '\n');
		for (size_t k = 0; k < g->nrows; k++)
			print_gate_row(b, r, g, g->rows[k]);
	}
}

/* By path: rows that may have grown by what was on other paths before. */
static void
table_moved(struct hp_buf *b, const struct hp_result *r)
{
	bool any = false;

	for (size_t i = 0; i < r->nshown; i++) {
		const struct hp_row *row = r->shown[i];

		if (!row->moved_from)
			continue;
		hp_buf_text(b, any ? "" : "\n");
		any = true;
		hp_buf_text(b, "moved: ");
		hp_count_text(b, row->moved_count);
		hp_buf_text(b, " objects of ");
		hp_buf_add(b, row->key, row->key_len);
		hp_buf_printf(b,
			      "\n    may have been here before, where their "
			      "path was longer:\n    %s\n",
			      row->moved_from);
	}
}

enum { HP_TABLE_TEXT = 1 << 16 }; /* bytes of cells, or of lines */

/* Measure the rows, or print them where @b is given. */
static enum hp_status
table_rows(struct hp_table *t, const struct hp_result *r,
	   const struct hp_table_style *look, struct hp_buf *b, FILE *out,
	   struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		add_row(t, r, r->shown[i]);
		if (t->text.len < HP_TABLE_TEXT)
			continue;
		st = b ? hp_table_print_rows(t, look, b, err)
		       : hp_table_measure(t, err);
		if (st == HP_OK && b)
			st = hp_buf_flush(b, out, err);
	}
	if (st != HP_OK)
		return st;
	hp_table_rule(t);
	add_number_cells(
		t, r,
		&(struct table_numbers){
			.count = r->total_count,
			.bytes = r->total_bytes,
			.extra = r->by == HP_BY_HOLDER ? r->total_extra : NULL,
			.retained_count = r->retained_count,
			.retained_bytes = r->retained_bytes,
			.native = r->total_native,
			.mark = "",
			.margin = hp_result_growth_margin(r, NULL, true)});
	hp_buf_text(hp_table_open(t, HP_COLOR_BOLD), "total");
	return b ? hp_table_print_rows(t, look, b, err)
		 : hp_table_measure(t, err);
}

enum hp_status
hp_report_table(const struct hp_result *r, const struct hp_report_style *style,
		FILE *out, struct hp_error *err)
{
	const struct hp_table_style look = {.width = style->width,
					    .color = style->color,
					    .underline = true};
	struct table_plan plan = {0};
	struct hp_buf b = {0};
	struct hp_table t;
	enum hp_status st = HP_OK;

	print_dumps(&b, r);
	if (r->why.count > 0) {
		st = hp_why_table(r, &look, &b, out, err);
	} else if (r->ndumps > 1 && !r->changed && r->nshown == 0) {
		hp_buf_text(&b, "nothing changed\n");
	} else if (make_columns(&plan, r)) {
		hp_table_init(&t, plan.columns, plan.n);
		st = table_rows(&t, r, &look, NULL, out, err);
		if (st == HP_OK)
			st = table_rows(&t, r, &look, &b, out, err);
		hp_table_release(&t);
	} else {
		st = hp_fail(err, HP_NOMEM, "out of memory");
	}
	table_moved(&b, r);
	hp_suspects_text(&b, r);
	print_gates(&b, r);
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	free(plan.columns);
	free(plan.titles);
	hp_buf_release(&b);
	return st;
}
