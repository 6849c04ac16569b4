/*
 * internal.h - what the files of libhprof share: statuses and options
 *
 * Private: nothing of it is exported. The public interface is
 * include/hprof.h.
 */
#ifndef HP_LIB_INTERNAL_H
#define HP_LIB_INTERNAL_H

#include "common/io/source.h"
#include "hprof.h"

/* The options of a call with every default filled in. */
struct hp_lib_options {
	unsigned threads, dump;
	uint64_t memory, max_size;
	enum hp_mapping mapping;
};

/* A call begins: nothing is wrong yet, whatever @error says of one before. */
void hp_lib_error_clear(struct hprof_error *error);

/**
 * hp_lib_options_read() - a caller's options, from a structure of any version
 * @given: NULL: the defaults
 *
 * Returns: HPROF_OK; HPROF_ARGUMENT: its size is none, or it has flags that
 *          this version does not know.
 */
int hp_lib_options_read(const struct hprof_options *given,
			struct hp_lib_options *out, struct hprof_error *error);

/* Hand a failure to the caller: @err's status and text. Returns the status. */
int hp_lib_fail(struct hprof_error *error, const struct hp_error *err);

/* The same for a failure that the library itself notices. */
int hp_lib_fail_text(struct hprof_error *error, int status, const char *fmt,
		     ...) HP_PRINTF(3, 4);

/* How a source is to be opened. */
struct hp_source_options hp_lib_source_options(const struct hp_lib_options *o);

#endif
