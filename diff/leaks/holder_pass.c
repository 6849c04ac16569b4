/*
 * holder_pass.c - which objects references name
 *
 * References wait in buckets by where they lead (common/model/id_buckets.h), so
 * that look-ups, each of which would wait for memory, find it in a cache.
 */
#include "diff/leaks/holder_internal.h"

#include "common/base/threads.h"
#include "common/graph/class_edges.h"
#include "diff/count/extra_pass.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_PASSES = 64, /* that are worth it */
	LEAST_BUCKETS = 256 << 10,
};

/* --- references ----------------------------------------------------------- */

static bool
spill_again(struct hp_holder_worker *w, const struct hp_holder_again *a)
{
	uint64_t *slot;

	if (a->count == 0)
		return true;
	slot = hp_id_map_put(&w->again, a->pair, NULL);
	if (!slot)
		return false;
	*slot += a->count;
	return true;
}

/* A reference of kind @edge names @node, as another one did before. */
static void
count_again(struct hp_holder_pass *p, struct hp_holder_worker *w, uint32_t edge,
	    uint32_t node)
{
	uint64_t pair =
		(uint64_t)edge << 32 | ((const uint32_t *)p->kind_of.at)[node];
	struct hp_holder_again *a =
		&w->seen[pair * UINT64_C(0x9E3779B97F4A7C15) >> 52];

	if (HP_UNLIKELY(a->pair != pair)) {
		if (!spill_again(w, a))
			w->no_memory = true;
		*a = (struct hp_holder_again){.pair = pair};
	}
	a->count++;
}

/*
 * References of these kinds name these nodes: into their sets, then what was
 * met again, each of which waits for memory: all are asked for before the first
 * is looked at.
 */
HP_HOT void
add_nodes(struct hp_holder_pass *p, struct hp_holder_worker *w,
	  const uint64_t *nodes, const uint32_t *edges, unsigned n)
{
	const uint32_t *kinds = p->kind_of.at;
	uint32_t again[HP_ID_BUCKET_TAKE];
	unsigned nagain = 0;

	for (unsigned i = 0; i < n; i++)
		if (nodes[i] < HP_NODES_MAX)
			hp_edge_set_prefetch(&p->sets, edges[i],
					     (uint32_t)nodes[i]);
	for (unsigned i = 0; i < n; i++) {
		if (nodes[i] >= HP_NODES_MAX ||
		    hp_edge_set_add(&p->sets, edges[i], (uint32_t)nodes[i]))
			continue;
		__builtin_prefetch(&kinds[nodes[i]]);
		again[nagain++] = i;
	}
	for (unsigned i = 0; i < nagain; i++)
		count_again(p, w, edges[again[i]], (uint32_t)nodes[again[i]]);
}

/* Look up all that waits in a bucket, which may be another worker's. */
HP_APART static void
look_up(struct hp_holder_pass *p, struct hp_holder_worker *w,
	struct hp_id_buckets *b, uint32_t bucket)
{
	uint64_t nodes[HP_ID_BUCKET_TAKE];
	uint32_t edges[HP_ID_BUCKET_TAKE];
	unsigned n;

	hp_id_buckets_fetch(b, bucket);
	while ((n = hp_id_buckets_take(b, bucket, nodes, edges)) > 0)
		add_nodes(p, w, nodes, edges, n);
}

/* A reference that no bucket takes. */
HP_APART static void
add_id(struct hp_holder_pass *p, struct hp_holder_worker *w, uint64_t id,
       uint32_t edge)
{
	uint64_t node = hp_node_of(&p->nodes, &w->near, id);

	add_nodes(p, w, &node, &edge, 1);
}

static inline void
push(struct hp_holder_pass *p, struct hp_holder_worker *w, uint64_t id,
     uint32_t edge)
{
	uint64_t place;
	uint32_t full;

	if (id == 0)
		return;
	place = hp_id_place(&p->nodes.ranks, &w->near, id);
	if (HP_LIKELY(place < w->buckets.places)) {
		full = hp_id_buckets_add(&w->buckets, place, edge);
		if (HP_UNLIKELY(full != HP_ID_BUCKETS))
			look_up(p, w, &w->buckets, full);
	} else {
		add_id(p, w, id, edge);
	}
}

