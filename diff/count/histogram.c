/*
 * histogram.c - count the objects of a dump by class; each thread counts into
 * tables of its own
 *
 * This is the innermost loop of hprof-diff. All results are sums, so it does
 * not matter which thread reads which part of the dump.
 */
#include "diff/count/histogram.h"
#include "common/base/memory.h"

#include <string.h>

enum {
	/*
	 * if this pass collects the ids of objects, 1/PART_OF_NODES (a quarter)
	 * of --memory is for these ids
	 */
	PART_OF_NODES = 4
};

/*
 * Returns the index of a class in the small cache of classes that each thread
 * has: the high bits of a product (Fibonacci hashing).
 */
HP_HOT size_t
recent_slot(uint64_t id, uint64_t split)
{
	return (size_t)(((id ^ split * UINT64_C(0x9FB21C651E98DF25)) *
			 UINT64_C(0x9E3779B97F4A7C15)) >>
			54);
}

static struct hp_tally *
tally_uncached(struct hp_histogram_worker *w, struct hp_recent *r,
	       enum hp_tally_kind kind, uint64_t id, uint64_t split)
{
	const struct hp_tally_key key = {.id = id,
					 .trace = (uint32_t)split,
					 .heap = (uint32_t)(split >> 32),
					 .kind = kind};
	struct hp_tally *t = hp_tallies_put(&w->tallies, &key);

	if (t && r)
		*r = (struct hp_recent){.id = id, .split = split, .tally = t};
	return t;
}

/*
 * Returns the counter for the objects of a class, from the cache @recent or
 * otherwise from the hash table of this thread. NULL if out of memory.
 */
HP_HOT struct hp_tally *
tally_of(struct hp_histogram_worker *w, struct hp_recent *recent,
	 enum hp_tally_kind kind, uint64_t id, uint64_t split)
{
	struct hp_recent *r = &recent[recent_slot(id, split)];

	if (HP_LIKELY(r->id == id && r->split == split && r->tally))
		return r->tally;
	return tally_uncached(w, r, kind, id, split);
}

/*
 * If the previous object of the dump is an instance, count the distance in
 * bytes from it to the object @id. In most dumps of HotSpot, the next object in
 * the dump is also the next one in memory.
 */
HP_HOT void
count_distance(struct hp_tally *before, uint64_t before_id, uint64_t id)
{
	/*
	 * if @id is smaller than the previous id, this unsigned difference is
	 * very large and is ignored
	 */
	uint64_t distance = id - before_id;

	if (distance == before->least) {
		before->least_times++;
	} else if (HP_UNLIKELY(distance < before->least)) {
		before->least = distance;
		before->least_times = 1;
	}
}

HP_HOT bool
count_instance(struct hp_histogram_worker *w, const struct hp_sub *s,
	       uint64_t split)
{
	struct hp_tally *t = tally_of(w, w->instances, HP_TALLY_INSTANCES,
				      s->class_id, split);

	if (HP_UNLIKELY(!t) || !hp_instance_length_see(&w->lengths, s))
		return false;
	if (t->count++ == 0)
		t->length = s->count;
	t->elements += s->count;
	hp_size_hint_object(&w->hints, s->id);
	w->before = t;
	w->before_id = s->id;
	return hp_heap_sample_add(&w->sample, s->id, t, 0);
}

HP_HOT bool
count_objects(struct hp_histogram_worker *w, const struct hp_sub *s,
	      uint64_t split)
{
	struct hp_tally *t = tally_of(w, w->arrays, HP_TALLY_OBJECT_ARRAYS,
				      s->class_id, split);

	hp_size_hint_object(&w->hints, s->id);
	hp_size_hint_array(&w->hints, s->id, s->count);
	return HP_LIKELY(t) && hp_tally_array(&w->tallies, t, s->count, 63) &&
	       hp_heap_sample_add(&w->sample, s->id, t, s->count);
}

