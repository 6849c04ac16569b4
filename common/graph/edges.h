/*
 * edges.h - the references of all objects, as lists of bytes
 */
#ifndef HP_GRAPH_EDGES_H
#define HP_GRAPH_EDGES_H

#include "common/base/bytes.h"
#include "common/base/status.h"
#include "common/graph/big_array.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ----------------------------------------------------------------------
 * The references of each node: adjacency lists in one array
 *
 * All lists lie in one array of bytes, which several threads fill at the same
 * time. A list is a sequence of numbers: the kind of its node, a code for each
 * reference, and END. Nodes have the order of their addresses, and most objects
 * refer to objects nearby. So a code stores the difference between the two
 * nodes, and most codes have one or two bytes.
 *
 * If a list continues elsewhere, it has CONTINUED instead of END, and eight
 * bytes with the new position. A node without references has no list; its kind
 * is stored instead of the position of its list. Null references and ids that
 * are no node are left out.
 *
 * The references of an instance are in the order of the reference fields of its
 * class. A SKIP code says how many fields are left out before the next
 * reference. So the field of each reference is known. The locals of a thread
 * precede the fields of its thread object, between LOCALS and FIELDS.
 */

enum {
	/* bytes that store the position where a list starts */
	HP_EDGE_START = 5,
	/* maximum number of nodes that hp_edge_first() reads */
	HP_EDGE_FIRST = 8,
	/* maximum bytes of an encoded number */
	HP_EDGE_NUMBER = 5,
	/* bytes of CONTINUED and of the position after it */
	HP_EDGE_CONTINUES = 9,
	/*
	 * a thread asks for a new range if fewer bytes are left than two
	 * numbers and CONTINUED need
	 */
	HP_EDGE_ROOM = 2 * HP_EDGE_NUMBER + HP_EDGE_CONTINUES,
};

/* The codes in a list, before they are encoded as bytes. */
enum hp_edge_code {
	HP_EDGE_CODE_END,
	HP_EDGE_CONTINUED,
	HP_EDGE_LOCALS,
	HP_EDGE_FIELDS,
	/* the number of fields that are left out follows */
	HP_EDGE_SKIP_MANY,
	/* HP_EDGE_SKIP + n: n fields are left out */
	HP_EDGE_SKIP = HP_EDGE_SKIP_MANY,
	/*
	 * from here on a reference: the difference of the nodes, with its sign
	 * in the lowest bit
	 */
	HP_EDGE_REFERENCE = 16,
};

/* hp_edge_next() and hp_edge_next_field() return it at the end of a list. */
#define HP_EDGE_END UINT32_MAX

struct hp_edges {
	struct hp_big_array lists;
	/* for each node: where its list starts, in HP_EDGE_START bytes */
	struct hp_big_array starts;
	/* position of the first byte that no thread may write yet */
	_Atomic uint64_t next;
	uint64_t cap;	      /* bytes of reserved address space */
	pthread_mutex_t lock; /* protects the members below */
	struct hp_big_memory *memory;
	_Atomic uint64_t ready; /* bytes that may be used now */
	struct hp_error error;
};

/*
 * The range of bytes that one thread may write. A zeroed struct has no bytes
 * yet, and is ready for use.
 */
struct hp_edge_writer {
	/* positions of the next free byte, and of the end of the range */
	uint64_t at, end;
	uint32_t node; /* the node to which the list belongs */
};

/*
 * Prepare lists for @n nodes with up to @references references, to be written
 * by @threads threads.
 * Returns: HP_OK; HP_NOMEM; HP_IO; HP_LIMIT.
 * Ownership: call hp_edges_release() in any case.
 */
HP_MUST_USE enum hp_status hp_edges_init(struct hp_edges *e, uint32_t n,
					 uint64_t references, unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);
void hp_edges_release(struct hp_edges *e, struct hp_big_memory *m);

/*
 * Report why a function such as hp_edge_put() returned false. Returns:
 * HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_edges_error(const struct hp_edges *e,
					  struct hp_error *err);

/* Free the memory that no list uses, after all lists have been written. */
void hp_edges_settle(struct hp_edges *e, struct hp_big_memory *m);

/*
 * Give a thread a new range of bytes. If it had one, the list continues in the
 * new range. Returns false if there are no more bytes; see hp_edges_error().
 */
bool hp_edges_more(struct hp_edges *e, struct hp_edge_writer *w);

/*
 * Encode a number below 2^35 in one to five bytes. The position of the lowest
 * bit that is set in the first byte says how many bytes follow. Overwrites
 * eight bytes, for which there must be room.
 */
static inline void
hp_edge_encode(struct hp_edges *e, struct hp_edge_writer *w, uint64_t number)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(number | 1);
	unsigned n = (bits + 6) / 7;

	hp_put_le8((uint8_t *)e->lists.at + w->at, (number << 1 | 1)
							   << (n - 1));
	w->at += n;
}

/*
 * Read the number at *@at, and advance *@at. Reads eight bytes, which exist
 * after each code: there is room for CONTINUED.
 */
