/*
 * budget.c - add up the memory in use and compare it with the limit
 */
#include "diff/budget.h"
#include "common/base/threads.h"

/*
 * The measured peak memory of counting objects, for a dump of any size: 15 MB,
 * and 5 MB for each thread. Most of it is file pages of an uncompressed dump.
 * Other inputs need less.
 */
enum {
	HP_BUDGET_PROGRAM = 15 << 20,
	HP_BUDGET_THREAD = 5 << 20,
	/*
	 * at least this much of the limit stays for memory that grows with the
	 * input
	 */
	HP_BUDGET_LEAST = 1 << 20,
	HP_BUDGET_ONCE = 16, /* see hp_budget_threads_once() */
};

enum hp_status
hp_budget_init(struct hp_budget *b, uint64_t memory, unsigned *threads,
	       struct hp_error *err)
{
	const uint64_t fixed = HP_BUDGET_PROGRAM + HP_BUDGET_LEAST;

	atomic_store(&b->held, 0);
	b->arrays = NULL;
	b->memory = memory;
	if (memory < fixed + HP_BUDGET_THREAD)
		return hp_fail(err, HP_LIMIT,
			       "--memory is too small: the program itself "
			       "needs %d MB of it, and its data needs more",
			       (HP_BUDGET_PROGRAM + HP_BUDGET_THREAD) >> 20);
	/*
	 * with several threads, at least half of the rest is for memory that
	 * grows with the input
	 */
	*threads = hp_threads_within(*threads, (memory - fixed) / 2, 0,
				     HP_BUDGET_THREAD);
	b->limit = memory - HP_BUDGET_PROGRAM -
		   (uint64_t)*threads * HP_BUDGET_THREAD;
	return HP_OK;
}

unsigned
hp_budget_threads_once(uint64_t memory, unsigned threads)
{
	return hp_threads_for(threads, memory / HP_BUDGET_ONCE,
			      HP_BUDGET_THREAD);
}

static uint64_t
arrays_held(const struct hp_budget *b)
{
	return b->arrays ? *b->arrays : 0;
}

enum hp_status
hp_budget_note(struct hp_budget *b, uint64_t *noted, uint64_t now,
	       struct hp_error *err)
{
	uint64_t held;

	if (*noted == now)
		return HP_OK;
	held = atomic_fetch_add(&b->held, now - *noted) + (now - *noted);
	*noted = now;
	held += arrays_held(b);
	if (!b->limit || held <= b->limit)
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "the data does not fit in the %llu MB that --memory "
		       "leaves for it; allow more",
		       (unsigned long long)b->limit >> 20);
}

void
hp_budget_release(struct hp_budget *b, uint64_t *noted)
{
	atomic_fetch_sub(&b->held, *noted);
	*noted = 0;
}

uint64_t
hp_budget_left(const struct hp_budget *b)
{
	uint64_t held = atomic_load(&b->held) + arrays_held(b);

	if (!b->limit)
		return UINT64_MAX;
	return held < b->limit ? b->limit - held : 0;
}
