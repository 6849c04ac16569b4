/* path_rows.c - make the rows of --by=path from the tree of all paths */
#include "diff/paths/paths.h"

#include "common/base/memory.h"
#include "common/cli/glob.h"
#include "common/cli/quantity.h"
#include "diff/paths/internal.h"

#include <string.h>

enum {
	/*
	 * a path that retains less than 1/SMALL_PARTS (a millionth) of a dump
	 * has no row of its own
	 */
	SMALL_PARTS = 1 << 20
};

/*
 * The key of the row that adds up all small paths. The row is shown only with
 * --all.
 */
static const char small_key[] = "(paths of less than a millionth)";

/*
 * Sums for a row: what the objects retain whose paths begin with the path of
 * the row.
 */
struct below {
	/*
	 * first: the sums in the first dump; now: the sums in the dump that is
	 * compared with it
	 */
	struct hp_graph_sum first, now;
	/*
	 * the sums have grown so much that the row is shown even if its path is
	 * on the built-in list of ignored paths
	 */
	bool grew;
	/* at least one of the counted objects has a class of the application */
	bool application;
};

struct maker {
	struct hp_result *r;
	const struct hp_path_tree *t;
	const bool *walked;
	/*
	 * for each step: the row of its path; NULL: the row of all small paths
	 */
	struct hp_row **row_of;
	/*
	 * for each step: the result of hide(), which shows whether the path of
	 * the step grew or shrank
	 */
	int8_t *grew;
	/*
	 * number of rows from saved results; these rows come first in the list
	 * of rows
	 */
	size_t nsaved;
	/* for each row: the path tree has a step with the path of this row */
	bool *has_step;
	/*
	 * the next two members are allocated only if the built-in list of
	 * ignored paths is used
	 */
	/*
	 * for each row: the sums of the objects whose paths begin with the path
	 * of the row
	 */
	struct below *below;
	/*
	 * for each step: the sums of its objects in the dump that is currently
	 * processed
	 */
	struct hp_graph_sum *sums;
	/*
	 * the row of saved results that adds up all small paths; NULL: no saved
	 * result has such a row
	 */
	struct hp_row *saved_small;
	/*
	 * the maximum of hp_dump_info.untold of all dumps: a saved result may
	 * lack a row for a path with at most this number of objects and bytes
	 */
	struct hp_graph_sum unknown;
	struct hp_buf text;
	struct hp_error *err;
};

/*
 * Compare the values of a row in the dumps @a and @b: the bytes, then the
 * numbers of objects. The result is positive if the value in @a is larger,
 * negative if that in @b is larger, and 0 if both are equal.
 */
static int
compare(const struct hp_row *row, size_t a, size_t b)
{
	if (row->bytes[a] != row->bytes[b])
		return row->bytes[a] > row->bytes[b] ? 1 : -1;
	return (row->count[a] > row->count[b]) -
	       (row->count[a] < row->count[b]);
}

/*
 * Returns how a row changed: 2 if it grew from each dump to the next; 1 if it
 * grew from the first to the last dump; -1 if it shrank. If its values in the
 * first and the last dump are equal, the first change between these dumps
 * decides; 0 means that there is no change.
 */
static int
growth(const struct maker *m, const struct hp_row *row)
{
	size_t last = m->r->ndumps - 1;
	bool always = last > 0;
	int grew;

	for (size_t i = 1; i <= last; i++)
		always &= compare(row, i, i - 1) > 0;
	if (always)
		return 2;
	grew = compare(row, last, 0);
	for (size_t i = 1; i < last && grew == 0; i++)
		grew = compare(row, i, 0);
	return grew;
}

/*
 * Returns the limit for small paths in a dump. A path is small if both its
 * bytes and its number of objects are below the limit. Bytes alone are not
 * enough: on Android, objects of many classes have the size 0, and a gate on
 * the number of objects must notice even a few new objects.
 */
static struct hp_graph_sum
small_sum(const struct maker *m, size_t dump)
{
	const struct hp_graph_sum *all = &m->r->dumps[dump].reachable;

	return (struct hp_graph_sum){.objects = all->objects / SMALL_PARTS,
				     .bytes = all->bytes / SMALL_PARTS};
}

static struct hp_graph_sum
larger_sum(struct hp_graph_sum a, struct hp_graph_sum b)
{
	return (struct hp_graph_sum){
		.objects = a.objects > b.objects ? a.objects : b.objects,
		.bytes = a.bytes > b.bytes ? a.bytes : b.bytes};
}

/*
 * Whether a path is small in every dump. A saved result does not list its small
 * paths. So a path also counts as small if it is not larger than a path that a
 * saved result may have left out.
 */
