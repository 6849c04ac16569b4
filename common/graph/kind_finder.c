/*
 * kind_finder.c - find the kind (class and size) of each object that a thread
 * reads, and its number in the shared table of kinds
 */
#include "common/graph/kind_finder.h"

#include "common/base/memory.h"

enum hp_status
hp_kind_finder_init(struct hp_kind_finder *f, struct hp_node_kinds *kinds,
		    const struct hp_size_model *layout,
		    const struct hp_classes *classes, unsigned id_size,
		    struct hp_error *err)
{
	f->kinds = kinds;
	f->layout = layout;
	f->id_size = id_size;
	f->of_class = hp_calloc(classes->count + 1, sizeof(*f->of_class));
	return f->of_class ? HP_OK : hp_no_memory(err);
}

void
hp_kind_finder_release(struct hp_kind_finder *f)
{
	hp_free(f->of_class);
	f->of_class = NULL;
}

uint32_t
hp_kind_of_new_class(struct hp_kind_finder *f, const struct hp_sub *s,
		     const struct hp_class *c)
{
	const struct hp_node_kind kind = {
		.of = HP_NODE_INSTANCE,
		.class_id = s->class_id,
		.bytes = hp_instance_bytes(f->layout, c, f->id_size)};
	uint32_t number = hp_node_kinds_number(f->kinds, &f->near, &kind);

	if (c)
		f->of_class[c->index] = number;
	return number;
}

uint32_t
hp_kind_of_array(struct hp_kind_finder *f, const struct hp_sub *s)
{
	bool objects = s->tag == HP_SUB_OBJECT_ARRAY_DUMP;
	const struct hp_node_kind kind = {
		.of = objects ? HP_NODE_OBJECT_ARRAY : HP_NODE_PRIMITIVE_ARRAY,
		.class_id = objects ? s->class_id : s->type,
		.bytes = hp_array_bytes(f->layout, s->count,
					objects ? f->layout->reference
						: hp_type_size(s->type, 4))};

	return hp_node_kinds_number(f->kinds, &f->near, &kind);
}

enum hp_status
hp_kinds_of_classes(struct hp_kind_finder *f, const struct hp_classes *classes,
		    struct hp_nodes *nodes, struct hp_rank_near *near,
		    enum hp_status (*store)(void *ctx, uint32_t node,
					    uint32_t kind,
					    struct hp_error *err),
		    void *ctx, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		uint32_t node = hp_node_of(nodes, near, c->id), number;
		const struct hp_node_kind kind = {
			.of = HP_NODE_CLASS,
			.bytes = hp_class_object_bytes(f->layout, c,
						       f->id_size)};

		if (node == HP_NO_NODE ||
		    !hp_node_is_first(nodes, node, c->offset))
			continue;
		number = hp_node_kinds_number(f->kinds, &f->near, &kind);
		st = number ? store(ctx, node, number, err) : hp_no_memory(err);
	}
	return st;
}
