/*
 * internal.h - statuses and options, shared by the files of libhprof
 *
 * Private: none of these functions is exported. The public interface is
 * include/hprof.h.
 */
#ifndef HP_LIB_INTERNAL_H
#define HP_LIB_INTERNAL_H

#include "common/io/source.h"
#include "hprof.h"

/* The options of a call, with all defaults filled in. */
struct hp_lib_options {
	unsigned threads, dump;
	uint64_t memory, max_size;
	enum hp_mapping mapping;
};

/*
 * Reset @error at the beginning of a call: HPROF_OK and an empty text. Does
 * nothing if @error is NULL.
 */
void hp_lib_error_clear(struct hprof_error *error);

/**
 * hp_lib_options_read() - read the caller's options, of any version
 * @given: NULL for the defaults
 *
 * Returns: HPROF_OK; HPROF_ARGUMENT if its size is not set, or if it has flags
 *          that this version does not know.
 */
int hp_lib_options_read(const struct hprof_options *given,
			struct hp_lib_options *out, struct hprof_error *error);

/*
 * Copy the status and text of @err to the caller's @error, which may be NULL.
 * Returns the public status.
 */
int hp_lib_fail(struct hprof_error *error, const struct hp_error *err);

/*
 * Like hp_lib_fail(), for a failure that the library itself detects. Returns
 * @status.
 */
int hp_lib_fail_text(struct hprof_error *error, int status, const char *fmt,
		     ...) HP_PRINTF(3, 4);

/* Convert the options of a call to the options for opening a source. */
struct hp_source_options hp_lib_source_options(const struct hp_lib_options *o);

#endif
