/*
 * anon_file.c - temporary files without a name, made with O_TMPFILE. On file
 * systems without O_TMPFILE, the file is created and unlinked at once.
 */
#include "common/io/anon_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
open_in(const char *dir)
{
	char path[4096];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	if ((size_t)snprintf(path, sizeof(path), "%s/hprof-XXXXXX", dir) >=
	    sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

enum hp_status
hp_anon_file_open(int *fd, const char *dir, struct hp_error *err)
{
	if (!dir)
		dir = getenv("TMPDIR");
	if (!dir || !*dir)
		dir = "/tmp";
	*fd = open_in(dir);
	if (*fd >= 0)
		return HP_OK;
	return hp_fail(err, HP_IO, "cannot make a temporary file in %s: %m",
		       dir);
}

enum hp_status
hp_anon_file_write(int fd, const void *bytes, size_t n, uint64_t offset,
		   struct hp_error *err)
{
	const char *p = bytes;

	for (size_t done = 0; done < n;) {
		ssize_t wrote =
			pwrite(fd, p + done, n - done, (off_t)(offset + done));

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return hp_fail(err, HP_IO,
				       "cannot write a temporary file: %m");
		done += (size_t)wrote;
	}
	return HP_OK;
}

enum hp_status
hp_anon_file_read(int fd, void *bytes, size_t n, uint64_t offset,
		  struct hp_error *err)
{
	char *p = bytes;

	for (size_t done = 0; done < n;) {
		ssize_t got =
			pread(fd, p + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return hp_fail(
				err, HP_IO, "cannot read a temporary file: %s",
				got < 0 ? strerror(errno) : "it is too short");
		done += (size_t)got;
	}
	return HP_OK;
}
