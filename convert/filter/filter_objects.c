/*
 * filter_objects.c - remove objects from a dump, and set the references to them
 * to null
 *
 * First, a pass collects classes and heaps. If references are set to null, the
 * next pass collects the ids of the objects that are kept. The last pass writes
 * the new dump. With --prune-classes, this file calls prune_classes.c for each
 * class that the kept objects use.
 */
#include "convert/filter/filter.h"

#include "common/base/bytes.h"
#include "common/base/memory.h"
#include "common/model/class_name.h"
#include "common/model/dialect.h"
#include "convert/prepass/class_prepass.h"
#include "convert/filter/internal.h"
#include "convert/copy/copy.h"

#include <stdatomic.h>

/*
 * How far a worker thread has read the dump, and the Android heap that contains
 * the objects at this position.
 */
struct place {
	const struct hp_run *run;
	uint64_t batch;
	uint32_t heap;
};

/* The decision about a class dump when a damaged dump is repaired. */
enum fate {
	FATE_STAYS,
	/*
	 * the class dump is kept, but its instance size becomes the sum of the
	 * fields
	 */
	FATE_RESIZED,
	FATE_GOES,
};

struct filter {
	const struct hp_filter_objects *how;
	struct hp_prepass prepass;
	/*
	 * hp_prune_finish() was called, so `prune` now knows which classes are
	 * unused
	 */
	bool pruned;
	/*
	 * how the program that wrote the dump computes the instance sizes in
	 * class dumps
	 */
	struct hp_size_habits habits;
	unsigned id_size, threads;
	/* for each thread that reads the dump: its position (struct place) */
	struct place *places;
	/*
	 * The decision about each class dump, an enum fate. The first index is
	 * the index of the dump, the second is the index of the class.
	 */
	uint8_t **fates;
	/*
	 * Whether the fields in a class dump are right, because the length of
	 * at least one instance agrees with them. The first index is the index
	 * of the dump, the second is the index of the class.
	 */
	_Atomic bool **vouched;
	struct hp_id_map heaps; /* the numbers of the heaps that are kept */
	/* objects in heap 0, which has no name, are kept */
	bool wants_unnamed;
	atomic_bool unnamed; /* objects in heap 0 were found */
	/*
	 * For each dump: the ids of the kept objects. Used only if references
	 * are set to null.
	 */
	struct hp_dump_id_sets stays;
	/*
	 * Finds the classes that are used. Needed only with
	 * hp_filter_objects.prune.
	 */
	struct hp_prune prune;
	_Atomic uint64_t objects, roots, references, classes, sizes;
};

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct filter *s = ctx;

	s->id_size = s->stays.id_size = h->id_size;
	/*
	 * Reset the counters before each pass, because the summary shows the
	 * numbers of the last pass.
	 */
	s->objects = s->roots = s->references = s->classes = s->sizes = 0;
	for (unsigned i = 0; i < s->threads; i++)
		s->places[i] = (struct place){0};
	return HP_OK;
}

/* ---- decide which objects are kept ---- */

/*
 * Returns the number of the Android heap that contains @sub. This must be
 * called for every sub-record, in file order.
 */
static uint32_t
heap_of_sub(struct filter *s, const struct hp_batch *b, const struct hp_run *r,
	    const struct hp_sub *sub)
{
	struct place *p = &s->places[b->worker];

	if (p->run != r || p->batch != b->index)
		*p = (struct place){
			.run = r, .batch = b->index, .heap = r->heap};
	if (sub->tag == HP_SUB_HEAP_DUMP_INFO)
		p->heap = hp_load4(sub->start + 1);
	return p->heap;
}

static bool
is_object(const struct hp_sub *sub)
{
	return hp_subrecord_is_object(sub->tag) &&
	       sub->tag != HP_SUB_CLASS_DUMP;
}

