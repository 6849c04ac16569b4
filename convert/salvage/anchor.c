/*
 * anchor.c - where to go on behind damage
 *
 * An instance whose class is known and whose length is its class's, an array
 * of a known class, an announced class: one of these is no accident. All else
 * has to lead to such a one, or to a record, or has to be several in a row.
 */
#include "convert/salvage/anchor.h"

enum {
	BLOCK = 64 << 10,  /* bytes searched at a time */
	STEPS = 24,	   /* sub-records looked at from one place */
	OBJECTS = 3,	   /* likely ones in a row that are enough */
	OBJECTS_INNER = 4, /* the same, against what seemed fine */
	ROOTS = 6,	   /* likewise */
	ROOTS_FIRST = 3,   /* fewer roots before an object may be a field's
			      bytes and a reference behind it */
	ARRAY_AFTER = 2, /* objects before an array that leads out of another */
	INSIDE = 64,	 /* steps from what was swallowed to where that ends */
};

/* Is it a place from which nothing goes on? */
static bool
is_dead(const struct hp_anchor_hints *h, uint64_t at)
{
	unsigned i = 0;

	if (!h || h->ndead == 0 || at > h->dead[h->ndead - 1])
		return false;
	while (h->dead[i] < at)
		i++;
	return h->dead[i] == at;
}

/* What was met on the way of a chain. */
struct chain {
	unsigned roots, objects;
	unsigned inner_roots; /* in what seemed fine: they speak for others */
};

/*
 * Is it enough, where no sub-record follows? Records do, or an object whose
 * head is hurt: one that stands alone between two damages is found so. So do
 * two objects: the second may have lost bytes of its own.
 */
static bool
ends_well(struct hp_resync *w, const struct hp_plausible *k,
	  const struct chain *c, uint64_t at, bool inner)
{
	struct hp_sub s = {0};

	if (c->objects == 0 &&
	    (inner || c->roots + c->inner_roots < ROOTS_FIRST))
		return false;
	if (!inner &&
	    (c->objects > 1 || at == w->size || hp_resync_records(w, at)))
		return true;
	return c->objects > inner && hp_resync_head(w, at, &s) &&
	       hp_plausible_resembles(k, &s);
}

/*
 * Is the first sub-record of a chain one that may begin it? A known class alone
 * may be a reference among some object's fields.
 */
static bool
may_begin(const struct hp_plausible *k, const struct hp_sub *s,
	  enum hp_trust trust)
{
	return trust != HP_TRUST_SURE || hp_plausible_agrees(k, s) ||
	       hp_plausible_resembles(k, s);
}

/*
 * Does an object in what an array claims reach out of it, one that agrees in
 * everything? The array has lost bytes, and took what follows for them. The
 * length of an array is only claimed: it has to follow others. @before: how
 * many there were.
 */
static bool
reaches_out(const struct hp_plausible *k, const struct hp_sub *s,
	    unsigned before)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		return hp_plausible_agrees(k, s) && hp_plausible_length(k, s);
	case HP_SUB_CLASS_DUMP:
		return hp_plausible_sub(k, s) == HP_TRUST_SURE;
	case HP_SUB_OBJECT_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
		return before >= ARRAY_AFTER && hp_plausible_agrees(k, s) &&
		       hp_plausible_sub(k, s) >= HP_TRUST_LIKELY;
	default:
		return false;
	}
}

bool
hp_anchor_chain(struct hp_resync *w, const struct hp_plausible *k, uint64_t at,
		const struct hp_anchor_hints *hints)
{
	const uint64_t beyond = hints ? hints->beyond : 0;
	struct chain c = {0};
	struct hp_sub s = {0};

	for (unsigned i = 0; i < (at < beyond ? INSIDE : STEPS); i++) {
		enum hp_trust trust;
		bool inner = at < beyond;

		if (is_dead(hints, at))
			return false;
		if (!hp_resync_sub(w, at, w->size, true, &s))
			return ends_well(w, k, &c, at, inner);
		trust = hp_plausible_sub(k, &s);
		if (trust < HP_TRUST_LIKELY)
			return ends_well(w, k, &c, at, inner);
		if (i == 0 && !may_begin(k, &s, trust))
			return false;
		if (hp_subrecord_is_root(s.tag))
			*(inner ? &c.inner_roots : &c.roots) += 1;
		else if (c.objects == 0 && c.roots > 0 &&
			 c.roots + c.inner_roots < ROOTS_FIRST)
			return false;
		else if (trust == HP_TRUST_SURE &&
			 (!inner || (s.size > beyond - at &&
				     reaches_out(k, &s, c.objects))))
			return true;
		else if (s.tag != HP_SUB_HEAP_DUMP_INFO)
			c.objects++;
		if (c.objects >= (inner ? OBJECTS_INNER : OBJECTS) ||
		    c.roots >= ROOTS)
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
	uint8_t tag, const struct hp_anchor_hints *hints)
{
	bool records = !hints || !hints->no_records;

	if (tag == 'J')
		return records && hp_resync_header(w, x) ? HP_ANCHOR_RECORD
							 : HP_ANCHOR_NONE;
	if (records && hp_record_desc(tag) && hp_resync_records(w, x))
		return HP_ANCHOR_RECORD;
	if (hp_subrecord_desc(tag) && hp_anchor_chain(w, k, x, hints))
		return HP_ANCHOR_SUBS;
	return HP_ANCHOR_NONE;
}

enum hp_anchor
hp_anchor_find(struct hp_resync *w, const struct hp_plausible *k, uint64_t from,
	       uint64_t end, const struct hp_anchor_hints *hints, uint64_t *at)
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
		found = look_at(w, k, x, tag, hints);
		if (found != HP_ANCHOR_NONE) {
			*at = x;
			return found;
		}
		x++;
	}
	*at = end;
	return HP_ANCHOR_NONE;
}

/*
 * From an object that is sure or likely at @at, do steps end at @end, or in an
 * object that reaches out of what ends there?
 */
static bool
leads_to(struct hp_resync *w, const struct hp_plausible *k, uint64_t at,
	 uint64_t end)
{
	struct hp_sub s = {0};

	for (unsigned i = 0; i < INSIDE && at < end; i++) {
		enum hp_trust trust;

		if (!hp_resync_sub(w, at, w->size, true, &s))
			return false;
		if (s.size > end - at)
			return reaches_out(k, &s, i);
		trust = hp_plausible_sub(k, &s);
		if (trust < HP_TRUST_LIKELY ||
		    (i == 0 && (!hp_plausible_agrees(k, &s) ||
				(trust < HP_TRUST_SURE &&
				 s.tag != HP_SUB_PRIMITIVE_ARRAY_DUMP))))
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
