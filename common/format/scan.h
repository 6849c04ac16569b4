/*
 * scan.h - the parallel pass: heap records cut into batches of whole
 * sub-records, handed to workers; everything else in file order
 *
 * One thread (the caller's) reads records and cuts; workers decode. Where input
 * is never waited for, and no output, the caller is one of the workers. Batches
 * are numbered in file order and cut at places that depend on the bytes alone,
 * so a pass whose merge is commutative, or which gathers in retired() order,
 * gives results that do not depend on the number of threads.
 */
#ifndef HP_FORMAT_SCAN_H
#define HP_FORMAT_SCAN_H

#include "common/format/pass.h"

/* The input has @dumps and was asked for @dump: HP_UNSUPPORTED, and says so. */
enum hp_status hp_scan_no_dump(unsigned dump, unsigned dumps,
			       struct hp_error *err);

struct hp_scan_options {
	unsigned threads;      /* workers, from 1; the caller may be one */
	unsigned only_dump;    /* 0: all; others' batches are not made */
	struct hp_start from;  /* of only_dump: nothing else is looked at */
	uint64_t spill_memory; /* deferred bytes of a source without seeking
				  beyond this go to an unlinked file */
	const char *spill_dir; /* NULL: $TMPDIR or /tmp */
};

/*
 * How many of @wanted threads a quick pass over the source is worth: to start
 * one, and to bring together what it has found, takes as long as some MiB of a
 * dump do. Of compressed input the file's size tells; @wanted for a pipe.
 */
unsigned hp_scan_threads(const struct hp_source *src, unsigned wanted);

/**
 * hp_scan() - run a pass over a source, from its current first byte
 *
 * Returns: HP_OK at the end of the input, whatever is wrong with the dump;
 *          the status of a callback; HP_IO, HP_LIMIT, HP_NOMEM.
 * Memory:  some MiB a worker, plus one sub-record that is no array, plus the
 *          spill; of a source that unpacks also the blocks that its batches
 *          lie in.
 */
HP_MUST_USE enum hp_status hp_scan(struct hp_source *src,
				   const struct hp_pass *pass,
				   const struct hp_scan_options *options,
				   struct hp_error *err);

#endif