static bool
class_is_wrong(const struct filter *s, const struct hp_class *k)
{
	const struct hp_string *n;

	if (k->chain == HP_CHAIN_CYCLE || k->instance_size >> 31)
		return true;
	if (!s->habits.exact || k->chain != HP_CHAIN_FINE ||
	    (k->instance_size == 0 && s->habits.zero && !s->habits.strict) ||
	    k->instance_size == k->data_size)
		return false;
	/* the instance size of an array class has no meaning */
	n = hp_tables_class_name(&s->prepass.tables, k->id);
	return !n || !(n->looks & HP_LOOKS_ARRAY);
}

/*
 * Decide which classes are removed because their class dumps must be wrong.
 * @order lists superclasses first. If the instance size of a class is wrong,
 * its fields may still be right. The fields count as right in three cases: the
 * size of a subclass agrees with them, the length of an instance agrees with
 * them, or the program that wrote the dump has other rules for sizes. Otherwise
 * the class is removed with its subclasses, because their instances cannot be
 * decoded. Sets @fates, one for each class. Returns true if the lengths of
 * instances, which are not known yet (@vouched), could still show that such a
 * class is right.
 */
static bool
judge_classes(const struct filter *s, struct hp_class *const *order, size_t n,
	      uint8_t *fates, _Atomic bool *vouched)
{
	bool doubt = false;

	for (size_t i = n; i-- > 0;) {
		const struct hp_class *k = order[i];

		if (k->super &&
		    (vouched[k->index] || k->instance_size == k->data_size))
			vouched[k->super->index] = true;
	}
	for (size_t i = 0; i < n; i++) {
		const struct hp_class *k = order[i];
		bool known = k->chain == HP_CHAIN_FINE &&
			     (vouched[k->index] || !s->habits.exact ||
			      (k->instance_size == 0 && s->habits.zero));
		uint8_t *fate = &fates[k->index];

		*fate = FATE_STAYS;
		if (k->super && fates[k->super->index] == FATE_GOES)
			*fate = FATE_GOES;
		else if (class_is_wrong(s, k))
			*fate = known && k->data_size <= INT32_MAX
					? FATE_RESIZED
					: FATE_GOES;
		doubt |= *fate == FATE_GOES && k->chain == HP_CHAIN_FINE;
	}
	return doubt;
}

static enum hp_status
judge_dumps(struct filter *s, bool *doubt, struct hp_error *err)
{
	*doubt = false;
	for (size_t i = 0; i < s->prepass.ndumps; i++) {
		const struct hp_classes *c = &s->prepass.dumps[i]->classes;
		size_t n = c->count;
		struct hp_class **order = hp_classes_topmost_first(c);

		if (!s->fates[i])
			s->fates[i] = hp_calloc(n + 1, sizeof(**s->fates));
		if (!s->vouched[i])
			s->vouched[i] = hp_calloc(n + 1, sizeof(**s->vouched));
		if (!order || !s->fates[i] || !s->vouched[i]) {
			hp_free(order);
			return hp_no_memory(err);
		}
		*doubt |=
			judge_classes(s, order, n, s->fates[i], s->vouched[i]);
		hp_free(order);
	}
	return HP_OK;
}

static enum fate
fate_of(const struct filter *s, unsigned dump, const struct hp_class *k)
{
	return (enum fate)
		s->fates[hp_prepass_place(&s->prepass, dump)][k->index];
}

/* Returns the class of an instance, or NULL if its fields cannot be decoded. */
static const struct hp_class *
layout_of(const struct filter *s, unsigned dump, const struct hp_sub *sub)
{
	const struct hp_prepass_dump *d = hp_prepass_dump(&s->prepass, dump);
	const struct hp_class *k =
		d ? hp_classes_get(&d->classes, sub->class_id) : NULL;

	return hp_instance_decodable(k, sub) ? k : NULL;
}

/*
 * Mark each class that has an instance whose length agrees with the fields of
 * the class.
 */
