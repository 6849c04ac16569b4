/*
 * edge_index.c - sort the lists of references by node, and build a small index
 * of their positions
 *
 * While the lists are written, each node needs five bytes for the position of
 * its list. Afterwards, this code copies the lists in the order of their nodes.
 * Then an index with the lengths of the lists suffices: 1.5 bytes for each
 * node. The lists of neighbouring nodes are also in the same cache line, so a
 * search in the graph waits less for memory.
 *
 * Threads take ranges of 65,536 nodes. A thread first computes the lengths of
 * all lists of a range, then reserves room for all of them, and copies them. A
 * list that is too long for the index is copied to a place of its own. Its
 * entry in the index is only a stub: the kind of the node, the code CONTINUED,
 * and the position of the references.
 */
#include "common/graph/edges.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

enum {
	/* the first byte of a code, as hp_edge_encode() encodes it */
	END_BYTE = HP_EDGE_CODE_END << 1 | 1,
	CONTINUED_BYTE = HP_EDGE_CONTINUED << 1 | 1,
	/* maximum length of a list that is not replaced by a stub */
	LONGEST = UINT8_MAX,
};

struct sorting {
	struct hp_edges *e; /* receives the sorted lists and the index */
	/* the lists before sorting, and the positions of the lists */
	struct hp_big_array old_lists, old_starts;
	const uint8_t *lists, *starts;
	uint32_t count;	       /* number of nodes */
	_Atomic uint32_t next; /* the first range that no thread has taken */
	_Atomic bool failed;
};

/* Returns the number of bytes of the encoded number at position @at. */
static inline unsigned
number_bytes(const uint8_t *lists, uint64_t at)
{
	return (unsigned)__builtin_ctz(lists[at] | 1u << 7) + 1;
}

/*
 * Returns the position of the code END or CONTINUED, with which the part of a
 * list at position @at ends. The search compares only the first byte of each
 * number. It does not mistake another number for one of these codes: the codes
 * are small numbers of one byte, and the numbers that follow the code SKIP_MANY
 * are larger.
 */
static inline uint64_t
end_of_part(const uint8_t *lists, uint64_t at)
{
	while (lists[at] != END_BYTE && lists[at] != CONTINUED_BYTE)
		at += number_bytes(lists, at);
	return at;
}

/*
 * Returns the number of bytes of all parts of the references at position @at,
 * with one code END. If there are no references, returns 0.
 */
static uint64_t
references_bytes(const uint8_t *lists, uint64_t at)
{
	uint64_t end, bytes = 0;

	for (;; at = hp_edge_rest(lists, end + 1)) {
		end = end_of_part(lists, at);
		bytes += end - at;
		if (lists[end] == END_BYTE)
			return bytes > 0 ? bytes + 1 : 0;
	}
}

/* Copy all parts of the references at position @at, and one code END. */
static void
copy_references(uint8_t *to, const uint8_t *lists, uint64_t at)
{
	uint64_t end;

	for (;; at = hp_edge_rest(lists, end + 1)) {
		end = end_of_part(lists, at);
		memcpy(to, lists + at, end - at);
		to += end - at;
		if (lists[end] == END_BYTE)
			break;
	}
	*to = END_BYTE;
}

/*
 * Reserve room for @bytes bytes of sorted lists. *@at receives their position.
 * Returns false if there is no memory.
 */
static bool
take_room(struct sorting *s, uint64_t bytes, uint64_t *at)
{
	*at = atomic_fetch_add_explicit(&s->e->next, bytes,
					memory_order_relaxed);
	if (HP_LIKELY(hp_edges_make_ready(s->e, *at + bytes + HP_EDGE_ROOM)))
		return true;
	s->failed = true;
	return false;
}

/*
 * Returns the length that the list of @node has in the index. For a list that
 * becomes a stub, this is the length of the stub.
 */
static unsigned
indexed_bytes(const struct sorting *s, uint32_t node)
{
	uint64_t start = hp_edge_start(s->starts, node), bytes;
	unsigned kind;

	if (start == 0)
		return 0;
	if (start & HP_EDGE_NO_LIST)
		return hp_edge_number_bytes((uint32_t)start);
	kind = number_bytes(s->lists, start);
	bytes = references_bytes(s->lists, start + kind);
	return bytes > LONGEST - kind ? kind + HP_EDGE_CONTINUES
				      : kind + (unsigned)bytes;
}

/*
 * Copy a list of references, at position @at, that consists of several parts or
 * is too long for the index. If all references fit into @bytes, copy them to
 * @to. Otherwise copy them to a place of their own, and write the code
 * CONTINUED and the position of this place to @to.
 */
