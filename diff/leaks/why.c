/*
 * why.c - build the tree of --why, which shows the paths that keep certain
 * objects alive
 *
 * Each step of a path counts the objects at the end of the path. The tree has
 * every step that leads to an object that --why asks for.
 *
 * Objects that only moved to another path since the first dump are not growth.
 * They are found first, and this file stores how many objects moved to and away
 * from each step.
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/glob.h"
#include "common/cli/quantity.h"
#include "diff/paths/paths.h"

#include <stdlib.h>
#include <string.h>

/*
 * Find the objects that --why asks for. Returns how many of them are reachable.
 * If @what is a pattern, set @by_kind for the kinds of objects (class and size)
 * that match. If @what is an object id, set *@wanted to the number of the
 * object in the graph.
 */
static uint32_t
find_wanted(const struct hp_path_walk *w, const struct hp_path_tree *tree,
	    const struct hp_retained *t, const char *what, bool *by_kind,
	    uint32_t *wanted, bool *known)
{
	const struct hp_tree *const trees[] = {&t->tree, &t->queue.tree};
	struct hp_rank_near near = {0};
	uint32_t n = 0;
	uint64_t id;

	if (hp_id_parse(what, &id)) {
		*wanted = hp_node_of(&t->graph.nodes, &near, id);
		*known |= *wanted != HP_NO_NODE;
		return *wanted != HP_NO_NODE &&
		       hp_path_step_of(w, *wanted) != 0;
	}
	for (uint32_t k = 1; k < t->graph.kinds.count; k++) {
		const struct hp_row *row = tree->names.list[w->class_rows[k]];
		bool class = t->graph.kinds.list[k].of == HP_NODE_CLASS;

		by_kind[k] = class == (strncmp(what, "class ", 6) == 0) &&
			     hp_glob_match(what, row->key, row->key_len);
	}
	for (size_t i = 0; i < HP_ARRAY_LEN(trees); i++)
		for (uint32_t p = 1; p < trees[i]->count; p++)
			n += by_kind[hp_tree_kind(trees[i], p)];
	return n;
}

enum hp_status
hp_why_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		struct hp_path_tree *tree, size_t column, const char *what,
		uint32_t *found, bool *known, struct hp_error *err)
{
	bool *by_kind = hp_calloc(t->graph.kinds.count + 1, sizeof(*by_kind));
	uint32_t wanted = HP_NO_NODE;
	enum hp_status st;

	*found =
		by_kind ? find_wanted(w, tree, t, what, by_kind, &wanted, known)
			: 0;
	st = by_kind ? hp_path_sums_add(w, t, tree, column, by_kind, wanted,
					err)
		     : hp_no_memory(err);
	hp_free(by_kind);
	return st;
}

/* --- the state of the build ----------------------------------------------- */

struct making {
	struct hp_why *w;
	const struct hp_path_tree *tree;
	/*
	 * for each step and each dump: the number and bytes of the objects that
	 * --why asks for and whose paths end at this step or go through it
	 */
	uint64_t *count, *bytes;
	/*
	 * the steps to show, sorted by their parent (the previous step of the
	 * path)
	 */
	uint32_t *nodes;
	uint32_t n;
	/*
	 * elements: struct hp_move, how many objects moved to a step, or away
	 * from it
	 */
	struct hp_vec moves;
	/*
	 * For each step: how many objects moved to paths that end at the step
	 * or go through it, minus how many moved away from such paths.
	 */
	int64_t *came;
	/*
	 * for each step: 1 + the index in `moves` of the objects that moved to
	 * it; 0: there are none
	 */
	uint32_t *own;
	struct hp_rows *rows;
	struct hp_buf text;
	struct hp_error *err;
};

/* --- moves ---------------------------------------------------------------- */