static inline bool
count_primitives(struct hp_histogram_worker *w, const struct hp_sub *s,
		 uint64_t split)
{
	uint32_t mask = 256 / hp_type_size(s->type, 4) - 1;
	struct hp_tally *t = split ? NULL : w->primitives[s->type];

	if (HP_UNLIKELY(!t)) {
		t = tally_uncached(w, NULL, HP_TALLY_PRIMITIVE_ARRAYS, s->type,
				   split);
		if (!t)
			return false;
		if (!split)
			w->primitives[s->type] = t;
	}
	hp_size_hint_object(&w->hints, s->id);
	return hp_tally_array(&w->tallies, t, s->count, mask) &&
	       hp_heap_sample_add(&w->sample, s->id, t, s->count);
}

/*
 * Handle a sub-record that is not an instance or an array: a root, a class
 * dump, or the name of an Android heap.
 */
static enum hp_status
handle_other_sub(struct hp_histogram *g, struct hp_histogram_worker *w,
		 const struct hp_batch *b, const struct hp_run *run,
		 struct hp_sub s, uint32_t *heap, struct hp_error *err)
{
	unsigned id_size = g->header.id_size;

	hp_dialect_evidence_sub(&w->evidence, &s, id_size);
	switch (s.tag) {
	case HP_SUB_CLASS_DUMP:
		hp_size_hint_object(&w->hints, s.id);
		if (!hp_heap_sample_add(&w->sample, s.id, NULL, 0))
			return hp_no_memory(err);
		return hp_classes_add(&g->classes, b->worker, b->index,
				      run->record, *heap, &s, NULL, err);
	case HP_SUB_HEAP_DUMP_INFO:
		*heap = hp_load4(s.start + 1);
		return hp_id_map_set(&w->heaps, *heap,
				     hp_load_id(s.start + 5, id_size))
			       ? HP_OK
			       : hp_no_memory(err);
	default:
		return HP_OK;
	}
}

/*
 * Combine the Android heap and the allocation trace of an object into one
 * number. Objects of one class with different numbers have separate counters.
 */
HP_HOT uint64_t
split_key(const struct hp_sub *s, unsigned split_by, uint32_t heap)
{
	return (split_by & HP_SPLIT_HEAP ? (uint64_t)heap << 32 : 0) |
	       (split_by & HP_SPLIT_TRACE ? s->trace : 0);
}

/*
 * The fast path: count consecutive instances. It stops at a sub-record of
 * another type, at an instance whose class is not in the thread's cache of
 * classes, and at an instance that is longer or shorter than the first one of
 * its class.
 */
HP_HOT void
count_instances(struct hp_histogram_worker *w, struct hp_heap_iter *at,
		unsigned id_size, unsigned split_by, uint32_t heap)
{
	struct hp_heap_iter it = *at;
	uint64_t id_bits = 0, split, before_id = w->before_id;
	struct hp_tally *before = w->before;
	const struct hp_recent *r;
	struct hp_sub s;

	while (hp_heap_instance(&it, &s, id_size)) {
		hp_heap_prefetch(s.start, HP_AHEAD);
		split = split_key(&s, split_by, heap);
		r = &w->instances[recent_slot(s.class_id, split)];
		if (HP_UNLIKELY(r->id != s.class_id ||
				(split_by && r->split != split) || !r->tally))
			break;
		if (HP_UNLIKELY(r->tally->length != s.count || s.id == 0))
			break;
		if (HP_UNLIKELY(
			    !hp_heap_sample_add(&w->sample, s.id, r->tally, 0)))
			/*
			 * stop here: count_object() reads this sub-record
			 * again, finds the same error and reports it
			 */
			break;
		r->tally->count++;
		r->tally->elements += s.count;
		id_bits |= s.id;
		count_distance(before, before_id, s.id);
		before = r->tally;
		before_id = s.id;
		it.at = s.data + s.count;
	}
	w->before = before;
	w->before_id = before_id;
	hp_size_hint_object(&w->hints, id_bits);
	*at = it;
}

HP_HOT bool
count_object(struct hp_histogram_worker *w, const struct hp_sub *s,
	     unsigned split_by, uint32_t heap)
{
	uint64_t split = split_key(s, split_by, heap);

	hp_damage_object(&w->damage, s);
	count_distance(w->before, w->before_id, s->id);
	w->before = &w->none;
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		return count_instance(w, s, split);
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return count_objects(w, s, split);
	default:
		return count_primitives(w, s, split);
	}
}

