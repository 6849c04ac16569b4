/*
 * slots.h - memory of tables that are probed at random
 */
#ifndef HP_SLOTS_H
#define HP_SLOTS_H

#include <stddef.h>

/**
 * hp_slots_new() - @bytes of zeros, all of which will be met
 *
 * The pages are there from the start, huge ones for a large table: a probe that
 * meets one first would wait for it, up to twice.
 * Returns: memory for free(); NULL: there is none.
 */
void *hp_slots_new(size_t bytes);

#endif
