/*
 * object_batch.c - read instances and object arrays, and find the holders of
 * the objects to which they refer
 *
 * A reference waits in a bucket (common/object_ids/id_ranks.h). Each bucket
 * contains the references to objects in one range of addresses, so that the
 * data of these objects is in the CPU cache when the bucket is processed. A
 * thread holds a lock while it processes a bucket, so only one thread at a time
 * changes the holders of these objects.
 */
#include "diff/waste/internal.h"

#include "diff/leaks/merged_tree.h"
#include "diff/waste/joined_parts.h"

/*
 * What to do with the object to which a reference leads. Each reference that
 * waits in a bucket has a number, and the upper two bits of this number are one
 * of these values.
 */
enum {
	HELD_BY_FIELD = 0,
	/*
	 * the reference is in a container (an array or a part of a collection),
	 * and the container becomes the holder of the object
	 */
	HELD_INSIDE = 1,
	/*
	 * join the object to the collection that has the reference, because it
	 * is an internal part
	 */
	JOIN_PART = 2,
	/* mark the object as an element of the cache of valueOf() */
	IN_CACHE = 3,
	ACTION_SHIFT = 30,
};

/* --- references ----------------------------------------------------------- */

static void
hold(const struct hp_waste *w, uint32_t node, uint32_t held)
{
	uint32_t *place = hp_waste_held(w, node);

	if (held > *place)
		*place = held;
}

/*
 * Process a reference to the object @node. The upper two bits of @value are the
 * action, such as HELD_BY_FIELD or JOIN_PART. The other bits are the number of
 * the field or object that has the reference. The caller holds the lock for
 * @node.
 */
static void
apply(struct hp_waste *w, struct hp_waste_worker *k, uint32_t node,
      uint32_t value)
{
	uint32_t number = value & HP_HELD_MOST;

	switch (value >> ACTION_SHIFT) {
	case HELD_BY_FIELD:
		hold(w, node, hp_held_by_field(number));
		break;
	case HELD_INSIDE:
		hold(w, node, hp_held_inside(number));
		break;
	case JOIN_PART:
		/*
		 * do not join constants such as EMPTY_ELEMENTDATA, because many
		 * collections share them
		 */
		if (!(hp_waste_marks(w, node) & HP_MARK_STATIC) &&
		    hp_joined_join(w, node, number, &k->error) != HP_OK)
			return;
		break;
	default:
		hp_waste_mark(w, node, HP_MARK_CACHED);
		hold(w, node, hp_held_inside(number));
		break;
	}
}

/*
 * Process a reference to an object that belongs to no bucket (range of
 * addresses), so it cannot wait.
 */
HP_APART static void
apply_apart(struct hp_waste *w, struct hp_waste_worker *k, uint64_t rank,
	    uint32_t value)
{
	uint32_t node = hp_node_of_rank(rank);

	if (node == HP_NO_NODE)
		return;
	pthread_mutex_lock(&w->node_locks[HP_ID_BUCKETS]);
	apply(w, k, node, value);
	pthread_mutex_unlock(&w->node_locks[HP_ID_BUCKETS]);
}

/*
 * Process all references that wait in a bucket (for objects in one range of
 * addresses). Another thread may have put these references into the bucket.
 */
HP_APART static void
look_up(struct hp_waste *w, struct hp_waste_worker *k, struct hp_id_buckets *b,
	uint32_t bucket)
{
	const uint64_t end = w->nodes.ranks.first_odd;
	const uint64_t *waited;
	uint64_t nodes[HP_ID_BUCKET_TAKE];
	unsigned n;

	hp_id_buckets_fetch(b, bucket);
	pthread_mutex_lock(&w->node_locks[bucket]);
	while ((n = hp_id_buckets_take(b, bucket, &waited, nodes)) > 0) {
		for (unsigned i = 0; i < n; i++)
			if (HP_LIKELY(nodes[i] < end))
				__builtin_prefetch(
					hp_waste_held(w, (uint32_t)nodes[i]),
					1);
		for (unsigned i = 0; i < n; i++)
			if (HP_LIKELY(nodes[i] < end))
				apply(w, k, (uint32_t)nodes[i],
				      hp_value_of(waited[i]));
			else
				apply_apart(w, k, nodes[i],
					    hp_value_of(waited[i]));
	}
	pthread_mutex_unlock(&w->node_locks[bucket]);
}

static inline void
push(struct hp_waste *w, struct hp_waste_worker *k, uint64_t id, uint32_t value)
{
	uint64_t at;
	uint32_t full;

	if (id == 0)
		return;
	at = hp_id_place(&w->nodes.ranks, &k->near, id);
	if (HP_LIKELY(at < k->buckets.places)) {
		full = hp_id_buckets_add(&k->buckets, at, value);
		if (HP_UNLIKELY(full != HP_ID_BUCKETS))
			look_up(w, k, &k->buckets, full);
	} else {
		apply_apart(w, k, hp_id_rank(&w->nodes.ranks, &k->near, id),
			    value);
	}
}

