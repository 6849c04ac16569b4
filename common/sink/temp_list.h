/*
 * temp_list.h - the list of temporary files that a signal handler must remove
 *
 * Private to common/sink. This list is global, because a signal handler has no
 * argument through which it could be passed.
 */
#ifndef HP_SINK_TEMP_LIST_H
#define HP_SINK_TEMP_LIST_H

#include <stdbool.h>

/*
 * Add the name @name in the folder with the descriptor @dir to the list. Both
 * are borrowed until hp_temp_list_remove(). @folder: the name is a folder,
 * which is empty after the files on the list were removed. Returns the index of
 * the entry; -1 if the list is full.
 */
int hp_temp_list_add(int dir, const char *name, bool folder);

/*
 * Remove an entry from the list. Returns false if the signal handler had
 * already removed its file.
 */
bool hp_temp_list_remove(int entry);

/* Remove all files and folders on the list. Async-signal-safe. */
void hp_temp_list_unlink_all(void);

#endif
