/*
 * anchor.c - where to go on behind damage
 *
 * An instance whose class is known and whose length is its class's, an array
 * of a known class, an announced class: one of these is no accident. All else
 * has to lead to such a one, or to a record, or has to be several in a row.
 */
#include "convert/salvage/anchor.h"

enum {
	BLOCK = 64 << 10, /* bytes searched at a time */
	STEPS = 24,	  /* sub-records looked at from one place */
	OBJECTS = 3,	  /* likely ones in a row that are enough */
	ROOTS = 6,	  /* likewise */
	ROOTS_FIRST = 3,  /* fewer roots before an object may be a field's
			     bytes and a reference behind it */
	INSIDE = 64,	  /* steps from what was swallowed to its end */
};

static bool
is_dead(const struct hp_dead_end *d, uint64_t at)
{
	unsigned i = 0;

	if (!d || d->count == 0 || at > d->at[d->count - 1])
		return false;
	while (d->at[i] < at)
		i++;
	return d->at[i] == at;
}

bool
hp_anchor_chain(struct hp_resync *w, const struct hp_plausible *k, uint64_t at,
		const struct hp_dead_end *dead)
{
	unsigned roots = 0, objects = 0;
	struct hp_sub s = {0};

	for (unsigned i = 0; i < STEPS; i++) {
		enum hp_trust trust;

		if (is_dead(dead, at))
			return false;
		if (!hp_resync_sub(w, at, w->size, true, &s))
			return i > 0 && (objects > 0 || roots >= ROOTS_FIRST) &&
			       (at == w->size || hp_resync_records(w, at));
		trust = hp_plausible_sub(k, &s);
		if (trust < HP_TRUST_LIKELY)
			return false;
		if (hp_subrecord_is_root(s.tag)) {
			roots++;
		} else if (objects == 0 && roots > 0 && roots < ROOTS_FIRST) {
			return false;
		} else if (trust == HP_TRUST_SURE) {
			return true;
		} else if (s.tag != HP_SUB_HEAP_DUMP_INFO) {
			objects++;
		}
		if (objects >= OBJECTS || roots >= ROOTS)
			return true;
		at += s.size;
	}
	return false;
}

/* The first byte of the block that may be a tag; @n if there is none. */
static size_t
next_tag(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && !hp_subrecord_desc(p[i]) && !hp_record_desc(p[i]) &&
	       p[i] != 'J')
		i++;
	return i;
}

static enum hp_anchor
look_at(struct hp_resync *w, const struct hp_plausible *k, uint64_t x,
	uint8_t tag, const struct hp_dead_end *dead)
{
	if (tag == 'J')
		return hp_resync_header(w, x) ? HP_ANCHOR_RECORD
					      : HP_ANCHOR_NONE;
	if (hp_record_desc(tag) && hp_resync_records(w, x))
		return HP_ANCHOR_RECORD;
	if (hp_subrecord_desc(tag) && hp_anchor_chain(w, k, x, dead))
		return HP_ANCHOR_SUBS;
	return HP_ANCHOR_NONE;
}

enum hp_anchor
hp_anchor_find(struct hp_resync *w, const struct hp_plausible *k, uint64_t from,
	       uint64_t end, const struct hp_dead_end *dead, uint64_t *at)
{
	uint64_t x = hp_resync_out_of_hole(w, from);

	while (x < end && w->status == HP_OK) {
		const uint8_t *p;
		enum hp_anchor found;
		size_t got, skip;
		uint8_t tag;

		/* the window may have moved since */
		p = hp_resync_view(w, x, 1, &got);
		if (!p || got == 0)
			break;
		skip = next_tag(p, got < BLOCK ? got : BLOCK);
		tag = p[skip < got ? skip : 0];
		hp_resync_earn(w, skip + 1);
		x += skip;
		if (skip == (got < BLOCK ? got : BLOCK))
			continue;
		if (hp_resync_out_of_hole(w, x) != x) {
			x = hp_resync_out_of_hole(w, x);
			continue;
		}
		if (x >= end)
			break;
		found = look_at(w, k, x, tag, dead);
		if (found != HP_ANCHOR_NONE) {
			*at = x;
			return found;
		}
		x++;
	}
	*at = end;
	return HP_ANCHOR_NONE;
}

/* From an object that is sure or likely at @at, do steps end at @end? */
static bool
leads_to(struct hp_resync *w, const struct hp_plausible *k, uint64_t at,
	 uint64_t end)
{
	struct hp_sub s = {0};

	for (unsigned i = 0; i < INSIDE && at < end; i++) {
		enum hp_trust trust;

		if (!hp_resync_sub(w, at, end, true, &s))
			return false;
		trust = hp_plausible_sub(k, &s);
		if (trust < HP_TRUST_LIKELY ||
		    (i == 0 && trust < HP_TRUST_SURE &&
		     s.tag != HP_SUB_PRIMITIVE_ARRAY_DUMP))
			return false;
		at += s.size;
	}
	return at <= end;
}

bool
hp_anchor_swallowed(struct hp_resync *w, const struct hp_plausible *k,
		    uint64_t from, uint64_t end)
{
	uint64_t x = from;

	while (x < end && w->status == HP_OK) {
		size_t got, n, i = 0;
		const uint8_t *p = hp_resync_view(w, x, 1, &got);

		if (!p || got == 0)
			return false;
		n = got < end - x ? got : (size_t)(end - x);
		/* class dumps, instances, arrays */
		while (i < n && (p[i] < HP_SUB_CLASS_DUMP ||
				 p[i] > HP_SUB_PRIMITIVE_ARRAY_DUMP))
			i++;
		hp_resync_earn(w, i + 1);
		x += i;
		if (i == n)
			continue;
		if (leads_to(w, k, x, end))
			return true;
		x++;
	}
	return false;
}
