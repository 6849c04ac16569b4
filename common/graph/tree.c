/*
 * tree.c - build the dominator tree and compute retained sizes
 *
 * The input is the dominator of each object. In this input, objects are
 * numbered in the preorder of a depth-first search over references. This code
 * computes the place of each object: its index in the preorder of the dominator
 * tree. This takes linear time and no stack. Then the code sorts all arrays by
 * place.
 *
 * Invariants:
 * I1  a dominator has a smaller number than the objects that it dominates.
 * I2  place 0 stands for the roots, which retain all objects: its end is the
 *     number of places.
 * I3  the places that an object retains follow its own place without a gap.
 */
#include "common/graph/tree.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/graph/internal.h"

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

enum {
	/* number of objects that a thread handles before it takes more */
	SLICE = 1 << 16,
	/*
	 * How far ahead the code prefetches, as a number of objects: the index
	 * of the lists of references for the object that is FAR ahead, and the
	 * list itself for the object that is NEAR ahead.
	 */
	FAR = 32,
	NEAR = 16,
	/*
	 * Number of places for which the kernel reads files ahead (struct
	 * hp_tree_window): 1,024 numbers of 4 bytes are one page.
	 */
	WINDOW_LEAST = 1 << 10,
	WINDOW_MOST = 1 << 16,
};

/*
 * Count the objects that each object retains: visit the objects from the last
 * to the first, and add the count of each object to the count of its dominator.
 */
static void
sum_up(const uint32_t *dominators, uint32_t count, uint32_t *objects)
{
	for (uint32_t i = 0; i < count; i++)
		/*
		 * this also counts element 0, which stands for all roots
		 * together
		 */
		objects[i] = 1;
	for (uint32_t i = count; i-- > 1;) {
		/*
		 * invariant I1 (see the top of this file): a dominator has a
		 * smaller number
		 */
		assert(dominators[i] < i);
		objects[dominators[i]] += objects[i];
	}
	/*
	 * invariant I2 (see the top of this file): the roots retain all objects
	 */
	assert(count == 0 || objects[0] == count);
}

/*
 * Compute the place of each object: its index in the preorder of the dominator
 * tree. The object with the number i and all objects below it in the tree take
 * objects[i] places. A dominator has a smaller number than the objects that it
 * dominates. So one loop in the order of numbers can give each object the next
 * free place in the range of its dominator. @next: for each number, the next
 * free place in its range.
 */
static void
find_places(const uint32_t *dominators, const uint32_t *objects, uint32_t count,
	    uint32_t *next)
{
	next[0] = 1;
	for (uint32_t i = 1; i < count; i++) {
		uint32_t place = next[dominators[i]];

		next[dominators[i]] += objects[i];
		next[i] = place + 1;
	}
	/*
	 * invariant I3 (see the top of this file): the ranges of the roots'
	 * objects fill all places, so the next free place is after the last one
	 */
	assert(next[0] == count || count == 0);
}

/*
 * The state of sorting an array by place (index in the dominator tree). The
 * array is in the order of preorder numbers. `next` is the result of
 * find_places(). Threads take ranges of numbers, and each number has a place of
 * its own, so no locks are needed.
 */
struct mover {
	const uint32_t *objects, *next;
	uint32_t count;
	const void *old;
	void *new;
	bool narrow; /* the elements are uint16_t instead of uint32_t */
	_Atomic uint64_t from;
};

/*
 * Returns the place (index in the tree) of the object with the number @i.
 * Called after find_places(). Then next[i] is the end of the places that object
 * @i and the objects below it take, and objects[i] is the number of these
 * places.
 */
static inline uint32_t
place_of(const struct mover *m, uint32_t i)
{
	return m->next[i] - m->objects[i];
}

static void *
move_slices(void *argument)
{
	struct mover *m = argument;
	uint64_t from, end;

	while ((from = atomic_fetch_add(&m->from, SLICE)) < m->count) {
		end = m->count - from < SLICE ? m->count : from + SLICE;
		for (uint32_t i = (uint32_t)from; i < end; i++)
			if (m->narrow)
				((uint16_t *)m->new)[place_of(m, i)] =
					((const uint16_t *)m->old)[i];
			else
				((uint32_t *)m->new)[place_of(m, i)] =
					((const uint32_t *)m->old)[i];
	}
	return NULL;
}

/*
 * Sort the elements of @a by place (index in the dominator tree). They are
 * written to @spare, and the old memory of @a becomes @spare for the next call.
 * This is faster than a new array, whose pages the kernel would clear. If a
 * part of the old memory is in a file, or if it is too small, the memory is
 * freed instead.
 */
