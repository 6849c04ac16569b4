/*
 * holder_counts.c - what the objects are that references of each kind name
 *
 * Each thread takes one set after the other; what it counts of a set stands
 * together, so that the rest only has to be put in the order of the sets.
 */
#include "diff/leaks/holder_internal.h"

#include "common/base/threads.h"

#include <stdlib.h>

struct counter {
	struct hp_holder_pass *p;
	uint64_t *objects; /* by kind, of the set at hand */
	uint32_t *touched; /* kinds that have any */
	uint32_t ntouched;
	struct hp_vec counts; /* struct hp_holder_count */
	size_t taken;	      /* of them, once all are done */
	uint64_t noted;	      /* bytes, for the budget */
	struct hp_error error;
};

static void
add_run(struct counter *c, uint32_t kind, uint64_t objects)
{
	if (objects == 0)
		return;
	if (c->objects[kind] == 0)
		c->touched[c->ntouched++] = kind;
	c->objects[kind] += objects;
}

/* Most objects are what the one before is: a run of these is added at once. */
static void
count_set(struct counter *c, uint32_t edge)
{
	const uint32_t *kind_of = c->p->kind_of.at;
	uint32_t nodes[HP_EDGE_SET_NODES], n, last = 0;
	uint64_t at = 0, run = 0;

	while ((n = hp_edge_set_next(&c->p->sets, edge, &at, nodes)) > 0) {
		for (uint32_t i = 0; i < n; i++)
			__builtin_prefetch(&kind_of[nodes[i]]);
		for (uint32_t i = 0; i < n; i++, run++) {
			uint32_t kind = kind_of[nodes[i]];

			if (kind == last)
				continue;
			add_run(c, last, run);
			last = kind;
			run = 0;
		}
	}
	add_run(c, last, run);
}

/* What was counted of the set goes to the list, and the counts to 0. */
static enum hp_status
list_counts(struct counter *c, uint32_t edge)
{
	struct hp_holder_count *count;

	for (uint32_t i = 0; i < c->ntouched; i++) {
		count = hp_vec_add(&c->counts, sizeof(*count));
		if (!count)
			return hp_no_memory(&c->error);
		*count = (struct hp_holder_count){
			.edge = edge,
			.kind = c->touched[i],
			.objects = c->objects[c->touched[i]]};
		c->objects[c->touched[i]] = 0;
	}
	c->ntouched = 0;
	return hp_histogram_note(c->p->g, &c->noted,
				 c->counts.cap * sizeof(*count), &c->error);
}

static void *
count_sets(void *argument)
{
	struct counter *c = argument;
	uint32_t end = c->p->sets.end, edge;

	while (c->error.status == HP_OK &&
	       (edge = atomic_fetch_add(&c->p->counted, 1)) < end) {
		count_set(c, edge);
		list_counts(c, edge);
	}
	return NULL;
}

/* The counts of one set, which one thread has, behind those of the others. */
static bool
take_counts(struct counter *c, uint32_t edge, struct hp_vec *to)
{
	const struct hp_holder_count *list = c->counts.items, *from;
	struct hp_holder_count *count;

	for (; c->taken < c->counts.count; c->taken++) {
		from = &list[c->taken];
		if (from->edge != edge)
			break;
		count = hp_vec_add(to, sizeof(*count));
		if (!count)
			return false;
		*count = *from;
	}
	return true;
}

static enum hp_status
merge_counts(struct hp_holder_pass *p, struct counter *counters, unsigned n,
	     struct hp_error *err)
{
	size_t all = 0;
	bool fine = true;
	enum hp_status st;

	for (unsigned i = 0; i < n; i++) {
		if (counters[i].error.status != HP_OK)
			return hp_fail_as(err, &counters[i].error);
		all += counters[i].counts.count;
	}
	p->counts.count = 0;
	st = hp_histogram_note(p->g, &p->noted_counts,
			       2 * all * sizeof(struct hp_holder_count), err);
	for (uint32_t e = p->sets.from; e < p->sets.end && fine; e++)
		for (unsigned i = 0; st == HP_OK && i < n && fine; i++)
			fine = take_counts(&counters[i], e, &p->counts);
	return fine ? st : hp_no_memory(err);
}

enum hp_status
hp_holder_counts_find(struct hp_holder_pass *p, struct hp_error *err)
{
	unsigned n = hp_threads_for(p->g->options->threads, p->nodes.count,
				    HP_HOLDER_NODES_A_THREAD);
	struct counter *counters = calloc(n, sizeof(*counters));
	bool fine = counters;
	enum hp_status st;

	for (unsigned i = 0; i < n && fine; i++) {
		struct counter *c = &counters[i];

		c->p = p;
		c->objects = calloc(p->kinds.count + UINT64_C(1),
				    sizeof(*c->objects));
		c->touched = calloc(p->kinds.count + UINT64_C(1),
				    sizeof(*c->touched));
		fine = c->objects && c->touched;
	}
	atomic_store(&p->counted, p->sets.from);
	if (fine)
		hp_threads_run(n, count_sets, counters, sizeof(*counters));
	st = fine ? merge_counts(p, counters, n, err) : hp_no_memory(err);
	for (unsigned i = 0; counters && i < n; i++) {
		free(counters[i].objects);
		free(counters[i].touched);
		free(counters[i].counts.items);
		hp_budget_release(p->g->options->budget, &counters[i].noted);
	}
	free(counters);
	return st;
}
