/*
 * find_collections.c - find empty collections, and collections with more free
 * slots than their policy allows
 *
 * A collection can be an internal part of another collection: a HashSet
 * contains a HashMap. In this case, the waste of the inner collection is added
 * to the waste of the outermost collection.
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stddef.h>

/* --- parts ---------------------------------------------------------------- */

/*
 * Mark an object as an internal part of a collection or, if it has this mark
 * already, of several collections.
 */
static void
claim(struct hp_waste *w, uint32_t node)
{
	if (node != HP_NO_NODE &&
	    hp_waste_mark(w, node, HP_MARK_PART) & HP_MARK_PART)
		hp_waste_mark(w, node, HP_MARK_SHARED);
}

/*
 * Mark a Segment (an inner map of a ConcurrentHashMap in Java 5 to 7) as an
 * internal part of its map.
 */
static void
claim_segment(struct hp_waste *w, uint32_t node)
{
	if (w->role_of_kind[hp_waste_kind_of(w, node)] == HP_ROLE_COLLECTION)
		claim(w, node);
}

/*
 * Whether an object is an internal part of exactly one collection. Constants
 * such as an empty array, which many collections share, are not.
 */
static bool
is_private(const struct hp_waste *w, uint32_t node)
{
	return node != HP_NO_NODE &&
	       !(hp_waste_marks(w, node) & (HP_MARK_SHARED | HP_MARK_STATIC));
}

static const struct hp_collection_class *
class_of(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	return &w->collections.list[c->info];
}

/*
 * Returns the entry of the object @node in the list of collections, or NULL if
 * it is not a collection.
 */
static const struct hp_waste_collection *
collection_at(const struct hp_waste *w, uint32_t node)
{
	return node != HP_NO_NODE &&
			       w->role_of_kind[hp_waste_kind_of(w, node)] ==
				       HP_ROLE_COLLECTION &&
			       *hp_waste_link(w, node) > 0
		       ? hp_waste_found_at(w, *hp_waste_link(w, node) - 1)
		       : NULL;
}

static const struct hp_waste_collection *
inner(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	return class_of(w, c)->policy == HP_COLLECTION_DELEGATE &&
			       is_private(w, c->backing)
		       ? collection_at(w, c->backing)
		       : NULL;
}

/*
 * Whether a collection is an inner collection. The waste of an inner collection
 * is added to the waste of an outer collection.
 */
static bool
is_inner(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	uint8_t marks = hp_waste_marks(w, c->node);

	return marks & HP_MARK_PART &&
	       !(marks & (HP_MARK_SHARED | HP_MARK_STATIC));
}

static const struct hp_waste_array *
array_of(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	return c->backing != HP_NO_NODE &&
			       hp_waste_kind(w, c->backing)->of ==
				       HP_NODE_OBJECT_ARRAY &&
			       *hp_waste_link(w, c->backing) > 0
		       ? hp_waste_array_at(w, *hp_waste_link(w, c->backing) - 1)
		       : NULL;
}

/* --- segments ------------------------------------------------------------- */

static size_t
first_segment(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	return hp_list_find(w->segments, w->nsegments, sizeof(*w->segments),
			    offsetof(struct hp_waste_cell, node), c->backing);
}

/*
 * Returns the next Segment of a map that belongs to this map alone; NULL: there
 * is none. *@at: initially the result of first_segment(); is updated.
 */
static const struct hp_waste_collection *
next_segment(const struct hp_waste *w, const struct hp_waste_collection *c,
	     size_t *at)
{
	while (*at < w->nsegments && w->segments[*at].node == c->backing &&
	       is_private(w, c->backing)) {
		uint32_t node = (uint32_t)w->segments[(*at)++].value;
		const struct hp_waste_collection *s = collection_at(w, node);

		if (s && class_of(w, s)->policy == HP_COLLECTION_HASH &&
		    is_private(w, node))
			return s;
	}
	return NULL;
}

static bool
has_segments(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	return class_of(w, c)->policy == HP_COLLECTION_SEGMENTS;
}

/*
 * Whether the size of a collection is known. The size is not known if it
 * depends on an inner collection that also belongs to another collection.
 */
static bool
knows_size(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	return class_of(w, c)->policy != HP_COLLECTION_DELEGATE &&
	       !(has_segments(w, c) && !is_private(w, c->backing));
}

static uint64_t
size_of_segments(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	const struct hp_waste_collection *s;
	size_t at = first_segment(w, c);
	uint64_t sum = 0;

	while ((s = next_segment(w, c, &at)))
		sum += s->size;
	return sum;
}

/* --- sizes and slots ------------------------------------------------------ */

