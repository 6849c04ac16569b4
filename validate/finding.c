/*
 * finding.c - count findings, and keep the first examples of each rule
 *
 * The examples of a rule are kept in a heap (the data structure, in the order
 * of hp_finding_compare()), so that a new finding with a small offset can
 * replace the kept finding with the largest offset.
 */
#include "validate/finding.h"

#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/base/vec.h"

#include <string.h>

#include <xxhash.h>

const char *
hp_place_word(enum hp_word word)
{
#define NAME(symbol, name) name,
	static const char *const words[] = {HP_WORD_LIST(NAME)};
#undef NAME

	return words[word];
}

void
hp_findings_init(struct hp_findings *f, size_t max_examples, bool located)
{
	memset(f, 0, sizeof(*f));
	f->max_examples = max_examples;
	f->located = located;
}

void
hp_findings_release(struct hp_findings *f)
{
	if (!f->any) {
		*f = (struct hp_findings){0};
		return;
	}
	for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
		for (unsigned s = 0; s < HP_FINDING_SLOTS; s++) {
			hp_free(f->lists[r][s].items);
			hp_free(f->places[r][s]);
		}
	}
	hp_free(f->groups);
	hp_hash_release(&f->group_table);
	memset(f, 0, sizeof(*f));
}

void
hp_findings_clear(struct hp_findings *f)
{
	size_t max_examples = f->max_examples;
	bool located = f->located;

	hp_findings_release(f);
	hp_findings_init(f, max_examples, located);
}

int
hp_finding_compare(const void *pa, const void *pb)
{
	const struct hp_finding *a = pa, *b = pb;
	int c = hp_order(a->offset, b->offset);

	if (c == 0)
		c = hp_order(a->place, b->place);
	if (c == 0)
		c = hp_order(a->index, b->index);
	if (c == 0)
		c = hp_order(a->rule, b->rule);
	for (unsigned i = 0; c == 0 && i < HP_FINDING_ARGS; i++)
		c = hp_order(a->args[i], b->args[i]);
	return c;
}

/*
 * Restore the order of the max-heap of examples: move the element at index @i
 * down.
 */
static void
sift_down(struct hp_finding *items, size_t count, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;
		struct hp_finding swap;

		if (child >= count)
			return;
		if (child + 1 < count &&
		    hp_finding_compare(&items[child + 1], &items[child]) > 0)
			child++;
		if (hp_finding_compare(&items[child], &items[i]) <= 0)
			return;
		swap = items[i];
		items[i] = items[child];
		items[child] = swap;
		i = child;
	}
}

static void
sift_up(struct hp_finding *items, size_t i)
{
	while (i > 0) {
		size_t parent = (i - 1) / 2;
		struct hp_finding swap;

		if (hp_finding_compare(&items[i], &items[parent]) <= 0)
			return;
		swap = items[i];
		items[i] = items[parent];
		items[parent] = swap;
		i = parent;
	}
}

static void
list_add(struct hp_findings *f, struct hp_finding_list *l,
	 const struct hp_finding *finding)
{
	if (l->count == f->max_examples) {
		if (l->count == 0 ||
		    hp_finding_compare(finding, &l->items[0]) >= 0)
			return;
		l->items[0] = *finding;
		sift_down(l->items, l->count, 0);
		return;
	}
	if (!HP_LIST_RESERVE(l->items, l->count, l->cap)) {
		f->failed = true;
		return;
	}
	l->items[l->count++] = *finding;
	sift_up(l->items, l->count - 1);
}

bool
hp_finding_is_grouped(unsigned rule)
{
	return rule == HP_RULE_REF_DANGLING_ARRAY ||
	       rule == HP_RULE_REF_DANGLING_FIELD ||
	       rule == HP_RULE_REF_DANGLING_STATIC;
}

/*
 * Returns a number that is equal for all fields in a group of similar findings.
 * All elements of an array have the same number. A static field is identified
 * by its name, because a second dump of the class may have its static fields in
 * another order.
 */
static uint64_t
group_field(const struct hp_finding *a)
{
	if (a->place == HP_PLACE_STATIC)
		return a->name;
	return a->place == HP_PLACE_ELEMENT ? 0 : a->index;
}

static bool
same_group(const struct hp_finding *a, const struct hp_finding *b)
{
	return a->rule == b->rule && a->severity == b->severity &&
	       a->dump == b->dump && a->holder == b->holder &&
	       a->place == b->place && group_field(a) == group_field(b);
}

