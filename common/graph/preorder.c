/*
 * preorder.c - number the reachable objects by a depth-first search, without
 * recursion
 *
 * Recursion would overflow the stack of the thread: a linked list of a million
 * objects is a million levels deep. After the search from the roots, the same
 * memory is used to find weakly reachable objects, which are reachable only
 * over weak references.
 *
 * Invariants:
 * I1  a node gets at most one number: only a node that was not visited before
 *     gets one.
 * I2  a parent has a smaller number than its children.
 * I3  the stack contains the objects on the path from a root to the object that
 *     was numbered last, except those whose references have all been read.
 */
#include "common/graph/internal.h"
#include "common/graph/hidden_fields.h"
#include "common/base/memory.h"

#include <assert.h>

/*
 * The layout of an entry of the search stack: offsets in bytes. An entry stands
 * for an object with references that were not read yet.
 */
enum {
	/*
	 * An entry of the stack begins with HP_EDGE_START bytes: the position
	 * of the next reference in the list of the object.
	 */
	OPEN_AT = HP_EDGE_START,
	/*
	 * After the position, an entry of the stack contains the number of the
	 * object (4 bytes), and the node to which the next reference is
	 * relative (4 bytes): mostly the object. A position is smaller than
	 * HP_EDGE_NO_LIST, so this bit stores struct hp_edge_reader.elements.
	 */
	OPEN_NODE = OPEN_AT + 4,
	OPEN = OPEN_NODE + 4,
};

/*
 * If there are at least this many objects, another thread touches the pages of
 * the arrays in advance (see struct hp_big_toucher).
 */
enum { WORTHWHILE = 1 << 18 };

struct walk {
	struct hp_graph *g;
	struct hp_preorder *p;
	const uint8_t *lists;
	/*
	 * Two bits for each node, in the same cache line: the words 2i and
	 * 2i + 1 are for 64 nodes. A bit of the first word is set if the object
	 * was visited, or is a root that will be visited. Most references lead
	 * to such objects. A bit of the second word is set if the object is
	 * shared: it is a root or a class, or a second reference to it was
	 * read. The words fit into the cache of the processor.
	 */
	uint64_t *marks;
	/*
	 * Arrays indexed by preorder number: the node of the object, and its
	 * parent in the depth-first tree.
	 */
	uint32_t *node, *parent;
	/* one bit for each preorder number: set if the object is a root */
	uint64_t *rooted;
	/*
	 * One bit for each preorder number: set if the object must be kept
	 * (struct hp_kept), because it refers to an object that is kept.
	 */
	uint64_t *kept;
	/*
	 * for each kind (objects of the same class and size): the class object
	 * must be numbered, because it is in the dump and no root
	 */
	bool *needs_class;
	struct hp_big_array marks_of, stack, roots;
	uint8_t *open; /* the stack of the search, OPEN bytes for each entry */
	uint64_t depth;
	/* number of entries for which the stack of the search has room */
	uint64_t room;
	/*
	 * the error because of which the stack could not grow; otherwise HP_OK
	 */
	struct hp_error error;
};

/* --- the search ----------------------------------------------------------- */

static inline bool
has_bit(const uint64_t *bits, uint32_t node)
{
	return bits[node >> 6] >> (node & 63) & 1;
}

