/*
 * child_counts.c - store how many objects of each class the objects of an
 * earlier dump immediately dominate
 *
 * The tree of large objects leaves out items that retain too little. So the
 * number of elements that a container had in the first dump cannot be computed
 * from the tree: the elements are counted here, while the graph of the first
 * dump is in memory, in the same way as those of the last dump
 * (suspect_label.c).
 */
#include "diff/leaks/internal.h"
#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>

enum hp_status
hp_child_counts_make(struct hp_child_counts *c, const struct hp_object_tree *o,
		     struct hp_object_kinds *k, struct hp_error *err)
{
	struct hp_child_class found[HP_CHILD_CLASSES];
	size_t n;

	c->nitems = o->count;
	c->ends = hp_calloc(o->count + (size_t)1, sizeof(*c->ends));
	if (!c->ends)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < o->count; i++) {
		const struct hp_object_item *item = &o->list[i];
		enum hp_status st = HP_OK;

		n = 0;
		if (hp_object_is_one(item) && item->entries == 0)
			st = hp_contents_children(found, &n, k, item, err);
		if (st != HP_OK)
			return st;
		for (size_t at = 0; at < n; at++) {
			if (!HP_LIST_RESERVE(c->list, c->count, c->cap))
				return hp_no_memory(err);
			c->list[c->count++] = found[at];
		}
		c->ends[i] = c->count;
	}
	return HP_OK;
}

bool
hp_child_counts_get(const struct hp_child_counts *c, uint32_t item,
		    uint32_t row, uint64_t *objects)
{
	size_t begin, end;

	*objects = 0;
	if (item == 0 || item >= c->nitems)
		return false;
	begin = c->ends[item - 1];
	end = c->ends[item];
	for (size_t i = begin; i < end; i++)
		if (c->list[i].row == row) {
			*objects = c->list[i].objects;
			return true;
		}
	return end - begin < HP_CHILD_CLASSES;
}

void
hp_child_counts_release(struct hp_child_counts *c)
{
	hp_free(c->list);
	hp_free(c->ends);
	*c = (struct hp_child_counts){0};
}
