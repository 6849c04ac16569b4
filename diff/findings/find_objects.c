/*
 * find_objects.c - find how much memory is kept alive only by certain
 * references, roots and queues
 *
 * One pass over the dominator tree computes most of these sums. The tree is a
 * list in preorder: an object is followed by the objects that it retains.
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* The value of a ThreadLocal in one thread. */
struct local {
	uint32_t key;
	uint64_t bytes;
};

struct pass {
	struct hp_unusual_search *s;
	/*
	 * For each finding: the index in the dominator tree after all objects
	 * that were counted. An object before this index is not counted again.
	 */
	uint32_t soft_end, weak_end, stale_end, local_end, queue_end;
	/* the values of ThreadLocals in all threads */
	struct local *locals;
	size_t nlocals, locals_cap;
};

/* --- places of objects in the dominator tree ------------------------------ */

static int
by_node(const void *a, const void *b)
{
	const struct hp_unusual_wanted *x = a, *y = b;

	return hp_order(x->node, y->node);
}

static struct hp_unusual_wanted *
find_wanted(const struct hp_unusual_search *s, uint32_t node)
{
	const struct hp_unusual_wanted key = {.node = node};

	return s->nwanted > 0 ? bsearch(&key, s->wanted, s->nwanted,
					sizeof(key), by_node)
			      : NULL;
}

/*
 * Returns the index of an object in the dominator tree. Returns 0 if it is
 * unreachable, or not in `wanted`.
 */
static uint32_t
place_of(const struct hp_unusual_search *s, uint32_t node)
{
	const struct hp_unusual_wanted *w = find_wanted(s, node);

	return w ? w->place : 0;
}

static bool
want(struct hp_unusual_search *s, uint32_t node)
{
	const struct hp_unusual_wanted w = {.node = node};

	return node == HP_NO_NODE ||
	       HP_LIST_PUSH(s->wanted, s->nwanted, s->wanted_cap, w);
}

/*
 * List the objects whose index in the dominator tree is needed: the referents
 * of weak references, and the queues of executors.
 */
static bool
want_all(struct hp_unusual_search *s)
{
	const struct hp_graph *g = &s->t->graph;
	size_t kept = 0;
	uint64_t at;
	bool fine = true;

	for (size_t i = 0; i < g->nweak && fine; i++)
		if (s->classes[hp_edge_kind(&g->edges, g->weak[i].from, &at)]
			    .is &
		    HP_IS_WEAK)
			fine = want(s, g->weak[i].to);
	for (uint32_t p = 1; p < s->t->tree.count && fine; p++) {
		const struct hp_unusual_class *c =
			&s->classes[hp_unusual_kind_at(s, p)];

		if (c->is & HP_IS_EXECUTOR)
			fine = want(s,
				    hp_unusual_follow(s, hp_unusual_node(s, p),
						      c->next));
	}
	if (!fine ||
	    !hp_sort(s->wanted, s->nwanted, sizeof(*s->wanted), by_node))
		return false;
	for (size_t i = 0; i < s->nwanted; i++)
		if (i == 0 || s->wanted[i].node != s->wanted[i - 1].node)
			s->wanted[kept++] = s->wanted[i];
	s->nwanted = kept;
	return true;
}

static bool
find_places(struct hp_unusual_search *s)
{
	size_t words = s->t->graph.nodes.count / 64 + 1;
	uint64_t *bits;

	if (!want_all(s))
		return false;
	if (s->nwanted == 0)
		return true;
	bits = hp_calloc(words, sizeof(*bits));
	for (size_t i = 0; bits && i < s->nwanted; i++)
		bits[s->wanted[i].node >> 6] |= UINT64_C(1)
						<< (s->wanted[i].node & 63);
	for (uint32_t p = 1; bits && p < s->t->tree.count; p++) {
		uint32_t node = hp_unusual_node(s, p);

		if (bits[node >> 6] >> (node & 63) & 1)
			find_wanted(s, node)->place = p;
	}
	hp_free(bits);
	return bits != NULL;
}

