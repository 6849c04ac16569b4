/*
 * holder_kinds.c - what each object is: 4 bytes by its number
 */
#include "diff/leaks/holder_internal.h"

#include "diff/count/extra_pass.h"

enum { OF_KIND = 24 /* bytes for each kind of object: name, objects */ };

HP_HOT uint32_t
instance_kind(struct hp_holder_pass *p, struct hp_holder_worker *w,
	      const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(&p->g->classes, &w->classes, s->class_id);
	const struct hp_size_model *l = p->layout;
	uint64_t a = l->alignment ? l->alignment : 1;
	struct hp_node_kind kind = {.of = HP_NODE_INSTANCE,
				    .class_id = s->class_id};
	uint32_t number;

	if (c && HP_LIKELY(w->of_class[c->index] != 0))
		return w->of_class[c->index];
	kind.bytes = c ? hp_instance_bytes(l, c, p->g->header.id_size)
		       : (l->header + a - 1) / a * a;
	number = hp_node_kinds_number(&p->kinds, &w->kinds, &kind);
	if (c)
		w->of_class[c->index] = number;
	return number;
}

static uint32_t
array_kind(struct hp_holder_pass *p, struct hp_holder_worker *w,
	   const struct hp_sub *s)
{
	bool objects = s->tag == HP_SUB_OBJECT_ARRAY_DUMP;
	struct hp_node_kind kind = {
		.of = objects ? HP_NODE_OBJECT_ARRAY : HP_NODE_PRIMITIVE_ARRAY,
		.class_id = objects ? s->class_id : s->type};

	kind.bytes = hp_array_bytes(p->layout, s->count,
				    objects ? p->layout->reference
					    : hp_type_size(s->type, 4));
	return hp_node_kinds_number(&p->kinds, &w->kinds, &kind);
}

/* The object is of this kind, if its dump is the one that counts. */
HP_HOT void
set_kind(struct hp_holder_pass *p, struct hp_holder_worker *w,
	 const struct hp_sub *s, uint32_t kind)
{
	uint32_t node = hp_node_of(&p->nodes, &w->near, s->id);

	if (node != HP_NO_NODE && hp_node_is_first(&p->nodes, node, s->offset))
		((uint32_t *)p->kind_of.at)[node] = kind;
}

HP_HOT bool
note_kinds_of(struct hp_holder_pass *p, struct hp_holder_worker *w,
	      struct hp_heap_iter *at, unsigned id_size)
{
	struct hp_heap_iter it = *at;
	uint32_t kind = 1;
	struct hp_sub s;

	while (kind != 0 && hp_heap_instance(&it, &s, id_size)) {
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD);
		kind = instance_kind(p, w, &s);
		set_kind(p, w, &s, kind);
	}
	*at = it;
	return kind != 0;
}

/* Note what instances side by side are. */
static bool
note_kinds(void *ctx, unsigned worker, struct hp_heap_iter *at)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];

	return p->nodes.id_size == 8 ? note_kinds_of(p, w, at, 8)
				     : note_kinds_of(p, w, at, 4);
}

/* Note what the object of a sub-record is. */
static bool
note_kind(void *ctx, unsigned worker, const struct hp_sub *s,
	  const struct hp_piece *piece)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];
	uint32_t kind;

	if (piece && !piece->head)
		return true;
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		kind = instance_kind(p, w, s);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		kind = array_kind(p, w, s);
		break;
	default:
		return true;
	}
	set_kind(p, w, s, kind);
	return kind != 0;
}

/* Classes are objects, too. */
static enum hp_status
note_classes(struct hp_holder_pass *p, struct hp_error *err)
{
	struct hp_holder_worker *w = &p->workers[0];

	for (size_t i = 0; i < p->g->classes.count; i++) {
		const struct hp_class *c = p->g->classes.list[i];
		uint32_t node = hp_node_of(&p->nodes, &w->near, c->id);
		struct hp_node_kind kind = {
			.of = HP_NODE_CLASS,
			.bytes = hp_class_object_bytes(p->layout, c,
						       p->g->header.id_size)};

		if (node == HP_NO_NODE ||
		    !hp_node_is_first(&p->nodes, node, c->offset))
			continue;
		kind.class_node = 0;
		((uint32_t *)p->kind_of.at)[node] =
			hp_node_kinds_number(&p->kinds, &w->kinds, &kind);
		if (((uint32_t *)p->kind_of.at)[node] == 0)
			return hp_no_memory(err);
	}
	return HP_OK;
}

/* The kinds of objects, which all workers find. */
static enum hp_status
note_kinds_bytes(struct hp_holder_pass *p, struct hp_error *err)
{
	struct hp_budget *budget = p->g->options->budget;
	uint64_t now = hp_node_kinds_bytes(&p->kinds, OF_KIND);
	enum hp_status st;

	pthread_mutex_lock(&p->lock);
	st = hp_budget_note(budget, &p->noted_kinds, now, err);
	pthread_mutex_unlock(&p->lock);
	return st;
}

static enum hp_status
end_kinds(void *ctx, unsigned worker, struct hp_error *err)
{
	(void)worker;
	return note_kinds_bytes(ctx, err);
}

enum hp_status
hp_holder_kinds_find(struct hp_holder_pass *p, struct hp_source *src,
		     struct hp_error *err)
{
	const struct hp_extra_pass pass = {.need = HP_NEED_HEADS,
					   .ctx = p,
					   .sub = note_kind,
					   .instances = note_kinds,
					   .batch = end_kinds};
	enum hp_status st = hp_extra_pass_run(p->g, src, &pass, err);

	return st == HP_OK ? note_classes(p, err) : st;
}
