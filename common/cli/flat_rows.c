/*
 * flat_rows.c - write rows for databases, as JSON lines or TSV
 *
 * The cells of a row are collected. When the row ends, they are written in the
 * order of the columns. So the program may add the cells of a row in any order.
 */
#include "common/cli/flat_rows.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "common/cli/output.h"

#include <inttypes.h>
#include <strings.h>

enum {
	/*
	 * number of bytes of output that are collected before they are written
	 */
	FLAT_PIECE = 1 << 16,
	/*
	 * The maximum length of the key of a label, in bytes. It is the limit
	 * of PostgreSQL for names.
	 */
	LABEL_MOST = 63,
};

#define CELL(symbol, name, text) name,
static const char *const column_names[] = {
#include "common/cli/cells.def"
};
#define CELL(symbol, name, text) text,
static const bool column_is_text[] = {
#include "common/cli/cells.def"
};

/* --- labels --- */

bool
hp_label_is_key(const char *text, size_t n)
{
	if (n == 0 || n > LABEL_MOST || (*text >= '0' && *text <= '9'))
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = text[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && c != '_')
			return false;
	}
	return true;
}

static bool
same_name(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && strncasecmp(name, text, n) == 0;
}

/*
 * Check that neither a column nor another label has the name @key. Case is
 * ignored, as in SQL databases.
 */
static enum hp_status
check_free(const struct hp_labels *l, const char *key, size_t n,
	   struct hp_error *err)
{
	for (size_t i = 0; i < HP_CELL_END; i++) {
		if (same_name(column_names[i], key, n))
			return hp_fail(err, HP_DAMAGED,
				       "the label '%.*s' has the name of a "
				       "column; choose another name",
				       (int)n, key);
	}
	for (size_t i = 0; i < l->count; i++) {
		if (same_name(l->list[i].key, key, n))
			return hp_fail(err, HP_DAMAGED,
				       "the label '%.*s' is given twice",
				       (int)n, key);
	}
	return HP_OK;
}

enum hp_status
hp_labels_add(struct hp_labels *l, const char *text, struct hp_error *err)
{
	size_t n = strcspn(text, "=");
	struct hp_label *label;
	enum hp_status st;

	if (!text[n] || !hp_label_is_key(text, n))
		return hp_fail(err, HP_DAMAGED,
			       "'%.60s' is not of the form KEY=VALUE, with "
			       "letters, digits and _ in the key",
			       text);
	st = check_free(l, text, n, err);
	if (st != HP_OK)
		return st;
	if (!hp_list_resize(&l->list, &l->count, l->count + 1, sizeof(*label)))
		return hp_no_memory(err);
	label = &l->list[l->count - 1];
	*label = (struct hp_label){.key = hp_strndup(text, n),
				   .value = text + n + 1};
	return label->key ? HP_OK : hp_no_memory(err);
}

void
hp_labels_release(struct hp_labels *l)
{
	for (size_t i = 0; i < l->count; i++)
		hp_free(l->list[i].key);
	hp_free(l->list);
	*l = (struct hp_labels){0};
}

/* --- rows --- */

/*
 * Write the text before the value of a cell: a tab in TSV; a comma and the name
 * of the column in JSON.
 */
static void
separate(struct hp_flat_rows *f, const char *name, bool first)
{
	if (!first)
		hp_buf_byte(&f->buf, f->tsv ? '\t' : ',');
	if (f->tsv)
		return;
	hp_buf_byte(&f->buf, '"');
	hp_buf_text(&f->buf, name);
	hp_buf_text(&f->buf, "\":");
}

static void
write_header(struct hp_flat_rows *f)
{
	for (unsigned i = 0; i < HP_CELL_END; i++) {
		if (!f->shown[i])
			continue;
		hp_buf_text(&f->buf, i > 0 ? "\t" : "");
		hp_buf_text(&f->buf, column_names[i]);
		for (size_t k = 0; i == HP_CELL_PARTIAL && k < f->labels->count;
		     k++) {
			hp_buf_byte(&f->buf, '\t');
			hp_buf_text(&f->buf, f->labels->list[k].key);
		}
	}
	hp_buf_byte(&f->buf, '\n');
}

