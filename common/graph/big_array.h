/*
 * big_array.h - arrays that grow with the dump: pages of their own, in memory
 * or in a temporary file
 *
 * All arrays of a graph share a limit. What does not fit lies in files without
 * a name, mapped: of an array its first part is in memory then, and the rest in
 * a file of its own. Arrays that are gone through in order are the first to go
 * there; those that are used at random have a part of the limit for themselves.
 */
#ifndef HP_GRAPH_BIG_ARRAY_H
#define HP_GRAPH_BIG_ARRAY_H

#include "common/base/status.h"

#include <pthread.h>
#include <stdatomic.h>

/* How an array is used. */
enum hp_big_use {
	HP_BIG_RANDOM,	 /* at random */
	HP_BIG_IN_ORDER, /* from one end to the other, nearly */
	HP_BIG_SPARSE,	 /* at random, and few places of it: a huge page would
			    be cleared for each */
};

/* What all arrays of a graph take together. */
struct hp_big_memory {
	uint64_t limit;	    /* bytes that may be in memory */
	uint64_t in_order;  /* of them, that arrays used in order may fill up */
	uint64_t held;	    /* bytes that are in memory */
	uint64_t peak;	    /* the most that were */
	uint64_t in_file;   /* bytes that are in files */
	uint64_t file_peak; /* the most that were */
	const char *dir;    /* of the files; NULL: $TMPDIR or /tmp */
};

struct hp_big_array {
	void *at;	/* NULL: none */
	uint64_t bytes; /* that there are addresses for */
	uint64_t ready; /* of them, that may be used */
	uint64_t split; /* what is at and behind it lies in the file */
	int fd;		/* of the file, where there is one */
	enum hp_big_use use;
};

/**
 * hp_big_array_make() - @bytes of zeros
 *
 * Of a file the blocks are taken at once, so that a full disk is met here and
 * not as a signal later.
 * Returns: HP_OK; HP_NOMEM; HP_IO: no file could be made, or the disk is full.
 * Ownership: hp_big_array_drop() in any case; not thread-safe.
 */
HP_MUST_USE enum hp_status
hp_big_array_make(struct hp_big_memory *m, struct hp_big_array *a,
		  uint64_t bytes, enum hp_big_use use, struct hp_error *err);

/*
 * Address space for up to @bytes of zeros, none of which may be used until
 * hp_big_array_grow() says so. HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_big_array_reserve(struct hp_big_array *a,
						uint64_t bytes,
						enum hp_big_use use,
						struct hp_error *err);

/*
 * Have at least the first @bytes of a reserved array ready. Nothing moves.
 * HP_OK; HP_NOMEM: no addresses are left; HP_IO.
 */
HP_MUST_USE enum hp_status hp_big_array_grow(struct hp_big_memory *m,
					     struct hp_big_array *a,
					     uint64_t bytes,
					     struct hp_error *err);

/* Only the first @bytes are needed from now on. */
void hp_big_array_shrink(struct hp_big_memory *m, struct hp_big_array *a,
			 uint64_t bytes);

/*
 * A thread that touches the first pages of arrays before others come to them:
 * the kernel clears a page when it is touched, and on a virtual machine the
 * host may have to find it first, so that a single thread spends most of its
 * time there. Nothing is changed in them.
 */
struct hp_big_toucher {
	pthread_t thread;
	bool running;
	_Atomic bool ended;
	const struct hp_big_array *const *arrays; /* NULL behind the last */
};

/* Best effort: where there is no such thread, nothing is touched ahead. */
void hp_big_touch(struct hp_big_toucher *t,
		  const struct hp_big_array *const *arrays);
void hp_big_touch_end(struct hp_big_toucher *t);

/* Give it back; a zeroed one is fine. */
void hp_big_array_drop(struct hp_big_memory *m, struct hp_big_array *a);

#endif
