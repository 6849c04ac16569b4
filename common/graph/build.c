/*
 * build.c - the pass that reads the kinds and the references of all objects
 * into the object graph
 *
 * Looking up the node of an id waits for memory. So each thread collects a few
 * hundred ids, prefetches the data that is needed to look them up, and then
 * looks up all of them.
 */
#include "common/base/memory.h"
#include "common/graph/internal.h"
#include "common/graph/class_edges.h"
#include "common/graph/spans.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * In arrays with fewer elements, all references are relative to the
	 * array, because the code ELEMENTS takes a byte
	 */
	FEW_ELEMENTS = 4,
};

/* --- looking up the waiting ids ------------------------------------------- */

static void
end_list(struct hp_build *b, struct hp_build_worker *w)
{
	struct hp_edges *e = &b->g->edges;
	struct hp_build_piece *pieces = w->pieces.items;
	bool fine = true;

	if (w->list && w->piece)
		fine = hp_edge_end_open(e, &w->writer,
					&pieces[w->pieces.count - 1].end);
	else if (w->list)
		fine = hp_edge_put_code(e, &w->writer, HP_EDGE_CODE_END);
	if (!fine)
		hp_build_fail(w, HP_LIMIT);
	w->list = w->piece = false;
	w->skip = true;
}

/*
 * Begin the list of references of an object. The list starts with the number of
 * the object's kind (class and size). Does nothing if an earlier object in the
 * dump has the same id.
 */
static void
begin_node(struct hp_build *b, struct hp_build_worker *w,
	   const struct hp_build_waiting *x, uint32_t node)
{
	struct hp_graph *g = b->g;
	uint64_t start = HP_EDGE_NO_LIST | x->kind;

	end_list(b, w);
	if (node == HP_NO_NODE)
		return;
	w->least = node < w->least ? node : w->least;
	w->most = node > w->most ? node : w->most;
	if (!hp_node_is_first(&g->nodes, node, x->offset))
		return;
	w->sum.objects++;
	w->sum.bytes += x->bytes;
	if (x->what != HP_BUILD_LEAF) {
		if (!hp_edge_begin_node(&g->edges, &w->writer, node, x->kind,
					&start)) {
			hp_build_fail(w, HP_LIMIT);
			return;
		}
		if (x->what == HP_BUILD_ARRAY)
			hp_edge_begin_elements(&w->writer, HP_EDGE_ELEMENTS);
		w->list = true;
		w->skip = false;
		w->node = node;
		w->next_field = 0;
	}
	hp_edge_set_start(g->edges.starts.at, node, start);
}

/*
 * Count an object with the id 0. Such an object is not a node, because a
 * reference with the value 0 is null. But its bytes are included in the total
 * size of all objects.
 */
static void
pass_id_zero(struct hp_build *b, struct hp_build_worker *w,
	     const struct hp_build_waiting *x)
{
	end_list(b, w);
	if (x->what == HP_BUILD_PIECE)
		return;
	w->sum.objects++;
	w->sum.bytes += x->bytes;
}

static void
begin_piece(struct hp_build *b, struct hp_build_worker *w,
	    const struct hp_build_waiting *x, uint32_t node)
{
	struct hp_graph *g = b->g;
	struct hp_build_piece *p;
	uint64_t start;

	end_list(b, w);
	if (node == HP_NO_NODE || !hp_node_is_first(&g->nodes, node, x->offset))
		return;
	p = hp_vec_add(&w->pieces, sizeof(*p));
	if (!p) {
		hp_build_fail(w, HP_NOMEM);
		return;
	}
	if (!hp_edge_begin(&g->edges, &w->writer, node, &start)) {
		hp_build_fail(w, HP_LIMIT);
		return;
	}
	hp_edge_begin_elements(&w->writer, HP_EDGE_MORE_ELEMENTS);
	*p = (struct hp_build_piece){
		.node = node, .first = x->kind, .start = start};
	w->list = w->piece = true;
	w->skip = false;
	w->node = node;
}

