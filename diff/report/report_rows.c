/*
 * report_rows.c - write flat rows for databases: one row for the dump itself,
 * then the rows of --by, then a row for each suspect and each finding
 */

#include "diff/report/report.h"

#include <string.h>

/* The columns that TSV always has, in the order of enum hp_cell. */
static const enum hp_cell columns[] = {
	HP_CELL_TOOL,
	HP_CELL_TOOL_VERSION,
	HP_CELL_VERDICT,
	HP_CELL_ERROR,
	HP_CELL_DIALECT,
	HP_CELL_COMPRESSION,
	HP_CELL_ID_SIZE,
	HP_CELL_OBJECTS,
	HP_CELL_HEAP_BYTES,
	HP_CELL_BYTES,
	HP_CELL_ERROR_COUNT,
	HP_CELL_ERROR_BYTES,
	HP_CELL_UNDESCRIBED_OBJECTS,
	HP_CELL_UNDESCRIBED_CLASSES,
};

static void
show(enum hp_cell *list, size_t *n, enum hp_cell column)
{
	list[(*n)++] = column;
}

/*
 * Returns the column for the name of a row: "class" if the name is a class,
 * otherwise "key".
 */
static enum hp_cell
key_column(enum hp_by by)
{
	return hp_key_is(by, HP_KEY_NAMES_CLASS) ? HP_CELL_CLASS : HP_CELL_KEY;
}

/* Whether the options of this run allow rows with values in column @c. */
static bool
may_have(const struct hp_diff_options *o, bool retained, enum hp_col c)
{
	if (!(hp_columns[c].keys & 1u << o->by))
		return false;
	if (hp_column_is(c, HP_COLUMN_IS_RETAINED))
		return retained;
	return !hp_column_is(c, HP_COLUMN_IS_ASKED) || o->columns & 1u << c;
}

void
hp_report_rows_open(struct hp_flat_rows *f, const struct hp_diff_options *o,
		    bool retained, FILE *out)
{
	enum hp_cell shown[HP_CELL_END];
	const enum hp_cell *cells = hp_row_keys[o->by].cells;
	size_t n = HP_ARRAY_LEN(columns);

	memcpy(shown, columns, sizeof(columns));
	show(shown, &n, key_column(o->by));
	for (size_t i = 0; cells[i] != HP_CELL_END; i++)
		show(shown, &n, cells[i]);
	for (unsigned c = 0; c < HP_COLS; c++)
		if (may_have(o, retained, (enum hp_col)c))
			show(shown, &n, hp_columns[c].cell);
	show(shown, &n, HP_CELL_ROLLUP);
	if (retained) {
		show(shown, &n, HP_CELL_REACHABLE_OBJECTS);
		show(shown, &n, HP_CELL_REACHABLE_BYTES);
		show(shown, &n, HP_CELL_CLASS);
		show(shown, &n, HP_CELL_KEPT_BY);
		show(shown, &n, HP_CELL_ELEMENT);
		show(shown, &n, HP_CELL_ELEMENTS);
		show(shown, &n, HP_CELL_RULE);
		show(shown, &n, HP_CELL_MESSAGE);
	}
	hp_flat_open(f, out, o->common.format, shown, n, &o->labels);
}

static const char *
verdict(const struct hp_dump_info *d, const struct hp_buf *error)
{
	if (error->len == 0)
		return d->partial ? "partial" : "read";
	return d->damaged ? "damaged" : "unreadable";
}

/*
 * Whether the number of objects in the dump is known. It is not if rows are CPU
 * samples, waits for monitors, or ALLOC SITES records.
 */
static bool
counts_objects(const struct hp_result *r)
{
	return !hp_key_is(r->by, HP_KEY_EVENTS) &&
	       (!r->sites || strcmp(r->sites, "records") != 0);
}

static void
write_dump(struct hp_flat_rows *f, const struct hp_result *r,
	   const struct hp_flat_dump *dump, const struct hp_buf *error)
{
	const struct hp_dump_info *d = &r->dumps[0];

	hp_flat_begin(f, "dump", dump);
	hp_flat_text(f, HP_CELL_TOOL, "hprof-diff");
	hp_flat_text(f, HP_CELL_TOOL_VERSION, HP_VERSION);
	hp_flat_text(f, HP_CELL_VERDICT, verdict(d, error));
	if (error->len > 0)
		hp_flat_visible(f, HP_CELL_ERROR, error->data, error->len);
	hp_flat_text(f, HP_CELL_DIALECT, d->dialect);
	hp_flat_text(f, HP_CELL_COMPRESSION, d->compression);
	if (d->id_size)
		hp_flat_number(f, HP_CELL_ID_SIZE, d->id_size);
	if (strcmp(dump->id->of, "bytes") == 0 && !d->text)
		hp_flat_number(f, HP_CELL_BYTES, dump->id->bytes);
	if (error->len == 0 && counts_objects(r)) {
		hp_flat_number(f, HP_CELL_OBJECTS, d->all_objects);
		hp_flat_number(f, HP_CELL_HEAP_BYTES, d->all_bytes);
	}
	if (error->len == 0 && r->rows.retained) {
		hp_flat_number(f, HP_CELL_REACHABLE_OBJECTS,
			       d->reachable.objects);
		hp_flat_number(f, HP_CELL_REACHABLE_BYTES, d->reachable.bytes);
	}
	if (error->len == 0 && d->undescribed.objects > 0) {
		hp_flat_number(f, HP_CELL_UNDESCRIBED_OBJECTS,
			       d->undescribed.objects);
		hp_flat_number(f, HP_CELL_UNDESCRIBED_CLASSES,
			       d->undescribed.classes);
	}
	hp_flat_end(f);
}