HP_HOT bool
is_object(uint8_t tag)
{
	return tag == HP_SUB_INSTANCE_DUMP || tag == HP_SUB_OBJECT_ARRAY_DUMP ||
	       tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
	       tag == HP_SUB_PRIMITIVE_ARRAY_NODATA;
}

/*
 * The innermost loop over consecutive sub-records. Callers pass @id_size and
 * @split as constants, so that the compiler makes a specialised copy of the
 * loop.
 */
HP_HOT enum hp_status
count_subs(struct hp_histogram *g, struct hp_histogram_worker *w,
	   const struct hp_batch *b, size_t index, unsigned id_size,
	   unsigned split, struct hp_error *err)
{
	const struct hp_run *run = &b->runs[index];
	struct hp_heap_iter it = hp_run_iter(b, index);
	uint32_t heap = run->heap;
	struct hp_symptom symptom;
	struct hp_sub s;
	enum hp_status st;

	for (;;) {
		count_instances(w, &it, id_size, split, heap);
		if (!hp_heap_next(&it, &s, id_size))
			break;
		hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD);
		if (HP_LIKELY(is_object(s.tag))) {
			if (HP_LIKELY(count_object(w, &s, split, heap)))
				continue;
			return hp_no_memory(err);
		}
		st = handle_other_sub(g, w, b, run, s, &heap, err);
		if (st != HP_OK)
			return st;
	}
	if (hp_symptom_of_stop(&it, &symptom))
		hp_damage_note(&w->damage, &symptom);
	return HP_OK;
}

/*
 * Call the innermost loop. For the usual sizes of ids, pass the size as a
 * constant, so that the compiler makes a copy of the loop for each size.
 */
static enum hp_status
count_run(struct hp_histogram *g, struct hp_histogram_worker *w,
	  const struct hp_batch *b, size_t index, struct hp_error *err)
{
	unsigned split = g->options->split;

	if (split == 0)
		return g->header.id_size == 8
			       ? count_subs(g, w, b, index, 8, 0, err)
			       : count_subs(g, w, b, index, 4, 0, err);
	return count_subs(g, w, b, index, g->header.id_size, split, err);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_histogram *g = ctx;
	struct hp_histogram_worker *w = g->workers[b->worker];
	enum hp_status st = HP_OK;

	if (!g->current)
		return HP_OK;
	hp_size_hints_batch(&w->hints);
	w->before = &w->none;
	for (size_t i = 0; i < b->nruns && st == HP_OK; i++) {
		const struct hp_run *run = &b->runs[i];

		if (run->kind == HP_RUN_SUBS)
			st = count_run(g, w, b, i, err);
		else if (run->kind == HP_RUN_ARRAY && run->piece.head &&
			 !count_object(w, &run->piece.sub, g->options->split,
				       run->heap))
			st = hp_no_memory(err);
	}
	if (st != HP_OK)
		return st;
	return g->nodes.sets ? hp_nodes_batch(&g->nodes, b, err) : HP_OK;
}

static enum hp_status
on_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_histogram *g = ctx;

	return g->current ? hp_classes_retire(&g->classes, b->index, err)
			  : HP_OK;
}

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct hp_histogram *g = ctx;
	const struct hp_symptom s = hp_symptom_of_problem(p);

	g->problem = true;
	hp_damage_note(&g->damage, &s);
}

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct hp_histogram *g = ctx;

	struct hp_symptom s;

	g->header = *h;
	if (hp_symptom_of_header(h, &s))
		hp_damage_note(&g->damage, &s);
	if (!hp_header_readable(h))
		return HP_OK;
	hp_tables_init(&g->tables, h->id_size);
	g->have_tables = true;
	g->evidence.version = h->version;
	g->evidence.id_size = h->id_size;
	return HP_OK;
}

/*
 * Called at the end of the chosen dump: store how many report records, such as
 * ALLOC SITES, were read so far. Later report records belong to other dumps.
 */
