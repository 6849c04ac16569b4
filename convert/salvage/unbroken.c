/*
 * unbroken.c - find how far sub-records follow each other without a gap
 *
 * A single sub-record counts as genuine only if the ids in it are known. This
 * is not necessary if many sub-records follow each other without a gap, up to
 * an end that can be recognised.
 */
#include "convert/salvage/internal.h"

/*
 * Whether an incomplete sub-record begins at @at: its fixed fields agree with
 * the known facts, or are truncated themselves.
 */
static bool
is_begun_sub(struct hp_resync *w, const struct hp_plausible *k, uint64_t at)
{
	const unsigned id_size = w->id_size;
	struct hp_sub sub = {0};
	const uint8_t *p;
	size_t got;

	p = hp_resync_peek(w, at, 1 + id_size, &got);
	if (!p || got == 0 || !hp_subrecord_desc(p[0]))
		return false;
	if (w->size - at < hp_subrecord_fixed[hp_widen(id_size)][p[0]])
		return true;
	if (p[0] == HP_SUB_CLASS_DUMP && got > id_size)
		return hp_plausible_class(k, hp_load_id(p + 1, id_size));
	return hp_resync_head(w, at, &sub) && hp_plausible_resembles(k, &sub);
}

/*
 * Whether records begin at @at, and not more sub-records. Some numbers are tags
 * of both.
 */
static bool
are_records(struct hp_resync *w, uint64_t at)
{
	int tag = hp_resync_byte(w, at);

	return tag >= 0 && hp_record_desc((uint8_t)tag) &&
	       hp_resync_records(w, at);
}

/*
 * Go over the sub-records from @at on. Stop at @end and, if @sure is false,
 * where other records begin. *@n receives the number of sub-records. Returns
 * the offset at which the walk stops.
 */
static uint64_t
walk_to_end(struct hp_resync *w, uint64_t at, uint64_t end, bool sure,
	    uint64_t *n)
{
	struct hp_sub sub = {0};

	for (*n = 0;
	     at < end && w->status == HP_OK && (sure || !are_records(w, at)) &&
	     hp_resync_sub(w, at, end, false, &sub);
	     ++*n)
		at += sub.size;
	return at;
}

/*
 * Go through the @n sub-records from @at on. Returns the offset of the last one
 * that is certainly genuine, or @at if there is none.
 */
static uint64_t
last_sure(struct hp_resync *w, const struct hp_plausible *k, uint64_t at,
	  uint64_t end, uint64_t n)
{
	struct hp_sub sub = {0};
	uint64_t last = at;

	for (; n > 0 && hp_resync_sub(w, at, end, false, &sub); n--) {
		if (hp_plausible_sub(k, &sub) == HP_TRUST_SURE)
			last = at;
		at += sub.size;
	}
	return last;
}

uint64_t
hp_unbroken_to(struct hp_resync *w, const struct hp_plausible *k, uint64_t at,
	       uint64_t end, bool sure, bool first)
{
	uint64_t n, to;

	if (!hp_resync_charge(w, 1) && !(sure && first))
		return 0;
	to = walk_to_end(w, at, end, sure, &n);
	if (to == end && sure && first)
		return to;
	hp_resync_charge(w, n);
	if (to == end || is_begun_sub(w, k, to) ||
	    (!sure && are_records(w, to)))
		return to;
	hp_resync_charge(w, n);
	return last_sure(w, k, at, end, n);
}
