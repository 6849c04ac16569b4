/*
 * describe_objects.c - describe single objects (--object): size, fields, texts,
 * dominator, and path from the roots
 */
#include "diff/objects/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "diff/leaks/leaks.h"
#include "diff/paths/paths.h"
#include "diff/retained/graph_texts.h"
#include "diff/retained/loader_names.h"

#include <string.h>

/* --- texts of Strings ----------------------------------------------------- */

static uint64_t
referred(const struct hp_object_field *field)
{
	return hp_type_is_reference(field->type) ? field->value : 0;
}

static bool
is_string(const char *class)
{
	return class && strcmp(class, "java.lang.String") == 0;
}

/* The texts of the Strings among some objects and their fields. */
struct reading {
	struct hp_graph_texts texts;
	struct hp_rank_near near;
};

static uint32_t
node_of(struct reading *x, uint64_t id)
{
	return hp_node_of(&x->texts.graph->nodes, &x->near, id);
}

static bool
want_texts(struct reading *x, const struct hp_object_facts *f)
{
	bool fine = !is_string(f->class) ||
		    hp_graph_texts_want(&x->texts, node_of(x, f->id));

	for (size_t i = 0; i < f->nfields && fine; i++)
		if (is_string(f->fields[i].class))
			fine = hp_graph_texts_want(
				&x->texts, node_of(x, f->fields[i].value));
	return fine;
}

static bool
take_texts(struct reading *x, struct hp_object_facts *f)
{
	bool fine = !is_string(f->class) ||
		    hp_graph_texts_get(&x->texts, node_of(x, f->id), &f->text);

	for (size_t i = 0; i < f->nfields && fine; i++) {
		struct hp_object_field *field = &f->fields[i];

		if (is_string(field->class))
			fine = hp_graph_texts_get(&x->texts,
						  node_of(x, field->value),
						  &field->text);
	}
	return fine;
}

static enum hp_status
read_texts(const struct hp_object_reader *r, struct hp_object_facts *list,
	   size_t n, struct hp_error *err)
{
	struct reading x = {.texts = {.graph = &r->t->graph,
				      .pass.g = r->keys->g,
				      .pass.texts = {.most = HP_OBJECT_TEXT,
						     .escape = hp_text_clean,
						     .arena = r->arena}}};
	enum hp_status st = HP_OK;
	bool fine = true;

	hp_graph_texts_init(&x.texts);
	for (size_t i = 0; i < n && fine; i++)
		fine = want_texts(&x, &list[i]);
	if (fine)
		st = hp_graph_texts_run(&x.texts, r->src, err);
	for (size_t i = 0; i < n && fine && st == HP_OK; i++)
		fine = take_texts(&x, &list[i]);
	hp_graph_texts_release(&x.texts);
	return fine ? st : hp_no_memory(err);
}

/* --- all objects ---------------------------------------------------------- */

/*
 * For each field in @f that refers to an object, store the class name of this
 * object.
 */
static bool
name_referred(const struct hp_object_reader *r, struct hp_object_facts *f)
{
	struct hp_rank_near near = {0};
	const struct hp_nodes *nodes = &r->t->graph.nodes;

	for (size_t i = 0; i < f->nfields; i++) {
		struct hp_object_field *field = &f->fields[i];
		uint32_t node = hp_node_of(nodes, &near, referred(field));

		if (node == HP_NO_NODE)
			continue;
		field->class = hp_object_class(r, node);
		if (!field->class)
			return false;
	}
	return true;
}

enum hp_status
hp_objects_describe(const struct hp_object_reader *r,
		    struct hp_object_facts *list, size_t n,
		    struct hp_error *err)
{
	const struct hp_graph *g = &r->t->graph;
	struct hp_rank_near near = {0};
	enum hp_status st;

	for (size_t i = 0; i < n; i++) {
		uint32_t node = hp_node_of(&g->nodes, &near, list[i].id);
		const struct hp_node_kind *kind = hp_graph_kind(g, node);

		list[i].is = (enum hp_node_is)kind->of;
		list[i].bytes = kind->bytes;
		list[i].class = hp_object_class(r, node);
		if (!list[i].class)
			return hp_no_memory(err);
	}
	st = hp_object_contents_read(r, list, n, err);
	for (size_t i = 0; i < n && st == HP_OK; i++)
		if (!name_referred(r, &list[i]))
			st = hp_no_memory(err);
	if (st == HP_OK && r->values)
		st = read_texts(r, list, n, err);
	return st;
}

