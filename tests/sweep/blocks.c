/*
 * blocks.c - reuse large memory blocks across many short runs under
 * AddressSanitizer
 *
 * AddressSanitizer maps every block of more than 128 KB from the system and
 * unmaps it when it is freed. For small inputs this takes most of the time.
 * This file keeps a freed block, poisons all of it, and returns it for the next
 * request of exactly the same size. AddressSanitizer still detects accesses
 * beyond the block, accesses after a free, and double frees.
 */
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* smallest size of a block that is kept, in bytes */
	LARGE = 100 << 10,
	/* largest size of a block that is kept, in bytes */
	HUGE_BLOCK = 16 << 20,
	KEPT_MAX = 24, /* largest number of blocks that are kept */
	FILL = 0xBE,   /* the byte with which AddressSanitizer fills a new block
			*/
	FILLED = 4096,
};

struct block {
	void *p; /* address of the kept block; NULL: this slot is empty */
	size_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block kept[KEPT_MAX];
/* index of the slot whose block is replaced by the next freed block */
static unsigned next;

/*
 * gcc does not install sanitizer/allocator_interface.h, which declares this
 * function
 */
int __sanitizer_get_ownership(const volatile void *p);
size_t __sanitizer_get_allocated_size(const volatile void *p);
void *__interceptor_malloc(size_t n);
void __interceptor_free(void *p);

static void *
take_kept(size_t n)
{
	void *p = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < KEPT_MAX && !p; i++) {
		if (kept[i].p && kept[i].n == n) {
			p = kept[i].p;
			kept[i].p = NULL;
		}
	}
	pthread_mutex_unlock(&lock);
	return p;
}

/*
 * Keep the freed block @b in an empty slot, or otherwise in the next slot.
 * Returns the block that was in this slot, which the caller must free, or NULL.
 */
static void *
keep(struct block b)
{
	unsigned to = KEPT_MAX;
	void *old;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < KEPT_MAX; i++) {
		if (kept[i].p == b.p) {
			fputs("a large block is freed twice\n", stderr);
			abort();
		}
		if (!kept[i].p)
			to = i;
	}
	if (to == KEPT_MAX)
		to = next++ % KEPT_MAX;
	old = kept[to].p;
	kept[to] = b;
	pthread_mutex_unlock(&lock);
	return old;
}

void *
malloc(size_t n)
{
	void *p = n >= LARGE && n <= HUGE_BLOCK ? take_kept(n) : NULL;

	if (!p)
		return __interceptor_malloc(n);
	ASAN_UNPOISON_MEMORY_REGION(p, n);
	memset(p, FILL, FILLED);
	return p;
}

void
free(void *p)
{
	size_t n = p && __sanitizer_get_ownership(p)
			   ? __sanitizer_get_allocated_size(p)
			   : 0;

	if (n >= LARGE && n <= HUGE_BLOCK) {
		ASAN_POISON_MEMORY_REGION(p, n);
		p = keep((struct block){p, n});
		if (p)
			ASAN_UNPOISON_MEMORY_REGION(
				p, __sanitizer_get_allocated_size(p));
	}
	__interceptor_free(p);
}
