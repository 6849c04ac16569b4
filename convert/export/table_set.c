/*
 * table_set.c - the tables of a dump, and the files or the archive to which
 * they are written
 *
 * table_rows.c and table_records.c make the rows.
 */
#include "convert/export/tables.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "convert/export/table_rows.h"

#include <stdio.h>

enum {
	/*
	 * rows of a table are written to the file of the table when they have
	 * at least this many bytes
	 */
	SET_PIECE = 1 << 18,
	TAR_BLOCK = 512,
};

static enum hp_status
write_pending(struct hp_table_set *t, enum hp_table table, struct hp_error *err)
{
	struct hp_buf *b = &t->pending[table];
	enum hp_status st;

	if (!hp_buf_ok(b))
		return hp_no_memory(err);
	st = hp_output_folder_write(&t->folder, t->file[table], b->data, b->len,
				    err);
	hp_buf_clear(b);
	return st;
}

enum hp_status
hp_table_set_open(struct hp_table_set *t, const char *path, bool sync,
		  const struct hp_source *input, struct hp_error *err)
{
	enum hp_status st;

	*t = (struct hp_table_set){.opened = true};
	st = hp_output_folder_open(&t->folder, path, sync, input, err);
	for (unsigned i = 0; st == HP_OK && i < HP_TABLES; i++) {
		const struct hp_table_desc *d = &hp_tables_desc[i];

		st = hp_output_folder_add(&t->folder, d->file, &t->file[i],
					  err);
		for (const struct hp_table_column *c = d->columns; c->name; c++)
			hp_buf_printf(&t->pending[i], "%s%s",
				      c == d->columns ? "" : "\t", c->name);
		hp_buf_byte(&t->pending[i], '\n');
	}
	return st;
}

enum hp_status
hp_table_set_add(struct hp_table_set *t, enum hp_table table, const char *rows,
		 size_t n, struct hp_error *err)
{
	struct hp_buf *b = &t->pending[table];
	enum hp_status st = HP_OK;

	if (b->len + n > SET_PIECE)
		st = write_pending(t, table, err);
	if (st == HP_OK && n > SET_PIECE)
		return hp_output_folder_write(&t->folder, t->file[table], rows,
					      n, err);
	hp_buf_add(b, rows, n);
	return st;
}

enum hp_status
hp_table_set_finish(struct hp_table_set *t, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	struct hp_buf b = {0};
	size_t file;

	for (unsigned i = 0; st == HP_OK && i < HP_TABLES; i++)
		st = write_pending(t, (enum hp_table)i, err);
	for (unsigned i = 0; st == HP_OK && i < HP_ENGINES; i++) {
		hp_buf_clear(&b);
		hp_table_schema(&b, i);
		st = hp_buf_ok(&b)
			     ? hp_output_folder_add(&t->folder,
						    hp_table_schema_file(i),
						    &file, err)
			     : hp_no_memory(err);
		if (st == HP_OK)
			st = hp_output_folder_write(&t->folder, file, b.data,
						    b.len, err);
	}
	hp_buf_release(&b);
	return st;
}

/*
 * Write a number as octal digits into a field of @width bytes, or in base 256
 * if it is too large.
 */
static void
tar_number(char *field, int width, uint64_t v)
{
	if (v >> (3 * (width - 1)) == 0) {
		snprintf(field, (size_t)width, "%0*llo", width - 1,
			 (unsigned long long)v);
		return;
	}
	memset(field, 0, (size_t)width);
	for (int i = width; i-- > 1 && v > 0; v >>= 8)
		field[i] = (char)(v & 0xFF);
	field[0] = (char)0x80;
}

/*
 * Write the header of a file in a tar archive. The header has no owner and no
 * time, so that equal dumps result in equal archives. Source: POSIX.1-2017,
 * pax, "ustar Interchange Format".
 */
static void
tar_head(char *head, const char *name, uint64_t size)
{
	unsigned sum = 0;

	memset(head, 0, TAR_BLOCK);
	snprintf(head, 100, "%s", name);
	tar_number(head + 100, 8, 0644);
	tar_number(head + 108, 8, 0);
	tar_number(head + 116, 8, 0);
	tar_number(head + 124, 12, size);
	tar_number(head + 136, 12, 0);
	memset(head + 148, ' ', 8);
	head[156] = '0';
	memcpy(head + 257, "ustar\00000", 8);
	for (int i = 0; i < TAR_BLOCK; i++)
		sum += (unsigned char)head[i];
	snprintf(head + 148, 7, "%06o", sum);
}

static enum hp_status
archive_file(struct hp_table_set *t, size_t file, struct hp_sink *sink,
	     char *room, struct hp_error *err)
{
	const struct hp_folder_file *f = &t->folder.files[file];
	enum hp_status st;

	tar_head(room, strrchr(f->path, '/') + 1, f->size);
	st = hp_sink_write(sink, room, TAR_BLOCK, err);
	for (uint64_t at = 0; st == HP_OK && at < f->size; at += HP_IO_STEP) {
		uint64_t left = f->size - at;
		size_t n = left < HP_IO_STEP ? (size_t)left : HP_IO_STEP;
		size_t whole = hp_align_up(n, TAR_BLOCK);

		st = hp_output_folder_read(&t->folder, file, room, n, at, err);
		memset(room + n, 0, whole - n);
		if (st == HP_OK)
			st = hp_sink_write(sink, room, whole, err);
	}
	return st;
}

enum hp_status
hp_table_set_archive(struct hp_table_set *t, struct hp_sink *sink,
		     struct hp_error *err)
{
	char *room = hp_malloc(HP_IO_STEP);
	enum hp_status st = room ? HP_OK : hp_no_memory(err);

	for (size_t i = 0; st == HP_OK && i < t->folder.count; i++)
		st = archive_file(t, i, sink, room, err);
	if (st == HP_OK) { /* two empty blocks end the archive */
		memset(room, 0, 2 * TAR_BLOCK);
		st = hp_sink_write(sink, room, 2 * TAR_BLOCK, err);
	}
	hp_free(room);
	return st == HP_OK ? hp_sink_finish(sink, err) : st;
}

uint64_t
hp_table_set_bytes(const struct hp_table_set *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->folder.count; i++)
		sum += t->folder.files[i].size;
	return sum;
}

void
hp_table_set_release(struct hp_table_set *t)
{
	if (!t->opened)
		return;
	hp_output_folder_abort(&t->folder);
	for (unsigned i = 0; i < HP_TABLES; i++)
		hp_buf_release(&t->pending[i]);
}
