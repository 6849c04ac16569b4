/*
 * holder_batch.c - read the objects in a part of the dump, and count the
 * references in them
 *
 * A reference is not counted at once, but waits in a bucket with other
 * references to neighbouring objects (common/object_ids/id_ranks.h). When a
 * bucket is full, all its references are looked up and counted together, so
 * that the data of the objects to which they refer is in the CPU cache. One
 * lock protects the counters of all objects of a bucket.
 */
#include "diff/holders/internal.h"

/* --- references ----------------------------------------------------------- */

/*
 * Record that the counter for references of kind @edge to the object @node
 * overflowed. Each thread records overflows in a table of its own.
 */
HP_APART static void
carry(struct hp_holder_worker *w, uint32_t edge, uint32_t node)
{
	if (!hp_edge_carries_add(&w->carried, edge, node))
		w->no_memory = true;
}

/*
 * Count a reference of kind @edge to the object @node. The caller holds the
 * lock for this object. @gap: is added to @node to get the index of the counter
 * (see struct hp_edge_stretches). @byte: the result of hp_edge_count_fetch().
 */
HP_HOT void
count_node(struct hp_holder_pass *p, struct hp_holder_worker *w, uint32_t edge,
	   uint32_t node, uint32_t gap, uint8_t *byte)
{
	if (HP_UNLIKELY(
		    hp_edge_count_add(&p->edge_counts, edge, node, gap, byte)))
		carry(w, edge, node);
}

/*
 * Count a reference to an object that belongs to no bucket (range of
 * addresses), so it must be looked up at once. @rank: the rank of the id of the
 * object (its position among all sorted ids), from which the number of the
 * object is computed. Does nothing if the dump does not have the object.
 */
HP_APART static void
count_apart(struct hp_holder_pass *p, struct hp_holder_worker *w, uint32_t edge,
	    uint64_t rank)
{
	uint32_t node = hp_node_of_rank(rank);
	uint32_t gap = p->stretches.list[w->buckets.count].gap;

	if (node == HP_NO_NODE)
		return;
	pthread_mutex_lock(&p->node_locks[HP_HOLDER_APART]);
	count_node(p, w, edge, node, gap,
		   hp_edge_count_fetch(&p->edge_counts, edge, node, gap));
	pthread_mutex_unlock(&p->node_locks[HP_HOLDER_APART]);
}

/*
 * Count the references that waited in one bucket. All counters are prefetched
 * before the first is read, because otherwise each access would wait for
 * memory.
 */
HP_HOT void
count_nodes(struct hp_holder_pass *p, struct hp_holder_worker *w, uint32_t gap,
	    const uint64_t *waited, const uint64_t *nodes, unsigned n)
{
	const uint64_t end = p->nodes.ranks.first_odd;
	uint8_t *bytes[HP_ID_BUCKET_TAKE];

	for (unsigned i = 0; i < n; i++)
		if (nodes[i] < end)
			bytes[i] = hp_edge_count_fetch(&p->edge_counts,
						       hp_value_of(waited[i]),
						       (uint32_t)nodes[i], gap);
	for (unsigned i = 0; i < n; i++)
		if (HP_LIKELY(nodes[i] < end))
			count_node(p, w, hp_value_of(waited[i]),
				   (uint32_t)nodes[i], gap, bytes[i]);
		else
			count_apart(p, w, hp_value_of(waited[i]), nodes[i]);
}

/*
 * Look up and count all references that wait in a bucket (for objects in one
 * range of addresses). Another thread may have added them.
 */
HP_APART static void
look_up(struct hp_holder_pass *p, struct hp_holder_worker *w,
	struct hp_id_buckets *b, uint32_t bucket)
{
	uint32_t gap = p->stretches.list[bucket].gap;
	const uint64_t *waited;
	uint64_t nodes[HP_ID_BUCKET_TAKE];
	unsigned n;

	hp_id_buckets_fetch(b, bucket);
	pthread_mutex_lock(&p->node_locks[bucket]);
	while ((n = hp_id_buckets_take(b, bucket, &waited, nodes)) > 0)
		count_nodes(p, w, gap, waited, nodes, n);
	pthread_mutex_unlock(&p->node_locks[bucket]);
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
		count_apart(p, w, edge,
			    hp_id_rank(&p->nodes.ranks, &w->near, id));
	}
}

/*
 * The function of a thread that counts the references that still wait in
 * buckets at the end of a pass.
 */
void *
hp_holder_look_up_rest(void *argument)
{
	struct hp_holder_worker *w = argument;
	struct hp_holder_pass *p = w->pass;
	uint32_t bucket;

	while ((bucket = atomic_fetch_add(&p->looked_up, 1)) < w->buckets.count)
		for (unsigned i = 0; i < p->g->options->threads; i++)
			look_up(p, w, &p->workers[i].buckets, bucket);
	return NULL;
}

/* --- kinds of objects ----------------------------------------------------- */

/*
 * Whether this sub-record is the first one with its object id. A damaged dump
 * may contain several sub-records with the same id; only the first one counts.
 * @node: the number of the object in the graph.
 */
HP_HOT bool
is_first(struct hp_holder_pass *p, const struct hp_sub *s, uint32_t node)
{
	return !p->nodes.first.at ||
	       (node != HP_NO_NODE &&
		hp_node_is_first(&p->nodes, node, s->offset));
}

/* Whether @s is the first sub-record with its object id. */
HP_HOT bool
is_counted(struct hp_holder_pass *p, struct hp_holder_worker *w,
	   const struct hp_sub *s)
{
	return HP_LIKELY(!p->nodes.first.at) ||
	       is_first(p, s, hp_node_of(&p->nodes, &w->near, s->id));
}

