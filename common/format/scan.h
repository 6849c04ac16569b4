/*
 * scan.h - run a pass over a dump with several threads: workers process batches
 * of whole sub-records of the heap; everything else is processed in file order
 *
 * The caller's thread reads the records and cuts the batches. If it never waits
 * for input or output, it also works as one of the workers. Batches are
 * numbered in file order, and the cuts depend only on the bytes. So the results
 * of a pass do not depend on the number of threads if it merges commutatively,
 * or collects its results in retired().
 */
#ifndef HP_FORMAT_SCAN_H
#define HP_FORMAT_SCAN_H

#include "common/format/pass.h"

/*
 * Fail with HP_UNSUPPORTED and a message: dump @dump was requested, but the
 * input contains only @dumps.
 */
enum hp_status hp_scan_no_dump(unsigned dump, unsigned dumps,
			       struct hp_error *err);

struct hp_scan_options {
	/* number of workers, at least 1; the caller may be one of them */
	unsigned threads;
	/*
	 * process only this dump, without making batches of the others; 0: all
	 * dumps
	 */
	unsigned only_dump;
	/*
	 * start of only_dump; nothing else is read. Zeroed: start at the
	 * beginning
	 */
	struct hp_start from;
	/*
	 * Memory in bytes for deferred batches of a source that is not
	 * seekable. More bytes go to an unnamed temporary file.
	 */
	uint64_t spill_memory;
	const char *spill_dir; /* folder of that file; NULL: $TMPDIR or /tmp */
};

/*
 * The number of threads, at most @wanted, that are worthwhile for a quick pass
 * over the source. Starting a thread and merging its results takes as long as
 * reading a few MiB. For compressed input this is estimated from the size of
 * the file. For a pipe it returns @wanted.
 */
unsigned hp_scan_threads(const struct hp_source *src, unsigned wanted);

/**
 * hp_scan() - run a pass over a source, from its current first byte
 *
 * Returns: HP_OK at the end of the input, even if the dump is damaged; the
 *          status of a callback that failed; HP_IO, HP_LIMIT, HP_NOMEM.
 * Memory:  a few MiB for each worker, plus the longest sub-record that is not
 * an array, plus the deferred batches; for compressed sources also the buffers
 * that the batches borrow.
 */
HP_MUST_USE enum hp_status hp_scan(struct hp_source *src,
				   const struct hp_pass *pass,
				   const struct hp_scan_options *options,
				   struct hp_error *err);

#endif
