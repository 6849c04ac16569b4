/*
 * thread_names.h - find the names of threads through their objects
 *
 * The name of a thread is a String in a field of java.lang.Thread, and its
 * characters are in an array. Each of these objects may be anywhere in the
 * dump. The prepass finds the threads. Three more passes find the names of
 * threads that have none in a START THREAD record, if there are any.
 */
#ifndef HP_CONVERT_EXPORT_THREAD_NAMES_H
#define HP_CONVERT_EXPORT_THREAD_NAMES_H

#include "common/base/vec.h"
#include "common/model/java_texts.h"
#include "convert/pass/class_prepass.h"

struct hp_thread_names {
	/* finished before hp_thread_names_read(); borrowed */
	const struct hp_prepass *prepass;
	uint64_t memory; /* limit for the memory, in bytes */
	/* number of worker threads of the passes */
	unsigned threads;
	pthread_mutex_t lock; /* protects the following members */
	uint64_t bytes;	      /* memory in use, in bytes */
	/* list of the ROOT THREAD OBJECT sub-records */
	struct hp_vec roots;
	/* threads of the dumps, one for each entry of prepass->dumps */
	struct hp_thread_names_dump *dumps;
};

/*
 * Initialise @n, which is zeroed except prepass, memory and threads. Release it
 * in any case.
 */
void hp_thread_names_init(struct hp_thread_names *n);
void hp_thread_names_release(struct hp_thread_names *n);

/*
 * Returns the first pass, to run together with the prepass. Needs heads. Fails
 * with HP_LIMIT if there are too many threads for the memory, or HP_NOMEM.
 */
struct hp_pass hp_thread_names_note_pass(struct hp_thread_names *n);

/**
 * hp_thread_names_read() - run the passes that find the names, if needed
 * @src: is rewound before each pass
 *
 * On return, n->bytes is the memory that the names use.
 * Returns: HP_OK; HP_LIMIT: the names do not fit in memory; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_thread_names_read(struct hp_thread_names *n,
						struct hp_source *src,
						struct hp_error *err);

/*
 * Returns the string id of the name that a START THREAD record gives to a
 * thread; 0 if there is none, or it is empty.
 */
uint64_t hp_thread_names_started(const struct hp_thread_names *n,
				 uint32_t serial);

/*
 * Returns the escaped name of a thread, found through its object; NULL if it is
 * not known. @place: index of the dump in prepass->dumps.
 */
const char *hp_thread_names_get(const struct hp_thread_names *n, size_t place,
				uint64_t object);

#endif
