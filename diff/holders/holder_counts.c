/*
 * holder_counts.c - for each kind of reference, add up the references to the
 * objects of each kind (class and size)
 */
#include "diff/holders/internal.h"

#include "common/base/vec.h"
#include "common/base/memory.h"
#include "common/base/threads.h"

#include <stdlib.h>

/*
 * When the objects of each kind are counted, each thread takes this many
 * objects at a time.
 */
enum { NODES_A_TURN = 1 << 16 };

/*
 * The references of one kind to objects of one kind (class and size).
 * references: number of these references. objects: number of the objects to
 * which they refer; each object counts once.
 */
struct sum {
	uint64_t objects, references;
};

struct counter {
	struct hp_holder_pass *p;
	/*
	 * for each kind of object (class and size): its sum for the current
	 * kind of reference
	 */
	struct sum *sums;
	/*
	 * the numbers of the kinds of objects (class and size) whose sum is not
	 * 0
	 */
	uint32_t *touched;
	uint32_t ntouched;
	/*
	 * the sums that this thread has computed; elements: struct
	 * hp_holder_count
	 */
	struct hp_vec counts;
	/*
	 * number of elements of `counts` that were already copied into the
	 * common list of the results of all threads
	 */
	size_t taken;
	struct hp_error error;
};

static void
add_run(struct counter *c, uint32_t kind, const struct sum *run)
{
	struct sum *sum = &c->sums[kind];

	if (run->objects == 0)
		return;
	if (sum->objects == 0)
		c->touched[c->ntouched++] = kind;
	sum->objects += run->objects;
	sum->references += run->references;
}

/*
 * Add up the counters of one kind of reference. Consecutive objects often have
 * the same kind (class and size). The counters of such objects are added up
 * first, so that the sum for their kind is updated only once.
 */
static void
count_edge(struct counter *c, uint32_t edge)
{
	const uint32_t *kind_of = c->p->kind_of.at;
	uint32_t nodes[HP_EDGE_COUNT_NODES], counts[HP_EDGE_COUNT_NODES];
	uint32_t n, last = 0;
	struct sum run = {0};
	struct hp_edge_walk walk = {0};

	while ((n = hp_edge_count_next(&c->p->edge_counts, edge, &walk, nodes,
				       counts)) > 0) {
		for (uint32_t i = 0; i < n; i++)
			__builtin_prefetch(&kind_of[nodes[i]]);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t kind = kind_of[nodes[i]];

			if (kind != last) {
				add_run(c, last, &run);
				last = kind;
				run = (struct sum){0};
			}
			run.objects++;
			run.references += counts[i];
		}
	}
	add_run(c, last, &run);
}

static enum hp_status
list_sums(struct counter *c, uint32_t edge)
{
	for (uint32_t i = 0; i < c->ntouched; i++) {
		struct sum *sum = &c->sums[c->touched[i]];

		if (!HP_VEC_PUSH(&c->counts, struct hp_holder_count,
				 .edge = edge, .kind = c->touched[i],
				 .objects = sum->objects,
				 .references = sum->references))
			return hp_no_memory(&c->error);
		*sum = (struct sum){0};
	}
	c->ntouched = 0;
	return HP_OK;
}

static int
by_edge(const void *a, const void *b)
{
	const struct hp_holder_count *x = a, *y = b;

	return hp_order(x->edge, y->edge);
}

/*
 * Add one hash table of overflowed counters to @sums. The key in @sums has the
 * kind of reference in its upper 32 bits and the kind of object (class and
 * size) in its lower 32 bits. Returns false if out of memory.
 */
static bool
sum_table(const struct hp_holder_pass *p, const struct hp_edge_carry_table *t,
	  struct hp_id_map *sums)
{
	const uint32_t *kind_of = p->kind_of.at;

	for (uint32_t i = 0; i < t->cap; i++) {
		const struct hp_edge_carry *slot = &t->slots[i];
		uint64_t *sum;

		if (slot->times == 0)
			continue;
		sum = hp_id_map_put(
			sums, (uint64_t)t->edge << 32 | kind_of[slot->node],
			NULL);
		if (!sum)
			return false;
		*sum += (uint64_t)slot->times * HP_EDGE_CARRY;
	}
	return true;
}

/*
 * Add up the overflowed counters of all threads by kind of reference and kind
 * of object. Returns false if out of memory.
 */
static bool
sum_carried(struct hp_holder_pass *p, struct hp_id_map *sums)
{
	for (unsigned i = 0; i < p->g->options->threads; i++) {
		struct hp_edge_carries *carried = &p->workers[i].carried;

		for (size_t k = 0; k < carried->count; k++)
			if (!sum_table(p, &carried->list[k], sums))
				return false;
		hp_edge_carries_release(carried);
	}
	return true;
}

/*
 * Append an entry to c->counts for each sum of overflowed counters. Such an
 * entry counts only references: another entry already counts the objects to
 * which they refer.
 */
