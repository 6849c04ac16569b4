/*
 * memory.c - the only file that calls malloc(); it counts and limits memory
 *
 * malloc_usable_size() returns the size of a block, so the size need not be
 * stored. A block may be freed by another thread than the one that allocated
 * it, if both threads have entered the struct hp_memory of the same run.
 *
 * Invariants:
 * I1  used is at most limit. Exception: after hp_realloc() a block may be
 *     larger than requested, by less than a page.
 * I2  until a child (a share of the memory, see hp_memory_child()) ends, its
 *     whole limit counts as used in its parent.
 */
#include "common/base/memory.h"

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* number of bytes of the header that malloc() stores before each block */
#define HEAD sizeof(size_t)

/*
 * Blocks larger than this number of bytes are mapped separately by malloc().
 * They are returned to the system when they are freed.
 */
#define HP_LARGE (4 << 20)
#define HP_TRIM (4 * HP_LARGE)
#define HP_LARGE_OF_LITTLE (128 << 10)
#define HP_HUGE_PAGE (2 << 20)
/* size of a block for which malloc() must get memory from the system */
#define HP_PROBE (256 << 10)

static struct hp_memory of_process;
static _Thread_local struct hp_memory *entered;
/* protects the members `free_more`; held while such a function runs */
static pthread_mutex_t freeing = PTHREAD_MUTEX_INITIALIZER;

/* --- counting ------------------------------------------------------------- */

struct hp_memory *
hp_memory_now(void)
{
	return entered ? entered : &of_process;
}

struct hp_memory *
hp_memory_enter(struct hp_memory *m)
{
	struct hp_memory *before = entered;

	entered = m;
	return before;
}

/*
 * Returns the number of bytes in use. @sum: allocated bytes minus freed bytes.
 * If a run (job with a memory limit of its own) frees blocks that an earlier
 * run has allocated, @sum can be negative; then the result is 0.
 */
static uint64_t
in_use(uint64_t sum)
{
	return sum <= INT64_MAX ? sum : 0;
}

/*
 * Count @n more bytes as used in @m, if the limit allows it or @sure is set.
 * Returns 0, or, if they were not counted, how many bytes would be in use.
 */
static uint64_t
try_count(struct hp_memory *m, uint64_t n, bool sure)
{
	uint64_t used = in_use(n + atomic_fetch_add_explicit(
					   &m->used, n, memory_order_relaxed));
	uint64_t peak = atomic_load_explicit(&m->peak, memory_order_relaxed);

	if (m->limit && used > m->limit && !sure) {
		atomic_fetch_sub_explicit(&m->used, n, memory_order_relaxed);
		return used;
	}
	while (used > peak &&
	       !atomic_compare_exchange_weak_explicit(&m->peak, &peak, used,
						      memory_order_relaxed,
						      memory_order_relaxed))
		;
	return 0;
}

/* Like try_count(), but returns whether the bytes were counted. */
static bool
count(struct hp_memory *m, uint64_t n, bool sure)
{
	uint64_t refused = try_count(m, n, sure);

	if (refused)
		atomic_store(&m->refused, refused);
	return refused == 0;
}

/*
 * Like count(), but if the limit refuses the bytes, first free memory. Another
 * thread may take what was freed, so this is repeated until nothing more can be
 * freed.
 */
static bool
count_or_free(struct hp_memory *m, uint64_t n)
{
	uint64_t wanted = try_count(m, n, false), freed = 1;
	struct hp_error err = {0};

	if (wanted == 0)
		return true;
	pthread_mutex_lock(&freeing);
	while (m->free_more && n <= m->limit && freed > 0 && wanted > 0) {
		freed = m->free_more(m->free_more_context, wanted - m->limit,
				     &err);
		wanted = try_count(m, n, false);
	}
	if (wanted > 0)
		m->not_freed = err;
	pthread_mutex_unlock(&freeing);
	return wanted == 0 || count(m, n, false);
}

