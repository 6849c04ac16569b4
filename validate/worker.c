/*
 * worker.c - collect what a worker finds in batches, and merge workers
 *
 * The innermost loop over objects is in references.c. This file handles
 * sub-records that are rare, such as roots.
 */
#include "validate/worker.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>

static void
traces_release(struct hp_seen_traces *t)
{
	hp_id_map_release(&t->by_serial);
	hp_free(t->list);
	*t = (struct hp_seen_traces){0};
}

void
hp_worker_init(struct hp_worker *w, size_t max_examples, bool located)
{
	memset(w, 0, sizeof(*w));
	hp_findings_init(&w->findings, max_examples, located);
}

void
hp_worker_release(struct hp_worker *w)
{
	hp_findings_release(&w->findings);
	traces_release(&w->traces);
	hp_free(w->roots.items);
	memset(w, 0, sizeof(*w));
}

void
hp_worker_reset(struct hp_worker *w)
{
	w->roots.count = 0;
	w->arrays = w->empty_arrays = 0;
	memset(w->types, 0, sizeof(w->types));
	memset(w->heaps, 0, sizeof(w->heaps));
	traces_release(&w->traces);
	w->last_trace = 0;
}

/*
 * Returns all fields of a root except its id, as one number; see struct
 * hp_root.extra.
 */
static uint64_t
root_extra(const struct hp_sub *s, unsigned id_size)
{
	switch (s->tag) {
	case HP_SUB_ROOT_JNI_GLOBAL:
		return hp_load_id(s->start + 1 + id_size, id_size);
	case HP_SUB_ROOT_JNI_LOCAL:
	case HP_SUB_ROOT_JAVA_FRAME:
	case HP_SUB_ROOT_THREAD_OBJECT:
	case HP_SUB_ROOT_JNI_MONITOR:
		return (uint64_t)hp_root_thread(s, id_size) << 32 |
		       hp_root_third(s, id_size);
	case HP_SUB_ROOT_NATIVE_STACK:
	case HP_SUB_ROOT_THREAD_BLOCK:
		return (uint64_t)hp_root_thread(s, id_size) << 32;
	case HP_SUB_HEAP_DUMP_INFO:
		return hp_load4(s->start + 1);
	default:
		return 0;
	}
}

enum hp_status
hp_worker_root_or_heap(struct hp_worker *w, const struct hp_sub *s,
		       uint64_t record, unsigned id_size, struct hp_error *err)
{
	struct hp_root *r;

	hp_dialect_evidence_sub(&w->evidence, s, id_size);
	r = hp_vec_add(&w->roots, sizeof(*r));
	if (!r)
		return hp_no_memory(err);
	*r = (struct hp_root){
		.id = s->id,
		.extra = root_extra(s, id_size),
		.offset = s->offset,
		.record = record,
		.tag = s->tag,
	};
	if (s->tag == HP_SUB_HEAP_DUMP_INFO)
		r->id = hp_load_id(s->start + 5, id_size);
	return HP_OK;
}

/*
 * Returns the entry for the stack trace with the serial number @serial, and
 * creates it if there is none. NULL if out of memory.
 */
static struct hp_first_seen *
trace_entry(struct hp_worker *w, uint32_t serial)
{
	struct hp_seen_traces *t = &w->traces;
	uint64_t *slot = hp_id_map_put(&t->by_serial, serial, NULL);

	if (!slot)
		return NULL;
	if (*slot)
		return &t->list[*slot - 1];
	if (!HP_LIST_PUSH(t->list, t->count, t->cap, (struct hp_first_seen){0}))
		return NULL;
	*slot = t->count;
	return &t->list[t->count - 1];
}

enum hp_status
hp_worker_trace_slow(struct hp_worker *w, uint32_t serial, uint64_t offset,
		     uint64_t record)
{
	struct hp_first_seen *f = trace_entry(w, serial);

	if (!f)
		return HP_NOMEM;
	w->last_trace = serial + 1ull;
	w->last_first = f;
	hp_note_first(f, offset, record);
	return HP_OK;
}

unsigned
hp_heap_kind(uint32_t heap)
{
	switch (heap) {
	case 0:
		return 0;
	case 'A':
		return 1;
	case 'Z':
		return 2;
	case 'I':
		return 3;
	default:
		return HP_HEAP_OTHER;
	}
}

void
hp_first_merge(struct hp_first_seen *into, const struct hp_first_seen *from)
{
	if (from->count == 0)
		return;
	if (into->count == 0 || from->offset < into->offset) {
		into->offset = from->offset;
		into->record = from->record;
	}
	into->count += from->count;
}

static bool
traces_merge(struct hp_worker *into, struct hp_worker *from)
{
	const struct hp_seen_traces taken = from->traces;
	size_t at = 0;
	uint64_t serial, index;

	into->last_trace = 0;
	if (into->traces.count == 0) {
		from->traces = into->traces;
		into->traces = taken;
		return true;
	}
	while (hp_id_map_next(&taken.by_serial, &at, &serial, &index)) {
		struct hp_first_seen *f = trace_entry(into, (uint32_t)serial);

		if (!f)
			return false;
		hp_first_merge(f, &taken.list[index - 1]);
	}
	return true;
}

enum hp_status
hp_worker_merge(struct hp_worker *into, struct hp_worker *from,
		struct hp_error *err)
{
	if (from->findings.any) {
		hp_findings_merge(&into->findings, &from->findings);
		hp_findings_clear(&from->findings);
	}
	hp_dialect_evidence_merge(&into->evidence, &from->evidence);
	from->evidence = (struct hp_dialect_evidence){0};
	into->arrays += from->arrays;
	into->empty_arrays += from->empty_arrays;
	for (unsigned i = 0; i < HP_TYPE_END; i++)
		hp_first_merge(&into->types[i], &from->types[i]);
	for (unsigned i = 0; i < HP_HEAP_KINDS; i++)
		hp_first_merge(&into->heaps[i], &from->heaps[i]);
	if (!hp_vec_move(&into->roots, &from->roots, sizeof(struct hp_root)) ||
	    !traces_merge(into, from))
		return hp_no_memory(err);
	hp_worker_reset(from);
	return HP_OK;
}

enum hp_status
hp_large_segments_note(struct hp_vec *m, const struct hp_batch *b,
		       unsigned id_size, struct hp_error *err)
{
	uint64_t *last =
		m->count > 0 ? (uint64_t *)m->items + m->count - 1 : NULL;

	for (size_t i = 0; i < b->nruns; i++) {
		const struct hp_run *run = &b->runs[i];
		struct hp_heap_iter it = hp_run_iter(b, i);
		struct hp_sub s = {.size = run->piece.sub.size};

		if (run->kind == HP_RUN_BYTES || run->limit <= 1048567 ||
		    (run->kind == HP_RUN_ARRAY && !run->piece.head) ||
		    (last && *last == run->record))
			continue;
		if ((run->kind == HP_RUN_SUBS &&
		     !hp_heap_next(&it, &s, id_size)) ||
		    s.size >= run->limit)
			continue;
		last = hp_vec_add(m, sizeof(*last));
		if (!last)
			return hp_no_memory(err);
		*last = run->record;
	}
	return HP_OK;
}

enum hp_status
hp_large_segments_merge(struct hp_vec *lists, unsigned count,
			struct hp_error *err)
{
	for (unsigned i = 1; i < count; i++) {
		if (!hp_vec_move(&lists[0], &lists[i], sizeof(uint64_t)))
			return hp_no_memory(err);
	}
	hp_sort_u64(lists[0].items, lists[0].count);
	return HP_OK;
}
