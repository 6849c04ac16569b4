/*
 * moved_paths.c - find rows of --by=path that grew mostly because objects moved
 * there from other paths
 *
 * Collects the gains and losses of all paths, matches them with
 * hp_moves_match(), and marks the rows.
 */
#include "diff/paths/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "diff/paths/paths.h"

#include <string.h>

struct moves {
	const struct hp_path_tree *t;
	size_t last; /* index of the dump that is compared with the first one */
	struct hp_rows *rows;
	/*
	 * for each step: the row in which its change is counted; NULL: no row
	 */
	struct hp_row **owners;
	/*
	 * for each step: the number of its objects in dump `last` minus that in
	 * the first dump
	 */
	int64_t *changes;
	/*
	 * maps the pair of a row and a class to 1 + the index of the entry in
	 * `list`
	 */
	struct hp_id_map numbers;
	/* the losses and gains of all rows; elements: struct hp_move */
	struct hp_vec list;
	/* for each row: how many objects it gained, not counting arrays */
	uint64_t *more;
	/*
	 * for each row: the path and class from which most of its objects
	 * moved, as 1 + an index in `list`; 0: none moved
	 */
	size_t *sources;
	struct hp_buf text;
	struct hp_error *err;
};

static bool
is_shown_growth(const struct moves *m, const struct hp_row *row)
{
	return row && !row->hidden && !row->ignored &&
	       row->retained_bytes[m->last] > row->retained_bytes[0];
}

static bool
is_array(const struct moves *m, uint32_t class_name)
{
	const struct hp_row *name = m->t->names.list[class_name];

	return name->key_len > 0 && name->key[name->key_len - 1] == ']';
}

static enum hp_status
add_move(struct moves *m, struct hp_row *owner, uint32_t step, int64_t change)
{
	if (!HP_VEC_PUSH(&m->list, struct hp_move,
			 .class_name = m->t->list[step].class_name,
			 .step = step, .change = change, .owner = owner,
			 .lowest = change))
		return hp_no_memory(m->err);
	return HP_OK;
}

/*
 * Add the change of a step to the entry for its row and class. A row may
 * consist of several steps. An object that moves from one of these steps to
 * another one stays in the row, so it does not count as moved. If objects leave
 * the row, the report shows the path of the step that has lost the most.
 */
static enum hp_status
add_to_row(struct moves *m, struct hp_row *row, uint32_t step, int64_t change)
{
	uint64_t key = (uint64_t)row->index << 32 | m->t->list[step].class_name;
	uint64_t *slot = hp_id_map_put(&m->numbers, key, NULL);
	struct hp_move *move;

	if (!slot)
		return hp_no_memory(m->err);
	if (*slot == 0) {
		*slot = m->list.count + 1;
		return add_move(m, row, step, change);
	}
	move = (struct hp_move *)m->list.items + *slot - 1;
	move->change += change;
	if (change < move->lowest ||
	    (change == move->lowest &&
	     hp_path_compare(m->t, step, move->step) < 0)) {
		move->lowest = change;
		move->step = step;
	}
	return HP_OK;
}

/*
 * Compute the change of each step: how many more objects it has in dump `last`
 * than in the first dump. If the paths of several steps have the same text, the
 * first of these steps gets the sum of their changes.
 */
static void
find_changes(struct moves *m)
{
	for (uint32_t i = 1; i < m->t->count; i++)
		m->changes[m->t->list[i].told] +=
			(int64_t)(hp_path_sum_of(m->t, m->last, i).count -
				  hp_path_sum_of(m->t, 0, i).count);
}

/*
 * Add the change of each step to the entry of a row. For the path A -> B -> C,
 * the rows of A -> B -> C, of A -> B and of A are tried in this order. The
 * first row whose growth the report shows is used. If there is no such row, the
 * step gets an entry of its own. In the list of steps, parents come before
 * children.
 */
