/*
 * references.c - the innermost loop over the sub-records of a dump
 *
 * This loop records which ids objects have, and to which ids references point.
 * references_report.c evaluates the result at the end of a dump.
 */
#include "validate/references/references.h"

#include "common/base/memory.h"
#include "common/model/instance_lengths.h"
#include "validate/references/internal.h"

#include <endian.h>
#include <string.h>

enum hp_status
hp_references_new(struct hp_references **out,
		  const struct hp_references_options *options,
		  struct hp_error *err)
{
	struct hp_references *r = hp_calloc(1, sizeof(*r));

	*out = NULL;
	if (r)
		r->workers = hp_calloc(options->workers, sizeof(*r->workers));
	if (!r || !r->workers) {
		hp_free(r);
		return hp_no_memory(err);
	}
	r->o = *options;
	pthread_mutex_init(&r->pending.lock, NULL);
	*out = r;
	return HP_OK;
}

static void
forget_dump(struct hp_references *r)
{
	struct hp_reference_worker *w;
	unsigned i;

	for (i = 0; i < r->o.workers; i++) {
		w = &r->workers[i];
		hp_id_map_release(&w->use_by_class);
		hp_id_map_release(&w->kept);
		hp_arena_release(&w->arena);
		hp_free(w->open);
		hp_duplicates_release(&w->objects);
		memset(w, 0, sizeof(*w));
	}
	if (r->begun) {
		hp_classes_release(&r->classes);
		hp_id_sets_release(&r->sets);
	}
	hp_batch_granules_release(&r->granules);
	hp_id_map_release(&r->duplicates);
	hp_id_map_release(&r->holders);
	hp_id_map_release(&r->twins);
	hp_free(r->rooted);
	r->rooted = NULL;
	r->nrooted = 0;
	memset(&r->totals, 0, sizeof(r->totals));
	r->kin_unknown = false;
	hp_pending_list_clear(&r->pending);
	r->pending_lost = false;
	r->begun = false;
}

void
hp_references_free(struct hp_references *r)
{
	if (!r)
		return;
	forget_dump(r);
	pthread_mutex_destroy(&r->pending.lock);
	hp_free(r->workers);
	hp_free(r);
}

/*
 * Returns the limit for the memory of the sets of ids, in bytes. If several
 * passes may be needed, a part of the memory is reserved for the dangling ids
 * and for the objects that refer to them.
 */
static uint64_t
sets_memory(const struct hp_references *r)
{
	return r->once ? r->o.memory : r->o.memory / 8 * 5;
}

enum hp_status
hp_references_dump_begin(struct hp_references *r, unsigned dump, bool once,
			 const struct hp_tables *tables, struct hp_error *err)
{
	enum hp_status st;
	unsigned i;

	forget_dump(r);
	r->once = once;
	st = hp_classes_init(&r->classes, r->o.id_size, r->o.workers, err);
	if (st != HP_OK)
		return st;
	st = hp_id_sets_init(&r->sets, r->o.workers, r->o.shift,
			     r->o.input_bytes, sets_memory(r), err);
	if (st != HP_OK) {
		hp_classes_release(&r->classes);
		return st;
	}
	r->begun = true;
	if (!r->once && !r->o.framing_only)
		st = hp_batch_granules_init(&r->granules, &r->sets,
					    r->o.memory / 32, err);
	if (st != HP_OK)
		return st;
	r->dump = dump;
	r->place = (struct hp_start){0};
	hp_reference_find_classes(r, tables);
	for (i = 0; i < r->o.workers; i++) {
		r->workers[i].ids = &r->sets.worker[i];
		hp_reference_uses_init(&r->workers[i], r->o.id_size);
	}
	return HP_OK;
}

void
hp_references_begin_at(struct hp_references *r, const struct hp_record *rec)
{
	if (!r->begun || rec->dump != r->dump)
		return;
	r->place = (struct hp_start){.offset = rec->offset,
				     .ordinal = rec->ordinal,
				     .dump = rec->dump};
	r->granules.begin = rec->offset;
}

