/*
 * output_file.h - the place of an output: a file that appears whole or not at
 * all, a device or pipe, or standard output
 *
 * Private to common/io. Bytes go through unchanged; compression is the
 * sink's.
 */
#ifndef HP_SINK_OUTPUT_FILE_H
#define HP_SINK_OUTPUT_FILE_H

#include "common/base/status.h"
#include "common/sink/publish.h"
#include "common/io/source.h"

#include <stdatomic.h>

struct hp_output_file {
	int fd;	 /* -1: none */
	int dir; /* the folder of the output; -1: direct, or without any */
	unsigned mode;	     /* of a file, less the umask */
	bool owned;	     /* close fd in the end */
	bool direct;	     /* written to where it is: device, pipe, stdout */
	bool force;	     /* replace what is there */
	bool sync;	     /* wait for the disk */
	atomic_bool refused; /* a write failed, on whatever thread */
	int access;	     /* O_WRONLY; O_RDWR: it can be read back */
	int entry;	     /* in the list of temporary names; -1: none */
	char *base;	     /* the output's name within dir */
	char temp[HP_TEMP_NAME]; /* "" while the file has no name */
};

struct hp_output_file_options {
	bool force, sync;
	bool text;	 /* a terminal may have it */
	bool named;	 /* a temporary name even where none is needed */
	bool write_only; /* nobody reads the file back */
	const struct hp_source *input;
};

/* As hp_sink_open(). @t is storage of the caller; aborted on failure. */
HP_MUST_USE enum hp_status
hp_output_file_open(struct hp_output_file *t, const char *path,
		    const struct hp_output_file_options *options,
		    struct hp_error *err);

/* All of the bytes. HP_OK, HP_CLOSED or HP_IO. */
HP_MUST_USE enum hp_status hp_output_file_write(struct hp_output_file *t,
						const void *buf, size_t n,
						struct hp_error *err);

/* Change @n bytes at @at that were written before, of a file. HP_OK; HP_IO. */
HP_MUST_USE enum hp_status hp_output_file_patch(struct hp_output_file *t,
						uint64_t at, const void *buf,
						size_t n, struct hp_error *err);

/* A second descriptor for reading back; HP_UNSUPPORTED for direct targets. */
HP_MUST_USE enum hp_status hp_output_file_dup(struct hp_output_file *t, int *fd,
					      struct hp_error *err);

/* Makes the file visible. HP_OK or HP_IO; @t is released in either case. */
HP_MUST_USE enum hp_status hp_output_file_commit(struct hp_output_file *t,
						 struct hp_error *err);

/* Throws the file away and releases @t. */
void hp_output_file_abort(struct hp_output_file *t);

#endif