/* Is it one of the kinds of this pass? */
static inline bool
is_wanted(const struct hp_holder_pass *p, uint32_t edge)
{
	return edge - p->sets.from < p->sets.end - p->sets.from;
}

/* Does the dump of the object at hand count? */
static bool
is_first(struct hp_holder_pass *p, struct hp_holder_worker *w,
	 const struct hp_sub *s)
{
	uint32_t node;

	if (HP_LIKELY(!p->nodes.first.at))
		return true;
	node = hp_node_of(&p->nodes, &w->near, s->id);
	return node != HP_NO_NODE &&
	       hp_node_is_first(&p->nodes, node, s->offset);
}

HP_HOT void
read_fields(struct hp_holder_pass *p, struct hp_holder_worker *w,
	    const struct hp_sub *s, unsigned id_size)
{
	const struct hp_class *c =
		hp_classes_layout(&p->g->classes, &w->classes, s->class_id);
	const struct hp_edge_level *level;
	uint64_t base = 0, at, unfollowed;

	if (!c || s->count < id_size || !is_first(p, w, s))
		return;
	unfollowed = hp_unfollowed_at(&p->unfollowed, c);
	for (level = &p->edges.levels[c->index];;
	     level = &p->edges.levels[level->above]) {
		const struct hp_edge_field *f = &p->edges.fields[level->first];

		for (uint32_t i = 0; i < level->count; i++, f++) {
			at = base + f->at;
			if (at > s->count - id_size)
				return;
			if (at != unfollowed && is_wanted(p, f->kind))
				push(p, w, hp_load_id(s->data + at, id_size),
				     f->kind);
		}
		if (level->above == HP_NO_EDGE)
			return;
		base += level->skip;
	}
}

HP_HOT void
read_fields_of(struct hp_holder_pass *p, struct hp_holder_worker *w,
	       struct hp_heap_iter *at, unsigned id_size)
{
	struct hp_heap_iter it = *at;
	struct hp_sub s;

	while (hp_heap_instance(&it, &s, id_size)) {
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD_BUSY);
		read_fields(p, w, &s, id_size);
	}
	*at = it;
}

/* The fields of instances side by side. */
static bool
read_instances(void *ctx, unsigned worker, struct hp_heap_iter *at)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];

	if (p->nodes.id_size == 8)
		read_fields_of(p, w, at, 8);
	else
		read_fields_of(p, w, at, 4);
	return true;
}

HP_HOT void
read_elements(struct hp_holder_pass *p, struct hp_holder_worker *w,
	      const struct hp_sub *s, uint64_t n)
{
	unsigned id_size = p->g->header.id_size;

	if (w->array_class != s->class_id || w->array_class == 0) {
		w->array_class = s->class_id;
		w->array_edge = hp_edge_kind_array(&p->edges, s->class_id);
	}
	if (n == 0 || !is_wanted(p, w->array_edge) || !is_first(p, w, s))
		return;
	for (uint64_t i = 0; i < n; i++) {
		hp_ids_prefetch(s->data, i, id_size);
		push(p, w, hp_load_id(s->data + i * id_size, id_size),
		     w->array_edge);
	}
}

static bool
add_pair(struct hp_holder_pass *p, struct hp_vec *to, struct hp_rank_near *near,
	 uint32_t edge, uint64_t id)
{
	uint32_t node = hp_node_of(&p->nodes, near, id);
	struct hp_holder_pair *pair;

	if (node == HP_NO_NODE)
		return true;
	pair = hp_vec_add(to, sizeof(*pair));
	if (pair)
		*pair = (struct hp_holder_pair){edge, node};
	return pair;
}

static bool
read_sub(void *ctx, unsigned worker, const struct hp_sub *s,
	 const struct hp_piece *piece)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];

	if (s->tag == HP_SUB_INSTANCE_DUMP) {
		if (!piece)
			read_fields(p, w, s, p->nodes.id_size);
	} else if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		read_elements(p, w, s, piece ? piece->elements : s->count);
	} else if (p->sets.from == 0 && hp_subrecord_is_root(s->tag)) {
		return add_pair(p, &w->pairs, &w->near, p->root_edges[s->tag],
				s->id);
	}
	return true;
}