static void
write_values(struct hp_flat_rows *f, const struct hp_result *r,
	     const struct hp_row *row)
{
	for (unsigned i = 0; i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i;

		if (!hp_result_tells(r, c) || !hp_result_has_value(row, c))
			continue;
		if (hp_columns[c].unit == HP_IN_PERCENT)
			hp_flat_hundredths(
				f, hp_columns[c].cell,
				hp_percent_hundredths(
					hp_result_value(r, row, c, 0)));
		else
			hp_flat_number(f, hp_columns[c].cell,
				       hp_result_value(r, row, c, 0));
	}
	if (hp_result_is_sampled(r)) {
		hp_flat_number(
			f, HP_CELL_ERROR_COUNT,
			(uint64_t)hp_result_margin(r, row, 0, HP_COL_COUNT));
		hp_flat_number(
			f, HP_CELL_ERROR_BYTES,
			(uint64_t)hp_result_margin(r, row, 0, HP_COL_BYTES));
	}
}

static void
join_frames(struct hp_buf *stack, const struct hp_row *row)
{
	hp_buf_clear(stack);
	for (uint32_t i = 0; i < row->frames.count; i++) {
		hp_buf_text(stack, i > 0 ? "; " : "");
		hp_buf_text(stack, row->frames.text[i]);
	}
}

static void
write_row(struct hp_flat_rows *f, const struct hp_result *r,
	  const struct hp_flat_dump *dump, const struct hp_row *row,
	  struct hp_buf *stack)
{
	hp_flat_begin(f, hp_by_name(r->by), dump);
	hp_flat_visible(f, key_column(r->by), row->key, row->key_len);
	if (row->rollup || row->beside) {
		hp_flat_number(f, HP_CELL_ROLLUP, 1);
	} else if (hp_result_has_stacks(r)) {
		join_frames(stack, row);
		hp_buf_inherit(&f->buf, stack);
		hp_flat_visible(f, HP_CELL_FRAMES, hp_buf_string(stack),
				hp_buf_length(stack));
	}
	write_values(f, r, row);
	hp_flat_end(f);
}

static void
write_suspect(struct hp_flat_rows *f, const struct hp_flat_dump *dump,
	      const struct hp_suspect *s)
{
	hp_flat_begin(f, "suspect", dump);
	hp_flat_visible(f, HP_CELL_CLASS, s->holder, strlen(s->holder));
	hp_flat_number(f, HP_CELL_COUNT, s->holders[1]);
	hp_flat_number(f, HP_CELL_RETAINED_COUNT, s->retained[1].objects);
	hp_flat_number(f, HP_CELL_RETAINED_BYTES, s->retained[1].bytes);
	if (s->native[1] > 0)
		hp_flat_number(f, HP_CELL_NATIVE, s->native[1]);
	hp_flat_visible(f, HP_CELL_KEPT_BY, s->path, strlen(s->path));
	if (s->element) {
		hp_flat_visible(f, HP_CELL_ELEMENT, s->element,
				strlen(s->element));
		hp_flat_number(f, HP_CELL_ELEMENTS, s->elements[1]);
	}
	hp_flat_end(f);
}

static void
write_finding(struct hp_flat_rows *f, const struct hp_result *r,
	      const struct hp_flat_dump *dump, enum hp_unusual kind,
	      struct hp_buf *text)
{
	const struct hp_unusual_fact *x = &r->findings[kind];

	hp_buf_clear(text);
	hp_unusual_text(text, kind, x);
	hp_flat_begin(f, "finding", dump);
	hp_flat_text(f, HP_CELL_RULE, hp_unusual_kinds[kind].id);
	hp_flat_number(f, HP_CELL_COUNT, x->count);
	hp_flat_number(f, HP_CELL_BYTES, x->bytes);
	hp_flat_visible(f, HP_CELL_MESSAGE, hp_buf_string(text),
			hp_buf_length(text));
	hp_buf_inherit(&f->buf, text);
	hp_flat_end(f);
}

enum hp_status
hp_report_rows(struct hp_flat_rows *f, const struct hp_result *r,
	       const struct hp_buf *error, struct hp_error *err)
{
	const struct hp_dump_info *d = &r->dumps[0];
	const struct hp_flat_dump dump = {.id = &d->id,
					  .path = d->path,
					  .time_ms = d->timestamp_ms,
					  .partial =
						  d->partial || error->len > 0,
					  .number = d->number};
	struct hp_buf stack = {0};

	write_dump(f, r, &dump, error);
	for (size_t i = 0; error->len == 0 && i < r->nshown; i++)
		write_row(f, r, &dump, r->shown[i], &stack);
	for (size_t i = 0; error->len == 0 && i < r->nsuspects; i++)
		write_suspect(f, &dump, &r->suspects[i]);
	for (unsigned i = 0; error->len == 0 && i < HP_UNUSUALS; i++)
		if (r->findings[i].applies)
			write_finding(f, r, &dump, (enum hp_unusual)i, &stack);
	hp_buf_release(&stack);
	return hp_flat_flush(f, err);
}
