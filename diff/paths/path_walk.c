/*
 * path_walk.c - find the shortest path from a root to every object, by
 * breadth-first search; if several paths are equally short, the one whose names
 * sort first wins
 *
 * Objects at equal distance from the roots form a level. A level is processed
 * in two phases. Phase 1 adds the objects to which the previous level refers,
 * when the best reference to each object is known. Phase 2 adds internal parts
 * of collections and further nodes of linked lists, because these are not steps
 * of their own. They may have internal parts themselves, so phase 2 repeats
 * until no object is added.
 */
#include "diff/paths/paths.h"

#include "common/base/memory.h"
#include "common/graph/class_edges.h"
#include "diff/leaks/merged_tree.h"
#include "diff/paths/internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * The label of an object: a number for the reference that leads to the object.
 * A label smaller than LABEL_STATIC is the number of a field of an instance.
 * The other labels are:
 */
enum label {
	/* a static field of a class: LABEL_STATIC + the index of the field */
	LABEL_STATIC = HP_PATH_FIELDS_MOST,
	LABEL_ELEMENT = 2 * HP_PATH_FIELDS_MOST,
	LABEL_CLASS, /* the reference from an object to its class */
	/* the reference from a finalizer to the object that waits for it */
	LABEL_REFERENT,
	/*
	 * another reference of a class object: LABEL_EDGE + its kind (enum
	 * hp_class_edge_of)
	 */
	LABEL_EDGE,
	LABEL_END = LABEL_EDGE + HP_CLASS_EDGES,
};

enum {
	/*
	 * the data of an object is prefetched this many objects before it is
	 * needed, in each of three stages
	 */
	AHEAD = 4,
	/*
	 * the data of the objects in an array is prefetched in groups of this
	 * many elements
	 */
	ELEMENTS = 16,
};

/*
 * How a reference continues a path. This determines the step that the
 * referenced object gets.
 */
enum turn {
	/* the object gets a new step, shown as the name of a field */
	TURN_STEP,
	/* the object gets a new step, shown as an array element "[*]" */
	TURN_ELEMENT,
	/*
	 * the object is an internal part of a collection, and belongs to the
	 * step of the collection
	 */
	TURN_INSIDE,
	/*
	 * the object is the next node of a linked list, and belongs to the step
	 * of the list
	 */
	TURN_RUN,
};

struct field_words {
	/*
	 * 1 + the index of the row with the text of the field, such as ".name";
	 * 0: this row was not created yet
	 */
	uint32_t via;
	/*
	 * what the field refers to (enum hp_field_role), for example an
	 * internal part of a collection
	 */
	uint8_t role;
};

struct walk {
	struct hp_path_walk *out;
	const struct hp_graph *g;
	struct hp_keys *keys;
	struct hp_path_tree *tree;
	struct hp_path_wanted wanted;
	/*
	 * only with --why: number of objects at the beginning of `wanted` that
	 * already have a path
	 */
	size_t found;
	/*
	 * for each kind of object (class and size): the row of its class name
	 */
	const uint32_t *class_rows;
	/*
	 * for each kind of object (class and size): the class of its instances
	 * or, for a class object, the class that it represents; NULL for other
	 * objects, or if the class is not known
	 */
	const struct hp_class **classes;
	/* for each class: whether it can be unloaded (enum hp_class_stays) */
	uint8_t *stays;
	/*
	 * for each kind of object (class and size): its objects are arrays that
	 * collections use internally
	 */
	bool *is_inner;
	struct hp_path_fields numbers;
	/*
	 * for each reference field, by its number: its text (as a row), and
	 * what it refers to
	 */
	struct field_words *fields;
	/*
	 * for each label (kind of reference) from LABEL_ELEMENT on: the index
	 * of the row for its text in a path, for example "[*]"
	 */
	uint32_t words[LABEL_END - LABEL_ELEMENT];
	struct hp_path_seeds seeds;
	struct hp_path_level level;
	struct hp_rank_near *near;
	struct hp_error *err;
};

static inline uint32_t
kind_of(const struct walk *w, uint32_t node)
{
	uint64_t references;

	return hp_edge_kind(&w->g->edges, node, &references);
}

static const char *
class_name(const struct walk *w, uint32_t node)
{
	return w->tree->names.list[w->class_rows[kind_of(w, node)]]->key;
}

