/*
 * big_array.h - large arrays in pages of their own, in memory or in a temporary
 * file
 *
 * All arrays of an object graph share one memory limit. If an array does not
 * fit into the limit, its first part is in memory, and the rest is in unnamed
 * temporary files. The files are mapped at the addresses after the first part.
 * Later, more of an array can be moved to files.
 * A part of the limit is reserved for arrays with random access, because
 * random access to a file is slow. So arrays with sequential access are the
 * first that are stored in files.
 */
#ifndef HP_GRAPH_BIG_ARRAY_H
#define HP_GRAPH_BIG_ARRAY_H

#include "common/base/status.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * How the program accesses an array. This determines when a part of the array
 * is stored in a file, and whether the array gets huge pages.
 */
enum hp_big_use {
	HP_BIG_RANDOM, /* the program accesses the array at random positions */
	/* the program mostly accesses the array from one end to the other */
	HP_BIG_IN_ORDER,
	/*
	 * The program reads the array in blocks, in any order of the blocks,
	 * but each block from one end to the other. The program calls
	 * hp_big_array_fetch() before it reads a block.
	 */
	HP_BIG_BLOCKS,
	/*
	 * Random access to a few places only. Such an array gets no huge pages,
	 * because the kernel would have to clear a whole huge page for each
	 * place.
	 */
	HP_BIG_SPARSE,
};

/*
 * The memory limit that all arrays of an object graph share, and how much of
 * the limit they use.
 */
struct hp_big_memory {
	uint64_t limit; /* maximum number of bytes of all arrays in memory */
	/*
	 * All arrays with sequential access together may have this number of
	 * bytes in memory. The rest of `limit` is reserved for arrays with
	 * random access.
	 */
	uint64_t in_order;
	/* number of bytes of all arrays that are in memory now */
	uint64_t held;
	uint64_t peak; /* largest value that `held` has had so far */
	/* number of bytes of all arrays that are in files now */
	uint64_t in_file;
	uint64_t file_peak; /* largest value that `in_file` has had so far */
	const char *dir;    /* directory of the files; NULL: $TMPDIR or /tmp */
};

struct hp_big_array {
	/*
	 * address of the first byte of the array; NULL: no memory is allocated
	 */
	void *at;
	/* number of bytes of address space that are reserved for the array */
	uint64_t bytes;
	/*
	 * The first `ready` bytes of the array may be used; see
	 * hp_big_array_grow().
	 */
	uint64_t ready;
	/*
	 * The bytes of the array from this offset on are in files.
	 * UINT64_MAX: all bytes are in memory. Atomic, because a thread that
	 * only reads the array may read this while another one moves bytes.
	 */
	_Atomic uint64_t split;
	enum hp_big_use use;
	/* the part in files is read at random, see hp_big_array_expect() */
	bool random;
};

/**
 * hp_big_array_make() - make an array of @bytes zero bytes
 *
 * If the array needs a file, the blocks of the file are allocated at once. So a
 * full disk makes this function fail, and does not cause a SIGBUS later.
 * Returns: HP_OK; HP_NOMEM; HP_IO: the file could not be made, or the disk is
 *          full. Several arrays may be made, moved and freed at the same time.
 */
HP_MUST_USE enum hp_status
hp_big_array_make(struct hp_big_memory *m, struct hp_big_array *a,
		  uint64_t bytes, enum hp_big_use use, struct hp_error *err);

/*
 * Reserve address space for an array of up to @bytes zero bytes. No byte may be
 * used before hp_big_array_grow() has made it ready for use.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_big_array_reserve(struct hp_big_array *a,
						uint64_t bytes,
						enum hp_big_use use,
						struct hp_error *err);

/*
 * Make at least the first @bytes of a reserved array ready for use. The array
 * does not move.
 * Returns: HP_OK; HP_NOMEM: @bytes exceeds the reserved address space; HP_IO.
 */
