/*
 * report_table.c - the result as a table for people
 */
#include "diff/report/report.h"

#include "diff/report/table_lines.h"

#include "common/cli/escape.h"
#include "common/cli/times.h"

#include <inttypes.h>
#include <string.h>

enum {
	WEAK_PARTS = 10, /* of the heap: what is said to hang on them */
	MOVED_SHOWN = 5	 /* rows, with --why */
};

/* How near the roots the nearest object is; 0: none is reachable. */
static void
depth_text(struct hp_buf *b, uint64_t depth)
{
	if (depth > 0)
		hp_count_text(b, depth);
}

/* Is there a column that says what is special about a row? */
static bool
has_marks(const struct hp_result *r)
{
	return r->ndumps > 2 || (r->ndumps > 1 && r->by == HP_BY_PATH);
}

static const char *
row_mark(const struct hp_result *r, const struct hp_row *row)
{
	return row == r->total		  ? ""
	       : row->moved_from	  ? "moved"
	       : row->grows		  ? "grows"
	       : hp_result_is_new(r, row) ? "new"
					  : "";
}

/* Objects and bytes that would go with those of a row. */
static void
add_retained(struct hp_table_lines *l, const struct hp_row *row)
{
	const uint64_t *count = row->retained_count;
	const uint64_t *bytes = row->retained_bytes;

	hp_table_lines_values(l, "retained", count, hp_count_text);
	hp_table_lines_values(l, "ret. bytes", bytes, hp_size_text);
	hp_table_lines_growth(l, "+retained", count, true,
			      hp_count_text_signed);
	hp_table_lines_growth(l, "+ret. bytes", bytes, true,
			      hp_size_text_signed);
}

/* Count and bytes, or what stands in their places, and their growth. */
static void
add_counts(struct hp_table_lines *l, const struct hp_result *r,
	   const struct hp_row *row)
{
	bool cpu = r->by == HP_BY_CPU, waits = r->unit == HP_UNIT_WAITS;
	bool count = hp_result_shows(r, HP_COLUMN_COUNT);
	bool bytes = hp_result_shows(r, HP_COLUMN_BYTES);

	if (count)
		hp_table_lines_values(l,
				      r->unit == HP_UNIT_SAMPLES
					      ? "samples"
					      : hp_result_count_name(r),
				      row->count, hp_count_text);
	if (r->unit == HP_UNIT_TIMES)
		hp_table_lines_values(l, hp_result_bytes_name(r), row->bytes,
				      hp_count_text);
	if (bytes && cpu)
		hp_table_lines_values(l, "inclusive", row->extra,
				      hp_count_text);
	else if (bytes)
		hp_table_lines_values(l, hp_result_bytes_name(r), row->bytes,
				      waits ? hp_count_text : hp_size_text);
	if (count)
		hp_table_lines_growth(l, cpu ? "change" : "+count", row->count,
				      true, hp_count_text_signed);
	if (bytes && !cpu)
		hp_table_lines_growth(
			l, waits ? "+ms" : "+bytes", row->bytes, true,
			waits ? hp_count_text_signed : hp_size_text_signed);
}

/* The loaders of a row, of all dumps in one cell. */
static void
add_loaders(struct hp_table_lines *l, const struct hp_row *row)
{
	struct hp_buf *cell =
		hp_table_lines_cell(l, "loaders", HP_COLOR_NONE, true, false);

	for (size_t i = 0; cell && row->extra && i < l->dumps; i++)
		hp_buf_printf(cell, "%s%" PRIu64, i ? " " : "", row->extra[i]);
}