static uint32_t
node_of(const struct walk *w, uint64_t id)
{
	return hp_node_of(&w->g->nodes, w->near, id);
}

/* --- how a reference continues a path ------------------------------------- */

static enum turn
turn_of(const struct walk *w, uint32_t from, uint32_t to, uint32_t label)
{
	bool inside = w->level.steps[from] & HP_PATH_INSIDE;
	enum hp_field_role role =
		label < LABEL_STATIC ? w->fields[label].role : HP_FIELD_PLAIN;

	if (label == LABEL_ELEMENT && inside)
		return w->is_inner[kind_of(w, to)] ? TURN_INSIDE : TURN_ELEMENT;
	if (role == HP_FIELD_INSIDE)
		return TURN_INSIDE;
	if (role == HP_FIELD_ELEMENT)
		return TURN_ELEMENT;
	if (!inside && (label < LABEL_STATIC || label == LABEL_ELEMENT) &&
	    w->class_rows[kind_of(w, from)] == w->class_rows[kind_of(w, to)])
		return TURN_RUN;
	return label == LABEL_ELEMENT ? TURN_ELEMENT : TURN_STEP;
}

static uint32_t
no_row(struct walk *w)
{
	if (w->level.st == HP_OK)
		w->level.st = hp_no_memory(w->err);
	return 0;
}

/*
 * Returns the row with the text of a field, for example ".name". A failure is
 * stored in w->level.st.
 */
static uint32_t
field_row(struct walk *w, uint32_t field)
{
	const struct hp_string *name =
		hp_tables_string(w->g->o.tables, w->numbers.list[field].name);
	struct hp_buf *b = &w->keys->a;
	const struct hp_row *row;

	if (w->fields[field].via)
		return w->fields[field].via - 1;
	hp_buf_clear(b);
	hp_buf_byte(b, '.');
	hp_key_add_text(b, name);
	row = hp_rows_put_text(&w->tree->names, b);
	if (!row)
		return no_row(w);
	w->fields[field].via = (uint32_t)row->index + 1;
	return (uint32_t)row->index;
}

/*
 * Returns the row with the text of a static field, for example "Leak.SESSIONS
 * (static)". A failure is stored in w->level.st.
 */
static uint32_t
static_row(struct walk *w, uint32_t node, uint32_t index)
{
	const struct hp_class *c = w->classes[kind_of(w, node)];
	const struct hp_row *row;

	if (w->level.st != HP_OK)
		return 0;
	row = hp_merged_static_name(w->keys, &w->tree->names, c,
				    &c->statics[index]);
	return row ? (uint32_t)row->index : no_row(w);
}

/*
 * Returns the row with the text of the reference from the object @from to the
 * next step.
 */
static uint32_t
label_row(struct walk *w, uint32_t from, uint32_t label, enum turn turn)
{
	if (turn == TURN_ELEMENT)
		return w->words[0];
	if (label < LABEL_STATIC)
		return field_row(w, label);
	return label < LABEL_ELEMENT ? static_row(w, from, label - LABEL_STATIC)
				     : w->words[label - LABEL_ELEMENT];
}

/* --- comparing holders ---------------------------------------------------- */

/*
 * Compare two references to the object @to: first by the class names of the
 * objects that contain the references, then by the names of the fields. The
 * result is negative if the first reference is better, positive if the second
 * is better, and 0 if all names are equal.
 */
static int
compare_links(struct walk *w, uint32_t to, uint32_t from_a, uint32_t label_a,
	      uint32_t from_b, uint32_t label_b)
{
	uint32_t a = w->level.steps[from_a] & ~HP_PATH_INSIDE;
	uint32_t b = w->level.steps[from_b] & ~HP_PATH_INSIDE, x, y;
	int c = a == b ? 0 : hp_path_compare(w->tree, a, b);

	if (c == 0 && kind_of(w, from_a) != kind_of(w, from_b))
		c = strcmp(class_name(w, from_a), class_name(w, from_b));
	if (c != 0 || label_a == label_b)
		return c;
	x = label_row(w, from_a, label_a, turn_of(w, from_a, to, label_a));
	y = label_row(w, from_b, label_b, turn_of(w, from_b, to, label_b));
	return x == y ? 0
		      : strcmp(w->tree->names.list[x]->key,
			       w->tree->names.list[y]->key);
}