static enum hp_status
list_moves(struct making *m)
{
	const struct hp_path_tree *t = m->tree;
	enum hp_status st = HP_OK;

	for (uint32_t i = 1; i < t->count && st == HP_OK; i++) {
		int64_t change =
			(int64_t)(hp_path_sum_of(t, t->dumps - 1, i).count -
				  hp_path_sum_of(t, 0, i).count);

		if (change == 0)
			continue;
		if (!HP_VEC_PUSH(&m->moves, struct hp_move, .step = i,
				 .class_name = t->list[i].class_name,
				 .change = change))
			return hp_no_memory(m->err);
	}
	return st;
}

/*
 * Returns the text of the path on which most of the moved objects were in the
 * first dump, or NULL if out of memory.
 */
static const char *
path_left(struct making *m, uint32_t move)
{
	const struct hp_move *list = m->moves.items;

	hp_buf_clear(&m->text);
	hp_path_text_from_root(m->tree, list[list[move].other].step, &m->text);
	return hp_buf_ok(&m->text)
		       ? hp_arena_copy(&m->w->arena, m->text.data, m->text.len)
		       : NULL;
}

static struct hp_row *
row_of(struct making *m, uint32_t step)
{
	hp_buf_clear(&m->text);
	hp_path_text(m->tree, step, &m->text);
	return hp_buf_ok(&m->text)
		       ? hp_rows_find(m->rows, m->text.data, m->text.len)
		       : NULL;
}

static enum hp_status
mark_row(struct making *m, const struct hp_move *one)
{
	const struct hp_move *list = m->moves.items;
	struct hp_row *row = row_of(m, one->step);
	struct hp_row *from = row ? row_of(m, list[one->other].step) : NULL;

	if (!hp_buf_ok(&m->text))
		return hp_no_memory(m->err);
	if (!row || row == from)
		return HP_OK;
	row->moved_count += one->moved;
	/*
	 * A row may belong to several steps. The step to which most objects
	 * moved comes first, so keep the text of this step: the path from which
	 * these objects came.
	 */
	if (!row->moved_from)
		row->moved_from = hp_arena_copy(&m->rows->arena, m->text.data,
						m->text.len);
	return row->moved_from ? HP_OK : hp_no_memory(m->err);
}

/*
 * Find the objects that moved to another path, and store their number for each
 * step and each row.
 */
static enum hp_status
find_moves(struct making *m)
{
	enum hp_status st = m->tree->dumps > 1 ? list_moves(m) : HP_OK;
	const struct hp_move *list = m->moves.items;

	if (st != HP_OK)
		return st;
	if (!hp_moves_match(m->tree, m->moves.items, m->moves.count))
		return hp_no_memory(m->err);
	for (uint32_t i = 0; i < m->moves.count && st == HP_OK; i++) {
		if (list[i].moved == 0)
			continue;
		m->came[list[i].step] = list[i].change > 0
						? (int64_t)list[i].moved
						: -(int64_t)list[i].moved;
		if (list[i].change < 0)
			continue;
		m->own[list[i].step] = i + 1;
		st = mark_row(m, &list[i]);
	}
	return st;
}

/* --- adding up objects ---------------------------------------------------- */

static void
sum_up(struct making *m)
{
	size_t dumps = m->w->dumps;

	for (uint32_t i = m->tree->count; i-- > 1;) {
		uint32_t parent = m->tree->list[i].parent;

		m->came[parent] += m->came[i];
		for (size_t d = 0; d < dumps; d++) {
			struct hp_path_sum own = hp_path_sum_of(m->tree, d, i);
			size_t at = i * dumps + d, above = parent * dumps + d;

			m->count[at] += own.count;
			m->bytes[at] += own.bytes;
			m->count[above] += m->count[at];
			m->bytes[above] += m->bytes[at];
		}
	}
}

static bool
leads_somewhere(const struct making *m, uint32_t step)
{
	for (size_t d = 0; d < m->w->dumps; d++)
		if (m->count[step * m->w->dumps + d] > 0)
			return true;
	return false;
}

/* By how much one of the numbers of a step grew from the first to the last
 * dump. */
