/*
 * edges.h - the references of all objects of a dump, encoded as one list of
 * bytes for each object
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

/*
 * ----------------------------------------------------------------------
 * The references of each node: adjacency lists in one array
 *
 * A node is the number of an object (see graph.h). Each node has a list of its
 * references. All lists are in one array of bytes, which several threads fill
 * at the same time. A list is a sequence of encoded numbers: the kind of its
 * node (class and size, see graph.h), a code for each reference, and the code
 * END. Nodes are numbered in the order of the objects' addresses, and most
 * objects refer to objects nearby. So the code of a reference stores the
 * difference between the two node numbers, and most codes have one or two
 * bytes.
 *
 * If the rest of a list is at another position of the array, the first part
 * ends with the code CONTINUED instead of END. The eight bytes after CONTINUED
 * are the position of the rest. A node without references has no list; its kind
 * is stored instead of the position of its list. References that are null, and
 * ids of objects that are not in the dump, are left out.
 *
 * The references of an instance are in the order of the reference fields of its
 * class. A SKIP code says how many fields are left out before the next
 * reference. So a reader of the list knows which field has which reference. In
 * the list of a thread object, the local variables of the thread come before
 * the fields, between the codes LOCALS and FIELDS.
 *
 * The elements of an array often were allocated one after the other, but far
 * from the array. So after the code ELEMENTS, the code of each reference stores
 * the difference to the node of the previous reference. The first difference is
 * still to the node of the list.
 */

enum {
	/*
	 * The number of bytes that store the position of the list of one node.
	 */
	HP_EDGE_START = 5,
	/* maximum length in bytes of an encoded number */
	HP_EDGE_NUMBER = 5,
	/*
	 * number of bytes of the code CONTINUED together with the position that
	 * follows it
	 */
	HP_EDGE_CONTINUES = 9,
	/*
	 * A thread writes lists into a range of bytes of its own. If fewer
	 * bytes than this are left in the range, the thread asks for a new one.
	 * The bytes suffice for two numbers, and for the code CONTINUED with
	 * the position that follows it.
	 */
	HP_EDGE_ROOM = 2 * HP_EDGE_NUMBER + HP_EDGE_CONTINUES,
	/*
	 * the position of the first list; the position 0 stands for "no list"
	 */
	HP_EDGE_FIRST_BYTE = 1,
};

/* The codes in a list of references, before they are encoded as bytes. */
enum hp_edge_code {
	HP_EDGE_CODE_END,
	HP_EDGE_CONTINUED,
	HP_EDGE_LOCALS,
	HP_EDGE_FIELDS,
	/* each of the next references is relative to the previous one */
	HP_EDGE_ELEMENTS,
	/*
	 * Like ELEMENTS, but the first reference is relative to node 0. A piece
	 * of a long array begins with this code, because the thread that writes
	 * the piece does not know the references of the earlier pieces.
	 */
	HP_EDGE_MORE_ELEMENTS,
	/*
	 * The next number in the list says how many reference fields are left
	 * out, because they refer to no node.
	 */
	HP_EDGE_SKIP_MANY,
	/*
	 * HP_EDGE_SKIP + n: the next n reference fields are left out, because
	 * they refer to no node
	 */
	HP_EDGE_SKIP = HP_EDGE_SKIP_MANY,
	/*
	 * This and all larger codes are references. The code minus
	 * HP_EDGE_REFERENCE is the difference between the numbers of two nodes,
	 * with the sign in the lowest bit: the node to which the reference
	 * leads, and the node of the list or of the previous reference.
	 */
	HP_EDGE_REFERENCE = 16,
};

/*
 * The value that hp_edge_next() and hp_edge_next_field() return at the end of a
 * list.
 */
#define HP_EDGE_END UINT32_MAX

/*
 * The index of the lists, which hp_edges_sort() makes. It has a block for each
 * HP_EDGE_BLOCK_NODES nodes. A block contains the position of the list of its
 * first node (4 bytes, counted from the first list of a range of HP_EDGE_RANGE
 * nodes), and the length of the list of each node (1 byte).
 */
