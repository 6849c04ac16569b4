/*
 * output_file.c - write an output to a new file next to its final path, and
 * rename the file when it is complete
 *
 * If the system supports it, the new file has no name, so that nothing remains
 * even after kill -9. Otherwise it has an unpredictable name. sink.c buffers
 * and compresses the bytes.
 */
#include "common/sink/internal.h"
#include "common/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE_OWN 0600 /* permission bits that a new file has at least */
/* maximum permission bits of a new file, before the umask */
#define MODE_MOST 0666
/* maximum number of attempts to find an unused temporary name */
#define TRIES 16

static enum hp_status
fail_exists(struct hp_error *err)
{
	return hp_fail(err, HP_IO, "exists; --force replaces it");
}

static bool
is_input(const struct hp_source *input, const struct stat *sb)
{
	uint64_t device, inode;

	return input && S_ISREG(sb->st_mode) &&
	       hp_source_identity(input, &device, &inode) &&
	       device == (uint64_t)sb->st_dev && inode == (uint64_t)sb->st_ino;
}

static enum hp_status
fail_is_input(struct hp_error *err)
{
	return hp_fail(err, HP_IO, "is the input; choose another output");
}

/*
 * Use an open descriptor as the output. Fails if it is the input, or if it is a
 * terminal and the output is binary.
 */
static enum hp_status
adopt_descriptor(struct hp_output_file *t, int fd, bool owned,
		 const struct hp_output_file_options *o, struct hp_error *err)
{
	struct stat sb;

	t->fd = fd;
	t->owned = owned;
	t->direct = true;
	if (fstat(fd, &sb) < 0)
		return hp_fail(err, HP_IO, "cannot write: %m");
	if (is_input(o->input, &sb))
		return fail_is_input(err);
	if (!o->text && isatty(fd))
		return hp_fail(err, HP_IO,
			       "the program does not write binary output to a "
			       "terminal");
	return HP_OK;
}

static enum hp_status
open_direct(struct hp_output_file *t, const char *path, int flags,
	    const struct hp_output_file_options *o, struct hp_error *err)
{
	int fd;

	do {
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return hp_fail(err, HP_IO, "cannot open: %m");
	return adopt_descriptor(t, fd, true, o, err);
}

/*
 * If @path stands for a descriptor of this process, such as "/dev/fd/N",
 * returns the number of the descriptor; otherwise -1.
 */
static int
fd_of_path(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < HP_ARRAY_LEN(folders); i++) {
		size_t n = strlen(folders[i]);
		const char *digits = path + n;

		if (strncmp(path, folders[i], n) == 0 && *digits &&
		    strlen(digits) < 7 &&
		    strspn(digits, "0123456789") == strlen(digits))
			return atoi(digits);
	}
	return -1;
}

/*
 * Find out what exists at the path of the output. If there is a pipe or device,
 * opens it and sets t->direct, so that the output is written to it directly.
 * Otherwise the caller has to create a file. Returns HP_OK or HP_IO.
 */
static enum hp_status
inspect_path(struct hp_output_file *t, const char *path,
	     const struct hp_output_file_options *o, struct hp_error *err)
{
	struct stat sb, to;

	if (lstat(path, &sb) < 0)
		return errno == ENOENT
			       ? HP_OK
			       : hp_fail(err, HP_IO, "cannot create: %m");
	if (S_ISDIR(sb.st_mode))
		return hp_fail(err, HP_IO, "is a directory");
	if (S_ISLNK(sb.st_mode) && hp_publish_is_system(path))
		return open_direct(t, path, 0, o, err);
	if (S_ISBLK(sb.st_mode) && !o->force)
		return fail_exists(err);
	if (!S_ISREG(sb.st_mode) && !S_ISLNK(sb.st_mode))
		return open_direct(t, path, O_NOFOLLOW, o, err);
	if (stat(path, &to) == 0 && is_input(o->input, &to))
		return fail_is_input(err);
	return o->force ? HP_OK : fail_exists(err);
}

