/*
 * owners.c - assign each object to an owner (a static field, a class, a thread
 * ...) in one pass over the dominator tree
 *
 * A class dominates the objects that are kept alive only by its static fields.
 * If two static fields of the class lead to an object, neither field alone
 * keeps it alive, so the class is its owner. bridges.c finds the fields without
 * which an object would not be reachable.
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "common/graph/tree.h"
#include "common/graph/graph.h"
#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * for a gate with a limit in percent of the growth, objects that retain
	 * less than 1/SMALL_PARTS of the heap are ignored
	 */
	SMALL_PARTS = 1000,
	/*
	 * rows have labels only if they retain at least 1/LABEL_PARTS of the
	 * reachable heap
	 */
	LABEL_PARTS = 10000
};

struct owners {
	const struct hp_retained *t;
	struct hp_keys keys;
	struct hp_thread_roots threads;
	const struct hp_column *c;
	struct hp_rank_near *near;
	/*
	 * for the current class: maps the number of an object in the graph to
	 * the index of the static field that refers to this object
	 */
	struct hp_id_map statics;
	struct hp_bridges bridges;
	/*
	 * one bit for each object: a static field refers to the object, but
	 * another owner counts it; allocated only if there are gates
	 */
	struct hp_big_array shared;
	/*
	 * the row with this index + 1 has one owner: its index in the
	 * dominator tree; 0: the row has several owners. Empty if the rows get
	 * no labels.
	 */
	struct hp_id_map owners;
	bool labels;
	struct hp_error *err;
};

static uint32_t
node_at(const struct owners *w, uint32_t place)
{
	return ((const uint32_t *)w->t->tree.nodes.at)[place];
}

static bool
note_owner(struct owners *w, const struct hp_row *row, uint32_t place)
{
	bool fresh;
	uint64_t *slot =
		hp_id_map_put(&w->owners, (uint64_t)row->index + 1, &fresh);

	if (slot)
		*slot = fresh ? place : 0;
	return slot;
}

/*
 * Add the object at index @place of the dominator tree to the row @made.
 * @owner: also count the object as an owner. @whole: also add all objects that
 * it retains. A finalizer also retains the objects that wait for it.
 * Returns HP_NOMEM if @made is NULL.
 */
static enum hp_status
own(struct owners *w, const struct hp_row *made, uint32_t place, bool owner,
    bool whole)
{
	struct hp_row *row = made ? w->c->rows->list[made->index] : NULL;
	uint64_t bytes = hp_retained_kind(w->t, place)->bytes;
	uint32_t end = whole ? hp_tree_end(&w->t->tree, place) : place + 1;
	struct hp_graph_sum sum;

	if (!row || (owner && w->labels && !note_owner(w, row, place)))
		return hp_no_memory(w->err);
	if (whole) {
		sum = hp_retained_sum(w->t, place);
	} else {
		sum = hp_finalizer_queue_sum(&w->t->queue, place, end);
		sum.objects++;
		sum.bytes += bytes;
	}
	row->count[w->c->index] += owner;
	row->bytes[w->c->index] += owner ? bytes : 0;
	row->retained_count[w->c->index] += sum.objects;
	row->retained_bytes[w->c->index] += sum.bytes;
	if (row->native)
		hp_sum_add(&row->native[w->c->index],
			   hp_native_owners_sum(&w->t->native, place, end));
	return HP_OK;
}

/*
 * Append a text about the root that keeps the object @node alive, for example
 * `thread "main"` or "JNI global".
 */
static void
root_words(struct owners *w, struct hp_buf *b, uint32_t node)
{
	const struct hp_graph *g = &w->t->graph;
	const struct hp_graph_root *root = bsearch(
		&node, g->roots, g->nroots, sizeof(*root), hp_compare_u32);

	if (root && hp_root_kind(root->tag) == HP_PATH_THREAD)
		hp_thread_words(b,
				hp_thread_name_of(&w->threads, root->thread));
	else
		hp_buf_text(b,
			    root ? hp_root_words(root->tag) : HP_ROW_SEVERAL);
}

