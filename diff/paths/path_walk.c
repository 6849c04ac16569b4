/*
 * path_walk.c - find the shortest path from a root to every object, by
 * breadth-first search; if several paths are equally short, the one whose names
 * sort first wins
 *
 * Objects at equal distance from the roots form a level. A level is processed
 * in two phases. Phase 1 gives their steps to the objects to which the previous
 * level refers. If several references lead to an object, the best one must be
 * known before, so the object waits until now; other objects have their step
 * already, or an entry for a step that is new. Phase 2 adds internal parts of
 * collections and further nodes of linked lists, because these are not steps of
 * their own. They may have internal parts themselves, so phase 2 repeats until
 * no object is added.
 *
 * All threads take part if a level has many objects. If two of them find a
 * reference to the same object, a lock decides which one is compared first; the
 * better reference wins in any case.
 */
#include "diff/paths/walk.h"

#include "common/base/memory.h"
#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * the data of an object whose references are followed is prefetched
	 * this many objects before it is needed, in each of two stages; the
	 * list has place for 2 * (OBJECTS_AHEAD + 1) objects
	 */
	OBJECTS_AHEAD = 6,
	OBJECTS_MOST = 16,
	/*
	 * the data of an object to which a reference leads is prefetched this
	 * many references before it is needed, in each of three stages; the
	 * list has place for 3 * (REFERENCES_AHEAD + 1) references
	 */
	REFERENCES_AHEAD = 16,
	REFERENCES_MOST = 64,
	/*
	 * only if more than this part of all objects is in a queue, their
	 * references may be followed in several passes
	 */
	PASSES_FROM = 64,
	/* so that the time stays in proportion to the number of references */
	PASSES_MOST = 8,
};

/* An object whose references are followed. */
struct holder {
	uint32_t node;
	bool inside; /* it is an internal part of a collection */
	uint32_t class_row;
};

static const char *
class_name(const struct hp_walk *w, uint32_t node)
{
	uint32_t row = w->texts.class_rows[hp_walk_kind(w, node)];

	return w->tree->names.list[row]->key;
}

/* --- how a reference continues a path ------------------------------------- */

static struct hp_path_object
object_of(const struct hp_walk *w, uint32_t node)
{
	const struct hp_path_texts *words = &w->texts;
	uint64_t references;
	uint32_t kind = hp_edge_kind(&w->g->edges, node, &references);
	const struct hp_node_kind *of = &w->g->kinds.list[kind];
	/* the reference to its class leads on if the class has no step */
	bool class_waits = of->class_node != HP_NO_NODE &&
			   !hp_path_has_step(&w->level, of->class_node);

	return (struct hp_path_object){.row = words->class_rows[kind],
				       .inner = words->is_inner[kind],
				       .leads = references != 0 ||
						of->of == HP_NODE_CLASS ||
						class_waits};
}

static enum hp_path_turn
turn_of(const struct hp_walk *w, const struct holder *from,
	const struct hp_path_candidate *x, uint32_t label)
{
	enum hp_field_role role = label < HP_LABEL_STATIC
					  ? w->texts.fields[label].role
					  : HP_FIELD_PLAIN;

	if (label == HP_LABEL_ELEMENT && from->inside)
		return x->inner ? HP_PATH_TURN_INSIDE : HP_PATH_TURN_ELEMENT;
	if (role == HP_FIELD_INSIDE)
		return HP_PATH_TURN_INSIDE;
	if (role == HP_FIELD_ELEMENT)
		return HP_PATH_TURN_ELEMENT;
	if (!from->inside &&
	    (label < HP_LABEL_STATIC || label == HP_LABEL_ELEMENT) &&
	    from->class_row == x->row)
		return HP_PATH_TURN_RUN;
	return label == HP_LABEL_ELEMENT ? HP_PATH_TURN_ELEMENT
					 : HP_PATH_TURN_STEP;
}

/* --- comparing holders ---------------------------------------------------- */

