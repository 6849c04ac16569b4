/*
 * table_rows.h - rows for sub-records
 *
 * A worker appends the rows of a batch to the one buffer of the batch.
 * Consecutive rows of the same table form a stretch, and a header before each
 * stretch says which table it is for. The thread that writes the batch splits
 * the buffer at the headers.
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

/* State and counters of one worker. */
struct hp_table_worker {
	struct hp_table_pass *pass;
	const struct hp_batch *batch; /* the current batch */
	struct hp_buf *out;	      /* the buffer of the current batch */
	struct hp_object_classes_lookup kinds;
	struct hp_field_plans plans;
	/* common start of all edge rows of the current object */
	struct hp_buf prefix;
	/* the current object is the first one with its id, so it has edges */
	bool first;
	/* a stretch has begun; its header is at offset @head of the buffer */
	bool open;
	enum hp_table table;
	size_t head;
	/*
	 * objects of the current dump and their bytes, not added to its sum yet
	 */
	uint64_t objects, bytes;
	struct hp_undescribed_tally undescribed;
};

/* Data that all passes and workers share. */
struct hp_table_pass {
	const struct hp_convert_options *options;
	struct hp_table_set *set;
	struct hp_prepass prepass;
	struct hp_name_cache naming;
	struct hp_object_classes kinds;
	struct hp_thread_names threads;
	/* sums of the dumps, one for each entry of prepass.dumps */
	struct hp_table_sum *sums;
	struct hp_table_worker *workers;
	pthread_mutex_t lock; /* protects the sums */
};

/* Append the rows of a sub-record. Returns HP_OK, HP_LIMIT or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_table_sub(struct hp_table_worker *w,
					const struct hp_sub *s,
					struct hp_error *err);

/* Append the rows of a piece of a long array. Returns HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_table_piece(struct hp_table_worker *w,
					  const struct hp_run *r,
					  struct hp_error *err);

/* End the current stretch: store its length in its header. */
void hp_table_end_stretch(struct hp_table_worker *w);

/*
 * For hp_transform.write: write the rows of a batch to their tables, in order.
 */
HP_MUST_USE enum hp_status hp_table_write(void *ctx, const struct hp_batch *b,
					  const struct hp_buf *out,
					  struct hp_error *err);

#endif