static void
uncount(struct hp_memory *m, uint64_t n)
{
	atomic_fetch_sub_explicit(&m->used, n, memory_order_relaxed);
}

bool
hp_memory_take(uint64_t n)
{
	return count_or_free(hp_memory_now(), n);
}

bool
hp_memory_try_take(uint64_t n)
{
	return try_count(hp_memory_now(), n, false) == 0;
}

void
hp_memory_give_back(uint64_t n)
{
	uncount(hp_memory_now(), n);
}

/* --- allocating ----------------------------------------------------------- */

static size_t
size_of(void *p)
{
	return malloc_usable_size(p) + HEAD;
}

/*
 * Count the new block @p as memory in use, and return it. If the block exceeds
 * the limit, free it and return NULL.
 */
static void *
counted(void *p)
{
	if (!p || count_or_free(hp_memory_now(), size_of(p)))
		return p;
	free(p);
	return NULL;
}

void
hp_free(void *p)
{
	if (!p)
		return;
	uncount(hp_memory_now(), size_of(p));
	free(p);
}

void *
hp_malloc(size_t n)
{
	return counted(malloc(n));
}

void *
hp_calloc(size_t n, size_t size)
{
	return counted(calloc(n, size));
}

void *
hp_aligned_alloc(size_t align, size_t n)
{
	return counted(aligned_alloc(align, n));
}

void *
hp_realloc(void *p, size_t n)
{
	struct hp_memory *m = hp_memory_now();
	size_t before = p ? size_of(p) : 0;
	/*
	 * Count the additional bytes before the block is enlarged. If the limit
	 * refuses them, the block must be unchanged.
	 */
	uint64_t more = n > before ? n - before : 0;
	void *grown;

	if (!count_or_free(m, more))
		return NULL;
	grown = realloc(p, n);
	if (!grown) {
		uncount(m, n > 0 ? more : before + more);
		return NULL;
	}
	count(m, size_of(grown), true);
	uncount(m, before + more);
	return grown;
}

