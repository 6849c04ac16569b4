/*
 * owners.c - one way through the dominator tree, from place to place
 */
#include "diff/leaks/owners.h"

#include "common/graph/root_kinds.h"
#include "diff/leaks/merged_tree.h"
#include "diff/leaks/thread_roots.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_PARTS = 1000 /* of the heap: no gate is about less */ };

struct owners {
	const struct hp_retained *t;
	struct hp_keys keys;
	struct hp_thread_roots threads;
	const struct hp_column *c;
	struct hp_rank_near *near;
	struct hp_id_map statics; /* of the class at hand: node to field */
	struct hp_error *err;
};

static uint32_t
node_at(const struct owners *w, uint32_t place)
{
	return ((const uint32_t *)w->t->tree.nodes.at)[place];
}

/* The object at @place owns; @whole: with all that it dominates. */
static enum hp_status
own(struct owners *w, const struct hp_row *made, uint32_t place, bool owner,
    bool whole)
{
	const struct hp_tree *t = &w->t->tree;
	struct hp_row *row = made ? w->c->rows->list[made->index] : NULL;
	uint64_t bytes = hp_retained_kind(w->t, place)->bytes;

	if (!row)
		return hp_no_memory(w->err);
	row->count[w->c->index] += owner;
	row->bytes[w->c->index] += owner ? bytes : 0;
	row->retained_count[w->c->index] +=
		whole ? ((const uint32_t *)t->objects.at)[place] : 1;
	row->retained_bytes[w->c->index] +=
		whole ? hp_tree_bytes(t, place) : bytes;
	return HP_OK;
}

/* `thread "main"`, "JNI global" and the like, of what no class keeps alone. */
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

/* What is directly under the roots: the root and the class. */
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

/* A class and all below it: its static fields own what they name. */
static enum hp_status
add_class(struct owners *w, uint32_t place)
{
	const struct hp_node_kind *kind = hp_retained_kind(w->t, place);
	const struct hp_class *c =
		hp_classes_get(&w->keys.g->classes, kind->class_id);
	const struct hp_row *row = hp_merged_kind_name(&w->keys, w->c->rows,
						       kind),
			    *field;
	uint32_t end = hp_tree_end(&w->t->tree, place);
	enum hp_status st = own(w, row, place, true, false);
	const uint64_t *found;

	if (st == HP_OK)
		st = hp_merged_statics(&w->statics, &w->t->graph, w->near, c,
				       w->err);
	for (uint32_t at = place + 1; at < end && st == HP_OK;
	     at = hp_tree_end(&w->t->tree, at)) {
		found = hp_id_map_get(&w->statics, node_at(w, at));
		field = found ? hp_merged_static_name(&w->keys, w->c->rows, c,
						      &c->statics[*found])
			      : row;
		st = own(w, field, at, found != NULL, true);
		if (st == HP_OK && found)
			st = hp_keys_fit(&w->keys, w->c->rows, w->err);
	}
	return st == HP_OK ? hp_keys_fit(&w->keys, w->c->rows, w->err) : st;
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
		if (top)
			row = root_row(w, w->c->rows, place);
		st = own(w, row, place, top, false);
		if (st == HP_OK && top)
			st = hp_keys_fit(&w->keys, w->c->rows, w->err);
		place++;
	}
	return st;
}

/* --- what gates do not see ------------------------------------------------ */

struct unowned {
	struct owners *w;
	struct hp_unowned *u;
	struct hp_id_map places; /* of what static fields name: by node */
	struct hp_rows names;
	uint64_t noted;
};

/* All nodes that static fields name, with no place yet. */
static enum hp_status
list_named(struct unowned *n)
{
	const struct hp_classes *classes = &n->w->keys.g->classes;
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];

		for (uint32_t k = 0; k < c->nstatics; k++) {
			uint32_t node = hp_merged_static_node(&n->w->t->graph,
							      n->w->near, c, k);

			if (node != HP_NO_NODE &&
			    !hp_id_map_put(&n->places, node, NULL))
				return hp_no_memory(n->w->err);
		}
		st = hp_histogram_note(n->w->keys.g, &n->noted,
				       hp_id_map_bytes(&n->places), n->w->err);
	}
	return st;
}

/* Those that the roots keep directly. */
static void
find_named(struct unowned *n)
{
	const struct hp_tree *t = &n->w->t->tree;

	for (uint32_t at = 1; at < t->count; at = hp_tree_end(t, at)) {
		uint64_t *place = hp_id_map_find(&n->places, node_at(n->w, at));

		if (place && hp_retained_kind(n->w->t, at)->of != HP_NODE_CLASS)
			*place = at;
	}
}

