/*
 * cross.c - collect the back edges and cross edges of the depth-first search,
 * grouped by target, on all threads
 *
 * An edge is a reference from one object (the source) to another (the target).
 * Objects are numbered in the order of a depth-first search. Threads take
 * ranges of 16,384 sources in ascending order. So each thread handles its
 * sources in ascending order, and the difference between two consecutive
 * sources mostly fits in one or two bytes.
 */
#include "common/graph/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

#include <stdatomic.h>

enum {
	/*
	 * number of objects (preorder numbers) that a thread handles before it
	 * takes more
	 */
	SLICE = 1 << 14,
	/*
	 * How far ahead the code prefetches, as a number of objects. For the
	 * object that is FAR ahead, it prefetches the position of the list of
	 * references; for the object that is NEAR ahead, the list itself.
	 */
	FAR = 32,
	NEAR = 16,
	WAITING = 128, /* number of references that are looked up together */
	/* maximum size in bytes of an encoded difference (LEB128) */
	VARINT = 5,
};

struct gathering {
	struct hp_cross *c;
	const struct hp_cross_input *in;
	struct hp_graph *g;
	const uint8_t *lists;
	const uint32_t *nodes;
	_Atomic uint32_t *semis;
	/* this is the first round, so forward() is needed */
	bool with_forward;
	/*
	 * the first preorder number (also of folded objects) that no thread has
	 * taken
	 */
	_Atomic uint32_t next;
	/* protects the list of blocks, and the members `most` and `error` */
	pthread_mutex_t lock;
	uint64_t most; /* maximum number of blocks of references */
	/*
	 * the first failure to allocate a block of references; HP_OK: no
	 * failure
	 */
	struct hp_error error;
};

/*
 * A reference that waits to be looked up. `from`: the number of the source.
 * `to`: the node of the target; the lookup replaces it by the number of the
 * target.
 */
struct waiting {
	uint32_t from, to;
};

struct gatherer {
	struct gathering *all;
	struct hp_cross_bucket *buckets;
	struct hp_cross_block *blocks;
	bool failed;
	unsigned nwaiting;
	struct waiting waiting[WAITING];
};

/* --- writing blocks of references --- */

static uint32_t
take_block(struct gathering *a)
{
	struct hp_cross *c = a->c;
	uint32_t block = 0;

	pthread_mutex_lock(&a->lock);
	if (a->error.status == HP_OK && c->nblocks + UINT64_C(1) >= a->most &&
	    hp_big_array_grow(&a->g->memory, &c->blocks,
			      (c->nblocks + UINT64_C(2)) * HP_CROSS_BLOCK,
			      &a->error) == HP_OK)
		a->most = c->blocks.ready / HP_CROSS_BLOCK;
	if (a->error.status == HP_OK)
		block = ++c->nblocks;
	pthread_mutex_unlock(&a->lock);
	return block;
}

static bool
begin_block(struct gatherer *w, struct hp_cross_bucket *k)
{
	uint32_t block = take_block(w->all);

	w->failed |= block == 0;
	if (block == 0)
		return false;
	if (k->head)
		w->blocks[k->head].count = k->count;
	k->earlier += k->count;
	w->blocks[block].next = k->head;
	w->blocks[block].from = k->from;
	k->head = block;
	k->count = k->bytes = 0;
	return true;
}

static inline void
note_cross(struct gatherer *w, uint32_t from, uint32_t to)
{
	struct hp_cross_bucket *k = &w->buckets[to >> HP_CROSS_BITS];
	uint32_t difference = from - k->from;
	struct hp_cross_block *b;
	uint8_t *p;

	if (HP_UNLIKELY(k->head == 0 ||
			2 * k->count + k->bytes > HP_CROSS_ROOM - 2 - VARINT) &&
	    !begin_block(w, k))
		return;
	b = &w->blocks[k->head];
	b->to[k->count++] = (uint16_t)to;
	p = b->differences + HP_CROSS_ROOM - k->bytes;
	for (; difference >= 128; difference >>= 7, k->bytes++)
		*--p = (uint8_t)(difference | 128);
	*--p = (uint8_t)difference;
	k->bytes++;
	k->from = from;
}

/* --- looking up references ------------------------------------------------ */

/*
 * Handle a reference from the object @from to an object @to with a larger
 * preorder number. Then @from is an ancestor of @to in the depth-first tree.
 * Among such ancestors, the semidominator of @to depends only on the smallest
 * one, so only that number is stored.
 */
static inline void
forward(const struct gathering *a, uint32_t from, uint32_t to)
{
	_Atomic uint32_t *least = &a->semis[to];
	uint32_t was = atomic_load_explicit(least, memory_order_relaxed);

	while (from < was && !atomic_compare_exchange_weak_explicit(
				     least, &was, from, memory_order_relaxed,
				     memory_order_relaxed)) {
	}
}

