/*
 * tree_levels.h - build a small tree over the dominator tree, level by level,
 * and visit the objects of each level in the order of their places
 *
 * The nodes of such a small tree are called items; each item stands for some
 * objects of the dominator tree, which are below the objects of its parent. The
 * place of an object is its index in the dominator tree.
 *
 * To find the children of all items of a level, the objects of this level are
 * visited once, in the order of their places, no matter to which items they
 * belong. If the arrays of the dominator tree are in files, each page is
 * therefore read about once for a level. To visit one item after the other
 * would read it once for each item, and a level may have thousands of items.
 *
 * When all children of a level are known, the caller removes those that retain
 * too little. A level with very many different children is divided, so that
 * they need little memory: its objects are visited once for each part.
 */
#ifndef HP_DIFF_LEAKS_TREE_LEVELS_H
#define HP_DIFF_LEAKS_TREE_LEVELS_H

#include "common/graph/tree.h"
#include "common/object_ids/id_map.h"

/* The items of one level, and their objects. Used only by tree_levels.c. */
struct hp_tree_level {
	/* the indexes of the items are `begin` to `end` - 1 */
	uint32_t begin, end;
	/*
	 * One bit for each place: set for the objects of the items. Objects
	 * that dominate no other object are left out.
	 */
	uint64_t *objects;
	/*
	 * Maps the number of an item minus `first_number` to its index; 0: the
	 * item was removed.
	 */
	uint32_t *index_of;
	size_t count, cap;
	uint32_t first_number;
};

struct hp_tree_levels {
	const struct hp_tree *tree;
	/*
	 * For each place: the number of the item to which the object belongs;
	 * 0: none. Borrowed.
	 */
	uint32_t *numbers;
	/* the items that are expanded, and their children */
	struct hp_tree_level level, below;
	/*
	 * for the items that are expanded now: maps an item and a name, in one
	 * key, to a child; see hp_tree_levels_child()
	 */
	struct hp_id_map children;
	/*
	 * How many children were found since the last call of `keep`, and how
	 * many may be found before the level is divided; 0: the default.
	 */
	uint32_t found, most;
	/*
	 * how many of these children each item of the level has; used only by
	 * tree_levels.c
	 */
	uint32_t *found_of;
};

/* What the caller of hp_tree_levels_run() does for the items. */
struct hp_tree_levels_ops {
	/*
	 * Prepare to expand the items from @begin to @end - 1. It may be called
	 * again for some of them, if they had too many children.
	 */
	void (*begin)(void *ctx, uint32_t begin, uint32_t end);
	/*
	 * The object at @place belongs to @item: find the children of the item
	 * below this object. For the root of the tree, both are 0.
	 */
	enum hp_status (*expand)(void *ctx, uint32_t item, uint32_t place);
	/*
	 * All children of the items from @begin to @end - 1 were found. They
	 * are the last items, from the index @first on. Remove some, and call
	 * hp_tree_levels_keep() for the others.
	 */
	void (*keep)(void *ctx, uint32_t begin, uint32_t end, uint32_t first);
};

/**
 * hp_tree_levels_run() - build a tree of items, from the root down
 *
 * @l:       zeroed, except that the caller sets `tree` and `numbers`, and may
 *           set `most`; the numbers are 0
 * @count:   the number of items. It is 1 at first: item 0 is the root. The
 *           callbacks append and remove children; if there are too many, this
 *           function removes all that were found
 * @deepest: items at this depth are not expanded; the root has the depth 0
 *
 * Memory: 2 bits for each place, and 8 bytes for each child of two levels. The
 *         children of a part of a level that were found and not yet removed are
 *         at most 4,096, or 1/64 of all objects if an eighth of the free memory
 *         suffices; but an item may have one child for each name.
 * Time: O(n) for the n objects of all levels, unless levels are divided; then a
 *       few passes over the objects of the level for each part
 * Returns: HP_OK; HP_NOMEM; what @ops->expand() returns.
 */
HP_MUST_USE enum hp_status
hp_tree_levels_run(struct hp_tree_levels *l, uint32_t *count, unsigned deepest,
		   const struct hp_tree_levels_ops *ops, void *ctx,
		   struct hp_error *err);

/*
 * Returns the number of a new item, a child of the item @parent, which is being
 * expanded. The numbers of all items are different, larger than 0, and increase
 * from level to level.
 */
static inline uint32_t
hp_tree_levels_number(struct hp_tree_levels *l, uint32_t parent)
{
	l->found_of[parent - l->level.begin]++;
	return l->below.first_number + (uint32_t)l->below.count + l->found++;
}

/*
 * Find the child of the item @parent, which is being expanded, with the name
 * @name. Returns the address of its index, which the caller sets if *@fresh is
 * set to true: there is no such child yet. Returns NULL if out of memory.
 */
static inline uint64_t *
hp_tree_levels_child(struct hp_tree_levels *l, uint32_t parent, uint32_t name,
		     bool *fresh)
{
	return hp_id_map_put(&l->children, (uint64_t)parent << 32 | name,
			     fresh);
}

/*
 * Note in @level that the object at @place belongs to the item with the number
 * @number. @level is &l->below for a child, or &l->level if the object belongs
 * to an item that is being expanded; the object is then visited later.
 */
static inline void
hp_tree_levels_add(struct hp_tree_levels *l, struct hp_tree_level *level,
		   uint32_t place, uint32_t number)
{
	l->numbers[place] = number;
	if (hp_tree_objects(l->tree, place) > 1)
		level->objects[place / 64] |= UINT64_C(1) << place % 64;
}

/*
 * Say that the child with the number @number was not removed, and has the index
 * @index now. Only `keep` calls it.
 */
static inline void
hp_tree_levels_keep(struct hp_tree_levels *l, uint32_t number, uint32_t index)
{
	l->below.index_of[number - l->below.first_number] = index;
}

#endif
