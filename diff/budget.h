/*
 * budget.h - the memory budget of --memory, which all users of memory share
 *
 * Only memory that grows with the input is charged to it. The rest (the program
 * itself, buffers of threads and decompressors) is subtracted from --memory in
 * advance.
 */
#ifndef HP_DIFF_BUDGET_H
#define HP_DIFF_BUDGET_H

#include "common/base/status.h"

#include <stdatomic.h>

struct hp_budget {
	uint64_t memory; /* --memory in bytes; 0: no limit */
	uint64_t limit;	 /* the memory limit in bytes; 0: no limit */
	_Atomic uint64_t held;
	/*
	 * bytes of arrays that count their size themselves; NULL: none. No
	 * thread may change it while another thread uses the budget
	 */
	const uint64_t *arrays;
};

/**
 * hp_budget_init() - compute what --memory leaves for memory that grows
 * @memory: bytes
 * @threads: lowered, down to 1, if there is too little memory for the threads'
 *   buffers
 *
 * Returns: HP_OK; HP_LIMIT if there is too little memory even for one thread.
 */
HP_MUST_USE enum hp_status hp_budget_init(struct hp_budget *b, uint64_t memory,
					  unsigned *threads,
					  struct hp_error *err);

/*
 * The number of threads for an input that can be read only once, so that the
 * run cannot be repeated with fewer threads. The threads' buffers are a small
 * part of @memory. Returns at least 1.
 */
unsigned hp_budget_threads_once(uint64_t memory, unsigned threads);

/**
 * hp_budget_note() - change the memory that one part of the program uses from
 * *@noted to @now
 * @noted: kept by that part, 0 at first; set to @now
 *
 * Any thread may call it, but only one at a time for the same part. Returns:
 * HP_OK; HP_LIMIT if the total exceeds the limit.
 */
HP_MUST_USE enum hp_status hp_budget_note(struct hp_budget *b, uint64_t *noted,
					  uint64_t now, struct hp_error *err);

/*
 * Record that a part of the program has freed all its memory, and set *@noted
 * to 0.
 */
void hp_budget_release(struct hp_budget *b, uint64_t *noted);

/* The bytes that may still be used. */
uint64_t hp_budget_left(const struct hp_budget *b);

#endif