/* --- one pass over the tree ----------------------------------------------- */

static void
count_one(struct hp_unusual_search *s, enum hp_unusual kind, uint64_t bytes)
{
	s->facts[kind].count++;
	s->facts[kind].bytes += bytes;
}

/*
 * Returns the bytes that the object with index @place in the dominator tree
 * retains. Returns 0 if another object that was counted before retains this
 * object. *@covered: the index in the dominator tree after all objects that
 * were counted; this function updates it.
 */
static uint64_t
newly_retained(const struct hp_unusual_search *s, uint32_t place,
	       uint32_t *covered)
{
	if (place < *covered)
		return 0;
	*covered = hp_tree_end(&s->t->tree, place);
	return hp_tree_bytes(&s->t->tree, place);
}

static void
add_soft(struct pass *w, uint32_t place)
{
	uint64_t own = hp_retained_kind(w->s->t, place)->bytes;
	uint64_t bytes = newly_retained(w->s, place, &w->soft_end);

	if (bytes > own)
		count_one(w->s, HP_UNUSUAL_SOFT, bytes - own);
}

/*
 * Whether the referent of a weak reference is kept alive only by the object
 * that contains this reference, for example an entry of a WeakHashMap whose
 * value refers to the key.
 */
static bool
keeps_itself(const struct hp_unusual_search *s, uint32_t place,
	     const struct hp_graph_weak *weak)
{
	uint32_t to = weak ? place_of(s, weak->to) : 0;

	return to > place && to < hp_tree_end(&s->t->tree, place);
}

static bool
add_weak(struct pass *w, uint32_t place, unsigned is)
{
	struct hp_unusual_search *s = w->s;
	const struct hp_graph_weak *weak =
		hp_graph_weak_of(&s->t->graph, hp_unusual_node(s, place));
	struct local l;

	if (keeps_itself(s, place, weak))
		count_one(s, HP_UNUSUAL_WEAK_VALUES,
			  newly_retained(s, place, &w->weak_end));
	if (!(is & HP_IS_LOCAL))
		return true;
	if (!weak) {
		count_one(s, HP_UNUSUAL_STALE_LOCALS,
			  newly_retained(s, place, &w->stale_end));
		return true;
	}
	l = (struct local){weak->to, newly_retained(s, place, &w->local_end)};
	return HP_LIST_PUSH(w->locals, w->nlocals, w->locals_cap, l);
}

static void
add_executor(struct pass *w, uint32_t place, struct hp_graph_field queue)
{
	struct hp_unusual_search *s = w->s;
	uint32_t to = place_of(
		s, hp_unusual_follow(s, hp_unusual_node(s, place), queue));

	/*
	 * skip this queue if another queue retains it, because it was counted
	 * with that queue
	 */
	if (to != 0 && place >= w->queue_end) {
		w->queue_end = hp_tree_end(&s->t->tree, place);
		count_one(s, HP_UNUSUAL_EXECUTOR_QUEUE,
			  hp_tree_bytes(&s->t->tree, to));
	}
}

static bool
add_place(struct pass *w, uint32_t place)
{
	const struct hp_unusual_class *c =
		&w->s->classes[hp_unusual_kind_at(w->s, place)];

	if (HP_LIKELY(!(c->is & (HP_IS_SOFT | HP_IS_WEAK | HP_IS_EXECUTOR))))
		return true;
	if (c->is & HP_IS_SOFT)
		add_soft(w, place);
	if (c->is & HP_IS_EXECUTOR)
		add_executor(w, place, c->next);
	return !(c->is & HP_IS_WEAK) || add_weak(w, place, c->is);
}

/*
 * Count the objects that are kept alive only by a JNI reference, or only by the
 * table of interned Strings.
 */
