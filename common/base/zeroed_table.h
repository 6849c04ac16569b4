/*
 * zeroed_table.h - zeroed memory for hash tables
 */
#ifndef HP_ZEROED_TABLE_H
#define HP_ZEROED_TABLE_H

#include <stddef.h>

/**
 * hp_zeroed_table_new() - allocate @bytes of zeros that will be accessed at
 * random
 *
 * Asks the kernel for huge pages, and to populate them now. Otherwise each
 * first access to a page would take a page fault in the middle of a hot loop.
 * Returns: memory for hp_free(); NULL if out of memory.
 */
void *hp_zeroed_table_new(size_t bytes);

#endif
