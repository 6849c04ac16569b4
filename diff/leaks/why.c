/*
 * why.c - sums of the steps go up to their parents; steps with something below
 * become nodes
 */
#include "diff/leaks/why.h"

#include "common/cli/glob.h"
#include "common/cli/quantity.h"

#include <stdlib.h>
#include <string.h>

/*
 * How many objects are asked about; @by_kind says which, or @wanted of an id
 * its node.
 */
static uint32_t
find_wanted(const struct hp_path_walk *w, const struct hp_path_tree *tree,
	    const struct hp_retained *t, const char *what, bool *by_kind,
	    uint32_t *wanted, bool *known)
{
	const uint32_t *kinds = t->tree.kinds.at;
	struct hp_rank_near near = {0};
	uint32_t place, n = 0;
	uint64_t id;

	if (hp_id_parse(what, &id)) {
		*wanted = hp_node_of(&t->graph.nodes, &near, id);
		*known |= *wanted != HP_NO_NODE;
		return hp_is_reached(&w->reached, *wanted);
	}
	for (uint32_t k = 1; k < t->graph.kinds.count; k++) {
		const struct hp_row *row = tree->names.list[w->class_rows[k]];
		bool class = t->graph.kinds.list[k].of == HP_NODE_CLASS;

		by_kind[k] = class == (strncmp(what, "class ", 6) == 0) &&
			     hp_glob_match(what, row->key, row->key_len);
	}
	for (place = 1; place < t->tree.count; place++)
		n += by_kind[kinds[place]];
	return n;
}

enum hp_status
hp_why_sums_add(const struct hp_path_walk *w, const struct hp_retained *t,
		struct hp_path_tree *tree, size_t column, const char *what,
		uint32_t *found, bool *known, struct hp_error *err)
{
	bool *by_kind = calloc(t->graph.kinds.count + 1, sizeof(*by_kind));
	uint32_t wanted = HP_NO_NODE;
	enum hp_status st;

	*found =
		by_kind ? find_wanted(w, tree, t, what, by_kind, &wanted, known)
			: 0;
	st = by_kind ? hp_path_sums_add(w, t, tree, column, by_kind, wanted,
					err)
		     : hp_no_memory(err);
	free(by_kind);
	return st;
}

/* --- the tree ------------------------------------------------------------- */

struct making {
	struct hp_why *w;
	const struct hp_path_tree *tree;
	uint64_t *count, *bytes; /* by step, then by dump: with what is below */
	uint32_t *nodes;	 /* steps that become nodes, in order */
	uint32_t n;
	uint64_t held; /* bytes, without texts */
	struct hp_error *err;
};

/* Is there room for @more than what is held, and for the texts so far? */
static enum hp_status
ask(struct making *m, uint64_t more)
{
	m->held += more;
	return hp_budget_note(m->tree->budget, &m->w->noted,
			      m->held + m->w->arena.held, m->err);
}

static void
sum_up(struct making *m)
{
	size_t dumps = m->w->dumps;

	for (uint32_t i = m->tree->count; i-- > 1;) {
		uint32_t parent = m->tree->list[i].parent;

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

/* Children stand together, those that lead to most objects first. */
static int
by_parent(const void *a, const void *b, void *context)
{
	const struct making *m = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct hp_path_step *list = m->tree->list;
	size_t dumps = m->w->dumps;

	if (list[x].parent != list[y].parent)
		return hp_order(list[x].parent, list[y].parent);
	for (size_t d = dumps; d-- > 0;) {
		uint64_t p = m->count[x * dumps + d];
		uint64_t q = m->count[y * dumps + d];

		if (p != q)
			return hp_order(q, p);
	}
	return hp_path_compare_steps(m->tree, &list[x], &list[y]);
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
	node->grew = node->count[dumps - 1] > node->count[0];
	for (size_t d = 0; d < dumps && step; d++)
		node->has_some |= hp_path_sum_of(m->tree, d, step).count > 0;
	node->is_static = step && m->tree->list[step].kind == HP_PATH_STATIC;
	if (step)
		hp_path_step_text(m->tree, step, &text);
	node->text = hp_buf_ok(&text)
			     ? hp_arena_copy(&m->w->arena, text.data, text.len)
			     : NULL;
	hp_buf_release(&text);
	return node->text ? ask(m, 0) : hp_no_memory(m->err);
}

/*
 * Depth first, without recursion: for each depth it is kept where in the sorted
 * list the brothers of the node at hand go on.
 * @first: by step, where its children begin in that list
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

/* What is kept, once it is known of how many nodes it is. */
static enum hp_status
make_list(struct making *m)
{
	size_t n = m->n + (size_t)1, numbers = 2 * m->w->dumps * n;
	enum hp_status st = ask(m, n * sizeof(*m->w->list) +
					   numbers * sizeof(*m->w->numbers));

	if (st != HP_OK)
		return st;
	m->w->list = calloc(n, sizeof(*m->w->list));
	m->w->numbers = calloc(numbers, sizeof(*m->w->numbers));
	m->w->count = m->n + 1;
	return m->w->list && m->w->numbers ? HP_OK : hp_no_memory(m->err);
}

static enum hp_status
make_nodes(struct making *m)
{
	uint32_t *first = malloc((m->tree->count + (size_t)1) * sizeof(*first));
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
	free(first);
	return st;
}

enum hp_status
hp_why_make(struct hp_why *w, const struct hp_path_tree *tree,
	    struct hp_error *err)
{
	struct making m = {.w = w, .tree = tree, .err = err};
	size_t values = tree->count * tree->dumps;
	/* the sums; the nodes, where to find them, and qsort_r()'s copy */
	uint64_t bytes = 2 * values * sizeof(*m.count) +
			 3 * tree->count * sizeof(*m.nodes);
	enum hp_status st;

	*w = (struct hp_why){.dumps = tree->dumps};
	st = ask(&m, bytes);
	if (st != HP_OK)
		return st;
	m.count = calloc(values, sizeof(*m.count));
	m.bytes = calloc(values, sizeof(*m.bytes));
	m.nodes = calloc(tree->count, sizeof(*m.nodes));
	if (m.count && m.bytes && m.nodes) {
		sum_up(&m);
		st = make_nodes(&m);
	} else {
		st = hp_no_memory(err);
	}
	free(m.count);
	free(m.bytes);
	free(m.nodes);
	m.held -= bytes;
	return st == HP_OK ? ask(&m, 0) : st;
}
