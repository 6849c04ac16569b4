/*
 * anchor.c - find the place after damage where the dump continues (an "anchor")
 *
 * Some sub-records cannot be there by accident: an instance of a known class
 * with the right length, an array of a known class, the class dump of a loaded
 * class. Any other sub-record counts as genuine only if such a sub-record or a
 * record follows it, or if several sub-records follow each other without a gap.
 */
#include "convert/salvage/internal.h"

enum {
	BLOCK = 64 << 10, /* number of bytes to search at a time */
	/*
	 * maximum number of sub-records that are examined after a possible
	 * anchor (a place after damage where the dump may continue)
	 */
	STEPS = 24,
	/*
	 * If this many objects follow each other, and their ids agree with
	 * known facts, the dump continues at the first of them.
	 */
	OBJECTS = 3,
	/*
	 * If this many objects follow each other inside of a sub-record that
	 * seemed valid, and their ids agree with known facts, the dump
	 * continues at the first of them.
	 */
	OBJECTS_INNER = 4,
	/*
	 * If this many roots follow each other, and their ids agree with known
	 * facts, the dump continues at the first of them.
	 */
	ROOTS = 6,
	/*
	 * A place that begins with roots counts only if at least this many
	 * roots come before the first object. Fewer roots could be accidental:
	 * a field and a reference after it can look like a root.
	 */
	ROOTS_FIRST = 3,
	/*
	 * An array that seems to begin inside another array, and to end after
	 * that array, is accepted only if at least this many objects were found
	 * directly before it.
	 */
	ARRAY_AFTER = 2,
	/*
	 * maximum number of sub-records that are examined inside of another
	 * sub-record
	 */
	INSIDE = 64,
};

/*
 * Whether the dump cannot continue at @at, because it is already known that the
 * sub-records which begin at @at lead to damaged bytes.
 */
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

/*
 * How many sub-records follow each other from a possible anchor (a place where
 * the dump may continue) on.
 */
struct chain {
	unsigned roots, objects;
	/*
	 * number of roots inside another sub-record that seemed valid; these
	 * roots are weaker evidence
	 */
	unsigned inner_roots;
};

/*
 * Whether a series of sub-records counts as genuine although no valid
 * sub-record follows it. This is so in three cases: other records follow; or
 * the series has two objects; or the fixed fields of an invalid object follow.
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
 * Whether the dump may continue with the sub-record @s. A known class id is not
 * enough: the bytes may belong to a field that refers to the class.
 */
static bool
may_begin(const struct hp_plausible *k, const struct hp_sub *s,
	  enum hp_trust trust)
{
	return trust != HP_TRUST_SURE || hp_plausible_agrees(k, s) ||
	       hp_plausible_resembles(k, s);
}

/*
 * A sub-record @s begins inside an array and ends after the end of this array.
 * Returns true if @s agrees with all known facts, so that bytes of the array
 * must be missing. If @s is an array itself, this is weaker evidence, so at
 * least @before objects must have been found before @s.
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

/*
 * Returns the index of the first byte that may be the tag of a sub-record, or
 * the beginning of a file header; @n if there is none.
 */
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

		/*
		 * Read the byte again, because the window (buffer) may have
		 * moved.
		 */
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
 * Whether sub-records follow each other without a gap, from the object at @at
 * exactly up to @end, or up to an object that ends after @end.
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
		/* search for the tags of class dumps, instances and arrays */
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
