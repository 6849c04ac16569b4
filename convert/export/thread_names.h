/*
 * thread_names.h - what threads are called, by their objects
 *
 * A name is a field of java.lang.Thread, a String, whose characters are in an
 * array: each may be anywhere in the dump. Which threads there are is found
 * together with the prepass; three passes more find the names of those that no
 * START THREAD names, if there are any.
 */
#ifndef HP_CONVERT_EXPORT_THREAD_NAMES_H
#define HP_CONVERT_EXPORT_THREAD_NAMES_H

#include "common/base/vec.h"
#include "common/model/java_texts.h"
#include "convert/pass/class_prepass.h"

struct hp_thread_names {
	const struct hp_prepass *prepass;   /* borrowed */
	uint64_t memory;		    /* that all of it may take */
	unsigned threads;		    /* of the passes */
	pthread_mutex_t lock;		    /* of what follows */
	uint64_t bytes;			    /* that it takes */
	struct hp_vec roots;		    /* ROOT THREAD OBJECTs */
	struct hp_thread_names_dump *dumps; /* as the prepass's */
};

/* @n: zeroed but for prepass, memory and threads. Release it in any case. */
void hp_thread_names_init(struct hp_thread_names *n);
void hp_thread_names_release(struct hp_thread_names *n);

/*
 * The first pass, together with the prepass: needs heads. HP_LIMIT: too many
 * threads for the memory; HP_NOMEM.
 */
struct hp_pass hp_thread_names_note_pass(struct hp_thread_names *n);

/**
 * hp_thread_names_read() - the passes that find the names, if there are any
 * @src: is rewound before each
 *
 * Afterwards n->bytes is what the names take.
 * Returns: HP_OK; HP_LIMIT: they do not fit in the memory; HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_thread_names_read(struct hp_thread_names *n,
						struct hp_source *src,
						struct hp_error *err);

/* The STRING that a START THREAD names it by; 0: none, or an empty one. */
uint64_t hp_thread_names_started(const struct hp_thread_names *n,
				 uint32_t serial);

/*
 * The name of a thread that has none there, by its object, escaped;
 * NULL: it is not known.
 * @place: of the dump in the prepass
 */
const char *hp_thread_names_get(const struct hp_thread_names *n, size_t place,
				uint64_t object);

#endif
