/*
 * output.c - a FILE that writes to standard output or into a sink
 *
 * Standard output is used directly, so that a report appears line by line on a
 * terminal. For a file, a custom stream writes into a sink. The sink handles
 * buffering, atomic replacement and special files.
 */
#include "common/cli/output.h"

#include "common/cli/message.h"
#include "common/cli/resources.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_dash(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

bool
hp_output_is_input(const char *path, const char *input)
{
	struct stat out, in;
	bool is_file;

	if ((is_dash(path) ? fstat(STDOUT_FILENO, &out) : stat(path, &out)) !=
		    0 ||
	    (is_dash(input) ? fstat(STDIN_FILENO, &in) : stat(input, &in)) != 0)
		return false;
	is_file = S_ISREG(out.st_mode) || S_ISBLK(out.st_mode);
	return is_file && out.st_dev == in.st_dev && out.st_ino == in.st_ino;
}

static ssize_t
write_cookie(void *cookie, const char *bytes, size_t n)
{
	struct hp_output *o = cookie;

	if (o->err.status == HP_OK &&
	    hp_sink_write(o->sink, bytes, n, &o->err) == HP_OK)
		return (ssize_t)n;
	errno = o->err.status == HP_CLOSED ? EPIPE : EIO;
	return 0;
}

#if defined(__linux__)
static FILE *
open_stream(struct hp_output *o)
{
	cookie_io_functions_t io = {.write = write_cookie};

	return fopencookie(o, "w", io);
}
#else
static int
write_cookie_int(void *cookie, const char *bytes, int n)
{
	ssize_t done = write_cookie(cookie, bytes, (size_t)n);

	return done > 0 ? (int)done : -1;
}

static FILE *
open_stream(struct hp_output *o)
{
	return funopen(o, NULL, write_cookie_int, NULL, NULL);
}
#endif

enum hp_status
hp_output_open(struct hp_output *o, const struct hp_output_options *options,
	       struct hp_error *err)
{
	struct hp_sink_options sink_options = {.force = options->force,
					       .sync = options->sync,
					       .text = true,
					       .write_only = true};

	*o = (struct hp_output){0};
	for (size_t i = 0; i < options->input_count; i++) {
		if (hp_output_is_input(options->path, options->inputs[i]))
			return hp_fail(err, HP_IO,
				       "is an input; choose another output");
	}
	if (is_dash(options->path)) {
		o->file = stdout;
		return HP_OK;
	}
	enum hp_status status =
		hp_sink_open(&o->sink, options->path, &sink_options, err);
	if (status != HP_OK)
		return status;
	o->file = open_stream(o);
	if (o->file)
		return HP_OK;
	hp_output_abort(o);
	return hp_no_memory(err);
}

static enum hp_status
close_stdout(struct hp_error *err)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) != 0 || failed)
		return hp_fail_write(err, errno);
	return HP_OK;
}

enum hp_status
hp_output_close(struct hp_output *o, struct hp_error *err)
{
	if (!o->sink) {
		o->file = NULL;
		return close_stdout(err);
	}
	bool failed = ferror(o->file);
	failed = fclose(o->file) != 0 || failed;
	o->file = NULL;
	if (failed)
		hp_fail(&o->err, HP_IO, "cannot write");
	enum hp_status status = hp_fail_as(err, &o->err);
	if (status == HP_OK)
		status = hp_sink_commit(o->sink, err);
	else
		hp_sink_abort(o->sink);
	o->sink = NULL;
	return status;
}

void
hp_output_abort(struct hp_output *o)
{
	/*
	 * fclose() would write the bytes in the buffer of the FILE to the sink.
	 * The error in o->err prevents this, because it makes write_cookie()
	 * fail.
	 */
	hp_fail(&o->err, HP_STOPPED, "given up");
	if (o->sink && o->file)
		fclose(o->file);
	hp_sink_abort(o->sink);
	*o = (struct hp_output){0};
}

int
hp_output_end(struct hp_output *o, enum hp_status st, int status,
	      const struct hp_messages *m, const char *path,
	      struct hp_error *err)
{
	if (st == HP_OK) {
		st = hp_output_close(o, err);
	} else {
		/*
		 * Report the failure in o->err: the FILE itself only knows that
		 * a write failed.
		 */
		if (o->err.status != HP_OK)
			*err = o->err;
		hp_output_abort(o);
	}
	if (st == HP_OK)
		return status;
	hp_signals_end_closed(err);
	hp_message_failure(m, path, err);
	return HP_EXIT_TROUBLE;
}
