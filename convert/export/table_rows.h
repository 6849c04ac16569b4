/*
 * table_rows.h - for tables.c: the rows of sub-records
 *
 * A worker puts the rows of a batch into the batch's one buffer, with a head
 * in front of each stretch that says which table it is of. The thread whose
 * turn it is to write takes the stretches apart.
 */
#ifndef HP_CONVERT_EXPORT_TABLE_ROWS_H
#define HP_CONVERT_EXPORT_TABLE_ROWS_H

#include "common/model/undescribed.h"
#include "convert/export/table_records.h"
#include "convert/export/thread_names.h"
#include "convert/options.h"
#include "convert/pass/object_classes.h"
#include "convert/pass/ordered_pass.h"

struct hp_table_pass;

/* A worker's memory, and what it has found out. */
struct hp_table_worker {
	struct hp_table_pass *pass;
	const struct hp_batch *batch; /* at hand, ... */
	struct hp_buf *out;	      /* ... and what goes into its buffer */
	struct hp_object_classes_lookup kinds;
	struct hp_field_plans plans;
	struct hp_buf prefix; /* of the edges of the object at hand */
	bool first;	      /* that object has edges: it is no further dump */
	bool open;	      /* a stretch is begun at @head of the buffer */
	enum hp_table table;
	size_t head;
	uint64_t objects, bytes; /* of the dump at hand, not yet summed */
	struct hp_undescribed_tally undescribed;
};

/* What all passes share. */
struct hp_table_pass {
	const struct hp_convert_options *options;
	struct hp_table_set *set;
	struct hp_prepass prepass;
	struct hp_name_cache naming;
	struct hp_object_classes kinds;
	struct hp_thread_names threads;
	struct hp_table_sum *sums; /* by the dump's place in the prepass */
	struct hp_table_worker *workers;
	pthread_mutex_t lock; /* the sums */
};

/* The rows of a sub-record. HP_OK, HP_LIMIT, HP_NOMEM. */
HP_MUST_USE enum hp_status hp_table_sub(struct hp_table_worker *w,
					const struct hp_sub *s,
					struct hp_error *err);

/* Of a long array that comes in pieces. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_table_piece(struct hp_table_worker *w,
					  const struct hp_run *r,
					  struct hp_error *err);

/* What was appended since the last stretch's head is all of it. */
void hp_table_end_stretch(struct hp_table_worker *w);

/* hp_transform.write: the rows of a batch to their tables, in order. */
HP_MUST_USE enum hp_status hp_table_write(void *ctx, const struct hp_batch *b,
					  const struct hp_buf *out,
					  struct hp_error *err);

#endif
