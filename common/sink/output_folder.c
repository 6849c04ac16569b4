/*
 * output_folder.c - an output folder that appears when it is complete, or not
 * at all
 */
#include "common/sink/publish.h"

#include "common/base/memory.h"
#include "common/io/anon_file.h"
#include "common/sink/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE_OWN = 0600, MODE_MOST = 0666 };

/*
 * Open the parent folder of @path and copy the last part of the path. Slashes
 * at the end are ignored: "a/b/" is the same as "a/b".
 */
static enum hp_status
split_path(struct hp_output_folder *f, const char *path, struct hp_error *err)
{
	size_t n = strlen(path), slash;

	while (n > 1 && path[n - 1] == '/')
		n--;
	for (slash = n; slash > 0 && path[slash - 1] != '/';)
		slash--;
	if (n == slash)
		return hp_fail(err, HP_IO, n ? "exists" : "has no name");
	return hp_publish_split(path, slash, n, &f->parent, &f->base, err);
}

static enum hp_status
make_folder(struct hp_output_folder *f, struct hp_error *err)
{
	enum hp_status st;
	struct stat sb;

	if (fstatat(f->parent, f->base, &sb, AT_SYMLINK_NOFOLLOW) == 0)
		return hp_fail(err, HP_IO,
			       "already exists, and the program never replaces "
			       "a folder");
	st = hp_publish_name(f->parent, true, f->temp, &f->entry, err);
	if (st != HP_OK)
		return st;
	/*
	 * The mode of the folder: users who may read files also get the
	 * permission to enter the folder (x).
	 */
	if (mkdirat(f->parent, f->temp,
		    f->mode | (f->mode & 0444) >> 2 | 0700) != 0) {
		hp_fail(err, HP_IO, "cannot create: %m");
		/*
		 * A folder with this temporary name exists already. It does not
		 * belong to this program, so it must not be removed.
		 */
		hp_temp_list_remove(f->entry);
		f->entry = -1;
		return HP_IO;
	}
	f->dir = openat(f->parent, f->temp,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return f->dir < 0 ? hp_fail(err, HP_IO, "cannot create: %m") : HP_OK;
}

enum hp_status
hp_output_folder_open(struct hp_output_folder *f, const char *path, bool sync,
		      const struct hp_source *input, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	*f = (struct hp_output_folder){.parent = -1,
				       .dir = -1,
				       .entry = -1,
				       .mode = MODE_MOST,
				       .sync = sync};
	if (input)
		f->mode &= MODE_OWN | hp_source_mode(input);
	if (path)
		st = split_path(f, path, err);
	if (st == HP_OK && path)
		st = make_folder(f, err);
	if (st != HP_OK)
		hp_output_folder_abort(f);
	return st;
}

/*
 * Create a file for the output folder. If the system supports it, the file has
 * no name until the folder is complete. So nothing remains if the process is
 * killed, even by kill -9.
 */
static enum hp_status
make_file(struct hp_output_folder *f, struct hp_folder_file *e,
	  struct hp_error *err)
{
	e->entry = hp_temp_list_add(f->parent, e->path, false);
	if (e->entry < 0)
		return hp_fail(err, HP_LIMIT, "too many outputs at once");
	e->fd = hp_publish_unnamed(f->dir, O_RDWR, f->mode);
	e->unnamed = e->fd >= 0;
	if (!e->unnamed)
		e->fd = openat(f->parent, e->path,
			       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
				       O_CLOEXEC,
			       f->mode);
	if (e->fd >= 0)
		return HP_OK;
	hp_temp_list_remove(e->entry);
	return hp_fail(err, HP_IO, "cannot create: %m");
}

enum hp_status
hp_output_folder_add(struct hp_output_folder *f, const char *name, size_t *file,
		     struct hp_error *err)
{
	struct hp_folder_file *e = &f->files[f->count];
	enum hp_status st;

	if (f->count == HP_FOLDER_FILES)
		return hp_fail(err, HP_LIMIT, "too many files");
	*e = (struct hp_folder_file){.fd = -1, .entry = -1};
	if ((size_t)snprintf(e->path, sizeof(e->path), "%s/%s", f->temp,
			     name) >= sizeof(e->path))
		return hp_fail(err, HP_LIMIT, "a file's name is too long");
	st = f->base ? make_file(f, e, err)
		     : hp_anon_file_open(&e->fd, NULL, err);
	if (st == HP_OK)
		*file = f->count++;
	return st;
}

enum hp_status
hp_output_folder_write(struct hp_output_folder *f, size_t file, const void *buf,
		       size_t n, struct hp_error *err)
{
	struct hp_folder_file *e = &f->files[file];
	const char *p = buf;

	while (n > 0) {
		ssize_t r = write(e->fd, p, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0) {
			f->refused = true;
			return hp_fail(err, HP_IO, "cannot write%s: %m",
				       f->base ? "" : " a temporary file");
		}
		p += r;
		n -= (size_t)r;
		e->size += (uint64_t)r;
	}
	return HP_OK;
}

enum hp_status
hp_output_folder_read(struct hp_output_folder *f, size_t file, void *buf,
		      size_t n, uint64_t offset, struct hp_error *err)
{
	char *p = buf;

	while (n > 0) {
		ssize_t r = pread(f->files[file].fd, p, n, (off_t)offset);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return hp_fail(err, HP_IO, "cannot read back%s%s",
				       r < 0 ? ": " : "",
				       r < 0 ? strerror(errno) : "");
		p += r;
		n -= (size_t)r;
		offset += (uint64_t)r;
	}
	return HP_OK;
}

/*
 * Check all files for write errors that the system has not reported yet. With
 * the option sync, also wait until their bytes are on the disk.
 */
static enum hp_status
finish_files(struct hp_output_folder *f, struct hp_error *err)
{
	for (size_t i = 0; i < f->count; i++) {
		enum hp_status st =
			hp_publish_finish(f->files[i].fd, f->sync, err);

		if (st != HP_OK)
			return st;
	}
	if (f->sync && fsync(f->dir) < 0 && errno != EINVAL)
		return hp_fail(err, HP_IO, "cannot write to the disk: %m");
	return HP_OK;
}

/*
 * Give the unnamed files their names. The folder still has its temporary name
 * at this time.
 */
static enum hp_status
name_files(struct hp_output_folder *f, struct hp_error *err)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct hp_folder_file *e = &f->files[i];

		if (e->unnamed &&
		    hp_publish_link(e->fd, f->dir, strchr(e->path, '/') + 1))
			return hp_fail(err, HP_IO, "cannot create: %m");
	}
	return HP_OK;
}

