/*
 * file.h - the lowest layer: the bytes of an open file, pipe or device
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
	struct hp_layer layer; /* first: a layer is cast to its file */
	int fd;
	int wake;     /* an eventfd that ends a wait for a pipe; -1: none */
	bool owned;   /* close fd in the end */
	bool regular; /* pread works and size is known: others are streams */
	uint64_t device, inode;
	unsigned mode; /* permission bits; of what is no file 0666 */
	uint64_t base; /* file offset of the first byte of the input */
	uint64_t size; /* bytes from base on, when opened; 0 if not regular */
	uint64_t pos;  /* next byte to read, from base on */
	struct timespec changed; /* modification time when opened */
	off_t end;		 /* the whole file's size when opened */
	atomic_bool stopped;
	_Atomic uint64_t taken;	  /* for progress: furthest byte met */
	struct hp_window *window; /* the last one mapped; NULL: none */
};

/**
 * hp_file_open() - open a path, or standard input for "-"
 *
 * A FIFO is waited for. Standard input that is a regular file is read from
 * its present offset on, without moving that offset.
 * Returns: HP_OK; HP_IO (cannot be opened, is a directory); HP_NOMEM.
 * Ownership: the caller closes it by its layer's close operation.
 */
HP_MUST_USE enum hp_status hp_file_open(struct hp_file **out, const char *path,
					struct hp_error *err);

/*
 * As hp_file_open() for a descriptor that is open for reading, regular files
 * from offset @base on. The descriptor is closed with the file, also on
 * failure, if @owned.
 */
HP_MUST_USE enum hp_status hp_file_open_fd(struct hp_file **out, int fd,
					   uint64_t base, bool owned,
					   struct hp_error *err);

/*
 * Other threads are going to read a pipe: give hp_layer_ops.stop a way to end
 * their wait. HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_file_make_stoppable(struct hp_file *f,
						  struct hp_error *err);

/**
 * hp_file_pread() - bytes at an offset of a regular file, from any thread
 *
 * Returns: HP_OK with *@got == @n, or less where that reaches past f->size;
 *          HP_IO, also when the file has become shorter.
 */
HP_MUST_USE enum hp_status hp_file_pread(struct hp_file *f, void *buf, size_t n,
					 uint64_t offset, size_t *got,
					 struct hp_error *err);

/* As hp_source_window() and hp_source_window_check(), for a regular file. */
struct hp_window *hp_file_window(struct hp_file *f, uint64_t n, uint64_t offset,
				 bool guarded);
HP_MUST_USE enum hp_status hp_file_window_check(struct hp_file *f,
						const struct hp_window *w,
						uint64_t n, uint64_t offset,
						struct hp_error *err);

/* The same file from its first byte; HP_IO if not regular or changed. */
HP_MUST_USE enum hp_status hp_file_reopen(struct hp_file **out,
					  const struct hp_file *first,
					  struct hp_error *err);

/* Back to the first byte. HP_OK; HP_IO if not regular or changed meanwhile. */
HP_MUST_USE enum hp_status hp_file_rewind(struct hp_file *f,
					  struct hp_error *err);

#endif
