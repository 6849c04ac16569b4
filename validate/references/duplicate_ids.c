/*
 * duplicate_ids.c - lists of objects, and the ids that occur more than once
 */
#include "validate/references/internal.h"
#include "common/base/memory.h"

#include <stdlib.h>

void
hp_duplicates_release(struct hp_duplicates *l)
{
	hp_free(l->items);
	*l = (struct hp_duplicates){0};
}

static bool
reserve_items(struct hp_duplicates *l, size_t cap)
{
	struct hp_duplicate *grown = NULL;

	if (!l->lost && (l->max == 0 || cap <= l->max))
		grown = hp_realloc(l->items, cap * sizeof(*grown));
	if (!grown) {
		l->lost = true;
		l->count = 0;
		return false;
	}
	l->items = grown;
	l->cap = cap;
	return true;
}

void
hp_duplicates_grow(struct hp_duplicates *l)
{
	if (!l->lost)
		reserve_items(l, l->cap ? l->cap * 2 : 1024);
}

void
hp_duplicates_append(struct hp_duplicates *into,
		     const struct hp_duplicates *from)
{
	into->lost |= from->lost;
	if (from->count == 0 || !reserve_items(into, into->count + from->count))
		return;
	memcpy(into->items + into->count, from->items,
	       from->count * sizeof(*from->items));
	into->count += from->count;
}

int
hp_duplicate_compare(const void *pa, const void *pb)
{
	const struct hp_duplicate *a = pa, *b = pb;
	int c = hp_order(a->id, b->id);

	return c ? c : hp_order(a->offset, b->offset);
}

void
hp_duplicates_report(struct hp_duplicates *l, unsigned dump,
		     struct hp_findings *findings)
{
	const struct hp_duplicate *a = l->items;
	size_t i, first = 0;
	struct hp_finding f;

	if (l->count > 0)
		qsort(l->items, l->count, sizeof(*a), hp_duplicate_compare);
	for (i = 1; i < l->count; i++) {
		if (a[i].id != a[first].id) {
			first = i;
			continue;
		}
		f = (struct hp_finding){.rule = HP_RULE_OBJECT_DUP,
					.severity = HP_SEVERITY_DEFAULT,
					.offset = a[i].offset,
					.record = a[i].record_tag >> 8,
					.dump = dump,
					.place = HP_PLACE_NAME,
					.index = HP_WORD_ID,
					.args = {a[i].record_tag & 0xFF,
						 a[i].id, 1, a[first].offset}};
		hp_findings_add(findings, &f);
	}
}