static void
note_weak(struct hp_build_worker *w, uint32_t to)
{
	if (!HP_VEC_PUSH(&w->weak, struct hp_graph_weak, w->node, to))
		hp_build_fail(w, HP_NOMEM);
}

static bool
write_reference(struct hp_build *b, struct hp_build_worker *w,
		const struct hp_build_waiting *x, uint32_t to)
{
	uint32_t left_out;

	if (x->what == HP_BUILD_FIELD) {
		left_out = x->kind - w->next_field;
		if (left_out > 0 &&
		    !hp_edge_skip(&b->g->edges, &w->writer, left_out))
			return false;
		w->next_field = x->kind + 1;
	}
	return hp_edge_put(&b->g->edges, &w->writer, to);
}

static void
note_reference(struct hp_build *b, struct hp_build_worker *w,
	       const struct hp_build_waiting *x, uint32_t to)
{
	if (w->skip || to == HP_NO_NODE)
		return;
	if (x->what == HP_BUILD_WEAK)
		note_weak(w, to);
	else if (!write_reference(b, w, x, to))
		hp_build_fail(w, HP_LIMIT);
}

static void
look_up(struct hp_build *b, struct hp_build_worker *w)
{
	const struct hp_nodes *nodes = &b->g->nodes;
	uint64_t ranks[HP_BUILD_WAITING];
	uint32_t node;

	hp_id_ranks_of(&nodes->ranks, w->places, w->nwaiting, ranks);
	for (unsigned i = 0; i < w->nwaiting; i++) {
		const struct hp_build_waiting *x = &w->waiting[i];

		node = hp_node_of_rank(ranks[i]);
		/*
		 * An id without a place (index of a bit) may still be in a hash
		 * set; see hp_id_place().
		 */
		if (HP_UNLIKELY(w->places[i] >= HP_NO_PLACE))
			node = hp_node_of(nodes, &w->near, x->id);
		if (x->what >= HP_BUILD_REFERENCE)
			note_reference(b, w, x, node);
		else if (HP_UNLIKELY(x->id == 0))
			pass_id_zero(b, w, x);
		else if (x->what == HP_BUILD_PIECE)
			begin_piece(b, w, x, node);
		else
			begin_node(b, w, x, node);
	}
	w->nwaiting = 0;
}

static inline struct hp_build_waiting *
push(struct hp_build *b, struct hp_build_worker *w, uint64_t id,
     enum hp_build_what what)
{
	const struct hp_id_ranks *ranks = &b->g->nodes.ranks;
	struct hp_build_waiting *x;
	uint64_t place = hp_id_place(ranks, &w->near, id);

	if (HP_UNLIKELY(w->nwaiting == HP_BUILD_WAITING))
		look_up(b, w);
	if (HP_LIKELY(place < HP_NO_PLACE))
		hp_id_place_prefetch(ranks, place);
	w->places[w->nwaiting] = place;
	x = &w->waiting[w->nwaiting++];
	x->id = id;
	x->what = (uint8_t)what;
	return x;
}

static inline void
push_reference(struct hp_build *b, struct hp_build_worker *w, uint64_t id)
{
	if (id != 0)
		push(b, w, id, HP_BUILD_REFERENCE);
}

static inline void
push_node(struct hp_build *b, struct hp_build_worker *w, const struct hp_sub *s,
	  enum hp_build_what what, struct hp_known_kind kind)
{
	struct hp_build_waiting *x = push(b, w, s->id, what);

	x->offset = s->offset;
	x->bytes = kind.bytes;
	x->kind = kind.number;
}

/* --- kinds ---------------------------------------------------------------- */

/*
 * Find the number of @kind (objects with equal class and size). If out of
 * memory, the number is 0, and the thread stops with an error later.
 */
static struct hp_known_kind
number_kind(struct hp_build *b, struct hp_build_worker *w,
	    struct hp_node_kind *kind, const struct hp_sub *s, uint32_t heap)
{
	uint32_t number;

