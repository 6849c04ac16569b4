/*
 * object_referrers.c - find the references to an object in the lists of
 * references of the graph
 */
#include "diff/objects/internal.h"

#include "common/base/memory.h"
#include "diff/paths/paths.h"

#include <stdlib.h>
#include <string.h>

struct finder {
	const struct hp_object_reader *r;
	struct hp_path_fields numbers;
	struct hp_object_facts *f;
	/* number in the graph of the object whose referrers are searched for */
	uint32_t node;
};

/*
 * Append a reference from the object @from to the list of references to the
 * described object. @words: a text that describes the reference; NULL: the
 * reference is the field @field, which the class @of declares, and is described
 * by the name of the field. Returns false if out of memory.
 */
static bool
add_referrer(struct finder *x, uint32_t from, enum hp_reference_kind kind,
	     const char *words, const struct hp_class *of, uint64_t field)
{
	struct hp_object_facts *f = x->f;
	struct hp_object_referrer *to = &f->referrers[f->nreferrers];
	const struct hp_name *class;
	struct hp_buf b = {0};

	if (f->all_referrers++ >= HP_OBJECT_LISTED)
		return true;
	f->nreferrers++;
	*to = (struct hp_object_referrer){.id = hp_object_id(x->r, from),
					  .class = hp_object_class(x->r, from),
					  .kind = kind,
					  .field = words};
	if (words)
		return to->class;
	class = hp_key_class(x->r->keys, of->id);
	if (!class)
		return false;
	hp_buf_add(&b, class->text, class->len);
	hp_buf_byte(&b, '.');
	hp_key_add_text(&b, hp_tables_string(&x->r->keys->g->tables, field));
	to->field = hp_object_keep(x->r, &b);
	hp_buf_release(&b);
	return to->class && to->field;
}

static bool
look_at_fields(struct finder *x, uint32_t from, const struct hp_class *c,
	       uint64_t list)
{
	const struct hp_graph *g = &x->r->t->graph;
	struct hp_edge_reader fields = {.at = list, .base = from};
	struct hp_path_field_at at = {.of = &x->numbers.classes[c->index]};
	uint32_t to;

	while ((to = hp_edge_next_field(g->edges.lists.at, &fields)) !=
	       HP_EDGE_END) {
		const struct hp_path_field *field;

		if (to != x->node)
			continue;
		field = &x->numbers.list[hp_path_field_number(&x->numbers, &at,
							      fields.next - 1)];
		if (!add_referrer(
			    x, from, HP_REFERENCE_FIELD, NULL,
			    x->r->keys->g->classes.list[field->class_index],
			    field->name))
			return false;
	}
	return true;
}

static bool
look_at_class(struct finder *x, uint32_t from, const struct hp_class *c)
{
	struct hp_class_edge edge = {0};
	bool fine = true;

	while (fine && hp_class_edge_next(c, &edge)) {
		if (edge.to != x->f->id)
			continue;
		fine = edge.of == HP_CLASS_EDGE_STATIC
			       ? add_referrer(x, from, HP_REFERENCE_STATIC,
					      NULL, c,
					      c->statics[edge.index].name)
			       : add_referrer(x, from, HP_REFERENCE_CLASS,
					      hp_object_edge_names[edge.of],
					      NULL, 0);
	}
	return fine;
}

static bool
look_at_array(struct finder *x, uint32_t from, uint64_t at)
{
	const uint8_t *lists = x->r->t->graph.edges.lists.at;
	struct hp_edge_reader r = {.at = at, .base = from};
	uint32_t to;

	while ((to = hp_edge_next(lists, &r)) != HP_EDGE_END)
		if (to == x->node &&
		    !add_referrer(x, from, HP_REFERENCE_ELEMENT, "element",
				  NULL, 0))
			return false;
	return true;
}

static bool
refers(const struct finder *x, uint32_t from, uint64_t at)
{
	const uint8_t *lists = x->r->t->graph.edges.lists.at;
	struct hp_edge_reader r = {.at = at, .base = from};
	uint32_t to;

	while ((to = hp_edge_next(lists, &r)) != HP_EDGE_END)
		if (to == x->node)
			return true;
	return false;
}

static bool
look_at_object(struct finder *x, uint32_t from)
{
	const struct hp_graph *g = &x->r->t->graph;
	const struct hp_classes *classes = &x->r->keys->g->classes;
	const struct hp_node_kind *kind;
	const struct hp_class *c;
	uint64_t at;

	kind = &g->kinds.list[hp_edge_kind(&g->edges, from, &at)];
	if (kind->class_node == x->node)
		x->f->instances++;
	if (at == 0 || !refers(x, from, at))
		return true;
	if (kind->of == HP_NODE_OBJECT_ARRAY)
		return look_at_array(x, from, at);
	c = hp_classes_get(classes, kind->class_id);
	if (!c)
		return true;
	return kind->of == HP_NODE_CLASS ? look_at_class(x, from, c)
					 : look_at_fields(x, from, c, at);
}

static bool
look_at_others(struct finder *x)
{
	const struct hp_graph *g = &x->r->t->graph;
	bool fine = true;

	for (size_t i = 0; i < g->nlocals && fine; i++)
		if (g->locals[i].node == x->node)
			fine = add_referrer(
				x, g->locals[i].thread, HP_REFERENCE_LOCAL,
				hp_root_words(g->locals[i].tag), NULL, 0);
	for (size_t i = 0; i < g->nweak && fine; i++)
		if (g->weak[i].to == x->node)
			fine = add_referrer(x, g->weak[i].from,
					    HP_REFERENCE_WEAK, "referent", NULL,
					    0);
	return fine;
}

static int
by_node(const void *key, const void *root)
{
	return hp_order(*(const uint32_t *)key,
			((const struct hp_graph_root *)root)->node);
}

enum hp_status
hp_object_referrers_find(const struct hp_object_reader *r, uint32_t node,
			 struct hp_object_facts *f, struct hp_error *err)
{
	const struct hp_graph *g = &r->t->graph;
	struct finder x = {.r = r, .f = f, .node = node};
	const struct hp_graph_root *root =
		g->nroots ? bsearch(&node, g->roots, g->nroots,
				    sizeof(*g->roots), by_node)
			  : NULL;
	enum hp_status st =
		hp_path_fields_number(&x.numbers, &r->keys->g->classes, err);
	bool fine;

	f->root = root ? hp_root_words(root->tag) : NULL;
	f->referrers = hp_arena_alloc(r->arena,
				      HP_OBJECT_LISTED * sizeof(*f->referrers));
	fine = f->referrers;
	for (uint32_t i = 0; i < g->nodes.count && fine && st == HP_OK; i++)
		fine = look_at_object(&x, i);
	if (fine && st == HP_OK)
		fine = look_at_others(&x);
	hp_path_fields_release(&x.numbers);
	return fine ? st : hp_no_memory(err);
}
