/*
 * dominators.c - find the dominator of each object, with the algorithm SEMI-NCA
 *
 * Each object is given by its number: the objects that are kept (struct hp_kept
 * in internal.h) are numbered in the preorder of a depth-first search.
 * The semidominator of an object X is the object with the smallest number from
 * which a path of references leads to X such that all objects between them have
 * larger numbers than X. The algorithm computes semidominators from the last
 * number to the first; a number whose semidominator was computed is "settled".
 * Then it finds dominators from the first number to the last. The dominator of
 * X is its nearest ancestor, in the dominator tree built so far, whose number
 * is not larger than the semidominator of X.
 *
 * Numbers are settled in ranges (buckets) of 65,536. Most references into a
 * bucket come from numbers that were settled long before. Helper threads handle
 * these references in advance, because each lookup waits for memory. When the
 * bucket itself is settled, only a few paths remain to be followed: those that
 * lead over the few thousand numbers that were settled last.
 *
 * Invariants, for each number v above 0:
 * I1  parents[v] < v: a parent is visited before its children.
 * I2  semi[v] <= parents[v]: a semidominator is at most the parent.
 * I3  in the forest (see forest_way), the ancestor of a number is smaller than
 *     the number; path compression (Tarjan, 1979) replaces it by a still
 *     smaller one.
 * I4  the dominator of v is smaller than v, and jump[v] is its ancestor in the
 *     dominator tree, or itself.
 *
 * Sources: T. Lengauer, R. Tarjan, "A Fast Algorithm for Finding Dominators in
 * a Flowgraph", 1979, for semidominators; L. Georgiadis, R. Tarjan, R. Werneck,
 * "Finding Dominators in Practice", 2006
 */
#include "common/graph/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/io/workers.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum {
	BUCKET = 1 << HP_CROSS_BITS,
	/*
	 * How many buckets (ranges of objects) are prepared in advance, in
	 * addition to one bucket for each thread.
	 */
	AHEAD = 2,
	TOGETHER = 128, /* number of references that are looked up together */
	/*
	 * Path compression divides a long path of the forest (see forest_way)
	 * into parts of this many steps.
	 */
	DEEP = 256,
};

/*
 * The forest has a 64-bit word for each object whose semidominator was
 * computed. The low half is the number of an ancestor of the object in the
 * depth-first tree. The high half is the smallest semidominator on the path
 * from the object up to this ancestor, without the ancestor itself. Path
 * compression replaces the ancestor by one nearer to the root. If several
 * threads write the same word, each of their values is correct, so no locks are
 * needed.
 */
typedef _Atomic uint64_t forest_way;

struct way {
	uint32_t up, least;
};

/*
 * The jump pointer of an object whose dominator was computed. With it, a search
 * skips many dominators. It is stored in the memory of the word that the object
 * had in the forest (forest_way), which is no longer needed.
 */
struct far {
	/*
	 * the number of an object that dominates this object, directly or not
	 */
	uint32_t jump;
	/* depth of this object in the dominator tree */
	uint32_t depth;
};

struct finder {
	struct hp_kept *k;
	forest_way *forest;
	uint32_t *semi;
	const uint32_t *parents;
	/*
	 * The smallest number of an object whose semidominator was computed.
	 * All objects with larger numbers also have their semidominators.
	 */
	_Atomic uint32_t settled;
	/*
	 * 1 + the number of the bucket (range of numbers of objects) that is
	 * prepared next, and the number of the last bucket
	 */
	uint32_t next, last;
	struct hp_big_memory *memory;
	/* held by a thread while it allocates or frees memory */
	pthread_mutex_t lock;
};

/*
 * A path in the forest that could not be followed to its end. It has reached
 * the object with the number `up`. The semidominator of this object was not
 * computed yet.
 */
struct open_way {
	uint32_t up;
	/*
	 * The index of the next open path (struct open_way) of the same object.
	 * 0: there is none.
	 */
	uint32_t next;
};

/*
 * A bucket (range of 65,536 objects) that a helper thread prepares: the thread
 * handles all references to objects of the bucket. If it cannot follow a path
 * to its end, it adds an open path (struct open_way) to the linked list of the
 * object. There are few open paths, because the semidominators of most objects
 * that refer to the bucket were already computed.
 */
