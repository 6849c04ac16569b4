/*
 * memory.h - the one allocator of the library, and the limit of a run
 *
 * All memory of the library comes from the functions below, which add up what
 * is in use and compare the sum with the limit that --memory sets. So nobody
 * else counts bytes. A request above the limit returns NULL, like a failed
 * malloc(). hp_no_memory() then reports which --memory would be enough.
 *
 * A struct hp_memory belongs to a run. Each thread allocates from the memory
 * that it has entered, and a new thread enters that of the thread that starts
 * it. A program has one run, which is entered from the start.
 *
 * A refusal must not depend on which thread is faster. Batches go to whichever
 * worker is free, so the memory of several workers may differ from one run to
 * the next; that of one worker depends only on the input. A program therefore
 * repeats a refused run with one worker. Workers that keep results for later,
 * such as packs that are counted in advance, get a child each, whose limit is
 * set aside before they start.
 */
#ifndef HP_BASE_MEMORY_H
#define HP_BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hp_memory {
	/*
	 * the memory that limits this one: a worker with a limit of its own
	 * uses a part of the memory of a run; NULL: this is the memory of a
	 * whole run
	 */
	struct hp_memory *parent;
	/* what the run reads, as a text for messages */
	const char *what;
	uint64_t limit; /* the maximum of bytes in use; 0: no limit */
	/*
	 * bytes of --memory that are not counted here: for the program, stacks
	 * and mapped files
	 */
	uint64_t apart;
	/* bytes in use now, and the largest number of bytes that were in use */
	_Atomic uint64_t used, peak;
	/* bytes that would have been in use if the last refused request had
	 * been granted; 0: none was refused */
	_Atomic uint64_t refused;
};

/* --- allocate --- */

/* Like the functions of C without hp_, but counted and limited. */
void hp_free(void *p);
void *hp_malloc(size_t n)
	__attribute__((malloc, alloc_size(1), warn_unused_result));
void *hp_calloc(size_t n, size_t size)
	__attribute__((malloc, alloc_size(1, 2), warn_unused_result));
void *hp_realloc(void *p, size_t n)
	__attribute__((alloc_size(2), warn_unused_result));
void *hp_aligned_alloc(size_t align, size_t n)
	__attribute__((malloc, alloc_size(2), warn_unused_result));
char *hp_strdup(const char *text) __attribute__((malloc, warn_unused_result));
char *hp_strndup(const char *text, size_t n)
	__attribute__((malloc, warn_unused_result));

/*
 * Count @n bytes that do not come from these functions, such as mapped pages.
 * Returns false, and counts nothing, if the limit does not allow them.
 */
bool hp_memory_take(uint64_t n) __attribute__((warn_unused_result));
/* Stop counting @n bytes that hp_memory_take() has counted. */
void hp_memory_give_back(uint64_t n);

/* --- limits --------------------------------------------------------------- */

/* The memory that the calling thread has entered; never NULL. */
struct hp_memory *hp_memory_now(void);

/*
 * Let the calling thread allocate from @m; NULL: from the memory of the
 * process. Returns the memory from which it allocated before.
 */
struct hp_memory *hp_memory_enter(struct hp_memory *m);

/*
 * Limit the memory of the calling thread's run to @memory bytes. @apart of them
 * are used by memory that is not counted here. Forgets earlier refusals. If
 * @memory is 0, there is no limit.
 */
void hp_memory_limit(uint64_t memory, uint64_t apart);

/* The bytes that may still be allocated; UINT64_MAX if there is no limit. */
uint64_t hp_memory_left(void);

/*
 * Whether the limit refused a request. Sets *@given to the value of --memory
 * and *@needed to the value that would have allowed the request, both in bytes;
 * either may be NULL.
 */
bool hp_memory_refused(uint64_t *given, uint64_t *needed);

/*
 * Forget that a request was refused, because the run continues without that
 * memory.
 */
void hp_memory_forget_refusal(void);

/* The value of --memory in bytes; 0: no limit. */
uint64_t hp_memory_given(void);

/*
 * Set @limit bytes of the calling thread's memory aside for the zeroed @child.
 * Returns false if so much is not left.
 */
bool hp_memory_child(struct hp_memory *child, uint64_t limit)
	__attribute__((warn_unused_result));

/*
 * End a child. Its bytes that are still in use now count for its parent, and
 * the rest of its limit is free again.
 */
void hp_memory_join(struct hp_memory *child);

/*
 * With a smaller limit than this, memory is scarce. The system keeps some
 * memory that is not counted, and this alone could exceed the limit.
 */
#define HP_MEMORY_MUCH (UINT64_C(256) << 20)

/* --- malloc() itself ------------------------------------------------------ */

/*
 * Configure malloc(). Call this once, at the start. With less than
 * HP_MEMORY_MUCH of --memory, all freed memory goes back to the system, and no
 * huge pages are used. Otherwise only large blocks go back when they are freed:
 * by default glibc keeps them for each thread, which --memory does not count.
 * The first megabytes of the main heap, which have the tables of a dump, may be
 * huge pages.
 */
void hp_tune_malloc(uint64_t memory);

/*
 * Return freed memory to the system. By default, malloc() keeps the memory of a
 * thread that has ended for later threads, and there may be none.
 */
void hp_trim_malloc(void);

#endif
