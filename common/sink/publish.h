/*
 * publish.h - what a file and a folder have in common that appear at their
 * place whole or not at all
 *
 * Both are made beside that place under a name that nobody can foretell, and
 * get their own name once they are complete.
 */
#ifndef HP_SINK_PUBLISH_H
#define HP_SINK_PUBLISH_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A link of that name is the system's, for something that is open already. */
static inline bool
hp_publish_is_system(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

enum { HP_TEMP_NAME = 32 }; /* bytes, with the zero at the end */

/**
 * hp_publish_split() - open the folder that an output is to appear in
 * @path:   where it is to appear
 * @slash:  how many bytes of @path are the folder, with the last "/"; 0: the
 *          output is to appear in the current folder
 * @end:    where the output's own name ends
 * @parent: the folder, open; the caller closes it
 * @base:   a copy of the output's name; the caller frees it, also on failure
 *
 * Returns: HP_OK; HP_IO: the folder cannot be opened; HP_NOMEM. *@parent is -1
 *          on failure.
 */
HP_MUST_USE enum hp_status hp_publish_split(const char *path, size_t slash,
					    size_t end, int *parent,
					    char **base, struct hp_error *err);

/**
 * hp_publish_name() - a name for what is not complete
 * @parent: the folder that the name is in
 * @folder: what is to be made is a folder
 * @temp:   HP_TEMP_NAME bytes; "" on failure
 * @entry:  its number in the list of names that signals remove
 *          (hp_temp_list_remove() takes it off); -1 on failure
 *
 * Returns: HP_OK; HP_IO: there are no random bytes; HP_LIMIT: the list is full.
 */
HP_MUST_USE enum hp_status hp_publish_name(int parent, bool folder, char *temp,
					   int *entry, struct hp_error *err);

/* A file in @dir that has no name, if the system has such files and can name
 * them later: its descriptor, or -1. @access: O_WRONLY or O_RDWR. */
int hp_publish_unnamed(int dir, int access, unsigned mode);

/* Gives it the name @name in @dir, which must be free: 0, or -1 with errno. */
int hp_publish_link(int fd, int dir, const char *name);

/* @from becomes @to, both in @dir, and @to must be free: 0, or -1 with errno,
 * which is EINVAL or ENOSYS where the file system or the system cannot. */
int hp_publish_rename(int dir, const char *from, const char *to);

/* HP_IO: writes to @fd failed that the system said nothing of until now
 * (network file systems), or, with @sync, they cannot reach the disk. */
HP_MUST_USE enum hp_status hp_publish_finish(int fd, bool sync,
					     struct hp_error *err);

/* Waits until the output's own name is on the disk. HP_OK, HP_IO. */
HP_MUST_USE enum hp_status hp_publish_sync(int parent, struct hp_error *err);

#endif