/*
 * Whether a reference to the object of the candidate @c is better than the best
 * one so far, which @c contains. @from: the object that has the new reference;
 * @label: the kind of this reference, for example a field.
 */
static bool
is_better(struct walk *w, const struct hp_path_candidate *c, uint32_t from,
	  uint32_t label)
{
	uint32_t old = c->label & ~HP_PATH_JOINS;
	int order;

	if (c->from == from && old == label)
		return false;
	order = compare_links(w, c->node, from, label, c->from, old);
	if (order == 0 && c->from != from)
		return from < c->from;
	/*
	 * equal names mean that a field of a subclass hides a field of a
	 * superclass: the field with the smaller number is better
	 */
	return order < 0 || (order == 0 && label < old);
}

static bool
is_better_seed(const struct walk *w, uint32_t seed, uint32_t old)
{
	const struct hp_path_seed *x = &w->seeds.list[seed];
	const struct hp_path_seed *y = &w->seeds.list[old];
	const struct hp_path_step a = {.kind = x->kind, .via = x->via};
	const struct hp_path_step b = {.kind = y->kind, .via = y->via};

	return hp_path_compare_steps(w->tree, &a, &b) < 0;
}

/* --- the search ----------------------------------------------------------- */

static void
visit_reference(struct walk *w, uint32_t from, uint32_t to, uint32_t label)
{
	struct hp_path_candidate *c;
	enum turn turn;
	bool joins;

	if (hp_path_has_step(&w->level, to))
		return;
	c = hp_path_candidate_of(&w->level, to);
	turn = turn_of(w, from, to, label);
	joins = turn == TURN_INSIDE || turn == TURN_RUN;
	if (!c) {
		hp_path_add_candidate(&w->level, to, from,
				      joins ? label | HP_PATH_JOINS : label);
		if (joins && w->level.st == HP_OK)
			hp_path_enqueue(&w->level, to);
	} else if (joins && !(c->label & HP_PATH_JOINS)) {
		c->from = from;
		c->label = label | HP_PATH_JOINS;
		hp_path_enqueue(&w->level, to);
	} else if (joins == !!(c->label & HP_PATH_JOINS) &&
		   is_better(w, c, from, label)) {
		c->from = from;
		c->label = joins ? label | HP_PATH_JOINS : label;
	}
}

/*
 * Process a reference from the object @from to the object with the id @id. Does
 * nothing if the dump has no object with this id.
 */
static void
visit_reference_by_id(struct walk *w, uint32_t from, uint64_t id,
		      uint32_t label)
{
	uint32_t to = node_of(w, id);

	if (to != HP_NO_NODE)
		visit_reference(w, from, to, label);
}

/*
 * Follow the references from a class object. Skips the static fields of a class
 * that is never unloaded, because paths begin at these fields.
 */
static void
expand_class(struct walk *w, uint32_t node, const struct hp_class *c)
{
	struct hp_class_edge e = {0};

	while (hp_class_edge_next(c, &e)) {
		if (e.of != HP_CLASS_EDGE_STATIC)
			visit_reference_by_id(w, node, e.to, LABEL_EDGE + e.of);
		else if (!w->stays[c->index])
			visit_reference_by_id(w, node, e.to,
					      LABEL_STATIC + e.index);
	}
}

static void
expand_instance(struct walk *w, uint32_t node, const struct hp_class *c,
		uint64_t references)
{
	const uint8_t *lists = w->g->edges.lists.at;
	struct hp_edge_reader fields = {.at = references, .base = node};
	struct hp_path_field_at at = {.of = &w->numbers.classes[c->index]};
	uint32_t to, number;

	while ((to = hp_edge_next_field(lists, &fields)) != HP_EDGE_END) {
		number =
			hp_path_field_number(&w->numbers, &at, fields.next - 1);
		if (number != 0)
			visit_reference(w, node, to, number);
	}
}

/*
 * Read the next objects in an array, at most ELEMENTS, and prefetch what
 * visit_reference() reads of them. Returns their number.
 */