static enum hp_status
open_folder(struct hp_output_file *t, const char *path, struct hp_error *err)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;

	if (path[folder] == '\0')
		return hp_fail(err, HP_IO,
			       *path ? "ends with a slash; add a file name"
				     : "has no name");
	return hp_publish_split(path, folder, strlen(path), &t->dir, &t->base,
				err);
}

static void
remove_temp_name(struct hp_output_file *t, bool remove)
{
	if (t->entry >= 0 && hp_temp_list_remove(t->entry) && remove)
		unlinkat(t->dir, t->temp, 0);
	t->entry = -1;
	t->temp[0] = '\0';
}

static enum hp_status
create_named(struct hp_output_file *t, struct hp_error *err)
{
	enum hp_status st;
	bool refused;

	for (int i = 0; i < TRIES; i++) {
		st = hp_publish_name(t->dir, false, t->temp, &t->entry, err);
		if (st != HP_OK)
			return st;
		t->fd = openat(t->dir, t->temp,
			       t->access | O_CREAT | O_EXCL | O_NOFOLLOW |
				       O_CLOEXEC,
			       t->mode);
		if (t->fd >= 0)
			return HP_OK;
		refused = errno != EEXIST && errno != EINTR;
		if (refused)
			hp_fail(err, HP_IO, "cannot create: %m");
		remove_temp_name(t, false);
		if (refused)
			return HP_IO;
	}
	return hp_fail(err, HP_IO, "cannot create a temporary file");
}

enum hp_status
hp_output_file_open(struct hp_output_file *t, const char *path,
		    const struct hp_output_file_options *options,
		    struct hp_error *err)
{
	int fd = path ? fd_of_path(path) : -1;
	enum hp_status st;

	*t = (struct hp_output_file){.fd = -1,
				     .dir = -1,
				     .entry = -1,
				     .mode = MODE_MOST,
				     .access = options->write_only ? O_WRONLY
								   : O_RDWR,
				     .force = options->force,
				     .sync = options->sync};
	/* the output must not be readable by more users than the input */
	if (options->input)
		t->mode &= MODE_OWN | hp_source_mode(options->input);
	if (!path || strcmp(path, "-") == 0) {
		st = adopt_descriptor(t, STDOUT_FILENO, false, options, err);
	} else if (fd >= 0) {
		st = adopt_descriptor(t, fd, false, options, err);
	} else {
		st = inspect_path(t, path, options, err);
		if (st == HP_OK && !t->direct)
			st = open_folder(t, path, err);
		if (st == HP_OK && !t->direct && !options->named)
			t->fd = hp_publish_unnamed(t->dir, t->access, t->mode);
		if (st == HP_OK && !t->direct && t->fd < 0)
			st = create_named(t, err);
		if (st == HP_OK && !t->direct)
			t->owned = true;
	}
	if (st != HP_OK)
		hp_output_file_abort(t);
	return st;
}

/*
 * Return a failure because the last system call could not write; errno has the
 * reason.
 */
static enum hp_status
write_failed(struct hp_output_file *t, struct hp_error *err)
{
	/*
	 * EFAULT means that a page of a mapped input could not be read. Then
	 * the failure is not caused by the output.
	 */
	t->refused = errno != EFAULT;
	if (t->dir < 0 && !t->direct)
		return hp_fail(err, HP_IO, "cannot write a temporary file: %m");
	return hp_fail_write(err, errno);
}

enum hp_status
hp_output_file_write(struct hp_output_file *t, const void *buf, size_t n,
		     struct hp_error *err)
{
	const uint8_t *p = buf;

	while (n > 0) {
		ssize_t r = write(t->fd, p, n < HP_IO_STEP ? n : HP_IO_STEP);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return write_failed(t, err);
		p += r;
		n -= (size_t)r;
	}
	return HP_OK;
}

