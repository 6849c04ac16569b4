/*
 * kept.c - number the objects that are kept (not folded) for the dominator
 * algorithm, and unfold the result
 *
 * The depth-first search (preorder.c) finds the objects that are kept. Folded
 * objects need only their preorder numbers and their parents.
 */
#include "common/graph/internal.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

#include <stdatomic.h>
#include <string.h>

enum {
	/* number of preorder numbers that a thread handles at a time */
	SLICE = 1 << 16,
	/* maximum number of rounds in which references are read */
	MOST_ROUNDS = 3,
	/* about how many bytes struct hp_cross needs for a reference */
	REFERENCE = 3,
	FOREST = 8, /* number of bytes of an object in the forest */
};

/* The state of filling arrays from preorder numbers, on all threads. */
struct numbering {
	const struct hp_kept *kept;
	uint32_t count;
	const uint32_t *nodes, *parents; /* indexed by preorder number */
	uint32_t *split;  /* receives the parents; see struct hp_kept */
	uint32_t *number; /* receives the number of each node that is kept */
	void (*word)(const struct numbering *n, uint32_t word);
	_Atomic uint64_t from; /* the first index that no thread has taken */
};

/* Split the parents of the 64 preorder numbers of a word of bits. */
static void
split_word(const struct numbering *n, uint32_t word)
{
	const struct hp_kept *k = n->kept;
	uint32_t begin = word << 6;
	uint32_t end = n->count - begin < 64 ? n->count : begin + 64;
	uint32_t now = ((const uint32_t *)k->before.at)[word];
	uint32_t folded = k->count + begin - now;

	for (uint32_t i = begin; i < end; i++)
		if (hp_is_kept(k, i))
			n->split[now++] = hp_kept_number(k, n->parents[i]);
		else
			n->split[folded++] = n->parents[i];
}

static void
number_word(const struct numbering *n, uint32_t word)
{
	uint64_t bits = ((const uint64_t *)n->kept->bits.at)[word];
	uint32_t now = ((const uint32_t *)n->kept->before.at)[word], i;

	for (; bits != 0; bits &= bits - 1, now++) {
		i = word << 6 | (uint32_t)__builtin_ctzll(bits);
		if (i != 0)
			n->number[n->nodes[i]] = now;
	}
}

static void *
number_slices(void *argument)
{
	struct numbering *n = argument;
	uint64_t from, end;

	while ((from = atomic_fetch_add(&n->from, SLICE)) < n->count) {
		end = n->count - from < SLICE ? n->count : from + SLICE;
		for (uint64_t word = from >> 6; word < (end + 63) >> 6; word++)
			n->word(n, (uint32_t)word);
	}
	return NULL;
}

static void
number_all(struct numbering *n,
	   void (*word)(const struct numbering *n, uint32_t word),
	   unsigned threads)
{
	n->word = word;
	n->from = 0;
	hp_threads_run(hp_threads_for(threads, n->count, SLICE), number_slices,
		       n, 0);
}

static enum hp_status
count_kept(struct hp_kept *k, uint32_t count, struct hp_big_memory *m,
	   struct hp_error *err)
{
	const uint64_t *bits = k->bits.at;
	uint64_t words = (uint64_t)count / 64 + 1;
	enum hp_status st = hp_big_array_make(
		m, &k->before, words * sizeof(uint32_t), HP_BIG_RANDOM, err);
	uint32_t *before = k->before.at;

	if (st != HP_OK)
		return st;
	k->count = 0;
	for (uint64_t i = 0; i < words; i++) {
		before[i] = k->count;
		k->count += (uint32_t)__builtin_popcountll(bits[i]);
	}
	return HP_OK;
}

/*
 * Replace the bits of roots, which are indexed by preorder number, by bits
 * indexed by the numbers of the objects that are kept. Such a number is never
 * larger than the preorder number, so each word is read before a bit of it is
 * set. The bit of number 0 is also set.
 */