static inline uint64_t
hp_edge_decode(const uint8_t *lists, uint64_t *at)
{
	uint64_t word = hp_le8(lists + *at);
	unsigned n;

	/* the highest bit is set, so that a damaged list is no endless loop */
	n = (unsigned)__builtin_ctzll(word | UINT64_C(1) << 7) + 1;
	*at += n;
	return word << (64 - 8 * n) >> (64 - 7 * n);
}

/*
 * Append a code that is no reference to the list that the thread writes.
 * Returns false if there is no room left; see hp_edges_error().
 */
static inline bool
hp_edge_put_code(struct hp_edges *e, struct hp_edge_writer *w,
		 enum hp_edge_code code)
{
	if (HP_UNLIKELY(w->end - w->at < HP_EDGE_ROOM) && !hp_edges_more(e, w))
		return false;
	hp_edge_encode(e, w, code);
	return true;
}

/*
 * Append a reference to the list that the thread writes. Returns false if there
 * is no room left, as hp_edge_put_code() does.
 */
static inline bool
hp_edge_put(struct hp_edges *e, struct hp_edge_writer *w, uint32_t to)
{
	int64_t difference = (int64_t)to - w->node;

	if (HP_UNLIKELY(w->end - w->at < HP_EDGE_ROOM) && !hp_edges_more(e, w))
		return false;
	hp_edge_encode(e, w,
		       HP_EDGE_REFERENCE + ((uint64_t)difference << 1 ^
					    (difference < 0 ? UINT64_MAX : 0)));
	return true;
}

/*
 * Record that the next @n reference fields of the instance have no node.
 * Returns false if there is no room left, as hp_edge_put_code() does.
 */
static inline bool
hp_edge_skip(struct hp_edges *e, struct hp_edge_writer *w, uint32_t n)
{
	if (HP_UNLIKELY(w->end - w->at < HP_EDGE_ROOM) && !hp_edges_more(e, w))
		return false;
	if (HP_LIKELY(n > 0 && n < HP_EDGE_REFERENCE - HP_EDGE_SKIP)) {
		hp_edge_encode(e, w, HP_EDGE_SKIP + n);
		return true;
	}
	hp_edge_encode(e, w, HP_EDGE_SKIP_MANY);
	hp_edge_encode(e, w, n);
	return true;
}

/*
 * Begin a list of references of @node, or a part of it. *@start receives its
 * position. Returns false if there is no room left, as hp_edge_put_code() does.
 */
static inline bool
hp_edge_begin(struct hp_edges *e, struct hp_edge_writer *w, uint32_t node,
	      uint64_t *start)
{
	if (HP_UNLIKELY(w->end - w->at < HP_EDGE_ROOM + HP_EDGE_NUMBER) &&
	    !hp_edges_more(e, w))
		return false;
	w->node = node;
	*start = w->at;
	return true;
}

/*
 * Begin the list of @node, with its kind. *@start receives its position.
 * Returns false if there is no room left, as hp_edge_put_code() does.
 */
static inline bool
hp_edge_begin_node(struct hp_edges *e, struct hp_edge_writer *w, uint32_t node,
		   uint32_t kind, uint64_t *start)
{
	if (!hp_edge_begin(e, w, node, start))
		return false;
	hp_edge_encode(e, w, kind);
	return true;
}

/*
 * End a list, and reserve room so that hp_edge_continue() can extend it at
 * *@end. Returns false if there is no room left, as hp_edge_put_code() does.
 */
static inline bool
hp_edge_end_open(struct hp_edges *e, struct hp_edge_writer *w, uint64_t *end)
{
	if (HP_UNLIKELY(w->end - w->at < 2 * HP_EDGE_CONTINUES) &&
	    !hp_edges_more(e, w))
		return false;
	*end = w->at;
	hp_edge_encode(e, w, HP_EDGE_CODE_END);
	w->at = *end + HP_EDGE_CONTINUES;
	return true;
}

/* Whether the list ends at @at. */
static inline bool
hp_edge_at_end(const uint8_t *lists, uint64_t at)
{
	/* END as a byte */
	return lists[at] == (HP_EDGE_CODE_END << 1 | 1);
}

/* The node that the reference @code from the node @from leads to. */
static inline uint32_t
hp_edge_target(uint32_t from, uint64_t code)
{
	code -= HP_EDGE_REFERENCE;
	return from + (uint32_t)(code >> 1 ^ -(code & 1));
}

/* The position where a list continues; @at is right after CONTINUED. */
static inline uint64_t
hp_edge_rest(const uint8_t *lists, uint64_t at)
{
	uint64_t rest;

	memcpy(&rest, lists + at, sizeof(rest));
	return rest;
}

/*
 * Read up to HP_EDGE_FIRST nodes from the start of the list of @from at @at,
 * without following CONTINUED. Callers use it to prefetch the data of these
 * nodes. Returns how many there are.
 */