struct bucket {
	struct finder *finder;
	uint32_t number;
	/*
	 * the open paths of the bucket; elements: struct open_way; index 0 is
	 * not used
	 */
	struct hp_big_array ways;
	uint32_t nways, room;
	/*
	 * For each object of the bucket: the index in `ways` of the open path
	 * (not followed to its end yet) that was added last. 0: there is none.
	 */
	uint32_t last[BUCKET];
	/* the error if memory for `ways` ran out; otherwise HP_OK */
	struct hp_error error;
};

/* --- the forest ----------------------------------------------------------- */

static inline struct way
load_way(const struct finder *f, uint32_t number)
{
	uint64_t way =
		atomic_load_explicit(&f->forest[number], memory_order_relaxed);

	return (struct way){(uint32_t)way, (uint32_t)(way >> 32)};
}

static inline void
store_way(struct finder *f, uint32_t number, struct way way)
{
	atomic_store_explicit(&f->forest[number],
			      way.up | (uint64_t)way.least << 32,
			      memory_order_relaxed);
}

/*
 * Follow the path in the forest (see forest_way) from the object with the
 * number
 * @x up to the first ancestor with a number below @limit. Returns this ancestor
 * and the smallest semidominator on the path. Also compresses the path. Call
 * this when the semidominators of all objects from number @limit on are known.
 */
static inline struct way
go_up(struct finder *f, uint32_t x, uint32_t limit)
{
	struct way open[DEEP], way, all = {x, UINT32_MAX};
	uint32_t numbers[DEEP];
	unsigned n;

	while (all.up >= limit) {
		x = all.up;
		way = load_way(f, x);
		for (n = 0; way.up >= limit && n < DEEP; n++) {
			numbers[n] = x;
			open[n] = way;
			x = way.up;
			way = load_way(f, x);
		}
		while (n-- > 0) {
			if (open[n].least < way.least)
				way.least = open[n].least;
			store_way(f, numbers[n], way);
		}
		if (way.least < all.least)
			all.least = way.least;
		all.up = way.up;
	}
	return all;
}

/* --- preparing a bucket --------------------------------------------------- */

static inline uint32_t
numbers_of(const struct finder *f, const struct bucket *b)
{
	uint32_t left = f->k->count - (b->number << HP_CROSS_BITS);

	return left < BUCKET ? left : BUCKET;
}

/*
 * Reserve address space for the open paths of a bucket (range of objects): at
 * most one for each reference to an object of the bucket.
 */
static enum hp_status
make_room(struct finder *f, struct bucket *b, struct hp_error *err)
{
	uint64_t count = hp_cross_size(&f->k->cross, b->number);
	uint64_t bytes = (count + 1) * sizeof(struct open_way);
	enum hp_status st;

	memset(b->last, 0, sizeof(b->last));
	b->nways = 1;
	if (bytes <= b->ways.bytes)
		return HP_OK;
	pthread_mutex_lock(&f->lock);
	hp_big_array_drop(f->memory, &b->ways);
	st = hp_big_array_reserve(&b->ways, bytes + bytes / 4, HP_BIG_IN_ORDER,
				  err);
	pthread_mutex_unlock(&f->lock);
	b->room = 0;
	return st;
}

static bool
more_room(struct finder *f, struct bucket *b)
{
	uint64_t most;
	enum hp_status st;

	if (b->nways == UINT32_MAX) {
		hp_fail(&b->error, HP_LIMIT,
			"the dump has too many references");
		return false;
	}
	pthread_mutex_lock(&f->lock);
	st = hp_big_array_grow(
		f->memory, &b->ways,
		(b->nways + UINT64_C(1)) * sizeof(struct open_way), &b->error);
	pthread_mutex_unlock(&f->lock);
	most = b->ways.ready / sizeof(struct open_way);
	b->room = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
	return st == HP_OK;
}

/*
 * An object refers to the object @to of the bucket. The path from this object
 * upward has reached the object with the number @up, whose semidominator is not
 * computed yet. Record this open path, to continue it later. Returns false if
 * out of memory.
 */
