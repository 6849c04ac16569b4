/*
 * links.c - one pass counts the references of each object, one writes them
 */
#include "common/graph/links.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { AHEAD = 64 }; /* ids that are looked up together */

struct worker {
	struct hp_class_cache classes;
	struct hp_rank_near near;
};

struct pass {
	struct hp_links *l;
	struct hp_graph *g;
	const uint32_t *kinds; /* by place */
	struct hp_unfollowed unfollowed;
	struct worker *workers;
	bool write;
};

/* --- fields --------------------------------------------------------------- */

/* Count or, where there is room for them, list a class's own fields. */
static void
list_fields(struct hp_links *l, const struct hp_class *c)
{
	struct hp_link_class *own = &l->classes[c->index];

	own->first = l->nfields;
	for (uint32_t i = 0; i < c->nfields; i++) {
		if (!hp_type_is_reference(c->fields[i].type))
			continue;
		if (l->fields)
			l->fields[l->nfields] = (struct hp_link_field){
				c->fields[i].name, c->index};
		l->nfields++;
	}
	own->count = l->nfields - own->first;
}

/*
 * The next class above with fields: those on the way up that have none learn
 * it, too, so that nobody goes that way again.
 */
static void
find_above(struct hp_links *l, const struct hp_class *c)
{
	const struct hp_class *top = c->super, *next;
	uint32_t above = c->index;

	while (top && l->classes[top->index].count == 0 &&
	       l->classes[top->index].above == UINT32_MAX)
		top = top->super;
	if (top && l->classes[top->index].count > 0)
		above = top->index;
	else if (top && l->classes[top->index].above != top->index)
		above = l->classes[top->index].above;
	for (next = c; next && next != top; next = next->super)
		l->classes[next->index].above =
			above == c->index ? next->index : above;
}

static enum hp_status
number_fields(struct hp_links *l, const struct hp_classes *classes,
	      struct hp_error *err)
{
	l->classes = calloc(classes->count + 1, sizeof(*l->classes));
	if (!l->classes)
		return hp_fail(err, HP_NOMEM, "out of memory");
	for (unsigned round = 0; round < 2; round++) {
		if (round == 1)
			l->fields = calloc((size_t)l->nfields + 1,
					   sizeof(*l->fields));
		if (round == 1 && !l->fields)
			return hp_fail(err, HP_NOMEM, "out of memory");
		l->nfields = 1;
		for (size_t i = 0; i < classes->count; i++)
			list_fields(l, classes->list[i]);
		if (l->nfields >= HP_LINK_FIELDS)
			return hp_fail(err, HP_LIMIT,
				       "there are too many fields");
	}
	for (size_t i = 0; i < classes->count; i++)
		l->classes[i].above = UINT32_MAX;
	for (size_t i = 0; i < classes->count; i++)
		if (l->classes[i].above == UINT32_MAX)
			find_above(l, classes->list[i]);
	return HP_OK;
}

/* --- references ----------------------------------------------------------- */

/* The place whose references @s has; 0: nobody wants them. */
static uint32_t
holder(struct pass *p, struct worker *w, const struct hp_sub *s)
{
	uint32_t node = hp_node_of(&p->g->nodes, &w->near, s->id);

	if (node == HP_NO_NODE ||
	    !hp_node_is_first(&p->g->nodes, node, s->offset))
		return 0;
	return hp_links_place(p->l, node);
}

/* Room for @n more references of @place: where; the pieces of an array may be
 * with several threads. */
static uint32_t
claim(struct pass *p, uint32_t place, uint32_t n)
{
	_Atomic uint32_t *length = (_Atomic uint32_t *)p->l->lengths.at + place;

	return atomic_fetch_add_explicit(length, n, memory_order_relaxed);
}