/*
 * Find or create the row of an object that is a child of the root of the
 * dominator tree. The key of the row is the kind of root and the class of the
 * object.
 * Returns NULL if out of memory.
 */
static const struct hp_row *
root_row(struct owners *w, struct hp_rows *rows, uint32_t place)
{
	const struct hp_name *name =
		hp_key_kind(&w->keys, hp_retained_kind(w->t, place));

	if (!name)
		return NULL;
	hp_buf_clear(&w->keys.a);
	root_words(w, &w->keys.a, node_at(w, place));
	hp_buf_printf(&w->keys.a, " %s", name->text);
	return hp_rows_put_text(rows, &w->keys.a);
}

static void
note_shared(struct owners *w, uint32_t place)
{
	uint32_t node = node_at(w, place);

	if (w->shared.at && hp_retained_kind(w->t, place)->of != HP_NODE_CLASS)
		((uint64_t *)w->shared.at)[node >> 6] |= UINT64_C(1)
							 << (node & 63);
}

/*
 * Returns the static field of the class @c that is on every path to the object
 * at @place, or NULL if there is none. The class immediately dominates the
 * object.
 */
static const struct hp_class_static *
owning_field(struct owners *w, const struct hp_class *c, uint32_t place)
{
	uint32_t node = node_at(w, place);
	const uint64_t *found = hp_id_map_get(&w->statics, node);

	return found && hp_bridges_lead_to(&w->bridges, node)
		       ? &c->statics[*found]
		       : NULL;
}

/*
 * Assign a class, and all objects that it dominates, to rows. An object belongs
 * to the row of the static field that alone keeps it alive. If there is no such
 * field, it belongs to the row of the class.
 */
static enum hp_status
add_class(struct owners *w, uint32_t place)
{
	const struct hp_node_kind *kind = hp_retained_kind(w->t, place);
	const struct hp_class *c =
		hp_classes_get(&w->keys.g->classes, kind->class_id);
	const struct hp_row *row = hp_merged_kind_name(&w->keys, w->c->rows,
						       kind),
			    *owner;
	uint32_t end = hp_tree_end(&w->t->tree, place);
	enum hp_status st = own(w, row, place, true, false);
	const struct hp_class_static *field;

	if (st == HP_OK)
		st = hp_merged_statics(&w->statics, &w->t->graph, w->near, c,
				       w->err);
	for (uint32_t at = place + 1; at < end && st == HP_OK;
	     at = hp_tree_end(&w->t->tree, at)) {
		field = owning_field(w, c, at);
		owner = field ? hp_merged_static_name(&w->keys, w->c->rows, c,
						      field)
			      : row;
		if (!field)
			note_shared(w, at);
		st = own(w, owner, at, field != NULL, true);
	}
	return st;
}

static enum hp_status
add_all(struct owners *w)
{
	const struct hp_tree *t = &w->t->tree;
	const struct hp_row *row = NULL;
	enum hp_status st = HP_OK;
	uint32_t place = 1, top_end = 1;

	while (place < t->count && st == HP_OK) {
		bool top = place == top_end;

		if (top)
			top_end = hp_tree_end(t, place);
		if (hp_retained_kind(w->t, place)->of == HP_NODE_CLASS) {
			st = add_class(w, place);
			place = hp_tree_end(t, place);
			continue;
		}
		if (top) {
			row = root_row(w, w->c->rows, place);
			note_shared(w, place);
		}
		st = own(w, row, place, top, false);
		place++;
	}
	return st;
}

static uint32_t
place_of_class(const struct owners *w, const struct hp_class *c)
{
	return hp_bridges_place(&w->bridges,
				hp_node_of(&w->t->graph.nodes, w->near, c->id));
}

