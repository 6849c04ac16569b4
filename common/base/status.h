/*
 * status.h - the results of library calls, and the text of a failure
 *
 * A status says whether a call succeeded. A problem in a dump is not reported
 * as a status but as a finding (validate/finding.h).
 */
#ifndef HP_STATUS_H
#define HP_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_MUST_USE __attribute__((warn_unused_result))
#define HP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define HP_LIKELY(x) __builtin_expect(!!(x), 1)
#define HP_UNLIKELY(x) __builtin_expect(!!(x), 0)
/*
 * Always inline the function. Used for functions that are called for every
 * object of a dump. Also used for functions that only prefetch: GCC assumes
 * that such functions have no effect, and removes calls of them that it did not
 * inline early.
 */
#define HP_HOT static inline __attribute__((always_inline))
/*
 * Never inline the function. Used for a function with a hot loop, so that the
 * loop can use all registers.
 */
#define HP_APART __attribute__((noinline))
#define HP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum hp_status {
	HP_OK = 0,
	HP_EOF, /* the input ends after a complete record or other item */
	/* the input ends inside the requested item (record, sub-record, ...) */
	HP_TRUNCATED,
	HP_DAMAGED, /* the bytes do not follow the format */
	HP_NOMEM,   /* an allocation failed */
	/* a system call failed: open, read, write, rename or another */
	HP_IO,
	HP_LIMIT, /* the limit of --max-size or --memory is exceeded */
	HP_UNSUPPORTED,
	/* a signal ended the call, or another thread asked it to stop */
	HP_STOPPED,
	/* the program that reads the output (through a pipe) has closed it */
	HP_CLOSED,
};

/*
 * The description of a failure, as a text for the user. It is set only if the
 * status is not HP_OK.
 */
struct hp_error {
	enum hp_status status;
	/* the message, without a path and without a line feed at the end */
	char text[480];
};

/**
 * hp_fail() - record a failure and return its status
 * @err:    may be NULL; if it already contains a failure, that failure is kept
 * @status: the status to return
 *
 * Returns: @status, so that callers write `return hp_fail(...)`.
 */
enum hp_status hp_fail(struct hp_error *err, enum hp_status status,
		       const char *fmt, ...) HP_PRINTF(3, 4);

/*
 * Copy the failure in @from to @err, if @from contains one. Returns the status
 * of the failure, or HP_OK if there is none.
 */
enum hp_status hp_fail_as(struct hp_error *err, const struct hp_error *from);
/*
 * Record that an allocation failed. If the limit of --memory refused the
 * allocation (memory.h), returns HP_LIMIT, and the text says how large --memory
 * must be. Otherwise returns HP_NOMEM.
 */
enum hp_status hp_no_memory(struct hp_error *err);

/**
 * hp_fail_write() - record that a write failed
 * @number: the errno of the failed write; 0 if unknown
 *
 * EPIPE means that the reader of a pipe has closed it. ECONNRESET means that
 * the reader of a socket closed it with unread bytes.
 * Returns: HP_CLOSED for these two, otherwise HP_IO.
 */
enum hp_status hp_fail_write(struct hp_error *err, int number);

#endif
