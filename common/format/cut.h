/*
 * cut.h - the state of the cutting thread, which scan.c, walk.c and cut.c share
 */
#ifndef HP_FORMAT_CUT_H
#define HP_FORMAT_CUT_H

#include "common/format/queue.h"
#include "common/format/scan.h"
#include "common/format/spill.h"

#include <stdlib.h>

/* Batches are closed once they and their list of runs have so many bytes. */
enum { HP_BATCH_TARGET = 768 << 10 };

struct hp_cut {
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
HP_MUST_USE enum hp_status hp_cut_slot(struct hp_cut *c, struct hp_error *err);
/* Hand the slot over, unless nothing is in it. */
void hp_cut_submit(struct hp_cut *c);
/*
 * A new run at the slot's end. Where the source can seek, or lends the slot its
 * bytes, its data's place follows from its offset; elsewhere it is appended.
 * NULL: no memory.
 */
struct hp_run *hp_cut_run(struct hp_cut *c, enum hp_run_kind kind,
			  uint64_t offset, uint64_t length, uint64_t limit);
/* Does the pass want the bytes outside heap records, too? */
static inline bool
hp_cut_everything(const struct hp_cut *c)
{
	return c->pass->need == HP_NEED_EVERYTHING;
}

/*
 * Do the slot's bytes stay where they are, in the file or where they were
 * unpacked? Else they are put into the batch's own memory.
 */
static inline bool
hp_cut_data_stays(const struct hp_cut *c)
{
	return c->seekable || c->slot->held;
}

/*
 * A slot for a run of @n bytes at @offset; hp_cut_data_stays() says where they
 * are then.
 */
HP_MUST_USE enum hp_status hp_cut_place(struct hp_cut *c, uint64_t offset,
					uint64_t n, struct hp_error *err);
/* Room for the slot's runs, where they are the batch's own. */
HP_MUST_USE bool hp_cut_reserve(struct hp_cut *c);
/* The next @n bytes of the dump become bytes of the current batch. */
HP_MUST_USE enum hp_status hp_cut_bytes(struct hp_cut *c, uint64_t offset,
					const void *data, size_t n,
					bool record_start,
					struct hp_error *err);
/* What is left of the current record: bytes, or nothing. */
HP_MUST_USE enum hp_status hp_cut_rest(struct hp_cut *c, struct hp_error *err);
/* Cut the current, long heap record. */
HP_MUST_USE enum hp_status hp_cut_walk(struct hp_cut *c, struct hp_error *err);

#endif
