/*
 * graph.c - the passes of --level=graph
 */
#include "validate/references/graph.h"

#include "common/graph/class_edges.h"
#include "common/model/id_ranks.h"
#include "validate/references/graph_reach.h"
#include "validate/references/graph_types.h"
#include "validate/references/references_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum job {
	JOB_KINDS, /* what each object is */
	JOB_EDGES, /* do elements fit? who refers to whom? */
	JOB_TELL,  /* what was not reached */
};

/* An array class and a kind of elements, met a short while ago. */
struct seen_pair {
	uint64_t pair;
	enum hp_fit fit;
};

enum {
	MET = 1024,
	GATHERED = 4096,
	BLOCK = 64,
	COUNTED = 256 << 10, /* bytes of edges that are counted together */
};

struct graph_worker {
	struct hp_worker out;
	struct hp_class_cache classes;
	struct hp_rank_near near;
	struct hp_arena arena; /* of the edges */
	size_t counted;	       /* bytes of it that are in graph.taken */
	struct seen_pair met[MET];
	uint32_t to[GATHERED];
	size_t nto;
	bool unknown; /* an instance's references are not known */
	bool no_memory, too_large;
};

struct graph {
	struct hp_references *r;
	const struct hp_tables *tables;
	struct hp_worker *into;
	uint64_t memory;
	_Atomic uint64_t taken; /* of it, by edges */
	bool reach_wanted;
	struct hp_id_ranks ranks;
	_Atomic uint32_t *kinds; /* by object, see graph_types.h */
	uint32_t *class_rank;	 /* by index: the class as an object */
	struct hp_graph_types types;
	struct hp_reach reach;
	struct graph_worker *workers;
	enum job job;
	unsigned pass;
};

/* Is it known not to fit? */
static bool
is_misfit(enum hp_fit fit)
{
	return fit == HP_FIT_OTHER_KIND || fit == HP_FIT_OTHER_CLASS;
}

/* The number of what has this id. */
static uint32_t
number_of(const struct graph *g, struct hp_rank_near *near, uint64_t id)
{
	uint64_t rank = id ? hp_id_rank(&g->ranks, near, id) : HP_NO_RANK;

	return rank < HP_NO_OBJECT ? (uint32_t)rank : HP_NO_OBJECT;
}

/* The same for several, which are fetched side by side. */
static void
numbers_of(const struct graph *g, struct graph_worker *w, const uint64_t *ids,
	   size_t n, uint32_t *numbers)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] != 0)
			hp_id_rank_prefetch(&g->ranks, &w->near, ids[i]);
	for (size_t i = 0; i < n; i++)
		numbers[i] = number_of(g, &w->near, ids[i]);
}

/* --- what objects are ---------------------------------------------------- */

/* If two dumps of an object differ, the larger kind, whoever comes first. */
static void
note_kind(struct graph *g, uint32_t handle_object, uint32_t kind)
{
	uint32_t was = atomic_load_explicit(&g->kinds[handle_object],
					    memory_order_relaxed);

	while (was < kind && !atomic_compare_exchange_weak(
				     &g->kinds[handle_object], &was, kind)) {
	}
}

static uint32_t
kind_of(struct graph *g, struct graph_worker *w, const struct hp_sub *s)
{
	const struct hp_class *c;

	if (s->tag != HP_SUB_INSTANCE_DUMP &&
	    s->tag != HP_SUB_OBJECT_ARRAY_DUMP)
		return HP_KIND_PRIMITIVE | s->type;
	c = hp_classes_layout(&g->r->classes, &w->classes, s->class_id);
	return c ? c->index + 1 : 0;
}

/* --- references ---------------------------------------------------------- */

/*
 * Edges are counted in bytes that were asked for, all workers' together: who
 * takes which batch makes no difference to whether they are too many.
 */
static void
count_edges(struct graph *g, struct graph_worker *w)
{
	size_t more = w->arena.used - w->counted;

	w->counted = w->arena.used;
	if (atomic_fetch_add_explicit(&g->taken, more, memory_order_relaxed) +
		    more >
	    g->memory)
		w->too_large = true;
}