/* Could what is at @place trip the gate, if it were the field's? */
static bool
is_blind(const struct unowned *n, const struct hp_gate *g, uint32_t place,
	 const struct hp_row *field, const struct hp_row *owner)
{
	const struct hp_retained *t = n->w->t;
	uint64_t bytes = hp_tree_bytes(&t->tree, place), value = 1;

	if (g->total || !hp_row_matches(field, g->glob) ||
	    hp_row_matches(owner, g->glob))
		return false;
	if (g->percent) /* of what it was: not for what is next to nothing */
		return bytes > t->tree.reachable.bytes / SMALL_PARTS;
	if (g->what == HP_ROW_RETAINED_COUNT)
		value = ((const uint32_t *)t->tree.objects.at)[place];
	else if (g->what == HP_ROW_RETAINED_BYTES)
		value = bytes;
	else if (g->what == HP_ROW_BYTES)
		value = hp_retained_kind(t, place)->bytes;
	return value > g->limit;
}

/* Of as many bytes the field that comes first counts. */
static enum hp_status
note_blind(struct unowned *n, uint32_t place, const struct hp_row *field,
	   const struct hp_row *owner)
{
	uint64_t bytes = hp_tree_bytes(&n->w->t->tree, place);
	struct hp_unowned *u = n->u;

	u->count++;
	if (u->field &&
	    (bytes < u->bytes ||
	     (bytes == u->bytes && strcmp(field->key, u->field) >= 0)))
		return HP_OK;
	free(u->field);
	free(u->owner);
	u->bytes = bytes;
	u->field = strdup(field->key);
	u->owner = strdup(owner->key);
	return u->field && u->owner ? HP_OK : hp_no_memory(n->w->err);
}

static enum hp_status
look_at_field(struct unowned *n, const struct hp_class *c, uint32_t i)
{
	struct owners *w = n->w;
	uint32_t node = hp_merged_static_node(&w->t->graph, w->near, c, i);
	uint64_t *place =
		node == HP_NO_NODE ? NULL : hp_id_map_find(&n->places, node);
	const struct hp_row *field, *owner;
	enum hp_status st = HP_OK;
	bool blind = false;

	if (!place || *place == 0)
		return HP_OK;
	field = hp_merged_static_name(&w->keys, &n->names, c, &c->statics[i]);
	owner = root_row(w, &n->names, (uint32_t)*place);
	if (!field || !owner)
		return hp_no_memory(w->err);
	for (size_t k = 0; k < n->u->ngates && !blind; k++)
		blind = is_blind(n, &n->u->gates[k], (uint32_t)*place, field,
				 owner);
	if (blind) {
		st = note_blind(n, (uint32_t)*place, field, owner);
		*place = 0; /* another field may name it, too */
	}
	return st == HP_OK ? hp_keys_fit(&w->keys, &n->names, w->err) : st;
}

static enum hp_status
find_unowned(struct owners *w, struct hp_unowned *u)
{
	const struct hp_classes *classes = &w->keys.g->classes;
	struct unowned n = {.w = w, .u = u};
	enum hp_status st = HP_OK;

	hp_rows_init(&n.names, 1);
	if (u->ngates > 0)
		st = list_named(&n);
	if (u->ngates > 0 && st == HP_OK)
		find_named(&n);
	for (size_t i = 0; i < classes->count && u->ngates > 0; i++)
		for (uint32_t k = 0;
		     k < classes->list[i]->nstatics && st == HP_OK; k++)
			st = look_at_field(&n, classes->list[i], k);
	hp_budget_release(w->keys.g->options->budget, &n.names.noted);
	hp_budget_release(w->keys.g->options->budget, &n.noted);
	hp_rows_release(&n.names);
	hp_id_map_release(&n.places);
	return st;
}

void
hp_unowned_release(struct hp_unowned *u)
{
	free(u->field);
	free(u->owner);
	*u = (struct hp_unowned){0};
}

enum hp_status
hp_owners_add(const struct hp_retained *t, const struct hp_column *c,
	      struct hp_source *src, struct hp_unowned *u, struct hp_error *err)
{
	struct owners w = {
		.t = t, .keys = {.g = c->g, .o = c->o}, .c = c, .err = err};
	enum hp_status st;

	w.near = calloc(1, sizeof(*w.near));
	st = w.near ? hp_thread_roots_find(&w.threads, &t->graph, c->g, src,
					   err)
		    : hp_no_memory(err);
	if (st == HP_OK)
		st = add_all(&w);
	if (st == HP_OK)
		st = find_unowned(&w, u);
	hp_thread_roots_release(&w.threads);
	hp_id_map_release(&w.statics);
	hp_keys_release(&w.keys);
	free(w.near);
	return st;
}