static enum hp_status
find_bridges(struct owners *w)
{
	const struct hp_classes *classes = &w->keys.g->classes;
	const struct hp_graph *g = &w->t->graph;
	enum hp_status st =
		hp_bridges_init(&w->bridges, &w->t->tree, g, w->err);

	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		uint32_t of = place_of_class(w, c);

		for (uint32_t k = 0; k < c->nstatics && of != 0; k++) {
			uint32_t node = hp_merged_static_node(g, w->near, c, k);
			uint32_t place = hp_bridges_place(&w->bridges, node);

			if (place != 0 &&
			    hp_tree_parent(&w->t->tree, place) == of)
				hp_bridges_ask(&w->bridges, node);
		}
	}
	if (st == HP_OK)
		hp_bridges_find(&w->bridges, &w->t->tree, g);
	return st;
}

/* --- labels --------------------------------------------------------------- */

/*
 * Describe the owners of the rows: a row whose only owner is a container has
 * the label of this container.
 */
static enum hp_status
label_rows(struct owners *w, struct hp_source *src)
{
	uint64_t least = w->t->tree.reachable.bytes / LABEL_PARTS + 1, key,
		 place;
	struct hp_labelled *list =
		hp_calloc(w->owners.count + 1, sizeof(*list));
	size_t *rows = hp_calloc(w->owners.count + 1, sizeof(*rows));
	enum hp_status st = list && rows ? HP_OK : hp_no_memory(w->err);
	size_t at = 0, n = 0;

	while (st == HP_OK && hp_id_map_next(&w->owners, &at, &key, &place)) {
		if (place == 0 ||
		    hp_retained_sum(w->t, (uint32_t)place).bytes < least)
			continue;
		list[n].place = (uint32_t)place;
		rows[n++] = (size_t)key - 1;
	}
	if (st == HP_OK)
		st = hp_object_labels_find(list, n, w->t, &w->keys, src,
					   &w->c->rows->arena, w->err);
	for (size_t i = 0; i < n && st == HP_OK; i++)
		w->c->rows->list[rows[i]]->label = list[i].text;
	hp_free(list);
	hp_free(rows);
	return st;
}

/* --- objects that gates do not count -------------------------------------- */

struct unowned {
	struct owners *w;
	struct hp_unowned *u;
	struct hp_rows names;
};

/*
 * The object at index @place of the dominator tree counts in the row @owner,
 * although the static field @field also refers to it. Returns true if the gate
 * matches only @field, and would fail if the object counted in the row @field.
 */
static bool
is_blind(const struct unowned *n, const struct hp_gate *g, uint32_t place,
	 const struct hp_row *field, const struct hp_row *owner)
{
	const struct hp_retained *t = n->w->t;
	struct hp_graph_sum sum = hp_retained_sum(t, place);
	uint64_t value = 1;

	if (g->of == HP_GATE_TOTAL || !hp_row_matches(field, g->glob) ||
	    hp_row_matches(owner, g->glob))
		return false;
	/*
	 * with a limit in percent of the growth, ignore objects that are too
	 * small to matter
	 */
	if (g->percent)
		return sum.bytes > t->tree.reachable.bytes / SMALL_PARTS;
	if (g->what == HP_COL_RETAINED_COUNT)
		value = sum.objects;
	else if (g->what == HP_COL_RETAINED_BYTES)
		value = sum.bytes;
	else if (g->what == HP_COL_BYTES)
		value = hp_retained_kind(t, place)->bytes;
	return value > g->limit;
}

/*
 * Record an object that a gate does not count because another row owns it, and
 * remember the largest such object. If two objects are equally large, the
 * object whose field sorts first by name is remembered.
 */
static enum hp_status
note_blind(struct unowned *n, uint32_t place, const struct hp_row *field,
	   const struct hp_row *owner)
{
	uint64_t bytes = hp_retained_sum(n->w->t, place).bytes;
	struct hp_unowned *u = n->u;

	u->count++;
	if (u->field &&
	    (bytes < u->bytes ||
	     (bytes == u->bytes && strcmp(field->key, u->field) >= 0)))
		return HP_OK;
	hp_free(u->field);
	hp_free(u->owner);
	u->bytes = bytes;
	u->field = hp_strdup(field->key);
	u->owner = hp_strdup(owner->key);
	return u->field && u->owner ? HP_OK : hp_no_memory(n->w->err);
}

/*
 * Returns the row of the owner that counts the object at @place, or NULL if out
 * of memory. A static field refers to this object, but does not own it, because
 * the object is also reachable without the field.
 */