static enum hp_status
note_worker(struct hp_holder_pass *p, struct hp_holder_worker *w,
	    struct hp_error *err)
{
	uint64_t now = hp_id_map_bytes(&w->again) +
		       w->pairs.cap * sizeof(struct hp_holder_pair);

	return hp_histogram_note(p->g, &w->noted, now, err);
}

static enum hp_status
end_batch(void *ctx, unsigned worker, struct hp_error *err)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];

	return w->no_memory ? hp_no_memory(err) : note_worker(p, w, err);
}

/* --- classes and roots ---------------------------------------------------- */

static const char *const root_words[256] = {
	[HP_SUB_ROOT_THREAD_OBJECT] = "(thread)",
	[HP_SUB_ROOT_JNI_GLOBAL] = "(JNI global)",
	[HP_SUB_ROOT_JNI_LOCAL] = "(JNI local)",
	[HP_SUB_ROOT_JAVA_FRAME] = "(local variable)",
	[HP_SUB_ROOT_STICKY_CLASS] = "(system class)",
	[HP_SUB_ROOT_MONITOR_USED] = "(monitor)",
	[HP_SUB_ROOT_JNI_MONITOR] = "(monitor)",
	[HP_SUB_ROOT_INTERNED_STRING] = "(interned)",
	[HP_SUB_ROOT_VM_INTERNAL] = "(VM internal)",
	[HP_SUB_ROOT_NATIVE_STACK] = "(native stack)",
};

/* The kinds of references that no field names. */
static enum hp_status
name_roots(struct hp_holder_pass *p, struct hp_error *err)
{
	for (unsigned tag = 0; tag < HP_ARRAY_LEN(p->root_edges); tag++) {
		if (!hp_subrecord_is_root((uint8_t)tag))
			continue;
		p->root_edges[tag] = hp_edge_kind_words(
			&p->edges,
			root_words[tag] ? root_words[tag] : "(root)");
		if (p->root_edges[tag] == HP_NO_EDGE)
			return hp_no_memory(err);
	}
	return HP_OK;
}

/*
 * What a class refers to, if its dump is the one that counts. @edges: by
 * hp_class_edge_of, but for statics.
 */
static bool
add_class_edges(struct hp_holder_pass *p, struct hp_rank_near *near,
		const struct hp_class *c, const uint32_t edges[HP_CLASS_EDGES])
{
	uint32_t node = hp_node_of(&p->nodes, near, c->id), edge;
	bool first = node != HP_NO_NODE &&
		     hp_node_is_first(&p->nodes, node, c->offset);
	struct hp_class_edge e = {0};
	bool fine = true;

	while (first && fine && hp_class_edge_next(c, &e)) {
		if (hp_node_of(&p->nodes, near, e.to) == HP_NO_NODE)
			continue;
		edge = e.of == HP_CLASS_EDGE_STATIC
			       ? hp_edge_kind_static(&p->edges, c,
						     &c->statics[e.index])
			       : edges[e.of];
		fine = edge != HP_NO_EDGE &&
		       add_pair(p, &p->pairs, near, edge, e.to);
	}
	/* the Serviceability Agent's dumps have no such roots */
	if (fine && c->loader == 0 && !p->nodes.sticky)
		fine = add_pair(p, &p->pairs, near,
				p->root_edges[HP_SUB_ROOT_STICKY_CLASS], c->id);
	return fine;
}