/* Keep what was gathered as references of @from. */
static void
keep_edges(struct graph *g, struct graph_worker *w, uint32_t from)
{
	if (!hp_reach_add(&g->reach, &w->arena, from, w->to, w->nto))
		w->no_memory = true;
	w->nto = 0;
	if (w->arena.used - w->counted >= COUNTED)
		count_edges(g, w);
}

static void
gather_reference(struct graph *g, struct graph_worker *w, uint32_t from,
		 uint32_t to)
{
	if (to == HP_NO_OBJECT || !g->reach_wanted)
		return;
	w->to[w->nto++] = to;
	if (w->nto == GATHERED)
		keep_edges(g, w, from);
}

/*
 * An object keeps its class; class_of() says which. A dump of it that names
 * another class has that one as an edge.
 */
static void
gather_class(struct graph *g, struct graph_worker *w, uint32_t from,
	     const struct hp_class *c)
{
	if (c && atomic_load_explicit(&g->kinds[from], memory_order_relaxed) !=
			 c->index + 1)
		gather_reference(g, w, from, g->class_rank[c->index]);
}

/* Looks up what was asked a short while ago: most arrays have one kind. */
static enum hp_fit
element_fits(const struct graph *g, struct graph_worker *w, uint32_t array,
	     uint32_t kind)
{
	uint64_t pair = ((uint64_t)array << 32 | kind) + 1;
	struct seen_pair *met =
		&w->met[pair * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (MET - 1)];

	if (met->pair != pair)
		*met = (struct seen_pair){
			pair, hp_graph_fits(&g->types, array, kind)};
	return met->fit;
}

/* An element that its array cannot have. */
static void
report_misfit(const struct graph *g, struct graph_worker *w,
	      const struct hp_sub *s, uint64_t record, uint64_t index,
	      uint64_t id, uint32_t kind, enum hp_fit fit)
{
	bool primitive = kind & HP_KIND_PRIMITIVE;
	struct hp_finding f = hp_reference_finding(
		g->r,
		fit == HP_FIT_OTHER_KIND ? HP_RULE_REF_TYPE_MISMATCH
					 : HP_RULE_REF_ELEMENT_STORE,
		s->offset, record, s->tag);

	f.place = HP_PLACE_ELEMENT;
	f.index = index;
	f.holder = s->class_id;
	f.args[0] = id;
	f.args[1] = s->class_id;
	f.args[2] = s->id;
	f.args[3] = primitive ? 0 : g->types.classes->list[kind - 1]->id;
	f.args[4] = primitive ? kind & ~HP_KIND_PRIMITIVE : 0;
	hp_findings_add(&w->out.findings, &f);
}

/* Some elements of an array, BLOCK at most. */
static void
some_elements(struct graph *g, struct graph_worker *w, const struct hp_sub *s,
	      const struct hp_class *c, uint32_t from, const uint8_t *data,
	      uint64_t first, size_t n, uint64_t record)
{
	uint64_t ids[BLOCK] = {0};
	uint32_t to[BLOCK], kind;
	enum hp_fit fit;

	for (size_t i = 0; i < n; i++) {
		hp_ids_prefetch(data, i, g->r->o.id_size);
		ids[i] =
			hp_load_id(data + i * g->r->o.id_size, g->r->o.id_size);
	}
	numbers_of(g, w, ids, n, to);
	for (size_t i = 0; i < n; i++)
		if (to[i] != HP_NO_OBJECT)
			__builtin_prefetch((const void *)&g->kinds[to[i]]);
	for (size_t i = 0; i < n; i++) {
		gather_reference(g, w, from, to[i]);
		if (!c || to[i] == HP_NO_OBJECT)
			continue;
		kind = atomic_load_explicit(&g->kinds[to[i]],
					    memory_order_relaxed);
		fit = element_fits(g, w, c->index, kind);
		if (HP_UNLIKELY(is_misfit(fit)))
			report_misfit(g, w, s, record, first + i, ids[i], kind,
				      fit);
	}
}

