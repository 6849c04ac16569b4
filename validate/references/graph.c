/*
 * graph.c - the rules of --level=graph
 *
 * common/graph builds the object graph and determines what is reachable from
 * the roots. Then a further pass over the dump finds the offsets of the objects
 * that have findings.
 */
#include "validate/references/references.h"

#include "common/base/memory.h"
#include "common/graph/graph.h"
#include "common/graph/hidden_fields.h"
#include "common/graph/tree.h"
#include "validate/references/internal.h"

/*
 * An entry of a small cache: whether elements of one kind (type of object) may
 * be in an array of one class.
 */
struct seen_pair {
	uint64_t pair;
	enum hp_fit fit;
};

enum {
	MET = 1024,
	BLOCK = 64,
	/*
	 * a flag in the number that is stored for each object: the object is
	 * unreachable
	 */
	UNREACHED = 1 << 30,
};

struct graph_worker {
	struct hp_worker out;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct seen_pair met[MET];
};

struct check {
	struct hp_references *r;
	struct hp_worker *into;
	struct hp_graph graph;
	/*
	 * For each object: its kind (type; see graph_types.c), and the flag
	 * UNREACHED if the object is unreachable.
	 */
	struct hp_big_array objects;
	/* at least one object is unreachable and must be reported */
	bool unreached;
	struct hp_graph_types types;
	struct graph_worker *workers;
};

/* Whether an element is certainly of a wrong type for its array. */
static bool
is_misfit(enum hp_fit fit)
{
	return fit == HP_FIT_OTHER_KIND || fit == HP_FIT_OTHER_CLASS;
}

/* --- find array elements of the wrong type -------------------------------- */

/*
 * Like hp_graph_fits(), with a cache. In most arrays, all elements have the
 * same class, so the same question is asked many times.
 */
static enum hp_fit
element_fits(const struct check *c, struct graph_worker *w, uint32_t array,
	     uint32_t kind)
{
	uint64_t pair = ((uint64_t)array << 32 | kind) + 1;
	struct seen_pair *met =
		&w->met[pair * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (MET - 1)];

	if (met->pair != pair)
		*met = (struct seen_pair){
			pair, hp_graph_fits(&c->types, array, kind)};
	return met->fit;
}

static void
report_misfit(const struct check *c, struct graph_worker *w,
	      const struct hp_sub *s, uint64_t record, uint64_t index,
	      uint64_t id, uint32_t kind, enum hp_fit fit)
{
	bool primitive = kind & HP_KIND_PRIMITIVE;
	struct hp_finding f = hp_reference_finding(
		c->r,
		fit == HP_FIT_OTHER_KIND ? HP_RULE_REF_TYPE_MISMATCH
					 : HP_RULE_REF_ELEMENT_STORE,
		s->offset, record, s->tag);

	f.place = HP_PLACE_ELEMENT;
	f.index = index;
	f.holder = s->class_id;
	f.args[0] = id;
	f.args[1] = s->class_id;
	f.args[2] = s->id;
	f.args[3] = primitive ? 0 : c->types.classes->list[kind - 1]->id;
	f.args[4] = primitive ? kind & ~HP_KIND_PRIMITIVE : 0;
	hp_findings_add(&w->out.findings, &f);
}

/*
 * Check up to BLOCK elements of an array. The memory for all of them is
 * prefetched first, so that the waits for memory overlap.
 */
static void
check_some(const struct check *c, struct graph_worker *w,
	   const struct hp_sub *s, const struct hp_class *array,
	   const uint8_t *data, uint64_t first, size_t n, uint64_t record)
{
	const struct hp_nodes *nodes = &c->graph.nodes;
	const uint32_t *objects = c->objects.at;
	unsigned id_size = c->r->o.id_size;
	uint64_t ids[BLOCK] = {0};
	uint32_t of[BLOCK], kind;
	enum hp_fit fit;

	for (size_t i = 0; i < n; i++) {
		hp_ids_prefetch(data, i, id_size);
		ids[i] = hp_load_id(data + i * id_size, id_size);
		if (ids[i] != 0)
			hp_id_rank_prefetch(&nodes->ranks, &w->near, ids[i]);
	}
	for (size_t i = 0; i < n; i++) {
		of[i] = hp_node_of(nodes, &w->near, ids[i]);
		if (of[i] != HP_NO_NODE)
			__builtin_prefetch(&objects[of[i]]);
	}
	for (size_t i = 0; i < n; i++) {
		if (of[i] == HP_NO_NODE)
			continue;
		kind = objects[of[i]] & ~(uint32_t)UNREACHED;
		fit = element_fits(c, w, array->index, kind);
		if (HP_UNLIKELY(is_misfit(fit)))
			report_misfit(c, w, s, record, first + i, ids[i], kind,
				      fit);
	}
}