/*
 * Properties of a dump that the compiler can treat as constants in the
 * specialised versions of the loop.
 */
struct shape {
	/* `shift`: base-2 logarithm of the alignment of ids */
	unsigned id_size, shift;
	/* keep pending references (to objects that were not read yet) */
	bool aside;
	/*
	 * the batch (part of the dump) is processed for the second time, so
	 * handle only the sub-records that were postponed the first time
	 */
	bool again;
};

/*
 * Record the @n references of an instance. @at: the offsets of the references
 * in the data of the instance.
 */
HP_HOT void
refer_fields(struct hp_reference_worker *w, const struct hp_sub *s,
	     const uint32_t *at, uint32_t n, uint64_t record,
	     struct shape shape)
{
	struct hp_id_worker *ids = w->ids;
	struct hp_id_marker m = hp_id_refer_begin(ids);
	uint64_t id;

	for (uint32_t i = 0; i < n; i++) {
		id = hp_load_id(s->data + at[i], shape.id_size);
		if (!hp_id_refer_at(ids, &m, id, shape.shift))
			w->null++;
		else if (shape.aside)
			hp_reference_keep_pending(
				w, &(struct hp_pending_reference){
					   id, s->offset, s->class_id, at[i],
					   record, s->id,
					   HP_PLACE_INSTANCE_FIELD});
	}
	hp_id_refer_end(ids, &m);
	w->fields += n;
}

/*
 * Record the @n references at @data. They are elements of an object array, and
 * may be only a piece of the array. @first is the index of the first of them in
 * the array.
 */
HP_HOT void
refer_elements(struct hp_reference_worker *w, const uint8_t *data, uint64_t n,
	       uint64_t first, const struct hp_sub *s, uint64_t record,
	       struct shape shape)
{
	struct hp_id_worker *ids = w->ids;
	struct hp_id_marker m;
	uint64_t id, i = 0;

	if (shape.id_size == 8 && !shape.aside && ids->lanes &&
	    n >= HP_LANES_WORTH)
		i = hp_id_refer_lanes(ids, data, n, &w->null);
	m = hp_id_refer_begin(ids);
	for (; i < n; i++) {
		hp_ids_prefetch(data, i, shape.id_size);
		id = hp_load_id(data + i * shape.id_size, shape.id_size);
		if (!hp_id_refer_at(ids, &m, id, shape.shift))
			w->null++;
		else if (shape.aside)
			hp_reference_keep_pending(
				w,
				&(struct hp_pending_reference){
					id, s->offset, s->class_id, first + i,
					record, s->id, HP_PLACE_ELEMENT});
	}
	hp_id_refer_end(ids, &m);
	w->fields += n;
}

static bool
note_class_dump(struct hp_references *r, struct hp_reference_worker *w,
		struct hp_worker *out, const struct hp_batch *b,
		const struct hp_run *run, uint32_t heap, const struct hp_sub *s,
		struct hp_error *err)
{
	struct hp_class *c;
	uint32_t i;

	if (hp_worker_trace(out, s->trace, s->offset, run->record) != HP_OK ||
	    hp_classes_add(&r->classes, b->worker, b->index, run->record, heap,
			   s, &c, err) != HP_OK)
		return false;
	for (i = 0; i < c->nstatics; i++) {
		if (!hp_type_is_reference(c->statics[i].type))
			continue;
		w->fields++;
		if (!hp_id_refer(w->ids, c->statics[i].value))
			w->null++;
	}
	return true;
}

/* The state of processing one batch (part of the dump). */
struct batch_ctx {
	struct hp_references *r;
	struct hp_reference_worker *w;
	struct hp_worker *out;
	struct hp_batch *b;
	const struct hp_run *run;
	size_t run_index;
	uint64_t record; /* ordinal of the current record */
	uint32_t heap;
	/*
	 * no sub-record of the batch (part of the dump) was postponed so far,
	 * so handle all of them now
	 */
	bool plain;
	/*
	 * The classes in this batch were already added to the table of classes,
	 * so that instances of the same batch can use them.
	 */
	bool retired_begun;
	/*
	 * Number of objects since the last HEAP DUMP INFO, and the position of
	 * the first of them. All of them belong to the same Android heap.
	 */
	struct hp_first_seen in_heap;
};