/*
 * Compare the texts of two references. If there is no memory for the texts, the
 * failure is stored in k->part.
 */
static int
compare_labels(struct hp_walker *k, const struct hp_path_candidate *x,
	       const struct hp_path_candidate *y)
{
	struct hp_path_texts *words = &k->w->texts;
	bool x_element = x->turn == HP_PATH_TURN_ELEMENT;
	bool y_element = y->turn == HP_PATH_TURN_ELEMENT;
	const char *a, *b;

	/* the number of a static field has a meaning only within its class */
	if (x_element && y_element)
		return 0;
	if (x->label == y->label &&
	    (x->from == y->from || !hp_path_label_is_static(x->label)))
		return 0;
	a = hp_path_label_text(words, x->from,
			       x_element ? HP_LABEL_ELEMENT : x->label, &k->a);
	b = hp_path_label_text(words, y->from,
			       y_element ? HP_LABEL_ELEMENT : y->label, &k->b);
	if (a && b)
		return strcmp(a, b);
	hp_path_part_no_memory(&k->part);
	return 0;
}

/*
 * Whether two objects with the step @step may have different classes. Only
 * parts of collections do, and objects at the maximum depth. This saves reading
 * the kinds of the objects, which may be in a file.
 */
static bool
may_differ(const struct hp_walk *w, uint32_t x, uint32_t y, uint32_t step)
{
	return ((hp_path_word(&w->level, x) | hp_path_word(&w->level, y)) &
		HP_PATH_INSIDE) ||
	       w->tree->list[step].depth == HP_PATH_DEPTH;
}

/*
 * Compare two references to an object: first by the class names of the objects
 * that contain the references, then by the names of the fields. The result is
 * negative if the first reference is better, positive if the second is better,
 * and 0 if all names are equal.
 */
static int
compare_links(struct hp_walker *k, const struct hp_path_candidate *x,
	      const struct hp_path_candidate *y)
{
	const struct hp_walk *w = k->w;
	uint32_t a = hp_path_given(&w->level, x->from);
	uint32_t b = hp_path_given(&w->level, y->from);
	int c = a == b ? 0 : hp_path_compare(w->tree, a, b);

	if (c == 0 && may_differ(w, x->from, y->from, a) &&
	    hp_walk_kind(w, x->from) != hp_walk_kind(w, y->from))
		c = strcmp(class_name(w, x->from), class_name(w, y->from));
	return c != 0 ? c : compare_labels(k, x, y);
}

/* Whether the reference @x to an object is better than @old, the best so far.
 */
static bool
is_better(struct hp_walker *k, const struct hp_path_candidate *x,
	  const struct hp_path_candidate *old)
{
	int order;

	if (old->from == x->from && old->label == x->label)
		return false;
	order = compare_links(k, x, old);
	if (order == 0 && old->from != x->from)
		return x->from < old->from;
	/*
	 * equal names mean that a field of a subclass hides a field of a
	 * superclass: the field with the smaller number is better
	 */
	return order < 0 || (order == 0 && x->label < old->label);
}

static bool
is_better_seed(const struct hp_walk *w, uint32_t seed, uint32_t old)
{
	const struct hp_path_seed *x = &w->seeds.list[seed];
	const struct hp_path_seed *y = &w->seeds.list[old];
	const struct hp_path_step a = {.kind = x->kind, .via = x->via};
	const struct hp_path_step b = {.kind = y->kind, .via = y->via};

	return hp_path_compare_steps(w->tree, &a, &b) < 0;
}

/* --- the search ----------------------------------------------------------- */

/*
 * The object of the candidate @old is also referred to by @x. Keep the better
 * one of the two references.
 */
static void
keep_better(struct hp_walker *k, struct hp_path_candidate *old,
	    const struct hp_path_candidate *x)
{
	bool joins = hp_path_joins(x->turn), joined = hp_path_joins(old->turn);

	if (joins && !joined)
		hp_path_enqueue(&k->part, x->node);
	else if (joins != joined || !is_better(k, x, old))
		return;
	old->from = x->from;
	old->label = x->label;
	old->turn = x->turn;
}

