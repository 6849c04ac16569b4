/*
 * locate_holders.c - one further pass over a dump
 *
 * Depending on its task, a pass fills the sets of ids of a window (a range of
 * ids), or finds the objects that have dangling references ("holders") and the
 * objects with duplicate ids.
 *
 * The classes that the first pass has read are complete, and do not change any
 * more. An id dangles if no object has it. The pass looks this up in the sets
 * or, if they contain only one window at a time, in the map of dangling ids.
 * Ids outside the range of all dangling ids are skipped with one comparison.
 * Parts of the dump that have no reference near a dangling id are skipped
 * completely (batch_granules.c). id_window_passes.c decides which passes are
 * needed.
 */
#include "validate/references/internal.h"

#include "common/base/memory.h"
#include "common/model/instance_lengths.h"

struct locate_worker {
	struct hp_id_worker *ids;
	struct hp_worker out;
	struct hp_class_cache classes;
	struct hp_duplicates doubles, twins;
	/*
	 * for HP_PASS_FIND: the arrays whose findings are decided later,
	 * because their severity depends on references to the array
	 */
	struct hp_id_map holders;
	uint64_t dangling;
	/*
	 * `no_memory`: an allocation failed. `too_many`: the arrays whose
	 * findings are decided later need more memory than the limit allows.
	 */
	bool no_memory, too_many;
};

struct locate {
	struct hp_references *r;
	const struct hp_tables *tables;
	struct locate_worker *workers;
	enum hp_pass_job job;
	bool doubles; /* also look for objects with duplicate ids */
	/*
	 * true: look up dangling ids in the map sets.dangling_ids; false: look
	 * them up in the sets of ids
	 */
	bool in_map;
	/*
	 * The pass looks only for ids from `low` to `low` + `span`, called the
	 * wanted range.
	 */
	uint64_t low, span;
	/*
	 * The granules (ranges of ids) that contain wanted ids. NULL: no part
	 * of the dump is skipped.
	 */
	uint64_t *granules;
};

static inline bool
may_be_wanted(const struct locate *l, uint64_t id)
{
	return id - l->low <= l->span;
}

static bool
is_dangling(const struct locate *l, uint64_t id)
{
	if (l->in_map)
		return hp_id_map_get(&l->r->sets.dangling_ids, id) != NULL;
	return hp_id_sets_in_window(&l->r->sets, id) &&
	       !hp_id_sets_defined(&l->r->sets, id);
}

/*
 * Remember an array whose findings are decided later, because their severity
 * depends on whether something refers to the array.
 */
static void
defer_array(const struct locate *l, struct locate_worker *w, uint64_t holder)
{
	uint64_t most = l->r->o.memory / 8 / l->r->o.workers;

	if (hp_id_map_get(&w->holders, holder))
		return;
	if (!hp_id_map_fits(&w->holders, most))
		w->too_many = true;
	else if (!hp_id_map_put(&w->holders, holder, NULL))
		w->no_memory = true;
}

/* Handle a reference to an id in the wanted range (see struct locate). */
static void
check_id(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
	 uint64_t id, uint64_t index, uint64_t record, enum hp_place place)
{
	const struct hp_pending_reference o = {.id = id,
					       .offset = s->offset,
					       .holder = s->class_id,
					       .index = index,
					       .record = record,
					       .object = s->id,
					       .place = place};
	uint64_t *mark;
	bool later;

	if (l->job == HP_PASS_MARK) {
		mark = hp_id_map_find(&l->r->holders, id);
		if (mark)
			__atomic_store_n(mark, 1, __ATOMIC_RELAXED);
		return;
	}
	if (id == 0 || !is_dangling(l, id))
		return;
	later = hp_id_sets_partial(&l->r->sets) &&
		hp_reference_may_be_habit(l->r, l->tables, &o);
	if (later && l->job == HP_PASS_FIND) {
		defer_array(l, w, s->id);
	} else if (later == (l->job == HP_PASS_FINISH)) {
		w->dangling++;
		hp_reference_dangles(l->r, l->tables, &w->out, &o);
	}
}