/*
 * Whether the thread stores pending references, or a list of all objects, while
 * it processes this batch.
 */
static bool
is_kept_aside(const struct batch_ctx *g)
{
	return hp_reference_keeps_pending(g->r) &&
	       !(g->w->open_lost && (g->w->objects.lost || !g->r->once));
}

static struct shape
any_shape(const struct batch_ctx *g)
{
	const struct hp_references_options *o = &g->r->o;

	return (struct shape){o->id_size, o->shift, is_kept_aside(g),
			      g->b->replay};
}

static void
heap_counts(struct batch_ctx *g)
{
	struct hp_first_seen *f = &g->out->heaps[hp_heap_kind(g->heap)];

	if (g->in_heap.count == 0)
		return;
	if (f->count == 0 || g->in_heap.offset < f->offset) {
		f->offset = g->in_heap.offset;
		f->record = g->in_heap.record;
	}
	f->count += g->in_heap.count;
	g->in_heap.count = 0;
}

static void
object_id_zero(struct batch_ctx *g, struct hp_sub s)
{
	struct hp_finding f = hp_reference_finding(g->r, HP_RULE_OBJECT_ID_ZERO,
						   s.offset, g->record, s.tag);

	f.place = HP_PLACE_NAME;
	f.index = HP_WORD_ID;
	hp_findings_add(&g->out->findings, &f);
}

/*
 * Check and count the parts that all objects and arrays have: an id, a stack
 * trace and an Android heap. Returns false if out of memory.
 */
HP_HOT bool
note_object(struct batch_ctx *g, const struct hp_sub *s, struct shape shape)
{
	struct hp_reference_worker *w = g->w;

	if (hp_worker_trace(g->out, s->trace, s->offset, g->record) != HP_OK)
		return false;
	g->out->evidence.subs[s->tag]++;
	hp_note_first(&g->in_heap, s->offset, g->record);
	if (HP_UNLIKELY(s->id == 0)) {
		object_id_zero(g, *s);
		return true;
	}
	if (HP_UNLIKELY(s->id & 7)) {
		if (w->unaligned.count == 0)
			w->unaligned_id = s->id;
		hp_note_first(&w->unaligned, s->offset, g->record);
	}
	hp_id_define_at(w->ids, s->id, shape.shift);
	if (shape.aside && g->r->once)
		hp_duplicates_add(&w->objects, s, g->record);
	return true;
}

/*
 * Keep an instance of java.lang.Class or of a thread class for later checks
 * (struct hp_kept_object). Returns false if out of memory.
 */
static bool
keep_instance(struct batch_ctx *g, struct hp_sub s)
{
	struct hp_kept_object *kept =
		hp_arena_alloc(&g->w->arena, sizeof(*kept));
	struct hp_finding f;

	if (!kept)
		return false;
	*kept = (struct hp_kept_object){s.class_id, s.offset, g->record};
	if (!hp_reference_keep(g->r, g->w, s.id, kept))
		return false;
	if (!hp_known_class(&g->r->class_classes, s.class_id))
		return true;
	f = hp_reference_finding(g->r, HP_RULE_INSTANCE_OF_CLASS, s.offset,
				 g->record, s.tag);
	f.place = HP_PLACE_NAME;
	f.index = HP_WORD_CLASS;
	hp_findings_add(&g->out->findings, &f);
	return true;
}

/*
 * Find the class of an instance, if its class dump was read already. The class
 * dump may even be in the same batch as the instance. Returns false if out of
 * memory.
 */