static enum hp_status
move_numbers(struct hp_tree *t, struct mover *m, struct hp_big_array *a,
	     unsigned threads, struct hp_big_array *spare, struct hp_error *err)
{
	uint64_t bytes = (m->narrow ? 2 : 4) * (uint64_t)m->count;
	enum hp_status st = HP_OK;
	struct hp_big_array old = *a;

	if (spare->at && (spare->split != UINT64_MAX || spare->ready < bytes))
		hp_big_array_drop(t->memory, spare);
	if (!spare->at)
		st = hp_big_array_make(t->memory, spare, bytes, HP_BIG_RANDOM,
				       err);
	if (st != HP_OK)
		return st;
	m->old = old.at;
	m->new = spare->at;
	m->from = 0;
	hp_threads_run(hp_threads_for(threads, m->count, SLICE), move_slices, m,
		       0);
	*a = *spare;
	*spare = old;
	return HP_OK;
}

/* The state of a loop that finds the kinds of objects, on all threads. */
struct kind_search {
	const struct hp_edges *edges;
	uint32_t count;
	const uint32_t *nodes;
	void *kinds; /* elements: uint32_t if `wide`, otherwise uint16_t */
	bool wide;
	_Atomic uint64_t from; /* the first index that no thread has taken */
};

static void *
find_kinds_of_slices(void *argument)
{
	struct kind_search *s = argument;
	uint64_t from, end, references;
	uint32_t kind;

	while ((from = atomic_fetch_add(&s->from, SLICE)) < s->count) {
		end = s->count - from < SLICE ? s->count : from + SLICE;
		for (uint64_t i = from; i < end; i++) {
			if (i + FAR < end)
				hp_edge_prefetch_start(s->edges,
						       s->nodes[i + FAR]);
			if (i + NEAR < end)
				hp_edge_prefetch_list(s->edges,
						      s->nodes[i + NEAR]);
			kind = hp_edge_kind(s->edges, s->nodes[i], &references);
			if (s->wide)
				((uint32_t *)s->kinds)[i] = kind;
			else
				((uint16_t *)s->kinds)[i] = (uint16_t)kind;
		}
	}
	return NULL;
}

/*
 * Find the kind of each object: kinds[i] is the kind of the node nodes[i]. The
 * kinds are in the lists of references, so an array of kinds is not needed
 * earlier. Index 0 stands for the roots, and gets the kind 0.
 */
static enum hp_status
find_kinds(struct hp_tree *t, const struct hp_graph *g,
	   const struct hp_big_array *nodes, struct hp_error *err)
{
	struct kind_search s = {.edges = &g->edges,
				.count = t->count,
				.nodes = nodes->at,
				.wide = g->kinds.count > UINT16_MAX,
				.from = 1};
	enum hp_status st = hp_big_array_make(
		t->memory, &t->kinds, (s.wide ? 4 : 2) * (uint64_t)t->count,
		HP_BIG_RANDOM, err);

	t->wide_kinds = s.wide;
	s.kinds = t->kinds.at;
	if (st == HP_OK)
		hp_threads_run(hp_threads_for(g->o.threads, t->count, SLICE),
			       find_kinds_of_slices, &s, 0);
	return st;
}

/*
 * Compute t->bytes_before: for each place that is a multiple of HP_TREE_SPAN,
 * the sum of the shallow sizes of all objects before this place. The objects
 * that an object retains have consecutive places, so a retained size is the
 * difference of two such sums.
 */
static enum hp_status
sum_bytes(struct hp_tree *t, struct hp_error *err)
{
	uint64_t *before, sum = 0;
	enum hp_status st =
		hp_big_array_make(t->memory, &t->bytes_before,
				  8 * ((uint64_t)t->count / HP_TREE_SPAN + 1),
				  HP_BIG_RANDOM, err);

	if (st != HP_OK)
		return st;
	before = t->bytes_before.at;
	for (uint32_t place = 0; place < t->count; place++) {
		if (place % HP_TREE_SPAN == 0)
			before[place / HP_TREE_SPAN] = sum;
		sum += t->kind_list->list[hp_tree_kind(t, place)].bytes;
	}
	if (t->count % HP_TREE_SPAN == 0)
		before[t->count / HP_TREE_SPAN] = sum;
	return HP_OK;
}

/*
 * Find the end and the parent of each place (index in the dominator tree).
 * @objects: for each place, how many objects the object there retains. The loop
 * visits the places in preorder. So the parent of a place is the place before
 * it, or the nearest ancestor of that place whose objects have not ended yet.
 */
static enum hp_status
find_ends_and_parents(struct hp_tree *t, const uint32_t *objects,
		      struct hp_error *err)
{
	struct hp_big_memory *m = t->memory;
	uint32_t last = 0, above; /* last: the parent of the place before */
	enum hp_status st =
		hp_near_array_make(m, &t->ends, t->count, true, err);