static void
number_roots(const struct hp_kept *k, uint32_t count, uint64_t *rooted)
{
	for (uint32_t word = 0; word <= count / 64; word++) {
		uint64_t bits = rooted[word];

		rooted[word] = 0;
		for (; bits != 0; bits &= bits - 1) {
			uint32_t i = hp_kept_number(
				k, word << 6 | (uint32_t)__builtin_ctzll(bits));

			rooted[i >> 6] |= UINT64_C(1) << (i & 63);
		}
	}
	rooted[0] |= 1;
}

/*
 * Store in @class_met, for each kind (objects of the same class and size), the
 * number of the class object. Kinds whose class object is a root are left out.
 */
static void
find_classes(const struct hp_node_kinds *kinds, const uint32_t *number,
	     const uint64_t *rooted, uint32_t *class_met)
{
	for (uint32_t k = 1; k < kinds->count; k++) {
		uint32_t node = kinds->list[k].class_node, n;

		if (node == HP_NO_NODE)
			continue;
		n = number[node];
		if (!(rooted[n >> 6] >> (n & 63) & 1))
			class_met[k] = n;
	}
}

/*
 * Make the array k->parents from the parents of all preorder numbers, which are
 * freed.
 */
static enum hp_status
split_parents(struct hp_preorder *p, struct hp_graph *g, struct hp_error *err)
{
	struct hp_kept *k = &p->kept;
	struct numbering n = {
		.kept = k, .count = p->count, .parents = p->parents.at};
	enum hp_status st = count_kept(k, p->count, &g->memory, err);

	if (st == HP_OK)
		st = hp_big_array_make(&g->memory, &k->parents,
				       4 * (uint64_t)p->count, HP_BIG_IN_ORDER,
				       err);
	n.split = k->parents.at;
	if (st == HP_OK)
		number_all(&n, split_word, g->o.threads);
	hp_big_array_drop(&g->memory, &p->parents);
	return st;
}

/*
 * Make the array k->semis, with the parents as initial values, and the array
 * @numbers, with the number of each node that is kept.
 */
static enum hp_status
number_nodes(struct hp_preorder *p, struct hp_big_array *numbers,
	     struct hp_graph *g, struct hp_error *err)
{
	struct hp_kept *k = &p->kept;
	struct numbering n = {
		.kept = k, .count = p->count, .nodes = p->nodes.at};
	enum hp_status st =
		hp_big_array_make(&g->memory, &k->semis, 4 * (uint64_t)k->count,
				  HP_BIG_RANDOM, err);

	if (st == HP_OK)
		st = hp_big_array_make(&g->memory, numbers,
				       4 * ((uint64_t)g->nodes.count + 1),
				       HP_BIG_RANDOM, err);
	n.number = numbers->at;
	if (st != HP_OK)
		return st;
	memcpy(k->semis.at, k->parents.at, 4 * (size_t)k->count);
	number_all(&n, number_word, g->o.threads);
	return HP_OK;
}

/*
 * How many rounds read the references between objects that are kept. In each
 * round, the references need about as much memory as the forest of the
 * algorithm (8 bytes for each object), or less. If the limit for memory does
 * not leave room for the forest, there is one round, because references can be
 * in files.
 */
static unsigned
rounds_for(const struct hp_preorder *p, const struct hp_big_memory *m)
{
	uint64_t forest = FOREST * (uint64_t)p->kept.count;
	uint64_t rounds = p->repeated * REFERENCE / forest + 1;

	if (m->in_order < m->held + 2 * forest)
		return 1;
	return rounds < MOST_ROUNDS ? (unsigned)rounds : MOST_ROUNDS;
}

/*
 * Returns the number of the first object whose references a round reads. Most
 * references from later to earlier objects lead to objects with small numbers:
 * the part of all references that leads to numbers from x * count on is about
 * the square of 1 - x. So these limits divide the references into equal parts.
 */
