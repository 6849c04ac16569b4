/*
 * row_paths.c - find the paths that the HTML report shows for the row of a
 * class: the paths to the objects of this class
 *
 * Objects are added up by class and path. Then the most important rows, and
 * their largest paths, are chosen.
 */
#include "diff/leaks/leaks.h"

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* maximum number of rows for which the report shows paths */
	ROWS_TOLD = 150,
	/*
	 * maximum number of paths that are shown for a row; all others are
	 * added up in one line
	 */
	PATHS_TOLD = 8,
	/* maximum total number of bytes of the texts of all steps */
	TEXT_TOLD = 192 * 1024,
	/* number of objects between the two prefetches for an object */
	AHEAD = 16,
	NO_PLACE = UINT32_MAX
};

/* --- adding up objects by class and path ---------------------------------- */

/*
 * Make room in p->own for the steps of the path tree that it does not have yet.
 */
static enum hp_status
add_own(struct hp_row_paths *p, const struct hp_path_tree *tree,
	struct hp_error *err)
{
	struct hp_class_at_step *own;

	if (p->nown == tree->count)
		return HP_OK;
	own = hp_zeroed_table_new(tree->count * sizeof(*own));
	if (!own)
		return hp_no_memory(err);
	if (p->nown > 0)
		memcpy(own, p->own, p->nown * sizeof(*own));
	hp_free(p->own);
	p->own = own;
	for (; p->nown < tree->count; p->nown++) {
		own[p->nown].class_name = tree->list[p->nown].class_name;
		own[p->nown].step = p->nown;
	}
	return HP_OK;
}

/*
 * Find or create the sum for the objects of one class whose paths all end at
 * the same step of the path tree. Returns NULL if out of memory.
 */
static struct hp_class_at_step *
find_sum(struct hp_row_paths *p, uint32_t class_name, uint32_t step)
{
	uint64_t pair = (uint64_t)class_name << 32 | step, *slot;
	bool fresh;

	/*
	 * reserve memory in p->list first: if this fails, the map p->by_pair
	 * must not get a pair, because p->list would have no entry for it
	 */
	if (!HP_LIST_RESERVE(p->list, p->count, p->cap))
		return NULL;
	slot = hp_id_map_put(&p->by_pair, pair, &fresh);
	if (!slot)
		return NULL;
	if (!fresh)
		return &p->list[*slot];
	*slot = p->count;
	p->list[p->count] = (struct hp_class_at_step){.class_name = class_name,
						      .step = step};
	return &p->list[p->count++];
}

/*
 * Prefetch what the loop of hp_row_paths_add() needs for the objects that come
 * next in the dominator tree.
 */
HP_HOT void
prefetch(const struct hp_row_paths *p, const struct hp_path_walk *w,
	 const struct hp_tree *tree, uint32_t place)
{
	const uint32_t *nodes = tree->nodes.at;

	hp_path_fetch_step(w, tree, place + 2 * AHEAD);
	if (place + AHEAD < tree->count)
		__builtin_prefetch(
			&p->own[hp_path_step_of(w, nodes[place + AHEAD])], 1);
}

enum hp_status
hp_row_paths_add(struct hp_row_paths *p, const struct hp_path_walk *w,
		 const struct hp_path_tree *paths, const struct hp_retained *t,
		 bool last, struct hp_error *err)
{
	const uint32_t *nodes = t->tree.nodes.at;
	const struct hp_node_kind *list = t->graph.kinds.list;
	struct hp_class_at_step *other = NULL, *sum;

	if (add_own(p, paths, err) != HP_OK)
		return err->status;
	for (uint32_t place = 1; place < t->tree.count; place++) {
		uint32_t kind = hp_tree_kind(&t->tree, place);
		uint32_t name = w->class_rows[kind];
		uint32_t step = hp_path_step_of(w, nodes[place]);

		prefetch(p, w, &t->tree, place);
		/*
		 * skip class objects, which share the row java.lang.Class, and
		 * unreachable objects, which have the step 0
		 */
		if (list[kind].of == HP_NODE_CLASS || step == 0)
			continue;
		sum = &p->own[step];
		if (sum->class_name != name) {
			/*
			 * consecutive objects often have the same class, so try
			 * the previous sum first
			 */
			if (!other || other->class_name != name ||
			    other->step != step)
				other = find_sum(p, name, step);
			if (!other)
				return hp_no_memory(err);
			sum = other;
		}
		sum->count[last]++;
		sum->bytes[last] += list[kind].bytes;
	}
	p->have[last] = true;
	return HP_OK;
}