static inline void
set_bit(uint64_t *bits, uint32_t i)
{
	bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline bool
is_met(const struct walk *w, uint32_t node)
{
	return w->marks[node >> 6 << 1] >> (node & 63) & 1;
}

static inline void
note_met(struct walk *w, uint32_t node)
{
	w->marks[node >> 6 << 1] |= UINT64_C(1) << (node & 63);
}

static inline bool
is_shared(const struct walk *w, uint32_t node)
{
	return w->marks[node >> 6 << 1 | 1] >> (node & 63) & 1;
}

/* Record that a second reference to the object was read. */
static inline void
note_shared(struct walk *w, uint32_t node)
{
	w->marks[node >> 6 << 1 | 1] |= UINT64_C(1) << (node & 63);
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
push_open(struct walk *w, uint64_t at, uint32_t number, uint32_t node)
{
	uint8_t *top = w->open + w->depth++ * OPEN;

	hp_edge_set_start(top, 0, at);
	memcpy(top + OPEN_AT, &number, sizeof(number));
	memcpy(top + OPEN_NODE, &node, sizeof(node));
}

/*
 * Number an object that is visited for the first time. If it has references,
 * push it on the stack, so that they are read next. Returns the kind of the
 * object.
 */
static inline uint32_t
number_node(struct walk *w, uint32_t node, uint32_t parent)
{
	uint32_t number = w->p->count++, kind;
	uint64_t at;

	/*
	 * invariant I2 (see the top of this file): a parent has a smaller
	 * number
	 */
	assert(parent < number);
	kind = hp_edge_kind(&w->g->edges, node, &at);
	note_met(w, node);
	w->node[number] = node;
	w->parent[number] = parent;
	if (HP_UNLIKELY(w->needs_class[kind]))
		set_bit(w->kept, number);
	w->p->reachable.bytes += w->g->kinds.list[kind].bytes;
	if (at != 0 && (HP_LIKELY(w->depth < w->room) || more_stack(w)))
		push_open(w, at, number, node);
	return kind;
}

/*
 * Visit the class of the object that was numbered last, which has the kind
 * @kind, before its other references are followed. So a class gets its number
 * before a second object of this class. The function is a loop, because in a
 * damaged dump, a class may have the same id as an earlier object: then the
 * node is that object, whose class must also be visited.
 */
static inline void
follow_class(struct walk *w, uint32_t kind)
{
	uint32_t class_node;

	for (;;) {
		class_node = w->g->kinds.list[kind].class_node;
		if (class_node == HP_NO_NODE || is_met(w, class_node))
			return;
		kind = number_node(w, class_node, w->p->count - 1);
	}
}

/*
 * Read the references of the object on top of the stack, until one leads to a
 * node that was not visited yet. Visit this node.
 */
static inline void
visit_next_reference(struct walk *w)
{
	uint8_t *top = w->open + (w->depth - 1) * OPEN;
	uint64_t at = hp_edge_start(top, 0);
	struct hp_edge_reader r = {.at = at & ~HP_EDGE_NO_LIST,
				   .elements = at & HP_EDGE_NO_LIST};
	uint32_t to, from;
	uint64_t repeated = 0;

	memcpy(&from, top + OPEN_AT, sizeof(from));
	memcpy(&r.base, top + OPEN_NODE, sizeof(r.base));
	while ((to = hp_edge_next(w->lists, &r)) != HP_EDGE_END &&
	       is_met(w, to)) {
		note_shared(w, to);
		repeated++;
	}
	if (repeated > 0)
		set_bit(w->kept, from);
	w->p->repeated += repeated;
	/*
	 * Remove the object from the stack before its last reference is
	 * followed, so that a linked list needs no space on the stack.
	 */
	if (to == HP_EDGE_END || hp_edge_at_end(w->lists, r.at)) {
		w->depth--;
	} else {
		at = r.at | (r.elements ? HP_EDGE_NO_LIST : 0);
		hp_edge_set_start(top, 0, at);
		memcpy(top + OPEN_NODE, &r.base, sizeof(r.base));
	}
	if (to == HP_EDGE_END)
		return;
	follow_class(w, number_node(w, to, from));
}

static void
walk_from(struct walk *w, uint32_t root)
{
	set_bit(w->rooted, w->p->count);
	note_shared(w, root);
	follow_class(w, number_node(w, root, 0));
	while (w->depth > 0)
		visit_next_reference(w);
}

/* --- weakly reachable objects --------------------------------------------- */

/*
 * Visit an object that is only weakly reachable: count it, and push it on the
 * stack, so that its references are read.
 */
static void
visit_weakly(struct walk *w, uint32_t node)
{
	if (node == HP_NO_NODE || is_met(w, node))
		return;
	if (w->depth == w->room && !more_stack(w))
		return;
	note_met(w, node);
	push_open(w, 0, 0, node);
	w->p->weak.objects++;
}

static void
visit_referents(struct walk *w, uint32_t node)
{
	const struct hp_graph_weak *weak = hp_graph_weak_of(w->g, node);
	const struct hp_graph_weak *end = w->g->weak + w->g->nweak;

	for (; weak && weak < end && weak->from == node; weak++)
		visit_weakly(w, weak->to);
}

/*
 * Visit all objects that are reachable from the objects on the stack, until the
 * stack is empty. @referents: also follow weak references.
 */
static void
drain_weakly(struct walk *w, bool referents)
{
	uint32_t node, kind, to;

	while (w->depth > 0) {
		struct hp_edge_reader r = {0};

		memcpy(&node, w->open + --w->depth * OPEN + OPEN_NODE,
		       sizeof(node));
		r.base = node;
		kind = hp_edge_kind(&w->g->edges, node, &r.at);
		w->p->weak.bytes += w->g->kinds.list[kind].bytes;
		visit_weakly(w, w->g->kinds.list[kind].class_node);
		if (referents)
			visit_referents(w, node);
		if (r.at == 0)
			continue;
		while ((to = hp_edge_next(w->lists, &r)) != HP_EDGE_END)
			visit_weakly(w, to);
	}
}

/*
 * Find the finalizer references that the roots reach: their bits are set in
 * @finalizers. No object may have been visited weakly yet.
 */
static void
find_waiting(const struct walk *w, uint64_t *finalizers)
{
	const struct hp_graph_weak *weak = w->g->weak;

	for (size_t i = 0; i < w->g->nweak; i++)
		if (is_met(w, weak[i].from) &&
		    hp_graph_is_finalizer(w->g, &weak[i]))
			finalizers[i >> 6] |= UINT64_C(1) << (i & 63);
}

/*
 * Count weakly reachable objects, in two steps. The first step counts the
 * objects that wait for a finalizer: the Java program uses them again when the
 * finalizer runs. The second step counts all other objects to which weak
 * references lead, from reachable objects or from objects of the first step.
 * @finalizers: one zero bit for each weak reference of the graph.
 */
static void
walk_weakly(struct walk *w, uint64_t *finalizers)
{
	const struct hp_graph_weak *weak = w->g->weak;

	find_waiting(w, finalizers);
	for (size_t i = 0; i < w->g->nweak; i++)
		if (finalizers[i >> 6] >> (i & 63) & 1)
			visit_weakly(w, weak[i].to);
	drain_weakly(w, false);
	w->p->waiting = w->p->weak;
	for (size_t i = 0; i < w->g->nweak; i++)
		if (is_met(w, weak[i].from))
			visit_weakly(w, weak[i].to);
	drain_weakly(w, true);
}

/* --- objects that are kept ------------------------------------------------ */

enum {
	/*
	 * how far ahead the marks of an object are prefetched, as a number of
	 * objects
	 */
	FAR = 32,
};

/*
 * After the search: find the objects that are kept (struct hp_kept). The loop
 * visits children before their parents, because a parent of an object that is
 * kept must be kept.
 */
static void
find_kept(struct walk *w)
{
	set_bit(w->kept, 0);
	for (uint32_t i = w->p->count; i-- > 1;) {
		if (i > FAR)
			__builtin_prefetch(
				&w->marks[w->node[i - FAR] >> 6 << 1]);
		if (!has_bit(w->kept, i) && !is_shared(w, w->node[i]))
			continue;
		set_bit(w->kept, i);
		set_bit(w->kept, w->parent[i]);
	}
}

/* After the search from the roots: make the array `single` of struct hp_tree.
 */
static void
find_single(struct walk *w)
{
	uint64_t *single = w->p->single.at;

	for (uint64_t i = 0; i <= w->g->nodes.count / 64; i++)
		single[i] = w->marks[2 * i] & ~w->marks[2 * i + 1];
}

/*
 * Mark the class objects of all kinds as shared, because the lists of
 * references do not contain the references of objects to their classes. Find
 * the kinds whose class object must be numbered.
 */
static void
find_needed_classes(struct walk *w)
{
	const struct hp_node_kinds *kinds = &w->g->kinds;

	for (uint32_t k = 1; k < kinds->count; k++) {
		uint32_t class_node = kinds->list[k].class_node;

		if (class_node == HP_NO_NODE)
			continue;
		note_shared(w, class_node);
		/* here, only roots were noted as visited */
		w->needs_class[k] = !is_met(w, class_node);
	}
}

/* --- running the search --------------------------------------------------- */

static enum hp_status
make_arrays(struct walk *w, uint64_t most, struct hp_error *err)
{
	struct hp_big_memory *m = &w->g->memory;
	uint64_t n = (uint64_t)w->g->nodes.count + 1;
	const struct {
		struct hp_big_array *array;
		uint64_t bytes;
		enum hp_big_use use;
	} arrays[] = {
		{&w->marks_of, n / 4 + 16, HP_BIG_RANDOM},
		{&w->roots, most / 8 + 8, HP_BIG_RANDOM},
		{&w->p->kept.bits, most / 8 + 8, HP_BIG_RANDOM},
		{&w->p->single, n / 8 + 8, HP_BIG_RANDOM},
		{&w->p->nodes, 4 * most, HP_BIG_IN_ORDER},
		{&w->p->parents, 4 * most, HP_BIG_IN_ORDER},
	};
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < HP_ARRAY_LEN(arrays) && st == HP_OK; i++)
		st = hp_big_array_make(m, arrays[i].array, arrays[i].bytes,
				       arrays[i].use, err);
	if (st == HP_OK)
		st = hp_big_array_reserve(&w->stack, most * OPEN,
					  HP_BIG_IN_ORDER, err);
	w->needs_class = hp_calloc(w->g->kinds.count, sizeof(*w->needs_class));
	if (st == HP_OK && !w->needs_class)
		st = hp_no_memory(err);
	w->marks = w->marks_of.at;
	w->node = w->p->nodes.at;
	w->parent = w->p->parents.at;
	w->rooted = w->roots.at;
	w->kept = w->p->kept.bits.at;
	w->open = w->stack.at;
	return st;
}

/*
 * After find_kept(), only the visited objects are needed: make `marks` an array
 * with one bit for each node, set if the object was visited.
 */
static uint64_t *
met_bits(struct walk *w)
{
	for (uint64_t i = 0; i <= w->g->nodes.count / 64; i++)
		w->marks[i] = w->marks[2 * i];
	return w->marks;
}

/*
 * Count the objects that the roots do not reach. @finalizers: see
 * walk_weakly().
 */
static void
walk_unreached(struct walk *w, uint64_t *finalizers)
{
	walk_weakly(w, finalizers);
	if (w->error.status == HP_OK &&
	    hp_hidden_fields_find(w->g, met_bits(w), &w->p->hidden,
				  &w->error) != HP_OK)
		return;
}

static void
walk_all(struct walk *w)
{
	const struct hp_graph *g = w->g;
	uint64_t *finalizers =
		hp_calloc(g->nweak / 64 + 1, sizeof(*finalizers));

	if (!finalizers) {
		hp_no_memory(&w->error);
		return;
	}
	w->node[0] = HP_NO_NODE;
	w->p->count = 1;
	for (size_t i = 0; i < g->nroots; i++)
		note_met(w, g->roots[i].node);
	find_needed_classes(w);
	for (size_t i = 0; i < g->nroots; i++)
		walk_from(w, g->roots[i].node);
	w->p->reachable.objects = w->p->count - 1;
	find_kept(w);
	find_single(w);
	walk_unreached(w, finalizers);
	hp_free(finalizers);
}

/*
 * Number the objects that wait for a finalizer. The search begins at the
 * referents of finalizer references. Objects that are reachable from the roots
 * (@reached) are treated as visited, and get no number. @begun: one zero bit
 * for each node.
 */
static void
walk_waiting(struct walk *w, const uint64_t *reached, uint64_t *begun)
{
	const struct hp_graph *g = w->g;

	w->node[0] = HP_NO_NODE;
	w->p->count = 1;
	for (uint64_t i = 0; i <= g->nodes.count / 64; i++)
		w->marks[2 * i] = reached[i];
	for (unsigned turn = 0; turn < 2; turn++) {
		for (size_t i = 0; i < g->nweak; i++) {
			const struct hp_graph_weak *weak = &g->weak[i];

			if (!has_bit(reached, weak->from) ||
			    !hp_graph_is_finalizer(g, weak) ||
			    has_bit(reached, weak->to))
				continue;
			if (turn == 0) {
				note_met(w, weak->to);
			} else if (!has_bit(begun, weak->to)) {
				set_bit(begun, weak->to);
				walk_from(w, weak->to);
			}
		}
		if (turn == 0)
			find_needed_classes(w);
	}
	w->p->reachable.objects = w->p->count - 1;
	find_kept(w);
}

static void
walk(struct walk *w, const uint64_t *reached)
{
	uint64_t *begun;

	if (!reached) {
		walk_all(w);
		return;
	}
	begun = hp_calloc((size_t)w->g->nodes.count / 64 + 1, sizeof(*begun));
	if (begun)
		walk_waiting(w, reached, begun);
	else
		hp_no_memory(&w->error);
	hp_free(begun);
}

enum hp_status
hp_preorder_walk(struct hp_preorder *p, struct hp_graph *g,
		 const uint64_t *reached, uint64_t most, struct hp_error *err)
{
	struct walk w = {.g = g, .p = p, .lists = g->edges.lists.at};
	struct hp_big_memory *m = &g->memory;
	const struct hp_big_array *const touched[] = {&p->nodes, &p->parents,
						      NULL};
	struct hp_big_toucher toucher = {.running = false};
	enum hp_status st;

	*p = (struct hp_preorder){0};
	if (!reached)
		most = g->nodes.count;
	st = make_arrays(&w, most + 1, err);
	if (st == HP_OK && g->o.threads > 1 && most > WORTHWHILE)
		hp_big_touch(&toucher, touched);
	if (st == HP_OK)
		walk(&w, reached);
	hp_big_touch_end(&toucher);
	if (w.error.status != HP_OK)
		st = hp_fail_as(err, &w.error);
	hp_big_array_drop(m, &w.stack);
	hp_big_array_drop(m, &w.marks_of);
	hp_free(w.needs_class);
	if (st == HP_OK)
		st = hp_kept_gather(p, w.rooted, g, err);
	hp_big_array_drop(m, &w.roots);
	return st;
}

void
hp_preorder_release(struct hp_preorder *p, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &p->nodes);
	hp_big_array_drop(m, &p->parents);
	hp_big_array_drop(m, &p->single);
	hp_kept_release(&p->kept, m);
	*p = (struct hp_preorder){0};
}
