/*
 * path_level.h - the objects of one level of the search for paths
 *
 * The search for shortest paths handles all objects at the same distance from
 * the roots together; they are a level. Several threads share the work. A level
 * has three lists:
 *
 * - The queue lists the objects whose references are followed now. The step
 *   (node of the path tree) of each of them is known.
 * - The next queue lists objects whose references are followed in the next
 *   level.
 * - The candidates are objects that wait for their step. Each has the best
 *   reference to the object so far.
 *
 * Only one reference leads to most objects. Such an object needs no candidate:
 * it gets its step as soon as this reference is read. And an object without
 * references needs no entry in a queue.
 *
 * An array has one word for each object: the number of its step, or the index
 * of its candidate, or 0. So no other array with an entry for each object is
 * needed. The lists are read and written mostly in order, but the array is
 * accessed at random.
 *
 * The order of the lists depends on the threads. The result must not depend on
 * it: the best reference to an object is the first in an order of references,
 * and new steps are numbered in an order of steps (path_steps.c).
 */
#ifndef HP_DIFF_PATHS_PATH_LEVEL_H
#define HP_DIFF_PATHS_PATH_LEVEL_H

#include "diff/paths/paths.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * A flag in the word of an object: the object waits for its step, and the other
 * bits are the index of its candidate, or of the entry for its step.
 */
#define HP_PATH_WAITS HP_PATH_STEPS_MAX

/*
 * How a reference continues a path. This determines the step that the
 * referenced object gets.
 */
enum hp_path_turn {
	/* the object gets a new step, shown as the name of a field */
	HP_PATH_TURN_STEP,
	/* the object gets a new step, shown as an array element "[*]" */
	HP_PATH_TURN_ELEMENT,
	/*
	 * the object is an internal part of a collection, and belongs to the
	 * step of the collection
	 */
	HP_PATH_TURN_INSIDE,
	/*
	 * the object is the next node of a linked list, and belongs to the step
	 * of the list
	 */
	HP_PATH_TURN_RUN,
};

/*
 * Numbers of bits in struct hp_path_candidate, which has 16 bytes. Labels that
 * need more bits are rejected when they are numbered (path_fields.c), and a row
 * needs so much memory that there are never 2^30 of them.
 */
enum { HP_PATH_LABEL_BITS = 29, HP_PATH_ROW_BITS = 30 };

struct hp_path_candidate {
	/* HP_NO_NODE: this entry of the list is not used */
	uint32_t node;
	/*
	 * number in the graph of the object that refers to the object `node`;
	 * HP_NO_NODE: the path begins at `node`
	 */
	uint32_t from;
	/*
	 * the reference from `from` to `node`, for example a field (enum
	 * hp_path_label_of); if the path begins at `node`, the index of its
	 * seed
	 */
	unsigned label : HP_PATH_LABEL_BITS;
	/*
	 * This entry stands for a step that does not exist yet, and for all
	 * objects that will get the step: the words of these objects contain
	 * the index of this entry, and they are in the next queue. When the
	 * step exists, it is stored in `from`.
	 */
	unsigned fresh : 1;
	unsigned turn : 2; /* enum hp_path_turn */
	/* about the object `node`; see struct hp_path_object */
	unsigned row : HP_PATH_ROW_BITS;
	unsigned inner : 1;
	unsigned leads : 1;
};

/* What the search must know about an object to which a reference leads. */
struct hp_path_object {
	uint32_t row; /* the row of the name of its class */
	bool inner;   /* objects of this class are inner parts of collections */
	bool leads;   /* its references must be followed */
};

static inline struct hp_path_candidate
hp_path_candidate(uint32_t node, uint32_t from, uint32_t label,
		  struct hp_path_object o)
{
	return (struct hp_path_candidate){
		.node = node,
		.from = from,
		.label = label & ((UINT32_C(1) << HP_PATH_LABEL_BITS) - 1),
		.row = o.row & ((UINT32_C(1) << HP_PATH_ROW_BITS) - 1),
		.inner = o.inner,
		.leads = o.leads};
}

/*
 * Whether the object joins a step of the current level, for example because it
 * is a part of a collection. Otherwise the object gets a step of its own in the
 * next level.
 */
static inline bool
hp_path_joins(enum hp_path_turn turn)
{
	return turn == HP_PATH_TURN_INSIDE || turn == HP_PATH_TURN_RUN;
}

/* The objects whose references are followed in one level. */
struct hp_path_queue {
	uint32_t *list, count;
	struct hp_big_array array;
};

