/*
 * graph_reach.h - who refers to whom, and what can be reached
 *
 * Objects are numbers here, see common/model/id_ranks.h.
 */
#ifndef HP_VALIDATE_REFERENCES_GRAPH_REACH_H
#define HP_VALIDATE_REFERENCES_GRAPH_REACH_H

#include "common/base/arena.h"
#include "common/base/status.h"

/* As the number of what is no object. */
#define HP_NO_OBJECT UINT32_MAX

/* Some of what an object refers to. */
struct hp_edges {
	struct hp_edges *next; /* more of the same object */
	uint32_t count;
	uint32_t to[];
};

struct hp_reach {
	struct hp_edges *_Atomic *edges; /* by object */
	uint64_t *reached;		 /* a bit an object */
	uint32_t *waiting; /* all that were reached, in the order of that */
	size_t nreached;
};

/* Bytes that an object takes, not counting its edges; rounded up. */
enum { HP_REACH_BYTES = 13 };

/* For @count objects. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_reach_init(struct hp_reach *g, uint32_t count,
					 struct hp_error *err);
void hp_reach_release(struct hp_reach *g);

/**
 * hp_reach_add() - @from refers to these, too
 * @arena: of the calling thread; has the edges until the end
 *
 * Any thread. Returns: false without memory.
 */
HP_MUST_USE bool hp_reach_add(struct hp_reach *g, struct hp_arena *arena,
			      uint32_t from, const uint32_t *to, size_t n);

/* The object is reached. One thread. */
static inline void
hp_reach_mark(struct hp_reach *g, uint32_t object)
{
	uint64_t mask = 1ull << (object & 63);

	if (g->reached[object >> 6] & mask)
		return;
	g->reached[object >> 6] |= mask;
	g->waiting[g->nreached++] = object;
}

static inline bool
hp_reach_is_reached(const struct hp_reach *g, uint32_t object)
{
	return g->reached[object >> 6] >> (object & 63) & 1;
}

/* One more object that an object refers to; HP_NO_OBJECT: none. Any thread. */
typedef uint32_t hp_reach_also(const void *ctx, uint32_t object);

/**
 * hp_reach_follow() - mark all that marked ones refer to, and so on
 *
 * On @threads where many objects wait to be gone through at once.
 * Returns: HP_OK; HP_NOMEM; HP_IO: a thread cannot be started.
 */
HP_MUST_USE enum hp_status hp_reach_follow(struct hp_reach *g,
					   hp_reach_also *also, const void *ctx,
					   unsigned threads,
					   struct hp_error *err);

#endif