static void
add_roots(struct hp_unusual_search *s)
{
	const struct hp_graph *g = &s->t->graph;
	const struct hp_tree *t = &s->t->tree;

	for (size_t i = 0; i < g->nroots; i++)
		if (hp_root_kind(g->roots[i].tag) == HP_PATH_JNI_GLOBAL)
			s->facts[HP_UNUSUAL_JNI].count++;
	for (uint32_t p = 1; p < t->count; p = hp_tree_end(t, p)) {
		uint32_t node = hp_unusual_node(s, p);
		const struct hp_graph_root *root =
			bsearch(&node, g->roots, g->nroots, sizeof(*root),
				hp_compare_u32);

		if (!root)
			continue;
		if (hp_root_kind(root->tag) == HP_PATH_INTERNED)
			count_one(s, HP_UNUSUAL_INTERNED, hp_tree_bytes(t, p));
		if (hp_root_kind(root->tag) == HP_PATH_JNI_GLOBAL)
			s->facts[HP_UNUSUAL_JNI].bytes += hp_tree_bytes(t, p);
	}
}

/* --- examples for the findings that apply --------------------------------- */

/*
 * Whether the kind @k is a better example than the kind @most: its sum in
 * s->sums is larger or, if the sums are equal, its class name comes first. The
 * numbers of the kinds cannot decide, because they depend on which thread was
 * faster.
 */
static bool
is_larger(struct hp_unusual_search *s, uint32_t k, uint32_t most)
{
	const char *name, *other;

	if (s->sums[k] != s->sums[most] || s->sums[k] == 0)
		return s->sums[k] > s->sums[most];
	name = hp_unusual_name(s, k);
	other = hp_unusual_name(s, most);
	return name && other && strcmp(name, other) < 0;
}

static uint32_t
largest_kind(struct hp_unusual_search *s)
{
	uint32_t most = 0;

	for (uint32_t k = 1; k < s->t->graph.kinds.count; k++)
		if (is_larger(s, k, most))
			most = k;
	return most;
}

static void
clear_sums(struct hp_unusual_search *s)
{
	memset(s->sums, 0, s->t->graph.kinds.count * sizeof(*s->sums));
}

bool
hp_unusual_say_kind(struct hp_unusual_search *s, enum hp_unusual kind)
{
	uint32_t k = largest_kind(s);

	return k == 0 || hp_unusual_say(s, kind, hp_unusual_name(s, k));
}

/*
 * Choose the example for a finding about objects with the property @is, such as
 * HP_IS_SOFT. The children of these objects in the dominator tree are grouped
 * by class. The example is the class whose children retain the most bytes.
 */
static bool
say_retained(struct hp_unusual_search *s, enum hp_unusual kind, unsigned is)
{
	const struct hp_tree *t = &s->t->tree;

	if (!s->facts[kind].applies)
		return true;
	clear_sums(s);
	for (uint32_t p = 1; p < t->count; p++) {
		if (!(s->classes[hp_unusual_kind_at(s, p)].is & is))
			continue;
		if (kind == HP_UNUSUAL_STALE_LOCALS &&
		    hp_graph_weak_of(&s->t->graph, hp_unusual_node(s, p)))
			continue;
		for (uint32_t q = p + 1; q < hp_tree_end(t, p);
		     q = hp_tree_end(t, q))
			s->sums[hp_unusual_kind_at(s, q)] +=
				hp_tree_bytes(t, q);
	}
	return hp_unusual_say_kind(s, kind);
}

static bool
is_own(const struct hp_unusual_search *s, uint32_t kind)
{
	const struct hp_class *c = hp_node_kind_class(
		&s->t->graph.kinds.list[kind], &s->c->g->classes);

	return c && c->loader != 0;
}

/*
 * Use as the example the most frequent class of the objects in the queues of
 * executors. Classes of the application are preferred.
 */