struct hp_path_level {
	_Atomic uint32_t *steps; /* the word of each object */
	struct hp_path_candidate *candidates;
	uint32_t candidate_count;
	struct hp_big_array candidate_array;
	struct hp_path_queue now, next;
	uint64_t nodes; /* number of objects, and 1 */
	/* one bit for each object, for sorting; all are 0 */
	struct hp_big_array sorted;
	struct hp_big_memory *memory;
	/* protects the lengths of the lists */
	pthread_mutex_t lock;
};

enum { HP_PATH_FOUND = 1024 };

/* Objects that a thread will append to a queue. */
struct hp_path_found {
	uint32_t count;
	uint32_t list[HP_PATH_FOUND];
};

/* What one thread adds to the lists. */
struct hp_path_part {
	struct hp_path_level *level;
	/* only this thread works on the level now */
	bool alone;
	/* the range of the candidates that belongs to this thread */
	uint32_t at, end;
	/* objects that were not appended to the two queues yet */
	struct hp_path_found now, next;
	/*
	 * the first failure, for example HP_NOMEM; after a failure, nothing is
	 * added to the lists
	 */
	enum hp_status st;
	struct hp_error err;
};

/*
 * Start a level with empty lists.
 *
 * @steps: an array with a word for each of the @nodes objects; all words are 0
 * @threads: maximum number of threads that add to the lists
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: call hp_path_level_release() in any case.
 */
HP_MUST_USE enum hp_status hp_path_level_init(struct hp_path_level *l,
					      uint32_t *steps, uint64_t nodes,
					      unsigned threads,
					      struct hp_big_memory *memory,
					      struct hp_error *err);
/*
 * Free the lists. Objects that still wait for a step get no step. After a
 * failure, the words of some objects have no meaning.
 */
void hp_path_level_release(struct hp_path_level *l);

/* Note that this thread has no memory, unless it has failed before. */
static inline void
hp_path_part_no_memory(struct hp_path_part *p)
{
	if (p->st == HP_OK)
		p->st = hp_no_memory(&p->err);
}

/*
 * Append an object to the queue, or to the next queue. It may stay in a list of
 * the thread until hp_path_queue_found() is called. A failure is stored in
 * p->st.
 */
void hp_path_enqueue(struct hp_path_part *p, uint32_t node);
void hp_path_enqueue_next(struct hp_path_part *p, uint32_t node);
void hp_path_queue_found(struct hp_path_part *p);

/* Make the next queue the queue. The next queue is empty then. */
void hp_path_next_queue(struct hp_path_level *l);

/*
 * Append a candidate, if its object has no candidate yet. Returns the word of
 * the object that another thread has stored before; 0: the candidate was
 * appended, or it failed. A failure is stored in p->st.
 */
uint32_t hp_path_add_candidate(struct hp_path_part *p,
			       const struct hp_path_candidate *c);

/*
 * Append an entry for a step that does not exist yet. *@at receives its index.
 * Returns the word for objects that will get the step, or 0 after a failure,
 * which is stored in p->st.
 */
uint32_t hp_path_add_fresh(struct hp_path_part *p, uint32_t *at);

static inline uint32_t
hp_path_word(const struct hp_path_level *l, uint32_t node)
{
	return atomic_load_explicit(&l->steps[node], memory_order_acquire);
}

static inline void
hp_path_set_word(struct hp_path_level *l, uint32_t node, uint32_t word)
{
	atomic_store_explicit(&l->steps[node], word, memory_order_relaxed);
}

/*
 * Returns the step of an object that has one, without the flag HP_PATH_INSIDE.
 */
static inline uint32_t
hp_path_given(const struct hp_path_level *l, uint32_t node)
{
	return hp_path_word(l, node) & ~HP_PATH_INSIDE;
}

/*
 * Returns the word for the object of a candidate that joins a step (see
 * hp_path_joins()).
 */
static inline uint32_t
hp_path_joined_word(const struct hp_path_level *l,
		    const struct hp_path_candidate *c)
{
	return hp_path_given(l, c->from) |
	       (c->turn == HP_PATH_TURN_INSIDE ? HP_PATH_INSIDE : 0);
}

static inline bool
hp_path_has_step(const struct hp_path_level *l, uint32_t node)
{
	uint32_t word = hp_path_word(l, node);

	return word != 0 && !(word & HP_PATH_WAITS);
}

/* Returns the candidate of an object whose word has the flag HP_PATH_WAITS. */
static inline struct hp_path_candidate *
hp_path_candidate_of(const struct hp_path_level *l, uint32_t word)
{
	return &l->candidates[(word & (HP_PATH_WAITS - 1)) |
			      (word >> 31) * HP_PATH_WAITS];
}

#endif