static int64_t
change_of(const struct making *m, const uint64_t *numbers, uint32_t step)
{
	const uint64_t *of = numbers + step * m->w->dumps;

	return (int64_t)(of[m->w->dumps - 1] - of[0]);
}

/* Whether new objects are at the end of paths through a step. */
static bool
has_grown(const struct making *m, uint32_t step)
{
	int64_t change = change_of(m, m->count, step);

	return change > 0 && change > m->came[step];
}

/*
 * Compare two steps by their growth: steps with new objects come first, then
 * those with more new bytes. With one dump, no step has grown.
 */
static int
compare_growth(const struct making *m, uint32_t x, uint32_t y)
{
	int64_t p = change_of(m, m->bytes, x), q = change_of(m, m->bytes, y);

	if (has_grown(m, x) != has_grown(m, y))
		return has_grown(m, x) ? -1 : 1;
	if (p == q) {
		p = change_of(m, m->count, x);
		q = change_of(m, m->count, y);
	}
	return (q > p) - (q < p);
}

/*
 * A comparison function for qsort_r(): steps by their parent (the previous step
 * of the path), then by their growth, as in the other tables, then by the
 * number of objects, largest first, then by name.
 */
static int
by_parent(const void *a, const void *b, void *context)
{
	const struct making *m = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct hp_path_step *list = m->tree->list;
	size_t dumps = m->w->dumps;
	int order;

	if (list[x].parent != list[y].parent)
		return hp_order(list[x].parent, list[y].parent);
	order = compare_growth(m, x, y);
	if (order != 0)
		return order;
	for (size_t d = dumps; d-- > 0;) {
		uint64_t p = m->count[x * dumps + d];
		uint64_t q = m->count[y * dumps + d];

		if (p != q)
			return hp_order(q, p);
	}
	return hp_path_compare_steps(m->tree, &list[x], &list[y]);
}

static bool
fill_growth(struct making *m, struct hp_why_node *node)
{
	int64_t change = change_of(m, m->count, node->step);
	int64_t came = m->came[node->step];

	node->grew = has_grown(m, node->step);
	if (change <= 0 || came <= 0)
		return true;
	node->moved = (uint64_t)(came < change ? came : change);
	if (m->own[node->step] == 0)
		return true;
	node->moved_from = path_left(m, m->own[node->step] - 1);
	return node->moved_from;
}

static enum hp_status
fill_node(struct making *m, uint32_t index, uint32_t step)
{
	struct hp_why_node *node = &m->w->list[index];
	size_t dumps = m->w->dumps;
	struct hp_buf text = {0};

	node->step = step;
	node->count = m->w->numbers + 2 * dumps * index;
	node->bytes = node->count + dumps;
	memcpy(node->count, m->count + step * dumps,
	       dumps * sizeof(*node->count));
	memcpy(node->bytes, m->bytes + step * dumps,
	       dumps * sizeof(*node->bytes));
	if (!fill_growth(m, node))
		return hp_no_memory(m->err);
	for (size_t d = 0; d < dumps && step; d++)
		node->has_some |= hp_path_sum_of(m->tree, d, step).count > 0;
	node->is_static = step && m->tree->list[step].kind == HP_PATH_STATIC;
	if (step)
		hp_path_step_text(m->tree, step, &text);
	node->text = hp_buf_ok(&text)
			     ? hp_arena_copy(&m->w->arena, text.data, text.len)
			     : NULL;
	hp_buf_release(&text);
	node->label = step ? hp_path_label(m->tree, step) : NULL;
	if (node->label) {
		node->label = hp_arena_copy(&m->w->arena, node->label,
					    strlen(node->label));
		if (!node->label)
			return hp_no_memory(m->err);
	}
	return node->text ? HP_OK : hp_no_memory(m->err);
}

/*
 * Make the nodes of the tree in the order in which they are printed (depth
 * first), without recursion. m->nodes contains the steps that become nodes,
 * sorted by parent. at[depth]: index in m->nodes of the next step at this
 * depth. @first: for each step, the index in m->nodes of its first child.
 */
