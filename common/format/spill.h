/*
 * spill.h - batches put off until all classes of a dump are known
 *
 * For scan.c only. Where the source can seek, only the places are kept and the
 * bytes are read again; otherwise the bytes wait in memory and, beyond a
 * budget, in a file without a name.
 */
#ifndef HP_FORMAT_SPILL_H
#define HP_FORMAT_SPILL_H

#include "common/format/batch_queue.h"

struct hp_deferred;

struct hp_spill {
	bool seekable;
	uint64_t memory; /* budget for bytes kept in memory */
	const char *dir;
	struct hp_deferred *list;
	size_t count, cap;
	uint64_t held; /* bytes in memory */
	int fd;	       /* -1: none yet */
	uint64_t file_size;
};

void hp_spill_init(struct hp_spill *s, bool seekable, uint64_t memory,
		   const char *dir);
void hp_spill_release(struct hp_spill *s);

/* Keep a batch that was deferred; its data and runs are copied. */
HP_MUST_USE enum hp_status hp_spill_add(void *spill, struct hp_batch *b,
					struct hp_error *err);

/* Hand all of them to the workers again, in order, and forget them. */
HP_MUST_USE enum hp_status
hp_spill_replay(struct hp_spill *s, struct hp_queue *q, struct hp_error *err);

#endif
