/*
 * table_records.h - rows for records outside the heap
 */
#ifndef HP_CONVERT_EXPORT_TABLE_RECORDS_H
#define HP_CONVERT_EXPORT_TABLE_RECORDS_H

#include "common/io/dump_id.h"
#include "convert/export/table_set.h"
#include "convert/pass/name_cache.h"

/* Append a tab and a number. */
static inline void
hp_table_cell(struct hp_buf *out, uint64_t v)
{
	hp_buf_byte(out, '\t');
	hp_buf_u64(out, v);
}

/*
 * Add the row of a STRING record. For a very long one, the row has only the
 * beginning of the text.
 */
HP_MUST_USE enum hp_status hp_table_string_record(struct hp_table_set *set,
						  const struct hp_record *rec,
						  struct hp_cursor body,
						  unsigned id_size,
						  struct hp_error *err);

struct hp_table_sum {
	uint64_t objects, bytes;
};

/* Data that all rows of the table of dumps share. */
struct hp_table_dump {
	struct hp_dump_id id;
	const char *path;
	/* sums of the dumps, one for each entry of prepass->dumps */
	const struct hp_table_sum *sums;
};

/*
 * Add a row for each heap dump of the file, or one row with the dump number 0
 * if there is none. @prepass: with its layout.
 */
HP_MUST_USE enum hp_status hp_table_dump_rows(struct hp_table_set *set,
					      const struct hp_prepass *prepass,
					      const struct hp_table_dump *d,
					      struct hp_error *err);

/* Add a row for each frame of each stack trace. */
HP_MUST_USE enum hp_status hp_table_frame_rows(struct hp_table_set *set,
					       const struct hp_name_cache *n,
					       struct hp_error *err);

#endif
