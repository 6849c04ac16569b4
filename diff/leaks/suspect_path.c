/*
 * suspect_path.c - from objects back to the roots, and forward in words
 */
#include "diff/leaks/suspect_path.h"

#include "common/cli/escape.h"
#include "common/graph/paths.h"
#include "diff/leaks/collections.h"
#include "diff/leaks/field_names.h"
#include "diff/leaks/owners.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_STEPS = 64 }; /* shown; of a longer path its end */

/* Objects from the root's side on; the last is what the path leads to. */
struct steps {
	uint32_t node[PATH_STEPS];
	unsigned n;
	bool cut; /* there is more before */
};

struct paths {
	struct hp_suspect_paths *p;
	const uint32_t *row_of;
	struct hp_paths shortest;
	struct steps steps[HP_SUSPECTS_MOST];
	struct hp_field_query *queries;
	size_t nqueries;
	struct hp_rank_near *near;
	struct hp_error *err;
};

static const struct hp_node_kind *
kind_of(const struct paths *w, uint32_t node, uint32_t *number)
{
	const struct hp_graph *g = &w->p->t->graph;
	uint64_t at;

	*number = hp_edge_kind(&g->edges, node, &at);
	return &g->kinds.list[*number];
}

static const char *
name_of(const struct paths *w, uint32_t node)
{
	uint32_t number;

	kind_of(w, node, &number);
	return w->p->names->list[w->row_of[number]]->key;
}

static bool
is_class(const struct paths *w, uint32_t node)
{
	uint32_t number;

	return kind_of(w, node, &number)->of == HP_NODE_CLASS;
}

/* --- ranks: kinds in the order of their names, classes first -------------- */

struct named_kind {
	const char *name;
	uint32_t kind;
	bool class;
};

static int
by_name(const void *a, const void *b)
{
	const struct named_kind *x = a, *y = b;

	if (x->class != y->class)
		return x->class ? -1 : 1;
	return strcmp(x->name, y->name);
}

static enum hp_status
rank_kinds(const struct paths *w, uint32_t *rank)
{
	const struct hp_node_kinds *kinds = &w->p->t->graph.kinds;
	struct named_kind *list = calloc(kinds->count + 1, sizeof(*list));
	size_t n = 0;

	if (!list)
		return hp_fail(w->err, HP_NOMEM, "out of memory");
	for (uint32_t k = 1; k < kinds->count; k++)
		list[n++] = (struct named_kind){
			w->p->names->list[w->row_of[k]]->key, k,
			kinds->list[k].of == HP_NODE_CLASS};
	if (n > 0)
		qsort(list, n, sizeof(*list), by_name);
	for (size_t i = 0; i < n; i++)
		rank[list[i].kind] =
			i > 0 && by_name(&list[i - 1], &list[i]) == 0
				? rank[list[i - 1].kind]
				: (uint32_t)i;
	free(list);
	return HP_OK;
}

static enum hp_status
find_shortest(struct paths *w)
{
	struct hp_graph *g = &w->p->t->graph;
	uint32_t *rank = calloc(g->kinds.count + 1, sizeof(*rank));
	enum hp_status st = rank ? rank_kinds(w, rank)
				 : hp_fail(w->err, HP_NOMEM, "out of memory");

	if (st == HP_OK)
		st = hp_paths_find(&w->shortest, g, rank, w->err);
	free(rank);
	return st;
}

/* --- steps ---------------------------------------------------------------- */

/* Back from @node up to a class or a root. */
static void
go_back(const struct paths *w, uint32_t node, struct steps *s)
{
	uint32_t turned[PATH_STEPS];
	unsigned n = 0;

	while (node != HP_NO_NODE && n < PATH_STEPS) {
		turned[n++] = node;
		if (n > 1 && is_class(w, node))
			break;
		node = hp_path_parent(&w->shortest, node);
	}
	/* @node is what comes before, unless a class has ended the walk */
	s->cut = node != HP_NO_NODE && node != turned[n - 1];
	for (unsigned i = 0; i < n; i++)
		s->node[i] = turned[n - 1 - i];
	s->n = n;
}

/* References of instances whose fields' names take a pass. */
static enum hp_status
ask_fields(struct paths *w)
{
	uint32_t number;

	w->queries = calloc(HP_SUSPECTS_MOST * PATH_STEPS, sizeof(*w->queries));
	if (!w->queries)
		return hp_fail(w->err, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < w->p->n; i++)
		for (unsigned k = 1; k < w->steps[i].n; k++) {
			uint32_t from = w->steps[i].node[k - 1];

			if (kind_of(w, from, &number)->of == HP_NODE_INSTANCE)
				w->queries[w->nqueries++] =
					(struct hp_field_query){
						.holder = from,
						.held = w->steps[i].node[k]};
		}
	return HP_OK;
}