enum hp_status
hp_objects_label(const struct hp_object_reader *r, struct hp_object_facts *list,
		 size_t n, struct hp_error *err)
{
	struct hp_labelled *labels = hp_calloc(n + 1, sizeof(*labels));
	enum hp_status st;
	size_t count = 0;

	if (!labels)
		return hp_no_memory(err);
	for (size_t i = 0; i < n; i++)
		if (list[i].place != 0)
			labels[count++].place = list[i].place;
	st = hp_object_labels_find(labels, count, r->t, r->keys, r->src,
				   r->arena, err);
	count = 0;
	for (size_t i = 0; i < n && st == HP_OK; i++)
		if (list[i].place != 0)
			list[i].label = labels[count++].text;
	hp_free(labels);
	return st;
}

/* --- the object of --object ----------------------------------------------- */

static uint32_t
place_of(const struct hp_tree *t, uint32_t node)
{
	const uint32_t *nodes = t->nodes.at;

	for (uint32_t p = 1; p < t->count; p++)
		if (nodes[p] == node)
			return p;
	return 0;
}

static bool
find_place(const struct hp_object_reader *r, uint32_t node,
	   struct hp_object_facts *f)
{
	const struct hp_tree *t = &r->t->tree;
	uint32_t place = place_of(t, node), above;

	f->is_reachable = place != 0;
	f->place = place;
	if (place != 0) {
		f->retained = hp_retained_sum(r->t, place);
	} else if (r->t->queue.count > 0) {
		t = &r->t->queue.tree;
		place = place_of(t, node);
		f->is_waiting = place != 0;
		if (place != 0)
			f->retained =
				(struct hp_graph_sum){hp_tree_objects(t, place),
						      hp_tree_bytes(t, place)};
	}
	above = place ? hp_tree_parent(t, place) : 0;
	if (above == 0)
		return true;
	node = ((const uint32_t *)t->nodes.at)[above];
	f->dominator = hp_object_id(r, node);
	f->dominator_class = hp_object_class(r, node);
	return f->dominator_class;
}

static enum hp_status
find_path(const struct hp_object_reader *r, uint32_t node,
	  struct hp_object_facts *f, struct hp_error *err)
{
	struct hp_path_tree tree = {0};
	struct hp_path_walk walk = {0};
	struct hp_buf b = {0};
	/*
	 * if the object waits for its finalizer, search the paths of all
	 * objects, because a search for one object ends before it reaches
	 * waiting objects
	 */
	const struct hp_path_wanted wanted = {f->is_waiting ? NULL : &node,
					      f->is_waiting ? 0 : 1};
	enum hp_status st = hp_path_tree_init(&tree, 1, err);

	if (st == HP_OK)
		st = hp_path_walk_run(&walk, r->t, r->keys, r->src, &tree,
				      wanted, err);
	if (st == HP_OK && hp_path_step_of(&walk, node) != 0) {
		hp_path_text(&tree, hp_path_step_of(&walk, node), &b);
		f->path = hp_object_keep(r, &b);
		if (!f->path)
			st = hp_no_memory(err);
	}
	hp_buf_release(&b);
	hp_path_walk_release(&walk);
	hp_path_tree_release(&tree);
	return st;
}

/* If the object is a class loader, find the name of its application. */
static enum hp_status
find_loader_name(const struct hp_object_reader *r, uint32_t node,
		 struct hp_object_facts *f, struct hp_error *err)
{
	struct hp_loader_name name = {.node = node};
	enum hp_status st = hp_loader_names_find(&name, 1, r->t, r->keys,
						 r->src, r->arena, err);

	f->loader_name = name.text;
	return st;
}

enum hp_status
hp_object_describe_fully(const struct hp_object_reader *r, uint64_t id,
			 struct hp_object_facts **out, struct hp_error *err)
{
	struct hp_rank_near near = {0};
	uint32_t node = hp_node_of(&r->t->graph.nodes, &near, id);
	struct hp_object_facts *f;
	enum hp_status st;
	uint64_t at;

	*out = NULL;
	if (node == HP_NO_NODE ||
	    hp_edge_kind(&r->t->graph.edges, node, &at) == 0)
		return HP_OK;
	f = hp_arena_alloc(r->arena, sizeof(*f));
	if (!f)
		return hp_no_memory(err);
	*f = (struct hp_object_facts){.id = id};
	st = hp_objects_describe(r, f, 1, err);
	if (st == HP_OK)
		st = hp_object_referrers_find(r, node, f, err);
	if (st == HP_OK)
		st = find_loader_name(r, node, f, err);
	if (st == HP_OK && !find_place(r, node, f))
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = hp_objects_label(r, f, 1, err);
	if (st == HP_OK && (f->is_reachable || f->is_waiting))
		st = find_path(r, node, f, err);
	*out = f;
	return st;
}