/* All that a line has; of the total what is a sum. */
static void
add_row(struct hp_table_lines *l, const struct hp_row *row)
{
	const struct hp_result *r = l->ctx;
	bool total = row == r->total;
	struct hp_buf *cell;

	add_counts(l, r, row);
	if (hp_result_is_sampled(r)) {
		cell = hp_table_lines_cell(
			l, r->ndumps > 1 ? "\u00b1growth" : "\u00b1bytes",
			HP_COLOR_NONE, true, false);
		if (cell)
			hp_size_text(cell, (uint64_t)hp_result_growth_margin(
						   r, row, true));
	}
	if (hp_result_shows(r, HP_COLUMN_RETAINED))
		add_retained(l, row);
	for (unsigned v = HP_ROW_LARGEST; v < HP_ROW_VALUES; v++)
		if (hp_result_shows(r, hp_row_kinds[v].column))
			hp_table_lines_values(
				l, hp_row_kinds[v].key, row->value[v],
				v == HP_ROW_DEPTH ? depth_text : hp_size_text);
	if (r->by == HP_BY_HOLDER) {
		hp_table_lines_values(l, "references", row->extra,
				      hp_count_text);
		hp_table_lines_growth(l, "+references", row->extra, true,
				      hp_count_text_signed);
	}
	cell = has_marks(r)
		       ? hp_table_lines_cell(l, "", HP_COLOR_RED, false, false)
		       : NULL;
	if (cell)
		hp_buf_text(cell, row_mark(r, row));
	if (r->by == HP_BY_LOADER)
		add_loaders(l, row);
	cell = hp_table_lines_cell(
		l, r->by == HP_BY_CPU ? "method" : hp_by_name(r->by),
		total ? HP_COLOR_BOLD : HP_COLOR_NONE, false, true);
	if (cell)
		hp_buf_add(cell, row->key, row->key_len);
	for (uint32_t i = 0; cell && i < row->frames.count; i++) {
		hp_buf_text(cell, i ? " < " : "  ");
		hp_buf_text(cell, row->frames.text[i]);
	}
}

static void
plan_rows(struct hp_table_lines *l)
{
	add_row(l, ((const struct hp_result *)l->ctx)->total);
}

static enum hp_status
add_rows(struct hp_table_lines *l, struct hp_error *err)
{
	const struct hp_result *r = l->ctx;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < r->nshown && st == HP_OK; i++) {
		add_row(l, r->shown[i]);
		st = hp_table_lines_flush(l, HP_TABLE_LINES_TEXT, err);
	}
	hp_table_rule(&l->table);
	add_row(l, r->total);
	return st;
}

/*
 * What the roots keep, and what they do not. Of what only weak references and
 * finalizers reach no row tells who holds it; where that is much of the heap,
 * as when a finalizer is stuck, it is said which option does.
 */
static void
table_reached(struct hp_buf *b, const struct hp_dump_info *d, bool indent)
{
	static const char *const words[] = {"reachable", "weakly reachable",
					    "unreachable"};
	const struct hp_graph_sum *const sums[] = {&d->reachable, &d->weak,
						   &d->unreachable};
	uint64_t all =
		d->reachable.bytes + d->weak.bytes + d->unreachable.bytes;

	hp_buf_text(b, indent ? "   " : "");
	for (unsigned i = 0; i < HP_ARRAY_LEN(sums); i++) {
		hp_buf_text(b, i > 0 ? ", " : "");
		hp_count_text(b, sums[i]->objects);
		hp_buf_printf(b, " %s (", words[i]);
		hp_size_text(b, sums[i]->bytes);
		hp_buf_byte(b, ')');
	}
	hp_buf_byte(b, '\n');
	if (d->weak.bytes > all / WEAK_PARTS)
		hp_buf_printf(b,
			      "%sweakly: only over weak references, finalizers "
			      "and the like; --reachability=all follows them\n",
			      indent ? "   " : "");
}

void
hp_report_count_text(struct hp_buf *b, const struct hp_result *r,
		     uint64_t count)
{
	static const char *const nouns[] = {[HP_UNIT_BYTES] = "object",
					    [HP_UNIT_SAMPLES] = "sample",
					    [HP_UNIT_WAITS] = "wait"};

	if (r->unit == HP_UNIT_TIMES) {
		hp_count_text(b, count);
		hp_buf_text(b, " ms");
	} else {
		hp_count_noun_text(b, count, nouns[r->unit]);
	}
}