char *
hp_strndup(const char *text, size_t n)
{
	size_t length = strnlen(text, n);
	char *copy = hp_malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *
hp_strdup(const char *text)
{
	return hp_strndup(text, strlen(text));
}

/* --- limits --------------------------------------------------------------- */

void
hp_memory_limit(uint64_t memory, uint64_t apart)
{
	struct hp_memory *m = hp_memory_now();

	m->limit = memory == 0 ? 0 : memory > apart ? memory - apart : 1;
	m->apart = apart;
	hp_memory_forget_refusal();
}

uint64_t
hp_memory_left(void)
{
	const struct hp_memory *m = hp_memory_now();
	uint64_t used =
		in_use(atomic_load_explicit(&m->used, memory_order_relaxed));

	if (!m->limit)
		return UINT64_MAX;
	return used < m->limit ? m->limit - used : 0;
}

void
hp_memory_on_refusal(uint64_t (*free_more)(void *context, uint64_t bytes,
					   struct hp_error *err),
		     void *context)
{
	struct hp_memory *m = hp_memory_now();

	pthread_mutex_lock(&freeing);
	m->free_more = free_more;
	m->free_more_context = context;
	pthread_mutex_unlock(&freeing);
}

bool
hp_memory_refused(uint64_t *given, uint64_t *needed)
{
	const struct hp_memory *m = hp_memory_now();
	uint64_t refused = atomic_load(&m->refused), more;

	if (!refused)
		return false;
	more = refused > m->limit ? refused - m->limit : 0;
	while (m->parent && m->parent->limit)
		m = m->parent;
	if (given)
		*given = m->limit + m->apart;
	if (needed)
		*needed = m->limit + m->apart + more;
	return true;
}

struct hp_error
hp_memory_not_freed(void)
{
	struct hp_error err;

	pthread_mutex_lock(&freeing);
	err = hp_memory_now()->not_freed;
	pthread_mutex_unlock(&freeing);
	return err;
}

void
hp_memory_forget_refusal(void)
{
	struct hp_memory *m = hp_memory_now();

	pthread_mutex_lock(&freeing);
	m->not_freed = (struct hp_error){0};
	pthread_mutex_unlock(&freeing);
	atomic_store(&m->refused, 0);
}

uint64_t
hp_memory_given(void)
{
	const struct hp_memory *m = hp_memory_now();

	while (m->parent && m->parent->limit)
		m = m->parent;
	return m->limit ? m->limit + m->apart : 0;
}

bool
hp_memory_child(struct hp_memory *child, uint64_t limit)
{
	struct hp_memory *m = hp_memory_now();

	if (!count(m, limit, false))
		return false;
	*child = (struct hp_memory){
		.parent = m, .what = m->what, .limit = limit};
	return true;
}

void
hp_memory_join(struct hp_memory *child)
{
	uint64_t used = atomic_load(&child->used);

	/*
	 * invariant I2 (see the top of this file): until a child ends, its
	 * whole limit counts as used in its parent
	 */
	assert(child->parent);
	count(child->parent, used, true);
	uncount(child->parent, child->limit);
	*child = (struct hp_memory){0};
}

/* --- malloc() itself ------------------------------------------------------ */

#ifdef __GLIBC__
/*
 * Let the main heap of malloc() begin with huge pages. The kernel creates a
 * huge page only if nothing was written to its range of addresses before. But
 * malloc() writes a header after the first block that it allocates. So a filler
 * block, which is allocated but never written, covers all bytes from there to
 * the next boundary of a huge page.
 */
static void
reserve_huge_heap(void)
{
	static void *volatile filler;
	/*
	 * the number of bytes before the huge page that malloc() needs for
	 * headers of blocks
	 */
	const size_t head = 4 * sizeof(void *);
	char *probe, *end;
	size_t skip;

	/*
	 * The padding must be less than M_TRIM_THRESHOLD. Otherwise malloc()
	 * would return it to the system at once.
	 */
	mallopt(M_TOP_PAD, HP_TRIM - HP_PROBE - (512 << 10));
	probe = malloc(HP_PROBE);
	mallopt(M_TOP_PAD, 128 << 10); /* the default value of M_TOP_PAD */
	end = sbrk(0);
	skip = HP_PROBE + head;
	skip += -((uintptr_t)probe + skip) & (HP_HUGE_PAGE - 1);
	/*
	 * Whether malloc() uses sbrk() to get memory; not all implementations
	 * of malloc() do.
	 */
	bool here = probe && probe < end && end - probe <= HP_TRIM &&
		    (size_t)(end - probe) > skip;
	if (here)
		madvise(probe + skip, (size_t)(end - probe) - skip,
			MADV_HUGEPAGE);
	free(probe);
	if (here)
		filler = malloc(skip - head);
	(void)filler;
}
#endif

/*
 * If --memory is small, the process must not need more memory than the program
 * counts. So switch off huge pages, of which often only a part is used, and let
 * malloc() return freed memory to the system. If --memory is large, the
 * function does nothing and returns false.
 */
static bool
use_little(uint64_t memory)
{
	if (memory >= HP_MEMORY_MUCH)
		return false;
#ifdef PR_SET_THP_DISABLE
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, HP_LARGE_OF_LITTLE);
	mallopt(M_TRIM_THRESHOLD, HP_LARGE_OF_LITTLE);
	mallopt(M_ARENA_MAX, 1);
#endif
	return true;
}

void
hp_tune_malloc(uint64_t memory)
{
#ifdef __GLIBC__
	struct rlimit r;
#endif

	if (use_little(memory))
		return;
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, HP_LARGE);
	mallopt(M_TRIM_THRESHOLD, HP_TRIM);
	/*
	 * If the system limits the data of the process (RLIMIT_DATA), pages of
	 * the heap count towards this limit even if they are not written.
	 */
	if (getrlimit(RLIMIT_DATA, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
		reserve_huge_heap();
#endif
}

void
hp_trim_malloc(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
