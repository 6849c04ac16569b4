/*
 * status.c - failures with a text that explains them
 */
#include "common/base/status.h"

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

enum hp_status
hp_no_memory(struct hp_error *err)
{
	return hp_fail(err, HP_NOMEM, "out of memory");
}

enum hp_status
hp_fail_write(struct hp_error *err, int number)
{
	bool gone = number == EPIPE || number == ECONNRESET;

	return hp_fail(err, gone ? HP_CLOSED : HP_IO, "cannot write: %s",
		       strerror(number ? number : EIO));
}
