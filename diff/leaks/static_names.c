/*
 * static_names.c - find the static field after which an object of the dominator
 * tree is named
 *
 * An object in a static field is usually directly below its class in the
 * dominator tree. If a local variable also refers to the object, it is directly
 * below the root instead. It still gets the name of the field, so that it
 * matches the same object in a dump where only the field refers to it.
 */
#include "diff/leaks/merged_tree.h"

#include "common/base/memory.h"

#include <string.h>

/*
 * an object directly below the root gets the name of a static field only if it
 * retains at least 1/1024 of the heap; smaller objects are merged by class
 */
enum { SHARE_NAMED = 1 << 10 };

/*
 * A value in the map from objects to static fields. It means: a static field
 * refers to the object, but the object must not be named after the field.
 */
#define NOT_NAMED UINT64_MAX

bool
hp_static_name_text(struct hp_keys *keys, const struct hp_class *c,
		    const struct hp_class_static *s, struct hp_buf *b)
{
	const struct hp_name *name = hp_key_class(keys, c->id);

	if (!name)
		return false;
	/* hp_key_class() may have used the buffer, if it is keys->a */
	hp_buf_clear(b);
	hp_buf_printf(b, "%s.", name->text);
	hp_key_add_text(b, hp_tables_string(&keys->g->tables, s->name));
	hp_buf_text(b, HP_ROW_STATIC);
	return true;
}

const struct hp_row *
hp_merged_static_name(struct hp_keys *keys, struct hp_rows *names,
		      const struct hp_class *c, const struct hp_class_static *s)
{
	return hp_static_name_text(keys, c, s, &keys->a)
		       ? hp_rows_put_text(names, &keys->a)
		       : NULL;
}

uint32_t
hp_merged_static_node(const struct hp_graph *g, struct hp_rank_near *near,
		      const struct hp_class *c, uint32_t i)
{
	return hp_type_is_reference(c->statics[i].type)
		       ? hp_node_of(&g->nodes, near, c->statics[i].value)
		       : HP_NO_NODE;
}

enum hp_status
hp_merged_statics(struct hp_id_map *statics, const struct hp_graph *g,
		  struct hp_rank_near *near, const struct hp_class *c,
		  struct hp_error *err)
{
	hp_id_map_release(statics);
	for (uint32_t i = 0; c && i < c->nstatics; i++) {
		uint32_t node = hp_merged_static_node(g, near, c, i);
		uint64_t *slot;
		bool fresh;

		if (node == HP_NO_NODE)
			continue;
		slot = hp_id_map_put(statics, node, &fresh);
		if (!slot)
			return hp_no_memory(err);
		if (fresh)
			*slot = i;
	}
	return HP_OK;
}

/*
 * If two static fields refer to the same object, the object gets the name of
 * the field that sorts first. Returns whether field @x of class @a sorts before
 * field @y of class @b: by class name, then by field index.
 */
static bool
is_before(struct hp_static_names *n, const struct hp_class *a, uint32_t x,
	  const struct hp_class *b, uint32_t y)
{
	const struct hp_name *of_a = hp_key_class(n->keys, a->id);
	const struct hp_name *of_b = hp_key_class(n->keys, b->id);
	int c = of_a && of_b ? strcmp(of_a->text, of_b->text) : 0;

	return c != 0 ? c < 0 : x < y;
}

/* Add to n->shared each object to which a static field of class @c refers. */
static enum hp_status
share_statics(struct hp_static_names *n, const struct hp_class *c,
	      struct hp_error *err)
{
	const struct hp_classes *classes = &n->keys->g->classes;

	for (uint32_t i = 0; i < c->nstatics; i++) {
		uint32_t node =
			hp_merged_static_node(&n->t->graph, n->near, c, i);
		uint64_t *slot;
		bool fresh;

		if (node == HP_NO_NODE)
			continue;
		slot = hp_id_map_put(&n->shared, node, &fresh);
		if (!slot)
			return hp_no_memory(err);
		if (fresh || is_before(n, c, i, classes->list[*slot >> 32],
				       (uint32_t)*slot))
			*slot = (uint64_t)c->index << 32 | i;
	}
	return HP_OK;
}