/*
 * Rename the folder to its final name. Then remove it from the list of
 * temporary files, so that a signal handler does not delete it.
 */
static enum hp_status
show_folder(struct hp_output_folder *f, struct hp_error *err)
{
	if (hp_publish_rename(f->parent, f->temp, f->base) != 0 &&
	    ((errno != EINVAL && errno != ENOSYS) ||
	     renameat(f->parent, f->temp, f->parent, f->base) != 0))
		return hp_fail(err, HP_IO,
			       errno == EEXIST || errno == ENOTEMPTY
				       ? "already exists, and the program "
					 "never replaces a folder"
				       : "cannot create: %m");
	for (size_t i = 0; i < f->count; i++) {
		hp_temp_list_remove(f->files[i].entry);
		f->files[i].entry = -1;
	}
	hp_temp_list_remove(f->entry);
	f->entry = -1;
	return f->sync ? hp_publish_sync(f->parent, err) : HP_OK;
}

enum hp_status
hp_output_folder_commit(struct hp_output_folder *f, struct hp_error *err)
{
	enum hp_status st = name_files(f, err);

	if (st == HP_OK)
		st = finish_files(f, err);
	if (st == HP_OK)
		st = show_folder(f, err);
	hp_output_folder_abort(f);
	return st;
}

void
hp_output_folder_abort(struct hp_output_folder *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct hp_folder_file *e = &f->files[i];

		if (e->entry >= 0 && hp_temp_list_remove(e->entry))
			unlinkat(f->parent, e->path, 0);
		if (e->fd >= 0)
			close(e->fd);
	}
	f->count = 0;
	if (f->entry >= 0 && hp_temp_list_remove(f->entry))
		unlinkat(f->parent, f->temp, AT_REMOVEDIR);
	if (f->dir >= 0)
		close(f->dir);
	if (f->parent >= 0)
		close(f->parent);
	hp_free(f->base);
	f->entry = f->dir = f->parent = -1;
	f->base = NULL;
}