static bool
is_small(const struct maker *m, uint32_t step)
{
	uint32_t told = m->t->list[step].told;

	for (size_t i = 0; i < m->r->ndumps; i++) {
		struct hp_graph_sum most =
			larger_sum(small_sum(m, i), m->unknown);
		struct hp_path_sum sum = hp_path_sum_of(m->t, i, told);

		if (m->r->options->why || sum.retained_bytes > most.bytes ||
		    sum.native > most.bytes ||
		    sum.retained_count > most.objects)
			return false;
	}
	return true;
}

/*
 * For each saved result, set hp_dump_info.untold: the largest size of a path
 * for which the saved result may lack a row.
 */
static void
note_untold(struct maker *m)
{
	m->saved_small =
		hp_rows_find(&m->r->rows, small_key, strlen(small_key));
	for (size_t i = 0; i < m->r->ndumps; i++) {
		if (!m->saved_small || m->saved_small->count[i] == 0)
			continue;
		m->r->dumps[i].untold = small_sum(m, i);
		m->unknown = larger_sum(m->unknown, m->r->dumps[i].untold);
	}
}

/*
 * Whether the growth of a row is not known, because its path may be one of the
 * small paths of a saved result. The growth of the row that adds up all small
 * paths is not known either, because these are different paths in each dump.
 */
static bool
is_unknown(const struct maker *m, const struct hp_row *row)
{
	if (row == m->saved_small)
		return true;
	for (size_t i = 0; i < m->r->ndumps; i++)
		if (row->retained_bytes[i] > m->unknown.bytes ||
		    row->retained_count[i] > m->unknown.objects)
			return false;
	return true;
}

/*
 * Whether a step has objects in at least one dump. If the paths of several
 * steps have the same text, the objects of all these steps count.
 */
static bool
is_there(const struct maker *m, uint32_t step)
{
	for (size_t i = 0; i < m->r->ndumps; i++) {
		struct hp_path_sum sum = hp_path_sum_of(m->t, i, step);

		if (sum.count > 0 || sum.retained_count > 0)
			return true;
	}
	return false;
}

static void
add_sums(const struct maker *m, struct hp_row *row, uint32_t step, bool whole)
{
	for (size_t i = 0; i < m->r->ndumps; i++) {
		struct hp_path_sum sum = hp_path_sum_of(m->t, i, step);

		if (!m->walked[i])
			continue;
		row->count[i] += sum.count;
		row->bytes[i] += sum.bytes;
		row->retained_count[i] +=
			whole ? sum.retained_count : sum.count;
		row->retained_bytes[i] +=
			whole ? sum.retained_bytes : sum.bytes;
		if (row->native && whole)
			hp_sum_add(&row->native[i], sum.native);
	}
}

/*
 * If the name of the last class of a path suggests the wrong origin, store the
 * true origin (JDK or application) in the row. Saved results need it, because
 * they contain no class loaders.
 */
static void
tell_origin(const struct maker *m, struct hp_row *row, uint32_t step)
{
	const struct hp_row *name =
		m->t->names.list[m->t->list[step].class_name];

	if (m->r->ndumps == 1 && name->origin != HP_CLASS_OF_UNKNOWN &&
	    name->origin != hp_class_origin_by_name(name->key))
		row->origin = name->origin;
}

/*
 * If a single container is at the end of the path, store in the row what it is.
 */
static bool
tell_label(const struct maker *m, struct hp_row *row, uint32_t step)
{
	const char *label = hp_path_text_label(m->t, step);

	if (!label || row->label)
		return true;
	row->label = hp_arena_copy(&m->r->rows.arena, label, strlen(label));
	return row->label;
}

static enum hp_status
add_step(struct maker *m, uint32_t step)
{
	struct hp_row *row;
	bool whole = !is_small(m, step);

	if (!is_there(m, m->r->options->why ? step : m->t->list[step].told))
		return HP_OK;
	hp_buf_clear(&m->text);
	if (whole || m->nsaved > 0)
		hp_path_text(m->t, step, &m->text);
	/*
	 * if a saved result has a row for this path, keep the row even if it is
	 * small
	 */
	whole |= m->nsaved > 0 && hp_buf_ok(&m->text) &&
		 hp_rows_find(&m->r->rows, m->text.data, m->text.len);
	if (!whole) {
		hp_buf_clear(&m->text);
		hp_buf_text(&m->text, small_key);
	}
	row = hp_rows_put_text(&m->r->rows, &m->text);
	if (!row)
		return hp_no_memory(m->err);
	add_sums(m, row, step, whole);
	if (whole) {
		m->row_of[step] = row;
		tell_origin(m, row, step);
		if (!tell_label(m, row, step))
			return hp_no_memory(m->err);
	}
	return HP_OK;
}

/*
 * Hide the row of a path if a shorter path (a beginning of this path) changed
 * in the same way. If several paths share a row, it is hidden only if this is
 * so for all of them. @above: how the shorter paths changed. Returns how this
 * path and the shorter paths changed: the caller passes this as @above for
 * paths that are one step longer.
 */
