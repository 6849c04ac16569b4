/*
 * why_tree.c - free the tree of paths that --why shows
 */
#include "diff/leaks/why_tree.h"
#include "common/base/memory.h"

void
hp_why_release(struct hp_why *w)
{
	hp_free(w->list);
	hp_free(w->numbers);
	hp_arena_release(&w->arena);
	*w = (struct hp_why){0};
}