static bool
say_tasks(struct hp_unusual_search *s)
{
	uint32_t most = 0;

	const struct hp_tree *t = &s->t->tree;
	uint32_t covered = 0;

	if (!s->facts[HP_UNUSUAL_EXECUTOR_QUEUE].applies)
		return true;
	clear_sums(s);
	for (uint32_t p = 1; p < t->count; p++) {
		const struct hp_unusual_class *c =
			&s->classes[hp_unusual_kind_at(s, p)];
		uint32_t queue, end;

		if (!(c->is & HP_IS_EXECUTOR) || p < covered)
			continue;
		covered = hp_tree_end(t, p);
		queue = place_of(s, hp_unusual_follow(s, hp_unusual_node(s, p),
						      c->next));
		end = queue ? hp_tree_end(t, queue) : 0;
		for (uint32_t q = queue + 1; q < end; q++)
			s->sums[hp_unusual_kind_at(s, q)]++;
	}
	for (uint32_t k = 1; k < s->t->graph.kinds.count; k++)
		if (is_own(s, k) && is_larger(s, k, most))
			most = k;
	if (most == 0)
		most = largest_kind(s);
	return most == 0 || hp_unusual_say(s, HP_UNUSUAL_EXECUTOR_QUEUE,
					   hp_unusual_name(s, most));
}

/*
 * Choose the example for the finding about maps with weak keys (such as
 * WeakHashMap) whose values keep the keys alive: the most frequent class of
 * such keys.
 */
static bool
say_weak(struct hp_unusual_search *s)
{
	const struct hp_graph *g = &s->t->graph;

	if (!s->facts[HP_UNUSUAL_WEAK_VALUES].applies)
		return true;
	clear_sums(s);
	for (uint32_t p = 1; p < s->t->tree.count; p++) {
		const struct hp_graph_weak *weak;
		uint64_t at;

		if (!(s->classes[hp_unusual_kind_at(s, p)].is & HP_IS_WEAK))
			continue;
		weak = hp_graph_weak_of(g, hp_unusual_node(s, p));
		if (keeps_itself(s, p, weak))
			s->sums[hp_edge_kind(&g->edges, weak->to, &at)]++;
	}
	return hp_unusual_say_kind(s, HP_UNUSUAL_WEAK_VALUES);
}

static bool
say_globals(struct hp_unusual_search *s)
{
	const struct hp_graph *g = &s->t->graph;
	uint64_t at;

	if (!s->facts[HP_UNUSUAL_JNI].applies)
		return true;
	clear_sums(s);
	for (size_t i = 0; i < g->nroots; i++)
		if (hp_root_kind(g->roots[i].tag) == HP_PATH_JNI_GLOBAL)
			s->sums[hp_edge_kind(&g->edges, g->roots[i].node,
					     &at)]++;
	return hp_unusual_say_kind(s, HP_UNUSUAL_JNI);
}

/* --- the values of one ThreadLocal ---------------------------------------- */

static int
by_key(const void *a, const void *b)
{
	const struct local *x = a, *y = b;

	return hp_order(x->key, y->key);
}

/* Use as the example the static field that refers to a ThreadLocal. */
static enum hp_status
say_local(struct hp_unusual_search *s, uint32_t node)
{
	const struct hp_classes *classes = &s->c->g->classes;
	struct hp_buf *b = &s->keys.a;
	uint64_t rank = node, id;
	bool fine = true;

	hp_id_ranks_some(&s->t->graph.nodes.ranks, &rank, 1, &id);
	hp_buf_clear(b);
	for (size_t i = 0; i < classes->count && b->len == 0 && fine; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_name *name;

		for (uint32_t k = 0; k < c->nstatics && b->len == 0; k++) {
			if (!hp_type_is_reference(c->statics[k].type) ||
			    c->statics[k].value != id)
				continue;
			name = hp_key_class(&s->keys, c->id);
			fine = name != NULL;
			if (!fine)
				break;
			/*
			 * clear the buffer, because the search for the field
			 * name may have written to it
			 */
			hp_buf_clear(b);
			hp_buf_printf(b, "%s.", name->text);
			hp_key_add_text(b,
					hp_tables_string(&s->c->g->tables,
							 c->statics[k].name));
		}
	}
	if (fine && b->len == 0)
		hp_buf_printf(b, "0x%llx", (unsigned long long)id);
	fine = fine && hp_buf_ok(b) &&
	       hp_unusual_say(s, HP_UNUSUAL_POOL_LOCALS, hp_buf_string(b));
	return fine ? HP_OK : hp_no_memory(s->err);
}