/*
 * Process a reference to an object that has another one already; @word is the
 * word of the object.
 */
static void
visit_again(struct hp_walker *k, const struct holder *from, uint32_t to,
	    uint32_t label, uint32_t word)
{
	struct hp_path_candidate *old =
		hp_path_candidate_of(&k->w->level, word);
	pthread_mutex_t *lock = &k->w->locks[to % HP_PATH_LOCKS];
	struct hp_path_candidate x;

	if (!k->part.alone)
		pthread_mutex_lock(lock);
	x = hp_path_candidate(
		to, from->node, label,
		(struct hp_path_object){old->row, old->inner, old->leads});
	x.turn = turn_of(k->w, from, &x, label);
	/* only one reference leads to an object that waits for a new step */
	if (!old->fresh)
		keep_better(k, old, &x);
	if (!k->part.alone)
		pthread_mutex_unlock(lock);
}

/* Process a reference from the object @from to the object @to. */
static void
visit_reference(struct hp_walker *k, const struct holder *from, uint32_t to,
		uint32_t label)
{
	struct hp_path_candidate x;
	uint32_t word = hp_path_word(&k->w->level, to);

	if (word == 0) {
		x = hp_path_candidate(to, from->node, label,
				      object_of(k->w, to));
		x.turn = turn_of(k->w, from, &x, label);
		if (hp_tree_is_single(k->w->dominators, to) &&
		    !hp_path_label_is_static(label)) {
			hp_walk_give_step(k, &x);
			return;
		}
		word = hp_path_add_candidate(&k->part, &x);
		if (word == 0 && hp_path_joins(x.turn))
			hp_path_enqueue(&k->part, to);
		if (word == 0)
			return;
	}
	if (word & HP_PATH_WAITS)
		visit_again(k, from, to, label, word);
}

/* --- following the references of the queue -------------------------------- */

struct reference {
	uint32_t to, label;
	struct holder from;
};

/*
 * The objects of the queue that a thread handles next, and their references.
 * The data of an object may be anywhere in memory, so it is prefetched in
 * stages: each stage needs what the stage before it has prefetched. Each member
 * except the lists is the number of objects or references that have passed a
 * stage; the last ones are in the lists. References wait here across objects,
 * so that even a short array does not wait for memory.
 */
struct ahead {
	struct hp_walker *k;
	uint32_t objects[OBJECTS_MOST];
	uint32_t begun;	   /* the index of the references is prefetched */
	uint32_t located;  /* the list of references */
	uint32_t expanded; /* the references were read */
	struct reference references[REFERENCES_MOST];
	uint32_t read;	    /* the word of the object `to` is prefetched */
	uint32_t looked_up; /* where its list is, if it has no path */
	uint32_t fetched;   /* its list, which begins with its kind */
	uint32_t visited;   /* the reference was processed */
};

/*
 * If the object of a reference has no path yet, prefetch where its list of
 * references is. If it waits for a step, prefetch its candidate.
 */
HP_HOT void
fetch_index(const struct hp_walk *w, uint32_t node)
{
	uint32_t word = hp_path_word(&w->level, node);

	if (word == 0)
		hp_edge_prefetch_start(&w->g->edges, node);
	else if (word & HP_PATH_WAITS)
		__builtin_prefetch(hp_path_candidate_of(&w->level, word));
}

HP_HOT void
fetch_list(const struct hp_walk *w, uint32_t node)
{
	if (hp_path_word(&w->level, node) == 0)
		hp_edge_prefetch_list(&w->g->edges, node);
}

/*
 * Move references to the next stages, as soon as more than @distance references
 * have passed the stage before.
 */