static void
check_elements(const struct check *c, struct graph_worker *w,
	       const struct hp_sub *s, const uint8_t *data, uint64_t first,
	       uint64_t n, uint64_t record)
{
	const struct hp_class *array =
		hp_classes_layout(&c->r->classes, &w->classes, s->class_id);
	size_t some;

	if (!array || hp_graph_fits_all(&c->types, array->index))
		return;
	for (uint64_t i = 0; i < n; i += some) {
		some = n - i < BLOCK ? (size_t)(n - i) : BLOCK;
		check_some(c, w, s, array, data + i * c->r->o.id_size,
			   first + i, some, record);
	}
}

/* --- report unreachable objects ------------------------------------------- */

static void
check_reached(const struct check *c, struct graph_worker *w,
	      const struct hp_sub *s, uint64_t record)
{
	uint32_t node = hp_node_of(&c->graph.nodes, &w->near, s->id);
	struct hp_finding f;

	if (node == HP_NO_NODE ||
	    !(((const uint32_t *)c->objects.at)[node] & UNREACHED))
		return;
	f = hp_reference_finding(c->r, HP_RULE_UNREACHABLE, s->offset, record,
				 s->tag);
	f.args[0] = s->id;
	if (s->tag == HP_SUB_INSTANCE_DUMP ||
	    s->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		f.args[1] = s->class_id;
	else
		f.args[2] = s->type;
	hp_findings_add(&w->out.findings, &f);
}

/* --- the second pass over the dump ---------------------------------------- */

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	const struct check *c = ctx;
	struct graph_worker *w = &c->workers[b->worker];
	struct hp_batch_walk walk = {.every_piece = true,
				     .ahead = HP_AHEAD_BUSY};
	struct hp_sub s;

	while (hp_batch_next(&walk, b, &s, c->r->o.id_size)) {
		const struct hp_piece *p = walk.piece;
		uint64_t record = walk.run->record;

		if (s.tag == HP_SUB_CLASS_DUMP ||
		    !hp_subrecord_is_object(s.tag))
			continue;
		if (c->unreached && (!p || p->head))
			check_reached(c, w, &s, record);
		if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP && p)
			check_elements(c, w, &s, b->data + walk.run->at,
				       p->first, p->elements, record);
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			check_elements(c, w, &s, s.data, 0, s.count, record);
	}
	return HP_OK;
}

/* --- all steps of the check ----------------------------------------------- */

/*
 * Whether the dump has roots for system classes (STICKY CLASS). jhsdb does not
 * write such roots. For dumps of jhsdb, the object graph uses the classes of
 * the boot loader as roots.
 */
static bool
has_sticky_classes(const struct hp_vec *roots)
{
	const struct hp_root *list = roots->items;

	for (size_t i = 0; i < roots->count; i++)
		if (list[i].tag == HP_SUB_ROOT_STICKY_CLASS)
			return true;
	return false;
}

static enum hp_status
build(struct check *c, struct hp_source *src,
      const struct hp_graph_request *request, struct hp_error *err)
{
	struct hp_references *r = c->r;
	uint64_t types = r->classes.count * (uint64_t)HP_GRAPH_TYPES_BYTES;
	const struct hp_nodes_known known = {
		.sets = &r->sets,
		.references = request->bytes / r->o.id_size,
		.sticky = has_sticky_classes(&c->into->roots)};
	const struct hp_graph_options o = {
		.threads = r->o.workers,
		.dump = r->dump,
		.shift = r->o.shift,
		.reachability = HP_REACHABILITY_ALL,
		.hidden_fields = request->hidden_fields,
		.layout = {HP_SIZE_MODEL_HOTSPOT, 4, 12, 16, 8, ""},
		.memory = request->memory > types ? request->memory - types : 0,
		.classes = &r->classes,
		.tables = request->tables,
		.from = r->place,
		.known = &known};

	return hp_graph_build(&c->graph, src, &o, err);
}

/*
 * Convert the kind of a node of common/graph to the kind (type of object) that
 * graph_types.c uses; see HP_KIND_PRIMITIVE.
 */
static uint32_t
kind_of(const struct check *c, const struct hp_node_kind *k)
{
	const struct hp_classes *classes = &c->r->classes;
	const struct hp_class *of = NULL;

	if (k->of == HP_NODE_PRIMITIVE_ARRAY)
		return HP_KIND_PRIMITIVE | (uint32_t)k->class_id;
	if (k->of == HP_NODE_CLASS)
		of = hp_reference_class_class(c->r);
	else if (k->of != HP_NODE_NOTHING)
		of = hp_classes_get(classes, k->class_id);
	return of ? of->index + 1 : 0;
}

/*
 * Make the set of the objects that are reachable from the roots or kept alive
 * by hidden fields of java.lang.Class, as one bit for each node. *@all: whether
 * these are all objects.
 */
static enum hp_status
find_alive(struct hp_graph *g, const struct hp_depths *depths,
	   struct hp_big_array *alive, bool *all, struct hp_error *err)
{
	const uint32_t *depth = depths->by_node.at;
	struct hp_graph_sum hidden = {0};
	uint64_t *bits;
	enum hp_status st = hp_big_array_make(
		&g->memory, alive, 8 * ((uint64_t)g->nodes.count / 64 + 1),
		HP_BIG_RANDOM, err);

