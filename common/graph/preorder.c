/*
 * preorder.c - the walk, with a stack of its own: a list of a million nodes is
 * a million deep
 */
#include "common/graph/preorder.h"

#include <stdlib.h>

/* Instead of a number: not met yet. */
enum { UNMET = 0 };
#define ROOTED UINT32_MAX	    /* not met yet, and a root */
#define WEAKLY_MET (UINT32_MAX - 1) /* the roots do not reach it */

/* Of an open object, whose references are being gone through: bytes. */
enum {
	OPEN_AT = HP_EDGE_START, /* the next reference */
	OPEN = OPEN_AT + 4,	 /* and the object's number */
};

struct walk {
	struct hp_graph *g;
	struct hp_preorder *p;
	uint32_t *words;
	const uint8_t *starts;
	bool keep_edges;
	uint32_t *number;		/* by node */
	uint32_t *node, *parent, *kind; /* by number */
	uint64_t *rooted;		/* a bit a number */
	uint32_t *class_met;		/* by kind: the class's number; 0 */
	struct hp_big_array numbers, stack, roots;
	uint8_t *open; /* the stack */
	uint64_t depth;
	uint64_t room;	       /* of the stack */
	struct hp_error error; /* HP_OK unless there was no room */
};

/* --- the walk ------------------------------------------------------------- */

static inline void
fetch_lists(const struct walk *w, uint64_t at)
{
	uint32_t nodes[HP_EDGE_FIRST];
	unsigned n = hp_edge_first(w->words, at, nodes);

	for (unsigned i = 0; i < n; i++) {
		__builtin_prefetch(&w->number[nodes[i]]);
		hp_edge_prefetch_start(&w->g->edges, nodes[i]);
	}
}

static bool
more_stack(struct walk *w)
{
	if (hp_big_array_grow(&w->g->memory, &w->stack, (w->depth + 1) * OPEN,
			      &w->error) != HP_OK)
		return false;
	w->room = w->stack.ready / OPEN;
	return true;
}

static inline void
push_open(struct walk *w, uint64_t at, uint32_t number)
{
	uint8_t *top = w->open + w->depth++ * OPEN;

	hp_edge_set_start(top, 0, at);
	memcpy(top + OPEN_AT, &number, sizeof(number));
}

/*
 * An object is met for the first time: number it, and have its references gone
 * through next.
 */
static inline void
meet(struct walk *w, uint32_t node, uint32_t parent)
{
	uint32_t number = w->p->count++, kind;
	uint64_t at;

	kind = hp_edge_kind(&w->g->edges, node, &at);
	w->number[node] = number;
	w->node[number] = node;
	w->parent[number] = parent;
	w->kind[number] = kind;
	if (at == 0)
		return;
	fetch_lists(w, at);
	if (HP_UNLIKELY(w->depth == w->room) && !more_stack(w))
		return;
	push_open(w, at, number);
}

/*
 * A reference of object @from: go there. Returns the number of what was met
 * before, if the reference may count; 0: a root is dominated by nothing else.
 */
static inline uint32_t
follow(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t number = w->number[to];

	if (number == ROOTED)
		return 0;
	if (number == UNMET) {
		meet(w, to, from);
		return 0;
	}
	return number != from ? number : 0;
}

/*
 * The class of the object that was met just now. It is followed first, so that
 * it is met before any other object of the class is.
 */
static inline void
follow_class(struct walk *w, uint32_t from)
{
	uint32_t class_node = w->g->kinds.list[w->kind[from]].class_node;

	if (class_node != HP_NO_NODE)
		follow(w, from, class_node);
}

/* The next object's list; fetch_lists() has fetched where that is. */
static inline void
fetch_list(const struct walk *w, uint64_t at)
{
	uint64_t start;

	if (w->words[at] >= HP_EDGE_SKIP)
		return;
	start = hp_edge_start(w->starts, w->words[at]);
	if (!(start & HP_EDGE_NO_LIST))
		__builtin_prefetch(w->words + start);
}

/* The next reference of the object that was opened last. */
static inline void
go_on(struct walk *w)
{
	uint8_t *top = w->open + (w->depth - 1) * OPEN;
	uint64_t at = hp_edge_start(top, 0);
	uint32_t to = hp_edge_next(w->words, &at), from, number, before;

	memcpy(&from, top + OPEN_AT, sizeof(from));
	/* the last one: a list's `next` takes no room on the stack */
	if (to == HP_EDGE_END || w->words[at] == HP_EDGE_END)
		w->depth--;
	else
		hp_edge_set_start(top, 0, at);
	if (to == HP_EDGE_END)
		return;
	fetch_list(w, at);
	before = w->p->count;
	number = follow(w, from, to);
	if (!w->keep_edges)
		w->words[at - 1] = number;
	if (w->p->count != before)
		follow_class(w, before);
}

static void
walk_from(struct walk *w, uint32_t root)
{
	uint32_t number = w->p->count;

	w->rooted[number >> 6] |= UINT64_C(1) << (number & 63);
	meet(w, root, 0);
	follow_class(w, number);
	while (w->depth > 0)
		go_on(w);
}

static void
sum_reachable(struct walk *w)
{
	const struct hp_node_kind *kinds = w->g->kinds.list;

	w->p->reachable.objects = w->p->count - 1;
	for (uint32_t i = 1; i < w->p->count; i++)
		w->p->reachable.bytes += kinds[w->kind[i]].bytes;
}