/* --- choosing rows -------------------------------------------------------- */

/*
 * Returns the importance of a row for the report, in bytes: its change or, with
 * one dump, its retained size.
 */
static uint64_t
weight(const struct hp_rows *rows, const struct hp_row *row)
{
	size_t last = rows->dumps - 1;
	uint64_t own, kept;

	if (last == 0)
		return row->retained_bytes[0];
	own = hp_difference(row->bytes[0], row->bytes[last]);
	kept = hp_difference(row->retained_bytes[0], row->retained_bytes[last]);
	return own > kept ? own : kept;
}

static int
compare_weights(const void *a, const void *b, void *rows)
{
	const struct hp_row *x = *(const struct hp_row *const *)a;
	const struct hp_row *y = *(const struct hp_row *const *)b;
	uint64_t p = weight(rows, x), q = weight(rows, y);
	size_t last = ((const struct hp_rows *)rows)->dumps - 1;

	if (p == q) {
		p = x->retained_bytes[last];
		q = y->retained_bytes[last];
	}
	if (p != q)
		return hp_order(q, p);
	return strcmp(x->key, y->key);
}

/* The paths to the objects of one row. */
struct row_paths {
	/* the largest paths, the largest one first */
	struct hp_class_at_step largest[PATHS_TOLD];
	/* the sums of all paths */
	struct hp_class_at_step all;
	/* number of all paths, and of those in `largest` */
	size_t count, kept;
	/*
	 * the smallest path of the PATHS_TOLD largest ones, if only their sizes
	 * are compared; smaller paths need not be compared by their names
	 */
	struct hp_class_at_step least;
};

struct telling {
	struct hp_row_paths *p;
	struct hp_path_tree *tree;
	struct hp_result *r;
	/*
	 * for each class name: the position of its row among the chosen rows,
	 * from 0; NO_PLACE: the row is not chosen
	 */
	uint32_t *rank;
	/* the chosen rows, the most important one first */
	struct hp_row **rows;
	size_t nrows;
	/* maps a step of the path tree to its number in the result, from 1 */
	struct hp_id_map steps;
	/* text: number of bytes of the texts of all steps stored so far */
	size_t cap_paths, cap_steps, text;
	struct hp_error *err;
};

/*
 * Whether the report may show paths for a row. It does not for the row of class
 * objects (java.lang.Class): each class has a path of its own, so sums by path
 * are useless.
 */
static bool
may_be_told(const struct telling *t, const struct hp_row *row)
{
	const char *filter = t->r->options->filter;

	return !row->rollup && strcmp(row->key, "java.lang.Class") != 0 &&
	       (!filter || hp_row_matches(row, filter));
}

/* Choose the most important rows, and store the position of each in t->rank. */
static enum hp_status
choose_rows(struct telling *t)
{
	const struct hp_rows *rows = &t->r->rows;
	size_t n = 0;

	t->rows = hp_malloc((rows->count + 1) * sizeof(struct hp_row *));
	if (!t->rows)
		return hp_no_memory(t->err);
	for (size_t i = 0; i < rows->count; i++)
		if (may_be_told(t, rows->list[i]))
			t->rows[n++] = rows->list[i];
	qsort_r(t->rows, n, sizeof(struct hp_row *), compare_weights,
		(void *)rows);
	t->nrows = n < ROWS_TOLD ? n : ROWS_TOLD;
	t->rank = hp_malloc((t->tree->names.count + t->nrows + 1) *
			    sizeof(*t->rank));
	if (!t->rank)
		return hp_no_memory(t->err);
	for (size_t i = 0; i < t->tree->names.count + t->nrows; i++)
		t->rank[i] = NO_PLACE;
	for (size_t i = 0; i < t->nrows; i++) {
		/*
		 * if the path tree does not have the class name of the row, add
		 * it, without sums
		 */
		const struct hp_row *name =
			hp_rows_put(&t->tree->names, t->rows[i]->key,
				    t->rows[i]->key_len, NULL, NULL);

		if (!name)
			return hp_no_memory(t->err);
		t->rank[name->index] = (uint32_t)i;
	}
	return HP_OK;
}

/* --- choosing paths ------------------------------------------------------- */

/*
 * Compare the sizes of two paths of one row, largest first: the change in bytes
 * and, if it is equal, the bytes in the last dump.
 */