static void
end_reports(struct hp_histogram *g)
{
	g->sites_until = g->tables.site_list.count;
	g->samples_until = g->tables.sample_list.count;
	g->strings_until = g->tables.string_list.count;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct hp_histogram *g = ctx;
	struct hp_symptom s;

	if (rec->dump > g->held)
		g->held = rec->dump;
	if (!g->have_tables)
		return HP_OK;
	if (rec->first && rec->dump - 1 == g->options->dump)
		end_reports(g);
	if (hp_symptom_of_record(rec, &body, g->header.id_size, &s))
		hp_damage_note(&g->damage, &s);
	if (hp_heap_records_see(&g->heap_records, rec, &s))
		hp_damage_note(&g->damage, &s);
	hp_dialect_evidence_record(&g->evidence, rec, body);
	return hp_tables_record(&g->tables, rec, body, g->dumps, NULL, err);
}

/*
 * Add several consecutive STRING records to the tables, which is faster than
 * calling on_record() for each of them.
 */
static enum hp_status
take_strings(void *ctx, struct hp_string_run *run, size_t most,
	     struct hp_error *err)
{
	struct hp_histogram *g = ctx;
	size_t taken;
	enum hp_status st =
		hp_tables_take_strings(&g->tables, run, most, &taken, err);

	g->heap_records.records += taken;
	hp_dialect_evidence_strings(&g->evidence, taken);
	return st;
}

static enum hp_status
on_strings(void *ctx, struct hp_string_run *run, struct hp_error *err)
{
	struct hp_histogram *g = ctx;

	return g->have_tables ? hp_tables_scan_strings(&g->tables, &g->strings,
						       run, err)
			      : HP_OK;
}

static enum hp_status
reset_worker(struct hp_histogram *g, struct hp_histogram_worker *w,
	     struct hp_error *err)
{
	hp_tallies_release(&w->tallies);
	hp_id_map_release(&w->heaps);
	hp_instance_lengths_release(&w->lengths);
	hp_heap_sample_release(&w->sample);
	memset(w, 0, sizeof(*w));
	w->sample.most = hp_heap_sample_size(hp_memory_given());
	return hp_tallies_init(&w->tallies, err);
}

/*
 * Prepare to collect the ids of objects while they are counted. If the ids need
 * more than their share of --memory, this pass stops collecting them, and a
 * later pass collects them.
 */
static enum hp_status
begin_nodes(struct hp_histogram *g, struct hp_error *err)
{
	hp_nodes_release(&g->nodes, NULL);
	if (!g->options->nodes)
		return HP_OK;
	g->nodes = (struct hp_nodes){
		.id_size = g->header.id_size,
		.threads = g->options->threads,
		.shift = hp_id_shift(hp_dialect_of(&g->evidence, &g->tables)),
		.dump = g->dumps};
	return hp_nodes_begin(&g->nodes, g->size,
			      hp_memory_left() / PART_OF_NODES, err);
}

static enum hp_status
on_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct hp_histogram *g = ctx;
	enum hp_status st = HP_OK;

	g->dumps = dump;
	g->current = !g->options->dump || g->options->dump == dump;
	if (!g->current)
		return HP_OK;
	if (g->have_classes)
		hp_classes_release(&g->classes);
	g->have_classes = false;
	for (unsigned i = 0; i < g->nworkers && st == HP_OK; i++)
		st = reset_worker(g, g->workers[i], err);
	if (st == HP_OK)
		st = hp_classes_init(&g->classes, g->header.id_size,
				     g->nworkers, err);
	g->have_classes = st == HP_OK;
	return st == HP_OK ? begin_nodes(g, err) : st;
}

/*
 * Merge the damage that each thread has found. Damage in an earlier dump of the
 * file is also reported.
 */