void *
hp_waste_look_up_rest(void *argument)
{
	struct hp_waste_worker *k = argument;
	struct hp_waste *w = k->w;
	uint32_t bucket;

	while ((bucket = atomic_fetch_add(&w->looked_up, 1)) < k->buckets.count)
		for (unsigned i = 0; i < w->g->options->threads; i++)
			look_up(w, k, &w->workers[i].buckets, bucket);
	return NULL;
}

/* --- kinds of objects ----------------------------------------------------- */

/*
 * Returns the number of an object in the graph. Returns HP_NO_NODE if the dump
 * has an earlier sub-record with the id of the object: only the first one
 * counts.
 */
HP_HOT uint32_t
counted_node(struct hp_waste *w, struct hp_waste_worker *k,
	     const struct hp_sub *s)
{
	uint32_t node = hp_node_of(&w->nodes, &k->near, s->id);

	return node != HP_NO_NODE &&
			       hp_node_is_first(&w->nodes, node, s->offset)
		       ? node
		       : HP_NO_NODE;
}

/* After a failure, the rest of the pass is left out. */
static bool
has_failed(const struct hp_waste_worker *k)
{
	return k->no_memory || k->error.status != HP_OK;
}

/*
 * Store the kind (class and size) of an object. @kind: 0 if there is no memory
 * for a new kind.
 */
HP_HOT void
store_kind(struct hp_waste *w, struct hp_waste_worker *k, uint32_t node,
	   uint32_t kind)
{
	k->no_memory |= kind == 0;
	/* after a failure, hp_waste_end_batch() ends the pass */
	(void)!hp_waste_set_kind(w, node, kind, &k->error);
}

/* --- Strings, collections and cells --------------------------------------- */

/*
 * Store which array has the text of a String, and mark this array as the array
 * of a String.
 */
static void
read_string(struct hp_waste *w, struct hp_waste_worker *k, uint32_t node,
	    const struct hp_sub *s)
{
	struct hp_java_string text;
	uint32_t array;

	if (!hp_java_string_read(&w->string, w->nodes.id_size, s->data,
				 s->count, &text))
		return;
	array = hp_node_of(&w->nodes, &k->near, text.array);
	if (array == HP_NO_NODE)
		return;
	/* after a failure, hp_waste_end_batch() ends the pass */
	if (hp_joined_set_array(w, node, array, &k->error) != HP_OK)
		return;
	hp_waste_mark(w, array, text.utf16 ? HP_MARK_WIDE : HP_MARK_NARROW);
}

/*
 * Find the object to which a reference field refers. Returns the number of the
 * object in the graph; HP_NO_NODE: the field is null.
 */
static uint32_t
field_node(struct hp_waste *w, struct hp_waste_worker *k,
	   const struct hp_field_place *f, const struct hp_sub *s)
{
	uint64_t id;

	return f->from_end && hp_field_load(f, w->nodes.id_size, s->data,
					    s->count, &id)
		       ? hp_node_of(&w->nodes, &k->near, id)
		       : HP_NO_NODE;
}

/*
 * Returns the load factor of a hash table, multiplied by 2^16. An impossible
 * value is replaced by 0.75.
 */
static uint32_t
load_factor(const struct hp_field_place *f, unsigned id_size,
	    const struct hp_sub *s)
{
	uint64_t bits;
	uint32_t low;
	float factor;

	if (!f->from_end || f->type != HP_TYPE_FLOAT ||
	    !hp_field_load(f, id_size, s->data, s->count, &bits))
		return 3 << 14;
	low = (uint32_t)bits;
	memcpy(&factor, &low, sizeof(factor));
	return factor >= 0.01F && factor <= 1000.0F
		       ? (uint32_t)(factor * 65536.0F)
		       : 3 << 14;
}

static bool
add_view(struct hp_waste_worker *k, uint32_t node, uint32_t part, bool cells)
{
	return part == HP_NO_NODE ||
	       HP_VEC_PUSH(&k->views, struct hp_waste_view, node, part, cells);
}