HP_HOT void
advance_references(struct ahead *a, unsigned distance)
{
	const struct hp_walk *w = a->k->w;
	const struct reference *list = a->references, *x;

	for (; a->read - a->looked_up > distance; a->looked_up++)
		fetch_index(w, list[a->looked_up % REFERENCES_MOST].to);
	for (; a->looked_up - a->fetched > distance; a->fetched++)
		fetch_list(w, list[a->fetched % REFERENCES_MOST].to);
	for (; a->fetched - a->visited > distance; a->visited++) {
		x = &list[a->visited % REFERENCES_MOST];
		visit_reference(a->k, &x->from, x->to, x->label);
	}
}

/* A reference from the object @from to the object @to was read. */
HP_HOT void
add_reference(struct ahead *a, const struct holder *from, uint32_t to,
	      uint32_t label)
{
	const struct hp_walk *w = a->k->w;

	if (to - w->target >= w->target_count)
		return;
	__builtin_prefetch((const void *)&w->level.steps[to]);
	a->references[a->read++ % REFERENCES_MOST] =
		(struct reference){to, label, *from};
	advance_references(a, REFERENCES_AHEAD);
}

/*
 * Like add_reference(), for the object with the id @id. Does nothing if the
 * dump has no object with this id.
 */
static void
add_reference_by_id(struct ahead *a, const struct holder *from, uint64_t id,
		    uint32_t label)
{
	uint32_t to = hp_walk_node(a->k->w, a->k->near, id);

	if (to != HP_NO_NODE)
		add_reference(a, from, to, label);
}

/*
 * Follow the references from a class object. Skips the static fields of a class
 * that is never unloaded, because paths begin at these fields.
 */
static void
expand_class(struct ahead *a, const struct holder *from,
	     const struct hp_class *c)
{
	struct hp_class_edge e = {0};

	while (hp_class_edge_next(c, &e)) {
		if (e.of != HP_CLASS_EDGE_STATIC)
			add_reference_by_id(a, from, e.to,
					    HP_LABEL_EDGE + e.of);
		else if (!a->k->w->stays[c->index])
			add_reference_by_id(a, from, e.to,
					    HP_LABEL_STATIC + e.index);
	}
}

static void
expand_instance(struct ahead *a, const struct holder *from,
		const struct hp_class *c, uint64_t references)
{
	const struct hp_walk *w = a->k->w;
	const struct hp_path_fields *numbers = &w->texts.numbers;
	const uint8_t *lists = w->g->edges.lists.at;
	struct hp_edge_reader fields = {.at = references, .base = from->node};
	struct hp_path_field_at at = {.of = &numbers->classes[c->index]};
	uint32_t to, number;

	while ((to = hp_edge_next_field(lists, &fields)) != HP_EDGE_END) {
		number = hp_path_field_number(numbers, &at, fields.next - 1);
		if (number != 0)
			add_reference(a, from, to, number);
	}
}

static void
expand_array(struct ahead *a, const struct holder *array, uint64_t references)
{
	const uint8_t *lists = a->k->w->g->edges.lists.at;
	struct hp_edge_reader r = {.at = references, .base = array->node};
	uint32_t to;

	while ((to = hp_edge_next(lists, &r)) != HP_EDGE_END)
		add_reference(a, array, to, HP_LABEL_ELEMENT);
}

static void
expand(struct ahead *a, uint32_t node)
{
	const struct hp_walk *w = a->k->w;
	uint64_t at;
	uint32_t kind = hp_edge_kind(&w->g->edges, node, &at);
	const struct hp_node_kind *of = &w->g->kinds.list[kind];
	const struct hp_class *c = w->texts.classes[kind];
	const struct holder from = {.node = node,
				    .inside = hp_path_word(&w->level, node) &
					      HP_PATH_INSIDE,
				    .class_row = w->texts.class_rows[kind]};

	if (of->of == HP_NODE_CLASS) {
		if (c)
			expand_class(a, &from, c);
		return;
	}
	/* nearly always, the class has a step already */
	if (of->class_node != HP_NO_NODE &&
	    !hp_path_has_step(&w->level, of->class_node))
		add_reference(a, &from, of->class_node, HP_LABEL_CLASS);
	if (at == 0)
		return;
	if (of->of == HP_NODE_INSTANCE && c)
		expand_instance(a, &from, c, at);
	if (of->of == HP_NODE_OBJECT_ARRAY)
		expand_array(a, &from, at);
}