static const struct hp_row *
shared_row(struct unowned *n, uint32_t place)
{
	struct owners *w = n->w;
	uint32_t parent = hp_tree_parent(&w->t->tree, place);

	return parent == 0
		       ? root_row(w, &n->names, place)
		       : hp_merged_kind_name(&w->keys, &n->names,
					     hp_retained_kind(w->t, parent));
}

static enum hp_status
look_at_field(struct unowned *n, const struct hp_class *c, uint32_t i)
{
	struct owners *w = n->w;
	uint32_t node = hp_merged_static_node(&w->t->graph, w->near, c, i);
	uint32_t place = hp_bridges_place(&w->bridges, node);
	uint64_t *word, bit = UINT64_C(1) << (node & 63);
	const struct hp_row *field, *owner;
	enum hp_status st = HP_OK;
	bool blind = false;

	if (place == 0)
		return HP_OK;
	word = (uint64_t *)w->shared.at + (node >> 6);
	if (!(*word & bit))
		return HP_OK;
	field = hp_merged_static_name(&w->keys, &n->names, c, &c->statics[i]);
	owner = shared_row(n, place);
	if (!field || !owner)
		return hp_no_memory(w->err);
	for (size_t k = 0; k < n->u->ngates && !blind; k++)
		blind = is_blind(n, &n->u->gates[k], place, field, owner);
	if (blind) {
		st = note_blind(n, place, field, owner);
		/*
		 * clear the bit of this object, so that it counts only once
		 * even if several static fields refer to it
		 */
		*word &= ~bit;
	}
	return st;
}

static enum hp_status
find_unowned(struct owners *w, struct hp_unowned *u)
{
	const struct hp_classes *classes = &w->keys.g->classes;
	struct unowned n = {.w = w, .u = u};
	enum hp_status st = HP_OK;

	if (u->ngates == 0)
		return HP_OK;
	hp_rows_init(&n.names, 1);
	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];

		if (!place_of_class(w, c))
			continue;
		for (uint32_t k = 0; k < c->nstatics && st == HP_OK; k++)
			st = look_at_field(&n, c, k);
	}
	hp_rows_release(&n.names);
	return st;
}

/* Allocate w->shared, which is needed only if there are gates. */
static enum hp_status
make_shared(struct owners *w, const struct hp_unowned *u)
{
	uint64_t words = (uint64_t)w->t->graph.nodes.count / 64 + 1;

	return u->ngates == 0
		       ? HP_OK
		       : hp_big_array_make(w->t->tree.memory, &w->shared,
					   8 * words, HP_BIG_RANDOM, w->err);
}

void
hp_unowned_release(struct hp_unowned *u)
{
	hp_free(u->field);
	hp_free(u->owner);
	*u = (struct hp_unowned){0};
}

enum hp_status
hp_owners_add(const struct hp_retained *t, const struct hp_column *c,
	      struct hp_source *src, bool labels, struct hp_unowned *u,
	      struct hp_error *err)
{
	struct owners w = {.t = t,
			   .keys = {.g = c->g, .o = c->o},
			   .c = c,
			   .labels = labels,
			   .err = err};
	enum hp_status st;

	w.near = hp_calloc(1, sizeof(*w.near));
	st = w.near ? hp_thread_roots_find(&w.threads, &t->graph, c->g, src,
					   err)
		    : hp_no_memory(err);
	if (st == HP_OK)
		st = find_bridges(&w);
	if (st == HP_OK)
		st = make_shared(&w, u);
	if (st == HP_OK)
		st = add_all(&w);
	if (st == HP_OK && labels)
		st = label_rows(&w, src);
	if (st == HP_OK)
		st = find_unowned(&w, u);
	hp_big_array_drop(t->tree.memory, &w.shared);
	hp_bridges_release(&w.bridges);
	hp_thread_roots_release(&w.threads);
	hp_id_map_release(&w.statics);
	hp_id_map_release(&w.owners);
	hp_keys_release(&w.keys);
	hp_free(w.near);
	return st;
}