static bool
is_group(const void *groups, uint32_t number, const void *finding)
{
	const struct hp_finding_group *list = groups;

	return same_group(&list[number - 1].first, finding);
}

static uint32_t
group_hash(const struct hp_findings *f, const struct hp_finding *a)
{
	const uint64_t key[] = {a->rule, (uint64_t)a->severity, a->dump,
				a->holder, group_field(a)};

	return (uint32_t)XXH3_64bits_withSeed(key, sizeof(key),
					      f->group_table.seed);
}

static void
drop_groups(struct hp_findings *f)
{
	hp_free(f->groups);
	hp_hash_release(&f->group_table);
	f->groups = NULL;
	f->ngroups = f->groups_cap = 0;
	f->ungrouped = true;
}

static void
group_add(struct hp_findings *f, const struct hp_finding *a, uint64_t n)
{
	struct hp_finding_group *g;
	struct hp_hash_slot *slot;
	uint32_t hash;

	if (f->ungrouped)
		return;
	if (!HP_LIST_RESERVE(f->groups, f->ngroups, f->groups_cap) ||
	    !hp_hash_reserve(&f->group_table, f->ngroups + 1)) {
		f->failed = true;
		return;
	}
	hash = group_hash(f, a);
	slot = hp_hash_find(&f->group_table, hash, is_group, f->groups, a);
	if (slot->number == 0) {
		f->groups[f->ngroups++] =
			(struct hp_finding_group){.first = *a, .count = n};
		hp_hash_add(&f->group_table, slot, hash, (uint32_t)f->ngroups);
		if (f->ngroups > HP_FINDING_GROUPS)
			drop_groups(f);
		return;
	}
	g = &f->groups[slot->number - 1];
	if (hp_finding_compare(a, &g->first) < 0)
		g->first = *a;
	g->count += n;
}

unsigned
hp_finding_slot(const struct hp_finding *a)
{
	return a->severity == HP_SEVERITY_DEFAULT ? HP_SEVERITY_COUNT
						  : (unsigned)a->severity;
}

/*
 * Returns the offset bins (ranges of the file) in which the findings of a rule
 * and severity are counted. They are allocated by the first call. Returns NULL
 * if out of memory.
 */
static struct hp_offset_bins *
places_of(struct hp_findings *f, unsigned rule, unsigned slot)
{
	struct hp_offset_bins **p = &f->places[rule][slot];

	if (!*p)
		*p = hp_calloc(1, sizeof(**p));
	if (!*p)
		f->failed = true;
	return *p;
}

void
hp_findings_add_many(struct hp_findings *f, const struct hp_finding *finding,
		     uint64_t n)
{
	unsigned slot = hp_finding_slot(finding);
	struct hp_offset_bins *places;

	if (n == 0)
		return;
	f->any = true;
	f->counts[finding->rule][slot] += n;
	list_add(f, &f->lists[finding->rule][slot], finding);
	places = f->located ? places_of(f, finding->rule, slot) : NULL;
	if (places)
		hp_offset_bins_add(places, finding->offset, n);
	if (hp_finding_is_grouped(finding->rule) && f->max_examples > 0)
		group_add(f, finding, n);
}

void
hp_findings_add(struct hp_findings *f, const struct hp_finding *finding)
{
	hp_findings_add_many(f, finding, 1);
}

void
hp_findings_merge(struct hp_findings *into, const struct hp_findings *from)
{
	into->failed |= from->failed;
	if (!from->any)
		return;
	into->any = true;
	for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
		for (unsigned s = 0; s < HP_FINDING_SLOTS; s++) {
			const struct hp_finding_list *l = &from->lists[r][s];
			const struct hp_offset_bins *places =
				from->places[r][s];
			struct hp_offset_bins *all =
				places ? places_of(into, r, s) : NULL;

			into->counts[r][s] += from->counts[r][s];
			for (size_t i = 0; i < l->count; i++)
				list_add(into, &into->lists[r][s],
					 &l->items[i]);
			if (all)
				hp_offset_bins_merge(all, places);
		}
	}
	if (from->ungrouped && !into->ungrouped)
		drop_groups(into);
	for (size_t i = 0; i < from->ngroups; i++) {
		const struct hp_finding_group *g = &from->groups[i];

		group_add(into, &g->first, g->count);
	}
}