/*
 * Move objects to the next stages, as soon as more than @distance objects have
 * passed the stage before.
 */
HP_HOT void
advance_objects(struct ahead *a, unsigned distance)
{
	const struct hp_edges *edges = &a->k->w->g->edges;
	const uint32_t *list = a->objects;

	for (; a->begun - a->located > distance; a->located++)
		hp_edge_prefetch_list(edges, list[a->located % OBJECTS_MOST]);
	for (; a->located - a->expanded > distance; a->expanded++)
		expand(a, list[a->expanded % OBJECTS_MOST]);
}

static void *
expand_shares(void *argument)
{
	struct hp_walker *k = argument;
	const struct hp_walk *w = k->w;
	struct ahead a;
	uint64_t at, end;

	a.k = k;
	a.begun = a.located = a.expanded = 0;
	a.read = a.looked_up = a.fetched = a.visited = 0;
	while ((end = hp_walk_take(k, &at)) > 0)
		for (; at < end; at++) {
			uint32_t node = w->level.now.list[at];

			hp_edge_prefetch_start(&w->g->edges, node);
			__builtin_prefetch((const void *)&w->level.steps[node]);
			a.objects[a.begun++ % OBJECTS_MOST] = node;
			advance_objects(&a, OBJECTS_AHEAD);
		}
	advance_objects(&a, 0);
	advance_references(&a, 0);
	hp_walk_end_asking(k);
	hp_path_queue_found(&k->part);
	return NULL;
}

/* Give parts of collections and nodes of lists the step that they join. */
static void *
join_shares(void *argument)
{
	struct hp_walker *k = argument;
	struct hp_path_level *l = &k->w->level;
	uint64_t at, end;

	while ((end = hp_walk_take(k, &at)) > 0)
		for (; at < end; at++) {
			uint32_t node = l->now.list[at];
			const struct hp_path_candidate *c;

			if (hp_path_has_step(l, node))
				continue;
			c = hp_path_candidate_of(l, hp_path_word(l, node));
			hp_path_set_word(l, node, hp_path_joined_word(l, c));
		}
	return NULL;
}

/* Returns the number of reachable objects that have no step. */
static uint64_t
count_open(const struct hp_walk *w)
{
	uint64_t open = w->dominators->count - 1;

	for (uint32_t node = 0; node < w->g->nodes.count; node++)
		open -= hp_path_has_step(&w->level, node);
	return open;
}

/*
 * In how many passes the references of @objects objects are followed. If lists
 * of references are in a file, following a reference may read a page of the
 * file, because the list of an object begins with its kind. Objects that have a
 * step are not read. If the rest does not fit into the memory that the kernel
 * has for pages of files, each pass handles only the references to a range of
 * objects, for which this memory is enough. The lists of the @objects objects
 * are read in order, which costs much less, although each pass reads them.
 */
static unsigned
passes_for(const struct hp_walk *w, uint64_t objects)
{
	uint64_t bytes = hp_big_array_in_file(&w->g->edges.lists);
	uint64_t room, passes;

	if (bytes == 0 || objects < w->g->nodes.count / PASSES_FROM)
		return 1;
	/*
	 * By default, --memory is three quarters of the memory of a container.
	 * The rest, and what is free, can contain pages of files.
	 */
	room = hp_memory_given() / 3 + hp_memory_left() + 1;
	if (bytes > room)
		bytes = bytes * count_open(w) / w->g->nodes.count;
	passes = bytes > room ? 1 + 2 * bytes / room : 1;
	return passes < PASSES_MOST ? (unsigned)passes : PASSES_MOST;
}

/*
 * Follow the references of the objects in the queue with the indexes from
 * @begin to @end - 1. Returns false if a thread has failed.
 */