	if (b->g->o.split_by & HP_GRAPH_BY_HEAP)
		kind->heap = heap;
	if (b->g->o.split_by & HP_GRAPH_BY_TRACE && kind->of != HP_NODE_CLASS)
		kind->trace = s->trace;
	number = hp_node_kinds_number(&b->g->kinds, &w->kinds, kind);
	if (number == 0)
		hp_build_fail(w, HP_NOMEM);
	return (struct hp_known_kind){number, kind->bytes};
}

static uint32_t
class_node(struct hp_build *b, struct hp_build_worker *w,
	   const struct hp_class *c)
{
	return c ? hp_node_of(&b->g->nodes, &w->near, c->id) : HP_NO_NODE;
}

/*
 * Returns the kind of an instance. All instances of a class have the same kind,
 * so a cache contains the kind for each class. The cache is not used if the
 * Android heap or the allocation trace is a part of the kind.
 */
static struct hp_known_kind
instance_kind(struct hp_build *b, struct hp_build_worker *w,
	      const struct hp_sub *s, const struct hp_class *c, uint32_t heap)
{
	bool alike = c && b->g->o.split_by == 0;
	struct hp_node_kind kind = {.of = HP_NODE_INSTANCE,
				    .class_id = s->class_id};
	struct hp_known_kind known;

	if (alike && HP_LIKELY(w->of_class[c->index].number != 0))
		return w->of_class[c->index];
	kind.class_node = class_node(b, w, c);
	kind.bytes = hp_instance_bytes(&b->g->o.layout, c, b->g->nodes.id_size);
	known = number_kind(b, w, &kind, s, heap);
	if (alike)
		w->of_class[c->index] = known;
	return known;
}

static struct hp_known_kind
array_kind(struct hp_build *b, struct hp_build_worker *w,
	   const struct hp_sub *s, uint32_t heap)
{
	const struct hp_size_model *l = &b->g->o.layout;
	struct hp_node_kind kind = {.of = HP_NODE_PRIMITIVE_ARRAY,
				    .class_id = s->type,
				    .class_node = HP_NO_NODE};
	unsigned width = l->reference;

	if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		kind.of = HP_NODE_OBJECT_ARRAY;
		kind.class_id = s->class_id;
		kind.class_node =
			class_node(b, w,
				   hp_classes_layout(b->g->o.classes,
						     &w->classes, s->class_id));
	} else {
		width = hp_type_size(s->type, 4);
	}
	kind.bytes = hp_array_bytes(l, s->count, width);
	return number_kind(b, w, &kind, s, heap);
}

/* --- the pass ------------------------------------------------------------- */

/*
 * Read the references of an instance. If the class is not in the dump, or
 * describes another length, the references are unknown. In this case, the
 * member `unknown` of the graph is set.
 */
static void
instance(struct hp_build *b, struct hp_build_worker *w, const struct hp_sub *s,
	 uint32_t heap)
{
	const struct hp_class *c =
		hp_classes_layout(b->g->o.classes, &w->classes, s->class_id);
	unsigned id_size = b->g->nodes.id_size;
	uint64_t unfollowed = UINT64_MAX, id;

	push_node(b, w, s, HP_BUILD_NODE, instance_kind(b, w, s, c, heap));
	if (!hp_instance_decodable(c, s) || c->nrefs != c->references)
		w->unknown = true;
	if (!c)
		return;
	if (c->index != UINT32_MAX)
		unfollowed = hp_unfollowed_at(&b->unfollowed, c);
	for (uint32_t i = 0; i < c->nrefs; i++) {
		if (s->count < id_size || c->ref_at[i] > s->count - id_size)
			break;
		id = hp_load_id(s->data + c->ref_at[i], id_size);
		if (id != 0)
			push(b, w, id,
			     c->ref_at[i] == unfollowed ? HP_BUILD_WEAK
							: HP_BUILD_FIELD)
				->kind = i;
	}
}

static void
elements(struct hp_build *b, struct hp_build_worker *w, const uint8_t *data,
	 uint64_t n)
{
	unsigned id_size = b->g->nodes.id_size;

	for (uint64_t i = 0; i < n; i++) {
		hp_ids_prefetch(data, i, id_size);
		push_reference(b, w, hp_load_id(data + i * id_size, id_size));
	}
}