static int
by_edge(const void *a, const void *b)
{
	const struct hp_holder_pair *x = a, *y = b;

	if (x->edge != y->edge)
		return x->edge < y->edge ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The pairs that are there, and @more of them for a while. */
static enum hp_status
note_pairs(struct hp_holder_pass *p, size_t more, struct hp_error *err)
{
	return hp_histogram_note(p->g, &p->noted,
				 p->fixed + p->sets.bytes +
					 (p->pairs.cap + more) *
						 sizeof(struct hp_holder_pair),
				 err);
}

/* A worker's roots go to the pairs. */
static enum hp_status
take_roots(struct hp_holder_pass *p, struct hp_holder_worker *w,
	   struct hp_error *err)
{
	struct hp_vec *from = &w->pairs;

	/* at most twice the room for all of them */
	if (hp_budget_left(p->g->options->budget) <
	    (p->pairs.count + from->count) * sizeof(struct hp_holder_pair))
		return hp_fail(err, HP_LIMIT,
			       "the roots do not fit in --memory; allow more");
	if (!hp_vec_move(&p->pairs, from, sizeof(struct hp_holder_pair)))
		return hp_no_memory(err);
	hp_budget_release(p->g->options->budget, &w->noted);
	return note_pairs(p, 0, err);
}

static enum hp_status
find_pairs(struct hp_holder_pass *p, struct hp_error *err)
{
	static const char *const words[HP_CLASS_EDGES] = {
		[HP_CLASS_EDGE_SUPER] = "(super class)",
		[HP_CLASS_EDGE_LOADER] = "(class loader)",
		[HP_CLASS_EDGE_SIGNERS] = "(signers)",
		[HP_CLASS_EDGE_DOMAIN] = "(protection domain)",
		[HP_CLASS_EDGE_CONSTANT] = "(constant pool)"};
	struct hp_rank_near *near = &p->workers[0].near;
	enum hp_status st = HP_OK;
	uint32_t edges[HP_CLASS_EDGES] = {0};
	bool fine = true;

	for (unsigned i = 0; i < HP_ARRAY_LEN(words); i++) {
		if (!words[i])
			continue;
		edges[i] = hp_edge_kind_words(&p->edges, words[i]);
		fine &= edges[i] != HP_NO_EDGE;
	}
	for (unsigned i = 0; i < p->g->options->threads && st == HP_OK; i++)
		st = take_roots(p, &p->workers[i], err);
	for (size_t i = 0; i < p->g->classes.count && fine && st == HP_OK;
	     i++) {
		const struct hp_class *c = p->g->classes.list[i];

		fine = add_class_edges(p, near, c, edges);
		if (i % 1024 == 0)
			st = hp_edge_kinds_fit(&p->edges, err);
	}
	if (!fine)
		return hp_no_memory(err);
	/* qsort() takes as much again */
	if (st == HP_OK)
		st = note_pairs(p, p->pairs.count, err);
	if (st == HP_OK && p->pairs.count > 0)
		qsort(p->pairs.items, p->pairs.count,
		      sizeof(struct hp_holder_pair), by_edge);
	if (st == HP_OK)
		st = note_pairs(p, 0, err);
	p->fixed += p->pairs.cap * sizeof(struct hp_holder_pair);
	return st == HP_OK ? hp_edge_kinds_fit(&p->edges, err) : st;
}

/* --- all of it ------------------------------------------------------------ */

static enum hp_status
make_workers(struct hp_holder_pass *p, struct hp_error *err)
{
	unsigned n = p->g->options->threads;

	p->workers = calloc(n, sizeof(*p->workers));
	if (!p->workers)
		return hp_no_memory(err);
	for (unsigned i = 0; i < n; i++) {
		p->workers[i].pass = p;
		p->workers[i].of_class =
			calloc(p->g->classes.count + 1,
			       sizeof(*p->workers[i].of_class));
		if (!p->workers[i].of_class)
			return hp_no_memory(err);
	}
	return HP_OK;
}

static enum hp_status
number_objects(struct hp_holder_pass *p, struct hp_source *src,
	       struct hp_error *err)
{
	const struct hp_histogram_options *o = p->g->options;
	uint64_t left = hp_budget_left(o->budget);
	enum hp_status st;

	p->memory = (struct hp_big_memory){.limit = left, .in_order = left};
	p->nodes = (struct hp_nodes){.id_size = p->g->header.id_size,
				     .threads = o->threads,
				     .shift = hp_id_shift(p->g->dialect),
				     .dump = o->dump ? o->dump : p->g->dumps};
	st = hp_nodes_find(&p->nodes, &p->g->nodes, src, &p->memory, err);
	if (st == HP_OK)
		st = hp_big_array_make(&p->memory, &p->kind_of,
				       4 * (uint64_t)p->nodes.count + 4,
				       HP_BIG_RANDOM, err);
	if (st == HP_OK)
		st = hp_budget_note(o->budget, &p->noted, p->memory.held, err);
	return st;
}

/*
 * Buckets for references that wait: as large as what is known of all nodes, so
 * that what many of a bucket ask for is the same.
 */
static enum hp_status
make_buckets(struct hp_holder_pass *p, struct hp_error *err)
{
	uint64_t left = hp_budget_left(p->g->options->budget) / 8;
	uint64_t bytes = 4 * (uint64_t)p->nodes.count + LEAST_BUCKETS;
	unsigned n = p->g->options->threads;
	enum hp_status st = HP_OK;

	bytes = (bytes < left ? bytes : left) / n;
	for (unsigned i = 0; i < n && st == HP_OK; i++)
		st = hp_id_buckets_init(&p->workers[i].buckets, &p->nodes.ranks,
					bytes, err);
	p->fixed = p->memory.held + bytes * n;
	return st == HP_OK ? hp_histogram_note(p->g, &p->noted, p->fixed, err)
			   : st;
}

enum hp_status
hp_holder_pass_begin(struct hp_holder_pass *p, struct hp_keys *keys,
		     struct hp_source *src, struct hp_error *err)
{
	enum hp_status st = hp_node_kinds_init(&p->kinds, err);

	pthread_mutex_init(&p->lock, NULL);
	if (st == HP_OK)
		st = make_workers(p, err);
	if (st == HP_OK)
		st = hp_edge_kinds_init(&p->edges, keys, err);
	p->nsets = p->edges.count;
	if (st == HP_OK)
		st = name_roots(p, err);
	if (st == HP_OK)
		st = hp_unfollowed_init(&p->unfollowed, &p->g->classes,
					&p->g->tables, p->o->reachability, err);
	if (st == HP_OK)
		st = number_objects(p, src, err);
	if (st == HP_OK)
		st = hp_holder_kinds_find(p, src, err);
	return st == HP_OK ? make_buckets(p, err) : st;
}

static uint64_t
most_of(const void *context, uint32_t kind)
{
	return ((const struct hp_edge_kinds *)context)->list[kind].most;
}

/* The kinds behind those of the pass before that fit in the memory together. */
static enum hp_status
plan_sets(struct hp_holder_pass *p, uint32_t from, struct hp_error *err)
{
	uint64_t left = hp_budget_left(p->g->options->budget) / 4 * 3;
	uint64_t rest = 0, taken = 0, one;
	uint32_t end = from;

	for (uint32_t i = from; i < p->nsets; i++) {
		one = hp_edge_sets_bytes(p->nodes.count, p->edges.list[i].most);
		if (end == i && one <= left - taken) {
			taken += one;
			end++;
		}
		rest += one;
	}
	if ((end == from && from < p->nsets) || rest / MOST_PASSES > left)
		return hp_fail(err, HP_LIMIT,
			       "--by=holder does not fit in --memory; allow "
			       "more");
	return hp_edge_sets_begin(&p->sets, p->nodes.count, from, end, most_of,
				  &p->edges, err);
}

/* One thread of them. */
static void *
look_up_rest(void *argument)
{
	struct hp_holder_worker *w = argument;
	struct hp_holder_pass *p = w->pass;
	unsigned n = p->g->options->threads;
	uint32_t count = w->buckets.count;
	uint32_t at;

	while ((at = atomic_fetch_add(&p->looked_up, 1)) < count * n)
		look_up(p, w, &p->workers[at % n].buckets, at / n);
	return NULL;
}

/* What waits in all buckets at the end of a pass. */
static enum hp_status
look_up_all(struct hp_holder_pass *p, struct hp_error *err)
{
	unsigned n = p->g->options->threads;
	bool no_memory = false;

	atomic_store(&p->looked_up, 0);
	hp_threads_run(
		hp_threads_for(n, p->nodes.count, HP_HOLDER_NODES_A_THREAD),
		look_up_rest, p->workers, sizeof(*p->workers));
	for (unsigned i = 0; i < n; i++)
		no_memory |= p->workers[i].no_memory;
	return no_memory ? hp_no_memory(err) : HP_OK;
}

/* What one worker met again goes to the rest. */
static enum hp_status
take_again(struct hp_holder_pass *p, struct hp_holder_worker *w,
	   struct hp_error *err)
{
	struct hp_budget *budget = p->g->options->budget;
	uint64_t pair, count, *slot;
	enum hp_status st;
	size_t at = 0;

	for (unsigned k = 0; k < HP_HOLDER_SEEN; k++) {
		if (!spill_again(w, &w->seen[k]))
			return hp_no_memory(err);
		w->seen[k] = (struct hp_holder_again){0};
	}
	if (p->again.count == 0 && !p->again.has_zero) {
		p->again = w->again;
		w->again = (struct hp_id_map){0};
	} else if (hp_budget_left(budget) < hp_id_map_bytes(&w->again)) {
		return hp_fail(err, HP_LIMIT,
			       "what is held more than once does not fit in "
			       "--memory; allow more");
	}
	while (hp_id_map_next(&w->again, &at, &pair, &count)) {
		slot = hp_id_map_put(&p->again, pair, NULL);
		if (!slot)
			return hp_no_memory(err);
		*slot += count;
	}
	hp_id_map_release(&w->again);
	st = note_worker(p, w, err);
	return st == HP_OK ? hp_budget_note(budget, &p->noted,
					    p->fixed + p->sets.bytes +
						    hp_id_map_bytes(&p->again),
					    err)
			   : st;
}

static enum hp_status
gather_again(struct hp_holder_pass *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (unsigned i = 0; i < p->g->options->threads && st == HP_OK; i++)
		st = take_again(p, &p->workers[i], err);
	return st;
}

enum hp_status
hp_holder_pass_next(struct hp_holder_pass *p, struct hp_source *src,
		    struct hp_error *err)
{
	const struct hp_extra_pass pass = {.need = HP_NEED_REFERENCES,
					   .ctx = p,
					   .sub = read_sub,
					   .instances = read_instances,
					   .batch = end_batch};
	struct hp_budget *budget = p->g->options->budget;
	uint32_t from = p->sets.end;
	enum hp_status st;

	if (p->sets.words && from == p->nsets)
		return HP_EOF;
	hp_edge_sets_release(&p->sets);
	hp_id_map_release(&p->again);
	st = hp_budget_note(budget, &p->noted, p->fixed, err);
	if (st == HP_OK)
		st = plan_sets(p, from, err);
	if (st == HP_OK)
		st = hp_budget_note(budget, &p->noted, p->fixed + p->sets.bytes,
				    err);
	if (st == HP_OK)
		st = hp_extra_pass_run(p->g, src, &pass, err);
	if (st == HP_OK)
		st = look_up_all(p, err);
	if (st == HP_OK)
		st = gather_again(p, err);
	if (st == HP_OK)
		st = hp_holder_counts_find(p, err);
	return st == HP_OK && from == 0 ? find_pairs(p, err) : st;
}

void
hp_holder_pass_release(struct hp_holder_pass *p)
{
	struct hp_budget *budget = p->g->options->budget;

	for (unsigned i = 0; p->workers && i < p->g->options->threads; i++) {
		hp_budget_release(budget, &p->workers[i].noted);
		hp_id_map_release(&p->workers[i].again);
		free(p->workers[i].pairs.items);
		hp_id_buckets_release(&p->workers[i].buckets);
		free(p->workers[i].of_class);
	}
	free(p->workers);
	free(p->pairs.items);
	free(p->counts.items);
	hp_id_map_release(&p->again);
	hp_edge_sets_release(&p->sets);
	hp_unfollowed_release(&p->unfollowed);
	hp_big_array_drop(&p->memory, &p->kind_of);
	hp_nodes_release(&p->nodes, &p->memory);
	hp_node_kinds_release(&p->kinds);
	hp_edge_kinds_release(&p->edges);
	hp_budget_release(budget, &p->noted_kinds);
	hp_budget_release(budget, &p->noted_counts);
	hp_budget_release(budget, &p->noted);
	pthread_mutex_destroy(&p->lock);
}
