/*
 * object_names.c - find the id and the class name of an object by its number in
 * the graph, and the names of references
 */
#include "diff/objects/internal.h"

const char *const hp_object_edge_names[HP_CLASS_EDGES] = {
	[HP_CLASS_EDGE_SUPER] = "superclass",
	[HP_CLASS_EDGE_LOADER] = "class loader",
	[HP_CLASS_EDGE_SIGNERS] = "signers",
	[HP_CLASS_EDGE_DOMAIN] = "protection domain",
	[HP_CLASS_EDGE_CONSTANT] = "constant"};

uint64_t
hp_object_id(const struct hp_object_reader *r, uint32_t node)
{
	uint64_t rank = node, id = 0;

	hp_id_ranks_some(&r->t->graph.nodes.ranks, &rank, 1, &id);
	return id;
}

const char *
hp_object_keep(const struct hp_object_reader *r, const struct hp_buf *text)
{
	return hp_buf_ok(text) ? hp_arena_copy(r->arena, text->data, text->len)
			       : NULL;
}

const char *
hp_object_class(const struct hp_object_reader *r, uint32_t node)
{
	const struct hp_graph *g = &r->t->graph;
	const struct hp_node_kind *kind = hp_graph_kind(g, node);
	const struct hp_name *name =
		kind->of == HP_NODE_CLASS
			? hp_key_class(r->keys, kind->class_id)
			: hp_key_kind(r->keys, kind);
	struct hp_buf b = {0};
	const char *kept;

	if (!name)
		return NULL;
	hp_buf_text(&b, kind->of == HP_NODE_CLASS ? "class " : "");
	hp_buf_add(&b, name->text, name->len);
	kept = hp_object_keep(r, &b);
	hp_buf_release(&b);
	return kept;
}