static bool
expand_all(struct hp_walk *w, uint64_t begin, uint64_t end)
{
	unsigned passes = passes_for(w, end - begin);
	uint64_t part = (uint64_t)w->g->nodes.count / passes + 1;
	bool goes_on = true;

	w->target_count = (uint32_t)part;
	for (unsigned i = 0; i < passes && goes_on; i++) {
		w->target = (uint32_t)(i * part);
		goes_on = hp_walk_share(w, expand_shares, begin, end);
	}
	w->target = 0;
	w->target_count = UINT32_MAX;
	return goes_on;
}

/*
 * Phase 2 of a level: for the objects in the queue, find the internal parts of
 * collections and further nodes of linked lists. A part or node gets the step
 * of the collection or list, and is appended to the queue, so that its own
 * parts are also found.
 */
static void
join_parts(struct hp_walk *w)
{
	uint64_t begin = 0, end;

	for (; begin < w->level.now.count; begin = end) {
		end = w->level.now.count;
		if (!expand_all(w, begin, end) ||
		    !hp_walk_share(w, join_shares, end, w->level.now.count))
			return;
	}
}

static bool
is_done(struct hp_walk *w)
{
	if (!w->wanted.nodes)
		return false;
	while (w->found < w->wanted.count &&
	       hp_path_has_step(&w->level, w->wanted.nodes[w->found]))
		w->found++;
	return w->found == w->wanted.count;
}

static enum hp_status
walk_levels(struct hp_walk *w)
{
	while (!hp_walk_has_ended(w) && w->st == HP_OK && !is_done(w)) {
		hp_walk_give_steps(w);
		if (w->st == HP_OK)
			join_parts(w);
	}
	return w->st;
}

static void
visit_seed(struct hp_walk *w, uint32_t i)
{
	uint32_t node = w->seeds.list[i].node;
	struct hp_path_candidate x =
		hp_path_candidate(node, HP_NO_NODE, i, object_of(w, node));
	uint32_t word = hp_path_word(&w->level, node);
	struct hp_path_candidate *old;

	if (word == 0) {
		hp_path_add_candidate(&w->walkers[0].part, &x);
	} else if (word & HP_PATH_WAITS) {
		old = hp_path_candidate_of(&w->level, word);
		if (is_better_seed(w, i, old->label))
			*old = x;
	}
}

/*
 * Start at the starting points (such as static fields and threads) of the kinds
 * @first to @last, and search all levels. Objects that already have a path keep
 * it.
 */
static enum hp_status
begin_with(struct hp_walk *w, unsigned first, unsigned last)
{
	if (is_done(w))
		/*
		 * the search for paths has ended early, because all wanted
		 * objects have paths; so some objects of the last level may
		 * have no step
		 */
		return HP_OK;
	for (uint32_t i = 1;
	     i < w->seeds.count && w->walkers[0].part.st == HP_OK; i++)
		if (w->seeds.list[i].kind >= first &&
		    w->seeds.list[i].kind <= last)
			visit_seed(w, i);
	return hp_walk_goes_on(w) ? walk_levels(w) : w->st;
}

/* Find the paths of objects to which only a finalizer refers. */
static enum hp_status
walk_finalizers(struct hp_walk *w)
{
	const struct hp_graph *g = w->g;

	if (w->wanted.nodes)
		return HP_OK;
	for (size_t i = 0; i < g->nweak; i++)
		if (hp_path_has_step(&w->level, g->weak[i].from) &&
		    hp_graph_is_finalizer(g, &g->weak[i]))
			visit_reference(
				&w->walkers[0],
				&(struct holder){.node = g->weak[i].from},
				g->weak[i].to, HP_LABEL_REFERENT);
	hp_walk_end_asking(&w->walkers[0]);
	hp_path_queue_found(&w->walkers[0].part);
	return hp_walk_goes_on(w) ? walk_levels(w) : w->st;
}