static inline unsigned
hp_edge_first(const uint8_t *lists, uint32_t from, uint64_t at,
	      uint32_t nodes[HP_EDGE_FIRST])
{
	unsigned n = 0;

	while (n < HP_EDGE_FIRST) {
		uint64_t code = hp_edge_decode(lists, &at);

		if (code >= HP_EDGE_REFERENCE)
			nodes[n++] = hp_edge_target(from, code);
		else if (code <= HP_EDGE_CONTINUED)
			break;
		else if (code == HP_EDGE_SKIP_MANY)
			hp_edge_decode(lists, &at);
	}
	return n;
}

/*
 * Read the next node of the list of @from at *@at, and advance *@at. Returns
 * HP_EDGE_END at the end, and leaves *@at there.
 */
static inline uint32_t
hp_edge_next(const uint8_t *lists, uint32_t from, uint64_t *at)
{
	for (;;) {
		uint64_t code = hp_edge_decode(lists, at);

		if (HP_LIKELY(code >= HP_EDGE_REFERENCE))
			return hp_edge_target(from, code);
		if (code == HP_EDGE_CODE_END) {
			--*at;
			return HP_EDGE_END;
		}
		if (code == HP_EDGE_CONTINUED)
			*at = hp_edge_rest(lists, *at);
		else if (code == HP_EDGE_SKIP_MANY)
			hp_edge_decode(lists, at);
	}
}

/* A reader of the fields of an instance. Initialise it with @from and @at. */
struct hp_edge_fields {
	uint64_t at;
	uint32_t from; /* the node of the instance */
	/*
	 * Index of the next field to read, among the reference fields of the
	 * class.
	 */
	uint32_t next;
	/* the next codes are the local variables of a thread, not fields */
	bool locals;
};

/*
 * Read the next field that refers to a node. Returns this node, or HP_EDGE_END
 * at the end. The index of the field is r->next - 1.
 */
static inline uint32_t
hp_edge_next_field(const uint8_t *lists, struct hp_edge_fields *r)
{
	for (;;) {
		uint64_t code = hp_edge_decode(lists, &r->at);

		if (HP_LIKELY(code >= HP_EDGE_REFERENCE)) {
			if (HP_UNLIKELY(r->locals))
				continue;
			r->next++;
			return hp_edge_target(r->from, code);
		}
		if (code == HP_EDGE_CODE_END) {
			r->at--;
			return HP_EDGE_END;
		}
		if (code == HP_EDGE_CONTINUED)
			r->at = hp_edge_rest(lists, r->at);
		else if (code <= HP_EDGE_FIELDS)
			r->locals = code == HP_EDGE_LOCALS;
		else if (code == HP_EDGE_SKIP_MANY)
			r->next += (uint32_t)hp_edge_decode(lists, &r->at);
		else
			r->next += (uint32_t)code - HP_EDGE_SKIP;
	}
}

/*
 * Make the list that ends at @at continue at @there. Overwrites
 * HP_EDGE_CONTINUES bytes.
 */
static inline void
hp_edge_continue(struct hp_edges *e, uint64_t at, uint64_t there)
{
	struct hp_edge_writer w = {.at = at};

	hp_edge_encode(e, &w, HP_EDGE_CONTINUED);
	memcpy((uint8_t *)e->lists.at + w.at, &there, sizeof(there));
}

/*
 * This bit marks a start that holds the kind of the node, because the node has
 * no list. The start of a node is 0 until its dump has been read.
 */
#define HP_EDGE_NO_LIST (UINT64_C(1) << 39)

static inline uint64_t
hp_edge_start(const uint8_t *starts, uint32_t node)
{
	const uint8_t *p = starts + (uint64_t)node * HP_EDGE_START;
	uint32_t low;

	memcpy(&low, p, sizeof(low));
	return low | (uint64_t)p[4] << 32;
}

static inline void
hp_edge_set_start(uint8_t *starts, uint32_t node, uint64_t start)
{
	uint8_t *p = starts + (uint64_t)node * HP_EDGE_START;
	uint32_t low = (uint32_t)start;

	memcpy(p, &low, sizeof(low));
	p[4] = (uint8_t)(start >> 32);
}

/*
 * Prefetch what hp_edge_kind() reads: hp_edge_prefetch_start() first, and when
 * that data has arrived, hp_edge_prefetch_list().
 */
HP_HOT void
hp_edge_prefetch_start(const struct hp_edges *e, uint32_t node)
{
	__builtin_prefetch((const uint8_t *)e->starts.at +
			   (uint64_t)node * HP_EDGE_START);
}

HP_HOT void
hp_edge_prefetch_list(const struct hp_edges *e, uint32_t node)
{
	uint64_t start = hp_edge_start(e->starts.at, node);

	if (!(start & HP_EDGE_NO_LIST))
		__builtin_prefetch((const uint8_t *)e->lists.at + start);
}

/*
 * Returns the kind of a node. *@references is the position of its first
 * reference, or 0 if it has none.
 */
static inline uint32_t
hp_edge_kind(const struct hp_edges *e, uint32_t node, uint64_t *references)
{
	uint64_t start = hp_edge_start(e->starts.at, node);

	if (start & HP_EDGE_NO_LIST || start == 0) {
		*references = 0;
		return (uint32_t)start;
	}
	*references = start;
	return (uint32_t)hp_edge_decode(e->lists.at, references);
}

#endif