/* The two values of a dump or a row, and what they count. */
static void
table_words(struct hp_buf *b, const struct hp_result *r, uint64_t count,
	    uint64_t bytes)
{
	hp_report_count_text(b, r, count);
	if (r->unit == HP_UNIT_SAMPLES)
		return;
	hp_buf_text(b, ", ");
	if (r->unit == HP_UNIT_BYTES) {
		hp_size_text(b, bytes);
	} else if (r->unit == HP_UNIT_TIMES) {
		hp_count_noun_text(b, bytes, "call");
	} else {
		hp_count_text(b, bytes);
		hp_buf_text(b, " ms");
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
		if (d->undescribed.objects > 0) {
			hp_buf_text(b, "  fields of ");
			hp_count_noun_text(b, d->undescribed.objects, "object");
			hp_buf_text(b, " not described");
		}
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

/* May what some object holds be missing in what a gate is about? */
static bool
lacks_references(const struct hp_result *r, const struct hp_gate *g)
{
	bool concerned = hp_gate_is_retained(g->what) ||
			 r->by == HP_BY_HOLDER || r->by == HP_BY_DOMINATOR ||
			 r->by == HP_BY_PATH;

	for (size_t i = 0; concerned && i < r->ndumps; i++)
		if (r->dumps[i].undescribed.objects > 0)
			return true;
	return false;
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
		if (hp_result_gate_is_blind(r, g))
			hp_buf_text(b,
				    "        about the rows themselves; what "
				    "they retain would trip it\n");
		if (lacks_references(r, g))
			hp_buf_text(b, "        without what the fields hold "
				       "that are not described\n");
		for (size_t k = 0; k < g->nrows; k++)
			print_gate_row(b, r, g, g->rows[k]);
	}
}

/* Rows that a terminal was spared, and nobody asked to leave out. */
static void
table_cut(struct hp_buf *b, const struct hp_result *r)
{
	if (r->ncut == 0 || r->options->top_given)
		return;
	hp_buf_byte(b, '(');
	hp_count_text(b, r->ncut);
	hp_buf_printf(b, " more row%s: --top=0)\n", r->ncut == 1 ? "" : "s");
}

/*
 * Rows that gained objects which were on other paths before. --why marks them
 * in its tree, so the first ones are enough there.
 */
static void
table_moved(struct hp_buf *b, const struct hp_result *r)
{
	size_t left = r->why.count > 0 ? MOVED_SHOWN : SIZE_MAX;
	bool any = false;

	for (size_t i = 0; i < r->nshown && left > 0; i++) {
		const struct hp_row *row = r->shown[i];

		if (!row->moved_from)
			continue;
		hp_buf_text(b, any ? "" : "\n");
		any = true;
		left--;
		hp_buf_text(b, "moved: ");
		hp_count_noun_text(b, row->moved_count, "object");
		hp_buf_text(b, " of ");
		hp_buf_add(b, row->key, row->key_len);
		hp_buf_printf(b,
			      "\n    may have been here before, on another "
			      "path:\n    %s\n",
			      row->moved_from);
	}
}

static void
table_ignored(struct hp_buf *b, const struct hp_result *r)
{
	struct hp_buf line = {0};

	hp_ignored_text(&line, r);
	if (line.len > 0)
		hp_buf_printf(b, "\n%s\n", hp_buf_string(&line));
	hp_buf_inherit(b, &line);
	hp_buf_release(&line);
}

enum hp_status
hp_report_table(const struct hp_result *r, const struct hp_table_style *style,
		FILE *out, struct hp_error *err)
{
	struct hp_table_lines lines = {.dumps = r->ndumps,
				       .most = 8 * r->ndumps + 10,
				       .ctx = r,
				       .plan = plan_rows,
				       .fill = add_rows};
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;

	print_dumps(&b, r);
	if (r->why.count > 0)
		st = hp_why_table(r, style, &b, out, err);
	else if (r->ndumps > 1 && !r->changed && r->nshown == 0)
		hp_buf_text(&b, "nothing changed\n");
	else
		st = hp_table_lines_print(&lines, style, &b, out, err);
	if (r->why.count == 0)
		table_cut(&b, r);
	table_ignored(&b, r);
	table_moved(&b, r);
	hp_suspects_text(&b, r);
	print_gates(&b, r);
	if (st == HP_OK)
		st = hp_buf_flush(&b, out, err);
	hp_buf_release(&b);
	return st;
}