/* An array's elements: of those that name something some at a time. */
static void
write_elements(struct pass *p, struct worker *w, uint32_t from,
	       const uint8_t *data, uint64_t n)
{
	unsigned id_size = p->g->nodes.id_size;
	uint64_t start = ((const uint64_t *)p->l->starts.at)[from];
	/* less only if somebody changed the file meanwhile */
	uint64_t room = ((const uint64_t *)p->l->starts.at)[from + 1] - start;
	uint32_t *words = p->l->words.at, found[AHEAD], count, at;

	for (uint64_t i = 0; i < n; i += AHEAD) {
		uint64_t end = n - i < AHEAD ? n : i + AHEAD;

		for (uint64_t k = i; k < end; k++)
			hp_id_rank_prefetch(
				&p->g->nodes.ranks, &w->near,
				hp_load_id(data + k * id_size, id_size));
		count = 0;
		for (uint64_t k = i; k < end; k++) {
			uint64_t id = hp_load_id(data + k * id_size, id_size);
			uint32_t to = hp_links_place(
				p->l, hp_node_of(&p->g->nodes, &w->near, id));

			if (to != 0)
				found[count++] = to;
		}
		at = count ? claim(p, from, count) : 0;
		for (uint32_t k = 0; k < count; k++)
			if (at + (uint64_t)k < room)
				words[start + at + k] = found[k];
	}
}

static void
elements(struct pass *p, struct worker *w, uint32_t from, const uint8_t *data,
	 uint64_t n)
{
	unsigned id_size = p->g->nodes.id_size;
	uint32_t count = 0;

	if (from == 0)
		return;
	if (p->write) {
		write_elements(p, w, from, data, n);
		return;
	}
	for (uint64_t i = 0; i < n; i++)
		count += hp_load_id(data + i * id_size, id_size) != 0;
	claim(p, from, count);
}

/* The class's own fields come first in the data, then those above. */
static void
instance(struct pass *p, struct worker *w, const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(p->g->o.classes, &w->classes, s->class_id);
	unsigned id_size = p->g->nodes.id_size;
	const struct hp_link_class *at;
	const uint64_t *starts = p->l->starts.at;
	uint64_t unfollowed, id;
	uint32_t from, to, own = 0, count = 0, *words = p->l->words.at;

	if (!c || c->index == UINT32_MAX || c->nrefs == 0)
		return;
	from = holder(p, w, s);
	if (from == 0)
		return;
	unfollowed = hp_unfollowed_at(&p->unfollowed, c);
	at = &p->l->classes[c->index];
	for (uint32_t i = 0; i < c->nrefs; i++, own++) {
		while (own == at->count && at != &p->l->classes[at->above]) {
			at = &p->l->classes[at->above];
			own = 0;
		}
		if (own == at->count || s->count < id_size ||
		    c->ref_at[i] > s->count - id_size)
			break;
		id = hp_load_id(s->data + c->ref_at[i], id_size);
		if (c->ref_at[i] == unfollowed || id == 0)
			continue;
		if (!p->write) {
			count++;
			continue;
		}
		to = hp_links_place(p->l,
				    hp_node_of(&p->g->nodes, &w->near, id));
		if (to == 0)
			continue;
		if (starts[from] + 2 * (uint64_t)count >= starts[from + 1])
			break; /* somebody changed the file meanwhile */
		words[starts[from] + 2 * (uint64_t)count] = to;
		words[starts[from] + 2 * (uint64_t)count + 1] = at->first + own;
		count++;
	}
	((uint32_t *)p->l->lengths.at)[from] = count;
}

static void
prefetch_references(struct pass *p, struct worker *w, const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(p->g->o.classes, &w->classes, s->class_id);
	unsigned id_size = p->g->nodes.id_size;

	for (uint32_t i = 0; c && i < c->nrefs && i < AHEAD; i++)
		if (s->count >= id_size && c->ref_at[i] <= s->count - id_size)
			hp_id_rank_prefetch(
				&p->g->nodes.ranks, &w->near,
				hp_load_id(s->data + c->ref_at[i], id_size));
}

