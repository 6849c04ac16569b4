/*
 * table_waste.c - the rows of the tables of collections and of duplicates
 *
 * The code of hprof-diff finds collections and duplicates, so that both
 * programs report the same numbers.
 */
#include "convert/export/table_rows.h"

#include "common/cli/escape.h"
#include "diff/waste/waste_list.h"

/* The data that the callbacks of this file need. */
struct writer {
	struct hp_table_set *set;
	struct hp_buf row;
	/* the first error; after an error no rows are written */
	struct hp_error error;
};

static void
add_text(struct hp_buf *out, const char *text)
{
	hp_buf_byte(out, '\t');
	hp_escape_tsv_visible(out, text, strlen(text));
}

static bool
end_row(struct writer *w, enum hp_table table)
{
	hp_buf_byte(&w->row, '\n');
	return hp_buf_ok(&w->row) &&
	       hp_table_set_add(w->set, table, w->row.data, w->row.len,
				&w->error) == HP_OK;
}

static bool
add_collection(void *ctx, unsigned dump, const struct hp_listed_collection *c)
{
	struct writer *w = ctx;

	hp_buf_clear(&w->row);
	hp_buf_u64(&w->row, dump);
	hp_table_cell(&w->row, c->id);
	add_text(&w->row, c->class_name);
	hp_table_cell(&w->row, c->size);
	hp_table_cell(&w->row, c->capacity);
	hp_table_cell(&w->row, c->used);
	hp_table_cell(&w->row, c->bytes);
	hp_table_cell(&w->row, c->waste);
	add_text(&w->row, c->holder);
	return end_row(w, HP_TABLE_COLLECTIONS);
}

static bool
add_duplicates(void *ctx, unsigned dump, const struct hp_listed_duplicates *d)
{
	struct writer *w = ctx;

	hp_buf_clear(&w->row);
	hp_buf_u64(&w->row, dump);
	hp_table_cell(&w->row, d->array_id);
	add_text(&w->row, d->class_name);
	hp_table_cell(&w->row, d->length);
	hp_table_cell(&w->row, d->count);
	hp_table_cell(&w->row, d->waste);
	hp_table_cell(&w->row, d->dedup);
	add_text(&w->row, d->holder);
	return end_row(w, HP_TABLE_DUPLICATES);
}

enum hp_status
hp_table_waste_rows(struct hp_table_set *set, struct hp_source *src,
		    const struct hp_size_model *layout, unsigned threads,
		    unsigned dump, struct hp_error *err)
{
	struct writer w = {.set = set};
	const struct hp_waste_list list = {.ctx = &w,
					   .collection = add_collection,
					   .duplicates = add_duplicates};
	const struct hp_waste_list_options options = {
		.threads = threads, .dump = dump, .layout = layout};
	enum hp_status st = hp_waste_list_make(&list, src, &options, err);

	if (w.error.status != HP_OK)
		st = hp_fail_as(err, &w.error);
	hp_buf_release(&w.row);
	return st;
}
