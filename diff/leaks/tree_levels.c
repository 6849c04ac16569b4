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
	 * CHILDREN_MOST, and more than 1/SHARE_CHILDREN of the number of
	 * objects. A child needs 100 to 150 bytes until it is removed.
	 */
	CHILDREN_MOST = 1 << 16,
	SHARE_CHILDREN = 1 << 6,
};

/* What hp_tree_levels_run() was called with. */
struct run {
	struct hp_tree_levels *l;
	const uint32_t *count;
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

	for (; l->found > 0; l->found--) {
		if (!HP_LIST_RESERVE(below->index_of, below->count, below->cap))
			return hp_no_memory(err);
		below->index_of[below->count++] = 0;
	}
	return HP_OK;
}

/*
 * Find the children of the items from @begin to @end - 1, or set *@too_many if
 * they are too many to be found together.
 */
static enum hp_status
expand_part(const struct run *r, uint32_t begin, uint32_t end, bool *too_many)
{
	enum hp_status st;

	*too_many = false;
	r->ops->begin(r->ctx, begin, end);
	st = expand_items(r, begin, end, too_many);
	if (*too_many)
		r->l->found = 0;
	else if (st == HP_OK)
		st = reserve_indexes(r->l, r->err);
	if (st == HP_OK)
		r->ops->finish(r->ctx, begin, end, *too_many);
	return st;
}

/*
 * Find the children of all items of the level. If they are too many, the level
 * is divided into parts, whose size is halved as often as necessary. Objects of
 * children that had to be forgotten are found again, so their bits and numbers
 * need not be reset.
 */
static enum hp_status
expand_level(const struct run *r)
{
	struct hp_tree_levels *l = r->l;
	uint32_t begin = l->level.begin, size = l->level.end - begin;
	enum hp_status st = HP_OK;
	bool too_many;

	l->below.begin = *r->count;
	while (begin < l->level.end && st == HP_OK) {
		if (size > l->level.end - begin)
			size = l->level.end - begin;
		st = expand_part(r, begin, begin + size, &too_many);
		if (too_many) {
			size /= 2;
		} else {
			begin += size;
			size *= 2;
		}
	}
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

enum hp_status
hp_tree_levels_run(struct hp_tree_levels *l, const uint32_t *count,
		   unsigned deepest, const struct hp_tree_levels_ops *ops,
		   void *ctx, struct hp_error *err)
{
	const struct run r = {l, count, ops, ctx, err};
	enum hp_status st = HP_OK;

	if (l->most == 0) {
		l->most = l->tree->count / SHARE_CHILDREN;
		if (l->most < CHILDREN_MOST)
			l->most = CHILDREN_MOST;
	}
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
	return st;
}