static void
read_collection(struct hp_waste *w, struct hp_waste_worker *k, uint32_t node,
		const struct hp_sub *s, const struct hp_class *c)
{
	uint32_t info = w->collections.of_class[c->index] - 1;
	const struct hp_collection_class *l = &w->collections.list[info];
	struct hp_waste_collection *found =
		hp_shared_list_add(&w->found, &k->found_places, &k->error);
	uint64_t number = 0;
	bool fine = true;

	/* after a failure, hp_waste_end_batch() ends the pass */
	if (!found)
		return;
	found->node = node;
	found->info = info;
	found->backing = field_node(w, k, &l->backing, s);
	if (l->size.from_end)
		(void)hp_field_load(&l->size, w->nodes.id_size, s->data,
				    s->count, &number);
	found->size = (uint32_t)number;
	if (l->policy == HP_COLLECTION_HASH)
		found->more = load_factor(&l->more, w->nodes.id_size, s);
	if (l->policy == HP_COLLECTION_DEQUE &&
	    hp_field_load(&l->more, w->nodes.id_size, s->data, s->count,
			  &number))
		found->more = (uint32_t)number;
	for (unsigned i = 0; i < l->nviews && fine; i++)
		fine = add_view(k, node, field_node(w, k, &l->views[i], s),
				false);
	if (fine && l->policy == HP_COLLECTION_COUNTER)
		fine = add_view(k, node, field_node(w, k, &l->more, s), true);
	k->no_memory |= !fine;
}

/*
 * Read a cell (an object with one number as its only field), and add it to the
 * list of cells.
 */
static void
read_cell(struct hp_waste_worker *k, uint32_t node, const struct hp_sub *s)
{
	uint64_t value = s->count >= 8 ? hp_load8(s->data) : 0;

	if (!HP_VEC_PUSH(&k->cells, struct hp_waste_cell, node, value))
		k->no_memory = true;
}

/* --- sub-records ---------------------------------------------------------- */

static uint32_t
value_of(const struct hp_waste *w, uint32_t edge, uint32_t node)
{
	switch (edge < w->nroles ? w->edge_roles[edge] : HP_FIELD_PLAIN) {
	case HP_FIELD_INSIDE:
		return (uint32_t)JOIN_PART << ACTION_SHIFT | node;
	case HP_FIELD_ELEMENT:
		return (uint32_t)HELD_INSIDE << ACTION_SHIFT | node;
	default:
		return edge;
	}
}

HP_HOT void
read_fields(struct hp_waste *w, struct hp_waste_worker *k,
	    const struct hp_sub *s, const struct hp_class *c, uint32_t node,
	    unsigned id_size)
{
	const struct hp_edge_level *level = &w->edges.levels[c->index];
	uint64_t unfollowed = hp_unfollowed_at(&w->unfollowed, c);
	uint64_t base = 0, at, id;

	for (;; level = &w->edges.levels[level->above]) {
		const struct hp_edge_field *f = &w->edges.fields[level->first];

		for (uint32_t i = 0; i < level->count; i++, f++) {
			at = base + f->at;
			if (at > s->count - id_size)
				return;
			if (at == unfollowed || f->kind == HP_NO_EDGE)
				continue;
			id = hp_load_id(s->data + at, id_size);
			/*
			 * skip a reference from an object to itself, for
			 * example in its field `mutex`, because an object is
			 * not its own holder
			 */
			if (HP_LIKELY(id != s->id))
				push(w, k, id, value_of(w, f->kind, node));
		}
		if (level->above == HP_NO_EDGE)
			return;
		base += level->skip;
	}
}

static void
read_special(struct hp_waste *w, struct hp_waste_worker *k,
	     const struct hp_sub *s, const struct hp_class *c, uint32_t node)
{
	switch (w->classes[c->index].role) {
	case HP_ROLE_STRING:
		read_string(w, k, node, s);
		break;
	case HP_ROLE_COLLECTION:
		read_collection(w, k, node, s, c);
		break;
	case HP_ROLE_CELL:
		read_cell(k, node, s);
		break;
	default:
		break;
	}
}

HP_HOT void
read_instance(struct hp_waste *w, struct hp_waste_worker *k,
	      const struct hp_sub *s, unsigned id_size)
{
	const struct hp_class *c =
		hp_classes_layout(&w->g->classes, &k->classes, s->class_id);
	uint32_t kind = hp_kind_of_instance(&k->kinds, s, c);
	uint32_t node = counted_node(w, k, s);

	if (node == HP_NO_NODE)
		return;
	store_kind(w, k, node, kind);
	if (!c)
		return;
	if (w->classes[c->index].role != HP_ROLE_OTHER &&
	    hp_instance_decodable(c, s))
		read_special(w, k, s, c, node);
	if (w->classes[c->index].role != HP_ROLE_STRING && s->count >= id_size)
		read_fields(w, k, s, c, node, id_size);
}

/*
 * Read an instance that arrives in pieces. It is longer than its class says, so
 * its fields are not read; only its kind is stored.
 */
static void
read_long_instance(struct hp_waste *w, struct hp_waste_worker *k,
		   const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(&w->g->classes, &k->classes, s->class_id);
	uint32_t node = counted_node(w, k, s);

	if (node != HP_NO_NODE)
		store_kind(w, k, node, hp_kind_of_instance(&k->kinds, s, c));
}