	if (st != HP_OK)
		return st;
	bits = alive->at;
	for (uint32_t i = 0; i < g->nodes.count; i++)
		bits[i >> 6] |= (uint64_t)(depth[i] != 0) << (i & 63);
	if (depths->met < g->nodes.count)
		st = hp_hidden_fields_find(g, bits, &hidden, err);
	*all = depths->met + hidden.objects == g->nodes.count;
	return st;
}

/*
 * Store for each object its kind (type), and whether it is reachable. @alive:
 * one bit for each reachable object; empty: this is not known.
 */
static enum hp_status
note_objects(struct check *c, const struct hp_big_array *alive,
	     struct hp_error *err)
{
	struct hp_graph *g = &c->graph;
	const uint64_t *bits = alive->at;
	uint32_t *objects, *kinds;
	enum hp_status st;
	uint64_t at;

	if (c->r->classes.count >= UNREACHED)
		return hp_fail(err, HP_LIMIT, "there are too many classes");
	kinds = hp_calloc((size_t)g->kinds.count + 1, sizeof(*kinds));
	if (!kinds)
		return hp_no_memory(err);
	st = hp_big_array_make(&g->memory, &c->objects,
			       4 * ((uint64_t)g->nodes.count + 1),
			       HP_BIG_RANDOM, err);
	objects = c->objects.at;
	for (uint32_t i = 0; i < g->kinds.count; i++)
		kinds[i] = kind_of(c, &g->kinds.list[i]);
	for (uint32_t i = 0; st == HP_OK && i < g->nodes.count; i++) {
		objects[i] = kinds[hp_edge_kind(&g->edges, i, &at)];
		if (bits && !(bits[i >> 6] >> (i & 63) & 1))
			objects[i] |= UNREACHED;
	}
	hp_free(kinds);
	return st;
}

/*
 * Find out which objects are reachable from the roots, if the options ask for
 * this and the dump is complete enough. Afterwards the memory of the references
 * is freed.
 */
static enum hp_status
find_reached(struct check *c, const struct hp_graph_request *request,
	     struct hp_graph_result *out, struct hp_error *err)
{
	struct hp_depths depths = {0};
	struct hp_big_array alive = {0};
	enum hp_status st = HP_OK;
	bool all = true;

	if (request->reach && c->graph.unknown)
		out->gap = HP_GRAPH_UNKNOWN;
	else if (request->reach)
		st = hp_depths_find(&depths, &c->graph, err);
	if (st == HP_OK && depths.by_node.at)
		st = find_alive(&c->graph, &depths, &alive, &all, err);
	hp_depths_release(&depths);
	if (st == HP_OK)
		st = note_objects(c, &alive, err);
	c->unreached = !all;
	hp_big_array_drop(&c->graph.memory, &alive);
	hp_edges_release(&c->graph.edges, &c->graph.memory);
	return st;
}

static enum hp_status
begin_pass(struct check *c, const struct hp_tables *tables,
	   struct hp_error *err)
{
	c->workers = hp_calloc(c->r->o.workers, sizeof(*c->workers));
	if (!c->workers)
		return hp_no_memory(err);
	for (unsigned i = 0; i < c->r->o.workers; i++)
		hp_worker_init(&c->workers[i].out,
			       c->into->findings.max_examples,
			       c->into->findings.located);
	return hp_graph_types_init(&c->types, c->r, &c->r->classes, tables,
				   err);
}

static void
tell_pass(const struct hp_references *r, unsigned number)
{
	if (r->o.pass)
		r->o.pass(r->o.ctx, number, 0);
}

static enum hp_status
run_pass(struct check *c, struct hp_source *src, const struct hp_tables *tables,
	 struct hp_error *err)
{
	enum hp_status st = begin_pass(c, tables, err);

	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	tell_pass(c->r, 3);
	if (st == HP_OK)
		st = hp_references_rescan(c->r, src, on_batch, NULL, c, err);
	for (unsigned i = 0; st == HP_OK && i < c->r->o.workers; i++)
		hp_findings_merge(&c->into->findings,
				  &c->workers[i].out.findings);
	return st;
}

static void
check_release(struct check *c)
{
	for (unsigned i = 0; c->workers && i < c->r->o.workers; i++)
		hp_worker_release(&c->workers[i].out);
	hp_free(c->workers);
	hp_graph_types_release(&c->types);
	hp_big_array_drop(&c->graph.memory, &c->objects);
	hp_graph_release(&c->graph);
}

enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_graph_request *request,
		    struct hp_worker *into, struct hp_graph_result *out,
		    struct hp_error *err)
{
	struct check c = {.r = r, .into = into};
	enum hp_status st;

	*out = (struct hp_graph_result){.gap = HP_GRAPH_DONE};
	tell_pass(r, 2);
	st = build(&c, src, request, err);
	if (st == HP_OK)
		st = find_reached(&c, request, out, err);
	if (st == HP_OK)
		st = run_pass(&c, src, request->tables, err);
	out->in_files = c.graph.memory.file_peak;
	check_release(&c);
	if (st == HP_LIMIT) {
		out->gap = HP_GRAPH_MEMORY;
		st = HP_OK;
	}
	return st;
}
