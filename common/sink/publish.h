/*
 * publish.h - files and folders that appear only when they are complete
 */
#ifndef HP_SINK_PUBLISH_H
#define HP_SINK_PUBLISH_H

#include "common/base/status.h"
#include "common/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ----------------------------------------------------------------------
 * Common functions for files and folders that appear complete or not at all
 *
 * A new file or folder is created under an unpredictable name, next to its
 * final path. It gets its final name when it is complete.
 */

/*
 * Whether @path is in /dev or /proc. Symbolic links in these folders, such as
 * /dev/stdout, are made by the system and refer to files that are already open.
 */
static inline bool
hp_publish_is_system(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

/* room for the name of a temporary file, including the NUL at the end */
enum { HP_TEMP_NAME = 32 };

/**
 * hp_publish_split() - open the folder in which an output will appear
 * @path: the path of the output
 * @slash: length of the part of @path before the file name, including the last
 *   "/"; 0: the output will appear in the current folder
 * @end: offset in @path of the byte after the file name
 * @parent: receives a descriptor of the folder, which the caller closes
 * @base: receives a copy of the output's name, which the caller frees, also
 *   after a failure
 *
 * Returns: HP_OK; HP_IO if the folder cannot be opened; HP_NOMEM. After a
 *          failure *@parent is -1.
 */
HP_MUST_USE enum hp_status hp_publish_split(const char *path, size_t slash,
					    size_t end, int *parent,
					    char **base, struct hp_error *err);

/**
 * hp_publish_name() - make a temporary name for an incomplete output
 * @parent: descriptor of the folder in which the name will be used
 * @folder: true: the output is a folder; false: a file
 * @temp: receives the name; HP_TEMP_NAME bytes; "" after a failure
 * @entry: receives the index in the list of names that a signal handler removes
 *   (see hp_temp_list_remove()); -1 after a failure
 *
 * Returns: HP_OK; HP_IO if there are no random bytes; HP_LIMIT if the list is
 *          full.
 */
HP_MUST_USE enum hp_status hp_publish_name(int parent, bool folder, char *temp,
					   int *entry, struct hp_error *err);

/*
 * Create an unnamed file in @dir, if the system supports such files and can
 * give them a name later. @access: O_WRONLY or O_RDWR. Returns its descriptor,
 * or -1.
 */
int hp_publish_unnamed(int dir, int access, unsigned mode);

/*
 * Give the unnamed file with descriptor @fd the name @name in the folder @dir.
 * The name must not exist yet. Returns 0; -1 with errno set.
 */
int hp_publish_link(int fd, int dir, const char *name);

/*
 * Rename @from to @to in the folder @dir. @to must not exist yet. Returns 0; -1
 * with errno set. EINVAL or ENOSYS mean that the file system or the system does
 * not support this.
 */
int hp_publish_rename(int dir, const char *from, const char *to);

/*
 * Check for write errors that the system has not reported yet. Network file
 * systems report some errors late. With @sync, also wait until all bytes are on
 * the disk. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_publish_finish(int fd, bool sync,
					     struct hp_error *err);

/*
 * Wait until the folder @parent, which now contains the new output under its
 * name, is on the disk. Returns HP_OK or HP_IO.
 */
HP_MUST_USE enum hp_status hp_publish_sync(int parent, struct hp_error *err);

/*
 * ----------------------------------------------------------------------
 * An output of several files: a folder that appears complete or not at all
 *
 * The files are written to a folder with an unpredictable name, next to the
 * path of the output. If the system supports unnamed files, the files have no
 * names at first. When all files are complete, they get their names, and the
 * folder is renamed. An output without a path has only unnamed files, which
 * never become visible. The program uses such files to build other outputs.
 */

enum { HP_FOLDER_FILES = 16, HP_FOLDER_PATH = 80 };

struct hp_output_folder {
	/*
	 * The descriptors of the parent folder, and of the output folder inside
	 * it. -1: not open.
	 */
	int parent, dir;
	/* permission bits of the files in the folder, before the umask */
	unsigned mode;
	bool sync;
	/* A write failed, so the folder must not get its final name. */
	bool refused;
	char *base; /* the name of the output folder in its parent folder */
	char temp[HP_TEMP_NAME];
	/*
	 * The index of the temporary name in the list of the signal handler
	 * (see hp_temp_list_add()). -1: it is not in the list.
	 */
	int entry;
	size_t count;
	struct hp_folder_file {
		/*
		 * The path of the file, relative to the folder `parent`. The
		 * signal handler removes the file by this path. When the output
		 * folder is renamed, the path becomes invalid, so that the
		 * complete file is not removed.
		 */
		char path[HP_FOLDER_PATH];
		int fd, entry;
		/* the file has no name until the folder is complete */
		bool unnamed;
		/* number of bytes that were written to the file so far */
		uint64_t size;
	} files[HP_FOLDER_FILES];
};

/**
 * hp_output_folder_open() - start an output folder
 * @path: the path of the folder; NULL: a set of unnamed files
 * @input: an input; the new folder gets no permissions that this input does not
 *         have; may be NULL
 *
 * Returns: HP_OK; HP_IO if @path exists or the folder cannot be created;
 *          HP_LIMIT; HP_NOMEM. After a failure the output is already aborted.
 */
HP_MUST_USE enum hp_status hp_output_folder_open(struct hp_output_folder *f,
						 const char *path, bool sync,
						 const struct hp_source *input,
						 struct hp_error *err);

/*
 * Add an empty file to the folder. *@file receives the number of the file, from
 * 0, for the functions below. Returns HP_OK, HP_IO or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_output_folder_add(struct hp_output_folder *f,
						const char *name, size_t *file,
						struct hp_error *err);

/*
 * Append @n bytes to a file. Returns HP_OK, or HP_IO if for example the disk is
 * full. Only one thread at a time may write to a file.
 */
HP_MUST_USE enum hp_status hp_output_folder_write(struct hp_output_folder *f,
						  size_t file, const void *buf,
						  size_t n,
						  struct hp_error *err);

/*
 * Read back @n bytes of a file at @offset. Returns HP_OK if all bytes were
 * read; otherwise HP_IO.
 */
HP_MUST_USE enum hp_status hp_output_folder_read(struct hp_output_folder *f,
						 size_t file, void *buf,
						 size_t n, uint64_t offset,
						 struct hp_error *err);

/*
 * Make the folder visible with all its files. Returns HP_OK or HP_IO, and
 * releases @f in both cases.
 */
HP_MUST_USE enum hp_status hp_output_folder_commit(struct hp_output_folder *f,
						   struct hp_error *err);

/* Delete the folder and its files, and release @f. */
void hp_output_folder_abort(struct hp_output_folder *f);

#endif
