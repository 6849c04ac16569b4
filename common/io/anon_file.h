/*
 * anon_file.h - unnamed temporary files, which the system deletes when their
 * descriptor is closed
 */
#ifndef HP_IO_ANON_FILE_H
#define HP_IO_ANON_FILE_H

#include "common/base/status.h"

/**
 * hp_anon_file_open() - create an empty file for reading and writing
 * @dir: the folder of the file; NULL: $TMPDIR, or /tmp if that is not set
 *
 * Returns: HP_OK; HP_IO.
 * Ownership: the caller closes *@fd.
 */
HP_MUST_USE enum hp_status hp_anon_file_open(int *fd, const char *dir,
					     struct hp_error *err);

/* Write all @n bytes at @offset. Returns HP_OK or HP_IO. */
HP_MUST_USE enum hp_status hp_anon_file_write(int fd, const void *bytes,
					      size_t n, uint64_t offset,
					      struct hp_error *err);

/*
 * Read exactly @n bytes at @offset. Returns HP_OK; HP_IO, also if the file has
 * fewer bytes.
 */
HP_MUST_USE enum hp_status hp_anon_file_read(int fd, void *bytes, size_t n,
					     uint64_t offset,
					     struct hp_error *err);

#endif
