/*
 * walk.h - the state of the search for shortest paths
 */
#ifndef HP_DIFF_PATHS_WALK_H
#define HP_DIFF_PATHS_WALK_H

#include "common/base/vec.h"
#include "diff/paths/internal.h"
#include "diff/paths/path_level.h"
#include "diff/paths/path_texts.h"

enum {
	/*
	 * a further thread is used for each so many objects that are to be
	 * handled
	 */
	HP_PATH_WIDE = 2048,
	/* number of objects that a thread takes at a time */
	HP_PATH_SHARE = 256,
	/* number of locks for comparing references to the same object */
	HP_PATH_LOCKS = 256,
	HP_STEP_CACHE = 1024,
};

/*
 * A step that a path may have: the step above it, the reference, and the row
 * of the name of the class. In references to elements of an array, the label is
 * HP_LABEL_ELEMENT.
 */
struct hp_step_key {
	uint32_t above, label, row;
};

/* A step that does not exist, and an object that needs it. */
struct hp_step_fresh {
	struct hp_step_key key;
	uint32_t candidate; /* its index */
};

/* A step that a thread has looked up. */
struct hp_step_cached {
	struct hp_step_key key;
	uint32_t step; /* 0: the step did not exist in the round `round` */
	uint32_t round;
};

struct hp_walk {
	struct hp_path_walk *out;
	const struct hp_graph *g;
	struct hp_path_tree *tree;
	struct hp_path_wanted wanted;
	/*
	 * only with --why: number of objects at the beginning of `wanted` that
	 * already have a path
	 */
	size_t found;
	/* for each class: whether it can be unloaded (enum hp_class_stays) */
	uint8_t *stays;
	struct hp_path_texts texts;
	struct hp_path_seeds seeds;
	struct hp_path_level level;
	pthread_mutex_t *locks;
	/* the threads that may take part in the search */
	struct hp_walker *walkers;
	unsigned threads;
	/*
	 * number of threads that have worked on this level; a heap can have
	 * millions of small levels, for which one is enough
	 */
	unsigned used;
	/*
	 * the objects that the threads handle now, as a range of indexes, and
	 * the first index that no thread has taken
	 */
	_Atomic uint64_t next;
	uint64_t end;
	/* number of times that steps were looked up, see struct hp_step_cached
	 */
	uint32_t round;
	enum hp_status st; /* the first failure */
	struct hp_error *err;
};

/* One thread of the search. */
struct hp_walker {
	struct hp_walk *w;
	struct hp_path_part part;
	struct hp_rank_near *near;
	struct hp_buf a, b; /* texts that are compared */
	struct hp_step_cached *cache;
	struct hp_vec fresh; /* struct hp_step_fresh */
	bool left; /* this thread has set the flag `again` of a candidate */
	/*
	 * candidates whose step only one thread may choose, as uint32_t: the
	 * objects at which paths begin, and objects in static fields
	 */
	struct hp_vec named;
};

/*
 * Make w->walkers, with an entry for each of w->threads threads, and w->locks.
 * Returns HP_OK or HP_NOMEM. Call hp_walkers_release(), also after a failure.
 */
HP_MUST_USE enum hp_status hp_walkers_make(struct hp_walk *w,
					   struct hp_error *err);
void hp_walkers_release(struct hp_walk *w);

/*
 * Run @run, the function of a thread, for the objects [@from, @end): on several
 * threads if there are many objects. Each thread takes objects with
 * hp_walk_take(). Returns false if a thread has failed; the failure is in w->st
 * and w->err.
 */
bool hp_walk_share(struct hp_walk *w, void *(*run)(void *), uint64_t from,
		   uint64_t end);

/*
 * Take the next objects [*@at, returned end) that no thread has taken. Returns
 * 0 if there are none, or if this thread has failed.
 */
uint64_t hp_walk_take(struct hp_walker *k, uint64_t *at);

/*
 * Give a step to each candidate that has none, and append its object to the
 * queue. Objects that already have a step are skipped. Then the list of
 * candidates is empty. A failure is stored in w->st.
 */
void hp_walk_give_steps(struct hp_walk *w);

/* Whether no thread has failed. The first failure is moved to w->st and w->err.
 */
bool hp_walk_goes_on(struct hp_walk *w);

/* Returns the number of the object with the id @id, or HP_NO_NODE. */
static inline uint32_t
hp_walk_node(const struct hp_walk *w, struct hp_rank_near *near, uint64_t id)
{
	return hp_node_of(&w->g->nodes, near, id);
}

static inline uint32_t
hp_walk_kind(const struct hp_walk *w, uint32_t node)
{
	uint64_t references;

	return hp_edge_kind(&w->g->edges, node, &references);
}

#endif
