/*
 * table_records.h - for tables.c: rows of what stands outside the heap
 */
#ifndef HP_CONVERT_EXPORT_TABLE_RECORDS_H
#define HP_CONVERT_EXPORT_TABLE_RECORDS_H

#include "common/io/dump_id.h"
#include "convert/export/table_set.h"
#include "convert/pass/name_cache.h"

/* A cell behind another. */
static inline void
hp_table_cell(struct hp_buf *out, uint64_t v)
{
	hp_buf_byte(out, '\t');
	hp_buf_u64(out, v);
}

/* The row of a STRING record, of one that is very long with its begin. */
HP_MUST_USE enum hp_status hp_table_string_record(struct hp_table_set *set,
						  const struct hp_record *rec,
						  struct hp_cursor body,
						  unsigned id_size,
						  struct hp_error *err);

struct hp_table_sum {
	uint64_t objects, bytes;
};

/* What the rows of dumps have in common. */
struct hp_table_dump {
	struct hp_dump_id id;
	const char *path;
	const struct hp_table_sum *sums; /* as the prepass's dumps */
};

/*
 * A row for each heap dump of the file; one of dump 0 where there is none.
 * @prepass: with its layout
 */
HP_MUST_USE enum hp_status hp_table_dump_rows(struct hp_table_set *set,
					      const struct hp_prepass *prepass,
					      const struct hp_table_dump *d,
					      struct hp_error *err);

/* A row for each frame of each trace. */
HP_MUST_USE enum hp_status hp_table_frame_rows(struct hp_table_set *set,
					       const struct hp_name_cache *n,
					       struct hp_error *err);

#endif
