/*
 * output_flush.c - write out a part of a report before messages
 *
 * This is not in output.c, because libhprof contains this code. A library must
 * not contain output.c, which prints to standard output and handles signals.
 */
#include "common/cli/output.h"

#include <errno.h>

enum hp_status
hp_output_flush(FILE *file, struct hp_error *err)
{
	return fflush(file) == 0 ? HP_OK : hp_fail_write(err, errno);
}
