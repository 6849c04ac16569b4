/*
 * anchor.h - find the place after damage where the dump continues
 *
 * Such a place is called an anchor: from there on, the bytes make sense as
 * records or sub-records again.
 */
#ifndef HP_CONVERT_SALVAGE_ANCHOR_H
#define HP_CONVERT_SALVAGE_ANCHOR_H

#include "convert/salvage/plausible.h"
#include "convert/salvage/resync.h"

enum hp_anchor {
	HP_ANCHOR_NONE, /* there is no anchor */
	HP_ANCHOR_SUBS, /* sub-records of a heap record begin there */
	/* records begin there, or the header of another dump */
	HP_ANCHOR_RECORD,
};

/* What the caller knows about the bytes that it searches. */
struct hp_anchor_hints {
	/*
	 * Offsets, ascending, from which a walk over sub-records is known to
	 * end in damage. A chain that leads to one of them is no anchor.
	 */
	const uint64_t *dead;
	unsigned ndead;
	/*
	 * End of the sub-records that seemed valid before the damage. A chain
	 * that begins before this offset claims that one of them has a wrong
	 * length. To prove that, it must continue after this offset.
	 */
	uint64_t beyond;
	/*
	 * the current heap record certainly ends at the given end, so no other
	 * records come before that
	 */
	bool no_records;
};

/**
 * hp_anchor_find() - find the first anchor in [@from, @end)
 * @hints: NULL: none
 * @at: receives the offset of the anchor; @end if there is none
 *
 * Each search earns effort for the bytes that it passes (see hp_resync_earn()),
 * so the caller must never search the same bytes again.
 */
enum hp_anchor hp_anchor_find(struct hp_resync *w, const struct hp_plausible *k,
			      uint64_t from, uint64_t end,
			      const struct hp_anchor_hints *hints,
			      uint64_t *at);

/*
 * Whether a chain of valid sub-records begins at @at, until one that is sure,
 * or until there are many.
 */
bool hp_anchor_chain(struct hp_resync *w, const struct hp_plausible *k,
		     uint64_t at, const struct hp_anchor_hints *hints);

/**
 * hp_anchor_swallowed() - test whether a sub-record covers other sub-records
 * @from, @end: the bytes of the sub-record after its head
 *
 * A wrong length may by chance end where another sub-record begins. Then a walk
 * over the covered sub-records ends at the same place.
 */
bool hp_anchor_swallowed(struct hp_resync *w, const struct hp_plausible *k,
			 uint64_t from, uint64_t end);

#endif
