/*
 * edges.h - who refers to whom: a list of numbers for each node
 *
 * All lists lie in one array of 32-bit words, which several threads fill at
 * once: a node's list is its kind, the nodes that it refers to, and END. A list
 * that goes on elsewhere has CONTINUED instead and two words that say where. A
 * node without references has no list; its kind stands in place of where the
 * list begins. Null and what names no node are left out.
 *
 * An instance's references are in the order of its class's, and a SKIP word
 * says how many of these are left out in front of the next one, so that each
 * reference's field is known. What a thread's stack holds stands in front of
 * its object's fields, between LOCALS and FIELDS.
 */
#ifndef HP_GRAPH_EDGES_H
#define HP_GRAPH_EDGES_H

#include "common/graph/nodes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
	HP_EDGE_START = 5, /* bytes that say where a list begins */
	HP_EDGE_FIRST = 8, /* words, see hp_edge_first() */
};

/* Words from here on are no nodes: SKIP and how many, or one of these. */
#define HP_EDGE_SKIP HP_NODES_MAX
#define HP_EDGE_END UINT32_MAX
#define HP_EDGE_CONTINUED (UINT32_MAX - 1)
#define HP_EDGE_LOCALS (UINT32_MAX - 2)
#define HP_EDGE_FIELDS (UINT32_MAX - 3)
#define HP_EDGE_SKIPS_MOST (HP_EDGE_FIELDS - 1 - HP_EDGE_SKIP)

struct hp_edges {
	struct hp_big_array words;
	struct hp_big_array starts; /* by node, HP_EDGE_START bytes each */
	_Atomic uint64_t next;	    /* the first word that nobody has */
	uint64_t cap;		    /* words that there are addresses for */
	pthread_mutex_t lock;	    /* of what follows */
	struct hp_big_memory *memory;
	_Atomic uint64_t ready; /* words that may be written to */
	struct hp_error error;
};

/* Where a thread writes. A zeroed one is ready. */
struct hp_edge_writer {
	uint64_t at, end; /* words that it has for itself */
};

/*
 * For @n nodes and @references between them, in @threads. HP_OK; HP_NOMEM;
 * HP_IO; HP_LIMIT. Release them in any case.
 */
HP_MUST_USE enum hp_status hp_edges_init(struct hp_edges *e, uint32_t n,
					 uint64_t references, unsigned threads,
					 struct hp_big_memory *m,
					 struct hp_error *err);
void hp_edges_release(struct hp_edges *e, struct hp_big_memory *m);

/* What hp_edge_put() and the like have met: HP_LIMIT, HP_NOMEM, HP_IO. */
HP_MUST_USE enum hp_status hp_edges_error(const struct hp_edges *e,
					  struct hp_error *err);

/* All lists are written: what was not needed is given back. */
void hp_edges_settle(struct hp_edges *e, struct hp_big_memory *m);

/* More words for a thread, which go on where those before end. */
bool hp_edges_more(struct hp_edges *e, struct hp_edge_writer *w);

/*
 * Write a word of the list under way.
 * Returns: false: there is no room left; see hp_edges_error().
 */
static inline bool
hp_edge_put(struct hp_edges *e, struct hp_edge_writer *w, uint32_t word)
{
	/* three words are kept for going on elsewhere */
	if (HP_UNLIKELY(w->end - w->at <= 3) && !hp_edges_more(e, w))
		return false;
	((uint32_t *)e->words.at)[w->at++] = word;
	return true;
}

/* Say that @n references of the instance are left out. False as above. */
static inline bool
hp_edge_skip(struct hp_edges *e, struct hp_edge_writer *w, uint32_t n)
{
	for (; HP_UNLIKELY(n > HP_EDGE_SKIPS_MOST); n -= HP_EDGE_SKIPS_MOST)
		if (!hp_edge_put(e, w, HP_EDGE_SKIP + HP_EDGE_SKIPS_MOST))
			return false;
	return hp_edge_put(e, w, HP_EDGE_SKIP + n);
}

/* Begin a list. False as above. */
static inline bool
hp_edge_begin(struct hp_edges *e, struct hp_edge_writer *w, uint64_t *start)
{
	if (HP_UNLIKELY(w->end - w->at <= 4) && !hp_edges_more(e, w))
		return false;
	*start = w->at;
	return true;
}

/* End a list that may have to go on elsewhere. */
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
 * The first nodes of the list at @at that stand side by side, for fetching what
 * they lead to: as many as are returned, HP_EDGE_FIRST at most.
 */
static inline unsigned
hp_edge_first(const uint32_t *words, uint64_t at, uint32_t nodes[HP_EDGE_FIRST])
{
	unsigned n = 0;

	/* nothing behind the end of a list is its own */
	for (unsigned i = 0; i < HP_EDGE_FIRST; i++) {
		if (words[at + i] >= HP_EDGE_CONTINUED)
			break;
		if (words[at + i] < HP_EDGE_SKIP)
			nodes[n++] = words[at + i];
	}
	return n;
}

/* Where a list goes on that has CONTINUED at @at. */
static inline uint64_t
hp_edge_rest(const uint32_t *words, uint64_t at)
{
	return words[at + 1] | (uint64_t)words[at + 2] << 32;
}

/* The next node of the list at *@at, which moves on; HP_EDGE_END. */
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

/* A reader of an instance's fields: begins with @at alone. */
struct hp_edge_fields {
	uint64_t at;
	uint32_t next; /* the field behind that which was read last, as an index
			  of the class's references */
	bool locals;   /* what is at hand is on a thread's stack */
};

/* The node that the next field names, of those that name one; HP_EDGE_END. */
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

/* Have the list at @at go on at @there. Its three words are there. */
static inline void
hp_edge_continue(struct hp_edges *e, uint64_t at, uint64_t there)
{
	uint32_t *word = (uint32_t *)e->words.at + at;

	word[0] = HP_EDGE_CONTINUED;
	word[1] = (uint32_t)there;
	word[2] = (uint32_t)(there >> 32);
}

/* What stands for a node: where its list begins, or its kind. 0: nothing. */
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

/* Fetch what hp_edge_kind() looks at first, and when that is there the rest. */
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

/* The kind of a node, and where its references begin; 0: it has none. */
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