static unsigned
read_elements(const struct walk *w, struct hp_edge_reader *r,
	      uint32_t nodes[ELEMENTS])
{
	const uint8_t *lists = w->g->edges.lists.at;
	unsigned n = 0;
	uint32_t to;

	while (n < ELEMENTS && (to = hp_edge_next(lists, r)) != HP_EDGE_END) {
		__builtin_prefetch(&w->level.steps[to]);
		hp_edge_prefetch_start(&w->g->edges, to);
		nodes[n++] = to;
	}
	return n;
}

/*
 * Process the references in an array, in groups. While one group is processed,
 * the data of the objects of the next group is prefetched, because the objects
 * may be anywhere in memory.
 */
static void
expand_array(struct walk *w, uint32_t array, uint64_t at)
{
	struct hp_edge_reader r = {.at = at, .base = array};
	uint32_t groups[2][ELEMENTS];
	unsigned n = read_elements(w, &r, groups[0]);

	for (unsigned turn = 0; n > 0; turn ^= 1) {
		unsigned next =
			n < ELEMENTS ? 0
				     : read_elements(w, &r, groups[turn ^ 1]);

		for (unsigned i = 0; i < n; i++)
			visit_reference(w, array, groups[turn][i],
					LABEL_ELEMENT);
		n = next;
	}
}

static void
expand(struct walk *w, uint32_t node)
{
	uint64_t at;
	uint32_t kind = hp_edge_kind(&w->g->edges, node, &at);
	const struct hp_node_kind *k = &w->g->kinds.list[kind];

	if (k->of == HP_NODE_CLASS) {
		if (w->classes[kind])
			expand_class(w, node, w->classes[kind]);
		return;
	}
	if (k->class_node != HP_NO_NODE)
		visit_reference(w, node, k->class_node, LABEL_CLASS);
	if (at == 0)
		return;
	if (k->of == HP_NODE_INSTANCE && w->classes[kind])
		expand_instance(w, node, w->classes[kind], at);
	if (k->of == HP_NODE_OBJECT_ARRAY)
		expand_array(w, node, at);
}

/*
 * Prefetch memory for the objects that come next in the queue. There are three
 * stages. For an object far ahead, this prefetches the index of its references;
 * when the object is nearer, the references; and when it is next, the first
 * objects to which it refers.
 */
HP_HOT void
fetch_ahead(const struct walk *w, uint32_t i, uint32_t end)
{
	const uint8_t *lists = w->g->edges.lists.at;
	uint32_t nodes[HP_EDGE_FIRST];
	uint64_t at;
	unsigned n;

	if (i + 3 * AHEAD < end)
		hp_edge_prefetch_start(&w->g->edges,
				       w->level.queue[i + 3 * AHEAD]);
	if (i + 2 * AHEAD < end)
		hp_edge_prefetch_list(&w->g->edges,
				      w->level.queue[i + 2 * AHEAD]);
	if (i + AHEAD >= end)
		return;
	hp_edge_kind(&w->g->edges, w->level.queue[i + AHEAD], &at);
	n = at ? hp_edge_first(lists, w->level.queue[i + AHEAD], at, nodes) : 0;
	for (unsigned k = 0; k < n; k++) {
		__builtin_prefetch(&w->level.steps[nodes[k]]);
		hp_edge_prefetch_start(&w->g->edges, nodes[k]);
	}
}

static void
expand_all(struct walk *w, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++) {
		fetch_ahead(w, i, end);
		expand(w, w->level.queue[i]);
	}
}

/*
 * Store the class loader of the class whose static field leads to @step, unless
 * it is the boot loader. If classes with the same name have different loaders,
 * store the loader whose name sorts first.
 */
static void
note_loader(struct walk *w, const struct hp_class *c, uint32_t step)
{
	uint32_t loader = c ? node_of(w, c->loader) : HP_NO_NODE, row;
	uint64_t *slot;
	bool fresh;

	if (!hp_is_reached(&w->out->reached, loader))
		return;
	slot = hp_id_map_put(&w->tree->loader_ids, step, &fresh);
	if (slot)
		*slot = fresh || *slot == c->loader ? c->loader : 0;
	else
		no_row(w);
	row = w->class_rows[kind_of(w, loader)];
	slot = hp_id_map_put(&w->tree->loaders, step, &fresh);
	if (!slot)
		no_row(w);
	else if (fresh || strcmp(w->tree->names.list[row]->key,
				 w->tree->names.list[*slot]->key) < 0)
		*slot = row;
}