enum {
	HP_EDGE_BLOCK_NODES = 8, /* so the lengths are one word of 64 bits */
	HP_EDGE_BLOCK = 4 + HP_EDGE_BLOCK_NODES,
	HP_EDGE_RANGE_BITS = 16,
	HP_EDGE_RANGE = 1 << HP_EDGE_RANGE_BITS,
};

struct hp_edges {
	struct hp_big_array lists;
	/*
	 * For each node: the position of its list in the array of all lists, in
	 * HP_EDGE_START bytes. Only used until hp_edges_sort() is called.
	 */
	struct hp_big_array starts;
	/* the index of the lists, after hp_edges_sort() was called */
	struct hp_big_array index;
	/* for each range of nodes: position of the list of its first node */
	uint64_t *ranges;
	/*
	 * All bytes before this position belong to ranges that were given to
	 * threads.
	 */
	_Atomic uint64_t next;
	/* number of bytes of address space that are reserved for all lists */
	uint64_t cap;
	pthread_mutex_t lock; /* protects the members below */
	struct hp_big_memory *memory;
	/*
	 * The first `ready` bytes of the reserved address space for lists may
	 * be used.
	 */
	_Atomic uint64_t ready;
	struct hp_error error;
};

/*
 * The state of a thread that writes lists: the range of bytes that belongs to
 * this thread, and the current list. A zeroed struct has no range yet, and is
 * ready for use.
 */
struct hp_edge_writer {
	/*
	 * The free bytes of the range of this thread: from position `at` to
	 * position `end` - 1.
	 */
	uint64_t at, end;
	/*
	 * The node to which the next reference is relative: the node whose list
	 * the thread writes or, after the code ELEMENTS, the previous reference
	 */
	uint32_t base;
	bool elements; /* the code ELEMENTS was written to this list */
	/*
	 * HP_EDGE_ELEMENTS or HP_EDGE_MORE_ELEMENTS: this code is written
	 * before the next reference, so that a list without references stays
	 * empty. 0: no code waits.
	 */
	uint8_t waiting;
};

/*
 * Make empty lists for @n nodes with up to @references references in total. Up
 * to @threads threads will write the lists.
 * Returns: HP_OK; HP_NOMEM; HP_IO; HP_LIMIT. Ownership: call
 * hp_edges_release(), even after a failure.
 */
HP_MUST_USE enum hp_status hp_edges_init(struct hp_edges *e, uint32_t n,
					 uint64_t references, unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);
void hp_edges_release(struct hp_edges *e, struct hp_big_memory *m);

/* Say how the lists will be read: hp_big_array_expect() describes @use. */
void hp_edges_expect(struct hp_edges *e, enum hp_big_use use);

/*
 * Get the error because of which a function such as hp_edge_put() returned
 * false. Returns: HP_LIMIT; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_edges_error(const struct hp_edges *e,
					  struct hp_error *err);

/**
 * hp_edges_sort() - sort all lists by node, and replace the array `starts` by
 *                   the index
 * @n: number of nodes
 *
 * Call it after all lists were written. Only then may hp_edge_kind() be called.
 * Parts of a list are joined. A list without references becomes a node without
 * references.
 * Memory: while the function runs, 1.5 bytes for each node, and the lists exist
 *         twice. Afterwards, 1.5 bytes for each node, and the lists
 * Returns: HP_OK; HP_NOMEM; HP_IO; HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_edges_sort(struct hp_edges *e, uint32_t n,
					 unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);

/*
 * Make sure that the first @bytes bytes of the array with all lists can be
 * used. Returns false if there is no memory; see hp_edges_error(). Thread-safe.
 */
bool hp_edges_make_ready(struct hp_edges *e, uint64_t bytes);

/*
 * Give the thread with the writer @w a new range of bytes. If the thread
 * already had a range, its current list continues in the new range. Returns
 * false if no more bytes can be reserved; see hp_edges_error().
 */
bool hp_edges_more(struct hp_edges *e, struct hp_edge_writer *w);

