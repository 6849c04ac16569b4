/*
 * budget.c - divide the memory that --memory allows: a part for the buffers of
 * the threads, and the rest for the data that is read
 */
#include "diff/budget.h"
#include "common/base/memory.h"
#include "common/base/threads.h"

/*
 * Memory in bytes that the process needs in addition to the memory that
 * hp_malloc() counts. If --memory is large, most of this memory is for pages of
 * the mapped input file. If --memory is small, the file is not mapped, and this
 * memory is for the program itself, the stacks of its threads, and freed memory
 * that malloc() keeps.
 */
enum {
	HP_BUDGET_PROGRAM = 15 << 20,
	HP_BUDGET_THREAD = 5 << 20,
	HP_BUDGET_LITTLE = 12 << 20,
	HP_BUDGET_LITTLE_THREAD = 2 << 20,
	/* minimum number of bytes for data that grows with the input */
	HP_BUDGET_LEAST = 1 << 20,
	/*
	 * for an input that can be read only once, the buffers of all threads
	 * together get at most 1/16 of --memory, see hp_budget_threads_once()
	 */
	HP_BUDGET_ONCE = 16,
};

enum hp_status
hp_budget_plan(uint64_t memory, unsigned *threads, uint64_t *apart,
	       struct hp_error *err)
{
	const uint64_t fixed = HP_BUDGET_PROGRAM + HP_BUDGET_LEAST;

	if (memory < fixed + HP_BUDGET_THREAD)
		return hp_fail(err, HP_LIMIT,
			       "--memory is too small: the program itself "
			       "needs %d MB of it, and its data needs more",
			       (HP_BUDGET_PROGRAM + HP_BUDGET_THREAD) >> 20);
	/*
	 * the buffers of the threads may use at most half of the memory that is
	 * left, because the other half is for data that grows with the input
	 */
	*threads = hp_threads_within(*threads, (memory - fixed) / 2, 0,
				     HP_BUDGET_THREAD);
	*apart = memory < HP_MEMORY_MUCH
			 ? HP_BUDGET_LITTLE +
				   (uint64_t)*threads * HP_BUDGET_LITTLE_THREAD
			 : HP_BUDGET_PROGRAM +
				   (uint64_t)*threads * HP_BUDGET_THREAD;
	return HP_OK;
}

enum hp_status
hp_budget_init(uint64_t memory, unsigned *threads, struct hp_error *err)
{
	uint64_t apart = 0;
	enum hp_status st = hp_budget_plan(memory, threads, &apart, err);

	if (st == HP_OK)
		hp_memory_limit(memory, apart);
	return st;
}

unsigned
hp_budget_threads_once(uint64_t memory, unsigned threads)
{
	return hp_threads_for(threads, memory / HP_BUDGET_ONCE,
			      HP_BUDGET_THREAD);
}