static enum hp_status
find_locals(struct pass *w)
{
	struct hp_unusual_search *s = w->s;
	struct hp_unusual_fact *f = &s->facts[HP_UNUSUAL_POOL_LOCALS];
	uint64_t bytes = 0;
	uint32_t most = HP_NO_NODE;
	size_t first = 0;

	if (!hp_sort(w->locals, w->nlocals, sizeof(*w->locals), by_key))
		return hp_no_memory(s->err);
	for (size_t i = 0; i < w->nlocals; i++) {
		if (i == 0 || w->locals[i].key != w->locals[i - 1].key) {
			bytes = 0;
			first = i;
		}
		bytes += w->locals[i].bytes;
		if (bytes > f->bytes || most == w->locals[i].key) {
			most = w->locals[i].key;
			f->bytes = bytes;
			f->count = i - first + 1;
		}
	}
	hp_unusual_share(s, HP_UNUSUAL_POOL_LOCALS, f->bytes,
			 s->t->tree.reachable.bytes);
	return f->applies ? say_local(s, most) : HP_OK;
}

/* --- all ------------------------------------------------------------------ */

static void
decide(struct hp_unusual_search *s)
{
	static const enum hp_unusual by_bytes[] = {
		HP_UNUSUAL_SOFT, HP_UNUSUAL_WEAK_VALUES,
		HP_UNUSUAL_STALE_LOCALS, HP_UNUSUAL_EXECUTOR_QUEUE,
		HP_UNUSUAL_INTERNED};
	bool all = s->c->o->reachability == HP_REACHABILITY_ALL;

	for (size_t i = 0; i < HP_ARRAY_LEN(by_bytes); i++)
		hp_unusual_share(s, by_bytes[i], s->facts[by_bytes[i]].bytes,
				 s->t->tree.reachable.bytes);
	hp_unusual_share(s, HP_UNUSUAL_JNI, s->facts[HP_UNUSUAL_JNI].count,
			 s->t->tree.reachable.objects);
	/*
	 * with --reachability=all, weak references keep objects alive like
	 * other references, so there are no findings about weak references
	 */
	if (all || s->t->graph.unknown)
		s->facts[HP_UNUSUAL_STALE_LOCALS] = (struct hp_unusual_fact){0};
	if (all)
		s->facts[HP_UNUSUAL_WEAK_VALUES] = (struct hp_unusual_fact){0};
}

enum hp_status
hp_unusual_objects_find(struct hp_unusual_search *s)
{
	struct pass w = {.s = s};
	enum hp_status st = HP_OK;
	bool fine = find_places(s);

	for (uint32_t p = 1; p < s->t->tree.count && fine; p++)
		fine = add_place(&w, p);
	if (fine) {
		add_roots(s);
		decide(s);
		st = find_locals(&w);
	}
	if (fine && st == HP_OK)
		fine = say_retained(s, HP_UNUSUAL_SOFT, HP_IS_SOFT) &&
		       say_retained(s, HP_UNUSUAL_STALE_LOCALS, HP_IS_LOCAL) &&
		       say_weak(s) && say_tasks(s) && say_globals(s);
	hp_free(w.locals);
	return fine ? st : hp_no_memory(s->err);
}