/*
 * Handle a reference. For HP_PASS_FILL, record the id to which it refers;
 * otherwise check whether this id is wanted.
 */
HP_HOT void
see_id(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
       uint64_t id, uint64_t index, uint64_t record, enum hp_place place)
{
	if (l->job == HP_PASS_FILL) {
		if (id != 0)
			hp_id_refer(w->ids, id);
	} else if (HP_UNLIKELY(may_be_wanted(l, id))) {
		check_id(l, w, s, id, index, record, place);
	}
}

/*
 * Returns the index of the first id in the wanted range, among the @n ids at
 * @data, from index @i on. Returns @n if there is none.
 */
HP_HOT uint64_t
pass_ids(const struct locate *l, const uint8_t *data, uint64_t i, uint64_t n,
	 unsigned id_size)
{
	for (; i < n; i++) {
		hp_ids_prefetch(data, i, id_size);
		if (HP_UNLIKELY(may_be_wanted(
			    l, hp_load_id(data + i * id_size, id_size))))
			break;
	}
	return i;
}

static void
check_elements(struct locate *l, struct locate_worker *w,
	       const struct hp_sub *s, const uint8_t *data, uint64_t first,
	       uint64_t n, uint64_t record)
{
	unsigned id_size = l->r->o.id_size;
	bool fill = l->job == HP_PASS_FILL;
	uint64_t i;

	for (i = 0; i < n; i++) {
		if (!fill && id_size == 8)
			i = pass_ids(l, data, i, n, 8);
		else if (!fill)
			i = pass_ids(l, data, i, n, 4);
		if (i < n)
			see_id(l, w, s, hp_load_id(data + i * id_size, id_size),
			       first + i, record, HP_PLACE_ELEMENT);
	}
}

static void
check_fields(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
	     uint64_t record)
{
	const struct hp_class *c =
		hp_classes_layout(&l->r->classes, &w->classes, s->class_id);
	unsigned id_size = l->r->o.id_size;
	uint32_t i;

	/*
	 * if the length does not fit the class, the first pass did not record
	 * the references of this instance either
	 */
	if (!c || !hp_instance_fits(c, s->count))
		return;
	for (i = 0; i < c->nrefs; i++)
		see_id(l, w, s, hp_load_id(s->data + c->ref_at[i], id_size),
		       c->ref_at[i], record, HP_PLACE_INSTANCE_FIELD);
}

/*
 * Handle an object. For HP_PASS_FILL, add its id to the sets of object ids;
 * otherwise remember the object if other objects have the same id.
 */
static void
check_object(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
	     uint64_t record)
{
	if (l->job == HP_PASS_FILL && s->id != 0)
		hp_id_define(w->ids, s->id);
	if (HP_UNLIKELY(l->doubles) && hp_id_map_get(&l->r->duplicates, s->id))
		hp_duplicates_add(&w->doubles, s, record);
	if (HP_UNLIKELY(l->doubles) && hp_id_map_get(&l->r->twins, s->id))
		hp_duplicates_add(&w->twins, s, record);
}

static void
check_sub(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
	  uint64_t record)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		check_fields(l, w, s, record);
		check_object(l, w, s, record);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		check_elements(l, w, s, s->data, 0, s->count, record);
		check_object(l, w, s, record);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		check_object(l, w, s, record);
		break;
	default:
		break;
	}
}

/*
 * Handle one piece of a very long array, or the fixed fields of an instance
 * that is too long.
 */
static void
check_piece(struct locate *l, struct locate_worker *w, const struct hp_batch *b,
	    const struct hp_batch_walk *walk, const struct hp_sub *s)
{
	const struct hp_piece *p = walk->piece;
	uint64_t record = walk->run->record;

	if (p->head)
		check_object(l, w, s, record);
	if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		check_elements(l, w, s, b->data + walk->run->at, p->first,
			       p->elements, record);
}

/*
 * Skip consecutive instances, up to the first instance that needs the slow
 * path. An instance needs it if the class is not in the cache, the length is
 * wrong, or a reference is in the wanted range.
 */