	if (st == HP_OK)
		st = hp_near_array_make(m, &t->parents, t->count, false, err);
	for (uint32_t place = 0; place < t->count && st == HP_OK; place++) {
		above = place ? place - 1 : 0;
		if (above + objects[above] <= place)
			above = last;
		while (above + objects[above] <= place)
			above = hp_tree_parent(t, above);
		last = above;
		st = hp_near_array_add(m, &t->parents, above, err);
		if (st == HP_OK)
			st = hp_near_array_add(m, &t->ends,
					       place + objects[place], err);
	}
	hp_near_array_trim(m, &t->parents);
	hp_near_array_trim(m, &t->ends);
	return st;
}

/*
 * Sort the arrays by place. @objects: for each preorder number, how many
 * objects the object retains; the function frees it.
 */
static enum hp_status
sort_places(struct hp_tree *t, struct hp_preorder *p,
	    struct hp_big_array *objects, unsigned threads,
	    struct hp_error *err)
{
	/* the objects are last, because place_of() needs their old memory */
	struct hp_big_array *const arrays[] = {&t->kinds, &p->nodes, objects};
	struct hp_big_array next = {0}, spare = {0};
	struct mover m = {.count = t->count};
	enum hp_status st = hp_big_array_make(
		t->memory, &next, 4 * (uint64_t)t->count, HP_BIG_RANDOM, err);

	if (st == HP_OK)
		find_places(p->parents.at, objects->at, t->count, next.at);
	hp_big_array_drop(t->memory, &p->parents);
	m.objects = objects->at;
	m.next = next.at;
	for (size_t i = 0; i < HP_ARRAY_LEN(arrays) && st == HP_OK; i++) {
		m.narrow = arrays[i] == &t->kinds && !t->wide_kinds;
		if (arrays[i]->at)
			st = move_numbers(t, &m, arrays[i], threads, &spare,
					  err);
	}
	hp_big_array_drop(t->memory, &spare);
	hp_big_array_drop(t->memory, &next);
	if (st == HP_OK)
		st = find_ends_and_parents(t, objects->at, err);
	hp_big_array_drop(t->memory, objects);
	t->nodes = p->nodes;
	p->nodes = (struct hp_big_array){0};
	return st;
}

static enum hp_status
build_tree(struct hp_tree *t, struct hp_graph *g, struct hp_preorder *p,
	   struct hp_error *err)
{
	struct hp_big_memory *m = &g->memory;
	struct hp_big_array objects = {0};
	enum hp_status st;

	t->count = p->count;
	t->reachable = p->reachable;
	t->weak = p->weak;
	t->waiting = p->waiting;
	t->hidden = p->hidden;
	t->unreachable.objects = g->all.objects - p->reachable.objects -
				 p->weak.objects - p->hidden.objects;
	t->unreachable.bytes = g->all.bytes - p->reachable.bytes -
			       p->weak.bytes - p->hidden.bytes;
	st = hp_dominators(&p->kept, g->o.threads, m, err);
	if (st == HP_OK)
		st = hp_kept_unfold(p, m, err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &objects, 4 * (uint64_t)t->count,
				       HP_BIG_RANDOM, err);
	if (st != HP_OK) {
		hp_big_array_drop(m, &objects);
		return st;
	}
	sum_up(p->parents.at, t->count, objects.at);
	st = sort_places(t, p, &objects, g->o.threads, err);
	if (st == HP_OK && !t->kinds.at)
		st = find_kinds(t, g, &t->nodes, err);
	return st == HP_OK ? sum_bytes(t, err) : st;
}

enum hp_status
hp_tree_build(struct hp_tree *t, struct hp_graph *g, enum hp_tree_edges edges,
	      struct hp_error *err)
{
	struct hp_preorder p;
	enum hp_status st;

	*t = (struct hp_tree){.memory = &g->memory, .kind_list = &g->kinds};
	st = hp_preorder_walk(&p, g, NULL, 0, err);
	t->count = p.count;
	if (edges == HP_TREE_DROPS_EDGES ||
	    (edges == HP_TREE_KEEPS_FOR_WAITING && p.waiting.objects == 0)) {
		/* the kinds of the objects are needed after the references */
		if (st == HP_OK)
			st = find_kinds(t, g, &p.nodes, err);
		hp_edges_release(&g->edges, &g->memory);
	} else {
		t->single = p.single;
		p.single = (struct hp_big_array){0};
	}
	if (st == HP_OK)
		st = build_tree(t, g, &p, err);
	hp_preorder_release(&p, &g->memory);
	return st;
}