static enum hp_status
walk_all(struct hp_walk *w)
{
	enum hp_status st;

	st = begin_with(w, 0, HP_PATH_OTHER);
	if (st == HP_OK)
		st = begin_with(w, HP_PATH_LOCAL, HP_PATH_CONSTANTS);
	if (st == HP_OK)
		st = begin_with(w, HP_PATH_INTERNED, HP_PATH_CLEANUP);
	return st == HP_OK ? walk_finalizers(w) : st;
}

/* --- running the search --------------------------------------------------- */

/* Returns the number of bytes of the array of steps. */
static uint64_t
steps_size(const struct hp_walk *w)
{
	return ((uint64_t)w->g->nodes.count + 1) * sizeof(*w->level.steps);
}

static enum hp_status
make_arrays(struct hp_walk *w, struct hp_error *err)
{
	struct hp_big_memory *m = w->out->memory;
	/*
	 * with --why, the search for paths usually finds the wanted objects
	 * early, so it uses only few pages of the array
	 */
	enum hp_big_use use = w->wanted.nodes ? HP_BIG_SPARSE : HP_BIG_RANDOM;
	uint64_t n = (uint64_t)w->g->nodes.count + 1;
	enum hp_status st =
		hp_big_array_make(m, &w->out->steps, steps_size(w), use, err);

	return st == HP_OK ? hp_path_level_init(&w->level, w->out->steps.at, n,
						w->threads, m, err)
			   : st;
}

static enum hp_status
prepare(struct hp_walk *w, struct hp_retained *t, struct hp_source *src,
	struct hp_error *err)
{
	struct hp_thread_roots threads = {0};
	enum hp_status st = hp_thread_roots_find(&threads, &t->graph,
						 w->texts.keys->g, src, err);

	if (st == HP_OK)
		st = hp_reached_find(&w->out->reached, &t->tree, &t->graph,
				     err);
	if (st == HP_OK)
		st = hp_path_texts_find(&w->texts, &w->out->class_rows, err);
	if (st == HP_OK)
		st = hp_path_classes_stay(&w->stays, w->out, &t->graph,
					  &w->tree->names, err);
	if (st == HP_OK)
		st = hp_path_seeds_find(&w->seeds, &t->graph, &w->out->reached,
					&threads, w->stays, w->texts.keys,
					w->tree, err);
	hp_thread_roots_release(&threads);
	return st;
}

enum hp_status
hp_path_walk_run(struct hp_path_walk *out, struct hp_retained *t,
		 struct hp_keys *keys, struct hp_source *src,
		 struct hp_path_tree *tree, struct hp_path_wanted wanted,
		 struct hp_error *err)
{
	struct hp_walk w = {.out = out,
			    .g = &t->graph,
			    .dominators = &t->tree,
			    .tree = tree,
			    .wanted = wanted,
			    .texts = {.g = &t->graph,
				      .keys = keys,
				      .names = &tree->names,
				      .lock = PTHREAD_MUTEX_INITIALIZER},
			    .threads = t->graph.o.threads,
			    .round = 1,
			    .target_count = UINT32_MAX,
			    .err = err};
	enum hp_status st;

	*out = (struct hp_path_walk){.memory = &t->graph.memory};
	st = hp_walkers_make(&w, err);
	if (st == HP_OK)
		st = prepare(&w, t, src, err);
	hp_retained_limit_arrays(t, steps_size(&w));
	if (st == HP_OK)
		st = make_arrays(&w, err);
	if (st == HP_OK)
		st = walk_all(&w);
	hp_path_level_release(&w.level);
	hp_path_seeds_release(&w.seeds, tree);
	hp_path_texts_release(&w.texts);
	hp_walkers_release(&w);
	hp_free(w.stays);
	return st;
}

void
hp_path_walk_release(struct hp_path_walk *w)
{
	if (w->memory) {
		hp_reached_release(&w->reached, w->memory);
		hp_big_array_drop(w->memory, &w->steps);
	}
	hp_free(w->class_rows);
	*w = (struct hp_path_walk){0};
}