/*
 * Look up the targets of all waiting references. One loop looks up the number
 * of each target, a second loop the data of this number, so that cache misses
 * overlap. References to a root are dropped, because no object dominates a
 * root. References to folded objects have the number 0 and are also dropped.
 */
static void
look_up(struct gatherer *w)
{
	const struct gathering *a = w->all;
	struct waiting *x;

	for (unsigned i = 0; i < w->nwaiting; i++) {
		x = &w->waiting[i];
		x->to = a->in->number[x->to];
		if (x->to > x->from && a->with_forward)
			__builtin_prefetch((const void *)&a->semis[x->to]);
	}
	for (unsigned i = 0; i < w->nwaiting; i++) {
		x = &w->waiting[i];
		if (x->to > x->from) {
			if (a->with_forward)
				forward(a, x->from, x->to);
		} else if (x->to != x->from &&
			   x->to - a->in->first < a->in->end - a->in->first &&
			   !(a->in->rooted[x->to >> 6] >> (x->to & 63) & 1))
			note_cross(w, x->from, x->to);
	}
	w->nwaiting = 0;
}

HP_HOT void
wait_for(struct gatherer *w, uint32_t from, uint32_t node)
{
	if (HP_UNLIKELY(w->nwaiting == WAITING))
		look_up(w);
	w->waiting[w->nwaiting++] = (struct waiting){from, node};
	__builtin_prefetch(&w->all->in->number[node]);
}

/* @i: a preorder number */
HP_HOT void
fetch(const struct gathering *a, uint32_t i, uint32_t end)
{
	if (i + FAR < end && hp_is_kept(a->in->kept, i + FAR))
		hp_edge_prefetch_start(&a->g->edges, a->nodes[i + FAR]);
	if (i + NEAR < end && hp_is_kept(a->in->kept, i + NEAR))
		hp_edge_prefetch_list(&a->g->edges, a->nodes[i + NEAR]);
}

/* Read the references of the node @source, whose number is @from. */
static void
references_of(struct gatherer *w, uint32_t from, uint32_t source)
{
	const struct gathering *a = w->all;
	struct hp_edge_reader r = {.base = source};
	uint32_t kind = hp_edge_kind(&a->g->edges, source, &r.at), node;

	if (a->in->class_met[kind] != 0)
		wait_for(w, from, a->g->kinds.list[kind].class_node);
	if (r.at == 0)
		return;
	while ((node = hp_edge_next(a->lists, &r)) != HP_EDGE_END)
		wait_for(w, from, node);
}

static void *
gather(void *argument)
{
	struct gatherer *w = argument;
	struct gathering *a = w->all;
	uint32_t count = a->in->count, i, end, from;

	while (!w->failed) {
		i = atomic_load_explicit(&a->next, memory_order_relaxed);
		do {
			if (i >= count)
				return NULL;
			end = count - i < SLICE ? count : i + SLICE;
		} while (!atomic_compare_exchange_weak(&a->next, &i, end));
		from = hp_kept_number(a->in->kept, i);
		for (; i < end; i++) {
			fetch(a, i, end);
			if (hp_is_kept(a->in->kept, i))
				references_of(w, from++, a->nodes[i]);
		}
		look_up(w);
	}
	return NULL;
}

/* --- collecting all references --- */

/*
 * Reserve address space for all blocks of references: up to 7 bytes for each
 * reference, plus one partly filled block for each bucket (range of target
 * numbers) of each thread.
 */
static enum hp_status
make_room(struct gathering *a, unsigned threads, struct hp_error *err)
{
	struct hp_cross *c = a->c;
	uint64_t blocks;

	c->threads = threads;
	c->nbuckets = (a->in->kept->count >> HP_CROSS_BITS) + 1;
	c->buckets =
		hp_calloc((size_t)c->nbuckets * threads, sizeof(*c->buckets));
	if (!c->buckets)
		return hp_no_memory(err);
	blocks = (a->g->edges.lists.bytes + a->in->count) /
			 (HP_CROSS_ROOM / (2 + VARINT) - 1) +
		 (uint64_t)c->nbuckets * threads + 2;
	if (blocks >= UINT32_MAX)
		return hp_fail(err, HP_LIMIT,
			       "the dump has too many references");
	return hp_big_array_reserve(&c->blocks, blocks * HP_CROSS_BLOCK,
				    HP_BIG_BLOCKS, err);
}

/*
 * Store the number of references in the last block of each list. Full blocks
 * already have this number.
 */
static void
end_blocks(struct hp_cross *c)
{
	struct hp_cross_block *blocks = c->blocks.at;

	for (size_t i = 0; i < (size_t)c->nbuckets * c->threads; i++)
		if (c->buckets[i].head)
			blocks[c->buckets[i].head].count = c->buckets[i].count;
}

