/*
 * vec.c - where lists grow
 */
#include "common/base/vec.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST = 16 /* items of a list that was empty */ };

bool
hp_list_enlarge(void *list, size_t *cap, size_t size)
{
	size_t larger = *cap ? 2 * *cap : FIRST;
	void *items, *grown;

	if (*cap > SIZE_MAX / 2 || larger > SIZE_MAX / size)
		return false;
	/* a copy: pointers of other types are not to be read as void * */
	memcpy(&items, list, sizeof(items));
	grown = realloc(items, larger * size);
	if (!grown)
		return false;
	memcpy(list, &grown, sizeof(grown));
	*cap = larger;
	/* cppcheck-suppress memleak; it is the list's */
	return true;
}