static const struct hp_string *
field_of(const struct paths *w, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < w->nqueries; i++)
		if (w->queries[i].found && w->queries[i].holder == from &&
		    w->queries[i].held == to)
			return hp_tables_string(&w->p->keys->g->tables,
						w->queries[i].name);
	return NULL;
}

/* --- words ---------------------------------------------------------------- */

/* "Leak.SESSIONS (static)"; false: no static field refers to the second. */
static bool
begin_static(const struct paths *w, const struct steps *s, struct hp_buf *b)
{
	const struct hp_class_static *field;
	const struct hp_class *c;
	const struct hp_row *row;
	uint32_t number;

	if (s->n < 2 || !is_class(w, s->node[0]))
		return false;
	c = hp_classes_get(&w->p->keys->g->classes,
			   kind_of(w, s->node[0], &number)->class_id);
	field = c ? hp_merged_static(&w->p->t->graph.nodes, c, w->near,
				     s->node[1])
		  : NULL;
	row = field ? hp_merged_static_name(w->p->keys, w->p->names, c, field)
		    : NULL;
	if (row)
		hp_buf_add(b, row->key, row->key_len);
	return row;
}

static void
write_step(const struct paths *w, const struct steps *s, unsigned i,
	   struct hp_buf *b)
{
	const struct hp_string *field = field_of(w, s->node[i - 1], s->node[i]);
	char room[HP_NAME_ROOM];
	struct hp_string named;
	uint32_t number;

	if (field) {
		named = hp_string_short(field, room);
		hp_buf_byte(b, '.');
		hp_text_clean(b, named.data, named.length);
	} else if (kind_of(w, s->node[i - 1], &number)->of ==
		   HP_NODE_OBJECT_ARRAY) {
		hp_buf_text(b, "[*]");
	}
	hp_buf_printf(b, " → %s", name_of(w, s->node[i]));
}

static void
write_path(const struct paths *w, const struct steps *s, struct hp_buf *b)
{
	bool inside = false; /* of a collection */

	if (s->cut)
		hp_buf_text(b, "… → ");
	if (!begin_static(w, s, b))
		hp_buf_printf(b, "%s%s",
			      hp_root_words(&w->p->t->graph, s->node[0]),
			      name_of(w, s->node[0]));
	for (unsigned i = 1; i < s->n; i++) {
		const char *holder = name_of(w, s->node[i - 1]);

		if (!inside && hp_is_collection(holder)) {
			hp_buf_text(b, "[*]");
			inside = true;
		}
		if (inside && hp_is_collection_inside(name_of(w, s->node[i])))
			continue;
		if (inside || is_class(w, s->node[i - 1]))
			hp_buf_printf(b, " → %s", name_of(w, s->node[i]));
		else
			write_step(w, s, i, b);
		inside = false;
	}
}

enum hp_status
hp_suspect_paths_find(struct hp_suspect_paths *p, const uint32_t *row_of,
		      struct hp_source *src, struct hp_arena *arena,
		      struct hp_error *err)
{
	struct paths w = {.p = p, .row_of = row_of, .err = err};
	struct hp_buf b = {0};
	enum hp_status st;

	w.near = calloc(1, sizeof(*w.near));
	st = w.near ? find_shortest(&w)
		    : hp_fail(err, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < p->n && st == HP_OK; i++)
		go_back(&w, p->of[i], &w.steps[i]);
	if (st == HP_OK)
		st = ask_fields(&w);
	if (st == HP_OK)
		st = hp_field_names_find(w.queries, w.nqueries, &p->t->graph,
					 src, err);
	for (size_t i = 0; i < p->n && st == HP_OK; i++) {
		hp_buf_clear(&b);
		write_path(&w, &w.steps[i], &b);
		p->text[i] =
			hp_buf_ok(&b)
				? hp_arena_copy(arena, hp_buf_string(&b), b.len)
				: NULL;
		if (!p->text[i])
			st = hp_fail(err, HP_NOMEM, "out of memory");
	}
	hp_paths_release(&w.shortest);
	hp_buf_release(&b);
	free(w.queries);
	free(w.near);
	return st;
}