/*
 * Encode a number below 2^35 in one to five bytes. The position of the lowest
 * bit that is set in the first byte says how many bytes follow.
 */
static inline unsigned
hp_edge_number_bytes(uint64_t number)
{
	return (64 - (unsigned)__builtin_clzll(number | 1) + 6) / 7;
}

/* Returns the encoded number: the first byte is in the lowest bits. */
static inline uint64_t
hp_edge_encoded(uint64_t number)
{
	return (number << 1 | 1) << (hp_edge_number_bytes(number) - 1);
}

/*
 * Append an encoded number to the list that the thread writes. The function
 * always writes eight bytes, so at least eight bytes of the range must be free.
 */
static inline void
hp_edge_encode(struct hp_edges *e, struct hp_edge_writer *w, uint64_t number)
{
	hp_put_le8((uint8_t *)e->lists.at + w->at, hp_edge_encoded(number));
	w->at += hp_edge_number_bytes(number);
}

/*
 * Decode the number at position *@at, and advance *@at to the next number. The
 * function always reads eight bytes. That is safe, because at the end of each
 * list there is room for the code CONTINUED and a position.
 */
static inline uint64_t
hp_edge_decode(const uint8_t *lists, uint64_t *at)
{
	uint64_t word = hp_le8(lists + *at);
	unsigned n;

	/* stop at bit 7, so that n is at most 8 even in a damaged list */
	n = (unsigned)__builtin_ctzll(word | UINT64_C(1) << 7) + 1;
	*at += n;
	return word << (64 - 8 * n) >> (64 - 7 * n);
}

/*
 * Append a code (other than a reference) to the list that the thread writes.
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
 * Append a reference to the node @to to the list that the thread writes.
 * Returns false if there is no room left.
 */
static inline bool
hp_edge_put(struct hp_edges *e, struct hp_edge_writer *w, uint32_t to)
{
	int64_t difference;

	if (HP_UNLIKELY(w->end - w->at < HP_EDGE_ROOM) && !hp_edges_more(e, w))
		return false;
	if (w->waiting != 0) {
		hp_edge_encode(e, w, w->waiting);
		if (w->waiting == HP_EDGE_MORE_ELEMENTS)
			w->base = 0;
		w->elements = true;
		w->waiting = 0;
	}
	difference = (int64_t)to - w->base;
	hp_edge_encode(e, w,
		       HP_EDGE_REFERENCE + ((uint64_t)difference << 1 ^
					    (difference < 0 ? UINT64_MAX : 0)));
	if (w->elements)
		w->base = to;
	return true;
}

/*
 * From here on, store each reference of the list relative to the previous one.
 * @code: HP_EDGE_ELEMENTS or HP_EDGE_MORE_ELEMENTS
 */
static inline void
hp_edge_begin_elements(struct hp_edge_writer *w, enum hp_edge_code code)
{
	w->waiting = (uint8_t)code;
}

/*
 * Record in the list that the next @n reference fields of the instance refer to
 * no node: they are null or invalid. Returns false if there is no room left;
 * see hp_edges_error().
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
 * Begin the list of references of @node, or another part of this list. *@start
 * receives its position. Returns false if there is no room left; see
 * hp_edges_error().
 */
static inline bool
hp_edge_begin(struct hp_edges *e, struct hp_edge_writer *w, uint32_t node,
	      uint64_t *start)
{
	if (HP_UNLIKELY(w->end - w->at < HP_EDGE_ROOM + HP_EDGE_NUMBER) &&
	    !hp_edges_more(e, w))
		return false;
	w->base = node;
	w->elements = false;
	w->waiting = 0;
	*start = w->at;
	return true;
}

/*
 * Begin the list of @node with the number of the node's kind. *@start receives
 * the position of the list. Returns false if there is no room left; see
 * hp_edges_error().
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
 * End a list to which hp_edge_continue() may append another part later. *@end
 * receives the position of the end of the list. The function leaves the room at
 * *@end that hp_edge_continue() needs. Returns false if there is not enough
 * room; see hp_edges_error().
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

/* Whether the byte at position @at is the code END. */
static inline bool
hp_edge_at_end(const uint8_t *lists, uint64_t at)
{
	/* the code END, as hp_edge_encode() encodes it */
	return lists[at] == (HP_EDGE_CODE_END << 1 | 1);
}

