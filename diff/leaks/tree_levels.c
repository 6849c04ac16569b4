/*
 * tree_levels.c - build a small tree over the dominator tree, level by level
 */
#include "diff/leaks/tree_levels.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>

enum {
	/*
	 * A level is divided if its items have more children than
	 * CHILDREN_LEAST, and more than 1/SHARE_OF_OBJECTS of the number of
	 * objects, or if the children need more than 1/SHARE_OF_MEMORY of the
	 * free memory.
	 */
	CHILDREN_LEAST = 1 << 12,
	SHARE_OF_OBJECTS = 1 << 6,
	SHARE_OF_MEMORY = 8,
	/*
	 * memory in bytes for a child until it is removed: 72 to 120 for the
	 * item, in a list that doubles when it grows, and 16 to 64 for the map
	 * that finds it
	 */
	CHILD_BYTES = 256,
};

/* What hp_tree_levels_run() was called with. */
struct run {
	struct hp_tree_levels *l;
	uint32_t *count;
	const struct hp_tree_levels_ops *ops;
	void *ctx;
	struct hp_error *err;
};

static size_t
words_of(const struct hp_tree_levels *l)
{
	return l->tree->count / 64 + (size_t)1;
}

/*
 * Returns the first object of the level at @place or after it; UINT32_MAX at
 * the end.
 */