enum hp_status
hp_output_file_patch(struct hp_output_file *t, uint64_t at, const void *buf,
		     size_t n, struct hp_error *err)
{
	const uint8_t *p = buf;

	while (n > 0) {
		ssize_t r = pwrite(t->fd, p, n, (off_t)at);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return write_failed(t, err);
		p += r;
		at += (uint64_t)r;
		n -= (size_t)r;
	}
	return HP_OK;
}

enum hp_status
hp_output_file_dup(struct hp_output_file *t, int *fd, struct hp_error *err)
{
	*fd = -1;
	if (t->direct || t->access == O_WRONLY)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the output cannot be read back");
	*fd = fcntl(t->fd, F_DUPFD_CLOEXEC, 0);
	if (*fd < 0)
		return hp_fail(err, HP_IO, "cannot read back: %m");
	return HP_OK;
}

static void
release_file(struct hp_output_file *t)
{
	if (t->fd >= 0 && t->owned)
		close(t->fd);
	if (t->dir >= 0)
		close(t->dir);
	hp_free(t->base);
	t->fd = t->dir = -1;
	t->base = NULL;
}

void
hp_output_file_abort(struct hp_output_file *t)
{
	remove_temp_name(t, true);
	release_file(t);
}

/*
 * Give the file the name @name in its folder. This name must not exist yet.
 * Returns 0; -1 with errno set.
 */
static int
link_as(struct hp_output_file *t, const char *name)
{
	if (t->temp[0])
		return linkat(t->dir, t->temp, t->dir, name, 0);
	return hp_publish_link(t->fd, t->dir, name);
}

/*
 * Rename the temporary file to the name of the output, which must not exist.
 * Used on file systems without hard links. If the system has no rename() that
 * refuses to replace a file, first reserve the name by creating an empty file.
 * Returns 0; -1 with errno set.
 */
static int
rename_new(struct hp_output_file *t)
{
	int fd;

	if (hp_publish_rename(t->dir, t->temp, t->base) == 0)
		return 0;
	if (errno == EEXIST)
		return -1;
	fd = openat(t->dir, t->base, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    t->mode);
	if (fd < 0)
		return -1;
	close(fd);
	if (renameat(t->dir, t->temp, t->dir, t->base) == 0)
		return 0;
	fd = errno;
	unlinkat(t->dir, t->base, 0);
	errno = fd;
	return -1;
}

/*
 * Give the complete file its final name. Fails if a file with this name exists.
 */
static enum hp_status
publish_new(struct hp_output_file *t, struct hp_error *err)
{
	if (link_as(t, t->base) == 0) {
		remove_temp_name(t, true);
		return HP_OK;
	}
	if (errno == EEXIST)
		return fail_exists(err);
	if (t->temp[0] && rename_new(t) == 0) {
		remove_temp_name(t, false);
		return HP_OK;
	}
	if (errno == EEXIST)
		return fail_exists(err);
	return hp_fail(err, HP_IO, "cannot create: %m");
}

/*
 * Give the complete file its final name, and replace an existing file with this
 * name.
 */
static enum hp_status
publish_replacing(struct hp_output_file *t, struct hp_error *err)
{
	enum hp_status st;

	if (!t->temp[0]) {
		st = hp_publish_name(t->dir, false, t->temp, &t->entry, err);
		if (st != HP_OK)
			return st;
		if (hp_publish_link(t->fd, t->dir, t->temp) < 0)
			return hp_fail(err, HP_IO, "cannot create: %m");
	}
	if (renameat(t->dir, t->temp, t->dir, t->base) < 0)
		return hp_fail(err, HP_IO, "cannot replace: %m");
	remove_temp_name(t, false);
	return HP_OK;
}

enum hp_status
hp_output_file_commit(struct hp_output_file *t, struct hp_error *err)
{
	enum hp_status st = hp_publish_finish(t->fd, t->sync, err);

	if (st == HP_OK && !t->direct)
		st = t->force ? publish_replacing(t, err) : publish_new(t, err);
	if (st == HP_OK && t->sync && !t->direct)
		st = hp_publish_sync(t->dir, err);
	hp_output_file_abort(t);
	return st;
}