static void
handle_elements(struct graph *g, struct graph_worker *w, const struct hp_sub *s,
		const uint8_t *data, uint64_t first, uint64_t n,
		uint64_t record)
{
	const struct hp_class *c =
		hp_classes_layout(&g->r->classes, &w->classes, s->class_id);
	uint32_t from = number_of(g, &w->near, s->id);
	size_t some;

	if (from == HP_NO_OBJECT)
		return;
	gather_class(g, w, from, c);
	for (uint64_t i = 0; i < n; i += some) {
		some = n - i < BLOCK ? (size_t)(n - i) : BLOCK;
		some_elements(g, w, s, c, from, data + i * g->r->o.id_size,
			      first + i, some, record);
	}
	keep_edges(g, w, from);
}

static void
handle_fields(struct graph *g, struct graph_worker *w, const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(&g->r->classes, &w->classes, s->class_id);
	uint32_t from = number_of(g, &w->near, s->id);
	uint64_t ids[BLOCK];
	uint32_t to[BLOCK], n = 0;

	if (from == HP_NO_OBJECT)
		return;
	if (!c || c->chain != HP_CHAIN_FINE || s->count != c->data_size ||
	    c->nrefs != c->references) {
		w->unknown = true;
		return;
	}
	gather_class(g, w, from, c);
	for (uint32_t i = 0; i < c->nrefs; i++) {
		ids[n++] = hp_load_id(s->data + c->ref_at[i], g->r->o.id_size);
		if (n < BLOCK && i + 1 < c->nrefs)
			continue;
		numbers_of(g, w, ids, n, to);
		for (uint32_t k = 0; k < n; k++)
			gather_reference(g, w, from, to[k]);
		n = 0;
	}
	keep_edges(g, w, from);
}

/* --- the passes ---------------------------------------------------------- */

static void
report_unreached(struct graph *g, struct graph_worker *w,
		 const struct hp_sub *s, uint64_t record)
{
	struct hp_finding f = hp_reference_finding(g->r, HP_RULE_UNREACHABLE,
						   s->offset, record, s->tag);

	f.args[0] = s->id;
	if (s->tag == HP_SUB_INSTANCE_DUMP ||
	    s->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		f.args[1] = s->class_id;
	else
		f.args[2] = s->type;
	hp_findings_add(&w->out.findings, &f);
}

/* What the first and the third pass look at: an object, not its references. */
static void
handle_object(struct graph *g, struct graph_worker *w, const struct hp_sub *s,
	      uint64_t record)
{
	uint32_t number = number_of(g, &w->near, s->id);

	if (number == HP_NO_OBJECT)
		return;
	if (g->job == JOB_KINDS)
		note_kind(g, number, kind_of(g, w, s));
	else if (!hp_reach_is_reached(&g->reach, number))
		report_unreached(g, w, s, record);
}

static void
handle_sub(struct graph *g, struct graph_worker *w, const struct hp_sub *s,
	   uint64_t record)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		if (g->job == JOB_EDGES)
			handle_fields(g, w, s);
		else
			handle_object(g, w, s, record);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		if (g->job == JOB_EDGES)
			handle_elements(g, w, s, s->data, 0, s->count, record);
		else
			handle_object(g, w, s, record);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		if (g->job != JOB_EDGES)
			handle_object(g, w, s, record);
		break;
	default:
		break;
	}
}

/* A piece of an array, or the head of an instance too long to be one. */
static void
handle_piece(struct graph *g, struct graph_worker *w, const struct hp_batch *b,
	     const struct hp_run *run)
{
	const struct hp_piece *p = &run->piece;

	if (g->job != JOB_EDGES) {
		if (p->head)
			handle_object(g, w, &p->sub, run->record);
	} else if (p->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		handle_elements(g, w, &p->sub, b->data + run->at, p->first,
				p->elements, run->record);
	} else if (p->sub.tag == HP_SUB_INSTANCE_DUMP) {
		w->unknown = true;
	}
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct graph *g = ctx;
	struct graph_worker *w = &g->workers[b->worker];
	unsigned id_size = g->r->o.id_size;
	struct hp_heap_iter it;
	struct hp_sub s;

	for (size_t i = 0; i < b->nruns; i++) {
		const struct hp_run *run = &b->runs[i];

		if (run->kind == HP_RUN_ARRAY)
			handle_piece(g, w, b, run);
		if (run->kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(b, i);
		while (hp_heap_next(&it, &s, id_size)) {
			hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD_BUSY);
			handle_sub(g, w, &s, run->record);
		}
	}
	count_edges(g, w);
	if (w->too_large)
		return hp_fail(err, HP_LIMIT, "the graph is too large");
	return w->no_memory ? hp_fail(err, HP_NOMEM, "out of memory") : HP_OK;
}

