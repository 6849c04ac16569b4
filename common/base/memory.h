/*
 * memory.h - the only allocator of the library, and the limit of memory that
 * --memory sets
 *
 * All memory of the library comes from the functions below. They count the
 * bytes in use and compare the sum with the limit that --memory sets, so other
 * code does not count bytes. A request above the limit returns NULL, like a
 * failed malloc(). hp_no_memory() then reports which --memory would be enough.
 *
 * A run is one job with a memory limit of its own, such as one execution of a
 * program. A struct hp_memory counts the bytes of one run. A thread allocates
 * from the struct hp_memory that it has entered with hp_memory_enter(). A new
 * thread enters the struct of the thread that starts it. A program has one run,
 * which its first thread has entered from the start.
 *
 * Whether the limit is exceeded must not depend on which thread is faster. But
 * a part of the input is handled by any worker that is free, so several workers
 * may together need more memory in one run than in the next. The memory that a
 * single worker needs depends only on the input. So if the limit refuses memory
 * to a run with several workers, the program repeats the run with one worker.
 *
 * A worker that keeps its results for later gets a fixed share of the memory,
 * called a child. It is a struct hp_memory whose limit is subtracted from the
 * limit of the run before the worker starts. So the memory that remains for
 * others does not depend on the speed of the worker.
 */
#ifndef HP_BASE_MEMORY_H
#define HP_BASE_MEMORY_H

#include "common/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hp_memory {
	/*
	 * If this struct is a child (a fixed share of the memory of a run): the
	 * struct of the run. NULL: this is the struct of a run.
	 */
	struct hp_memory *parent;
	/*
	 * the input of the run (job), such as the path of a dump, as a text for
	 * messages
	 */
	const char *what;
	uint64_t limit; /* maximum number of bytes in use; 0: no limit */
	/*
	 * The number of bytes of --memory that are reserved for memory that is
	 * not counted here: the program, stacks and mapped files.
	 */
	uint64_t apart;
	/*
	 * `used`: number of bytes in use now; `peak`: the largest number of
	 * bytes that were in use at any time
	 */
	_Atomic uint64_t used, peak;
	/*
	 * Frees memory when the limit refuses a request, see
	 * hp_memory_on_refusal(). NULL: no function does.
	 */
	uint64_t (*free_more)(void *context, uint64_t bytes,
			      struct hp_error *err);
	void *free_more_context;
	/*
	 * why `free_more` could not free enough for the last refused request;
	 * no failure: it has freed all that it could free
	 */
	struct hp_error not_freed;
	/*
	 * How many bytes would be in use if the last refused request had been
	 * allowed. 0: no request was refused.
	 */
	_Atomic uint64_t refused;
};

/* --- allocate --- */

/*
 * These functions do the same as free(), malloc() and so on of C, but they
 * count the bytes and respect the limit.
 */
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
 * Count @n bytes that were not allocated by the functions above, such as mapped
 * pages. If the limit does not allow these bytes, returns false and counts
 * nothing.
 */
bool hp_memory_take(uint64_t n) __attribute__((warn_unused_result));
/*
 * Like hp_memory_take(), for a caller that can use a file instead: the function
 * that frees memory (hp_memory_on_refusal()) is not called, and a refusal is
 * not noted.
 */
bool hp_memory_try_take(uint64_t n) __attribute__((warn_unused_result));
/* Stop counting @n bytes that hp_memory_take() has counted. */
void hp_memory_give_back(uint64_t n);

/* --- limits --------------------------------------------------------------- */

/*
 * Returns the struct hp_memory that the calling thread has entered; never NULL.
 */
struct hp_memory *hp_memory_now(void);

/*
 * Let the calling thread allocate from @m. If @m is NULL, it allocates from the
 * memory of the process. Returns the struct from which the thread allocated
 * before.
 */
struct hp_memory *hp_memory_enter(struct hp_memory *m);

/*
 * Limit the memory of the run (the job of the calling thread) to @memory bytes;
 * 0: no limit. @apart of these bytes are reserved for memory that is not
 * counted here. Also forgets that requests were refused earlier.
 */
void hp_memory_limit(uint64_t memory, uint64_t apart);

/*
 * Returns how many more bytes the calling thread's run may allocate; UINT64_MAX
 * if there is no limit.
 */
uint64_t hp_memory_left(void);

/*
 * Set the function that the calling thread's run calls if the limit refuses a
 * request for memory. The function frees at least @bytes bytes, if it can, for
 * example by moving data to a file, and returns how many it has freed; then the
 * request is tried again. If it fails, it describes the failure in @err, and
 * the message about the refused request includes this description. It may be
 * called in any thread of the run, in one thread at a time, while other threads
 * use the data, and it must not allocate memory. @free_more: NULL: no function
 * is called any more.
 */
void hp_memory_on_refusal(uint64_t (*free_more)(void *context, uint64_t bytes,
						struct hp_error *err),
			  void *context);

/*
 * Whether the limit has refused a request for memory. Sets *@given to the value
 * of --memory, and *@needed to the value that would have allowed the request,
 * both in bytes. Each pointer may be NULL.
 */
bool hp_memory_refused(uint64_t *given, uint64_t *needed);

/*
 * Returns why no memory could be freed for the last refused request. The text
 * is empty if freeing memory did not fail.
 */
struct hp_error hp_memory_not_freed(void);

/*
 * Forget that a request for memory was refused. Called if the run can continue
 * without that memory.
 */
void hp_memory_forget_refusal(void);

/* Returns the value of --memory in bytes; 0: no limit. */
uint64_t hp_memory_given(void);

/*
 * Reserve @limit bytes of the calling thread's memory for @child, which must be
 * zeroed before the call. A thread that enters @child can allocate up to @limit
 * bytes. Returns false if fewer bytes are left.
 */
bool hp_memory_child(struct hp_memory *child, uint64_t limit)
	__attribute__((warn_unused_result));

/*
 * End a child that hp_memory_child() started. Its parent then counts the bytes
 * of the child that are still in use, and can use the rest of the child's limit
 * again.
 */
void hp_memory_join(struct hp_memory *child);

/*
 * If --memory is smaller than this number of bytes, malloc() returns freed
 * memory to the system at once. Otherwise malloc() keeps freed memory, which is
 * not counted and could exceed a small limit.
 */
#define HP_MEMORY_MUCH (UINT64_C(256) << 20)

/* --- malloc() itself ------------------------------------------------------ */

/*
 * Configure malloc(). Call this once, at the start. If --memory is less than
 * HP_MEMORY_MUCH, all freed memory is returned to the system, and no huge pages
 * are used. Otherwise only large blocks are returned when they are freed. By
 * default, glibc would keep freed memory for each thread, and --memory would
 * not count this memory. The first megabytes of the main heap contain the
 * tables of a dump and may be huge pages.
 */
void hp_tune_malloc(uint64_t memory);

/*
 * Return freed memory to the system. When a thread ends, malloc() keeps its
 * memory for later threads. Call this if no later thread will need the memory.
 */
void hp_trim_malloc(void);

#endif
