/*
 * status.h - how library calls end, and the text that goes with a failure
 *
 * Failures of the library are statuses; problems of a dump are findings
 * (validate/finding.h) and never statuses.
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
 * For the loops over every sub-record: inlined whatever the compiler thinks.
 * For what only fetches, too: GCC leaves out calls of that, as being without
 * effect.
 */
#define HP_HOT static inline __attribute__((always_inline))
/* Such a loop's own function: kept apart, so that it has the registers. */
#define HP_APART __attribute__((noinline))
#define HP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum hp_status {
	HP_OK = 0,
	HP_EOF,	      /* nothing left, exactly at a boundary */
	HP_TRUNCATED, /* the input ends inside what was asked for */
	HP_DAMAGED,   /* the input's bytes contradict its format */
	HP_NOMEM,     /* an allocation failed */
	HP_IO,	      /* the system refused: open, read, write, rename ... */
	HP_LIMIT,     /* --max-size or --memory does not allow it */
	HP_UNSUPPORTED,
	HP_STOPPED, /* a signal or a caller asked to stop */
	HP_CLOSED,  /* whoever read the output has closed it */
};

/* What went wrong, for a person; filled when a status is not HP_OK. */
struct hp_error {
	enum hp_status status;
	char text[480]; /* no path, no trailing newline */
};

/**
 * hp_fail() - note a failure and hand its status on
 * @err:    may be NULL; the first failure noted in it wins
 * @status: what is returned
 *
 * Returns: @status, so that callers write `return hp_fail(...)`.
 */
enum hp_status hp_fail(struct hp_error *err, enum hp_status status,
		       const char *fmt, ...) HP_PRINTF(3, 4);

/* Hand a failure of another's on, if @from is one: its status, or HP_OK. */
enum hp_status hp_fail_as(struct hp_error *err, const struct hp_error *from);
/* Note that an allocation failed. Returns: HP_NOMEM. */
enum hp_status hp_no_memory(struct hp_error *err);

/**
 * hp_fail_write() - note that a write failed
 * @number: its errno; 0: not known
 *
 * A pipe tells with EPIPE that its reader is gone, a socket whose reader left
 * bytes behind with ECONNRESET.
 * Returns: HP_CLOSED for these two; HP_IO.
 */
enum hp_status hp_fail_write(struct hp_error *err, int number);

#endif