static bool
resolve_class(struct batch_ctx *g, struct hp_class_use *use)
{
	if (hp_reference_resolve_use(g->r, g->w, use) || g->b->replay ||
	    g->retired_begun)
		return true;
	g->retired_begun = true;
	if (!hp_classes_retire_begun(&g->r->classes, g->b->index))
		return false;
	hp_reference_resolve_use(g->r, g->w, use);
	return true;
}

/*
 * The slow path for an instance. It is used if the class was not looked up yet,
 * if the instance is needed for later checks, or if its length is wrong.
 */
static bool
handle_odd_instance(struct batch_ctx *g, struct hp_sub s,
		    struct hp_class_use *use)
{
	const struct hp_class *c;

	if (!use->class && !resolve_class(g, use))
		return false;
	c = use->class;
	if (!c) {
		/*
		 * The class has no CLASS DUMP, but a LOAD CLASS may give its
		 * name, so the instance may have to be kept.
		 */
		if (g->b->replay)
			return !use->keep_ids || keep_instance(g, s);
		hp_batch_defer(g->b, g->run_index, s.offset);
		g->plain = false;
		return true;
	}
	if (use->keep_ids && !keep_instance(g, s))
		return false;
	if (!hp_instance_fits(c, s.count)) {
		hp_findings_add(
			&g->out->findings,
			&(struct hp_finding){
				.rule = HP_RULE_INSTANCE_LENGTH,
				.severity = HP_SEVERITY_DEFAULT,
				.offset = s.offset,
				.record = g->record,
				.dump = g->r->dump,
				.holder = c->id,
				.place = HP_PLACE_NAME,
				.index = HP_WORD_COUNT,
				.args = {c->id, s.count, c->data_size,
					 c->chain == HP_CHAIN_FINE ? 0 : 2}});
		/*
		 * without the class of the instance, the offsets of its
		 * references are not known
		 */
		return true;
	}
	/*
	 * If a superclass is missing, the fields of the known classes are at
	 * the beginning of the data. So record the references in these fields.
	 */
	refer_fields(g->w, &s, c->ref_at, c->nrefs, g->record, any_shape(g));
	return true;
}

HP_HOT bool
handle_instance(struct batch_ctx *g, const struct hp_sub *s, struct shape shape)
{
	struct hp_reference_worker *w = g->w;
	struct hp_class_use *use = hp_reference_class_use(w, s->class_id);

	if (HP_UNLIKELY(!use))
		return false;
	if (!shape.again) {
		if (!note_object(g, s, shape))
			return false;
		hp_note_first(&use->instances, s->offset, g->record);
		if (HP_UNLIKELY(!g->plain))
			return true;
	}
	if (HP_UNLIKELY(use->raw_size != htobe32(s->count)))
		return handle_odd_instance(g, *s, use);
	refer_fields(w, s, use->ref_at, use->nrefs, g->record, shape);
	return true;
}

/*
 * The fast path for consecutive ordinary instances. An ordinary instance has a
 * class that is in the cache, the stack trace of the previous object, and an
 * aligned id in the range of ids that the thread accesses directly. The
 * function stops at the first sub-record that is not an ordinary instance.
 */
HP_HOT void
hotspot_instances(struct batch_ctx *g, struct hp_heap_iter *at,
		  struct shape shape)
{
	struct hp_reference_worker *w = g->w;
	struct hp_id_worker *ids = w->ids;
	struct hp_id_marker m = hp_id_refer_begin(ids);
	const unsigned fixed = 9 + 2 * shape.id_size;
	const uint32_t *ref, *last;
	const uint32_t trace = htobe32((uint32_t)g->out->last_trace - 1);
	const uint8_t *p = at->at, *head;
	uint64_t n = 0, null = 0, fields = 0, bit, id;
	struct hp_class_use *use;
	uint32_t size;

