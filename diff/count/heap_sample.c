/*
 * heap_sample.c - keep a sample of the objects, sort it by address, and measure
 * the distances between objects
 */
#include "diff/count/histogram.h"

#include "common/base/memory.h"

enum { LEVELS = 64, DIGIT = 256 };

/*
 * Halve the sample: keep only the objects on every second page (range of
 * addresses) of the sample.
 */
static void
thin_out(struct hp_heap_sample *s)
{
	size_t kept = 0;

	s->level++;
	for (size_t i = 0; i < s->count; i++)
		if (s->level < LEVELS &&
		    hp_sample_is_wanted(s->list[i].id >> HP_SAMPLE_PAGE_BITS,
					s->level))
			s->list[kept++] = s->list[i];
	s->count = kept;
	s->next_page = 0;
}

bool
hp_heap_sample_push(struct hp_heap_sample *s, uint64_t id,
		    struct hp_tally *tally, uint32_t elements)
{
	if (s->level >= LEVELS)
		return true;
	if (!HP_LIST_PUSH(s->list, s->count, s->cap,
			  (struct hp_sampled){.id = id,
					      .tally = tally,
					      .elements = elements}))
		return false;
	while (s->count >= s->most)
		thin_out(s);
	return true;
}

void
hp_heap_sample_release(struct hp_heap_sample *s)
{
	hp_free(s->list);
	*s = (struct hp_heap_sample){0};
}

bool
hp_heap_sample_merge(struct hp_heap_sample *into,
		     const struct hp_heap_sample *from)
{
	while (into->level < from->level)
		thin_out(into);
	for (size_t i = 0; i < from->count; i++) {
		const struct hp_sampled *x = &from->list[i];

		if (!hp_heap_sample_add(into, x->id, x->tally, x->elements))
			return false;
	}
	return true;
}

/*
 * Do one step of a radix sort: move the objects of the sample from @from to
 * @to, ordered by the byte of their ids that begins at bit @shift.
 */
static void
sort_step(const struct hp_sampled *from, struct hp_sampled *to, size_t n,
	  unsigned shift)
{
	size_t at[DIGIT] = {0}, sum = 0, count;

	for (size_t i = 0; i < n; i++)
		at[from[i].id >> shift & (DIGIT - 1)]++;
	for (unsigned i = 0; i < DIGIT; i++) {
		count = at[i];
		at[i] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i].id >> shift & (DIGIT - 1)]++] = from[i];
}

static bool
sort(struct hp_heap_sample *s)
{
	uint64_t varying = 0;
	bool sorted = true;
	struct hp_sampled *other, *list = s->list;

	for (size_t i = 1; i < s->count; i++) {
		varying |= list[i].id ^ list[0].id;
		sorted &= list[i - 1].id <= list[i].id;
	}
	if (sorted)
		return true;
	other = hp_malloc(s->count * sizeof(*other));
	if (!other)
		return false;
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if ((varying >> shift & (DIGIT - 1)) == 0)
			continue;
		sort_step(s->list, other, s->count, shift);
		list = s->list;
		s->list = other;
		other = list;
	}
	s->cap = s->count;
	hp_free(other);
	return true;
}

static void
measure_one(const struct hp_sampled *x, uint64_t distance,
	    struct hp_distances *wide)
{
	uint64_t width = hp_tally_width(&x->tally->key), n = x->elements;

	if (x->tally->key.kind == HP_TALLY_INSTANCES)
		width = 0;
	if (x->tally->key.kind == HP_TALLY_OBJECT_ARRAYS)
		hp_distances_add(wide,
				 distance >= 8 * n ? distance - 8 * n : 0);
	hp_distances_add(&x->tally->sampled,
			 distance >= width * n ? distance - width * n : 0);
}

bool
hp_heap_sample_measure(struct hp_heap_sample *s, struct hp_distances *wide,
		       void (*class_object)(void *ctx, uint64_t id,
					    uint64_t distance),
		       void *ctx)
{
	if (!sort(s))
		return false;
	for (size_t i = 1; i < s->count; i++) {
		const struct hp_sampled *x = &s->list[i - 1];
		uint64_t next = s->list[i].id;

		/*
		 * skip this distance: pages between these two objects are not
		 * in the sample, so there may be other objects between them
		 */
		if (next == x->id ||
		    (s->level > 0 && next >> HP_SAMPLE_PAGE_BITS !=
					     x->id >> HP_SAMPLE_PAGE_BITS))
			continue;
		if (x->tally)
			measure_one(x, next - x->id, wide);
		else
			class_object(ctx, x->id, next - x->id);
	}
	return true;
}
