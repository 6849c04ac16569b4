/*
 * moved_paths.c - what each class gained and lost on which paths
 */
#include "diff/paths/moved_paths.h"

#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* What a class gained on some paths, and lost on others. */
struct class_moves {
	uint64_t gained, lost;
	uint32_t most;	    /* the step that lost most; 0: none */
	uint64_t most_lost; /* so many */
};

/* Instances of a class that a row, with what is below it, has more or less. */
struct row_class {
	struct hp_row *row;
	uint32_t class_name;
	int64_t change;
};

/* Where most of a row's objects may come from. */
struct source {
	uint64_t moved; /* so many of one class */
	uint32_t step;	/* 0: none */
};

struct moves {
	const struct hp_path_tree *t;
	size_t last; /* dump; the first is 0 */
	struct hp_rows *rows;
	struct hp_row **owners;	     /* by step: the row that it belongs to */
	int64_t *changes;	     /* by step */
	struct class_moves *classes; /* by class name's row */
	struct hp_id_map numbers;    /* row and class: number in list + 1 */
	struct hp_vec list;	     /* struct row_class */
	uint64_t *more;		     /* by row: instances it has more */
	struct source *sources;	     /* by row */
	struct hp_buf text;
	uint64_t noted; /* bytes, for the budget */
	struct hp_error *err;
};

/* Is there room for it, and for the texts that rows have by now? */
static enum hp_status
fit(struct moves *m)
{
	const struct hp_path_tree *t = m->t;
	uint64_t now =
		t->count * (sizeof(struct hp_row *) + sizeof(*m->changes)) +
		t->names.count * sizeof(*m->classes) +
		m->rows->count * (sizeof(*m->more) + sizeof(*m->sources)) +
		m->list.cap * sizeof(struct row_class) +
		hp_id_map_bytes(&m->numbers) + hp_id_map_growth(&m->numbers, 1);
	enum hp_status st = hp_budget_note(t->budget, &m->noted, now, m->err);

	return st == HP_OK ? hp_rows_fit(m->rows, t->budget, m->err) : st;
}

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
add_to_row(struct moves *m, struct hp_row *row, uint32_t class_name,
	   int64_t change)
{
	uint64_t key = (uint64_t)row->index << 32 | class_name;
	uint64_t *slot = hp_id_map_put(&m->numbers, key, NULL);

	if (!slot)
		return hp_no_memory(m->err);
	if (*slot == 0) {
		if (!HP_VEC_PUSH(&m->list, struct row_class, .row = row,
				 .class_name = class_name))
			return hp_no_memory(m->err);
		*slot = m->list.count;
	}
	((struct row_class *)m->list.items)[*slot - 1].change += change;
	return fit(m);
}

static void
add_to_class(struct moves *m, uint32_t class_name, int64_t change)
{
	struct class_moves *c = &m->classes[class_name];

	if (change > 0)
		c->gained += (uint64_t)change;
	else
		c->lost += -(uint64_t)change;
}

/* The step that lost most; of equal ones that whose path comes first. */
static void
note_loss(struct moves *m, uint32_t step, uint64_t lost)
{
	struct class_moves *c = &m->classes[m->t->list[step].class_name];

	if (lost < c->most_lost ||
	    (lost == c->most_lost && hp_path_compare(m->t, c->most, step) < 0))
		return;
	c->most = step;
	c->most_lost = lost;
}

/* By step: what it has more, with all that are told alike. */
static void
find_changes(struct moves *m)
{
	for (uint32_t i = 1; i < m->t->count; i++)
		m->changes[m->t->list[i].told] +=
			(int64_t)(hp_path_sum_of(m->t, m->last, i).count -
				  hp_path_sum_of(m->t, 0, i).count);
}

/* Steps by their rows; what no row has counts by itself. Parents come first. */
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
		if (m->owners[i]) {
			st = add_to_row(m, m->owners[i], s->class_name, change);
			continue;
		}
		add_to_class(m, s->class_name, change);
		if (change < 0)
			note_loss(m, i, -(uint64_t)change);
	}
	return st;
}

/* Instances of what the row has more of the class that others lost. */
static uint64_t
moved_of(const struct moves *m, const struct row_class *one)
{
	const struct class_moves *c = &m->classes[one->class_name];

	if (one->change <= 0 || c->most == 0)
		return 0;
	if (c->lost >= c->gained)
		return (uint64_t)one->change;
	return (uint64_t)((double)one->change * (double)c->lost /
			  (double)c->gained);
}

/* Where most of them may come from. */
static enum hp_status
say_from(struct moves *m, struct hp_row *row, uint32_t step)
{
	hp_buf_clear(&m->text);
	hp_path_text(m->t, step, &m->text);
	if (hp_buf_ok(&m->text))
		row->moved_from = hp_arena_copy(&m->rows->arena, m->text.data,
						m->text.len);
	return row->moved_from ? fit(m) : hp_no_memory(m->err);
}

/*
 * Of each row the class that most of its objects moved with decides; of equal
 * ones that whose path comes first, for the list's order is that of the steps,
 * and that of the steps depends on the threads.
 */
static enum hp_status
judge_rows(struct moves *m)
{
	const struct row_class *list = m->list.items;
	struct source *sources = m->sources;
	enum hp_status st = HP_OK;
	struct hp_row *row;

	for (size_t i = 0; i < m->list.count; i++) {
		add_to_class(m, list[i].class_name, list[i].change);
		if (list[i].change > 0)
			m->more[list[i].row->index] += (uint64_t)list[i].change;
	}
	for (size_t i = 0; i < m->list.count; i++) {
		struct source one = {moved_of(m, &list[i]),
				     m->classes[list[i].class_name].most};
		struct source *best = &sources[list[i].row->index];

		list[i].row->moved_count += one.moved;
		if (one.moved > best->moved ||
		    (one.moved == best->moved && one.moved > 0 &&
		     hp_path_compare(m->t, one.step, best->step) < 0))
			*best = one;
	}
	for (size_t i = 0; i < m->rows->count && st == HP_OK; i++) {
		row = m->rows->list[i];
		if (sources[row->index].moved > 0 &&
		    row->moved_count >=
			    m->more[row->index] - m->more[row->index] / 2)
			st = say_from(m, row, sources[row->index].step);
	}
	return st;
}

enum hp_status
hp_moved_paths_find(const struct hp_path_tree *t, size_t last,
		    struct hp_row *const *row_of, const bool *untold,
		    struct hp_rows *rows, struct hp_error *err)
{
	struct moves m = {.t = t, .last = last, .rows = rows, .err = err};
	enum hp_status st = fit(&m);

	if (st != HP_OK)
		return st;
	m.sources = calloc(rows->count + 1, sizeof(*m.sources));
	m.owners = calloc((size_t)t->count + 1, sizeof(struct hp_row *));
	m.classes = calloc(t->names.count + 1, sizeof(*m.classes));
	m.more = calloc(rows->count + 1, sizeof(*m.more));
	m.changes = calloc(t->count, sizeof(*m.changes));
	if (m.sources && m.owners && m.classes && m.more && m.changes)
		find_changes(&m);
	else
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = add_steps(&m, row_of, untold);
	if (st == HP_OK)
		st = judge_rows(&m);
	for (size_t i = 0; i < rows->count; i++)
		if (!rows->list[i]->moved_from)
			rows->list[i]->moved_count = 0;
	free(m.sources);
	free(m.owners);
	free(m.changes);
	free(m.classes);
	free(m.more);
	free(m.list.items);
	hp_id_map_release(&m.numbers);
	hp_buf_release(&m.text);
	hp_budget_release(t->budget, &m.noted);
	return st;
}