static int8_t
hide(const struct maker *m, struct hp_row *row, int above)
{
	int own = row && !row->ignored ? growth(m, row) : 0;

	if (row)
		row->hidden &= own == 0 || (own > 0 ? above >= own : above < 0);
	/*
	 * if this path did not change, return @above, so that longer paths are
	 * compared with the shorter paths
	 */
	return (int8_t)(own == 0 || (own > 0 && above > own) ? above : own);
}

/* --- the ignore list ------------------------------------------------------ */

static bool
uses_list(const struct maker *m)
{
	return m->r->ndumps > 1 && !m->r->options->why &&
	       !m->r->options->no_ignore_list;
}

static bool
has_application(const struct maker *m, uint32_t step)
{
	const struct hp_row *name =
		m->t->names.list[m->t->list[step].class_name];

	if ((name->origin ? name->origin
			  : hp_class_origin_by_name(name->key)) !=
	    HP_CLASS_OF_APPLICATION)
		return false;
	for (size_t i = 0; i < m->r->ndumps; i++)
		if (hp_path_sum_of(m->t, i, step).count > 0)
			return true;
	return false;
}

/*
 * For each step, add up the objects of one dump whose paths end at the step or
 * go through it. In the list of steps, a parent comes before its children, so a
 * loop from the end of the list adds the sums of each step to its parent.
 */
static void
sum_below(struct maker *m, size_t dump)
{
	memset(m->sums, 0, m->t->count * sizeof(*m->sums));
	for (uint32_t i = m->t->count; i-- > 1;) {
		struct hp_path_sum own = hp_path_sum_of(m->t, dump, i);
		struct hp_graph_sum *sum = &m->sums[i];
		struct hp_graph_sum *above = &m->sums[m->t->list[i].parent];

		hp_sum_add(&sum->objects, own.count);
		hp_sum_add(&sum->bytes, own.bytes);
		hp_sum_add(&above->objects, sum->objects);
		hp_sum_add(&above->bytes, sum->bytes);
		if (m->row_of[i]) {
			struct below *b = &m->below[m->row_of[i]->index];

			hp_sum_add(&b->now.objects, sum->objects);
			hp_sum_add(&b->now.bytes, sum->bytes);
		}
	}
}

/*
 * Set `grew` in below[] for each row that has grown so much that the built-in
 * list of ignored paths does not hide it.
 */
static void
compare_below(struct maker *m, size_t dump)
{
	const struct hp_graph_sum most =
		hp_ignored_most(m->r->dumps[0].reachable);

	for (size_t i = 0; i < m->r->rows.count; i++) {
		struct below *b = &m->below[i];

		if (dump == 0)
			b->first = b->now;
		b->grew |= hp_growth(b->first.bytes, b->now.bytes) >
				   (int64_t)most.bytes ||
			   hp_growth(b->first.objects, b->now.objects) >
				   (int64_t)most.objects;
		b->now = (struct hp_graph_sum){0};
	}
}

/* Find the rows whose paths lead to an object of an application class. */
static enum hp_status
find_application(struct maker *m)
{
	bool *leads = hp_calloc(m->t->count, sizeof(*leads));

	if (!leads)
		return hp_no_memory(m->err);
	for (uint32_t i = m->t->count; i-- > 1;) {
		leads[i] |= has_application(m, i);
		leads[m->t->list[i].parent] |= leads[i];
		if (m->row_of[i])
			m->below[m->row_of[i]->index].application |= leads[i];
	}
	hp_free(leads);
	return HP_OK;
}

/*
 * For each row, add up the objects whose paths begin with the path of the row.
 * Only the built-in list of ignored paths needs these sums.
 */
static enum hp_status
find_below(struct maker *m)
{
	m->below = hp_calloc(m->r->rows.count + 1, sizeof(*m->below));
	m->sums = hp_calloc(m->t->count, sizeof(*m->sums));
	if (!m->below || !m->sums)
		return hp_no_memory(m->err);
	for (size_t i = 0; i < m->r->ndumps; i++) {
		sum_below(m, i);
		compare_below(m, i);
	}
	return find_application(m);
}

static bool
is_ignored(const struct maker *m, const struct hp_row *row)
{
	const struct hp_diff_options *o = m->r->options;

	if (m->below && !m->below[row->index].application &&
	    !m->below[row->index].grew &&
	    hp_ignored_path_is_listed(row->key, row->key_len))
		return true;
	for (size_t i = 0; i < o->ignored_path_count; i++)
		if (hp_glob_match(o->ignored_paths[i], row->key, row->key_len))
			return true;
	return false;
}