static enum hp_status
lay_out(struct making *m, const uint32_t *first)
{
	uint32_t at[HP_PATH_DEPTH + 1], node_at[HP_PATH_DEPTH + 1];
	uint32_t last[HP_PATH_DEPTH + 1] = {0}, next = 1;
	unsigned depth = 1;
	enum hp_status st;

	at[1] = first[0];
	node_at[0] = 0;
	while (depth > 0) {
		uint32_t parent = m->w->list[node_at[depth - 1]].step, step;

		if (at[depth] >= m->n ||
		    m->tree->list[m->nodes[at[depth]]].parent != parent) {
			depth--;
			continue;
		}
		step = m->nodes[at[depth]++];
		st = fill_node(m, next, step);
		if (st != HP_OK)
			return st;
		m->w->list[next].depth = depth;
		m->w->list[next].parent = node_at[depth - 1];
		if (m->w->list[node_at[depth - 1]].child == 0)
			m->w->list[node_at[depth - 1]].child = next;
		else
			m->w->list[last[depth]].sibling = next;
		last[depth] = node_at[depth] = next++;
		if (depth < HP_PATH_DEPTH) {
			depth++;
			at[depth] = first[step];
		}
	}
	return HP_OK;
}

static enum hp_status
make_list(struct making *m)
{
	size_t n = m->n + (size_t)1, numbers = 2 * m->w->dumps * n;

	m->w->list = hp_calloc(n, sizeof(*m->w->list));
	m->w->numbers = hp_calloc(numbers, sizeof(*m->w->numbers));
	m->w->count = m->n + 1;
	return m->w->list && m->w->numbers ? HP_OK : hp_no_memory(m->err);
}

static enum hp_status
make_nodes(struct making *m)
{
	uint32_t *first =
		hp_malloc((m->tree->count + (size_t)1) * sizeof(*first));
	enum hp_status st = first ? HP_OK : hp_no_memory(m->err);

	for (uint32_t i = 1; i < m->tree->count; i++)
		if (leads_somewhere(m, i))
			m->nodes[m->n++] = i;
	qsort_r(m->nodes, m->n, sizeof(*m->nodes), by_parent, m);
	for (uint32_t i = 0; first && i < m->tree->count; i++)
		first[i] = UINT32_MAX;
	for (uint32_t i = m->n; first && i-- > 0;)
		first[m->tree->list[m->nodes[i]].parent] = i;
	if (st == HP_OK)
		st = make_list(m);
	if (st == HP_OK)
		st = fill_node(m, 0, 0);
	if (st == HP_OK)
		st = lay_out(m, first);
	hp_free(first);
	return st;
}

enum hp_status
hp_why_make(struct hp_why *w, const struct hp_path_tree *tree,
	    struct hp_rows *rows, struct hp_error *err)
{
	struct making m = {.w = w, .tree = tree, .rows = rows, .err = err};
	size_t values = tree->count * tree->dumps;
	enum hp_status st;

	*w = (struct hp_why){.dumps = tree->dumps};
	m.count = hp_calloc(values, sizeof(*m.count));
	m.bytes = hp_calloc(values, sizeof(*m.bytes));
	m.nodes = hp_calloc(tree->count, sizeof(*m.nodes));
	m.came = hp_calloc(tree->count, sizeof(*m.came));
	m.own = hp_calloc(tree->count, sizeof(*m.own));
	st = m.count && m.bytes && m.nodes && m.came && m.own
		     ? find_moves(&m)
		     : hp_no_memory(err);
	if (st == HP_OK) {
		sum_up(&m);
		st = make_nodes(&m);
	}
	hp_free(m.count);
	hp_free(m.bytes);
	hp_free(m.nodes);
	hp_free(m.came);
	hp_free(m.own);
	hp_free(m.moves.items);
	hp_buf_release(&m.text);
	return st;
}