/*
 * Find or create the step of an object at which a path begins. Returns 0 if out
 * of memory.
 */
static uint32_t
begin_step(struct walk *w, const struct hp_path_seed *seed, uint32_t row)
{
	uint32_t step = hp_path_step_get(
		w->tree, 0, (enum hp_path_kind)seed->kind, seed->via, row);

	if (seed->kind == HP_PATH_STATIC && step != 0)
		note_loader(w, w->g->o.classes->list[seed->class_index], step);
	return step;
}

/*
 * Find or create the step of an object to which the object @from refers.
 * Returns 0 if out of memory.
 */
static uint32_t
next_step(struct walk *w, uint32_t from, uint32_t label, enum turn turn,
	  uint32_t row)
{
	bool is_static = label >= LABEL_STATIC && label < LABEL_ELEMENT;
	uint32_t via = label_row(w, from, label, turn);
	uint32_t above = w->level.steps[from] & ~HP_PATH_INSIDE;
	uint32_t step = hp_path_step_get(
		w->tree, above, is_static ? HP_PATH_STATIC : HP_PATH_FIELD, via,
		row);

	if (is_static && step != 0 && step != above)
		note_loader(w, w->classes[kind_of(w, from)], step);
	return step;
}

/*
 * Choose the step (node of the path tree) for the object of a candidate. Call
 * this after all references from the previous level have been compared, so that
 * the candidate has the best reference to the object.
 */
static void
give_step(struct walk *w, const struct hp_path_candidate *c)
{
	uint32_t to = c->node, from = c->from,
		 label = c->label & ~HP_PATH_JOINS, step;
	uint32_t row = w->class_rows[kind_of(w, to)];
	bool seed = from == HP_NO_NODE;
	enum turn turn = seed ? TURN_STEP : turn_of(w, from, to, label);

	if (seed)
		step = begin_step(w, &w->seeds.list[label], row);
	else if (turn == TURN_RUN)
		step = w->level.steps[from] & ~HP_PATH_INSIDE;
	else if (turn == TURN_INSIDE)
		step = w->level.steps[from] | HP_PATH_INSIDE;
	else
		step = next_step(w, from, label, turn, row);
	if (step == 0)
		no_row(w);
	w->level.steps[to] = step ? step : 1;
}

/*
 * Phase 2 of a level: for the objects in the queue from index @begin on, find
 * the internal parts of collections and further nodes of linked lists. A part
 * or node gets the step of the collection or list, and is appended to the
 * queue, so that its own parts are also found.
 */
static void
join_parts(struct walk *w, uint32_t begin)
{
	while (begin < w->level.queued && w->level.st == HP_OK) {
		uint32_t end = w->level.queued;

		expand_all(w, begin, end);
		for (uint32_t i = end; i < w->level.queued; i++)
			give_step(w, hp_path_candidate_of(&w->level,
							  w->level.queue[i]));
		begin = end;
	}
}

static bool
is_done(struct walk *w)
{
	if (!w->wanted.nodes)
		return false;
	while (w->found < w->wanted.count &&
	       hp_path_has_step(&w->level, w->wanted.nodes[w->found]))
		w->found++;
	return w->found == w->wanted.count;
}

/*
 * Phase 1 of a level: give a step to each candidate (object that waits for its
 * step), and append the object to the queue. Objects that already have a step
 * are skipped: phase 2 of the previous level has given them one.
 */
static void
begin_level(struct walk *w)
{
	w->level.queued = 0;
	for (uint32_t i = 0; i < w->level.candidate_count; i++) {
		const struct hp_path_candidate *c = &w->level.candidates[i];

		if (hp_path_has_step(&w->level, c->node))
			continue;
		give_step(w, c);
		hp_path_enqueue(&w->level, c->node);
	}
	w->level.candidate_count = 0;
}

static enum hp_status
walk_levels(struct walk *w)
{
	enum hp_status st = HP_OK;

	while (w->level.candidate_count > 0 && st == HP_OK && !is_done(w)) {
		begin_level(w);
		join_parts(w, 0);
		st = w->level.st;
	}
	return st;
}