static uint32_t
object_from(const struct hp_tree_levels *l, uint32_t place)
{
	const uint64_t *objects = l->level.objects;
	size_t words = words_of(l), i = place / 64;
	uint64_t bits;

	if (i >= words)
		return UINT32_MAX;
	bits = objects[i] & UINT64_MAX << place % 64;
	while (bits == 0 && ++i < words)
		bits = objects[i];
	return bits ? (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(bits)
		    : UINT32_MAX;
}

/*
 * Visit the objects of the items from @begin to @end - 1. Sets *@too_many, and
 * leaves out the rest, if they have so many children that fewer items must be
 * expanded together.
 */
static enum hp_status
expand_items(const struct run *r, uint32_t begin, uint32_t end, bool *too_many)
{
	const struct hp_tree_levels *l = r->l;
	enum hp_status st = HP_OK;

	if (begin == 0)
		return r->ops->expand(r->ctx, 0, 0);
	for (uint32_t place = object_from(l, 1);
	     place != UINT32_MAX && st == HP_OK && !*too_many;
	     place = object_from(l, place + 1)) {
		uint32_t number = l->numbers[place];
		uint32_t item =
			l->level.index_of[number - l->level.first_number];

		if (item < begin || item >= end)
			continue;
		st = r->ops->expand(r->ctx, item, place);
		*too_many = end - begin > 1 && l->found > l->most;
	}
	return st;
}

/* Make room for the indexes of the children that were found. */
static enum hp_status
reserve_indexes(struct hp_tree_levels *l, struct hp_error *err)
{
	struct hp_tree_level *below = &l->below;

	if (!HP_LIST_FIT(below->index_of, below->count + l->found, below->cap))
		return hp_no_memory(err);
	for (; l->found > 0; l->found--)
		below->index_of[below->count++] = 0;
	return HP_OK;
}

/*
 * Find the children of the items from @begin to @end - 1, or set *@too_many if
 * they are too many to be found together.
 */
static enum hp_status
expand_part(const struct run *r, uint32_t begin, uint32_t end, bool *too_many)
{
	struct hp_tree_levels *l = r->l;
	uint32_t first = *r->count;
	enum hp_status st;

	*too_many = false;
	l->found = 0;
	hp_id_map_release(&l->children);
	memset(l->found_of + (begin - l->level.begin), 0,
	       (end - begin) * sizeof(*l->found_of));
	r->ops->begin(r->ctx, begin, end);
	st = expand_items(r, begin, end, too_many);
	if (st != HP_OK)
		return st;
	if (*too_many) {
		*r->count = first;
		return HP_OK;
	}
	st = reserve_indexes(l, r->err);
	if (st == HP_OK)
		r->ops->keep(r->ctx, begin, end, first);
	return st;
}

/*
 * The items from @begin to @end - 1 have too many children. Returns where a
 * smaller part ends: the children of its items that were found are not too
 * many, unless it is only one item.
 */
static uint32_t
smaller_part(const struct hp_tree_levels *l, uint32_t begin, uint32_t end)
{
	uint64_t found = 0;
	uint32_t i = begin;

	for (; i < end - 1; i++) {
		found += l->found_of[i - l->level.begin];
		if (found > l->most)
			break;
	}
	return i > begin ? i : begin + 1;
}

/*
 * Find the children of the items from @begin on, of as many items as possible.
 * *@begin receives the first item that is left. If there are too many children,
 * all of them are forgotten, and fewer items are expanded. How many is known
 * from the children that were found; but if this was wrong, at most half as
 * many as the last time, so that there are few attempts. Objects of children
 * that were forgotten are found again, so their bits and numbers need not be
 * reset.
 */
static enum hp_status
expand_some(const struct run *r, uint32_t *begin)
{
	const struct hp_tree_levels *l = r->l;
	uint32_t end = l->level.end;
	enum hp_status st = HP_OK;
	bool too_many = true;

	for (unsigned attempt = 0; too_many && st == HP_OK; attempt++) {
		st = expand_part(r, *begin, end, &too_many);
		if (too_many) {
			uint32_t half = *begin + (end - *begin) / 2;

			end = smaller_part(l, *begin, end);
			if (attempt > 0 && end > half)
				end = half;
		}
	}
	*begin = end;
	return st;
}

/* Find the children of all items of the level. */
static enum hp_status
expand_level(const struct run *r)
{
	struct hp_tree_levels *l = r->l;
	uint32_t begin = l->level.begin, n = l->level.end - begin;
	enum hp_status st = HP_OK;

	l->below.begin = *r->count;
	l->found_of = hp_calloc(n, sizeof(*l->found_of));
	if (!l->found_of)
		return hp_no_memory(r->err);
	while (begin < l->level.end && st == HP_OK)
		st = expand_some(r, &begin);
	hp_free(l->found_of);
	l->found_of = NULL;
	l->below.end = *r->count;
	return st;
}

/* Make the children the items of the level. */
static void
descend(struct hp_tree_levels *l)
{
	struct hp_tree_level above = l->level;

	memset(above.objects, 0, words_of(l) * sizeof(*above.objects));
	l->level = l->below;
	l->below = above;
	l->below.first_number =
		l->level.first_number + (uint32_t)l->level.count;
	l->below.count = 0;
}

/* Returns how many children may be found before a level is divided. */
static uint32_t
children_most(const struct hp_tree_levels *l)
{
	uint64_t memory = hp_memory_left() / SHARE_OF_MEMORY / CHILD_BYTES;
	uint32_t most = l->tree->count / SHARE_OF_OBJECTS;

	if (most > memory)
		most = (uint32_t)memory;
	return most > CHILDREN_LEAST ? most : CHILDREN_LEAST;
}

enum hp_status
hp_tree_levels_run(struct hp_tree_levels *l, uint32_t *count, unsigned deepest,
		   const struct hp_tree_levels_ops *ops, void *ctx,
		   struct hp_error *err)
{
	const struct run r = {l, count, ops, ctx, err};
	enum hp_status st = HP_OK;

	if (l->most == 0)
		l->most = children_most(l);
	l->level.objects = hp_calloc(words_of(l), sizeof(*l->level.objects));
	l->below.objects = hp_calloc(words_of(l), sizeof(*l->below.objects));
	if (!l->level.objects || !l->below.objects)
		st = hp_no_memory(err);
	/* the root is the only item of the first level */
	l->level.end = 1;
	l->below.first_number = 1;
	for (unsigned depth = 0;
	     depth < deepest && st == HP_OK && l->level.begin < l->level.end;
	     depth++) {
		st = expand_level(&r);
		descend(l);
	}
	hp_free(l->level.objects);
	hp_free(l->level.index_of);
	hp_free(l->below.objects);
	hp_free(l->below.index_of);
	hp_id_map_release(&l->children);
	return st;
}