void
hp_flat_open(struct hp_flat_rows *f, FILE *file, const char *format,
	     const enum hp_cell *shown, size_t nshown,
	     const struct hp_labels *labels)
{
	*f = (struct hp_flat_rows){.file = file,
				   .tsv = strcmp(format, "tsv") == 0,
				   .labels = labels};
	for (unsigned i = 0; i <= HP_CELL_PARTIAL; i++)
		f->shown[i] = true;
	f->shown[HP_CELL_DUMP] = true;
	for (size_t i = 0; i < nshown; i++)
		f->shown[shown[i]] = true;
	if (f->tsv)
		write_header(f);
}

void
hp_flat_number(struct hp_flat_rows *f, enum hp_cell column, uint64_t number)
{
	f->cells[column] =
		(struct hp_flat_cell){.there = true, .number = number};
}

void
hp_flat_visible(struct hp_flat_rows *f, enum hp_cell column, const char *text,
		size_t length)
{
	f->cells[column] = (struct hp_flat_cell){
		.there = text, .visible = true, .text = text, .length = length};
}

void
hp_flat_hundredths(struct hp_flat_rows *f, enum hp_cell column, uint64_t number)
{
	hp_flat_number(f, column, number);
	f->cells[column].hundredths = true;
}

void
hp_flat_text(struct hp_flat_rows *f, enum hp_cell column, const char *text)
{
	hp_flat_visible(f, column, text, text ? strlen(text) : 0);
	f->cells[column].visible = false;
}

void
hp_flat_begin(struct hp_flat_rows *f, const char *kind,
	      const struct hp_flat_dump *dump)
{
	memset(f->cells, 0, sizeof(f->cells));
	hp_flat_text(f, HP_CELL_KIND, kind);
	hp_flat_text(f, HP_CELL_DUMP_ID, dump->id->text);
	hp_flat_text(f, HP_CELL_DUMP_ID_OF, dump->id->of);
	hp_flat_text(f, HP_CELL_PATH, dump->path);
	hp_flat_number(f, HP_CELL_PARTIAL, dump->partial);
	if (dump->number)
		hp_flat_number(f, HP_CELL_DUMP, dump->number);
	if (!dump->time_ms)
		return;
	hp_flat_number(f, HP_CELL_DUMP_TIME, dump->time_ms / 1000);
	hp_flat_number(f, HP_CELL_DUMP_TIME_MS, dump->time_ms);
}

static void
write_text(struct hp_flat_rows *f, const char *text, size_t n, bool visible)
{
	if (!f->tsv)
		hp_buf_byte(&f->buf, '"');
	if (f->tsv && visible)
		hp_escape_tsv_visible(&f->buf, text, n);
	else if (f->tsv)
		hp_escape_tsv(&f->buf, text, n);
	else if (visible)
		hp_escape_json_visible(&f->buf, text, n);
	else
		hp_escape_json(&f->buf, text, n);
	if (!f->tsv)
		hp_buf_byte(&f->buf, '"');
}

static void
write_labels(struct hp_flat_rows *f)
{
	for (size_t i = 0; i < f->labels->count; i++) {
		const struct hp_label *l = &f->labels->list[i];

		separate(f, l->key, false);
		write_text(f, l->value, strlen(l->value), false);
	}
}

static void
write_cell(struct hp_flat_rows *f, unsigned column)
{
	const struct hp_flat_cell *c = &f->cells[column];

	if (f->tsv ? !f->shown[column] : !c->there)
		return;
	separate(f, column_names[column], column == 0);
	if (c->text)
		write_text(f, c->text, c->length, c->visible);
	else if (c->hundredths)
		hp_buf_printf(&f->buf, "%" PRIu64 ".%02" PRIu64,
			      c->number / 100, c->number % 100);
	else if (c->there || !column_is_text[column])
		hp_buf_u64(&f->buf, c->number);
}

void
hp_flat_end(struct hp_flat_rows *f)
{
	if (!f->tsv)
		hp_buf_byte(&f->buf, '{');
	for (unsigned i = 0; i < HP_CELL_END; i++) {
		write_cell(f, i);
		if (i == HP_CELL_PARTIAL)
			write_labels(f);
	}
	hp_buf_text(&f->buf, f->tsv ? "\n" : "}\n");
	f->count++;
	hp_buf_drain(&f->buf, FLAT_PIECE, f->file, &f->err);
}

enum hp_status
hp_flat_flush(struct hp_flat_rows *f, struct hp_error *err)
{
	hp_buf_drain(&f->buf, 0, f->file, &f->err);
	return f->err.status == HP_OK ? hp_output_flush(f->file, err)
				      : hp_fail_as(err, &f->err);
}

void
hp_flat_release(struct hp_flat_rows *f)
{
	hp_buf_release(&f->buf);
}