static enum hp_status
vouch_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	  const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct filter *s = ctx;
	const struct hp_class *k;

	if (!sub || sub->tag != HP_SUB_INSTANCE_DUMP)
		return HP_OK;
	k = layout_of(s, b->dump, sub);
	if (k && fate_of(s, b->dump, k) == FATE_GOES)
		s->vouched[hp_prepass_place(&s->prepass, b->dump)][k->index] =
			true;
	return HP_OK;
}

/*
 * Decide which classes are removed. If a class would be removed, the instances
 * are read first, because their lengths may show that the class is right.
 */
static enum hp_status
find_fates(struct filter *s, struct hp_source *src, struct hp_error *err)
{
	const struct hp_transform pass = {.need = HP_NEED_HEADS,
					  .framing_only = true,
					  .ctx = s,
					  .run = vouch_run};
	enum hp_status st;
	bool doubt;

	s->fates = hp_calloc(s->prepass.ndumps + 1, sizeof(*s->fates));
	s->vouched = hp_calloc(s->prepass.ndumps + 1, sizeof(*s->vouched));
	if (!s->fates || !s->vouched)
		return hp_no_memory(err);
	st = judge_dumps(s, &doubt, err);
	if (st != HP_OK || !doubt)
		return st;
	st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, NULL, &pass, s->threads, err);
	return st == HP_OK ? judge_dumps(s, &doubt, err) : st;
}

/*
 * Whether an object must be removed: its id is 0 or the id of a class, or its
 * class has no valid class dump.
 */
static bool
object_is_wrong(const struct filter *s, unsigned dump, const struct hp_sub *sub)
{
	const struct hp_prepass_dump *d = hp_prepass_dump(&s->prepass, dump);
	const struct hp_class *k;

	if (sub->id == 0)
		return true;
	if (d && hp_classes_get(&d->classes, sub->id) &&
	    !(sub->tag == HP_SUB_INSTANCE_DUMP &&
	      hp_string_is(
		      hp_tables_class_name(&s->prepass.tables, sub->class_id),
		      "java/lang/Class", "java.lang.Class")))
		return true;
	if (sub->tag != HP_SUB_INSTANCE_DUMP)
		return false;
	k = layout_of(s, dump, sub);
	return !k || fate_of(s, dump, k) == FATE_GOES;
}

static bool
is_class_dropped(const struct filter *s, unsigned dump,
		 const struct hp_sub *sub)
{
	const struct hp_prepass_dump *d = hp_prepass_dump(&s->prepass, dump);
	const struct hp_class *k =
		d ? hp_classes_get(&d->classes, sub->id) : NULL;

	return sub->id == 0 || (k && fate_of(s, dump, k) == FATE_GOES);
}

static bool
is_dropped(struct filter *s, const struct hp_batch *b, const struct hp_run *r,
	   const struct hp_sub *sub)
{
	uint32_t heap = s->how->heaps ? heap_of_sub(s, b, r, sub) : 0;

	if (!is_object(sub))
		return sub->tag == HP_SUB_CLASS_DUMP &&
		       ((s->how->mend && is_class_dropped(s, b->dump, sub)) ||
			(s->pruned &&
			 !hp_prune_is_used(&s->prune, b->dump, sub->id)));
	if (s->how->heaps && !hp_id_map_get(&s->heaps, heap))
		return true;
	if (s->wants_unnamed && heap == 0)
		atomic_store_explicit(&s->unnamed, true, memory_order_relaxed);
	return s->how->mend && object_is_wrong(s, b->dump, sub);
}

/* The ids of the objects that are kept in one dump. */
struct remaining {
	const struct filter *s;
	unsigned dump;
	/* the ids of the objects that are kept; NULL: no object is kept */
	const struct hp_dump_id_set *ids;
};

static struct remaining
remaining_of(const struct filter *s, unsigned dump)
{
	return (struct remaining){.s = s,
				  .dump = dump,
				  .ids = hp_dump_id_sets_get(&s->stays, dump)};
}