static enum hp_status
list_carried(struct counter *c)
{
	struct hp_id_map sums = {0};
	bool fine = sum_carried(c->p, &sums);
	uint64_t key, references;
	size_t at = 0;

	while (fine && hp_id_map_next(&sums, &at, &key, &references))
		fine = HP_VEC_PUSH(&c->counts, struct hp_holder_count,
				   .edge = (uint32_t)(key >> 32),
				   .kind = (uint32_t)key,
				   .references = references);
	hp_id_map_release(&sums);
	if (!fine)
		return hp_no_memory(&c->error);
	return hp_sort(c->counts.items, c->counts.count,
		       sizeof(struct hp_holder_count), by_edge)
		       ? HP_OK
		       : hp_no_memory(&c->error);
}

static void
count_objects(struct counter *c)
{
	const uint32_t *kind_of = c->p->kind_of.at;
	const uint64_t nodes = c->p->nodes.count;
	uint64_t from, end, next;

	while ((from = atomic_fetch_add(&c->p->listed, NODES_A_TURN)) < nodes) {
		end = from + NODES_A_TURN < nodes ? from + NODES_A_TURN : nodes;
		for (; from < end; from = next) {
			for (next = from + 1; next < end; next++)
				if (kind_of[next] != kind_of[from])
					break;
			c->sums[kind_of[from]].objects += next - from;
		}
	}
}

static bool
sum_objects(struct hp_holder_pass *p, const struct counter *counters,
	    unsigned n)
{
	p->objects =
		hp_calloc(p->kinds.count + UINT64_C(1), sizeof(*p->objects));
	for (uint32_t k = 0; p->objects && k < p->kinds.count; k++)
		for (unsigned i = 0; i < n; i++)
			p->objects[k] += counters[i].sums[k].objects;
	return p->objects;
}

static void *
count_in_turn(void *argument)
{
	struct counter *c = argument;
	uint32_t end = c->p->edge_counts.end, edge;

	while (c->error.status == HP_OK &&
	       (edge = atomic_fetch_add(&c->p->counted, 1)) < end) {
		count_edge(c, edge);
		list_sums(c, edge);
	}
	if (c->error.status == HP_OK && hp_holder_notes_kinds(c->p))
		count_objects(c);
	return NULL;
}

/*
 * Append the sums for one kind of reference to @to. Callers pass the kinds of
 * references in ascending order. Returns false if out of memory.
 */
static bool
take_counts(struct counter *c, uint32_t edge, struct hp_vec *to)
{
	const struct hp_holder_count *list = c->counts.items, *from;

	for (; c->taken < c->counts.count; c->taken++) {
		from = &list[c->taken];
		if (from->edge != edge)
			break;
		if (!hp_vec_push(to, from, sizeof(*from)))
			return false;
	}
	return true;
}

static enum hp_status
merge_counts(struct hp_holder_pass *p, struct counter *counters, unsigned n,
	     struct hp_error *err)
{
	bool fine = true;

	for (unsigned i = 0; i < n; i++)
		if (counters[i].error.status != HP_OK)
			return hp_fail_as(err, &counters[i].error);
	p->counts.count = 0;
	for (uint32_t e = p->edge_counts.from; e < p->edge_counts.end && fine;
	     e++)
		for (unsigned i = 0; i < n && fine; i++)
			fine = take_counts(&counters[i], e, &p->counts);
	return fine ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_holder_counts_find(struct hp_holder_pass *p, struct hp_error *err)
{
	unsigned n = hp_threads_for(p->g->options->threads, p->nodes.count,
				    HP_HOLDER_NODES_A_THREAD);
	/*
	 * one struct for each thread, and one for the overflowed counters of
	 * all threads
	 */
	struct counter *counters = hp_calloc(n + 1, sizeof(*counters));
	bool fine = counters;
	enum hp_status st;

	for (unsigned i = 0; i < n && fine; i++) {
		struct counter *c = &counters[i];

		c->sums = hp_calloc(p->kinds.count + UINT64_C(1),
				    sizeof(*c->sums));
		c->touched = hp_calloc(p->kinds.count + UINT64_C(1),
				       sizeof(*c->touched));
		fine = c->sums && c->touched;
	}
	for (unsigned i = 0; i <= n && fine; i++)
		counters[i].p = p;
	atomic_store(&p->counted, p->edge_counts.from);
	if (fine) {
		hp_threads_run(n, count_in_turn, counters, sizeof(*counters));
		list_carried(&counters[n]);
		fine = !hp_holder_notes_kinds(p) || sum_objects(p, counters, n);
	}
	st = fine ? merge_counts(p, counters, n + 1, err) : hp_no_memory(err);
	for (unsigned i = 0; counters && i <= n; i++) {
		hp_free(counters[i].sums);
		hp_free(counters[i].touched);
		hp_free(counters[i].counts.items);
	}
	hp_free(counters);
	return st;
}
