/*
 * doubles.h - where objects stand whose ids are defined more than once
 */
#ifndef HP_VALIDATE_DOUBLES_H
#define HP_VALIDATE_DOUBLES_H

#include "common/format/heap.h"
#include "validate/finding.h"

struct hp_spot { /* an object's place */
	uint64_t id, offset;
	uint64_t record_tag; /* record << 8 | sub-record tag */
};

/* A zeroed list is empty. */
struct hp_spots {
	struct hp_spot *items;
	size_t count, cap, max; /* max: 0 is no limit */
	bool lost;		/* more came than max or memory allow */
};

void hp_spots_release(struct hp_spots *l);

/* Add an object; beyond the limit the list is emptied and lost set. */
void hp_spots_grow(struct hp_spots *l);

static inline void
hp_spots_put(struct hp_spots *l, const struct hp_spot *spot)
{
	if (HP_UNLIKELY(l->count == l->cap))
		hp_spots_grow(l);
	if (HP_UNLIKELY(l->lost))
		return;
	l->items[l->count++] = *spot;
}

static inline void
hp_spots_add(struct hp_spots *l, const struct hp_sub *s, uint64_t record)
{
	hp_spots_put(l,
		     &(struct hp_spot){s->id, s->offset, record << 8 | s->tag});
}

/* All of @from after those of @into. */
void hp_spots_append(struct hp_spots *into, const struct hp_spots *from);

/* Findings for all but the first object of each id; sorts the list. */
void hp_spots_report(struct hp_spots *l, unsigned dump,
		     struct hp_findings *findings);

#endif