static bool
is_defined(const struct remaining *l, uint64_t id)
{
	return id == 0 || hp_dump_ids_has(l->ids, id) ||
	       (l->s->pruned && hp_prune_is_used(&l->s->prune, l->dump, id));
}

/* ---- report used classes to prune_classes.c ---- */

static void
use_ids(struct filter *s, unsigned dump, const uint8_t *p, uint64_t n)
{
	for (; n > 0; n--, p += s->id_size)
		hp_prune_use(&s->prune, dump, hp_load_id(p, s->id_size));
}

static void
use_fields(struct filter *s, unsigned dump, const struct hp_sub *sub)
{
	const struct hp_prepass_dump *d = hp_prepass_dump(&s->prepass, dump);
	const uint8_t *p = sub->data;

	for (const struct hp_class *k = layout_of(s, dump, sub); k;
	     k = hp_prepass_above(d, k)) {
		for (uint32_t i = 0; i < k->nfields; i++) {
			unsigned type = k->fields[i].type;

			if (!hp_type_is_primitive(type))
				use_ids(s, dump, p, 1);
			p += hp_type_size(type, s->id_size);
		}
	}
}

/*
 * Mark as used all classes that a kept sub-record needs. @whole is true if the
 * sub-record is completely in memory.
 */
static void
use_sub(struct filter *s, unsigned dump, const struct hp_sub *sub, bool whole)
{
	switch (sub->tag) {
	case HP_SUB_INSTANCE_DUMP:
		hp_prune_use(&s->prune, dump, sub->class_id);
		if (whole)
			use_fields(s, dump, sub);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		hp_prune_use(&s->prune, dump, sub->class_id);
		if (whole)
			use_ids(s, dump, sub->data, sub->count);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		hp_prune_use_array(&s->prune, dump, sub->type);
		break;
	case HP_SUB_ROOT_STICKY_CLASS:
	case HP_SUB_ROOT_VM_INTERNAL:
		break;
	default:
		if (hp_subrecord_is_root(sub->tag))
			hp_prune_use(&s->prune, dump, sub->id);
		break;
	}
}

/*
 * Mark as used all classes that one piece of a very long array needs. Another
 * thread may handle the beginning of the array.
 */
static void
use_piece(struct filter *s, const struct hp_batch *b, const struct hp_run *r)
{
	if (r->piece.head)
		use_sub(s, b->dump, &r->piece.sub, false);
	if (r->piece.sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
		use_ids(s, b->dump, b->data + r->at, r->piece.elements);
}

/* ---- the pass that collects the ids of kept objects ---- */

/*
 * Append the ids of the kept objects in this run (range of bytes) to the buffer
 * of the thread.
 */
static enum hp_status
note_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	 const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct filter *s = ctx;
	bool whole = sub != NULL;

	if (!whole && r->kind != HP_RUN_ARRAY)
		return HP_OK;
	if (!whole)
		sub = &r->piece.sub;
	if (is_dropped(s, b, r, sub))
		return HP_OK;
	if (s->how->prune && whole)
		use_sub(s, b->dump, sub, true);
	else if (s->how->prune)
		use_piece(s, b, r);
	if (!whole && !r->piece.head)
		return HP_OK;
	if (!is_object(sub) && (s->how->prune || sub->tag != HP_SUB_CLASS_DUMP))
		return HP_OK;
	if (sub->tag == HP_SUB_INSTANCE_DUMP &&
	    (!whole || !layout_of(s, b->dump, sub)))
		return hp_fail(err, HP_DAMAGED,
			       "offset %llu: an instance cannot be decoded: "
			       "its class or a superclass is missing, or its "
			       "length differs from the length in the class",
			       (unsigned long long)sub->offset);
	hp_buf_add(out, &sub->id, sizeof(sub->id));
	return HP_OK;
}

