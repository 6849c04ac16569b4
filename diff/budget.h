/*
 * budget.h - --memory: what is held of it, noted by all who hold something
 *
 * Only what grows with the input is noted. What does not (the program itself,
 * buffers of threads and decompressors) is taken off beforehand.
 */
#ifndef HP_DIFF_BUDGET_H
#define HP_DIFF_BUDGET_H

#include "common/base/status.h"

#include <stdatomic.h>

struct hp_budget {
	uint64_t limit; /* bytes; 0: any number */
	_Atomic uint64_t held;
	/* bytes of arrays that count themselves, which no thread changes while
	   another one notes anything; NULL: there are none */
	const uint64_t *arrays;
};

/**
 * hp_budget_init() - what --memory leaves for what grows
 * @memory:  bytes
 * @threads: may be lowered, down to 1: their buffers count, too
 *
 * Returns: HP_OK; HP_LIMIT: not even one thread has room.
 */
HP_MUST_USE enum hp_status hp_budget_init(struct hp_budget *b, uint64_t memory,
					  unsigned *threads,
					  struct hp_error *err);

/*
 * Threads for what is read but once, so that it cannot be tried again with
 * fewer: their buffers are a small part of @memory. 1 at least.
 */
unsigned hp_budget_threads_once(uint64_t memory, unsigned threads);

/**
 * hp_budget_note() - one holder's bytes are @now, they were *@noted
 * @noted: kept by the holder, 0 at first; @now afterwards
 *
 * May be called by any thread, by one at a time for one holder.
 * Returns: HP_OK; HP_LIMIT: all together is too much now.
 */
HP_MUST_USE enum hp_status hp_budget_note(struct hp_budget *b, uint64_t *noted,
					  uint64_t now, struct hp_error *err);

/* The holder has released all of it. */
void hp_budget_release(struct hp_budget *b, uint64_t *noted);

/* Bytes that may still be taken. */
uint64_t hp_budget_left(const struct hp_budget *b);

#endif