static enum hp_status
run_pass(struct graph *g, enum job job, struct hp_source *src,
	 struct hp_error *err)
{
	const struct hp_references_options *o = &g->r->o;
	enum hp_status st = HP_OK;

	g->job = job;
	if (g->pass++ > 0)
		st = hp_source_rewind(src, err);
	if (o->pass)
		o->pass(o->ctx, g->pass + 1, 0);
	return st == HP_OK ? hp_references_rescan(g->r, src, on_batch, g, err)
			   : st;
}

/* --- classes and roots --------------------------------------------------- */

/* Classes are objects, too, of class java.lang.Class. */
static void
class_kinds(struct graph *g)
{
	const struct hp_class *class_class =
		hp_classes_get(&g->r->classes, g->r->class_class);
	struct hp_rank_near *near = &g->workers[0].near;
	uint32_t rank;

	for (size_t i = 0; i < g->r->classes.count; i++) {
		rank = number_of(g, near, g->r->classes.list[i]->id);
		g->class_rank[i] = rank;
		if (rank != HP_NO_OBJECT && class_class && g->kinds[rank] == 0)
			g->kinds[rank] = class_class->index + 1;
	}
}

static void
class_edges(struct graph *g, const struct hp_class *c)
{
	struct graph_worker *w = &g->workers[0];
	uint32_t from = number_of(g, &w->near, c->id);
	struct hp_class_edge e = {0};

	if (from == HP_NO_OBJECT)
		return;
	while (hp_class_edge_next(c, &e))
		gather_reference(g, w, from, number_of(g, &w->near, e.to));
	keep_edges(g, w, from);
}

/* An object keeps its class. */
static uint32_t
class_of(const void *ctx, uint32_t handle_object)
{
	const struct graph *g = ctx;
	uint32_t kind = g->kinds[handle_object];

	return kind == 0 || (kind & HP_KIND_PRIMITIVE)
		       ? HP_NO_OBJECT
		       : g->class_rank[kind - 1];
}

/* What classes refer to. */
static void
class_references(struct graph *g)
{
	const struct hp_classes *classes = &g->r->classes;

	for (size_t i = 0; i < classes->count; i++)
		class_edges(g, classes->list[i]);
	for (size_t i = 0; i < classes->nduplicates; i++)
		class_edges(g, classes->duplicates[i]);
	count_edges(g, &g->workers[0]);
}

static enum hp_status
follow_roots(struct graph *g, struct hp_error *err)
{
	const struct hp_root_list *roots = &g->into->roots;
	uint32_t rank;

	for (size_t i = 0; i < roots->count; i++) {
		if (roots->items[i].tag == HP_SUB_HEAP_DUMP_INFO ||
		    roots->items[i].tag == HP_SUB_UNREACHABLE)
			continue;
		rank = number_of(g, &g->workers[0].near, roots->items[i].id);
		if (rank != HP_NO_OBJECT)
			hp_reach_mark(&g->reach, rank);
	}
	return hp_reach_follow(&g->reach, class_of, g, g->r->o.workers, err);
}

/* --- all of it ----------------------------------------------------------- */

/* What is taken whatever the references are. */
static uint64_t
fixed_memory(const struct graph *g)
{
	return hp_id_ranks_bytes(&g->r->sets) +
	       g->ranks.count * (sizeof(*g->kinds) + HP_REACH_BYTES) +
	       g->r->classes.count *
		       (sizeof(*g->class_rank) + HP_GRAPH_TYPES_BYTES);
}