static inline bool
leave_open(struct finder *f, struct bucket *b, uint32_t to, uint32_t up)
{
	struct open_way *ways = b->ways.at;

	/*
	 * The same path often comes twice in a row, so do not record it twice.
	 */
	if (b->last[to] != 0 && ways[b->last[to]].up == up)
		return true;
	if (HP_UNLIKELY(b->nways == b->room) && !more_room(f, b))
		return false;
	ways[b->nways] = (struct open_way){up, b->last[to]};
	b->last[to] = b->nways++;
	return true;
}

/*
 * Handle @n references to objects of the bucket. Follow the path in the forest
 * (see forest_way) from the source of each reference upward. The path ends at
 * the first object with a number below @limit, because semidominators are known
 * only from number @limit on. Returns false if out of memory.
 */
static bool
look_up(struct finder *f, struct bucket *b, struct hp_cross_reference *r,
	unsigned n, uint32_t limit)
{
	uint32_t first = b->number << HP_CROSS_BITS, up;
	unsigned left = 0;
	struct way way;

	/*
	 * Skip objects whose semidominator is 0 (the roots), because it cannot
	 * become smaller.
	 */
	for (unsigned i = 0; i < n; i++) {
		if (f->semi[first + r[i].to] == 0)
			continue;
		if (r[i].from >= limit)
			__builtin_prefetch((const void *)&f->forest[r[i].from]);
		r[left++] = r[i];
	}
	n = left;
	for (unsigned i = 0; i < n; i++) {
		if (r[i].from < limit)
			continue;
		up = load_way(f, r[i].from).up;
		if (up >= limit)
			__builtin_prefetch((const void *)&f->forest[up]);
	}
	for (unsigned i = 0; i < n; i++) {
		uint32_t to = r[i].to, *semi = &f->semi[first + to];

		if (*semi == 0)
			continue;
		way = go_up(f, r[i].from, limit);
		if (way.least < *semi)
			*semi = way.least;
		if (way.up > first + to && !leave_open(f, b, to, way.up))
			return false;
	}
	return true;
}

static void
prepare(struct finder *f, struct bucket *b)
{
	struct hp_cross_reference together[TOGETHER];
	struct hp_cross_reader reader;
	uint32_t limit;
	unsigned n;

	if (make_room(f, b, &b->error) != HP_OK)
		return;
	limit = atomic_load_explicit(&f->settled, memory_order_acquire);
	hp_cross_read(&reader, &f->k->cross, b->number);
	while ((n = hp_cross_next(&reader, together, TOGETHER)) > 0)
		if (!look_up(f, b, together, n, limit))
			return;
}

static bool
pool_fill(void *context, void *slot, bool *work)
{
	struct finder *f = context;
	struct bucket *b = slot;

	*work = true;
	b->finder = f;
	b->number = --f->next;
	return f->next > f->last;
}

static void
pool_work(void *context, void *state, void *slot)
{
	prepare(context, slot);
}

static void
bucket_release(void *slot)
{
	struct bucket *b = slot;

	if (b->finder)
		hp_big_array_drop(b->finder->memory, &b->ways);
}

/* --- settling a bucket ---------------------------------------------------- */

static void
settle_bucket(struct finder *f, const struct bucket *b)
{
	const struct open_way *ways = b->ways.at;
	uint32_t first = b->number << HP_CROSS_BITS;
	struct way way;

	for (uint32_t i = numbers_of(f, b); i-- > 0;) {
		uint32_t now = first + i, semi = f->semi[now];

		/*
		 * invariant I1 (see the top of this file): a parent has a
		 * smaller number
		 */
		assert(now == 0 || f->parents[now] < now);
		for (uint32_t k = b->last[i]; semi > 0 && k; k = ways[k].next) {
			way = go_up(f, ways[k].up, now + 1);
			if (way.least < semi)
				semi = way.least;
		}
		/*
		 * invariant I2 (see the top of this file): a semidominator is
		 * at most the parent
		 */
		assert(semi <= f->parents[now]);
		f->semi[now] = semi;
		store_way(f, now, (struct way){f->parents[now], semi});
	}
	atomic_store_explicit(&f->settled, first, memory_order_release);
}

static enum hp_status
settle_next_bucket(struct finder *f, const struct bucket *b,
		   struct hp_error *err)
{
	if (b->error.status != HP_OK)
		return hp_fail_as(err, &b->error);
	settle_bucket(f, b);
	return HP_OK;
}

