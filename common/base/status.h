/*
 * status.h - the results of library calls, and the text of a failure
 *
 * A status says that a call failed. A problem in a dump is not a status but a
 * finding (validate/finding.h).
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
 * For functions that the loops over all sub-records call: always inline them.
 * Also for functions that do nothing but prefetch: GCC considers them free of
 * effects and removes calls that are not inlined early.
 */
#define HP_HOT static inline __attribute__((always_inline))
/*
 * For a function with a hot loop: not inlined into its caller, so that the loop
 * can use all registers.
 */
#define HP_APART __attribute__((noinline))
#define HP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum hp_status {
	HP_OK = 0,
	HP_EOF, /* the end of the input, at a place where the input may end */
	HP_TRUNCATED, /* the input ends inside the requested item */
	HP_DAMAGED,   /* the bytes are not valid for the format */
	HP_NOMEM,     /* an allocation failed */
	HP_IO,	      /* the system refused: open, read, write, rename ... */
	HP_LIMIT,     /* the limit of --max-size or --memory is exceeded */
	HP_UNSUPPORTED,
	HP_STOPPED, /* a signal or a caller asked to stop */
	HP_CLOSED,  /* the reader of the output has closed it */
};

/* What went wrong, as a text for people. Filled if the status is not HP_OK. */
struct hp_error {
	enum hp_status status;
	/* the message, without a path and without a line feed at the end */
	char text[480];
};

/**
 * hp_fail() - record a failure and return its status
 * @err:    may be NULL; keeps the first failure that is recorded in it
 * @status: the status to return
 *
 * Returns: @status, so that callers write `return hp_fail(...)`.
 */
enum hp_status hp_fail(struct hp_error *err, enum hp_status status,
		       const char *fmt, ...) HP_PRINTF(3, 4);

/*
 * Copy the failure in @from to @err, if there is one. Returns the status of
 * @from, or HP_OK.
 */
enum hp_status hp_fail_as(struct hp_error *err, const struct hp_error *from);
/*
 * Record that an allocation failed. Returns HP_LIMIT, with the --memory that is
 * needed, if the limit of the run refused it (memory.h), otherwise HP_NOMEM.
 */
enum hp_status hp_no_memory(struct hp_error *err);

/**
 * hp_fail_write() - record that a write failed
 * @number: its errno; 0 if unknown
 *
 * EPIPE means that the reader of a pipe has closed it; ECONNRESET, that the
 * reader of a socket closed it with unread bytes.
 * Returns: HP_CLOSED for these two, otherwise HP_IO.
 */
enum hp_status hp_fail_write(struct hp_error *err, int number);

#endif
