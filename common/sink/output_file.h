/*
 * output_file.h - the destination of an output: a file that appears complete or
 * not at all, a device or pipe, or standard output
 *
 * Private to common/sink. Writes the bytes unchanged; sink.h compresses them.
 */
#ifndef HP_SINK_OUTPUT_FILE_H
#define HP_SINK_OUTPUT_FILE_H

#include "common/base/status.h"
#include "common/sink/publish.h"
#include "common/io/source.h"

#include <stdatomic.h>

struct hp_output_file {
	int fd; /* -1: none */
	/*
	 * descriptor of the folder of the output; -1: a direct output, or an
	 * unnamed temporary file
	 */
	int dir;
	/* permission bits of a new file, before the umask */
	unsigned mode;
	bool owned; /* close fd with the file */
	/* write directly to an existing device, pipe or standard output */
	bool direct;
	bool force;	     /* replace an existing file */
	bool sync;	     /* wait for the disk */
	atomic_bool refused; /* a write failed, on any thread */
	/* open mode of a new file: O_WRONLY; O_RDWR if it can be read back */
	int access;
	/* index in the list of temporary names; -1: none */
	int entry;
	char *base; /* the name of the output inside dir */
	/* temporary name; "" while the file has no name */
	char temp[HP_TEMP_NAME];
};

struct hp_output_file_options {
	bool force, sync;
	bool text; /* the output may go to a terminal */
	/* use a temporary name even if an unnamed file is possible */
	bool named;
	bool write_only; /* the file is never read back */
	const struct hp_source *input;
};

/*
 * Open an output, see hp_sink_open(). The caller owns the memory of @t. After a
 * failure @t is already released.
 */
HP_MUST_USE enum hp_status
hp_output_file_open(struct hp_output_file *t, const char *path,
		    const struct hp_output_file_options *options,
		    struct hp_error *err);

/* Write all @n bytes. Returns HP_OK, HP_CLOSED or HP_IO. */
HP_MUST_USE enum hp_status hp_output_file_write(struct hp_output_file *t,
						const void *buf, size_t n,
						struct hp_error *err);

/*
 * Overwrite @n bytes at offset @at, which were written before. The output must
 * be a file. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_output_file_patch(struct hp_output_file *t,
						uint64_t at, const void *buf,
						size_t n, struct hp_error *err);

/*
 * Duplicate the descriptor, to read the file back. Returns HP_OK; HP_IO;
 * HP_UNSUPPORTED for a direct or write-only output.
 */
HP_MUST_USE enum hp_status hp_output_file_dup(struct hp_output_file *t, int *fd,
					      struct hp_error *err);

/*
 * Make the file visible. Returns HP_OK or HP_IO, and releases @t in both cases.
 */
HP_MUST_USE enum hp_status hp_output_file_commit(struct hp_output_file *t,
						 struct hp_error *err);

/* Delete the file and release @t. */
void hp_output_file_abort(struct hp_output_file *t);

#endif
