/*
 * edges.h - the references of each node: adjacency lists in one array
 *
 * All lists lie in one array of 32-bit words, which several threads fill at the
 * same time. The list of a node consists of its kind, the nodes to which it
 * refers, and END. If a list continues elsewhere, it has CONTINUED instead of
 * END, and two words with the new position. A node without references has no
 * list; its kind is stored instead of the position of its list. Null references
 * and ids that are no node are left out.
 *
 * The references of an instance are in the order of the reference fields of its
 * class. A SKIP word says how many fields are left out before the next
 * reference. So the field of each reference is known. The locals of a thread
 * precede the fields of its thread object, between LOCALS and FIELDS.
 */
#ifndef HP_GRAPH_EDGES_H
#define HP_GRAPH_EDGES_H

#include "common/graph/nodes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
	HP_EDGE_START = 5, /* bytes of the start of a list */
	HP_EDGE_FIRST = 8, /* number of words, see hp_edge_first() */
};

/*
 * Words from HP_EDGE_SKIP on are not nodes. HP_EDGE_SKIP + n means that n
 * references are left out. The largest words are the markers END, CONTINUED,
 * LOCALS and FIELDS.
 */
#define HP_EDGE_SKIP HP_NODES_MAX
#define HP_EDGE_END UINT32_MAX
#define HP_EDGE_CONTINUED (UINT32_MAX - 1)
#define HP_EDGE_LOCALS (UINT32_MAX - 2)
#define HP_EDGE_FIELDS (UINT32_MAX - 3)
#define HP_EDGE_SKIPS_MOST (HP_EDGE_FIELDS - 1 - HP_EDGE_SKIP)

struct hp_edges {
	struct hp_big_array words;
	/* by node: start of its list, HP_EDGE_START bytes for each */
	struct hp_big_array starts;
	/* the first word that no thread has taken */
	_Atomic uint64_t next;
	uint64_t cap;	      /* words of reserved address space */
	pthread_mutex_t lock; /* protects the members below */
	struct hp_big_memory *memory;
	_Atomic uint64_t ready; /* words that are ready for use */
	struct hp_error error;
};

/*
 * The range of words that a thread may write. A zeroed struct is ready for use.
 */
