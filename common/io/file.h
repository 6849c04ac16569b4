/*
 * file.h - the lowest layer of an input: the bytes of an open file, pipe or
 * device
 *
 * Private to common/io.
 */
#ifndef HP_IO_FILE_H
#define HP_IO_FILE_H

#include "common/io/layer.h"
#include "common/io/window.h"

#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

struct hp_file {
	struct hp_layer layer; /* must be first: a layer is cast to its file */
	int fd;
	/* an eventfd that ends a wait for a pipe; -1: none */
	int wake;
	bool owned; /* close fd with the file */
	/*
	 * True: size is known and pread() works. False: the input is read as a
	 * stream.
	 */
	bool regular;
	uint64_t device, inode;
	unsigned mode; /* permission bits of a regular file; else 0666 */
	uint64_t base; /* file offset of the first byte of the input */
	/* size in bytes from base on, when opened; 0 if not regular */
	uint64_t size;
	uint64_t pos; /* offset of the next byte to read, from base */
	struct timespec changed; /* modification time when opened */
	off_t end;		 /* size of the whole file when opened */
	atomic_bool stopped;
	_Atomic uint64_t taken; /* highest offset read so far, for progress */
	/* the last window that was mapped; NULL: none */
	struct hp_window *window;
};

/**
 * hp_file_open() - open a path, or standard input for "-"
 *
 * Opening a FIFO waits for a writer. If standard input is a regular file, it is
 * read from its current offset; that offset does not change.
 * Returns: HP_OK; HP_IO if it cannot be opened or is a directory; HP_NOMEM.
 * Ownership: the caller closes the file with the close operation of its layer.
 */
HP_MUST_USE enum hp_status hp_file_open(struct hp_file **out, const char *path,
					struct hp_error *err);

/*
 * Open a file on a descriptor that is open for reading; see hp_file_open(). A
 * regular file is read from offset @base. If @owned, the descriptor is closed
 * with the file, and also if this function fails.
 */
HP_MUST_USE enum hp_status hp_file_open_fd(struct hp_file **out, int fd,
					   uint64_t base, bool owned,
					   struct hp_error *err);

/*
 * Prepare a pipe for reads by other threads: afterwards, hp_layer_ops.stop can
 * end a read that waits for data. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_file_make_stoppable(struct hp_file *f,
						  struct hp_error *err);

/**
 * hp_file_pread() - read bytes at an offset of a regular file, from any thread
 *
 * Returns: HP_OK, with *@got < @n only if the range extends past f->size;
 *          HP_IO, also if the file has become shorter.
 */
HP_MUST_USE enum hp_status hp_file_pread(struct hp_file *f, void *buf, size_t n,
					 uint64_t offset, size_t *got,
					 struct hp_error *err);

/*
 * Implement hp_source_window() and hp_source_window_check() for a regular file.
 */
struct hp_window *hp_file_window(struct hp_file *f, uint64_t n, uint64_t offset,
				 bool guarded);
HP_MUST_USE enum hp_status hp_file_window_check(struct hp_file *f,
						const struct hp_window *w,
						uint64_t n, uint64_t offset,
						struct hp_error *err);

/*
 * Open the same file a second time, from its first byte. Returns HP_IO if it is
 * not a regular file or was changed; else the same as hp_file_open_fd().
 */
HP_MUST_USE enum hp_status hp_file_reopen(struct hp_file **out,
					  const struct hp_file *first,
					  struct hp_error *err);

/*
 * Return to the first byte. Returns HP_OK, or HP_IO if the file is not regular
 * or was changed meanwhile.
 */
HP_MUST_USE enum hp_status hp_file_rewind(struct hp_file *f,
					  struct hp_error *err);

#endif
