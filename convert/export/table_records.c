/*
 * table_records.c - rows of the tables for records outside the heap: strings,
 * dumps, stack frames
 */
#include "convert/export/table_rows.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"

/*
 * The collected rows of a table are added to the table when they have at least
 * this many bytes.
 */
enum { RECORDS_PIECE = 1 << 16 };

/*
 * Add the collected rows in @b to the table, and empty @b, even after an error.
 */
static enum hp_status
add_collected(struct hp_table_set *set, enum hp_table table, struct hp_buf *b,
	      struct hp_error *err)
{
	enum hp_status st = hp_buf_ok(b) ? hp_table_set_add(set, table, b->data,
							    b->len, err)
					 : hp_no_memory(err);

	hp_buf_clear(b);
	return st;
}

enum hp_status
hp_table_string_record(struct hp_table_set *set, const struct hp_record *rec,
		       struct hp_cursor body, unsigned id_size,
		       struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st;
	uint64_t id;

	if (!hp_uint(&body, id_size, &id))
		return HP_OK;
	hp_buf_u64(&b, id);
	hp_table_cell(&b, rec->length - id_size);
	hp_buf_byte(&b, '\t');
	hp_escape_tsv(&b, body.data + body.pos, (size_t)hp_left(&body));
	hp_buf_byte(&b, '\n');
	st = add_collected(set, HP_TABLE_STRINGS, &b, err);
	hp_buf_release(&b);
	return st;
}

enum hp_status
hp_table_dump_rows(struct hp_table_set *set, const struct hp_prepass *prepass,
		   const struct hp_table_dump *d, struct hp_error *err)
{
	const struct hp_header *h = &prepass->header;
	uint64_t time_ms = h->timestamp_ms < HP_TIME_END ? h->timestamp_ms : 0;
	enum hp_status st = HP_OK;
	struct hp_buf b = {0};

	for (size_t i = 0; st == HP_OK && (i == 0 || i < prepass->ndumps);
	     i++) {
		hp_buf_u64(&b, prepass->ndumps ? prepass->dumps[i]->dump
					       : prepass->dump);
		hp_buf_printf(&b, "\t%s\t%s\t", d->id.text, d->id.of);
		hp_escape_tsv(&b, d->path, strlen(d->path));
		hp_table_cell(&b, time_ms / 1000);
		hp_table_cell(&b, time_ms);
		hp_table_cell(&b, h->id_size);
		hp_table_cell(&b, prepass->layout.reference);
		hp_table_cell(&b, d->sums[i].objects);
		hp_table_cell(&b, d->sums[i].bytes);
		hp_buf_byte(&b, '\n');
		st = add_collected(set, HP_TABLE_DUMPS, &b, err);
	}
	hp_buf_release(&b);
	return st;
}

static void
add_frame(const struct hp_name_cache *n, const struct hp_trace *t,
	  uint32_t depth, struct hp_buf *out)
{
	const struct hp_tables *tables = &n->prepass->tables;
	const struct hp_frame *f = hp_tables_frame(tables, t->frames[depth]);
	const struct hp_load *l =
		f ? hp_tables_load_serial(tables, f->class_serial) : NULL;
	struct hp_name class = {0};

	if (l)
		class = hp_name_cache_class(n, l->class_id);
	hp_buf_u64(out, t->serial);
	hp_table_cell(out, t->thread);
	hp_table_cell(out, depth);
	hp_table_cell(out, t->frames[depth]);
	hp_buf_byte(out, '\t');
	hp_buf_add(out, class.data, class.length);
	hp_buf_byte(out, '\t');
	hp_name_cache_string(n, f ? f->method : 0, out);
	hp_buf_byte(out, '\t');
	hp_name_cache_string(n, f ? f->signature : 0, out);
	hp_buf_byte(out, '\t');
	hp_name_cache_string(n, f ? f->source : 0, out);
	hp_buf_byte(out, '\t');
	hp_buf_i64(out, f ? f->line : 0);
	hp_buf_byte(out, '\n');
}

enum hp_status
hp_table_frame_rows(struct hp_table_set *set, const struct hp_name_cache *n,
		    struct hp_error *err)
{
	const struct hp_vec *traces = &n->prepass->tables.trace_list;
	const struct hp_trace *list = traces->items;
	enum hp_status st = HP_OK;
	struct hp_buf b = {0};

	for (size_t i = 0; st == HP_OK && i < traces->count; i++)
		for (uint32_t k = 0; st == HP_OK && k < list[i].nframes; k++) {
			add_frame(n, &list[i], k, &b);
			if (b.len > RECORDS_PIECE)
				st = add_collected(set, HP_TABLE_FRAMES, &b,
						   err);
		}
	if (st == HP_OK)
		st = add_collected(set, HP_TABLE_FRAMES, &b, err);
	hp_buf_release(&b);
	return st;
}
