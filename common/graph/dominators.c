/*
 * dominators.c - SEMI-NCA over numbers of a depth-first walk
 *
 * From the last number to the first, an object's semidominator is the least
 * number from which a path leads there over later numbers only. The dominator
 * is the nearest ancestor in the walk's tree, in terms of dominators found
 * before, that is no later than the semidominator.
 *
 * Numbers are settled a bucket at a time. What references to a bucket come from
 * was nearly all settled before: on all threads it is looked up in the forest
 * of settled numbers, which waits for memory, ahead of the bucket's turn. When
 * that comes, what is left leads over a few thousand numbers.
 */
#include "common/graph/dominators.h"

#include "common/base/threads.h"
#include "common/io/worker_pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUCKET = 1 << HP_CROSS_BITS,
	AHEAD = 2,	/* buckets looked up in advance, beside one a thread */
	TOGETHER = 128, /* references that are looked up together */
	DEEP = 256,	/* numbers of a way up that are shortened at once */
};

/*
 * The forest of what was settled, a tree in the walk's. Of a number it knows an
 * ancestor, in the low half, and in the high half the least semidominator on
 * the way there, without that ancestor's own. Whoever goes up writes a higher
 * ancestor, and all that are ever written are true: so that threads need not
 * wait for each other.
 */
typedef _Atomic uint64_t forest_way;

struct way {
	uint32_t up, least;
};

/* Of a number whose dominator is known; the forest's memory is theirs then. */
struct far {
	uint32_t jump;	/* a number that dominates it */
	uint32_t depth; /* numbers that dominate it */
};

struct finder {
	struct hp_preorder *p;
	forest_way *forest;
	uint32_t *semi;
	const uint32_t *parents;
	_Atomic uint32_t settled; /* numbers from here on are */
	uint32_t next;		  /* the bucket to be looked up next, plus 1 */
	struct hp_big_memory *memory;
	pthread_mutex_t lock; /* of the memory */
	struct hp_big_array forests;
};

/* A way that goes on at @up, where nothing was settled yet. */
struct open_way {
	uint32_t up;
	uint32_t next; /* of those to the same number; 0: it was the first */
};

/*
 * A bucket's references from what was not settled when they were looked up, of
 * which there are few: of each number a list of open ways.
 */