static uint64_t
size_of(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	const struct hp_waste_array *a = array_of(w, c);

	switch (class_of(w, c)->policy) {
	case HP_COLLECTION_DEQUE:
		if (!a || a->length == 0)
			return 0;
		return c->more >= c->size
			       ? c->more - c->size
			       : (uint64_t)c->more + a->length - c->size;
	case HP_COLLECTION_LENGTH:
		return a ? a->length : 0;
	case HP_COLLECTION_SEGMENTS:
		return size_of_segments(w, c);
	default:
		return c->size;
	}
}

static uint64_t
at_least(uint64_t n, uint64_t least)
{
	return n > least ? n : least;
}

/*
 * Returns how many slots of the array are not waste, given the policy and the
 * size of the collection.
 */
static uint64_t
allowed_slots(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	uint64_t size = size_of(w, c);

	switch (class_of(w, c)->policy) {
	case HP_COLLECTION_HALF_MORE:
		return at_least(size + size / 2, 10);
	case HP_COLLECTION_TWICE:
		return at_least(2 * size, 10);
	case HP_COLLECTION_HASH:
		return at_least((size << 17) / c->more, 16);
	case HP_COLLECTION_COUNTER:
	case HP_COLLECTION_SEGMENTS:
		return at_least(size * 8 / 3, 16);
	case HP_COLLECTION_DEQUE:
		return at_least(2 * size, 17);
	case HP_COLLECTION_IDENTITY:
	case HP_COLLECTION_PAIRS:
		return 2 * size;
	case HP_COLLECTION_EXACT:
		return size;
	default:
		return UINT64_MAX;
	}
}

/*
 * The slots of a collection's arrays: how many there are, and how many are not
 * null.
 */
struct slots {
	uint64_t all, used;
};

/*
 * Add the slots of a collection's array to @sum, if the array belongs only to
 * this collection.
 */
static void
add_slots(const struct hp_waste *w, const struct hp_waste_collection *c,
	  struct slots *sum)
{
	const struct hp_waste_array *a = array_of(w, c);

	if (!a || !is_private(w, c->backing))
		return;
	sum->all += a->length;
	sum->used += a->filled;
}

static struct slots
slots_of(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	const struct hp_waste_collection *s;
	struct slots sum = {0};
	size_t at;

	if (!has_segments(w, c)) {
		add_slots(w, c, &sum);
		return sum;
	}
	at = first_segment(w, c);
	while ((s = next_segment(w, c, &at)))
		add_slots(w, s, &sum);
	return sum;
}

static uint64_t
sparse_bytes(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	const struct slots slots = slots_of(w, c);
	uint64_t allowed = allowed_slots(w, c), free_slots;

	if (slots.all <= allowed)
		return 0;
	free_slots = slots.all - slots.used;
	if (free_slots > slots.all - allowed)
		free_slots = slots.all - allowed;
	return free_slots * w->layout->reference;
}

/*
 * Returns the bytes of an internal part of a collection. Returns 0 for Strings,
 * boxes, texts and other collections, because they are counted separately.
 */
static uint64_t
bytes_of(const struct hp_waste *w, uint32_t node)
{
	const struct hp_node_kind *kind;

	if (!is_private(w, node))
		return 0;
	kind = hp_waste_kind(w, node);
	if (w->role_of_kind[hp_waste_kind_of(w, node)] != HP_ROLE_OTHER ||
	    kind->of == HP_NODE_CLASS ||
	    (kind->of == HP_NODE_PRIMITIVE_ARRAY &&
	     hp_waste_marks(w, node) & (HP_MARK_NARROW | HP_MARK_WIDE)))
		return 0;
	return kind->bytes;
}

/*
 * Returns the bytes of a collection and its internal parts, without inner
 * collections. w->views is sorted, so that the parts of one collection are
 * consecutive.
 */
static uint64_t
own_bytes(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	uint64_t sum = hp_waste_kind(w, c->node)->bytes;
	size_t i = 0, end = w->nviews;

	if (c->backing != c->node)
		sum += bytes_of(w, c->backing);
	/* binary search for the first part of this collection */
	while (i < end) {
		size_t middle = i + (end - i) / 2;

		if (w->views[middle].collection < c->node)
			i = middle + 1;
		else
			end = middle;
	}
	for (; i < w->nviews && w->views[i].collection == c->node; i++)
		sum += bytes_of(w, w->views[i].part);
	return sum;
}

/*
 * Returns the bytes of a collection and its internal parts, including the
 * segments of a map, without other inner collections.
 */
static uint64_t
all_bytes(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	const struct hp_waste_collection *s;
	uint64_t sum = own_bytes(w, c);
	size_t at;

	if (!has_segments(w, c))
		return sum;
	at = first_segment(w, c);
	while ((s = next_segment(w, c, &at)))
		sum += own_bytes(w, s);
	return sum;
}

/* --- all collections ------------------------------------------------------ */