static enum hp_status
gather_judge(struct hp_histogram *g, struct hp_error *err)
{
	struct hp_instance_lengths *all = &g->workers[0]->lengths;

	for (unsigned i = 0; i < g->nworkers; i++) {
		struct hp_histogram_worker *w = g->workers[i];

		hp_damage_merge(&g->damage, &w->damage);
		hp_dialect_evidence_merge(&g->evidence, &w->evidence);
		if (i == 0)
			continue;
		if (!hp_instance_lengths_merge(all, &w->lengths))
			return hp_no_memory(err);
		hp_instance_lengths_release(&w->lengths);
	}
	hp_dialect_evidence_classes(&g->evidence, &g->classes, &g->tables);
	hp_damage_classes(&g->damage, &g->classes, &g->tables, all);
	hp_instance_lengths_release(all);
	return HP_OK;
}

static enum hp_status
on_dump_end(void *ctx, unsigned dump, struct hp_error *err)
{
	struct hp_histogram *g = ctx;
	bool mine = g->current;
	enum hp_status st;

	g->current = false;
	if (!mine)
		return HP_OK;
	st = hp_classes_complete(&g->classes, err);
	return st == HP_OK ? gather_judge(g, err) : st;
}

/*
 * Merge the names of Android heaps. If a heap has several names, the name with
 * the smallest string id is used.
 */
static enum hp_status
merge_heap_names(struct hp_histogram *g, const struct hp_id_map *from,
		 struct hp_error *err)
{
	uint64_t id, name;
	size_t at = 0;

	while (hp_id_map_next(from, &at, &id, &name))
		if (!hp_id_map_set_least(&g->heaps, id, name))
			return hp_no_memory(err);
	return HP_OK;
}

static enum hp_status
merge_workers(struct hp_histogram *g, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (unsigned i = 0; i < g->nworkers && st == HP_OK; i++) {
		struct hp_histogram_worker *w = g->workers[i];

		st = hp_tallies_merge(&g->tallies, &w->tallies, err);
		if (st == HP_OK)
			st = merge_heap_names(g, &w->heaps, err);
		hp_size_hints_merge(&g->hints, &w->hints);
		hp_tallies_release(&w->tallies);
	}
	return st;
}

/*
 * Called at the end of the file: determine which program wrote the dump, and
 * which damage comes first in the file.
 */
static void
gather_end(struct hp_histogram *g, struct hp_source *src)
{
	struct hp_symptom s;

	hp_damage_container(&g->damage, src);
	if (g->have_tables) {
		if (!g->options->dump || g->options->dump >= g->held)
			end_reports(g);
		if (hp_heap_records_end(&g->heap_records, hp_source_tell(src),
					g->problem, &s))
			hp_damage_note(&g->damage, &s);
		g->dialect = hp_dialect_of(&g->evidence, &g->tables);
	}
	if (g->nodes.shift != hp_id_shift(g->dialect))
		hp_nodes_release(&g->nodes, NULL);
	g->damaged = hp_damage_first(&g->damage, g->dialect);
}

/*
 * Merge the samples of the heap that the threads have collected, and measure
 * the distances between the objects of the merged sample.
 */
static enum hp_status
measure_samples(struct hp_histogram *g, struct hp_measure *m,
		struct hp_error *err)
{
	struct hp_heap_sample all = g->workers[0]->sample;
	enum hp_status st;
	bool fine = true;

	g->workers[0]->sample = (struct hp_heap_sample){0};
	for (unsigned i = 1; i < g->nworkers && fine; i++) {
		fine = hp_heap_sample_merge(&all, &g->workers[i]->sample);
		hp_heap_sample_release(&g->workers[i]->sample);
	}
	st = fine ? hp_measure_sample(m, &all, err) : hp_no_memory(err);
	hp_heap_sample_release(&all);
	return st;
}

/*
 * Measure shallow sizes, and merge the counters of all threads. The samples of
 * the heap have pointers to the counters of the threads, so measure the samples
 * before the counters are merged.
 */