static void
copy_parts(struct sorting *s, uint8_t *to, uint64_t at, uint64_t bytes)
{
	uint64_t all = references_bytes(s->lists, at), rest;

	if (all == bytes && all > 0)
		copy_references(to, s->lists, at);
	if (all == bytes || !take_room(s, all, &rest))
		return;
	copy_references((uint8_t *)s->e->lists.at + rest, s->lists, at);
	*to = CONTINUED_BYTE;
	memcpy(to + 1, &rest, sizeof(rest));
}

/* Copy the list of @node to @to. @bytes: its length in the index. */
static void
copy_list(struct sorting *s, uint32_t node, uint8_t *to, unsigned bytes)
{
	uint64_t start = hp_edge_start(s->starts, node), end;
	uint8_t number[sizeof(uint64_t)];
	unsigned kind;

	if (start & HP_EDGE_NO_LIST) {
		hp_put_le8(number, hp_edge_encoded((uint32_t)start));
		memcpy(to, number, bytes);
		return;
	}
	kind = number_bytes(s->lists, start);
	end = end_of_part(s->lists, start + kind);
	if (HP_LIKELY(s->lists[end] == END_BYTE && end + 1 - start == bytes)) {
		memcpy(to, s->lists + start, bytes);
		return;
	}
	memcpy(to, s->lists + start, kind);
	copy_parts(s, to + kind, start + kind, bytes - kind);
}

static void
sort_range(struct sorting *s, uint32_t range)
{
	uint32_t first = range << HP_EDGE_RANGE_BITS, sum = 0;
	uint32_t n = s->count - first < HP_EDGE_RANGE ? s->count - first
						      : HP_EDGE_RANGE;
	uint8_t *block;
	uint64_t at;

	for (uint32_t i = 0; i < n; i++) {
		unsigned bytes = indexed_bytes(s, first + i);

		block = (uint8_t *)s->e->index.at + hp_edge_block(first + i);
		if (i % HP_EDGE_BLOCK_NODES == 0)
			hp_put_le4(block, sum);
		block[sizeof(sum) + i % HP_EDGE_BLOCK_NODES] = (uint8_t)bytes;
		sum += bytes;
	}
	if (!take_room(s, sum, &at))
		return;
	s->e->ranges[range] = at;
	for (uint32_t i = 0; i < n && !s->failed; i++) {
		unsigned bytes;

		at = hp_edge_list(s->e, first + i, &bytes);
		if (bytes > 0)
			copy_list(s, first + i, (uint8_t *)s->e->lists.at + at,
				  bytes);
	}
}

static void *
sort_ranges(void *argument)
{
	struct sorting *s = argument;
	uint32_t ranges = (uint32_t)hp_edge_ranges(s->count), range;

	while (!s->failed && (range = atomic_fetch_add(&s->next, 1)) < ranges)
		sort_range(s, range);
	return NULL;
}

static enum hp_status
make_arrays(struct sorting *s, struct hp_big_memory *m, struct hp_error *err)
{
	struct hp_edges *e = s->e;
	/* each stub, and each kind that was in `starts`, is additional */
	uint64_t bytes =
		atomic_load(&e->next) + 2 * HP_EDGE_ROOM +
		(uint64_t)s->count * (HP_EDGE_NUMBER + HP_EDGE_CONTINUES);
	enum hp_status st = hp_big_array_make(
		m, &e->index, hp_edge_block(s->count) + HP_EDGE_BLOCK,
		HP_BIG_RANDOM, err);

	e->ranges = hp_calloc(hp_edge_ranges(s->count) + 1, sizeof(*e->ranges));
	if (st == HP_OK && !e->ranges)
		st = hp_no_memory(err);
	return st == HP_OK ? hp_big_array_reserve(&e->lists, bytes,
						  HP_BIG_IN_ORDER, err)
			   : st;
}

enum hp_status
hp_edges_sort(struct hp_edges *e, uint32_t n, unsigned threads,
	      struct hp_big_memory *m, struct hp_error *err)
{
	struct sorting s = {.e = e,
			    .old_lists = e->lists,
			    .old_starts = e->starts,
			    .lists = e->lists.at,
			    .starts = e->starts.at,
			    .count = n};
	enum hp_status st;

	hp_big_array_shrink(m, &s.old_lists, atomic_load(&e->next));
	e->lists = e->starts = (struct hp_big_array){0};
	st = make_arrays(&s, m, err);
	atomic_store(&e->next, HP_EDGE_FIRST_BYTE);
	atomic_store(&e->ready, 0);
	if (st == HP_OK)
		hp_threads_run(hp_threads_for(threads, n, HP_EDGE_RANGE),
			       sort_ranges, &s, 0);
	if (s.failed)
		st = hp_edges_error(e, err);
	hp_big_array_drop(m, &s.old_lists);
	hp_big_array_drop(m, &s.old_starts);
	if (st == HP_OK)
		hp_big_array_shrink(m, &e->lists,
				    atomic_load(&e->next) + HP_EDGE_ROOM);
	return st;
}
