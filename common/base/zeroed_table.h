/*
 * zeroed_table.h - zeroed memory for tables that are probed at random
 */
#ifndef HP_ZEROED_TABLE_H
#define HP_ZEROED_TABLE_H

#include <stddef.h>

/**
 * hp_zeroed_table_new() - @bytes of zeros, all of which will be met
 *
 * The pages are there from the start, huge ones for a large table: a probe that
 * meets one first would wait for it, up to twice.
 * Returns: memory for free(); NULL: there is none.
 */
void *hp_zeroed_table_new(size_t bytes);

#endif
