/*
 * anchor.h - where to go on behind damage
 */
#ifndef HP_CONVERT_SALVAGE_ANCHOR_H
#define HP_CONVERT_SALVAGE_ANCHOR_H

#include "convert/salvage/plausible.h"
#include "convert/salvage/resync.h"

enum hp_anchor {
	HP_ANCHOR_NONE,	  /* nowhere */
	HP_ANCHOR_SUBS,	  /* sub-records of a heap */
	HP_ANCHOR_RECORD, /* records, or another dump's header */
};

/*
 * Places, ascending, from which sub-records lead nowhere, as the caller has
 * seen: what leads there is no place to go on.
 */
struct hp_dead_end {
	const uint64_t *at;
	unsigned count;
};

/**
 * hp_anchor_find() - the first place in [@from, @end) where the dump goes on
 * @dead: NULL: none
 * @at:   that place; @end, if there is none
 *
 * What is passed is passed for good: the caller never asks for it again.
 */
enum hp_anchor hp_anchor_find(struct hp_resync *w, const struct hp_plausible *k,
			      uint64_t from, uint64_t end,
			      const struct hp_dead_end *dead, uint64_t *at);

/* Do sub-records go on at @at, up to one that is sure, or many? */
bool hp_anchor_chain(struct hp_resync *w, const struct hp_plausible *k,
		     uint64_t at, const struct hp_dead_end *dead);

/**
 * hp_anchor_swallowed() - does a sub-record claim others as its own bytes?
 * @from, @end: its bytes behind its head
 *
 * A wrong length may end by chance where another sub-record begins. What it
 * swallowed then leads there, too, step by step.
 */
bool hp_anchor_swallowed(struct hp_resync *w, const struct hp_plausible *k,
			 uint64_t from, uint64_t end);

#endif
