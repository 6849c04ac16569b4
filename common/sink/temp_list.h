/*
 * temp_list.h - the list of temporary files that a signal handler must remove
 *
 * Private to common/io. The one piece of global state in the library: a
 * signal handler has no argument by which it could be handed over.
 */
#ifndef HP_SINK_TEMP_LIST_H
#define HP_SINK_TEMP_LIST_H

#include <stdbool.h>

/*
 * Notes that @name in the folder open as @dir is to be removed; both are
 * borrowed until hp_temp_list_remove(). Returns its entry, or -1: the list is
 * full. @folder: it is an empty folder once the files on the list are gone.
 */
int hp_temp_list_add(int dir, const char *name, bool folder);

/* Takes the entry off the list again; false if it had been removed. */
bool hp_temp_list_remove(int entry);

/* Async-signal-safe: removes all files on the list. */
void hp_temp_list_unlink_all(void);

#endif