static enum hp_status
measure_and_merge(struct hp_histogram *g, struct hp_error *err)
{
	bool android =
		g->dialect == HP_DIALECT_ART || g->dialect == HP_DIALECT_DALVIK;
	struct hp_measure m;
	enum hp_status st;

	if (!g->have_classes)
		return merge_workers(g, err);
	st = hp_measure_init(&m, &g->classes, &g->tables, err);
	if (st == HP_OK)
		st = measure_samples(g, &m, err);
	if (st == HP_OK)
		st = merge_workers(g, err);
	g->fitted = hp_size_model_detect(&g->hints, g->header.id_size, android);
	/*
	 * do this only if object ids are addresses; in a dump of an agent they
	 * are not
	 */
	if (st == HP_OK && !android && (g->hints.id_bits & 7) == 0)
		st = hp_measure_sizes(&m, &g->tallies, g->header.id_size,
				      &g->fitted, &g->measured, err);
	hp_measure_release(&m);
	return st;
}

static enum hp_status
alloc_workers(struct hp_histogram *g, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	g->workers = hp_calloc(g->options->threads,
			       sizeof(struct hp_histogram_worker *));
	if (!g->workers)
		return hp_no_memory(err);
	g->nworkers = g->options->threads;
	for (unsigned i = 0; i < g->nworkers && st == HP_OK; i++) {
		g->workers[i] = hp_calloc(1, sizeof(*g->workers[i]));
		st = g->workers[i]
			     ? hp_tallies_init(&g->workers[i]->tallies, err)
			     : hp_no_memory(err);
	}
	return st;
}

enum hp_status
hp_histogram_run(struct hp_histogram *g, struct hp_source *src,
		 const struct hp_histogram_options *options,
		 struct hp_error *err)
{
	const struct hp_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = g,
				     .problem = on_problem,
				     .header = on_header,
				     .record = on_record,
				     .strings = on_strings,
				     .dump_begin = on_dump_begin,
				     .dump_end = on_dump_end,
				     .batch = on_batch,
				     .retired = on_retired};
	const struct hp_scan_options scan = {.threads = options->threads,
					     .only_dump = options->dump,
					     .spill_memory = 64 << 20};
	enum hp_status st;

	memset(g, 0, sizeof(*g));
	g->options = options;
	g->strings = (struct hp_string_taker){.ctx = g, .take = take_strings};
	g->size = hp_source_size(src);
	st = hp_tallies_init(&g->tallies, err);
	if (st == HP_OK)
		st = alloc_workers(g, err);
	if (st == HP_OK)
		st = hp_scan(src, &pass, &scan, err);
	if (st != HP_OK)
		return st;
	gather_end(g, src);
	return measure_and_merge(g, err);
}

void
hp_histogram_release(struct hp_histogram *g)
{
	hp_nodes_release(&g->nodes, NULL);
	for (unsigned i = 0; i < g->nworkers; i++) {
		if (!g->workers[i])
			continue;
		hp_tallies_release(&g->workers[i]->tallies);
		hp_id_map_release(&g->workers[i]->heaps);
		hp_instance_lengths_release(&g->workers[i]->lengths);
		hp_heap_sample_release(&g->workers[i]->sample);
		hp_free(g->workers[i]);
	}
	hp_free(g->workers);
	hp_measured_sizes_release(&g->measured);
	hp_tallies_release(&g->tallies);
	hp_id_map_release(&g->heaps);
	hp_id_map_release(&g->loaders);
	hp_arena_release(&g->arena);
	if (g->have_classes)
		hp_classes_release(&g->classes);
	if (g->have_tables)
		hp_tables_release(&g->tables);
	memset(g, 0, sizeof(*g));
}

enum hp_status
hp_histogram_undescribed(const struct hp_histogram *g,
			 struct hp_undescribed *out, struct hp_error *err)
{
	struct hp_undescribed_tally u = {0};
	enum hp_status st;
	bool fine = true;

	for (size_t i = 0; i < g->tallies.count && fine; i++) {
		const struct hp_tally *t = g->tallies.list[i];

		if (t->key.kind == HP_TALLY_INSTANCES &&
		    hp_class_leaves_undescribed(
			    g->have_classes
				    ? hp_classes_get(&g->classes, t->key.id)
				    : NULL,
			    t->elements))
			fine = hp_undescribed_add(&u, t->key.id, t->count);
	}
	st = fine ? hp_undescribed_all(&u, sizeof(u), 1, out, err)
		  : hp_no_memory(err);
	hp_undescribed_release(&u);
	return st;
}