/*
 * Start at the starting points (such as static fields and threads) of the kinds
 * @first to @last, and search all levels. Objects that already have a path keep
 * it.
 */
static enum hp_status
begin_with(struct walk *w, unsigned first, unsigned last)
{
	if (is_done(w))
		/*
		 * the search for paths has ended early, because all wanted
		 * objects have paths; so some objects of the last level may
		 * have no step
		 */
		return HP_OK;
	for (uint32_t i = 1; i < w->seeds.count && w->level.st == HP_OK; i++) {
		const struct hp_path_seed *s = &w->seeds.list[i];
		struct hp_path_candidate *c;

		if (s->kind < first || s->kind > last ||
		    hp_path_has_step(&w->level, s->node))
			continue;
		c = hp_path_candidate_of(&w->level, s->node);
		if (!c)
			hp_path_add_candidate(&w->level, s->node, HP_NO_NODE,
					      i);
		else if (is_better_seed(w, i, c->label))
			c->label = i;
	}
	return w->level.st == HP_OK ? walk_levels(w) : w->level.st;
}

/* Find the paths of objects to which only a finalizer refers. */
static enum hp_status
walk_finalizers(struct walk *w)
{
	const struct hp_graph *g = w->g;

	if (w->wanted.nodes)
		return HP_OK;
	for (size_t i = 0; i < g->nweak; i++)
		if (hp_is_reached(&w->out->reached, g->weak[i].from) &&
		    hp_graph_is_finalizer(g, &g->weak[i]))
			visit_reference(w, g->weak[i].from, g->weak[i].to,
					LABEL_REFERENT);
	return walk_levels(w);
}

static enum hp_status
walk_all(struct walk *w)
{
	enum hp_status st;

	st = begin_with(w, 0, HP_PATH_OTHER);
	if (st == HP_OK)
		st = begin_with(w, HP_PATH_LOCAL, HP_PATH_CONSTANTS);
	if (st == HP_OK)
		st = begin_with(w, HP_PATH_INTERNED, HP_PATH_CLEANUP);
	return st == HP_OK ? walk_finalizers(w) : st;
}

/* --- preparation ---------------------------------------------------------- */

static enum hp_status
name_kinds(struct walk *w, struct hp_error *err)
{
	const struct hp_node_kinds *kinds = &w->g->kinds;
	enum hp_status st;

	w->is_inner = hp_calloc(kinds->count + 1, sizeof(*w->is_inner));
	w->classes = hp_calloc(kinds->count + 1, sizeof(*w->classes));
	w->out->class_rows =
		hp_calloc(kinds->count + 1, sizeof(*w->out->class_rows));
	w->class_rows = w->out->class_rows;
	if (!w->is_inner || !w->classes || !w->class_rows)
		return hp_no_memory(err);
	st = hp_merged_kind_names(w->keys, &w->tree->names, kinds,
				  w->out->class_rows, err);
	if (st == HP_OK)
		st = hp_class_origins_note(w->g, w->class_rows, &w->tree->names,
					   err);
	for (uint32_t k = 1; k < kinds->count && st == HP_OK; k++) {
		w->classes[k] = hp_path_class_of_kind(w->g, &kinds->list[k]);
		w->is_inner[k] =
			kinds->list[k].of == HP_NODE_INSTANCE &&
			hp_is_collection_inside(
				w->tree->names.list[w->class_rows[k]]->key);
	}
	return st;
}

static enum hp_status
name_fields(struct walk *w, struct hp_error *err)
{
	const struct hp_path_fields *f = &w->numbers;
	const struct hp_string *field;
	const struct hp_name *name;

	w->fields = hp_calloc((size_t)f->count + 1, sizeof(*w->fields));
	if (!w->fields)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < f->count; i++) {
		const struct hp_class *c =
			w->g->o.classes->list[f->list[i].class_index];

		field = hp_tables_string(w->g->o.tables, f->list[i].name);
		name = hp_key_class(w->keys, c->id);
		if (!name)
			return hp_no_memory(err);
		if (field)
			w->fields[i].role = (uint8_t)hp_collection_field(
				name->text, (const char *)field->data,
				field->length);
	}
	return HP_OK;
}