HP_HOT void
pass_instances(const struct locate *l, const struct locate_worker *w,
	       struct hp_heap_iter *at, unsigned id_size)
{
	const uint64_t low = l->low, span = l->span;
	struct hp_heap_iter it = *at;
	const struct hp_class *c;
	struct hp_sub s;
	uint32_t i;

	for (; hp_heap_instance(&it, &s, id_size); it.at = s.data + s.count) {
		c = hp_classes_cached(&w->classes, s.class_id);
		if (!c || !hp_instance_fits(c, s.count))
			break;
		hp_heap_prefetch(s.data + s.count, HP_AHEAD_BUSY);
		for (i = 0; i < c->nrefs; i++)
			if (HP_UNLIKELY(
				    hp_load_id(s.data + c->ref_at[i], id_size) -
					    low <=
				    span))
				break;
		if (HP_UNLIKELY(i < c->nrefs))
			break;
	}
	*at = it;
}

/*
 * Process the remaining consecutive sub-records, if the pass needs only
 * references.
 */
HP_HOT void
look_for_ids(struct locate *l, struct locate_worker *w,
	     struct hp_batch_walk *walk, unsigned id_size)
{
	struct hp_heap_iter it = walk->it;
	struct hp_sub s;

	for (;;) {
		pass_instances(l, w, &it, id_size);
		if (!hp_heap_next(&it, &s, id_size))
			break;
		hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD_BUSY);
		if (s.tag == HP_SUB_INSTANCE_DUMP)
			check_fields(l, w, &s, walk->run->record);
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			check_elements(l, w, &s, s.data, 0, s.count,
				       walk->run->record);
	}
	walk->it = it;
}

/*
 * Whether a part of the dump may contain a reference to an id for which the
 * pass looks. Otherwise the part is skipped.
 */
static bool
is_batch_wanted(void *ctx, const struct hp_batch *b)
{
	const struct locate *l = ctx;

	return !l->granules ||
	       hp_batch_granules_may_hold(&l->r->granules, b, l->granules);
}

static enum hp_status
locate_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct locate *l = ctx;
	struct locate_worker *w = &l->workers[b->worker];
	unsigned id_size = l->r->o.id_size;
	struct hp_batch_walk walk = {.every_piece = true,
				     .ahead = HP_AHEAD_BUSY};
	/*
	 * if the pass neither fills the sets of object ids nor looks for
	 * duplicate ids, it needs only the references, not the ids of the
	 * objects
	 */
	bool pass = l->job != HP_PASS_FILL && !l->doubles;
	struct hp_sub s;

	while (hp_batch_next(&walk, b, &s, id_size)) {
		if (walk.piece)
			check_piece(l, w, b, &walk, &s);
		else
			check_sub(l, w, &s, walk.run->record);
		if (pass && id_size == 8)
			look_for_ids(l, w, &walk, 8);
		else if (pass)
			look_for_ids(l, w, &walk, 4);
	}
	if (w->too_many)
		return hp_fail(
			err, HP_LIMIT,
			"the list of arrays with dangling references does not "
			"fit in --memory; allow more");
	return w->doubles.lost || w->twins.lost || w->no_memory
		       ? hp_no_memory(err)
		       : HP_OK;
}

/*
 * Collect from all threads the arrays whose findings are decided later. Returns
 * false if out of memory.
 */
static bool
gather_holders(struct hp_references *r, const struct locate_worker *w)
{
	uint64_t id, value;
	size_t at = 0;

	while (hp_id_map_next(&w->holders, &at, &id, &value))
		if (!hp_id_map_put(&r->holders, id, NULL))
			return false;
	return true;
}

