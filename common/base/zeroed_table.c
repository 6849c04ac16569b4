/*
 * zeroed_table.c - zeroed memory for large hash tables, whose pages are created
 * in advance
 */
#include "common/base/hash.h"
#include "common/base/memory.h"

#include "common/base/bytes.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4 << 10, HUGE_PAGE = 2 << 20 };

/*
 * Ask the kernel for huge pages, and to create all pages now. Both calls are
 * only hints, which the kernel may ignore.
 */
static void
prefault_pages(void *slots, size_t bytes)
{
	if (bytes >= HUGE_PAGE)
		madvise(slots, bytes, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE /* since Linux 5.14 */
	if (bytes >= 16 * PAGE)
		madvise(slots, bytes, MADV_POPULATE_WRITE);
#endif
}

void *
hp_zeroed_table_new(size_t bytes)
{
	size_t align = bytes < HUGE_PAGE ? PAGE : HUGE_PAGE;
	void *slots;

	if (bytes <= PAGE)
		return hp_calloc(1, bytes);
	slots = hp_aligned_alloc(align, hp_align_up(bytes, align));
	if (!slots)
		return NULL;
	prefault_pages(slots, bytes);
	return memset(slots, 0, bytes);
}