static enum hp_status
add_steps(struct moves *m, struct hp_row *const *row_of, const bool *untold)
{
	enum hp_status st = HP_OK;

	for (uint32_t i = 1; i < m->t->count && st == HP_OK; i++) {
		const struct hp_path_step *s = &m->t->list[i];
		int64_t change = m->changes[i];

		m->owners[i] = is_shown_growth(m, row_of[i])
				       ? row_of[i]
				       : m->owners[s->parent];
		if (change == 0 || untold[i] || is_array(m, s->class_name))
			continue;
		st = m->owners[i] ? add_to_row(m, m->owners[i], i, change)
				  : add_move(m, NULL, i, change);
	}
	return st;
}

static enum hp_status
set_moved_from(struct moves *m, struct hp_row *row, uint32_t step)
{
	hp_buf_clear(&m->text);
	hp_path_text(m->t, step, &m->text);
	if (hp_buf_ok(&m->text))
		row->moved_from = hp_arena_copy(&m->rows->arena, m->text.data,
						m->text.len);
	return row->moved_from ? HP_OK : hp_no_memory(m->err);
}

/*
 * Whether the entry @x is a better source of a row's objects than @y, because
 * more objects moved from there. If the numbers are equal, the path that sorts
 * first is better.
 */
static bool
is_better_source(const struct moves *m, const struct hp_move *x,
		 const struct hp_move *y)
{
	const struct hp_move *list = m->list.items;

	if (x->moved != y->moved)
		return x->moved > y->moved;
	return hp_path_compare(m->t, list[x->other].step, list[y->other].step) <
	       0;
}

static void
sum_rows(struct moves *m)
{
	const struct hp_move *list = m->list.items;

	for (size_t i = 0; i < m->list.count; i++) {
		struct hp_row *row = list[i].owner;
		size_t *source = row ? &m->sources[row->index] : NULL;

		if (!row || list[i].change <= 0)
			continue;
		m->more[row->index] += (uint64_t)list[i].change;
		row->moved_count += list[i].moved;
		if (list[i].moved > 0 &&
		    (*source == 0 ||
		     is_better_source(m, &list[i], &list[*source - 1])))
			*source = i + 1;
	}
}

/*
 * Mark each row if at least half of the objects that it gained moved there from
 * other paths.
 */
static enum hp_status
mark_rows(struct moves *m)
{
	const struct hp_move *list = m->list.items;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < m->rows->count && st == HP_OK; i++) {
		struct hp_row *row = m->rows->list[i];
		size_t source = m->sources[row->index];

		if (source > 0 &&
		    row->moved_count >=
			    m->more[row->index] - m->more[row->index] / 2)
			st = set_moved_from(m, row,
					    list[list[source - 1].other].step);
	}
	return st;
}

enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err)
{
	struct moves m = {.t = t, .last = last, .rows = rows, .err = err};
	enum hp_status st = HP_OK;

	m.sources = hp_calloc(rows->count + 1, sizeof(*m.sources));
	m.owners = hp_calloc((size_t)t->count + 1, sizeof(struct hp_row *));
	m.more = hp_calloc(rows->count + 1, sizeof(*m.more));
	m.changes = hp_calloc(t->count, sizeof(*m.changes));
	if (m.sources && m.owners && m.more && m.changes)
		find_changes(&m);
	else
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = add_steps(&m, row_of, untold);
	if (st == HP_OK && !hp_moves_match(t, m.list.items, m.list.count))
		st = hp_no_memory(err);
	if (st == HP_OK) {
		sum_rows(&m);
		st = mark_rows(&m);
	}
	for (size_t i = 0; i < rows->count; i++)
		if (!rows->list[i]->moved_from)
			rows->list[i]->moved_count = 0;
	hp_free(m.sources);
	hp_free(m.owners);
	hp_free(m.changes);
	hp_free(m.more);
	hp_free(m.list.items);
	hp_id_map_release(&m.numbers);
	hp_buf_release(&m.text);
	return st;
}