static enum hp_status
note_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	     struct hp_error *err)
{
	struct filter *s = ctx;
	enum hp_status st = HP_OK;
	uint64_t id;

	for (size_t at = 0; at < out->len && st == HP_OK; at += sizeof(id)) {
		memcpy(&id, out->data + at, sizeof(id));
		st = hp_dump_id_sets_add(&s->stays, b->dump, id, err);
	}
	return st;
}

static enum hp_status
note_kept_ids(struct filter *s, struct hp_source *src, struct hp_error *err)
{
	const struct hp_transform pass = {
		.need = s->how->prune ? HP_NEED_REFERENCES : HP_NEED_HEADS,
		.framing_only = s->how->mend,
		.ctx = s,
		.header = on_header,
		.run = note_run,
		.retired = note_retired};
	enum hp_status st =
		hp_ordered_pass_run(src, NULL, &pass, s->threads, err);

	if (st == HP_OK)
		st = hp_dump_id_sets_finish(&s->stays, err);
	if (st == HP_OK && s->how->prune) {
		hp_prune_finish(&s->prune, &s->stays);
		s->pruned = true;
	}
	return st == HP_OK ? hp_source_rewind(src, err) : st;
}

/* ---- the pass that writes the output ---- */

static uint64_t
bytes_lost(void *ctx, const struct hp_batch *b, const struct hp_run *r,
	   const struct hp_sub *sub)
{
	struct filter *s = ctx;
	struct remaining l = remaining_of(s, b->dump);

	if (is_dropped(s, b, r, sub)) {
		if (sub->tag == HP_SUB_CLASS_DUMP && s->pruned)
			atomic_fetch_add(&s->classes, 1);
		else if (r->kind != HP_RUN_ARRAY || r->piece.head)
			atomic_fetch_add(&s->objects, 1);
		return sub->size;
	}
	if (!s->how->nulls || is_object(sub) || sub->tag == HP_SUB_CLASS_DUMP ||
	    sub->tag == HP_SUB_HEAP_DUMP_INFO ||
	    sub->tag == HP_SUB_ROOT_THREAD_OBJECT || is_defined(&l, sub->id))
		return 0;
	atomic_fetch_add(&s->roots, 1);
	return sub->size;
}

static bool
is_load_dropped(void *ctx, const struct hp_record *rec, struct hp_cursor body)
{
	const struct filter *s = ctx;
	uint64_t serial, id;

	return rec->tag == HP_REC_LOAD_CLASS && hp_uint(&body, 4, &serial) &&
	       hp_uint(&body, s->id_size, &id) &&
	       hp_prune_is_unused(&s->prune, id);
}

static void
null_ids(struct filter *s, const struct remaining *l, uint8_t *p, uint64_t n)
{
	uint64_t nulled = 0;

	for (; n > 0; n--, p += s->id_size) {
		if (is_defined(l, hp_load_id(p, s->id_size)))
			continue;
		memset(p, 0, s->id_size);
		nulled++;
	}
	if (nulled)
		atomic_fetch_add(&s->references, nulled);
}

static void
null_fields(struct filter *s, const struct remaining *l,
	    const struct hp_sub *sub, uint8_t *p)
{
	const struct hp_prepass_dump *d = hp_prepass_dump(&s->prepass, l->dump);
	const struct hp_class *k = layout_of(s, l->dump, sub);

	for (; k; k = hp_prepass_above(d, k)) {
		for (uint32_t i = 0; i < k->nfields; i++) {
			unsigned type = k->fields[i].type;

			if (!hp_type_is_primitive(type))
				null_ids(s, l, p, 1);
			p += hp_type_size(type, s->id_size);
		}
	}
}

/*
 * Set those references in a class dump to null that refer to removed objects:
 * the ids in its fixed fields, from the class loader to the second reserved id,
 * and its constants and static fields. @tables is the offset of the constants
 * in @copy.
 */
