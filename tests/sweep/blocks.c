/*
 * blocks.c - large blocks of memory that are used again, for many short runs
 *
 * AddressSanitizer takes a block of more than 128 KB from the system and gives
 * it back each time. With small inputs that is most of the work. Here such a
 * block is kept when it is freed, poisoned as a whole, and handed out again
 * for the very same size. What is read or written behind its ends, or after
 * it was freed, or freed twice, is noticed as ever.
 */
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LARGE = 100 << 10,     /* bytes of the smallest that is kept */
	HUGE_BLOCK = 16 << 20, /* bytes of the largest */
	KEPT_MAX = 24,	       /* blocks */
	FILL = 0xBE,	       /* what a new block begins with, as ever */
	FILLED = 4096,
};

struct block {
	void *p; /* NULL: none */
	size_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block kept[KEPT_MAX];
static unsigned next; /* of the kept, to be given back for another */

/* sanitizer/allocator_interface.h, which gcc does not bring */
int __sanitizer_get_ownership(const volatile void *p);
size_t __sanitizer_get_allocated_size(const volatile void *p);
void *__interceptor_malloc(size_t n);
void __interceptor_free(void *p);

static void *
take(size_t n)
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

/* Keep @b; what has to go for it. */
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
	void *p = n >= LARGE && n <= HUGE_BLOCK ? take(n) : NULL;

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