/*
 * If the root @s is a local variable, return the node of its thread's object
 * (java.lang.Thread). Otherwise, or if the dump does not contain that object,
 * return HP_NO_NODE.
 */
static uint32_t
owner_of(struct hp_build *b, struct hp_build_worker *w, const struct hp_sub *s,
	 uint32_t serial)
{
	const uint64_t *id =
		hp_subrecord_is_local(s->tag)
			? hp_id_map_get(&b->g->nodes.threads_by_serial, serial)
			: NULL;

	return id ? hp_node_of(&b->g->nodes, &w->near, *id) : HP_NO_NODE;
}

static void
root(struct hp_build *b, struct hp_build_worker *w, const struct hp_sub *s)
{
	unsigned id_size = b->g->nodes.id_size;
	unsigned fixed = hp_subrecord_fixed[hp_widen(id_size)][s->tag];
	uint32_t node = hp_node_of(&b->g->nodes, &w->near, s->id), owner;
	uint32_t thread = 0, frame = UINT32_MAX;

	if (node == HP_NO_NODE)
		return;
	if (fixed >= 1 + id_size + 4 && s->tag != HP_SUB_ROOT_JNI_GLOBAL)
		thread = hp_root_thread(s, id_size);
	if (fixed >= 1 + id_size + 8 && s->tag != HP_SUB_ROOT_JNI_GLOBAL &&
	    s->tag != HP_SUB_ROOT_THREAD_OBJECT)
		frame = hp_root_third(s, id_size);
	owner = owner_of(b, w, s, thread);
	if (owner == HP_NO_NODE) {
		hp_root_note(w, node, hp_root_pack(s->tag, thread));
		return;
	}
	if (!HP_VEC_PUSH(&w->locals, struct hp_graph_local, .thread = owner,
			 .node = node, .serial = thread, .frame = frame,
			 .tag = s->tag))
		hp_build_fail(w, HP_NOMEM);
}

static void
sub_record(struct hp_build *b, struct hp_build_worker *w,
	   const struct hp_sub *s, uint32_t *heap)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		instance(b, w, s, *heap);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		push_node(b, w, s,
			  s->count < FEW_ELEMENTS ? HP_BUILD_NODE
						  : HP_BUILD_ARRAY,
			  array_kind(b, w, s, *heap));
		elements(b, w, s->data, s->count);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		push_node(b, w, s, HP_BUILD_LEAF, array_kind(b, w, s, *heap));
		break;
	case HP_SUB_HEAP_DUMP_INFO:
		*heap = hp_load4(s->start + 1);
		break;
	default:
		if (hp_subrecord_is_root(s->tag))
			root(b, w, s);
	}
}

/*
 * Read the references of one piece of an array that is divided over several
 * batches. Pieces of instances are ignored, because no valid instance is so
 * long that it is divided.
 */
static void
array_piece(struct hp_build *b, struct hp_build_worker *w,
	    const struct hp_batch *batch, const struct hp_run *run)
{
	const struct hp_piece *p = &run->piece;
	bool objects = p->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP;
	struct hp_build_waiting *x;

	if (p->sub.tag == HP_SUB_INSTANCE_DUMP)
		w->unknown = true;
	if (p->head && p->sub.tag == HP_SUB_INSTANCE_DUMP)
		push_node(b, w, &p->sub, HP_BUILD_NODE,
			  instance_kind(b, w, &p->sub,
					hp_classes_layout(b->g->o.classes,
							  &w->classes,
							  p->sub.class_id),
					run->heap));
	else if (p->head)
		push_node(b, w, &p->sub,
			  objects ? HP_BUILD_NODE : HP_BUILD_LEAF,
			  array_kind(b, w, &p->sub, run->heap));
	if (!objects || p->elements == 0)
		return;
	x = push(b, w, p->sub.id, HP_BUILD_PIECE);
	x->offset = p->sub.offset;
	x->kind = (uint32_t)p->first;
	elements(b, w, batch->data + run->at, p->elements);
}

