/*
 * locate.c - the second, targeted pass: who holds a reference to nothing, and
 * where an object is dumped again
 *
 * Runs over the same bytes with the classes and sets that the first pass left,
 * which nobody changes any more. References outside the span of the dangling
 * ids are passed over with one comparison.
 */
#include "validate/references_inner.h"

#include <stdlib.h>

struct locate_worker {
	struct hp_worker out;
	struct hp_class_cache classes;
	struct hp_spots doubles;
	uint64_t dangling;
};

struct locate {
	struct hp_references *r;
	const struct hp_tables *tables;
	struct locate_worker *workers;
	uint64_t low, span; /* of the dangling ids */
};

static inline bool
suspect(const struct locate *l, uint64_t id)
{
	return id - l->low <= l->span;
}

static void
check(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
      uint64_t id, uint64_t index, uint64_t record, enum hp_place place)
{
	if (id == 0 || hp_id_sets_defined(&l->r->sets, id))
		return;
	w->dangling++;
	hp_reference_dangles(l->r, l->tables, &w->out,
			     &(struct hp_open_reference){.id = id,
							 .offset = s->offset,
							 .holder = s->class_id,
							 .index = index,
							 .record = record,
							 .object = s->id,
							 .place = place});
}

static void
elements(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
	 const uint8_t *data, uint64_t first, uint64_t n, uint64_t record)
{
	unsigned id_size = l->r->o.id_size;
	uint64_t i, id;

	for (i = 0; i < n; i++) {
		id = hp_load_id(data + i * id_size, id_size);
		if (HP_UNLIKELY(suspect(l, id)))
			check(l, w, s, id, first + i, record, HP_PLACE_ELEMENT);
	}
}

static void
fields(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
       uint64_t record)
{
	const struct hp_class *c =
		hp_classes_layout(&l->r->classes, &w->classes, s->class_id);
	unsigned id_size = l->r->o.id_size;
	uint64_t id;
	uint32_t i;

	/* the same instances that the first pass took references from */
	if (!c || s->count < c->data_size ||
	    (c->chain == HP_CHAIN_FINE && s->count != c->data_size))
		return;
	for (i = 0; i < c->nrefs; i++) {
		id = hp_load_id(s->data + c->ref_at[i], id_size);
		if (HP_UNLIKELY(suspect(l, id)))
			check(l, w, s, id, c->ref_at[i], record,
			      HP_PLACE_INSTANCE_FIELD);
	}
}

/* An object: is it one that is dumped more than once? */
static void
object(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
       uint64_t record)
{
	if (HP_UNLIKELY(l->r->duplicates.count > 0) &&
	    hp_id_map_get(&l->r->duplicates, s->id))
		hp_spots_add(&w->doubles, s, record);
}

static void
sub_record(struct locate *l, struct locate_worker *w, const struct hp_sub *s,
	   uint64_t record)
{
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		fields(l, w, s, record);
		object(l, w, s, record);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		elements(l, w, s, s->data, 0, s->count, record);
		object(l, w, s, record);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		object(l, w, s, record);
		break;
	default:
		break;
	}
}

static enum hp_status
locate_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct locate *l = ctx;
	struct locate_worker *w = &l->workers[b->worker];
	unsigned id_size = l->r->o.id_size;
	const struct hp_run *run;
	struct hp_heap_iter it;
	struct hp_sub s;
	size_t i;

	for (i = 0; i < b->nruns; i++) {
		run = &b->runs[i];
		if (run->kind == HP_RUN_ARRAY) {
			if (run->piece.head)
				object(l, w, &run->piece.sub, run->record);
			if (run->piece.sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
				elements(l, w, &run->piece.sub,
					 b->data + run->at, run->piece.first,
					 run->piece.elements, run->record);
		} else if (run->kind == HP_RUN_SUBS) {
			it = hp_run_iter(b, i);
			while (hp_heap_next(&it, &s, id_size)) {
				__builtin_prefetch(it.at + 1024);
				sub_record(l, w, &s, run->record);
			}
		}
	}
	return w->doubles.lost ? hp_fail(err, HP_NOMEM, "out of memory")
			       : HP_OK;
}

/* Bring together what the workers found. */
static enum hp_status
gather(struct locate *l, struct hp_worker *into, struct hp_error *err)
{
	struct hp_spots *all = &l->workers[0].doubles;
	unsigned i;

	for (i = 0; i < l->r->o.workers; i++) {
		l->r->totals.dangling += l->workers[i].dangling;
		hp_findings_merge(&into->findings, &l->workers[i].out.findings);
		if (i > 0)
			hp_spots_append(all, &l->workers[i].doubles);
	}
	if (all->lost)
		return hp_fail(err, HP_NOMEM, "out of memory");
	hp_spots_report(all, l->r->dump, &into->findings);
	l->r->totals.duplicates_located = true;
	return HP_OK;
}

enum hp_status
hp_references_locate(struct hp_references *r, struct hp_source *again,
		     unsigned dump, const struct hp_tables *tables,
		     struct hp_worker *into, struct hp_error *err)
{
	struct locate l = {.r = r, .tables = tables};
	struct hp_pass pass = {
		.need = HP_NEED_REFERENCES, .ctx = &l, .batch = locate_batch};
	struct hp_scan_options options = {.threads = r->o.workers,
					  .only_dump = dump};
	enum hp_status st;
	unsigned i;

	l.low = r->sets.dangling_low;
	l.span = r->sets.dangling_high - l.low;
	if (r->sets.dangling == 0) {
		l.low = UINT64_MAX; /* no id but this one is suspect */
		l.span = 0;
	}
	l.workers = calloc(r->o.workers, sizeof(*l.workers));
	if (!l.workers)
		return hp_fail(err, HP_NOMEM, "out of memory");
	for (i = 0; i < r->o.workers; i++)
		hp_worker_init(&l.workers[i].out, into->findings.max_examples);
	st = hp_scan(again, &pass, &options, err);
	if (st == HP_OK)
		st = gather(&l, into, err);
	for (i = 0; i < r->o.workers; i++) {
		hp_worker_release(&l.workers[i].out);
		hp_spots_release(&l.workers[i].doubles);
	}
	free(l.workers);
	return st;
}
