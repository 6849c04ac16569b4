/*
 * thread_roots.h - threads by name, and the methods of their stacks' frames
 *
 * Which frame an object is in the graph knows; what the thread is called takes
 * a pass of its own.
 */
#ifndef HP_DIFF_LEAKS_THREAD_ROOTS_H
#define HP_DIFF_LEAKS_THREAD_ROOTS_H

#include "diff/keys/keys.h"
#include "diff/retained.h"

struct hp_thread_name {
	uint64_t object;  /* id of the thread's object */
	uint64_t string;  /* id of its name, a String or, of old, a char[] */
	uint32_t trace;	  /* serial of its stack trace; 0: none */
	const char *text; /* visible form; NULL: not known */
};

struct hp_thread_roots {
	struct hp_id_map threads; /* serial: struct hp_thread_name * */
	struct hp_arena arena;
	struct hp_budget *budget;
	uint64_t noted;
};

/**
 * hp_thread_roots_find() - a pass over the dump that was counted
 * @t:     zeroed
 * @graph: with its edges
 * @src:   is rewound and read again
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; what hp_scan() returns.
 * Ownership: hp_thread_roots_release() in any case.
 */
HP_MUST_USE enum hp_status hp_thread_roots_find(struct hp_thread_roots *t,
						const struct hp_graph *graph,
						const struct hp_histogram *g,
						struct hp_source *src,
						struct hp_error *err);
void hp_thread_roots_release(struct hp_thread_roots *t);

/* By serial; NULL: no such thread has an object in the dump. */
const struct hp_thread_name *hp_thread_name_of(const struct hp_thread_roots *t,
					       uint32_t serial);

/* Append `thread "main"`, or `thread` where its name is not known. */
void hp_thread_words(struct hp_buf *b, const struct hp_thread_name *thread);

/*
 * Append "Leak.main", the method of a frame of the thread's stack, in the
 * visible form. False: nothing is known of it; an append may have failed.
 */
bool hp_thread_method(struct hp_buf *b, struct hp_keys *keys,
		      const struct hp_thread_name *thread, uint32_t frame);

#endif
