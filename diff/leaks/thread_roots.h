/*
 * thread_roots.h - the names of threads, and the methods of their stack frames
 *
 * The object graph knows the thread and the frame number of a root. The
 * thread's name and its frames are read in a separate pass over the dump.
 */
#ifndef HP_DIFF_LEAKS_THREAD_ROOTS_H
#define HP_DIFF_LEAKS_THREAD_ROOTS_H

#include "diff/keys/keys.h"
#include "diff/retained.h"

struct hp_thread_name {
	uint64_t object; /* id of the java.lang.Thread object */
	/* id of its name: a String, or a char[] in old Java versions */
	uint64_t string;
	uint32_t trace; /* serial number of its stack trace; 0: none */
	/* the name with control characters escaped; NULL: not known */
	const char *text;
};

struct hp_thread_roots {
	/* key: thread serial; value: struct hp_thread_name * */
	struct hp_id_map threads;
	struct hp_arena arena;
	struct hp_budget *budget;
	uint64_t noted;
};

/**
 * hp_thread_roots_find() - read the names of the threads that are roots
 * @t: zeroed
 * @graph: with its edges
 * @src: rewound and read again
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 * Ownership: call hp_thread_roots_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_thread_roots_find(struct hp_thread_roots *t,
						const struct hp_graph *graph,
						const struct hp_histogram *g,
						struct hp_source *src,
						struct hp_error *err);
void hp_thread_roots_release(struct hp_thread_roots *t);

/*
 * The thread with a thread serial number. Returns NULL if the dump has no
 * object for that thread.
 */
const struct hp_thread_name *hp_thread_name_of(const struct hp_thread_roots *t,
					       uint32_t serial);

/* Append `thread "main"`, or `thread` if its name is not known. */
void hp_thread_words(struct hp_buf *b, const struct hp_thread_name *thread);

/*
 * Append the method of a stack frame, for example "Leak.main", with control
 * characters escaped. Returns false and appends nothing if the method is not
 * known. Running out of memory marks @b as failed.
 */
bool hp_thread_method(struct hp_buf *b, struct hp_keys *keys,
		      const struct hp_thread_name *thread, uint32_t frame);

#endif
