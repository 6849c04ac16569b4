/*
 * match_moves.c - find objects that only moved from one path to another, so
 * that they do not count as growth
 *
 * The caller passes a list with an entry for each pair of a path and a class:
 * how many objects of the class the path has lost or gained. The list is sorted
 * by class, then by this number, largest first. Two passes over the list match
 * losses with gains: the first pass matches equal numbers, the second pass the
 * rest.
 */
#include "diff/paths/paths.h"

#include "common/base/vec.h"
#include "common/cli/quantity.h"

#include <stdlib.h>

static uint64_t
size_of(const struct hp_move *m)
{
	return hp_magnitude(m->change);
}

/*
 * Returns how many of the objects that an entry has lost or gained are not
 * matched yet.
 */
static uint64_t
rest_of(const struct hp_move *m)
{
	return size_of(m) - m->moved;
}

/*
 * A comparison function for entries: by class, then by number of objects
 * (largest first), then by path.
 */
static int
by_size(const void *a, const void *b, void *context)
{
	const struct hp_move *x = a, *y = b;
	const struct hp_path_tree *const *tree = context;

	if (x->class_name != y->class_name)
		return hp_order(x->class_name, y->class_name);
	if (size_of(x) != size_of(y))
		return hp_order(size_of(y), size_of(x));
	return hp_path_compare(*tree, x->step, y->step);
}

static void
note_match(struct hp_move *list, size_t at, size_t other, uint64_t n)
{
	list[at].moved += n;
	if (n > list[at].other_moved) {
		list[at].other = (uint32_t)other;
		list[at].other_moved = n;
	}
}

static void
match(struct hp_move *list, size_t loss, size_t gain)
{
	uint64_t n = rest_of(&list[loss]);

	if (n > rest_of(&list[gain]))
		n = rest_of(&list[gain]);
	note_match(list, loss, gain, n);
	note_match(list, gain, loss, n);
}

/*
 * Find the next entry in [@at, @end) that still has unmatched objects: a loss
 * if @loss is true, otherwise a gain. Returns @end if there is none.
 */
static size_t
find_next(const struct hp_move *list, size_t at, size_t end, bool loss)
{
	while (at < end &&
	       ((list[at].change < 0) != loss || rest_of(&list[at]) == 0))
		at++;
	return at;
}

/*
 * Match losses with gains. The entries [@from, @end) have the same class and
 * are sorted by size, so the largest losses and gains are matched first.
 */
static void
match_range(struct hp_move *list, size_t from, size_t end)
{
	size_t loss = find_next(list, from, end, true);
	size_t gain = find_next(list, from, end, false);

	while (loss < end && gain < end) {
		match(list, loss, gain);
		loss = find_next(list, loss, end, true);
		gain = find_next(list, gain, end, false);
	}
}

bool
hp_moves_match(const struct hp_path_tree *t, struct hp_move *list, size_t n)
{
	size_t end, same_end;

	if (!hp_sort_with(list, n, sizeof(*list), by_size, &t))
		return false;
	for (size_t from = 0; from < n; from = end) {
		for (end = from + 1;
		     end < n && list[end].class_name == list[from].class_name;)
			end++;
		/*
		 * pass 1: match losses and gains of the same number of objects
		 */
		for (size_t same = from; same < end; same = same_end) {
			for (same_end = same + 1;
			     same_end < end &&
			     size_of(&list[same_end]) == size_of(&list[same]);)
				same_end++;
			match_range(list, same, same_end);
		}
		match_range(list, from, end);
	}
	return true;
}