static void
gather_all(struct gathering *a, struct gatherer *workers)
{
	struct hp_cross *c = a->c;

	for (unsigned i = 0; i < c->threads; i++)
		workers[i] = (struct gatherer){
			.all = a,
			.buckets = c->buckets + (size_t)i * c->nbuckets,
			.blocks = c->blocks.at};
	hp_threads_run(c->threads, gather, workers, sizeof(*workers));
}

enum hp_status
hp_cross_gather(struct hp_cross *c, const struct hp_cross_input *in,
		struct hp_graph *g, struct hp_error *err)
{
	struct gathering a = {.c = c,
			      .in = in,
			      .g = g,
			      .lists = g->edges.lists.at,
			      .nodes = in->nodes,
			      .semis = in->semis,
			      .with_forward = in->end == in->kept->count,
			      .next = 1};
	/* Use at most one thread for each SLICE objects. */
	unsigned most = in->count / SLICE + 1;
	unsigned threads = g->o.threads < most ? g->o.threads : most;
	struct gatherer *workers = hp_calloc(threads, sizeof(*workers));
	enum hp_status st;

	pthread_mutex_init(&a.lock, NULL);
	st = workers ? make_room(&a, threads, err) : hp_no_memory(err);
	if (st == HP_OK)
		gather_all(&a, workers);
	if (st == HP_OK && a.error.status != HP_OK)
		st = hp_fail_as(err, &a.error);
	if (st == HP_OK) {
		end_blocks(c);
		hp_big_array_shrink(&g->memory, &c->blocks,
				    (c->nblocks + UINT64_C(1)) *
					    HP_CROSS_BLOCK);
	}
	pthread_mutex_destroy(&a.lock);
	hp_free(workers);
	return st;
}

void
hp_cross_release(struct hp_cross *c, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &c->blocks);
	hp_free(c->buckets);
	*c = (struct hp_cross){0};
}

/* --- reading -------------------------------------------------------------- */

uint64_t
hp_cross_size(const struct hp_cross *c, uint32_t bucket)
{
	const struct hp_cross_bucket *k;
	uint64_t n = 0;

	for (unsigned t = 0; t < c->threads; t++) {
		k = &c->buckets[t * (size_t)c->nbuckets + bucket];
		n += k->earlier + k->count;
	}
	return n;
}

void
hp_cross_read(struct hp_cross_reader *r, const struct hp_cross *c,
	      uint32_t bucket)
{
	*r = (struct hp_cross_reader){.c = c, .bucket = bucket};
}

static void
fetch_block(const struct hp_cross *c, uint32_t block)
{
	if (block)
		hp_big_array_fetch(&c->blocks, (uint64_t)block * HP_CROSS_BLOCK,
				   HP_CROSS_BLOCK);
}

/*
 * Move the reader to the next block of its bucket (range of targets). First
 * come all blocks that the first thread has filled, then those of the second
 * thread, and so on. Returns false at the end.
 */
static bool
next_block(struct hp_cross_reader *r)
{
	const struct hp_cross *c = r->c;
	const struct hp_cross_block *blocks = c->blocks.at;

	if (r->block)
		r->block = blocks[r->block].next;
	while (r->block == 0 && r->thread < c->threads) {
		r->block = c->buckets[r->thread++ * (size_t)c->nbuckets +
				      r->bucket]
				   .head;
		fetch_block(c, r->block);
	}
	if (r->block == 0)
		return false;
	/* while this block is decoded, the kernel reads the next one */
	fetch_block(c, blocks[r->block].next);
	r->index = r->bytes = 0;
	r->from = blocks[r->block].from;
	return true;
}

/*
 * Decode the next references of the current block, at most @most. Returns how
 * many were decoded.
 */
static unsigned
next_of_block(struct hp_cross_reader *r, struct hp_cross_reference *out,
	      unsigned most)
{
	const struct hp_cross_block *b =
		(const struct hp_cross_block *)r->c->blocks.at + r->block;
	const uint8_t *p = b->differences + HP_CROSS_ROOM - r->bytes;
	uint32_t from = r->from, difference;
	unsigned n = b->count - r->index < most ? b->count - r->index : most;
	unsigned shift;

	for (unsigned i = 0; i < n; i++) {
		difference = *--p & 127;
		for (shift = 7; *p & 128; shift += 7)
			difference |= (uint32_t)(*--p & 127) << shift;
		from += difference;
		out[i] = (struct hp_cross_reference){from, b->to[r->index + i]};
	}
	r->index += n;
	r->bytes = (uint32_t)(b->differences + HP_CROSS_ROOM - p);
	r->from = from;
	return n;
}

unsigned
hp_cross_next(struct hp_cross_reader *r, struct hp_cross_reference *out,
	      unsigned most)
{
	unsigned n = 0, more;

	do {
		more = r->block ? next_of_block(r, out + n, most - n) : 0;
		n += more;
	} while (n < most && (more > 0 || next_block(r)));
	return n;
}