static uint32_t
round_begin(uint32_t count, unsigned rounds, unsigned round)
{
	/* in 256ths of all objects: 256 * (1 - sqrt((round + 1) / rounds)) */
	static const uint8_t begins[MOST_ROUNDS][MOST_ROUNDS] = {
		{0}, {75, 0}, {108, 47, 0}};

	return (uint32_t)((uint64_t)count * begins[rounds - 1][round] >> 8) >>
	       HP_CROSS_BITS << HP_CROSS_BITS;
}

/* Read the references between all objects that are kept, in rounds. */
static enum hp_status
gather_rounds(struct hp_preorder *p, struct hp_cross_input *in,
	      struct hp_graph *g, struct hp_error *err)
{
	struct hp_kept *k = &p->kept;
	unsigned rounds = rounds_for(p, &g->memory);
	enum hp_status st = HP_OK;

	in->end = k->count;
	for (unsigned round = 0; round < rounds && st == HP_OK; round++) {
		in->first = round_begin(k->count, rounds, round);
		if (in->first == in->end)
			continue;
		if (in->end < k->count)
			st = hp_semidominators(k, in->end, g->o.threads,
					       &g->memory, err);
		if (st == HP_OK)
			st = hp_cross_gather(&k->cross, in, g, err);
		in->end = in->first;
	}
	return st;
}

enum hp_status
hp_kept_gather(struct hp_preorder *p, uint64_t *rooted, struct hp_graph *g,
	       struct hp_error *err)
{
	struct hp_kept *k = &p->kept;
	struct hp_big_array numbers = {0};
	uint32_t *class_met = hp_calloc(g->kinds.count, sizeof(*class_met));
	enum hp_status st = class_met ? HP_OK : hp_no_memory(err);
	struct hp_cross_input in;

	if (st == HP_OK)
		st = split_parents(p, g, err);
	if (st == HP_OK)
		st = number_nodes(p, &numbers, g, err);
	if (st == HP_OK) {
		k->settled = k->count;
		number_roots(k, p->count, rooted);
		find_classes(&g->kinds, numbers.at, rooted, class_met);
	}
	in = (struct hp_cross_input){.kept = k,
				     .count = p->count,
				     .nodes = p->nodes.at,
				     .semis = k->semis.at,
				     .number = numbers.at,
				     .rooted = rooted,
				     .class_met = class_met};
	if (st == HP_OK)
		st = gather_rounds(p, &in, g, err);
	hp_big_array_drop(&g->memory, &numbers);
	hp_free(class_met);
	return st;
}

/*
 * The numbers of dominators are translated back to preorder numbers in the
 * order of the numbers. A dominator has a smaller number than the object. So
 * the array of dominators of kept objects can be replaced, element by element,
 * by the preorder numbers of these objects, which the later objects need.
 */
enum hp_status
hp_kept_unfold(struct hp_preorder *p, struct hp_big_memory *m,
	       struct hp_error *err)
{
	struct hp_kept *k = &p->kept;
	uint32_t *kept = k->parents.at, *dominators, now = 0;
	const uint32_t *folded = kept + k->count;
	enum hp_status st = hp_big_array_make(
		m, &p->parents, 4 * (uint64_t)p->count, HP_BIG_RANDOM, err);

	dominators = p->parents.at;
	for (uint32_t i = 0; st == HP_OK && i < p->count; i++) {
		if (!hp_is_kept(k, i)) {
			dominators[i] = *folded++;
			continue;
		}
		if (i > 0)
			dominators[i] = kept[kept[now]];
		kept[now++] = i;
	}
	hp_kept_release(k, m);
	return st;
}

void
hp_kept_release(struct hp_kept *k, struct hp_big_memory *m)
{
	hp_big_array_drop(m, &k->bits);
	hp_big_array_drop(m, &k->before);
	hp_big_array_drop(m, &k->parents);
	hp_big_array_drop(m, &k->semis);
	hp_big_array_drop(m, &k->forest);
	hp_cross_release(&k->cross, m);
	*k = (struct hp_kept){0};
}
