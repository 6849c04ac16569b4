/*
 * anon_file.h - anonymous temporary files: gone with their descriptor
 */
#ifndef HP_IO_ANON_FILE_H
#define HP_IO_ANON_FILE_H

#include "common/base/status.h"

/**
 * hp_anon_file_open() - an empty file, open for reading and writing
 * @dir: its folder; NULL: $TMPDIR, or /tmp
 *
 * Returns: HP_OK; HP_IO.
 * Ownership: the caller closes *@fd.
 */
HP_MUST_USE enum hp_status hp_anon_file_open(int *fd, const char *dir,
					     struct hp_error *err);

/* All of @n bytes to @fd, at @offset. HP_OK; HP_IO. */
HP_MUST_USE enum hp_status hp_anon_file_write(int fd, const void *bytes,
					      size_t n, uint64_t offset,
					      struct hp_error *err);

/* @n bytes from @offset on, which were written. HP_OK; HP_IO. */
HP_MUST_USE enum hp_status hp_anon_file_read(int fd, void *bytes, size_t n,
					     uint64_t offset,
					     struct hp_error *err);

#endif
