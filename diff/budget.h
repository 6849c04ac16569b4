/*
 * budget.h - divide the memory that --memory allows: a part for the buffers of
 * the threads, and the rest for the data that is read
 */
#ifndef HP_DIFF_BUDGET_H
#define HP_DIFF_BUDGET_H

#include "common/base/status.h"

/**
 * hp_budget_plan() - find the largest number of threads that a memory limit
 * allows
 *
 * @memory: the limit (--memory) in bytes
 * @threads: the wanted number of threads; lowered, down to 1, if there is too
 *   little memory for the buffers of so many threads
 * @apart: receives the bytes that the program needs in addition to the memory
 *   that hp_malloc() counts, for example for the stacks of its threads
 *
 * Returns: HP_OK; HP_LIMIT if there is too little memory even for one thread.
 */
HP_MUST_USE enum hp_status hp_budget_plan(uint64_t memory, unsigned *threads,
					  uint64_t *apart,
					  struct hp_error *err);

/*
 * Call hp_budget_plan(), and set the limit for the memory that hp_malloc()
 * counts, so that the whole process needs at most @memory bytes.
 */
HP_MUST_USE enum hp_status hp_budget_init(uint64_t memory, unsigned *threads,
					  struct hp_error *err);

/*
 * Returns the number of threads, at least 1, for an input that can be read only
 * once, such as a pipe. If the memory runs out, this run cannot be repeated
 * with fewer threads. So the buffers of all threads together get only a small
 * part of @memory.
 */
unsigned hp_budget_threads_once(uint64_t memory, unsigned threads);

#endif
