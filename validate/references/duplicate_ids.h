/*
 * duplicate_ids.h - ids that several objects of a dump have
 */
#ifndef HP_VALIDATE_REFERENCES_DUPLICATE_IDS_H
#define HP_VALIDATE_REFERENCES_DUPLICATE_IDS_H

#include "common/format/heap.h"
#include "validate/finding.h"

struct hp_duplicate { /* an object and its place */
	uint64_t id, offset;
	uint64_t record_tag; /* record ordinal << 8 | sub-record tag */
};

/* A zeroed list is empty. */
struct hp_duplicates {
	struct hp_duplicate *items;
	size_t count, cap, max; /* max: maximum number of items; 0: no limit */
	/* there were more items than max or memory allow */
	bool lost;
};

/* Compare by id, then by offset. For qsort(). */
int hp_duplicate_compare(const void *a, const void *b);

void hp_duplicates_release(struct hp_duplicates *l);

/*
 * Make room for one more item. Beyond the limit the list is emptied, and lost
 * is set.
 */
void hp_duplicates_grow(struct hp_duplicates *l);

static inline void
hp_duplicates_put(struct hp_duplicates *l, const struct hp_duplicate *spot)
{
	if (HP_UNLIKELY(l->count == l->cap))
		hp_duplicates_grow(l);
	if (HP_UNLIKELY(l->lost))
		return;
	l->items[l->count++] = *spot;
}

static inline void
hp_duplicates_add(struct hp_duplicates *l, const struct hp_sub *s,
		  uint64_t record)
{
	hp_duplicates_put(l, &(struct hp_duplicate){s->id, s->offset,
						    record << 8 | s->tag});
}

/* Append all items of @from. */
void hp_duplicates_append(struct hp_duplicates *into,
			  const struct hp_duplicates *from);

/* Report all but the first object of each id. Sorts the list. */
void hp_duplicates_report(struct hp_duplicates *l, unsigned dump,
			  struct hp_findings *findings);

#endif
