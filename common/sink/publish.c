/*
 * publish.c - common functions for output files and output folders, which
 * appear under their names only when they are complete
 */
#include "common/sink/publish.h"

#include "common/base/memory.h"
#include "common/sink/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FD_PATH = 32 }; /* room for the text "/proc/self/fd/N" */

enum hp_status
hp_publish_split(const char *path, size_t slash, size_t end, int *parent,
		 char **base, struct hp_error *err)
{
	char *folder = slash ? hp_strndup(path, slash) : hp_strdup(".");

	*parent = -1;
	*base = hp_strndup(path + slash, end - slash);
	if (*base && folder) {
		*parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		/*
		 * The folder may be writable but not readable. So open it again
		 * without the right to read.
		 */
		if (*parent < 0 && errno == EACCES)
			*parent =
				open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (*parent < 0)
			hp_fail(err, HP_IO, "cannot create: %m");
	}
	hp_free(folder);
	if (!*base || !folder)
		return hp_no_memory(err);
	return *parent < 0 ? HP_IO : HP_OK;
}

enum hp_status
hp_publish_name(int parent, bool folder, char *temp, int *entry,
		struct hp_error *err)
{
	uint64_t bits;

	temp[0] = '\0';
	*entry = -1;
	if (getrandom(&bits, sizeof(bits), 0) != (ssize_t)sizeof(bits))
		return hp_fail(err, HP_IO,
			       "cannot get random bytes for a file name: %m");
	snprintf(temp, HP_TEMP_NAME, ".hprof-%016" PRIx64 ".tmp", bits);
	*entry = hp_temp_list_add(parent, temp, folder);
	if (*entry < 0) {
		temp[0] = '\0';
		return hp_fail(err, HP_LIMIT, "too many outputs at once");
	}
	return HP_OK;
}

/*
 * Write "/proc/self/fd/N" to @buf, with N = @fd. With this path, linkat() can
 * give an unnamed file a name.
 */
static void
fd_path(char *buf, int fd)
{
	snprintf(buf, FD_PATH, "/proc/self/fd/%d", fd);
}

int
hp_publish_unnamed(int dir, int access, unsigned mode)
{
	char path[FD_PATH];
	struct stat sb;
	int fd = openat(dir, ".", O_TMPFILE | access | O_CLOEXEC, mode);

	if (fd < 0)
		return -1;
	fd_path(path, fd);
	if (stat(path, &sb) == 0)
		return fd;
	/*
	 * /proc is not available, so this unnamed file could never get a name
	 */
	close(fd);
	return -1;
}

int
hp_publish_link(int fd, int dir, const char *name)
{
	char path[FD_PATH];

	fd_path(path, fd);
	return linkat(AT_FDCWD, path, dir, name, AT_SYMLINK_FOLLOW);
}

int
hp_publish_rename(int dir, const char *from, const char *to)
{
	return (int)syscall(SYS_renameat2, dir, from, dir, to,
			    RENAME_NOREPLACE);
}

enum hp_status
hp_publish_finish(int fd, bool sync, struct hp_error *err)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (copy >= 0 && close(copy) < 0 && errno != EINTR)
		return hp_fail(err, HP_IO, "cannot write: %m");
	/*
	 * For devices and pipes, fsync() fails with EINVAL. This is not an
	 * error.
	 */
	if (sync && fsync(fd) < 0 && errno != EINVAL && errno != EROFS)
		return hp_fail(err, HP_IO, "cannot write to the disk: %m");
	return HP_OK;
}

enum hp_status
hp_publish_sync(int parent, struct hp_error *err)
{
	if (fsync(parent) == 0 || errno == EINVAL)
		return HP_OK;
	/*
	 * EBADF: the folder was opened with O_PATH, because it is not readable,
	 * and cannot be synced.
	 */
	return hp_fail(err, HP_IO,
		       "the output was written, but the system could not write "
		       "its folder to the disk: %s",
		       strerror(errno == EBADF ? EACCES : errno));
}