HP_MUST_USE enum hp_status hp_big_array_grow(struct hp_big_memory *m,
					     struct hp_big_array *a,
					     uint64_t bytes,
					     struct hp_error *err);

/*
 * Tell the kernel that the program will soon read @bytes bytes of the array,
 * from the offset @from on. If they are in a file, the kernel begins to read
 * them, and the function does not wait for them. Without this call, the kernel
 * would read each page of an array with the use HP_BIG_BLOCKS on its own.
 */
void hp_big_array_fetch(const struct hp_big_array *a, uint64_t from,
			uint64_t bytes);

/*
 * Tell the kernel in which order the program will read the part of the array
 * that is in files, now or later. @use is HP_BIG_RANDOM or HP_BIG_IN_ORDER. A
 * new array has HP_BIG_IN_ORDER. The function must not be called for an array
 * with the use HP_BIG_BLOCKS. With HP_BIG_RANDOM, the kernel reads only
 * the pages that the program needs. With HP_BIG_IN_ORDER, the kernel also reads
 * the pages around them. This is much faster for sequential reads, but other
 * reads then evict pages that are still needed: with 40 percent of the memory,
 * the search for suspects took 15 times as long.
 */
void hp_big_array_expect(struct hp_big_array *a, enum hp_big_use use);

/* Returns the number of bytes of the array that are in files. */
static inline uint64_t
hp_big_array_in_file(const struct hp_big_array *a)
{
	return a->ready > a->split ? a->ready - a->split : 0;
}

/*
 * Move at least *@bytes bytes of the array from memory to files, or all that
 * are in memory. *@bytes receives how many bytes were too few; 0: none. Other
 * threads may read the array meanwhile, but not write to it. After a failure, a
 * part may have been moved.
 * Returns: HP_OK; HP_IO: a file could not be made, or the disk is full;
 *          HP_NOMEM. Allocates no memory.
 */
HP_MUST_USE enum hp_status hp_big_array_move_to_file(struct hp_big_memory *m,
						     struct hp_big_array *a,
						     uint64_t *bytes,
						     struct hp_error *err);

/*
 * Move up to @bytes bytes of the array from files to memory: the first ones
 * that are in files. Fewer are moved if the process may not have so much
 * memory. If they need more than what is left of the limit of @m, the limit is
 * raised: hp_big_array_move_to_file(), which made room for them, has lowered
 * it. No other thread may use the array meanwhile.
 */
void hp_big_array_move_to_memory(struct hp_big_memory *m,
				 struct hp_big_array *a, uint64_t bytes);

/* Returns how many bytes more may be in memory. */
static inline uint64_t
hp_big_memory_room(const struct hp_big_memory *m)
{
	return m->limit > m->held ? m->limit - m->held : 0;
}

/* Free all memory of the array after its first @bytes. */
void hp_big_array_shrink(struct hp_big_memory *m, struct hp_big_array *a,
			 uint64_t bytes);

/*
 * A thread that touches the pages of new arrays before other threads need them:
 * it writes to each page without changing the contents. The kernel clears a
 * page when it is first written, and on a virtual machine the host may have to
 * find memory for it. Without this thread, a program with one thread would
 * spend most of its time waiting for pages.
 */
struct hp_big_toucher {
	pthread_t thread;
	bool running;
	_Atomic bool ended;
	/* the arrays whose pages the thread touches; the list ends with NULL */
	const struct hp_big_array *const *arrays;
};

/*
 * Start the thread that touches the pages of @arrays. If the thread cannot
 * start, each page is first touched by the thread that needs it, which is
 * slower.
 */
void hp_big_touch(struct hp_big_toucher *t,
		  const struct hp_big_array *const *arrays);
void hp_big_touch_end(struct hp_big_toucher *t);

/* Free the array. A zeroed array is allowed. */
void hp_big_array_drop(struct hp_big_memory *m, struct hp_big_array *a);

#endif