HP_HOT void
read_instances_of(struct hp_waste *w, struct hp_waste_worker *k,
		  struct hp_heap_iter *at, unsigned id_size)
{
	struct hp_heap_iter it = *at;
	struct hp_sub s;

	while (hp_heap_instance(&it, &s, id_size)) {
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD_BUSY);
		read_instance(w, k, &s, id_size);
	}
	*at = it;
}

bool
hp_waste_instances(void *ctx, unsigned worker, struct hp_heap_iter *at)
{
	struct hp_waste *w = ctx;
	struct hp_waste_worker *k = &w->workers[worker];

	if (w->nodes.id_size == 8)
		read_instances_of(w, k, at, 8);
	else
		read_instances_of(w, k, at, 4);
	return !has_failed(k);
}

/*
 * Set the members of @k that describe the class of an array. Does nothing if
 * the previous array has the same class.
 */
static void
know_array_class(struct hp_waste *w, struct hp_waste_worker *k, uint64_t id)
{
	const struct hp_class *c;
	size_t index;

	if (k->array_class == id && id != 0)
		return;
	c = hp_classes_get(&w->g->classes, id);
	index = c ? c->index : w->g->classes.count;
	k->array_class = id;
	k->array_inside = w->classes[index].inside;
	k->array_cells = w->classes[index].role == HP_ROLE_CELL;
}

/*
 * Process the references in an array, or in a piece of it. Returns how many
 * references are not null.
 */
HP_HOT uint32_t
read_elements(struct hp_waste *w, struct hp_waste_worker *k,
	      const struct hp_sub *s, uint32_t node, uint64_t n,
	      unsigned id_size)
{
	uint32_t value = (uint32_t)(k->array_inside ? JOIN_PART : HELD_INSIDE)
				 << ACTION_SHIFT |
			 node;
	uint32_t filled = 0;
	bool fine = true;

	if (hp_waste_marks(w, node) & HP_MARK_CACHED)
		value = (uint32_t)IN_CACHE << ACTION_SHIFT | node;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t id = hp_load_id(s->data + i * id_size, id_size);

		hp_ids_prefetch(s->data, i, id_size);
		if (id == 0)
			continue;
		filled++;
		push(w, k, id, value);
		if (HP_UNLIKELY(k->array_cells) && fine)
			fine = HP_VEC_PUSH(&k->in_cells, struct hp_waste_cell,
					   node,
					   hp_node_of(&w->nodes, &k->near, id));
	}
	k->no_memory |= !fine;
	return filled;
}

/*
 * Store how many elements of an object array, or of a piece of it, are not
 * null. @head: this is the beginning of the array.
 */
static void
note_elements(struct hp_waste *w, struct hp_waste_worker *k,
	      const struct hp_waste_array *found, bool head)
{
	struct hp_waste_array *a;

	if (!head) {
		k->no_memory |= !hp_vec_push(&k->pieces, found, sizeof(*found));
		return;
	}
	a = hp_shared_list_add(&w->arrays, &k->array_places, &k->error);
	/* after a failure, hp_waste_end_batch() ends the pass */
	if (a)
		*a = *found;
}

static void
read_array(struct hp_waste *w, struct hp_waste_worker *k,
	   const struct hp_sub *s, const struct hp_piece *piece)
{
	uint64_t n = piece ? piece->elements : s->count;
	struct hp_waste_array found = {.length = s->count};
	uint32_t node = counted_node(w, k, s);
	bool head = !piece || piece->head;

	if (node == HP_NO_NODE)
		return;
	if (head) {
		uint32_t kind = hp_kind_of_array(&k->kinds, s);

		store_kind(w, k, node, kind);
		if (!hp_waste_note_array(k, s, kind))
			k->no_memory = true;
	}
	if (s->tag != HP_SUB_OBJECT_ARRAY_DUMP)
		return;
	know_array_class(w, k, s->class_id);
	found.node = node;
	found.filled = w->nodes.id_size == 8
			       ? read_elements(w, k, s, node, n, 8)
			       : read_elements(w, k, s, node, n, 4);
	note_elements(w, k, &found, head);
}

bool
hp_waste_sub(void *ctx, unsigned worker, const struct hp_sub *s,
	     const struct hp_piece *piece)
{
	struct hp_waste *w = ctx;
	struct hp_waste_worker *k = &w->workers[worker];

	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		if (!piece)
			read_instance(w, k, s, w->nodes.id_size);
		else if (piece->head)
			read_long_instance(w, k, s);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		read_array(w, k, s, piece);
		break;
	default:
		break;
	}
	return !has_failed(k);
}

enum hp_status
hp_waste_end_batch(void *ctx, unsigned worker, struct hp_error *err)
{
	struct hp_waste *w = ctx;
	struct hp_waste_worker *k = &w->workers[worker];

	return k->error.status == HP_OK ? HP_OK : hp_fail_as(err, &k->error);
}
