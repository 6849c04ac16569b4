/*
 * dominators.c - SEMI-NCA over numbers of a depth-first walk
 *
 * From the last number to the first, an object's semidominator is the least
 * number from which a path leads there over later numbers only. The dominator
 * is the nearest ancestor in the walk's tree, in terms of dominators found
 * before, that is no later than the semidominator.
 *
 * References come by bucket, and are sorted within each when its turn comes:
 * the whole is never in order at once.
 */
#include "common/graph/dominators.h"

#include <stdlib.h>
#include <string.h>

enum {
	BUCKET = 1 << HP_CROSS_BITS,
	AHEAD = 32, /* references that the forest is fetched for in advance */
};

/*
 * The forest of what was looked at: @up leads to a root of it, and @least is
 * the least semidominator on the way there, of those that were passed.
 */
struct forest {
	uint32_t up, least;
};

struct finder {
	struct hp_preorder *p;
	struct forest *forest;
	uint32_t *semi;
	uint32_t *path; /* a way up, to be shortened */
	uint32_t
		*sources; /* of the bucket's references, by whom they lead to */
	uint32_t ends[BUCKET + 1]; /* where each one's end */
	struct hp_big_array forests, semis, paths, sorted;
};

/*
 * The least semidominator on the way from @v to the root of its tree, which is
 * the only one there that is not above @now. The way is shortened.
 */
static inline uint32_t
least_above(struct finder *f, uint32_t v, uint32_t now)
{
	struct forest *forest = f->forest;
	uint32_t x = v, y;
	size_t n = 0;

	while (forest[x].up > now) {
		f->path[n++] = x;
		x = forest[x].up;
	}
	while (n > 0) {
		y = f->path[--n];
		if (forest[x].least < forest[y].least)
			forest[y].least = forest[x].least;
		forest[y].up = forest[x].up;
		x = y;
	}
	return forest[v].least;
}

/* Sort a bucket's references: f->ends[i] is where those to number i end. */
static enum hp_status
sort_bucket(struct finder *f, uint32_t bucket, struct hp_big_memory *m,
	    struct hp_error *err)
{
	const struct hp_cross *c = &f->p->cross;
	uint64_t n;
	enum hp_status st;

	memset(f->ends, 0, sizeof(f->ends));
	hp_cross_count(c, bucket, f->ends + 1);
	for (uint32_t i = 0; i < BUCKET; i++)
		f->ends[i + 1] += f->ends[i];
	n = f->ends[BUCKET];
	if (4 * (n + AHEAD) > f->sorted.bytes) {
		hp_big_array_drop(m, &f->sorted);
		st = hp_big_array_make(m, &f->sorted, 4 * (n + AHEAD),
				       HP_BIG_IN_ORDER, err);
		if (st != HP_OK)
			return st;
		f->sources = (uint32_t *)f->sorted.at + AHEAD;
	}
	hp_cross_sort(c, bucket, f->ends, f->sources);
	return HP_OK;
}

static void
find_semi(struct finder *f, uint32_t now, const uint32_t *from,
	  const uint32_t *end)
{
	const uint32_t *parents = f->p->parents.at;
	uint32_t semi = parents[now], least;

	while (semi > 0 && from < end) {
		end--;
		__builtin_prefetch(&f->forest[end[-AHEAD]]);
		__builtin_prefetch(&f->forest[f->forest[end[-AHEAD / 2]].up]);
		least = *end < now ? *end : least_above(f, *end, now);
		if (least < semi)
			semi = least;
	}
	f->semi[now] = semi;
	f->forest[now].least = semi;
}

static void
bucket_semis(struct finder *f, uint32_t bucket)
{
	uint32_t first = bucket << HP_CROSS_BITS;
	uint32_t last = f->p->count - 1 - first < BUCKET ? f->p->count - 1
							 : first + (BUCKET - 1);

	for (uint32_t now = last;; now--) {
		uint32_t i = now - first;

		if (now > 0)
			find_semi(f, now, f->sources + (i ? f->ends[i - 1] : 0),
				  f->sources + f->ends[i]);
		if (now == first)
			return;
	}
}

/* With all semidominators known: dominators, from the first to the last. */
static void
find_dominators(struct finder *f)
{
	uint32_t *dominators = f->p->parents.at, d;

	for (uint32_t now = 1; now < f->p->count; now++) {
		d = dominators[now];
		while (d > f->semi[now])
			d = dominators[d];
		dominators[now] = d;
	}
}

static enum hp_status
make_arrays(struct finder *f, struct hp_big_memory *m, struct hp_error *err)
{
	uint64_t n = f->p->count;
	enum hp_status st = hp_big_array_make(
		m, &f->forests, n * sizeof(*f->forest), HP_BIG_RANDOM, err);

	if (st == HP_OK)
		st = hp_big_array_make(m, &f->semis, 4 * n, HP_BIG_RANDOM, err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &f->paths, 4 * n, HP_BIG_IN_ORDER,
				       err);
	if (st == HP_OK)
		st = hp_big_array_make(m, &f->sorted, 4 * (uint64_t)BUCKET,
				       HP_BIG_IN_ORDER, err);
	f->forest = f->forests.at;
	f->semi = f->semis.at;
	f->path = f->paths.at;
	f->sources = (uint32_t *)f->sorted.at + AHEAD;
	return st;
}

enum hp_status
hp_dominators(struct hp_preorder *p, struct hp_big_memory *m,
	      struct hp_error *err)
{
	struct finder *f = calloc(1, sizeof(*f));
	const uint32_t *parents = p->parents.at;
	enum hp_status st;

	if (!f)
		return hp_fail(err, HP_NOMEM, "out of memory");
	f->p = p;
	st = make_arrays(f, m, err);
	for (uint32_t i = 0; st == HP_OK && i < p->count; i++)
		f->forest[i] = (struct forest){parents[i], i};
	for (uint32_t b = p->cross.nbuckets; b-- > 0 && st == HP_OK;) {
		if ((uint64_t)b << HP_CROSS_BITS >= p->count)
			continue;
		st = sort_bucket(f, b, m, err);
		if (st == HP_OK)
			bucket_semis(f, b);
	}
	if (st == HP_OK)
		find_dominators(f);
	hp_cross_release(&p->cross, m);
	hp_big_array_drop(m, &f->forests);
	hp_big_array_drop(m, &f->semis);
	hp_big_array_drop(m, &f->paths);
	hp_big_array_drop(m, &f->sorted);
	free(f);
	return st;
}
