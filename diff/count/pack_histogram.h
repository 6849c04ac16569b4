/*
 * pack_histogram.h - count the objects of a pack without unpacking
 */
#ifndef HP_DIFF_COUNT_PACK_HISTOGRAM_H
#define HP_DIFF_COUNT_PACK_HISTOGRAM_H

#include "common/sink/sink.h"
#include "diff/count/histogram.h"

/*
 * ----------------------------------------------------------------------
 * Copy a dump without the names that a comparison by class does not need
 *
 * Nearly all STRING records are names of methods and fields. Only the few to
 * which a LOAD CLASS record refers are names of classes. Leaving out all other
 * STRING records keeps the tables small.
 */

/**
 * hp_name_prescan() - copy a dump, but leave out STRING records that are not
 * the name of a class
 *
 * @dump: the bytes of a header and complete records; other bytes are copied
 *   unchanged
 *
 * Always copies the first record, because the program that wrote the dump is
 * recognized by it. If several strings have the same id, all of them are
 * copied.
 *
 * Returns: HP_OK; the failures of hp_sink_write(); HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_name_prescan(const uint8_t *dump, size_t n,
					   struct hp_sink *out,
					   struct hp_error *err);

/* ----------------------------------------------------------------------
 * Count the objects of a pack without unpacking them
 */

/**
 * hp_pack_histogram_run() - count the objects as hp_histogram_run() does, if
 * the input is a suitable pack
 * @path: the path of the input; only regular files are accepted
 * @max_size: maximum bytes of the dump; 0: no limit
 * @done: set to true if the objects were counted; otherwise the caller must
 *   read the whole input
 *
 * Objects are counted by class only: @options must not count by Android heap or
 * trace, nor choose a dump of the file.
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 * Ownership: call hp_histogram_release() if *@done.
 */
HP_MUST_USE enum hp_status
hp_pack_histogram_run(struct hp_histogram *g, const char *path,
		      uint64_t max_size,
		      const struct hp_histogram_options *options, bool *done,
		      struct hp_error *err);

/* Whether @path is a pack in a readable regular file. */
bool hp_pack_histogram_is(const char *path);

/*
 * ----------------------------------------------------------------------
 * Count several packs in advance, one thread for each
 *
 * Counting one pack by its stored numbers is too little work to be divided
 * between threads. So while a comparison of packs processes one pack, other
 * threads count the next packs. The order of the messages does not change,
 * because the comparison still takes one input after the other. If a pack was
 * not counted in advance, the comparison counts it in its turn.
 */

struct hp_prefetched_pack;

struct hp_pack_prefetch {
	/*
	 * number of bytes of memory that each thread may use to count a pack in
	 * advance
	 */
	uint64_t share;
	/* the inputs that are counted in advance; NULL: there are none */
	struct hp_prefetched_pack *list;
	size_t count, started, at;
	/* maximum number of packs that are counted at the same time */
	unsigned most;
};

/**
 * hp_pack_prefetch_init() - prepare to count all inputs in advance
 *
 * @paths: @n inputs; borrowed
 * @options: the same options as for hp_pack_histogram_run(); the number of
 *   threads is the number of packs that are counted at the same time
 *
 * Does nothing unless there are several inputs and all are packs. All threads
 * together may use a quarter of the remaining memory.
 */
void hp_pack_prefetch_init(struct hp_pack_prefetch *a, char *const *paths,
			   size_t n,
			   const struct hp_histogram_options *options);

/**
 * hp_pack_prefetch_take() - get the counts of the input with index @i
 *
 * Call this for the inputs one after the other: with @i = 0, then 1, then 2 ...
 *
 * Returns: the result of hp_pack_histogram_run(). The caller must give the
 * result back with hp_pack_prefetch_add() before it takes the next one. NULL:
 * this input was not counted in advance, and no later input will be.
 */
struct hp_histogram *hp_pack_prefetch_take(struct hp_pack_prefetch *a,
					   size_t i);
void hp_pack_prefetch_add(struct hp_pack_prefetch *a);

/*
 * Free everything. This may be called at any time, even while threads are
 * counting.
 */
void hp_pack_prefetch_release(struct hp_pack_prefetch *a);

#endif
