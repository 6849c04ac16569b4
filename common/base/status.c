/*
 * status.c - failures with a text that explains them
 */
#include "common/base/status.h"
#include "common/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum hp_status
hp_fail(struct hp_error *err, enum hp_status status, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->status != HP_OK)
		return status;
	err->status = status;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return status;
}

enum hp_status
hp_fail_as(struct hp_error *err, const struct hp_error *from)
{
	return from->status == HP_OK
		       ? HP_OK
		       : hp_fail(err, from->status, "%s", from->text);
}

/*
 * A number of bytes in the form in which a message shows it: in MB, or in KB if
 * the number is less than 1 MB.
 */
struct megabytes {
	unsigned long long n;
	const char *unit;
};

static struct megabytes
megabytes(uint64_t bytes, bool round_up)
{
	unsigned shift = bytes < 1 << 20 ? 10 : 20;
	uint64_t more = round_up ? (UINT64_C(1) << shift) - 1 : 0;

	return (struct megabytes){(bytes + more) >> shift,
				  shift == 10 ? "KB" : "MB"};
}

/*
 * Returns a value for --memory that is worth a try after the value @given was
 * too small. At @needed bytes the program would have got on, but only to its
 * next request for memory. How much all requests need is not known before the
 * input is read. So this is at least twice the value of before: then a few
 * tries are enough for any input.
 */
static uint64_t
worth_a_try(uint64_t given, uint64_t needed)
{
	uint64_t twice = given > UINT64_MAX / 2 ? UINT64_MAX : 2 * given;

	needed = needed > UINT64_MAX - needed / 4 ? UINT64_MAX
						  : needed + needed / 4;
	return twice > needed ? twice : needed;
}

enum hp_status
hp_no_memory(struct hp_error *err)
{
	const char *what = hp_memory_now()->what;
	uint64_t given, needed;
	struct megabytes limit, more;
	struct hp_error not_freed;

	if (!hp_memory_refused(&given, &needed))
		return hp_fail(err, HP_NOMEM, "out of memory");
	limit = megabytes(given, false);
	more = megabytes(worth_a_try(given, needed), true);
	not_freed = hp_memory_not_freed();
	return hp_fail(
		err, HP_LIMIT,
		"%s does not fit in --memory=%llu%s%s%.200s; allow more, "
		"for example --memory=%llu%s",
		what ? what : "what the input needs", limit.n, limit.unit,
		not_freed.text[0] ? "; " : "", not_freed.text, more.n,
		more.unit);
}

enum hp_status
hp_fail_write(struct hp_error *err, int number)
{
	bool gone = number == EPIPE || number == ECONNRESET;

	return hp_fail(err, gone ? HP_CLOSED : HP_IO, "cannot write: %s",
		       strerror(number ? number : EIO));
}