	for (; at->end - p >= fixed && *p == HP_SUB_INSTANCE_DUMP; n++) {
		/*
		 * `head` points to the stack trace serial of the sub-record;
		 * the class id and the length come after it
		 */
		head = p + 1 + shape.id_size;
		id = hp_load_id(p + 1, shape.id_size);
		bit = hp_id_bit(id, m.base, shape.shift);
		use = *hp_reference_use_slot(
			w, hp_load_id(head + 4, shape.id_size));
		size = hp_read_once(hp_load_raw4(head + 4 + shape.id_size));
		if (HP_UNLIKELY(hp_load_raw4(head) != trace ||
				hp_load_raw_id(head + 4, shape.id_size) !=
					use->raw_class ||
				size != use->raw_size || bit >= m.bits ||
				be32toh(size) > at->end - p - fixed))
			break;
		p += fixed;
		hp_heap_prefetch(p, HP_AHEAD_BUSY);
		/*
		 * the position of the first instance is already known, because
		 * the first instance of a class always takes the slow path
		 */
		use->instances.count++;
		hp_id_define_bit(ids, bit, id);
		last = use->ref_at + use->nrefs;
		for (ref = use->ref_at; ref < last; ref++)
			null += !hp_id_refer_at(
				ids, &m, hp_load_id(p + *ref, shape.id_size),
				shape.shift);
		fields += use->nrefs;
		p += be32toh(size);
	}
	at->at = p;
	hp_id_refer_end(ids, &m);
	w->fields += fields;
	w->null += null;
	g->in_heap.count += n;
	g->out->evidence.subs[HP_SUB_INSTANCE_DUMP] += n;
	g->out->last_first->count += n;
}

HP_HOT bool
handle_object_array(struct batch_ctx *g, const struct hp_sub *s,
		    struct shape shape)
{
	struct hp_class_use *use = hp_reference_class_use(g->w, s->class_id);

	if (HP_UNLIKELY(!use) || !note_object(g, s, shape))
		return false;
	g->out->arrays++;
	g->out->empty_arrays += s->count == 0;
	hp_note_first(&use->arrays, s->offset, g->record);
	if (s->data)
		refer_elements(g->w, s->data, s->count, 0, s, g->record, shape);
	return true;
}

/*
 * Check an Android array whose elements are not in the dump (PRIMITIVE ARRAY
 * NODATA DUMP).
 */
static void
note_nodata(struct batch_ctx *g, struct hp_sub s)
{
	struct hp_finding f = hp_reference_finding(g->r, HP_RULE_SUBTAG_ANDROID,
						   s.offset, g->record, s.tag);

	f.place = HP_PLACE_NAME;
	f.index = HP_WORD_TAG;
	if (!g->r->o.android)
		hp_findings_add(&g->out->findings, &f);
	if (s.count > INT32_MAX)
		hp_reference_length(g->r, g->out, s, g->run);
}

HP_HOT bool
handle_primitive_array(struct batch_ctx *g, const struct hp_sub *s,
		       struct shape shape)
{
	if (!note_object(g, s, shape))
		return false;
	g->out->arrays++;
	g->out->empty_arrays += s->count == 0;
	hp_note_first(&g->out->types[s->type], s->offset, g->record);
	if (HP_UNLIKELY(s->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA))
		note_nodata(g, *s);
	return true;
}

/*
 * Process a sub-record that is neither an instance nor an array. Returns false
 * if out of memory.
 */
static bool
handle_other_sub(struct batch_ctx *g, struct hp_sub s, unsigned id_size,
		 struct hp_error *err)
{
	switch (s.tag) {
	case HP_SUB_CLASS_DUMP:
		hp_dialect_evidence_sub(&g->out->evidence, &s, id_size);
		hp_note_first(&g->in_heap, s.offset, g->record);
		return note_class_dump(g->r, g->w, g->out, g->b, g->run,
				       g->heap, &s, err);
	case HP_SUB_HEAP_DUMP_INFO:
		heap_counts(g);
		g->heap = hp_load4(s.start + 1);
		break;
	default:
		break;
	}
	return hp_worker_root_or_heap(g->out, &s, g->record, id_size, err) ==
	       HP_OK;
}

/*
 * Process consecutive sub-records of a batch. The argument @shape is a constant
 * in each call, so the compiler creates a specialised loop for each.
 */
