/*
 * cutter.h - the state of the thread that cuts a dump into batches, shared by
 * scan.c, long_record.c and cutter.c
 */
#ifndef HP_FORMAT_CUTTER_H
#define HP_FORMAT_CUTTER_H

#include "common/format/batch_queue.h"
#include "common/format/spill.h"

#include <stdlib.h>

/*
 * A batch is complete when its bytes and its list of runs have this many bytes.
 */
enum { HP_BATCH_TARGET = 768 << 10 };

struct hp_cutter {
	const struct hp_pass *pass;
	struct hp_reader *reader;
	struct hp_queue queue;
	struct hp_spill spill;
	struct hp_record *rec; /* the current record */
	struct hp_slot *slot;  /* the slot being filled; NULL: none */
	uint64_t next_index;
	/* end of the slot's last run, as an offset in the dump */
	uint64_t run_end;
	unsigned dump; /* the dump that has begun and not ended; 0: none */
	unsigned only_dump;
	bool then_end; /* stop after the dump only_dump */
	unsigned id_size;
	bool seekable;
	uint64_t size;		 /* size of a seekable source */
	struct hp_batch scratch; /* only its data is used, as a read buffer */
};

/*
 * Make sure that c->slot is a slot to fill. Returns HP_OK or the first failure
 * of the queue.
 */
HP_MUST_USE enum hp_status hp_cutter_slot(struct hp_cutter *c,
					  struct hp_error *err);
/* Submit the slot, unless it is empty. */
void hp_cutter_submit(struct hp_cutter *c);
/*
 * Append a run to the slot. If the source is seekable, or the slot borrows its
 * bytes, the place of the data follows from the offset. Otherwise the data
 * comes after that of the previous run. Returns NULL if out of memory.
 */
struct hp_run *hp_cutter_run(struct hp_cutter *c, enum hp_run_kind kind,
			     uint64_t offset, uint64_t length, uint64_t limit);
/* Whether the pass also wants the bytes outside heap records. */
static inline bool
hp_cutter_wants_all_bytes(const struct hp_cutter *c)
{
	return c->pass->need == HP_NEED_EVERYTHING;
}

/*
 * Whether the bytes of the slot stay in place, in the file or in a buffer of
 * decompressed bytes. Otherwise they are copied to the batch's own memory.
 */
static inline bool
hp_cutter_data_is_stable(const struct hp_cutter *c)
{
	return c->seekable || c->slot->held;
}

/*
 * Get a slot for a run of @n bytes at @offset. Afterwards,
 * hp_cutter_data_is_stable() returns where its bytes are.
 */
HP_MUST_USE enum hp_status hp_cutter_get_slot_for(struct hp_cutter *c,
						  uint64_t offset, uint64_t n,
						  struct hp_error *err);
/*
 * Make room for the data of the slot's runs, if it is in the batch's own
 * memory. Returns false if out of memory.
 */
HP_MUST_USE bool hp_cutter_grow_data(struct hp_cutter *c);
/*
 * Add the next @n bytes of the dump to the current batch, as a run of kind
 * HP_RUN_BYTES.
 */
HP_MUST_USE enum hp_status
hp_cutter_add_bytes(struct hp_cutter *c, uint64_t offset, const void *data,
		    size_t n, bool record_start, struct hp_error *err);
/*
 * Finish the current record: add the rest of its bytes to the batch if the pass
 * wants everything; else skip them.
 */
HP_MUST_USE enum hp_status hp_cutter_rest(struct hp_cutter *c,
					  struct hp_error *err);
#endif
