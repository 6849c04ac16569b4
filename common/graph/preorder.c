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

/* An object whose references are being gone through. */
struct open {
	uint64_t at; /* the next one */
	uint32_t number;
	uint32_t unused;
};

struct walk {
	struct hp_graph *g;
	struct hp_preorder *p;
	const uint32_t *words;
	const uint8_t *starts;
	uint32_t *number;		/* by node */
	uint32_t *node, *parent, *kind; /* by number */
	struct hp_big_array numbers, stack;
	struct open *open;
	uint64_t depth;
	uint64_t room;	       /* of the stack */
	struct hp_error error; /* HP_OK unless there was no room */
};

/* --- references that are not followed ------------------------------------- */

static struct hp_cross_block *
cross_block(const struct hp_cross *c, uint32_t number)
{
	return (struct hp_cross_block *)c->blocks.at + number;
}

static bool
new_block(struct walk *w, uint32_t bucket)
{
	struct hp_cross *c = &w->p->cross;
	struct hp_cross_block *block;

	if (c->nblocks + 1 >= c->most) {
		if (hp_big_array_grow(&w->g->memory, &c->blocks,
				      (c->nblocks + (uint64_t)2) *
					      HP_CROSS_BLOCK,
				      &w->error) != HP_OK)
			return false;
		c->most = (uint32_t)(c->blocks.ready / HP_CROSS_BLOCK);
	}
	block = cross_block(c, ++c->nblocks);
	block->next = c->heads[bucket];
	block->count = 0;
	c->heads[bucket] = c->nblocks;
	return true;
}

static inline void
note_cross(struct walk *w, uint32_t from, uint32_t to)
{
	struct hp_cross *c = &w->p->cross;
	uint32_t bucket = to >> HP_CROSS_BITS;
	struct hp_cross_block *b = cross_block(c, c->heads[bucket]);

	if (HP_UNLIKELY(c->heads[bucket] == 0 || b->count == HP_CROSS_ROOM)) {
		if (!new_block(w, bucket))
			return;
		b = cross_block(c, c->heads[bucket]);
	}
	b->from[b->count] = from;
	b->to[b->count++] = (uint16_t)to;
}

/* --- the walk ------------------------------------------------------------- */

static inline void
fetch_lists(const struct walk *w, uint64_t at)
{
	uint32_t word;

	for (unsigned i = 0; i < 8; i++) {
		word = w->words[at + i];
		if (word >= HP_EDGE_CONTINUED)
			return;
		__builtin_prefetch(&w->number[word]);
		__builtin_prefetch(w->starts + (uint64_t)word * HP_EDGE_START);
	}
}

static bool
more_stack(struct walk *w)
{
	if (hp_big_array_grow(&w->g->memory, &w->stack,
			      (w->depth + 1) * sizeof(struct open),
			      &w->error) != HP_OK)
		return false;
	w->room = w->stack.ready / sizeof(struct open);
	return true;
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
	w->open[w->depth].at = at;
	w->open[w->depth++].number = number;
}

/* A reference of object @from: go there, or note it. */
static inline bool
follow(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t number = w->number[to];

	if (number == ROOTED)
		return false; /* a root is dominated by nothing else */
	if (number == UNMET) {
		meet(w, to, from);
		return true;
	}
	if (number != from)
		note_cross(w, from, number);
	return false;
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

static void
walk_from(struct walk *w, uint32_t root)
{
	uint32_t to, before;

	before = w->p->count;
	meet(w, root, 0);
	follow_class(w, before);
	while (w->depth > 0) {
		struct open *o = &w->open[w->depth - 1];
		uint32_t from = o->number;

		to = hp_edge_next(w->words, &o->at);
		if (to == HP_EDGE_END) {
			w->depth--;
			continue;
		}
		/* the last one: a list's `next` takes no room on the stack */
		if (w->words[o->at] == HP_EDGE_END)
			w->depth--;
		before = w->p->count;
		if (follow(w, from, to))
			follow_class(w, before);
	}
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
	w->open[w->depth++].number = node;
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
		node = w->open[--w->depth].number;
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
make_cross(struct hp_cross *c, uint32_t n, uint64_t words, struct hp_error *err)
{
	uint64_t blocks;

	c->nbuckets = (n >> HP_CROSS_BITS) + 1;
	c->heads = calloc(c->nbuckets, sizeof(*c->heads));
	if (!c->heads)
		return hp_fail(err, HP_NOMEM, "out of memory");
	/* no more than references and classes, and a block begun a bucket */
	blocks = (words + n) / HP_CROSS_ROOM + c->nbuckets + 2;
	if (blocks >= UINT32_MAX)
		return hp_fail(err, HP_LIMIT, "there are too many references");
	return hp_big_array_reserve(&c->blocks, (blocks + 2) * HP_CROSS_BLOCK,
				    HP_BIG_IN_ORDER, err);
}

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
		st = hp_big_array_reserve(&w->stack, n * sizeof(struct open),
					  HP_BIG_IN_ORDER, err);
	if (st == HP_OK)
		st = make_cross(&w->p->cross, (uint32_t)n,
				w->g->edges.words.bytes / 4, err);
	w->number = w->numbers.at;
	w->node = w->p->nodes.at;
	w->parent = w->p->parents.at;
	w->kind = w->p->kinds.at;
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

enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g,
		 struct hp_error *err)
{
	struct walk w = {.g = g,
			 .p = p,
			 .words = g->edges.words.at,
			 .starts = g->edges.starts.at};
	struct hp_big_memory *m = &g->memory;
	enum hp_status st;

	*p = (struct hp_preorder){0};
	st = make_arrays(&w, err);
	if (st == HP_OK) {
		walk_all(&w);
		hp_big_array_shrink(m, &p->cross.blocks,
				    (p->cross.nblocks + (uint64_t)1) *
					    HP_CROSS_BLOCK);
	}
	if (w.error.status != HP_OK)
		st = hp_fail(err, w.error.status, "%s", w.error.text);
	hp_big_array_drop(m, &w.numbers);
	hp_big_array_drop(m, &w.stack);
	return st;
}

void
hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &p->nodes);
	hp_big_array_drop(m, &p->parents);
	hp_big_array_drop(m, &p->kinds);
	hp_big_array_drop(m, &p->cross.blocks);
	free(p->cross.heads);
	*p = (struct hp_preorder){0};
}