static void
null_class(struct filter *s, const struct remaining *l, uint8_t *copy,
	   uint64_t tables)
{
	uint8_t *p = copy + tables;

	null_ids(s, l, copy + 5 + 2 * s->id_size, 5);
	for (unsigned table = 0; table < 2; table++) {
		unsigned n = hp_load2(p), head = table == 0 ? 2 : s->id_size;

		p += 2;
		for (; n > 0; n--) {
			unsigned type = p[head];

			p += head + 1;
			if (!hp_type_is_primitive(type))
				null_ids(s, l, p, 1);
			p += hp_type_size(type, s->id_size);
		}
	}
}

static void
mend_class(struct filter *s, unsigned dump, const struct hp_sub *sub,
	   uint8_t *size)
{
	const struct hp_prepass_dump *d = hp_prepass_dump(&s->prepass, dump);
	const struct hp_class *k =
		d ? hp_classes_get(&d->classes, sub->id) : NULL;

	if (!k || fate_of(s, dump, k) != FATE_RESIZED ||
	    hp_load4(size) != k->instance_size)
		return;
	hp_store4(size, (uint32_t)k->data_size);
	atomic_fetch_add(&s->sizes, 1);
}

static void
edit_sub(void *ctx, const struct hp_batch *b, const struct hp_sub *sub,
	 uint8_t *copy)
{
	struct filter *s = ctx;
	struct remaining l = remaining_of(s, b->dump);
	uint64_t head = (uint64_t)(sub->data - sub->start);

	if (s->how->mend && sub->tag == HP_SUB_CLASS_DUMP)
		mend_class(s, b->dump, sub, copy + head - 4);
	if (!s->how->nulls)
		return;
	if (sub->tag == HP_SUB_INSTANCE_DUMP)
		null_fields(s, &l, sub, copy + head);
	else if (sub->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		null_ids(s, &l, copy + head, sub->count);
	else if (sub->tag == HP_SUB_CLASS_DUMP)
		null_class(s, &l, copy, head);
	else if (sub->tag == HP_SUB_ROOT_THREAD_OBJECT)
		/*
		 * Keep the root with a null object, because other roots refer
		 * to the serial number of this thread.
		 */
		null_ids(s, &l, copy + 1, 1);
}

static void
edit_piece(void *ctx, const struct hp_batch *b, const struct hp_piece *piece,
	   uint8_t *copy)
{
	struct filter *s = ctx;
	struct remaining l = remaining_of(s, b->dump);

	if (piece->sub.tag == HP_SUB_OBJECT_ARRAY_DUMP)
		null_ids(s, &l, copy, piece->elements);
}

/* ---- choose the Android heaps to keep ---- */

static enum hp_status
no_heap(const struct filter *s, const char *name, size_t n,
	struct hp_error *err)
{
	return hp_fail(
		err, HP_DAMAGED, "there is no heap called '%.*s'%s", (int)n,
		name,
		s->prepass.heaps.count > 0 || s->prepass.heaps.has_zero
			? "; hprof-diff --by=heap lists them"
			: ": only dumps of Android have heaps with names");
}

/*
 * Keep the Android heaps with this name of @n bytes. Objects before the first
 * HEAP DUMP INFO sub-record are in heap 0. If heap 0 has no name, the user
 * selects it by the substitute name that hprof-diff shows.
 */
static enum hp_status
add_heap(struct filter *s, const char *name, size_t n, struct hp_error *err)
{
	const struct hp_id_map *heaps = &s->prepass.heaps;
	uint64_t heap, id;
	bool found = false;

	for (size_t at = 0; hp_id_map_next(heaps, &at, &heap, &id);) {
		const struct hp_string *text =
			hp_tables_string(&s->prepass.tables, id);

		if (!text || text->length != n ||
		    memcmp(text->data, name, n) != 0)
			continue;
		found = true;
		if (!hp_id_map_put(&s->heaps, heap, NULL))
			return hp_no_memory(err);
	}
	if (found)
		return HP_OK;
	if (n != strlen(HP_HEAP_UNNAMED) ||
	    memcmp(name, HP_HEAP_UNNAMED, n) != 0 || heaps->count == 0 ||
	    hp_id_map_get(heaps, 0))
		return no_heap(s, name, n, err);
	s->wants_unnamed = true;
	return hp_id_map_put(&s->heaps, 0, NULL) ? HP_OK : hp_no_memory(err);
}

static enum hp_status
choose_heaps(struct filter *s, struct hp_error *err)
{
	const char *rest = s->how->heaps;
	enum hp_status st = HP_OK;
	struct hp_slice name;

	while (st == HP_OK && hp_list_next(&rest, &name))
		st = add_heap(s, name.text, name.length, err);
	return st;
}

static void
filter_release(struct filter *s)
{
	hp_prune_release(&s->prune);
	hp_dump_id_sets_release(&s->stays);
	for (size_t i = 0; s->fates && i < s->prepass.ndumps; i++)
		hp_free(s->fates[i]);
	for (size_t i = 0; s->vouched && i < s->prepass.ndumps; i++)
		hp_free(s->vouched[i]);
	hp_free(s->fates);
	hp_free(s->vouched);
	hp_free(s->places);
	hp_id_map_release(&s->heaps);
	hp_prepass_release(&s->prepass);
}

enum hp_status
hp_filter_objects(struct hp_source *src, struct hp_sink *sink,
		  const struct hp_filter_objects *how, unsigned threads,
		  struct hp_filter_objects_result *result, struct hp_error *err)
{
	struct filter s = {.how = how,
			   .threads = threads,
			   .prepass.memory = how->memory,
			   .prepass.want_evidence = how->mend,
			   .prepass.want_tables =
				   how->heaps != NULL || how->mend};
	const struct hp_rewrite rewrite = {
		.loss = bytes_lost,
		.omit = how->prune ? is_load_dropped : NULL,
		.edit = how->nulls || how->mend ? edit_sub : NULL,
		.edit_piece = how->nulls ? edit_piece : NULL,
		.header = on_header,
		/*
		 * Damage that does not prevent decoding is ignored: either an
		 * earlier pass has checked the input, or the output repairs the
		 * damage.
		 */
		.framing_only = how->mend || how->nulls,
		.ctx = &s};
	enum hp_status st = HP_OK;

	if (hp_source_seekable(src))
		s.stays.bytes = hp_source_size(src);
	s.stays.memory = how->memory;
	s.places = hp_calloc(threads, sizeof(*s.places));
	if (!s.places)
		return hp_no_memory(err);
	st = hp_prepass_run(&s.prepass, src, threads, NULL, err);
	if (st == HP_OK && how->mend)
		s.habits = hp_size_habits_of(&s.prepass);
	if (st == HP_OK && how->mend)
		st = find_fates(&s, src, err);
	if (st == HP_OK)
		st = choose_heaps(&s, err);
	if (st == HP_OK && how->prune)
		st = hp_prune_init(&s.prune, &s.prepass, err);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	if (st == HP_OK && how->nulls)
		st = note_kept_ids(&s, src, err);
	if (st == HP_OK && s.wants_unnamed && !s.unnamed)
		st = no_heap(&s, HP_HEAP_UNNAMED, strlen(HP_HEAP_UNNAMED), err);
	if (!how->mend)
		st = hp_ordered_pass_blame(src, st, threads, err);
	if (st == HP_OK)
		st = hp_rewrite(src, sink, &rewrite, threads, err);
	*result = (struct hp_filter_objects_result){.objects = s.objects,
						    .roots = s.roots,
						    .references = s.references,
						    .classes = s.classes,
						    .sizes = s.sizes};
	filter_release(&s);
	return st;
}