/*
 * Returns the node to which a reference leads. @code: the code of the
 * reference. @base: the node to which the reference is relative.
 */
static inline uint32_t
hp_edge_target(uint32_t base, uint64_t code)
{
	code -= HP_EDGE_REFERENCE;
	return base + (uint32_t)(code >> 1 ^ -(code & 1));
}

/*
 * Returns the position at which a list continues. @at: the position right after
 * the code CONTINUED.
 */
static inline uint64_t
hp_edge_rest(const uint8_t *lists, uint64_t at)
{
	uint64_t rest;

	memcpy(&rest, lists + at, sizeof(rest));
	return rest;
}

/*
 * The state of reading a list of references. The caller sets `base` to the node
 * of the list, and sets `at` to the position of the first reference.
 */
struct hp_edge_reader {
	uint64_t at;
	/*
	 * The node to which the next reference is relative: the node of the
	 * list or, after the code ELEMENTS, the previous reference
	 */
	uint32_t base;
	/*
	 * For hp_edge_next_field(): index of the next field to read, among the
	 * reference fields of the class
	 */
	uint32_t next;
	/*
	 * For hp_edge_next_field(): the reader is between the codes LOCALS and
	 * FIELDS, so the next references are local variables of a thread, not
	 * fields.
	 */
	bool locals;
	bool elements; /* the code ELEMENTS was read */
};

/* Decode a reference. @code: the code of the reference. */
static inline uint32_t
hp_edge_follow(struct hp_edge_reader *r, uint64_t code)
{
	uint32_t to = hp_edge_target(r->base, code);

	r->base = r->elements ? to : r->base;
	return to;
}

/*
 * Handle a code that is the same in all lists, after it was read: neither END
 * nor a reference.
 */
static inline void
hp_edge_read_code(const uint8_t *lists, struct hp_edge_reader *r, uint64_t code)
{
	if (code == HP_EDGE_CONTINUED) {
		r->at = hp_edge_rest(lists, r->at);
	} else if (code == HP_EDGE_ELEMENTS) {
		r->elements = true;
	} else if (code == HP_EDGE_MORE_ELEMENTS) {
		r->elements = true;
		r->base = 0;
	}
}

/*
 * Read the next node to which the node of the list refers. At the end of the
 * list, returns HP_EDGE_END and does not advance r->at.
 */
static inline uint32_t
hp_edge_next(const uint8_t *lists, struct hp_edge_reader *r)
{
	for (;;) {
		uint64_t code = hp_edge_decode(lists, &r->at);

		if (HP_LIKELY(code >= HP_EDGE_REFERENCE))
			return hp_edge_follow(r, code);
		if (code == HP_EDGE_CODE_END) {
			r->at--;
			return HP_EDGE_END;
		}
		if (code == HP_EDGE_SKIP_MANY)
			hp_edge_decode(lists, &r->at);
		else
			hp_edge_read_code(lists, r, code);
	}
}

/*
 * Read the next field that refers to a node. Returns this node, or HP_EDGE_END
 * at the end. Afterwards, r->next - 1 is the index of the field.
 */
static inline uint32_t
hp_edge_next_field(const uint8_t *lists, struct hp_edge_reader *r)
{
	for (;;) {
		uint64_t code = hp_edge_decode(lists, &r->at);

		if (HP_LIKELY(code >= HP_EDGE_REFERENCE)) {
			if (HP_UNLIKELY(r->locals))
				continue;
			r->next++;
			return hp_edge_follow(r, code);
		}
		if (code == HP_EDGE_CODE_END) {
			r->at--;
			return HP_EDGE_END;
		}
		if (code == HP_EDGE_SKIP_MANY)
			r->next += (uint32_t)hp_edge_decode(lists, &r->at);
		else if (code > HP_EDGE_SKIP)
			r->next += (uint32_t)code - HP_EDGE_SKIP;
		else if (code == HP_EDGE_LOCALS || code == HP_EDGE_FIELDS)
			r->locals = code == HP_EDGE_LOCALS;
		else
			hp_edge_read_code(lists, r, code);
	}
}

