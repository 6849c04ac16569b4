/*
 * java_texts.h - the texts of Strings whose ids are known: names of class
 * loaders, of threads
 *
 * A String names its array, and each may be anywhere in the dump: two passes,
 * for a handful of objects; one, where the arrays are known, too.
 */
#ifndef HP_DIFF_COUNT_JAVA_TEXTS_H
#define HP_DIFF_COUNT_JAVA_TEXTS_H

#include "common/model/java_string.h"
#include "diff/count/histogram.h"

#include <pthread.h>

struct hp_java_texts {
	const struct hp_histogram *g; /* of the dump */
	uint32_t most; /* characters (UTF-16 units) of a text that are shown */
	bool bare;     /* an id may be that of a char[], as of old */
	bool arrays;   /* the arrays of all Strings are wanted besides */
	struct hp_arena *arena; /* of the texts, which outlive this */
	/* May a batch have any of what is wanted? NULL: each may. */
	bool (*may_have)(const void *context, const struct hp_batch *b);
	const void *context;
	/* what follows is zero at first */
	struct hp_java_string_class string;
	struct hp_id_map wanted; /* ids of Strings, then of arrays as well */
	struct hp_id_map texts;	 /* id of a String: its text */
	/* what was met, by id: rarely enough for one lock */
	pthread_mutex_t lock;
	struct hp_id_map met_strings, met_arrays;
	struct hp_arena met;
	uint64_t noted; /* bytes, for the budget */
};

/*
 * The text of the String @id will be asked for, or what is in the array @id.
 * False: out of memory.
 */
HP_MUST_USE bool hp_java_texts_want(struct hp_java_texts *t, uint64_t id);

/**
 * hp_java_texts_read() - read what is wanted; up to two passes, one with
 * @arrays
 * @src: is rewound and read again
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; what hp_scan() returns.
 * Ownership: hp_java_texts_release() in any case.
 */
HP_MUST_USE enum hp_status hp_java_texts_read(struct hp_java_texts *t,
					      struct hp_source *src,
					      struct hp_error *err);
void hp_java_texts_release(struct hp_java_texts *t);

/**
 * hp_java_texts_get() - a text that was wanted, after hp_java_texts_read()
 * @out: its visible form, in the arena, with "..." behind one that is cut;
 *       NULL: it is empty, not in the dump, or was stripped
 *
 * Returns: false: out of memory.
 */
HP_MUST_USE bool hp_java_texts_get(struct hp_java_texts *t, uint64_t id,
				   const char **out);

#endif