static int
compare_sizes(const struct telling *t, const struct hp_class_at_step *x,
	      const struct hp_class_at_step *y)
{
	uint64_t p, q;

	p = t->r->ndumps > 1 ? hp_difference(x->bytes[0], x->bytes[1]) : 0;
	q = t->r->ndumps > 1 ? hp_difference(y->bytes[0], y->bytes[1]) : 0;
	if (p == q) {
		p = x->bytes[1];
		q = y->bytes[1];
	}
	return hp_order(q, p);
}

/* Compare two paths of one row by their sizes, then by their names. */
static int
compare_paths(const struct telling *t, const struct hp_class_at_step *x,
	      const struct hp_class_at_step *y)
{
	int c = compare_sizes(t, x, y);

	return c ? c : hp_path_compare(t->tree, x->step, y->step);
}

/*
 * If the path @s is one of the largest ones so far, according to @compare, keep
 * it in the list of the row, which is sorted.
 *
 * A row can have millions of paths, of which at most PATHS_TOLD are shown. So
 * the paths are not sorted: most of them are compared only with the smallest
 * path in the list.
 */
static void
keep_largest(const struct telling *t, struct row_paths *row,
	     const struct hp_class_at_step *s,
	     int (*compare)(const struct telling *,
			    const struct hp_class_at_step *,
			    const struct hp_class_at_step *))
{
	size_t at;

	if (row->kept == PATHS_TOLD &&
	    compare(t, s, &row->largest[PATHS_TOLD - 1]) >= 0)
		return;
	if (row->kept < PATHS_TOLD)
		row->kept++;
	for (at = row->kept - 1;
	     at > 0 && compare(t, s, &row->largest[at - 1]) < 0; at--)
		row->largest[at] = row->largest[at - 1];
	row->largest[at] = *s;
}

/*
 * Count the path @s in the sum of its row, and find the sizes of the largest
 * paths.
 */
static void
add_size(const struct telling *t, struct row_paths *row,
	 const struct hp_class_at_step *s)
{
	for (unsigned k = 0; k < 2; k++) {
		row->all.count[k] += s->count[k];
		row->all.bytes[k] += s->bytes[k];
	}
	row->count++;
	keep_largest(t, row, s, compare_sizes);
}

/*
 * Choose the largest paths, after add_size() was called for all paths. Names
 * are compared only here, because comparing the names of two paths takes much
 * longer than comparing their sizes.
 */
static void
choose_path(const struct telling *t, struct row_paths *row,
	    const struct hp_class_at_step *s)
{
	if (compare_sizes(t, s, &row->least) <= 0)
		keep_largest(t, row, s, compare_paths);
}

typedef void row_path_fn(const struct telling *, struct row_paths *,
			 const struct hp_class_at_step *);

/* Call @use for each path in a list that belongs to a chosen row. */
static void
use_list(const struct telling *t, const struct hp_class_at_step *list, size_t n,
	 struct row_paths *rows, row_path_fn *use)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t rank = t->rank[list[i].class_name];

		if (rank != NO_PLACE &&
		    (list[i].count[0] != 0 || list[i].count[1] != 0))
			use(t, &rows[rank], &list[i]);
	}
}

/* Call @use for each path of each chosen row. */
static void
use_paths(const struct telling *t, struct row_paths *rows, row_path_fn *use)
{
	use_list(t, t->p->own, t->p->nown, rows, use);
	use_list(t, t->p->list, t->p->count, rows, use);
}

/*
 * Append one step of a path to the result, unless the result already has it.
 * The result already has the previous step of the path.
 */
static enum hp_status
add_step(struct telling *t, uint32_t step, uint32_t parent, uint64_t *slot)
{
	const char *label = hp_path_label(t->tree, step);
	struct hp_paths *out = &t->r->paths;
	struct hp_path_words *made;
	struct hp_buf text = {0};

	if (!HP_LIST_RESERVE(out->steps, out->nsteps, t->cap_steps))
		return hp_no_memory(t->err);
	made = &out->steps[out->nsteps++];
	*made = (struct hp_path_words){.parent = parent};
	hp_path_step_text(t->tree, step, &text);
	t->text += text.len;
	if (hp_buf_ok(&text)) {
		made->text = hp_arena_copy(&t->r->arena, text.data, text.len);
		*slot = out->nsteps; /* steps are numbered from 1 */
	}
	hp_buf_release(&text);
	if (label)
		made->label = hp_arena_copy(&t->r->arena, label, strlen(label));
	return made->text && (made->label || !label) ? HP_OK
						     : hp_no_memory(t->err);
}