static enum hp_status
settle_buckets_alone(struct finder *f, struct hp_error *err)
{
	struct bucket *b = hp_calloc(1, sizeof(*b));
	enum hp_status st = HP_OK;

	if (!b)
		return hp_no_memory(err);
	b->finder = f;
	while (st == HP_OK && f->next > f->last) {
		b->number = --f->next;
		prepare(f, b);
		st = settle_next_bucket(f, b, err);
	}
	bucket_release(b);
	hp_free(b);
	return st;
}

static enum hp_status
settle_buckets_with_threads(struct finder *f, unsigned threads,
			    struct hp_error *err)
{
	const struct hp_worker_pool_options o = {.threads = threads,
						 .slots = threads + AHEAD,
						 .slot_size =
							 sizeof(struct bucket),
						 .fill = pool_fill,
						 .work = pool_work,
						 .slot_release = bucket_release,
						 .context = f};
	struct hp_worker_pool *pool;
	enum hp_status st = hp_worker_pool_open(&pool, &o, err);
	struct bucket *b;

	/* a helper thread could not be started, so continue without it */
	if (st == HP_IO)
		return settle_buckets_alone(f, err);
	while (st == HP_OK && (b = hp_worker_pool_take(pool))) {
		st = settle_next_bucket(f, b, err);
		hp_worker_pool_give(pool);
	}
	hp_worker_pool_close(pool);
	return st;
}

/*
 * Compute the dominators of all objects, in the order of their numbers. Called
 * after all semidominators were computed. Each object needs a search from its
 * parent up to its semidominator. In a long linked list, a search could take as
 * many steps as the list has elements. With a skew-binary jump pointer to a
 * distant dominator, it takes a logarithmic number of steps. Source: Myers, "An
 * applicative random-access stack", 1983
 */
static void
find_dominators(struct hp_kept *k)
{
	const uint32_t *semis = k->semis.at;
	uint32_t *dominators = k->parents.at;
	struct far *far = k->forest.at;

	far[0] = (struct far){0};
	for (uint32_t now = 1; now < k->count; now++) {
		uint32_t d = dominators[now], semi = semis[now], jump;

		while (d > semi)
			d = far[d].jump > semi ? far[d].jump : dominators[d];
		/*
		 * invariant I4 (see the top of this file): a dominator has a
		 * smaller number
		 */
		assert(d < now && far[d].jump <= d);
		dominators[now] = d;
		jump = far[d].jump;
		far[now] = (struct far){
			.jump = far[d].depth - far[jump].depth ==
						far[jump].depth -
							far[far[jump].jump]
								.depth
					? far[jump].jump
					: d,
			.depth = far[d].depth + 1};
	}
}

enum hp_status
hp_semidominators(struct hp_kept *k, uint32_t first, unsigned threads,
		  struct hp_big_memory *m, struct hp_error *err)
{
	struct finder f = {.k = k,
			   .semi = k->semis.at,
			   .parents = k->parents.at,
			   .settled = k->settled,
			   .next = (k->settled + BUCKET - 1) >> HP_CROSS_BITS,
			   .last = first >> HP_CROSS_BITS,
			   .memory = m};
	enum hp_status st = HP_OK;

	if (!k->forest.at)
		st = hp_big_array_make(m, &k->forest,
				       sizeof(*f.forest) * k->count,
				       HP_BIG_RANDOM, err);
	f.forest = k->forest.at;
	pthread_mutex_init(&f.lock, NULL);
	/* Use at most one thread for each bucket (range of objects). */
	threads = hp_threads_for(threads, f.next - f.last, 1);
	if (st == HP_OK && threads > 1)
		st = settle_buckets_with_threads(&f, threads, err);
	else if (st == HP_OK)
		st = settle_buckets_alone(&f, err);
	k->settled = first;
	hp_cross_release(&k->cross, m);
	pthread_mutex_destroy(&f.lock);
	return st;
}

enum hp_status
hp_dominators(struct hp_kept *k, unsigned threads, struct hp_big_memory *m,
	      struct hp_error *err)
{
	enum hp_status st = hp_semidominators(k, 0, threads, m, err);

	if (st == HP_OK)
		find_dominators(k);
	hp_big_array_drop(m, &k->forest);
	hp_big_array_drop(m, &k->semis);
	return st;
}