static enum hp_status
name_labels(struct walk *w, struct hp_error *err)
{
	enum { EDGE = LABEL_EDGE - LABEL_ELEMENT };
	static const char *const texts[LABEL_END - LABEL_ELEMENT] = {
		[0] = HP_PATH_ELEMENTS,
		[LABEL_CLASS - LABEL_ELEMENT] = ".<class>",
		[LABEL_REFERENT - LABEL_ELEMENT] = ".referent",
		[EDGE + HP_CLASS_EDGE_SUPER] = ".<super>",
		[EDGE + HP_CLASS_EDGE_LOADER] = ".<loader>",
		[EDGE + HP_CLASS_EDGE_SIGNERS] = ".<signers>",
		[EDGE + HP_CLASS_EDGE_DOMAIN] = ".<domain>",
		[EDGE + HP_CLASS_EDGE_CONSTANT] = ".<constant>"};
	const struct hp_row *row;

	for (size_t i = 0; i < HP_ARRAY_LEN(texts); i++) {
		if (!texts[i])
			/* static_row() makes the texts of static fields */
			continue;
		row = hp_rows_put_word(&w->tree->names, texts[i]);
		if (!row)
			return hp_no_memory(err);
		w->words[i] = (uint32_t)row->index;
	}
	return HP_OK;
}

/* --- running the search --------------------------------------------------- */

static enum hp_status
make_arrays(struct walk *w, struct hp_error *err)
{
	struct hp_big_memory *m = w->out->memory;
	/*
	 * with --why, the search for paths usually finds the wanted objects
	 * early, so it uses only few pages of the array
	 */
	enum hp_big_use use = w->wanted.nodes ? HP_BIG_SPARSE : HP_BIG_RANDOM;
	uint64_t n = (uint64_t)w->g->nodes.count + 1;
	enum hp_status st = hp_big_array_make(
		m, &w->out->steps, n * sizeof(*w->level.steps), use, err);

	return st == HP_OK ? hp_path_level_init(&w->level, w->out->steps.at, n,
						m, err)
			   : st;
}

static enum hp_status
prepare(struct walk *w, struct hp_retained *t, struct hp_source *src,
	struct hp_error *err)
{
	struct hp_thread_roots threads = {0};
	enum hp_status st =
		hp_thread_roots_find(&threads, &t->graph, w->keys->g, src, err);

	if (st == HP_OK)
		st = hp_reached_find(&w->out->reached, &t->tree, &t->graph,
				     err);
	if (st == HP_OK)
		st = hp_path_fields_number(&w->numbers, w->g->o.classes, err);
	if (st == HP_OK)
		st = name_kinds(w, err);
	if (st == HP_OK)
		st = name_fields(w, err);
	if (st == HP_OK)
		st = name_labels(w, err);
	if (st == HP_OK)
		st = hp_path_classes_stay(&w->stays, w->out, &t->graph,
					  &w->tree->names, err);
	if (st == HP_OK)
		st = hp_path_seeds_find(&w->seeds, &t->graph, &w->out->reached,
					&threads, w->stays, w->keys, w->tree,
					err);
	hp_thread_roots_release(&threads);
	return st;
}

enum hp_status
hp_path_walk_run(struct hp_path_walk *out, struct hp_retained *t,
		 struct hp_keys *keys, struct hp_source *src,
		 struct hp_path_tree *tree, struct hp_path_wanted wanted,
		 struct hp_error *err)
{
	struct walk w = {.out = out,
			 .g = &t->graph,
			 .keys = keys,
			 .tree = tree,
			 .wanted = wanted,
			 .err = err};
	enum hp_status st;

	*out = (struct hp_path_walk){.memory = &t->graph.memory};
	w.near = hp_calloc(1, sizeof(*w.near));
	st = w.near ? prepare(&w, t, src, err) : hp_no_memory(err);
	hp_retained_limit_arrays(t);
	if (st == HP_OK)
		st = make_arrays(&w, err);
	if (st == HP_OK)
		st = walk_all(&w);
	hp_path_level_release(&w.level);
	hp_path_seeds_release(&w.seeds, tree);
	hp_path_fields_release(&w.numbers);
	hp_free(w.classes);
	hp_free(w.stays);
	hp_free(w.is_inner);
	hp_free(w.fields);
	hp_free(w.near);
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