/*
 * Append the steps of a path up to @step to the result. If the path has static
 * fields, start at the last of them, as hp_path_text() does. @told: receives
 * the number that the step @step has in the result.
 */
static enum hp_status
add_steps(struct telling *t, uint32_t step, uint32_t *told)
{
	uint32_t up[HP_PATH_DEPTH + 1];
	enum hp_status st = HP_OK;
	unsigned n = 0;

	for (; step != 0 && n <= HP_PATH_DEPTH;
	     step = t->tree->list[step].parent) {
		up[n++] = step;
		if (t->tree->list[step].kind == HP_PATH_STATIC)
			break;
	}
	*told = 0;
	while (n > 0 && st == HP_OK) {
		uint64_t *slot = hp_id_map_put(&t->steps, up[--n], NULL);

		if (!slot)
			return hp_no_memory(t->err);
		if (*slot == 0)
			st = add_step(t, up[n], *told, slot);
		*told = (uint32_t)*slot;
	}
	return st;
}

static enum hp_status
add_path(struct telling *t, const struct hp_class_at_step *s, uint32_t step)
{
	struct hp_paths *out = &t->r->paths;
	struct hp_row_path *path;

	if (!HP_LIST_RESERVE(out->list, out->count, t->cap_paths))
		return hp_no_memory(t->err);
	path = &out->list[out->count++];
	*path = (struct hp_row_path){.row = t->rows[t->rank[s->class_name]],
				     .step = step};
	for (unsigned k = 0; k < 2; k++) {
		path->objects[k] = s->count[k];
		path->bytes[k] = s->bytes[k];
	}
	return HP_OK;
}

/*
 * Append the paths of one row to the result. If there are too many paths, the
 * remaining ones are added up as one path with the step number 0.
 */
static enum hp_status
tell_row(struct telling *t, const struct row_paths *row)
{
	struct hp_class_at_step rest = row->all;
	enum hp_status st = HP_OK;
	size_t told = 0;
	uint32_t step;

	while (told < row->kept && t->text < TEXT_TOLD && st == HP_OK) {
		const struct hp_class_at_step *s = &row->largest[told++];

		for (unsigned k = 0; k < 2; k++) {
			rest.count[k] -= s->count[k];
			rest.bytes[k] -= s->bytes[k];
		}
		st = add_steps(t, s->step, &step);
		if (st == HP_OK)
			st = add_path(t, s, step);
	}
	rest.class_name = row->largest[0].class_name;
	if (st == HP_OK && told > 0 && told < row->count)
		st = add_path(t, &rest, 0);
	return st;
}

/*
 * Append the paths of all chosen rows to the result, the most important row
 * first.
 */
static enum hp_status
tell_rows(struct telling *t)
{
	struct row_paths *rows = hp_calloc(t->nrows + 1, sizeof(*rows));
	enum hp_status st = HP_OK;

	if (!rows)
		return hp_no_memory(t->err);
	use_paths(t, rows, add_size);
	for (size_t i = 0; i < t->nrows; i++)
		if (rows[i].kept > 0) {
			rows[i].least = rows[i].largest[rows[i].kept - 1];
			rows[i].kept = 0;
		}
	use_paths(t, rows, choose_path);
	for (size_t i = 0; i < t->nrows && st == HP_OK; i++)
		if (rows[i].count > 0)
			st = tell_row(t, &rows[i]);
	hp_free(rows);
	return st;
}

enum hp_status
hp_row_paths_finish(struct hp_row_paths *p, struct hp_path_tree *tree,
		    struct hp_result *r, struct hp_error *err)
{
	struct telling t = {.p = p, .tree = tree, .r = r, .err = err};
	enum hp_status st;

	if (!p->have[1] || (r->ndumps > 1 && !p->have[0]))
		return HP_OK;
	st = choose_rows(&t);
	if (st == HP_OK)
		st = tell_rows(&t);
	hp_id_map_release(&t.steps);
	hp_free(t.rank);
	hp_free(t.rows);
	return st;
}

void
hp_row_paths_release(struct hp_row_paths *p)
{
	hp_free(p->own);
	hp_id_map_release(&p->by_pair);
	hp_free(p->list);
	*p = (struct hp_row_paths){0};
}
