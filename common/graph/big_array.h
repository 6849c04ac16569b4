/*
 * big_array.h - arrays that grow with the dump: pages of their own, given back
 * one by one
 *
 * Arrays are zero at first and take memory as they are written to. What does
 * not fit in memory lies in a temporary file that has no name, mapped.
 */
#ifndef HP_GRAPH_BIG_ARRAY_H
#define HP_GRAPH_BIG_ARRAY_H

#include "common/status.h"

/* What all arrays of a graph take together. A zeroed one with a limit is ready;
 * fd has to be -1. */
struct hp_big_memory {
	uint64_t limit;	    /* bytes that may be in memory */
	uint64_t held;	    /* bytes that are */
	uint64_t peak;	    /* the most that were */
	uint64_t in_file;   /* bytes of arrays that lie in the file */
	uint64_t file_peak; /* the most that did */
	uint64_t file_size; /* of the file: what was given back is not reused */
	const char *dir;    /* of the file; NULL: $TMPDIR or /tmp */
	int fd;		    /* -1: there is no file yet */
	unsigned spill;	    /* arrays that go to the file: bits of their role */
};

struct hp_big_array {
	void *at; /* NULL: none */
	uint64_t bytes;
	bool in_file;
	bool reserved; /* not counted yet */
};

/**
 * hp_big_array_make() - @bytes of zeros
 * @role: a bit; in @m->spill: the array lies in the file
 *
 * Of a file the blocks are taken at once, so that a full disk is met here and
 * not as a signal later.
 * Returns: HP_OK; HP_NOMEM; HP_IO: the file cannot hold it; HP_LIMIT: it does
 *          not fit in memory.
 * Ownership: hp_big_array_drop() in any case; not thread-safe.
 */
HP_MUST_USE enum hp_status hp_big_array_make(struct hp_big_memory *m,
					     struct hp_big_array *a,
					     uint64_t bytes, unsigned role,
					     struct hp_error *err);

/*
 * Address space for @bytes of zeros, of which it is not known yet how many will
 * be needed: nothing is counted until hp_big_array_shrink(). HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_big_array_reserve(struct hp_big_array *a,
						uint64_t bytes,
						struct hp_error *err);

/* Only the first @bytes are needed from now on. */
void hp_big_array_shrink(struct hp_big_memory *m, struct hp_big_array *a,
			 uint64_t bytes);

/* Give it back; a zeroed one is fine. */
void hp_big_array_drop(struct hp_big_memory *m, struct hp_big_array *a);

/* After all arrays were dropped. */
void hp_big_memory_release(struct hp_big_memory *m);

#endif