/*
 * Mark thread objects in n->shared, so that they are named after their class.
 * Threads are roots themselves, so a static field that refers to a thread does
 * not keep it alive.
 */
static void
leave_threads(struct hp_static_names *n)
{
	const struct hp_graph *g = &n->t->graph;

	for (size_t i = 0; i < g->nroots; i++) {
		uint64_t *slot =
			g->roots[i].tag == HP_SUB_ROOT_THREAD_OBJECT
				? hp_id_map_find(&n->shared, g->roots[i].node)
				: NULL;

		if (slot)
			*slot = NOT_NAMED;
	}
}

/*
 * Returns the class that the class object at index @place of the dominator tree
 * represents. NULL: the object is not a class, or the dump does not describe
 * the class.
 */
static const struct hp_class *
class_at(const struct hp_static_names *n, uint32_t place)
{
	const struct hp_node_kind *kind = hp_retained_kind(n->t, place);

	return kind->of == HP_NODE_CLASS
		       ? hp_classes_get(&n->keys->g->classes, kind->class_id)
		       : NULL;
}

enum hp_status
hp_static_names_init(struct hp_static_names *n, const struct hp_retained *t,
		     struct hp_keys *keys, struct hp_error *err)
{
	*n = (struct hp_static_names){
		.t = t, .keys = keys, .near = hp_calloc(1, sizeof(*n->near))};
	return n->near ? HP_OK : hp_no_memory(err);
}

void
hp_static_names_release(struct hp_static_names *n)
{
	hp_id_map_release(&n->statics);
	hp_id_map_release(&n->shared);
	hp_free(n->near);
	*n = (struct hp_static_names){0};
}

/* Collect the static fields of all reachable classes. */
static enum hp_status
enter_root(struct hp_static_names *n, struct hp_error *err)
{
	struct hp_tree_window window = {.only = HP_TREE_KINDS};
	enum hp_status st = HP_OK;

	n->class = NULL;
	for (uint32_t p = 1; p < n->t->tree.count && st == HP_OK; p++) {
		const struct hp_class *c;

		hp_tree_ahead(&window, &n->t->tree, p);
		c = class_at(n, p);
		if (c && c->index != UINT32_MAX)
			st = share_statics(n, c, err);
	}
	leave_threads(n);
	return st;
}

enum hp_status
hp_static_names_enter(struct hp_static_names *n, uint32_t place,
		      struct hp_error *err)
{
	hp_id_map_release(&n->shared);
	n->any = true;
	if (place == 0)
		return enter_root(n, err);
	n->class = class_at(n, place);
	n->any = n->class;
	return n->class ? hp_merged_statics(&n->statics, &n->t->graph, n->near,
					    n->class, err)
			: HP_OK;
}

/*
 * Whether the object at index @place of the dominator tree may be named after a
 * static field. It must be large enough, and not a class. The object is a child
 * of the root.
 */
static bool
is_named(const struct hp_static_names *n, uint32_t place)
{
	const struct hp_tree *t = &n->t->tree;

	return hp_retained_kind(n->t, place)->of != HP_NODE_CLASS &&
	       hp_tree_bytes(t, place) > t->reachable.bytes / SHARE_NAMED;
}

uint32_t
hp_static_names_field(const struct hp_static_names *n, uint32_t place,
		      const struct hp_class **c)
{
	uint32_t node = ((const uint32_t *)n->t->tree.nodes.at)[place];
	const uint64_t *field =
		hp_id_map_get(n->class ? &n->statics : &n->shared, node);

	*c = NULL;
	if (!field ||
	    (!n->class && (*field == NOT_NAMED || !is_named(n, place))))
		return 0;
	*c = n->class ? n->class : n->keys->g->classes.list[*field >> 32];
	return (uint32_t)*field;
}