enum hp_status
hp_tree_build_waiting(struct hp_tree *t, struct hp_graph *g,
		      const struct hp_tree *main, struct hp_error *err)
{
	struct hp_reached reached = {0};
	struct hp_preorder p = {0};
	enum hp_status st;

	*t = (struct hp_tree){
		.memory = &g->memory, .kind_list = &g->kinds, .count = 1};
	if (main->waiting.objects == 0)
		return HP_OK;
	st = hp_reached_find(&reached, main, g, err);
	if (st == HP_OK)
		st = hp_preorder_walk(&p, g, reached.bits.at,
				      main->waiting.objects, err);
	hp_reached_release(&reached, &g->memory);
	if (st == HP_OK)
		st = build_tree(t, g, &p, err);
	hp_preorder_release(&p, &g->memory);
	return st;
}

void
hp_tree_release(struct hp_tree *t)
{
	if (!t->memory)
		return;
	hp_big_array_drop(t->memory, &t->nodes);
	hp_big_array_drop(t->memory, &t->kinds);
	hp_near_array_drop(t->memory, &t->ends);
	hp_big_array_drop(t->memory, &t->bytes_before);
	hp_near_array_drop(t->memory, &t->parents);
	hp_big_array_drop(t->memory, &t->single);
	*t = (struct hp_tree){0};
}

void
hp_tree_expect(struct hp_tree *t, enum hp_big_use use)
{
	hp_big_array_expect(&t->nodes, use);
	hp_big_array_expect(&t->kinds, use);
	hp_near_array_expect(&t->ends, use);
	hp_big_array_expect(&t->bytes_before, use);
	hp_near_array_expect(&t->parents, use);
}

static void
fetch(const struct hp_big_array *a, uint32_t from, uint32_t count,
      unsigned size)
{
	hp_big_array_fetch(a, (uint64_t)from * size, (uint64_t)count * size);
}

void
hp_tree_next_window(struct hp_tree_window *w, const struct hp_tree *t,
		    uint32_t place)
{
	unsigned which = w->only ? w->only : UINT_MAX;
	unsigned kind_size = t->wide_kinds ? 4 : 2;
	/* the subtraction wraps around if the loop began again */
	bool goes_on = w->count > 0 && place - w->from < 2 * w->count;
	uint32_t rest = t->count - place;

	w->from = place;
	w->count = goes_on ? 2 * w->count : WINDOW_LEAST;
	if (w->count > WINDOW_MOST)
		w->count = WINDOW_MOST;
	if (rest > w->count)
		rest = w->count;
	if (!goes_on)
		return;
	if (which & HP_TREE_NODES)
		fetch(&t->nodes, place, rest, 4);
	if (which & HP_TREE_KINDS)
		fetch(&t->kinds, place, rest, kind_size);
	if (which & HP_TREE_SHAPE) {
		hp_near_array_fetch(&t->ends, place, rest);
		hp_near_array_fetch(&t->parents, place, rest);
		fetch(&t->bytes_before, place / HP_TREE_SPAN,
		      rest / HP_TREE_SPAN, 8);
	}
}

enum hp_status
hp_reached_find(struct hp_reached *r, const struct hp_tree *t,
		const struct hp_graph *g, struct hp_error *err)
{
	const uint32_t *nodes = t->nodes.at;
	enum hp_status st = hp_big_array_make(
		t->memory, &r->bits, ((uint64_t)g->nodes.count / 64 + 1) * 8,
		HP_BIG_RANDOM, err);
	uint64_t *bits = r->bits.at;
	struct hp_tree_window window = {.only = HP_TREE_NODES};

	for (uint32_t place = 1; st == HP_OK && place < t->count; place++) {
		hp_tree_ahead(&window, t, place);
		bits[nodes[place] >> 6] |= UINT64_C(1) << (nodes[place] & 63);
	}
	return st;
}

void
hp_reached_release(struct hp_reached *r, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &r->bits);
}

enum hp_status
hp_tree_groups(const struct hp_tree *t, const uint32_t *group_of,
	       uint32_t ngroups, struct hp_graph_sum *sums,
	       struct hp_error *err)
{
	uint32_t *covered = hp_calloc((size_t)ngroups + 1, sizeof(*covered));
	uint32_t group, end;

	if (!covered)
		return hp_no_memory(err);
	/*
	 * covered[g]: the first place (index in the tree) after the objects
	 * that group g retains so far. If an object of the group is at a
	 * smaller place, another object of the group dominates it, so it is
	 * skipped.
	 */
	for (uint32_t place = 1; place < t->count; place++) {
		group = group_of[hp_tree_kind(t, place)];
		if (group == UINT32_MAX || place < covered[group])
			continue;
		end = hp_tree_end(t, place);
		covered[group] = end;
		sums[group].objects += end - place;
		sums[group].bytes += hp_tree_bytes(t, place);
	}
	hp_free(covered);
	return HP_OK;
}
