/*
 * cutter.h - the state of the cutting thread, which scan.c, long_record.c and
 * cutter.c share
 */
#ifndef HP_FORMAT_CUTTER_H
#define HP_FORMAT_CUTTER_H

#include "common/format/batch_queue.h"
#include "common/format/spill.h"

#include <stdlib.h>

/* Batches are closed once they and their list of runs have so many bytes. */
enum { HP_BATCH_TARGET = 768 << 10 };

struct hp_cutter {
	const struct hp_pass *pass;
	struct hp_reader *reader;
	struct hp_queue queue;
	struct hp_spill spill;
	struct hp_record *rec; /* the current one */
	struct hp_slot *slot;  /* being filled; NULL: none */
	uint64_t next_index;
	uint64_t run_end; /* where the slot's last run ends, in the dump */
	unsigned dump;	  /* begun and not ended; 0: none */
	unsigned only_dump;
	bool then_end; /* no other dump is looked at */
	unsigned id_size;
	bool seekable;
	uint64_t size;		 /* of a seekable source */
	struct hp_batch scratch; /* its data only: bytes read ahead */
};

/* Make sure that there is a slot to fill. */
HP_MUST_USE enum hp_status hp_cutter_slot(struct hp_cutter *c,
					  struct hp_error *err);
/* Hand the slot over, unless nothing is in it. */
void hp_cutter_submit(struct hp_cutter *c);
/*
 * A new run at the slot's end. Where the source can seek, or lends the slot its
 * bytes, its data's place follows from its offset; elsewhere it is appended.
 * NULL: no memory.
 */
struct hp_run *hp_cutter_run(struct hp_cutter *c, enum hp_run_kind kind,
			     uint64_t offset, uint64_t length, uint64_t limit);
/* Does the pass want the bytes outside heap records, too? */
static inline bool
hp_cutter_wants_all_bytes(const struct hp_cutter *c)
{
	return c->pass->need == HP_NEED_EVERYTHING;
}

/*
 * Do the slot's bytes stay where they are, in the file or where they were
 * unpacked? Else they are put into the batch's own memory.
 */
static inline bool
hp_cutter_data_is_stable(const struct hp_cutter *c)
{
	return c->seekable || c->slot->held;
}

/*
 * A slot for a run of @n bytes at @offset; hp_cutter_data_is_stable() says
 * where they are then.
 */
HP_MUST_USE enum hp_status hp_cutter_get_slot_for(struct hp_cutter *c,
						  uint64_t offset, uint64_t n,
						  struct hp_error *err);
/* Room for the slot's runs, where they are the batch's own. */
HP_MUST_USE bool hp_cutter_grow_data(struct hp_cutter *c);
/* The next @n bytes of the dump become bytes of the current batch. */
HP_MUST_USE enum hp_status
hp_cutter_add_bytes(struct hp_cutter *c, uint64_t offset, const void *data,
		    size_t n, bool record_start, struct hp_error *err);
/* What is left of the current record: bytes, or nothing. */
HP_MUST_USE enum hp_status hp_cutter_rest(struct hp_cutter *c,
					  struct hp_error *err);
#endif
