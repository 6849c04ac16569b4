/*
 * id_set_windows.c - handle the ids of a dump in several passes if they do not
 * fit in memory, and find out whether ids are in the sets
 *
 * Each pass over the input handles some ranges of ids, its window. The first
 * pass postpones the ranges that do not fit in memory, and counts their ids.
 * Then the windows are planned: each later pass gets as many postponed ranges
 * as fit in memory.
 */
#include "common/object_ids/id_set.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/object_ids/internal.h"

#include <string.h>

/*
 * How many bytes an id takes at most if it is stored in hash sets: in the set
 * of a worker and in the merged set, when both have just grown.
 */
enum { SPARSE_BYTES = 96 };

bool
hp_id_sets_over_memory(const struct hp_id_sets *s)
{
	return s->crowded || s->full;
}

uint64_t
hp_id_sets_postponed(const struct hp_id_sets *s)
{
	return (s->postponed.count + s->postponed.has_zero)
	       << (HP_LEAF_BITS + s->shift);
}

bool
hp_id_sets_in_window(const struct hp_id_sets *s, uint64_t id)
{
	uint64_t number = id >> s->shift >> HP_LEAF_BITS;
	const uint64_t *at;

	bool aligned = !(id & ((1ull << s->shift) - 1));

	if (hp_id_sets_over_memory(s) &&
	    (s->full || !aligned || !hp_region_get(s, number)))
		return false;
	if (!aligned)
		return s->window == 0;
	if (!hp_id_sets_partial(s))
		return true;
	at = hp_id_map_get(&s->postponed, number);
	return s->planned ? (at ? *at >> 1 : 0) == s->window : !at;
}

/*
 * Returns the bit set of the objects' ids in range @number of ids; NULL if the
 * range has no bit set.
 */
static const uint64_t *
defined_leaf(const struct hp_id_sets *s, uint64_t number)
{
	const struct hp_region *r;

	if (hp_id_span_uses(s, number))
		return hp_id_span_leaf(s, 0, number);
	r = hp_region_get(s, number);
	return r ? (const uint64_t *)r->defined : NULL;
}

static bool
is_defined(const struct hp_id_sets *s, uint64_t id)
{
	uint64_t bit = id >> s->shift;
	const uint64_t *leaf = defined_leaf(s, bit >> HP_LEAF_BITS);

	if (!(id & ((1ull << s->shift) - 1)) && leaf &&
	    (leaf[(bit >> 6) & (HP_LEAF_WORDS - 1)] >> (bit & 63) & 1))
		return true;
	return hp_id_map_get(&s->odd_defined, id) != NULL;
}

static bool
is_referenced(const struct hp_id_sets *s, uint64_t id)
{
	uint64_t bit = id >> s->shift;
	uint64_t word = (bit >> 6) & (HP_LEAF_WORDS - 1);
	const struct hp_region *r = hp_region_get(s, bit >> HP_LEAF_BITS);

	if (!(id & ((1ull << s->shift) - 1)) && r) {
		for (unsigned i = 0; i < s->referrers; i++)
			if (r->referenced[i] &&
			    (r->referenced[i][word] >> (bit & 63) & 1))
				return true;
	}
	return hp_id_map_get(&s->odd_referenced, id) != NULL;
}

enum hp_status
hp_id_sets_add(struct hp_id_sets *s, uint64_t id, struct hp_error *err)
{
	uint64_t bit = id >> s->shift;
	struct hp_region *r = hp_region_get(s, bit >> HP_LEAF_BITS);

	if (!hp_id_sets_in_window(s, id))
		return HP_OK;
	if (!(id & ((1ull << s->shift) - 1)) && r && r->defined) {
		r->defined[(bit >> 6) & (HP_LEAF_WORDS - 1)] |= 1ull
								<< (bit & 63);
		return HP_OK;
	}
	return hp_id_map_put(&s->odd_defined, id, NULL) ? HP_OK
							: hp_no_memory(err);
}

/*
 * Assign each postponed range of ids to a later pass over the input (window).
 * Each pass gets the next ranges, in ascending order, as many as fit in memory.
 */
static enum hp_status
plan_windows(struct hp_id_sets *s, struct hp_error *err)
{
	size_t n = s->postponed.count + s->postponed.has_zero, i = 0, at = 0;
	uint64_t *numbers = hp_calloc(n ? n : 1, sizeof(*numbers));
	uint64_t value, bytes = 0, *times;
	bool leaves;

	if (!numbers)
		return hp_no_memory(err);
	while (hp_id_map_next(&s->postponed, &at, &numbers[i], &value))
		if (++i == n)
			break;
	hp_sort_u64(numbers, n);
	s->windows = n ? 2 : 1;
	for (i = 0; i < n; i++) {
		times = hp_id_map_find(&s->postponed, numbers[i]);
		leaves = *times > HP_SPARSE;
		value = leaves ? hp_region_bytes(s)
			       : (*times + 1) * SPARSE_BYTES;
		if (bytes > 0 && bytes + value > s->memory) {
			s->windows++;
			bytes = 0;
		}
		bytes += value;
		*times = (uint64_t)(s->windows - 1) << 1 | leaves;
	}
	s->planned = true;
	hp_free(numbers);
	return HP_OK;
}

enum hp_status
hp_id_sets_query(struct hp_id_sets *s, uint64_t id, struct hp_error *err)
{
	return hp_id_map_put(&s->asked, id, NULL) ? HP_OK : hp_no_memory(err);
}

/*
 * The caller has announced that it will query certain ids. Store the answers
 * for those ids that this pass over the input handles.
 */
static void
note_answers(struct hp_id_sets *s)
{
	uint64_t id, value, *place;
	size_t at = 0;

	while (hp_id_map_next(&s->asked, &at, &id, &value)) {
		if (!hp_id_sets_in_window(s, id))
			continue;
		place = hp_id_map_find(&s->asked, id);
		*place = (is_defined(s, id) ? HP_ASKED_DEFINED : 0) |
			 (is_referenced(s, id) ? HP_ASKED_REFERENCED : 0);
	}
}

enum hp_status
hp_id_sets_next(struct hp_id_sets *s, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (!s->planned)
		st = plan_windows(s, err);
	if (st != HP_OK)
		return st;
	if (s->window < s->windows)
		note_answers(s);
	hp_id_sets_empty(s);
	s->window = s->window < s->windows ? s->window + 1 : 0;
	return s->window < s->windows ? HP_OK : HP_EOF;
}

/* --- queries -------------------------------------------------------------- */

/*
 * Returns the stored answer (HP_ASKED_ bits) for an id that another pass over
 * the input has handled. If the query was not announced, the result says that
 * the id is defined.
 */
static uint64_t
answer_of(const struct hp_id_sets *s, uint64_t id)
{
	const uint64_t *at = hp_id_map_get(&s->asked, id);

	return at ? *at : HP_ASKED_DEFINED;
}

bool
hp_id_sets_defined(const struct hp_id_sets *s, uint64_t id)
{
	return hp_id_sets_in_window(s, id)
		       ? is_defined(s, id)
		       : (answer_of(s, id) & HP_ASKED_DEFINED) != 0;
}

bool
hp_id_sets_referenced(const struct hp_id_sets *s, uint64_t id)
{
	return hp_id_sets_in_window(s, id)
		       ? is_referenced(s, id)
		       : (answer_of(s, id) & HP_ASKED_REFERENCED) != 0;
}