static enum hp_status
worker_status(const struct hp_build *b, const struct hp_build_worker *w,
	      struct hp_error *err)
{
	if (w->status == HP_LIMIT)
		return hp_edges_error(&b->g->edges, err);
	return w->status == HP_OK ? HP_OK : hp_no_memory(err);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	struct hp_build *b = ctx;
	struct hp_build_worker *w = &b->workers[batch->worker];
	unsigned id_size = b->g->nodes.id_size;
	struct hp_heap_iter it;
	enum hp_status st;
	struct hp_sub s;

	if (batch->dump != b->g->o.dump)
		return HP_OK;
	for (size_t i = 0; i < batch->nruns; i++) {
		const struct hp_run *run = &batch->runs[i];
		uint32_t heap = run->heap;

		if (run->kind == HP_RUN_ARRAY)
			array_piece(b, w, batch, run);
		if (run->kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(batch, i);
		while (hp_heap_next(&it, &s, id_size)) {
			hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD_BUSY);
			sub_record(b, w, &s, &heap);
		}
	}
	look_up(b, w);
	end_list(b, w);
	if (!hp_graph_spans_note(w, batch))
		hp_build_fail(w, HP_NOMEM);
	st = worker_status(b, w, err);
	return st == HP_OK ? hp_build_charge(b, w, 0, err) : st;
}

/* --- classes -------------------------------------------------------------- */

static void
class_references(struct hp_build *b, struct hp_build_worker *w,
		 const struct hp_class *c)
{
	struct hp_class_edge e = {0};

	while (hp_class_edge_next(c, &e))
		push_reference(b, w, e.to);
}

/*
 * Make the class object with the id @id a root. Does nothing if @id is 0
 * (null).
 */
static void
root_class(struct hp_build *b, struct hp_build_worker *w, uint64_t id)
{
	uint32_t node = hp_node_of(&b->g->nodes, &w->near, id);

	if (node != HP_NO_NODE)
		hp_root_note(w, node,
			     hp_root_pack(HP_SUB_ROOT_STICKY_CLASS, 0));
}

static enum hp_status
write_classes(struct hp_build *b, struct hp_error *err)
{
	const struct hp_classes *classes = b->g->o.classes;
	struct hp_build_worker *w = &b->workers[0];

	for (size_t i = 0; i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_sub s = {.id = c->id, .offset = c->offset};
		struct hp_node_kind kind = {
			.of = HP_NODE_CLASS,
			.class_id = c->id,
			.class_node = HP_NO_NODE,
			.bytes = hp_class_object_bytes(&b->g->o.layout, c,
						       b->g->nodes.id_size)};

		push_node(b, w, &s, HP_BUILD_NODE,
			  number_kind(b, w, &kind, &s, c->heap));
		class_references(b, w, c);
		/*
		 * Dumps of the Serviceability Agent have no roots for system
		 * classes (STICKY CLASS). In such dumps, all classes of the
		 * boot class loader become roots.
		 */
		if (c->loader == 0 && !b->g->nodes.sticky)
			root_class(b, w, c->id);
	}
	look_up(b, w);
	end_list(b, w);
	return worker_status(b, w, err);
}

/* --- the whole graph ------------------------------------------------------ */

static enum hp_status
read_references(struct hp_build *b, struct hp_source *src, struct hp_error *err)
{
	const struct hp_pass pass = {
		.need = HP_NEED_REFERENCES, .ctx = b, .batch = on_batch};
	const struct hp_scan_options o = {.threads = b->g->o.threads,
					  .only_dump = b->g->o.dump,
					  .from = b->g->o.from};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_scan(src, &pass, &o, err) : st;
}

