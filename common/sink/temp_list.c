/*
 * temp_list.c - the list of temporary files that must be removed when a signal
 * ends the program
 *
 * An entry is reserved and filled before it is marked as valid. The signal
 * handler uses only valid entries, so it never sees an incomplete one.
 * output_file.c and output_folder.c create and rename the files.
 */
#include "common/sink/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

/* maximum number of temporary files and folders on the list */
#define ENTRIES 64

enum state { FREE, CLAIMED, LIVE, REMOVED };

static struct entry {
	atomic_int state;
	int dir;
	const char *name;
	bool folder;
} entries[ENTRIES];

int
hp_temp_list_add(int dir, const char *name, bool folder)
{
	for (int i = 0; i < ENTRIES; i++) {
		int expected = FREE;

		if (!atomic_compare_exchange_strong(&entries[i].state,
						    &expected, CLAIMED))
			continue;
		entries[i].dir = dir;
		entries[i].name = name;
		entries[i].folder = folder;
		atomic_store(&entries[i].state, LIVE);
		return i;
	}
	return -1;
}

bool
hp_temp_list_remove(int entry)
{
	return atomic_exchange(&entries[entry].state, FREE) == LIVE;
}

static void
unlink_kind(bool folder)
{
	for (int i = 0; i < ENTRIES; i++) {
		int expected = LIVE;

		if (entries[i].folder != folder)
			continue;
		if (atomic_compare_exchange_strong(&entries[i].state, &expected,
						   REMOVED))
			unlinkat(entries[i].dir, entries[i].name,
				 folder ? AT_REMOVEDIR : 0);
	}
}

/*
 * Delete all files first, and then the folders, because a folder must be empty.
 */
void
hp_temp_list_unlink_all(void)
{
	int saved = errno;

	unlink_kind(false);
	unlink_kind(true);
	errno = saved;
}
