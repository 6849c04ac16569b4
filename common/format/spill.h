/*
 * spill.h - storage for batches that are deferred until all classes of a dump
 * are known
 *
 * Private to the scan. If the source is seekable, only the positions are
 * stored, and the bytes are read again. Otherwise the bytes are kept in memory
 * and, above a limit, in an unnamed temporary file.
 */
#ifndef HP_FORMAT_SPILL_H
#define HP_FORMAT_SPILL_H

#include "common/format/batch_queue.h"

struct hp_deferred;

struct hp_spill {
	bool seekable;
	/* maximum number of bytes that may be kept in memory */
	uint64_t memory;
	const char *dir;
	struct hp_deferred *list;
	size_t count, cap;
	uint64_t held; /* number of bytes that are now in memory */
	int fd;	       /* temporary file; -1: not created yet */
	uint64_t file_size;
};

void hp_spill_init(struct hp_spill *s, bool seekable, uint64_t memory,
		   const char *dir);
void hp_spill_release(struct hp_spill *s);

/* Store a deferred batch. Copies its runs and, if needed, its data. */
HP_MUST_USE enum hp_status hp_spill_add(void *spill, struct hp_batch *b,
					struct hp_error *err);

/*
 * Submit all stored batches to the workers again, in order, wait for them, and
 * remove them from the storage.
 */
HP_MUST_USE enum hp_status
hp_spill_replay(struct hp_spill *s, struct hp_queue *q, struct hp_error *err);

#endif