static enum hp_status
ignore_rows(struct maker *m)
{
	struct hp_rows *rows = &m->r->rows;
	bool compared = m->r->ndumps > 1;
	enum hp_status st = uses_list(m) ? find_below(m) : HP_OK;

	for (size_t i = 0; i < rows->count && st == HP_OK; i++) {
		rows->list[i]->unknown =
			compared && is_unknown(m, rows->list[i]);
		rows->list[i]->ignored =
			rows->list[i]->unknown || is_ignored(m, rows->list[i]);
	}
	return st;
}

/* --- nested rows ---------------------------------------------------------- */

/*
 * Hide the rows whose change is explained by the change of a shorter path (a
 * beginning of the path of the row). In the list of steps, a parent comes
 * before its children.
 */
static void
hide_nested(struct maker *m)
{
	for (uint32_t i = 1; i < m->t->count; i++) {
		struct hp_row *row = m->row_of[i];

		m->grew[i] = hide(m, row, m->grew[m->t->list[i].parent]);
		if (row)
			m->has_step[row->index] = true;
	}
}

static void
hide_others(struct maker *m)
{
	const struct hp_rows *rows = &m->r->rows;

	for (size_t i = 0; i < m->nsaved; i++)
		if (!m->has_step[i])
			hide(m, rows->list[i], 0);
}

static enum hp_status
hide_rows(struct maker *m)
{
	struct hp_rows *rows = &m->r->rows;
	struct hp_row *small;

	m->has_step = hp_calloc(rows->count + 1, sizeof(*m->has_step));
	if (!m->has_step)
		return hp_no_memory(m->err);
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i]->hidden = true;
	hide_nested(m);
	hide_others(m);
	small = hp_rows_find(rows, small_key, strlen(small_key));
	if (small)
		small->hidden = true;
	return HP_OK;
}

/*
 * Returns for each step whether its growth is not known, because a saved result
 * may have counted some of its objects in the sum of small paths. NULL if out
 * of memory.
 */
static bool *
find_untold(const struct maker *m)
{
	bool *untold = hp_calloc(m->t->count, sizeof(*untold));

	for (uint32_t i = 1; untold && m->saved_small && i < m->t->count; i++)
		untold[i] = !m->row_of[i] || is_unknown(m, m->row_of[i]);
	return untold;
}

static enum hp_status
find_moved(struct maker *m)
{
	bool *untold = find_untold(m);
	enum hp_status st =
		untold ? hp_moved_paths_find(m->t, m->r->ndumps - 1, m->row_of,
					     untold, &m->r->rows, m->err)
		       : hp_no_memory(m->err);

	hp_free(untold);
	return st;
}

/*
 * Add the paths of saved results to the path tree, and allocate the arrays that
 * have an element for each step.
 */
static enum hp_status
add_saved(struct maker *m, struct hp_path_tree *t)
{
	bool *saved = hp_calloc(m->r->ndumps, sizeof(*saved));
	enum hp_status st = HP_OK;

	if (!saved)
		return hp_no_memory(m->err);
	for (size_t i = 0; i < m->r->ndumps; i++)
		saved[i] = !m->walked[i];
	if (m->nsaved > 0)
		st = hp_saved_paths_add(t, &m->r->rows, saved, m->err);
	hp_free(saved);
	if (st != HP_OK)
		return st;
	m->row_of = hp_calloc(t->count, sizeof(struct hp_row *));
	m->grew = hp_calloc(t->count, sizeof(*m->grew));
	return m->row_of && m->grew ? HP_OK : hp_no_memory(m->err);
}

static enum hp_status
make_rows(struct maker *m)
{
	struct hp_rows *rows = &m->r->rows;
	size_t last = m->r->ndumps - 1;
	bool why = m->r->options->why;
	enum hp_status st = HP_OK;

	for (uint32_t i = 1; i < m->t->count && st == HP_OK; i++)
		st = add_step(m, i);
	if (st != HP_OK)
		return st;
	st = ignore_rows(m);
	if (st == HP_OK && !why)
		st = hide_rows(m);
	if (st == HP_OK && !why)
		st = last > 0 ? find_moved(m)
			      : hp_saved_paths_tell(m->t, m->row_of, rows,
						    m->err);
	return st;
}

enum hp_status
hp_path_rows_make(struct hp_result *r, struct hp_path_tree *t,
		  const bool *walked, struct hp_error *err)
{
	struct maker m = {.r = r, .t = t, .walked = walked, .err = err};
	enum hp_status st;

	m.nsaved = r->rows.count;
	note_untold(&m);
	st = add_saved(&m, t);
	if (st == HP_OK)
		st = make_rows(&m);
	hp_free(m.row_of);
	hp_free(m.grew);
	hp_free(m.has_step);
	hp_free(m.below);
	hp_free(m.sums);
	hp_buf_release(&m.text);
	return st;
}