static enum hp_status
begin_dump(struct graph *g, struct hp_error *err)
{
	const struct hp_classes *classes = &g->r->classes;
	enum hp_status st;

	g->workers = calloc(g->r->o.workers, sizeof(*g->workers));
	if (!g->workers)
		return hp_fail(err, HP_NOMEM, "out of memory");
	for (unsigned i = 0; i < g->r->o.workers; i++)
		hp_worker_init(&g->workers[i].out,
			       g->into->findings.max_examples,
			       g->into->findings.located);
	st = hp_id_ranks_init(&g->ranks, &g->r->sets, err);
	if (st == HP_OK &&
	    (g->ranks.count >= HP_NO_OBJECT || fixed_memory(g) >= g->memory))
		st = hp_fail(err, HP_LIMIT, "there are too many objects");
	if (st != HP_OK)
		return st;
	g->memory -= fixed_memory(g);
	g->kinds = calloc((size_t)g->ranks.count + 1, sizeof(*g->kinds));
	g->class_rank = calloc(classes->count + 1, sizeof(*g->class_rank));
	if (!g->kinds || !g->class_rank)
		return hp_fail(err, HP_NOMEM, "out of memory");
	st = hp_reach_init(&g->reach, (uint32_t)g->ranks.count, err);
	return st == HP_OK ? hp_graph_types_init(&g->types, g->r, classes,
						 g->tables, err)
			   : st;
}

static void
release_graph(struct graph *g)
{
	for (unsigned i = 0; g->workers && i < g->r->o.workers; i++) {
		hp_worker_release(&g->workers[i].out);
		hp_arena_release(&g->workers[i].arena);
	}
	free(g->workers);
	free((void *)g->kinds);
	free(g->class_rank);
	hp_id_ranks_release(&g->ranks);
	hp_graph_types_release(&g->types);
	hp_reach_release(&g->reach);
}

/* With everything known: is there something that no root reaches? */
static enum hp_status
report_all_unreached(struct graph *g, struct hp_source *src,
		     enum hp_graph_gap *gap, struct hp_error *err)
{
	enum hp_status st;

	if (!g->reach_wanted)
		return HP_OK;
	for (unsigned i = 0; i < g->r->o.workers; i++)
		if (g->workers[i].unknown)
			*gap = HP_GRAPH_UNKNOWN;
	if (*gap != HP_GRAPH_DONE)
		return HP_OK;
	class_references(g);
	if (g->workers[0].no_memory)
		return hp_fail(err, HP_NOMEM, "out of memory");
	if (g->workers[0].too_large)
		return hp_fail(err, HP_LIMIT, "the graph is too large");
	st = follow_roots(g, err);
	if (st != HP_OK || g->reach.nreached == g->ranks.count)
		return st;
	return run_pass(g, JOB_TELL, src, err);
}

enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_tables *tables, uint64_t memory, bool reach,
		    struct hp_worker *into, enum hp_graph_gap *gap,
		    struct hp_error *err)
{
	struct graph g = {.r = r,
			  .tables = tables,
			  .into = into,
			  .memory = memory,
			  .reach_wanted = reach};
	enum hp_status st;

	*gap = HP_GRAPH_DONE;
	g.memory -= r->sets.leaf_bytes < memory ? r->sets.leaf_bytes : memory;
	if (hp_id_sets_partial(&r->sets) || hp_id_sets_over_memory(&r->sets)) {
		*gap = HP_GRAPH_MEMORY;
		return HP_OK;
	}
	st = begin_dump(&g, err);
	if (st == HP_OK)
		st = run_pass(&g, JOB_KINDS, src, err);
	if (st == HP_OK) {
		class_kinds(&g);
		st = run_pass(&g, JOB_EDGES, src, err);
	}
	if (st == HP_OK)
		st = report_all_unreached(&g, src, gap, err);
	if (st == HP_OK)
		for (unsigned i = 0; i < r->o.workers; i++)
			hp_findings_merge(&into->findings,
					  &g.workers[i].out.findings);
	release_graph(&g);
	if (st == HP_LIMIT) {
		*gap = HP_GRAPH_MEMORY;
		st = HP_OK;
	}
	return st;
}