/*
 * Connect two parts of a list: the part that ends at position @at continues at
 * position @there. Writes HP_EDGE_CONTINUES bytes at @at; hp_edge_end_open()
 * has left room for them.
 */
static inline void
hp_edge_continue(struct hp_edges *e, uint64_t at, uint64_t there)
{
	struct hp_edge_writer w = {.at = at};

	hp_edge_encode(e, &w, HP_EDGE_CONTINUED);
	memcpy((uint8_t *)e->lists.at + w.at, &there, sizeof(there));
}

/*
 * If a node has no references, it has no list. The array `starts` then stores
 * the kind of the node with this bit set, instead of the position of a list.
 * The entry of a node is 0 until its object has been read.
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

/* Returns the number of ranges of @n nodes. */
static inline uint64_t
hp_edge_ranges(uint64_t n)
{
	return (n + HP_EDGE_RANGE - 1) / HP_EDGE_RANGE;
}

/* Returns the offset in the index of the block of @node. */
static inline uint64_t
hp_edge_block(uint64_t node)
{
	return node / HP_EDGE_BLOCK_NODES * HP_EDGE_BLOCK;
}

/*
 * Returns the position of the list of @node. *@bytes receives its length. The
 * lengths of the lists before it in its block are added in four pairs at once,
 * in the 16-bit parts of a word.
 */
static inline uint64_t
hp_edge_list(const struct hp_edges *e, uint32_t node, unsigned *bytes)
{
	const uint64_t low = UINT64_C(0x00FF00FF00FF00FF);
	const uint64_t ones = UINT64_C(0x0001000100010001);
	const uint8_t *block =
		(const uint8_t *)e->index.at + hp_edge_block(node);
	unsigned shift = node % HP_EDGE_BLOCK_NODES * 8;
	uint64_t lengths = hp_le8(block + 4);
	uint64_t before = lengths & ((UINT64_C(1) << shift) - 1);

	*bytes = (uint8_t)(lengths >> shift);
	before = (before & low) + (before >> 8 & low);
	return e->ranges[node >> HP_EDGE_RANGE_BITS] + hp_le4(block) +
	       (before * ones >> 48);
}

/*
 * Prefetch the data that hp_edge_kind() reads, in two steps. Call
 * hp_edge_prefetch_start() first. When the data that it requests has arrived in
 * the cache, call hp_edge_prefetch_list().
 */
HP_HOT void
hp_edge_prefetch_start(const struct hp_edges *e, uint32_t node)
{
	__builtin_prefetch((const uint8_t *)e->index.at + hp_edge_block(node));
}

HP_HOT void
hp_edge_prefetch_list(const struct hp_edges *e, uint32_t node)
{
	unsigned bytes;

	__builtin_prefetch((const uint8_t *)e->lists.at +
			   hp_edge_list(e, node, &bytes));
}

/*
 * Returns the number of the kind of @node. *@references receives the position
 * of the node's first reference, or 0 if it has none. Call it after
 * hp_edges_sort().
 */
static inline uint32_t
hp_edge_kind(const struct hp_edges *e, uint32_t node, uint64_t *references)
{
	unsigned bytes;
	uint64_t start = hp_edge_list(e, node, &bytes), at = start;
	uint32_t kind;

	*references = 0;
	if (bytes == 0)
		return 0;
	kind = (uint32_t)hp_edge_decode(e->lists.at, &at);
	if (at - start < bytes)
		*references = at;
	return kind;
}

/* Like hp_edge_kind(), but for lists that are not sorted yet. */
static inline uint32_t
hp_edge_unsorted_kind(const struct hp_edges *e, uint32_t node,
		      uint64_t *references)
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