static void
sub_record(struct pass *p, struct worker *w, const struct hp_sub *s)
{
	if (s->tag == HP_SUB_INSTANCE_DUMP) {
		if (p->write)
			prefetch_references(p, w, s);
		instance(p, w, s);
	} else if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		elements(p, w, holder(p, w, s), s->data, s->count);
	}
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *batch, struct hp_error *err)
{
	struct pass *p = ctx;
	struct worker *w = &p->workers[batch->worker];
	struct hp_heap_iter it;
	struct hp_sub s;

	(void)err;
	if (batch->dump != p->g->o.dump)
		return HP_OK;
	for (size_t i = 0; i < batch->nruns; i++) {
		const struct hp_run *run = &batch->runs[i];
		const struct hp_piece *piece = &run->piece;

		if (run->kind == HP_RUN_ARRAY &&
		    piece->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			elements(p, w, holder(p, w, &piece->sub),
				 batch->data + run->at, piece->elements);
		if (run->kind != HP_RUN_SUBS)
			continue;
		it = hp_run_iter(batch, i);
		while (hp_heap_next(&it, &s, p->g->nodes.id_size))
			sub_record(p, w, &s);
	}
	return HP_OK;
}

static void
ignore_problem(void *ctx, const struct hp_problem *p)
{
	(void)ctx;
	(void)p;
}

static enum hp_status
run_pass(struct pass *p, struct hp_source *src, struct hp_error *err)
{
	const struct hp_pass pass = {.need = HP_NEED_REFERENCES,
				     .ctx = p,
				     .problem = ignore_problem,
				     .batch = on_batch};
	const struct hp_scan_options o = {.threads = p->g->o.threads,
					  .only_dump = p->g->o.dump};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_scan(src, &pass, &o, err) : st;
}

/* --- all of it ------------------------------------------------------------ */

static enum hp_status
note_places(struct hp_links *l, const struct hp_graph *g,
	    const struct hp_tree *t, struct hp_error *err)
{
	const uint32_t *nodes = t->nodes.at;
	enum hp_status st = hp_big_array_make(
		l->memory, &l->places, 4 * ((uint64_t)g->nodes.count + 1),
		HP_BIG_RANDOM, err);

	for (uint32_t place = 1; st == HP_OK && place < t->count; place++)
		((uint32_t *)l->places.at)[nodes[place]] = place;
	return st;
}

/* From how many references each place has to where its list begins. */
static enum hp_status
place_lists(struct pass *p, uint32_t count, struct hp_error *err)
{
	uint64_t *starts = p->l->starts.at, at = 0;
	uint32_t *lengths = p->l->lengths.at;
	const struct hp_node_kind *list = p->g->kinds.list;

	for (uint32_t place = 1; place < count; place++) {
		bool alone = list[p->kinds[place]].of == HP_NODE_OBJECT_ARRAY;

		starts[place] = at;
		at += (uint64_t)lengths[place] * (alone ? 1 : 2);
		lengths[place] = 0;
	}
	starts[count] = at;
	return hp_big_array_make(p->l->memory, &p->l->words, 4 * at + 4,
				 HP_BIG_RANDOM, err);
}

static enum hp_status
read_links(struct pass *p, const struct hp_tree *t, struct hp_source *src,
	   struct hp_error *err)
{
	struct hp_links *l = p->l;
	enum hp_status st;

	st = hp_big_array_make(l->memory, &l->starts,
			       8 * ((uint64_t)t->count + 1), HP_BIG_RANDOM,
			       err);
	if (st == HP_OK)
		st = hp_big_array_make(l->memory, &l->lengths,
				       4 * (uint64_t)t->count, HP_BIG_RANDOM,
				       err);
	if (st == HP_OK)
		st = run_pass(p, src, err);
	if (st == HP_OK)
		st = place_lists(p, t->count, err);
	p->write = true;
	return st == HP_OK ? run_pass(p, src, err) : st;
}

enum hp_status
hp_links_build(struct hp_links *l, struct hp_graph *g, const struct hp_tree *t,
	       struct hp_source *src, struct hp_error *err)
{
	struct pass p = {.l = l, .g = g, .kinds = t->kinds.at};
	enum hp_status st;

	*l = (struct hp_links){.memory = &g->memory};
	st = number_fields(l, g->o.classes, err);
	if (st == HP_OK)
		st = hp_unfollowed_init(&p.unfollowed, g->o.classes,
					g->o.tables, g->o.reachability, err);
	p.workers = calloc(g->o.threads, sizeof(*p.workers));
	if (st == HP_OK && !p.workers)
		st = hp_fail(err, HP_NOMEM, "out of memory");
	if (st == HP_OK)
		st = note_places(l, g, t, err);
	if (st == HP_OK)
		st = read_links(&p, t, src, err);
	hp_unfollowed_release(&p.unfollowed);
	free(p.workers);
	return st;
}

void
hp_links_release(struct hp_links *l)
{
	if (l->memory) {
		hp_big_array_drop(l->memory, &l->places);
		hp_big_array_drop(l->memory, &l->starts);
		hp_big_array_drop(l->memory, &l->lengths);
		hp_big_array_drop(l->memory, &l->words);
	}
	free(l->fields);
	free(l->classes);
	*l = (struct hp_links){0};
}