static enum hp_status
make_workers(struct hp_build *b, struct hp_error *err)
{
	const struct hp_graph_options *o = &b->g->o;

	b->workers = hp_calloc(o->threads, sizeof(*b->workers));
	if (!b->workers)
		return hp_no_memory(err);
	for (unsigned i = 0; i < o->threads; i++) {
		b->workers[i].skip = true;
		b->workers[i].least = UINT32_MAX;
		b->workers[i].of_class = hp_calloc(
			o->classes->count + 1, sizeof(*b->workers[i].of_class));
		if (!b->workers[i].of_class)
			return hp_no_memory(err);
	}
	return HP_OK;
}

static void
release_workers(struct hp_build *b)
{
	for (unsigned i = 0; b->workers && i < b->g->o.threads; i++) {
		hp_free(b->workers[i].of_class);
		hp_free(b->workers[i].pieces.items);
		hp_free(b->workers[i].locals.items);
		hp_free(b->workers[i].weak.items);
		hp_free(b->workers[i].spans.items);
		hp_id_map_release(&b->workers[i].roots);
	}
	hp_free(b->workers);
	hp_unfollowed_release(&b->unfollowed);
}

static enum hp_status
read_graph(struct hp_build *b, struct hp_source *src, struct hp_error *err)
{
	struct hp_graph *g = b->g;
	enum hp_status st = make_workers(b, err);

	if (st == HP_OK)
		st = hp_unfollowed_init(&b->unfollowed, g->o.classes,
					g->o.tables, g->o.reachability, err);
	if (st == HP_OK)
		st = hp_edges_init(&g->edges, g->nodes.count,
				   g->nodes.references, g->o.threads,
				   &g->memory, err);
	if (st == HP_OK)
		st = read_references(b, src, err);
	if (st == HP_OK)
		st = write_classes(b, err);
	if (st == HP_OK)
		st = hp_build_join(b, err);
	for (unsigned i = 0; b->workers && i < g->o.threads; i++) {
		g->all.objects += b->workers[i].sum.objects;
		g->all.bytes += b->workers[i].sum.bytes;
		g->unknown |= b->workers[i].unknown;
	}
	return st;
}

/*
 * Reserve a part of the memory limit for arrays with random access; arrays with
 * sequential access may not use this part. Also leave an eighth of the limit
 * for lists, which cannot be stored in files.
 */
static void
set_apart(struct hp_graph *g)
{
	uint64_t random = (uint64_t)g->nodes.count * HP_BUILD_RANDOM;

	g->memory.in_order =
		g->memory.limit > random ? g->memory.limit - random : 0;
	g->memory.limit -= g->memory.limit / 8;
	if (g->memory.in_order > g->memory.limit)
		g->memory.in_order = g->memory.limit;
}

enum hp_status
hp_graph_build(struct hp_graph *g, struct hp_source *src,
	       const struct hp_graph_options *o, struct hp_error *err)
{
	struct hp_build b = {.g = g};
	enum hp_status st;

	*g = (struct hp_graph){.o = *o,
			       .memory = {.limit = o->memory,
					  .in_order = o->memory,
					  .dir = o->dir},
			       .nodes = {.id_size = o->classes->layouts.id_size,
					 .threads = o->threads,
					 .shift = o->shift,
					 .dump = o->dump,
					 .from = o->from}};
	st = hp_node_kinds_init(&g->kinds, err);
	if (st == HP_OK)
		st = o->known ? hp_nodes_take(&g->nodes, o->known, src,
					      &g->memory, err)
			      : hp_nodes_find(&g->nodes, o->found, src,
					      &g->memory, err);
	if (st == HP_OK) {
		set_apart(g);
		st = read_graph(&b, src, err);
		g->memory.limit = o->memory;
	}
	if (st == HP_OK)
		st = hp_edges_sort(&g->edges, g->nodes.count, o->threads,
				   &g->memory, err);
	release_workers(&b);
	return st;
}

void
hp_graph_release(struct hp_graph *g)
{
	hp_edges_release(&g->edges, &g->memory);
	hp_nodes_release(&g->nodes, &g->memory);
	hp_node_kinds_release(&g->kinds);
	hp_free(g->roots);
	hp_free(g->locals);
	hp_free(g->weak);
	hp_free(g->finalizers);
	hp_free(g->spans);
	*g = (struct hp_graph){0};
}