HP_HOT bool
run_subs(struct batch_ctx *g, struct shape shape, struct hp_error *err)
{
	struct hp_heap_iter it = hp_run_iter(g->b, g->run_index);
	struct hp_sub s;
	bool usual = !shape.again && !shape.aside && shape.shift == 3;
	bool fine = true;

	while (fine) {
		if (usual && g->plain && g->in_heap.count > 0)
			hotspot_instances(g, &it, shape);
		if (!hp_heap_next(&it, &s, shape.id_size))
			break;
		/* for object arrays, refer_elements() prefetches memory */
		if (s.tag != HP_SUB_OBJECT_ARRAY_DUMP)
			hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD_BUSY);
		if (HP_LIKELY(s.tag == HP_SUB_INSTANCE_DUMP))
			fine = handle_instance(g, &s, shape);
		else if (shape.again)
			continue;
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			fine = handle_object_array(g, &s, shape);
		else if (HP_LIKELY(s.tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
				   s.tag == HP_SUB_PRIMITIVE_ARRAY_NODATA))
			fine = handle_primitive_array(g, &s, shape);
		else
			fine = handle_other_sub(g, s, shape.id_size, err);
		if (HP_UNLIKELY(s.size >= UINT32_MAX - 16))
			hp_reference_length(g->r, g->out, s, g->run);
	}
	if (fine && !shape.again)
		hp_reference_framing(g->r, g->out, &it, s.count, g->record);
	return fine;
}

/*
 * Process a batch of a dump as HotSpot usually writes it: ids have 8 bytes and
 * are multiples of 8.
 */
static HP_APART bool
run_hotspot(struct batch_ctx *g, struct hp_error *err)
{
	return run_subs(g, (struct shape){.id_size = 8, .shift = 3}, err);
}

/*
 * Like run_hotspot(), but also keeps pending references, which are references
 * to objects that were not read yet.
 */
static HP_APART bool
run_aside(struct batch_ctx *g, struct hp_error *err)
{
	return run_subs(g,
			(struct shape){.id_size = 8, .shift = 3, .aside = true},
			err);
}

static HP_APART bool
run_narrow(struct batch_ctx *g, struct hp_error *err)
{
	return run_subs(g, (struct shape){.id_size = 4, .shift = g->r->o.shift},
			err);
}

static HP_APART bool
run_other(struct batch_ctx *g, struct hp_error *err)
{
	return run_subs(g, any_shape(g), err);
}

/*
 * Handle one piece of a very long array, or the fixed fields of an instance
 * that is too long to be valid.
 */