/*
 * Count a collection with exactly one element as waste of the kind
 * "single-collections", because the program could refer to the element
 * directly. @c is @outer itself, or the inner collection of @outer that
 * contains the element. @bytes: the bytes of the collections from @outer down
 * to @c, without @c.
 */
static bool
add_single(struct hp_waste *w, const struct hp_waste_collection *outer,
	   const struct hp_waste_collection *c, uint32_t holder, uint64_t bytes)
{
	uint64_t kept =
		hp_waste_kind(w, outer->node)->bytes + w->layout->reference;

	bytes += all_bytes(w, c);
	return hp_waste_add(&w->sums, HP_WASTE_SINGLE_COLLECTIONS, holder,
			    bytes > kept ? bytes - kept : 0, 0);
}

/*
 * Find the waste of a collection together with its inner collections. The
 * caller passes only outermost collections, so each collection is visited once.
 */
static bool
count_collection(struct hp_waste *w, const struct hp_waste_collection *outer)
{
	const struct hp_waste_collection *c = outer, *next;
	uint32_t holder;
	uint64_t all = 0;

	if (class_of(w, c)->policy == HP_COLLECTION_NONE)
		return true;
	while ((next = inner(w, c)) && next != outer) {
		all += all_bytes(w, c);
		c = next;
	}
	if (!knows_size(w, c) || class_of(w, c)->policy == HP_COLLECTION_NONE)
		return true;
	holder = hp_waste_holder(w, outer->node);
	if (!hp_waste_count(&w->sums, HP_WASTE_OF_COLLECTIONS, holder, 1))
		return false;
	if (size_of(w, c) == 0)
		return hp_waste_add(&w->sums, HP_WASTE_EMPTY_COLLECTIONS,
				    holder, all + all_bytes(w, c), 0);
	if (size_of(w, c) == 1 && !add_single(w, outer, c, holder, all))
		return false;
	all = sparse_bytes(w, c);
	return all == 0 || hp_waste_add(&w->sums, HP_WASTE_SPARSE_COLLECTIONS,
					holder, all, 0);
}

void
hp_waste_claim_parts(struct hp_waste *w)
{
	for (uint64_t i = 0; i < w->found.count; i++)
		claim(w, hp_waste_found_at(w, i)->backing);
	for (size_t i = 0; i < w->nviews; i++)
		claim(w, w->views[i].part);
	for (size_t i = 0; i < w->nsegments; i++)
		if (w->segments[i].value != HP_NO_NODE)
			claim_segment(w, (uint32_t)w->segments[i].value);
}

/*
 * Free the lists of collections, so that more hashes of arrays are in memory.
 * Only the lists for hprof-convert (waste_list.c) need them later.
 */
static void
release_collections(struct hp_waste *w)
{
	hp_shared_list_release(&w->found);
	hp_free(w->views);
	hp_free(w->segments);
	w->views = NULL;
	w->segments = NULL;
	w->nviews = w->nsegments = 0;
}

enum hp_status
hp_waste_find_collections(struct hp_waste *w, struct hp_error *err)
{
	for (uint64_t i = 0; i < w->found.count; i++) {
		const struct hp_waste_collection *c = hp_waste_found_at(w, i);

		if (!is_inner(w, c) && !count_collection(w, c))
			return hp_no_memory(err);
	}
	if (!w->want_arrays)
		release_collections(w);
	return HP_OK;
}

/* --- a list of all collections -------------------------------------------- */

/*
 * Returns the number of elements of a collection. Only for collections of which
 * the free slots are never waste.
 */
static uint64_t
fixed_size(const struct hp_waste *w, const struct hp_waste_collection *c)
{
	const struct hp_waste_array *a = array_of(w, c);

	return class_of(w, c)->size.from_end ? c->size : a ? a->length : 0;
}

bool
hp_waste_each_collection(struct hp_waste *w,
			 bool (*each)(void *ctx,
				      const struct hp_waste_collection *c,
				      struct hp_waste_listed *found),
			 void *ctx)
{
	bool fine = true;

	for (uint64_t i = 0; i < w->found.count && fine; i++) {
		const struct hp_waste_collection *outer =
			hp_waste_found_at(w, i);
		const struct hp_waste_collection *c = outer, *next;
		struct hp_waste_listed found = {0};

		if (is_inner(w, outer))
			continue;
		while ((next = inner(w, c)) && next != outer) {
			found.bytes += all_bytes(w, c);
			c = next;
		}
		if (!knows_size(w, c))
			continue;
		found.bytes += all_bytes(w, c);
		found.slots = slots_of(w, c).all;
		found.used = slots_of(w, c).used;
		if (class_of(w, c)->policy == HP_COLLECTION_NONE) {
			found.size = fixed_size(w, c);
		} else {
			found.size = size_of(w, c);
			found.waste = found.size == 0 ? found.bytes
						      : sparse_bytes(w, c);
		}
		fine = each(ctx, outer, &found);
	}
	return fine;
}