/* --- what only weak references reach -------------------------------------- */

/* The stack is a list of nodes here: all that was met and not gone through. */
static void
meet_weakly(struct walk *w, uint32_t node)
{
	if (node == HP_NO_NODE || w->number[node] != UNMET)
		return;
	if (w->depth == w->room && !more_stack(w))
		return;
	w->number[node] = WEAKLY_MET;
	push_open(w, 0, node);
	w->p->weak.objects++;
}

static void
meet_referents(struct walk *w, uint32_t node)
{
	const struct hp_graph_weak *weak = hp_graph_weak_of(w->g, node);
	const struct hp_graph_weak *end = w->g->weak + w->g->nweak;

	for (; weak && weak < end && weak->from == node; weak++)
		meet_weakly(w, weak->to);
}

static void
walk_weakly(struct walk *w)
{
	const struct hp_graph_weak *weak = w->g->weak;
	uint32_t node, kind, to;
	uint64_t at;

	for (size_t i = 0; i < w->g->nweak; i++)
		if (w->number[weak[i].from] - 1 < w->p->count - 1)
			meet_weakly(w, weak[i].to);
	while (w->depth > 0) {
		memcpy(&node, w->open + --w->depth * OPEN + OPEN_AT,
		       sizeof(node));
		kind = hp_edge_kind(&w->g->edges, node, &at);
		w->p->weak.bytes += w->g->kinds.list[kind].bytes;
		meet_weakly(w, w->g->kinds.list[kind].class_node);
		meet_referents(w, node);
		if (at == 0)
			continue;
		while ((to = hp_edge_next(w->words, &at)) != HP_EDGE_END)
			meet_weakly(w, to);
	}
}

/* --- all of it ------------------------------------------------------------ */

static enum hp_status
make_arrays(struct walk *w, struct hp_error *err)
{
	struct hp_big_memory *m = &w->g->memory;
	uint64_t n = (uint64_t)w->g->nodes.count + 1;
	enum hp_status st =
		hp_big_array_make(m, &w->numbers, 4 * n, HP_BIG_RANDOM, err);

	if (st == HP_OK)
		st = hp_big_array_make(m, &w->p->nodes, 4 * n, HP_BIG_IN_ORDER,
				       err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &w->p->parents, 4 * n,
				       HP_BIG_IN_ORDER, err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &w->p->kinds, 4 * n, HP_BIG_IN_ORDER,
				       err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &w->roots, n / 8 + 8, HP_BIG_RANDOM,
				       err);
	if (st == HP_OK)
		st = hp_big_array_reserve(&w->stack, n * OPEN, HP_BIG_IN_ORDER,
					  err);
	w->class_met = calloc(w->g->kinds.count, sizeof(*w->class_met));
	if (st == HP_OK && !w->class_met)
		st = hp_fail(err, HP_NOMEM, "out of memory");
	w->number = w->numbers.at;
	w->node = w->p->nodes.at;
	w->parent = w->p->parents.at;
	w->kind = w->p->kinds.at;
	w->rooted = w->roots.at;
	w->open = w->stack.at;
	return st;
}

static void
walk_all(struct walk *w)
{
	const struct hp_graph *g = w->g;

	w->node[0] = HP_NO_NODE;
	w->p->count = 1;
	for (size_t i = 0; i < g->nroots; i++)
		w->number[g->roots[i].node] = ROOTED;
	for (size_t i = 0; i < g->nroots; i++)
		walk_from(w, g->roots[i].node);
	sum_reachable(w);
	walk_weakly(w);
}

/* The numbers of classes, but those of roots. */
static void
find_classes(struct walk *w)
{
	const struct hp_node_kinds *kinds = &w->g->kinds;
	uint32_t number;

	for (uint32_t k = 1; k < kinds->count; k++) {
		if (kinds->list[k].class_node == HP_NO_NODE)
			continue;
		number = w->number[kinds->list[k].class_node];
		if (number < w->p->count &&
		    !(w->rooted[number >> 6] >> (number & 63) & 1))
			w->class_met[k] = number;
	}
}

enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g, bool keep_edges,
		 struct hp_error *err)
{
	struct walk w = {.g = g,
			 .p = p,
			 .words = g->edges.words.at,
			 .starts = g->edges.starts.at,
			 .keep_edges = keep_edges};
	struct hp_big_memory *m = &g->memory;
	struct hp_cross_input in;
	enum hp_status st;

	*p = (struct hp_preorder){0};
	st = make_arrays(&w, err);
	if (st == HP_OK) {
		walk_all(&w);
		find_classes(&w);
	}
	if (w.error.status != HP_OK)
		st = hp_fail(err, w.error.status, "%s", w.error.text);
	hp_big_array_drop(m, &w.stack);
	if (!keep_edges)
		hp_big_array_drop(m, &w.numbers);
	in = (struct hp_cross_input){.number = w.numbers.at,
				     .rooted = w.rooted,
				     .class_met = w.class_met};
	if (st == HP_OK)
		st = hp_cross_gather(&p->cross, p, &in, g, err);
	hp_big_array_drop(m, &w.numbers);
	hp_big_array_drop(m, &w.roots);
	free(w.class_met);
	return st;
}

void
hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &p->nodes);
	hp_big_array_drop(m, &p->parents);
	hp_big_array_drop(m, &p->kinds);
	hp_cross_release(&p->cross, m);
	*p = (struct hp_preorder){0};
}
