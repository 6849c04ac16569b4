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
	HP_STEP_CACHE = 1 << 14,
	/*
	 * a thread looks up so many steps together, because each of them may be
	 * anywhere in memory
	 */
	HP_STEPS_ASKED = 16,
};

/*
 * A step that a path may have: the step above it, the reference, and the row
 * of the name of the class. In references to elements of an array, the label is
 * HP_LABEL_ELEMENT.
 */
struct hp_step_key {
	uint32_t above, label, row;
};

/* A step that does not exist. */
struct hp_step_fresh {
	struct hp_step_key key;
	/* index of the candidate that receives the step */
	uint32_t candidate;
};

/* An object whose step is being looked up. */
struct hp_step_asked {
	uint32_t node;
	bool queued; /* it is in the next queue */
	struct hp_step_key key;
	uint64_t asked; /* the result of hp_path_step_ask() */
};

/* A step that a thread has looked up. */
struct hp_step_cached {
	struct hp_step_key key;
	/*
	 * the word for an object with this step; if it has HP_PATH_WAITS, it
	 * can be used only in this round
	 */
	uint32_t word;
	uint32_t round;
};

struct hp_walk {
	struct hp_path_walk *out;
	const struct hp_graph *g;
	const struct hp_tree *dominators;
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
	/*
	 * only references to `target_count` objects, from the number `target`
	 * on, are followed now
	 */
	uint32_t target, target_count;
	/*
	 * incremented each time that steps were created, see struct
	 * hp_step_cached
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
	struct hp_step_asked asked[HP_STEPS_ASKED];
	unsigned nasked;
	struct hp_vec fresh; /* struct hp_step_fresh */
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
 * Give a step to the object of the reference @x, of which the caller knows that
 * no other reference can replace it. Append the object to the queue or the next
 * queue if its references must be followed. The object may wait in a list of
 * the thread until hp_walk_end_asking() is called. A failure is stored in
 * k->part.
 */
void hp_walk_give_step(struct hp_walker *k, const struct hp_path_candidate *x);
void hp_walk_end_asking(struct hp_walker *k);

/*
 * End a level: give a step to each candidate that has none, and to the objects
 * that wait for new steps. The next queue becomes the queue. Then the list of
 * candidates is empty. A failure is stored in w->st.
 */
void hp_walk_give_steps(struct hp_walk *w);

/* Whether no object waits for hp_walk_give_steps(). */
bool hp_walk_has_ended(const struct hp_walk *w);

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
