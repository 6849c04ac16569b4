/*
 * java_texts.h - collect the texts of some Strings by id, as names of threads
 * and class loaders
 *
 * A String refers to its array, and both may be anywhere in the dump. The
 * caller therefore passes over the dump twice: first for the Strings, then for
 * their arrays. One pass suffices if the ids of the arrays are known.
 */
#ifndef HP_MODEL_JAVA_TEXTS_H
#define HP_MODEL_JAVA_TEXTS_H

#include "common/model/java_string.h"

#include <pthread.h>

enum {
	HP_THREAD_NAME = 120 /* maximum length of a thread name in characters */
};

struct hp_java_texts {
	uint32_t most; /* maximum length of a text, in UTF-16 units */
	/*
	 * An id may also be that of a char[], as in old JDKs, where a thread's
	 * name is a char[].
	 */
	bool bare;
	/* Appends a text, escaped for the output. */
	void (*escape)(struct hp_buf *b, const void *text, size_t len);
	struct hp_arena *arena; /* memory of the texts; outlives this struct */
	/* The caller zero-initialises everything below. */
	struct hp_java_string_class string;
	unsigned id_size;
	struct hp_id_map wanted; /* ids of the wanted Strings, later also of
				    their arrays */
	struct hp_id_map texts;	 /* id of a String: its escaped text */
	/*
	 * Strings and arrays that were found, by id. They are few, so one lock
	 * suffices.
	 */
	pthread_mutex_t lock;
	struct hp_id_map met_strings, met_arrays;
	struct hp_arena met;
};

/* Prepare for the dump with the complete classes @c. Release it afterwards. */
void hp_java_texts_init(struct hp_java_texts *t, const struct hp_classes *c,
			const struct hp_tables *tables);
void hp_java_texts_release(struct hp_java_texts *t);

/*
 * Ask for the text of the String @id, or of the array @id. Do not call it
 * during a pass. Returns false if out of memory.
 */
HP_MUST_USE bool hp_java_texts_want(struct hp_java_texts *t, uint64_t id);

/*
 * Offer a complete sub-record during a pass: keep it if it is a wanted String
 * or a wanted array. Thread-safe. Returns false if out of memory.
 */
HP_MUST_USE bool hp_java_texts_string(struct hp_java_texts *t,
				      const struct hp_sub *s);
HP_MUST_USE bool hp_java_texts_array(struct hp_java_texts *t,
				     const struct hp_sub *s);

/*
 * Ask for the arrays of the Strings that the first pass found. Call it between
 * two passes. Returns false if out of memory.
 */
HP_MUST_USE bool hp_java_texts_want_arrays(struct hp_java_texts *t);

/*
 * Bytes allocated, without the texts. During a pass the caller must hold the
 * lock.
 */
uint64_t hp_java_texts_bytes(const struct hp_java_texts *t);

/**
 * hp_java_texts_get() - get a text that was asked for, after the passes
 * @out: the escaped text, in the arena; "..." follows a text that was
 *       shortened. NULL: the text is empty, missing, or was zeroed by redaction
 *
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_java_texts_get(struct hp_java_texts *t, uint64_t id,
				   const char **out);

#endif