struct bucket {
	struct finder *finder;
	uint32_t number;
	struct hp_big_array ways; /* struct open_way, from 1 */
	uint32_t nways, room;
	uint32_t last[BUCKET]; /* of the number's ways; 0: it has none */
	struct hp_error error; /* HP_OK unless there was no room */
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
 * From @x up to the first ancestor below @limit, from which on all are settled:
 * that ancestor, and the least semidominator on the way, which is shortened.
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

/* --- ahead of a bucket's turn --------------------------------------------- */

static inline uint32_t
numbers_of(const struct finder *f, const struct bucket *b)
{
	uint32_t left = f->p->count - (b->number << HP_CROSS_BITS);

	return left < BUCKET ? left : BUCKET;
}

/* Have addresses for a way for each of the bucket's references. */
static enum hp_status
make_room(struct finder *f, struct bucket *b, struct hp_error *err)
{
	uint64_t count = hp_cross_size(&f->p->cross, b->number);
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
		hp_fail(&b->error, HP_LIMIT, "there are too many references");
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

/* The way to number @to of the bucket goes on at @up. */
static inline bool
leave_open(struct finder *f, struct bucket *b, uint32_t to, uint32_t up)
{
	struct open_way *ways = b->ways.at;

	/* many ways meet on the way up */
	if (b->last[to] != 0 && ways[b->last[to]].up == up)
		return true;
	if (HP_UNLIKELY(b->nways == b->room) && !more_room(f, b))
		return false;
	ways[b->nways] = (struct open_way){up, b->last[to]};
	b->last[to] = b->nways++;
	return true;
}

/* Look up references of the bucket as far as all is settled from @limit on. */
static bool
look_up(struct finder *f, struct bucket *b, struct hp_cross_reference *r,
	unsigned n, uint32_t limit)
{
	uint32_t first = b->number << HP_CROSS_BITS, up;
	unsigned left = 0;
	struct way way;

	/* nothing is less than the roots, which many references lead to */
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
	hp_cross_read(&reader, &f->p->cross, b->number);
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
	return f->next > 0;
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

/* --- a bucket's turn ------------------------------------------------------ */

static void
settle(struct finder *f, const struct bucket *b)
{
	const struct open_way *ways = b->ways.at;
	uint32_t first = b->number << HP_CROSS_BITS;
	struct way way;

	for (uint32_t i = numbers_of(f, b); i-- > 0;) {
		uint32_t now = first + i, semi = f->semi[now];

		for (uint32_t k = b->last[i]; semi > 0 && k; k = ways[k].next) {
			way = go_up(f, ways[k].up, now + 1);
			if (way.least < semi)
				semi = way.least;
		}
		f->semi[now] = semi;
		store_way(f, now, (struct way){f->parents[now], semi});
	}
	atomic_store_explicit(&f->settled, first, memory_order_release);
}

static enum hp_status
settle_one(struct finder *f, const struct bucket *b, struct hp_error *err)
{
	if (b->error.status != HP_OK)
		return hp_fail_as(err, &b->error);
	settle(f, b);
	return HP_OK;
}

static enum hp_status
settle_alone(struct finder *f, struct hp_error *err)
{
	struct bucket *b = calloc(1, sizeof(*b));
	enum hp_status st = HP_OK;

	if (!b)
		return hp_no_memory(err);
	b->finder = f;
	while (st == HP_OK && f->next > 0) {
		b->number = --f->next;
		prepare(f, b);
		st = settle_one(f, b, err);
	}
	bucket_release(b);
	free(b);
	return st;
}

static enum hp_status
settle_with_threads(struct finder *f, unsigned threads, struct hp_error *err)
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

	if (st == HP_IO) /* there is no thread to be had */
		return settle_alone(f, err);
	while (st == HP_OK && (b = hp_worker_pool_take(pool))) {
		st = settle_one(f, b, err);
		hp_worker_pool_give(pool);
	}
	hp_worker_pool_close(pool);
	return st;
}

/*
 * With all semidominators known: dominators, from the first to the last. A way
 * up the tree of dominators may be as long as a list is, and be gone for each
 * of its elements: so each number also knows one that is far above it, as far
 * as that is in step with others (a skew-binary jump pointer), and no way takes
 * more steps than some logarithms of its length.
 * Source: Myers, An applicative random-access stack, 1983.
 */
static void
find_dominators(struct finder *f)
{
	uint32_t *dominators = f->p->parents.at;
	struct far *far = f->forests.at;

	far[0] = (struct far){0};
	for (uint32_t now = 1; now < f->p->count; now++) {
		uint32_t d = dominators[now], semi = f->semi[now], jump;

		while (d > semi)
			d = far[d].jump > semi ? far[d].jump : dominators[d];
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
hp_dominators(struct hp_preorder *p, unsigned threads, struct hp_big_memory *m,
	      struct hp_error *err)
{
	struct finder f = {.p = p,
			   .semi = p->semis.at,
			   .parents = p->parents.at,
			   .settled = p->count,
			   .next = p->cross.nbuckets,
			   .memory = m};
	enum hp_status st =
		hp_big_array_make(m, &f.forests, sizeof(*f.forest) * p->count,
				  HP_BIG_RANDOM, err);

	f.forest = f.forests.at;
	pthread_mutex_init(&f.lock, NULL);
	/* one looks up for the next bucket while this one is settled */
	threads = hp_threads_for(threads, f.next, 1);
	if (st == HP_OK && threads > 1)
		st = settle_with_threads(&f, threads, err);
	else if (st == HP_OK)
		st = settle_alone(&f, err);
	hp_cross_release(&p->cross, m);
	if (st == HP_OK)
		find_dominators(&f);
	hp_big_array_drop(m, &f.forests);
	hp_big_array_drop(m, &p->semis);
	pthread_mutex_destroy(&f.lock);
	return st;
}