/*
 * If this sub-record is the first one with its object id, store the kind of the
 * object and return true. If there is no memory for a new kind (class and
 * size), the kind 0 is stored.
 */
HP_HOT bool
note_kind(struct hp_holder_pass *p, struct hp_holder_worker *w,
	  const struct hp_sub *s, uint32_t kind)
{
	uint32_t node = hp_node_of(&p->nodes, &w->near, s->id);
	bool first = is_first(p, s, node);

	w->no_memory |= kind == 0;
	if (first && node != HP_NO_NODE)
		((uint32_t *)p->kind_of.at)[node] = kind;
	return first;
}

/* --- sub-records ---------------------------------------------------------- */

/*
 * Whether this pass counts references of kind @edge. If there is not enough
 * memory for the counters of all kinds, each pass counts only some of the
 * kinds.
 */
static inline bool
is_wanted(const struct hp_holder_pass *p, uint32_t edge)
{
	return edge - p->edge_counts.from <
	       p->edge_counts.end - p->edge_counts.from;
}

HP_HOT void
read_fields(struct hp_holder_pass *p, struct hp_holder_worker *w,
	    const struct hp_sub *s, const struct hp_class *c, unsigned id_size)
{
	const struct hp_edge_level *level = &p->edges.levels[c->index];
	uint64_t unfollowed = hp_unfollowed_at(&p->unfollowed, c);
	uint64_t base = 0, at;

	for (;; level = &p->edges.levels[level->above]) {
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
read_instance(struct hp_holder_pass *p, struct hp_holder_worker *w,
	      const struct hp_sub *s, unsigned id_size)
{
	const struct hp_class *c =
		hp_classes_layout(&p->g->classes, &w->classes, s->class_id);
	bool counted = hp_holder_notes_kinds(p)
			       ? note_kind(p, w, s,
					   hp_kind_of_instance(&w->kinds, s, c))
			       : is_counted(p, w, s);

	if (counted && c && s->count >= id_size)
		read_fields(p, w, s, c, id_size);
}

/*
 * Store the kind (class and size) of an instance that is longer than any class
 * dump can describe. Its fields are not read.
 */
static void
note_long_instance(struct hp_holder_pass *p, struct hp_holder_worker *w,
		   const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(&p->g->classes, &w->classes, s->class_id);

	if (hp_holder_notes_kinds(p))
		note_kind(p, w, s, hp_kind_of_instance(&w->kinds, s, c));
}

HP_HOT void
read_instances_of(struct hp_holder_pass *p, struct hp_holder_worker *w,
		  struct hp_heap_iter *at, unsigned id_size)
{
	struct hp_heap_iter it = *at;
	struct hp_sub s;

	while (hp_heap_instance(&it, &s, id_size)) {
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD_BUSY);
		read_instance(p, w, &s, id_size);
	}
	*at = it;
}

bool
hp_holder_instances(void *ctx, unsigned worker, struct hp_heap_iter *at)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];

	if (p->nodes.id_size == 8)
		read_instances_of(p, w, at, 8);
	else
		read_instances_of(p, w, at, 4);
	return !w->no_memory;
}

HP_HOT void
read_elements(struct hp_holder_pass *p, struct hp_holder_worker *w,
	      const struct hp_sub *s, uint64_t n, unsigned id_size)
{
	if (w->array_class != s->class_id || w->array_class == 0) {
		w->array_class = s->class_id;
		w->array_edge = hp_edge_kind_array(&p->edges, s->class_id);
	}
	if (!is_wanted(p, w->array_edge))
		return;
	for (uint64_t i = 0; i < n; i++) {
		hp_ids_prefetch(s->data, i, id_size);
		push(p, w, hp_load_id(s->data + i * id_size, id_size),
		     w->array_edge);
	}
}

static void
read_array(struct hp_holder_pass *p, struct hp_holder_worker *w,
	   const struct hp_sub *s, const struct hp_piece *piece)
{
	uint64_t n = piece ? piece->elements : s->count;
	bool counted =
		hp_holder_notes_kinds(p) && (!piece || piece->head)
			? note_kind(p, w, s, hp_kind_of_array(&w->kinds, s))
			: is_counted(p, w, s);

	if (n == 0 || !counted || s->tag != HP_SUB_OBJECT_ARRAY_DUMP)
		return;
	if (p->nodes.id_size == 8)
		read_elements(p, w, s, n, 8);
	else
		read_elements(p, w, s, n, 4);
}

bool
hp_holder_pair_add(struct hp_holder_pass *p, struct hp_vec *to,
		   struct hp_rank_near *near, uint32_t edge, uint64_t id)
{
	uint32_t node = hp_node_of(&p->nodes, near, id);

	return node == HP_NO_NODE ||
	       HP_VEC_PUSH(to, struct hp_holder_pair, edge, node);
}

bool
hp_holder_sub(void *ctx, unsigned worker, const struct hp_sub *s,
	      const struct hp_piece *piece)
{
	struct hp_holder_pass *p = ctx;
	struct hp_holder_worker *w = &p->workers[worker];

	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		if (!piece)
			read_instance(p, w, s, p->nodes.id_size);
		else if (piece->head)
			note_long_instance(p, w, s);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		read_array(p, w, s, piece);
		break;
	default:
		if (hp_holder_notes_kinds(p) && hp_subrecord_is_root(s->tag) &&
		    !hp_holder_pair_add(p, &w->pairs, &w->near,
					p->root_edges[s->tag], s->id))
			w->no_memory = true;
		break;
	}
	return !w->no_memory;
}