struct hp_edge_writer {
	uint64_t at, end; /* indexes of the next word, and of the end */
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

/* Free the unused memory after all lists have been written. */
void hp_edges_settle(struct hp_edges *e, struct hp_big_memory *m);

/*
 * Give a thread a new range of words. If it had one, the list continues in the
 * new range. Returns false if there are no more words; see hp_edges_error().
 */
bool hp_edges_more(struct hp_edges *e, struct hp_edge_writer *w);

/*
 * Append a word to the current list.
 * Returns: false if there is no room left; see hp_edges_error().
 */
static inline bool
hp_edge_put(struct hp_edges *e, struct hp_edge_writer *w, uint32_t word)
{
	/* three words are reserved for CONTINUED and a position */
	if (HP_UNLIKELY(w->end - w->at <= 3) && !hp_edges_more(e, w))
		return false;
	((uint32_t *)e->words.at)[w->at++] = word;
	return true;
}

/*
 * Record that @n references of the instance are left out. Returns false as
 * hp_edge_put() does.
 */
static inline bool
hp_edge_skip(struct hp_edges *e, struct hp_edge_writer *w, uint32_t n)
{
	for (; HP_UNLIKELY(n > HP_EDGE_SKIPS_MOST); n -= HP_EDGE_SKIPS_MOST)
		if (!hp_edge_put(e, w, HP_EDGE_SKIP + HP_EDGE_SKIPS_MOST))
			return false;
	return hp_edge_put(e, w, HP_EDGE_SKIP + n);
}

/*
 * Begin a list; *@start is its position. Returns false as hp_edge_put() does.
 */
static inline bool
hp_edge_begin(struct hp_edges *e, struct hp_edge_writer *w, uint64_t *start)
{
	if (HP_UNLIKELY(w->end - w->at <= 4) && !hp_edges_more(e, w))
		return false;
	*start = w->at;
	return true;
}

/*
 * End a list, and reserve room so that hp_edge_continue() can extend it at
 * *@end. Returns false as hp_edge_put() does.
 */
static inline bool
hp_edge_end_open(struct hp_edges *e, struct hp_edge_writer *w, uint64_t *end)
{
	if (HP_UNLIKELY(w->end - w->at <= 6) && !hp_edges_more(e, w))
		return false;
	*end = w->at;
	((uint32_t *)e->words.at)[w->at] = HP_EDGE_END;
	w->at += 3;
	return true;
}

/*
 * Read up to HP_EDGE_FIRST nodes from the start of the list at @at, without
 * following CONTINUED. Callers use it to prefetch the data of these nodes.
 * Returns how many there are.
 */
static inline unsigned
hp_edge_first(const uint32_t *words, uint64_t at, uint32_t nodes[HP_EDGE_FIRST])
{
	unsigned n = 0;

	/* words after END or CONTINUED do not belong to this list */
	for (unsigned i = 0; i < HP_EDGE_FIRST; i++) {
		if (words[at + i] >= HP_EDGE_CONTINUED)
			break;
		if (words[at + i] < HP_EDGE_SKIP)
			nodes[n++] = words[at + i];
	}
	return n;
}

/* The position where a list continues that has CONTINUED at @at. */
static inline uint64_t
hp_edge_rest(const uint32_t *words, uint64_t at)
{
	return words[at + 1] | (uint64_t)words[at + 2] << 32;
}

/*
 * Read the next node of the list at *@at, and advance *@at. Returns HP_EDGE_END
 * at the end.
 */
static inline uint32_t
hp_edge_next(const uint32_t *words, uint64_t *at)
{
	uint32_t word = words[*at];

	while (HP_UNLIKELY(word >= HP_EDGE_SKIP)) {
		if (word == HP_EDGE_END)
			return word;
		*at = word == HP_EDGE_CONTINUED ? hp_edge_rest(words, *at)
						: *at + 1;
		word = words[*at];
	}
	++*at;
	return word;
}

/* A reader of the fields of an instance. Initialise it with @at alone. */
struct hp_edge_fields {
	uint64_t at;
	/*
	 * Index of the next field to read, among the reference fields of the
	 * class.
	 */
	uint32_t next;
	bool locals; /* the current words are locals of a thread */
};

/*
 * Read the next field that refers to a node. Returns this node, or HP_EDGE_END
 * at the end. The index of the field is r->next - 1.
 */
static inline uint32_t
hp_edge_next_field(const uint32_t *words, struct hp_edge_fields *r)
{
	uint32_t word;

	while ((word = words[r->at]) >= HP_EDGE_SKIP || r->locals) {
		if (word == HP_EDGE_END)
			return word;
		if (word == HP_EDGE_CONTINUED) {
			r->at = hp_edge_rest(words, r->at);
			continue;
		}
		r->at++;
		if (word == HP_EDGE_LOCALS || word == HP_EDGE_FIELDS)
			r->locals = word == HP_EDGE_LOCALS;
		else if (!r->locals)
			r->next += word - HP_EDGE_SKIP;
	}
	r->at++;
	r->next++;
	return word;
}

/* Make the list that ends at @at continue at @there. Overwrites three words. */
static inline void
hp_edge_continue(struct hp_edges *e, uint64_t at, uint64_t there)
{
	uint32_t *word = (uint32_t *)e->words.at + at;

	word[0] = HP_EDGE_CONTINUED;
	word[1] = (uint32_t)there;
	word[2] = (uint32_t)(there >> 32);
}

/*
 * This bit marks a start that holds a kind, because the node has no list. The
 * start of a node is 0 until its dump has been read.
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
 * Prefetch for hp_edge_kind(): hp_edge_prefetch_start() first, and when that
 * data has arrived, hp_edge_prefetch_list().
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
		__builtin_prefetch((const uint32_t *)e->words.at + start);
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
	*references = start + 1;
	return ((const uint32_t *)e->words.at)[start];
}

#endif
