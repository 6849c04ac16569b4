/*
 * java_texts.h - the texts of Strings whose ids are known: names of class
 * loaders, of threads
 *
 * A String names its array, and each may be anywhere in the dump: two passes,
 * for a handful of objects; one, where the arrays are known, too. Passes are
 * the caller's.
 */
#ifndef HP_MODEL_JAVA_TEXTS_H
#define HP_MODEL_JAVA_TEXTS_H

#include "common/model/java_string.h"

#include <pthread.h>

enum { HP_THREAD_NAME = 120 /* characters of a thread's name are shown */ };

struct hp_java_texts {
	uint32_t most; /* characters (UTF-16 units) of a text that are shown */
	bool bare;     /* an id may be that of a char[], as of old */
	/* appends a text as it is to be shown */
	void (*escape)(struct hp_buf *b, const void *text, size_t len);
	struct hp_arena *arena; /* of the texts, which outlive this */
	/* what follows is zero at first */
	struct hp_java_string_class string;
	unsigned id_size;
	struct hp_id_map wanted; /* ids of Strings, then of arrays as well */
	struct hp_id_map texts;	 /* id of a String: its text */
	/* what was met, by id: rarely enough for one lock */
	pthread_mutex_t lock;
	struct hp_id_map met_strings, met_arrays;
	struct hp_arena met;
};

/* Of the dump with the classes @c, which are complete. Release it. */
void hp_java_texts_init(struct hp_java_texts *t, const struct hp_classes *c,
			const struct hp_tables *tables);
void hp_java_texts_release(struct hp_java_texts *t);

/*
 * The text of the String @id will be asked for, or what is in the array @id.
 * Not during a pass. False: out of memory.
 */
HP_MUST_USE bool hp_java_texts_want(struct hp_java_texts *t, uint64_t id);

/*
 * In a pass, by any thread: a sub-record, which is here whole, may be a String,
 * or an array, that is wanted. False: out of memory.
 */
HP_MUST_USE bool hp_java_texts_string(struct hp_java_texts *t,
				      const struct hp_sub *s);
HP_MUST_USE bool hp_java_texts_array(struct hp_java_texts *t,
				     const struct hp_sub *s);

/*
 * Between two passes: the arrays that the Strings name are wanted, too. False:
 * out of memory.
 */
HP_MUST_USE bool hp_java_texts_want_arrays(struct hp_java_texts *t);

/* Bytes that all of it takes, but for the texts; in a pass under the lock. */
uint64_t hp_java_texts_bytes(const struct hp_java_texts *t);

/**
 * hp_java_texts_get() - a text that was wanted, after the passes
 * @out: escaped, in the arena, with "..." behind one that is cut;
 *       NULL: it is empty, not in the dump, or was stripped
 *
 * Returns: false: out of memory.
 */
HP_MUST_USE bool hp_java_texts_get(struct hp_java_texts *t, uint64_t id,
				   const char **out);

#endif