static bool
run_piece(struct batch_ctx *g)
{
	const struct hp_piece *p = &g->run->piece;
	struct shape shape = any_shape(g);
	bool fine = true;

	if (p->head && p->sub.tag == HP_SUB_INSTANCE_DUMP) {
		/*
		 * No valid instance is so long that it arrives in pieces. So
		 * report its length, without reading its data.
		 */
		struct hp_class_use *use =
			hp_reference_class_use(g->w, p->sub.class_id);
		struct hp_finding f = hp_reference_finding(
			g->r, HP_RULE_INSTANCE_LENGTH, p->sub.offset, g->record,
			p->sub.tag);

		if (!use || !note_object(g, &p->sub, shape))
			return false;
		hp_note_first(&use->instances, p->sub.offset, g->record);
		f.args[0] = f.holder = p->sub.class_id;
		f.args[1] = p->sub.count;
		/*
		 * 1 selects the text of the message for a class whose layout is
		 * not known (yet)
		 */
		f.args[3] = 1;
		f.place = HP_PLACE_NAME;
		f.index = HP_WORD_COUNT;
		hp_findings_add(&g->out->findings, &f);
	} else if (p->head) {
		hp_reference_length(g->r, g->out, p->sub, g->run);
		fine = p->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP
			       ? handle_object_array(g, &p->sub, shape)
			       : handle_primitive_array(g, &p->sub, shape);
	}
	if (fine && p->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
		refer_elements(g->w, g->b->data + g->run->at, p->elements,
			       p->first, &p->sub, g->record, shape);
	return fine;
}

/*
 * Check only the lengths and tags of sub-records (--level=framing). Returns
 * false if out of memory.
 */
HP_HOT bool
run_framing(struct batch_ctx *g, unsigned id_size, struct hp_error *err)
{
	struct hp_heap_iter it = hp_run_iter(g->b, g->run_index);
	struct hp_sub s = {0};

	for (;;) {
		g->out->evidence.subs[HP_SUB_INSTANCE_DUMP] +=
			hp_heap_skip_instances(&it, id_size);
		if (!hp_heap_next(&it, &s, id_size))
			break;
		hp_heap_prefetch_behind(it.at, s.size, HP_AHEAD);
		switch (s.tag) {
		case HP_SUB_PRIMITIVE_ARRAY_NODATA:
			note_nodata(g, s);
			hp_dialect_evidence_sub(&g->out->evidence, &s, id_size);
			break;
		case HP_SUB_CLASS_DUMP:
		case HP_SUB_INSTANCE_DUMP:
		case HP_SUB_OBJECT_ARRAY_DUMP:
		case HP_SUB_PRIMITIVE_ARRAY_DUMP:
			hp_dialect_evidence_sub(&g->out->evidence, &s, id_size);
			break;
		default:
			if (hp_worker_root_or_heap(g->out, &s, g->run->record,
						   id_size, err) != HP_OK)
				return false;
		}
	}
	hp_reference_framing(g->r, g->out, &it, s.count, g->record);
	return true;
}

static bool
run_any(struct batch_ctx *g, struct hp_error *err)
{
	unsigned id_size = g->r->o.id_size;
	bool aside;

	if (g->run->kind == HP_RUN_ARRAY) {
		if (g->b->replay)
			return true;
		if (!g->r->o.framing_only)
			return run_piece(g);
		if (g->run->piece.head)
			hp_reference_long_head(g->r, g->out, g->run);
		return true;
	}
	if (g->run->kind != HP_RUN_SUBS)
		return true;
	if (g->r->o.framing_only)
		return id_size == 8 ? run_framing(g, 8, err)
				    : run_framing(g, 4, err);
	if (g->b->replay)
		return run_other(g, err);
	aside = is_kept_aside(g);
	if (id_size == 8 && g->r->o.shift == 3)
		return aside ? run_aside(g, err) : run_hotspot(g, err);
	return id_size == 4 && !aside ? run_narrow(g, err) : run_other(g, err);
}

enum hp_status
hp_references_batch(struct hp_references *r, struct hp_batch *b,
		    struct hp_worker *w, struct hp_error *err)
{
	struct batch_ctx g = {.r = r,
			      .w = &r->workers[b->worker],
			      .out = w,
			      .b = b,
			      .plain = !b->replay};
	size_t i = b->replay ? b->resume_run : 0;

	if (hp_reference_keeps_pending(r))
		hp_reference_begin_pending(r, g.w);
	if (r->o.input_bytes == 0 && b->nruns > 0)
		hp_id_sets_read_so_far(&r->sets, hp_batch_end(b));
	for (; i < b->nruns; i++) {
		g.run = &b->runs[i];
		g.run_index = i;
		g.record = g.run->record;
		g.heap = g.run->heap;
		if (!run_any(&g, err))
			return hp_no_memory(err);
		heap_counts(&g);
	}
	if (hp_reference_keeps_pending(r) && b->nruns > 0)
		hp_reference_end_pending(r, g.w, hp_batch_end(b));
	if (r->granules.ready)
		hp_batch_granules_add(&r->granules, g.w->ids, b);
	return HP_OK;
}

enum hp_status
hp_references_retired(struct hp_references *r, const struct hp_batch *b,
		      struct hp_error *err)
{
	return b->dump && r->begun
		       ? hp_classes_retire(&r->classes, b->index, err)
		       : HP_OK;
}