static enum hp_status
merge_holders(struct locate *l, struct hp_worker *into, struct hp_error *err)
{
	struct hp_duplicates *all = &l->workers[0].doubles;
	struct hp_duplicates *twins = &l->workers[0].twins;
	unsigned i;

	for (i = 0; i < l->r->o.workers; i++) {
		l->r->totals.dangling += l->workers[i].dangling;
		hp_findings_merge(&into->findings, &l->workers[i].out.findings);
		if (i > 0) {
			hp_duplicates_append(all, &l->workers[i].doubles);
			hp_duplicates_append(twins, &l->workers[i].twins);
		}
		if (!gather_holders(l->r, &l->workers[i]))
			all->lost = true;
	}
	if (all->lost || twins->lost)
		return hp_no_memory(err);
	if (!l->doubles)
		return HP_OK;
	hp_duplicates_report(all, l->r->dump, &into->findings);
	hp_class_object_conflicts_report(l->r, l->tables, twins, into);
	l->r->totals.duplicates_located = true;
	return HP_OK;
}

/*
 * Determine the wanted range: the smallest range that contains all ids for
 * which the pass looks.
 */
static void
set_span(struct locate *l)
{
	const struct hp_references *r = l->r;
	uint64_t id, value, low = UINT64_MAX, high = 0;
	size_t at = 0;

	if (l->job == HP_PASS_MARK) {
		while (hp_id_map_next(&r->holders, &at, &id, &value)) {
			low = id < low ? id : low;
			high = id > high ? id : high;
		}
	} else if (r->sets.dangling > 0) {
		low = r->sets.dangling_low;
		high = r->sets.dangling_high;
	}
	/*
	 * if the pass looks for no id, the range contains only the largest
	 * possible id
	 */
	l->low = low;
	l->span = high > low ? high - low : 0;
}

/*
 * Determine the granules (ranges of ids) that contain ids for which the pass
 * looks. Parts of the dump without a reference to these granules can be
 * skipped. Does nothing if the pass fills sets or looks for objects, because
 * such a pass needs every part.
 */
static enum hp_status
set_granules(struct locate *l, struct hp_error *err)
{
	const struct hp_references *r = l->r;
	const struct hp_id_sets *sets = &r->sets;
	uint64_t id, value;
	size_t at = 0, g;

	if (l->job == HP_PASS_FILL || l->doubles || !r->granules.ready)
		return HP_OK;
	l->granules =
		hp_calloc(hp_id_granule_words(sets), sizeof(*l->granules));
	if (!l->granules)
		return hp_no_memory(err);
	if (l->job != HP_PASS_MARK) {
		for (g = 0; g < sets->granules; g++)
			if (sets->dangling_granules[g])
				l->granules[g / 64] |= 1ull << g % 64;
		return HP_OK;
	}
	while (hp_id_map_next(&r->holders, &at, &id, &value)) {
		g = hp_id_granule(sets, id);
		l->granules[g / 64] |= 1ull << g % 64;
	}
	return HP_OK;
}

enum hp_status
hp_references_locate_holders(struct hp_references *r, enum hp_pass_job job,
			     bool doubles, struct hp_source *src,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err)
{
	struct locate l = {.r = r,
			   .tables = tables,
			   .job = job,
			   .doubles = doubles,
			   .in_map = hp_id_sets_partial(&r->sets) &&
				     !r->sets.dangling_lost};
	enum hp_status st;
	unsigned i;

	set_span(&l);
	l.workers = hp_calloc(r->o.workers, sizeof(*l.workers));
	if (!l.workers)
		return hp_no_memory(err);
	st = set_granules(&l, err);
	for (i = 0; i < r->o.workers; i++) {
		l.workers[i].ids = &r->sets.worker[i];
		hp_worker_init(&l.workers[i].out, into->findings.max_examples,
			       into->findings.located);
	}
	if (st == HP_OK)
		st = hp_references_rescan(r, src, locate_batch, is_batch_wanted,
					  &l, err);
	if (st == HP_OK)
		st = merge_holders(&l, into, err);
	for (i = 0; i < r->o.workers; i++) {
		hp_worker_release(&l.workers[i].out);
		hp_duplicates_release(&l.workers[i].doubles);
		hp_duplicates_release(&l.workers[i].twins);
		hp_id_map_release(&l.workers[i].holders);
	}
	hp_free(l.granules);
	hp_free(l.workers);
	return st;
}
