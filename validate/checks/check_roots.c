/*
 * check_roots.c - rules about the roots and the threads of a dump
 *
 * This file also checks the Android heaps, and facts that are known only at the
 * end of a dump, such as the number of empty arrays.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/base/memory.h"
#include "validate/checks/check.h"

#include <string.h>

/*
 * Number of roots that are looked up together: the memory for all of them is
 * prefetched, so that the waits for memory overlap.
 */
enum { TOGETHER = 16 };

/* A thread of the dump, from a THREAD OBJECT root. */
struct thread {
	uint64_t object;
	uint32_t serial, trace;
};

/* The state that the checks of the roots of one dump share. */
struct roots {
	struct hp_check *c;
	const struct hp_root *list;
	size_t count;
	const struct hp_references *refs;
	/*
	 * maps the serial number of a thread to 1 + the index of the thread in
	 * `threads`
	 */
	struct hp_id_map by_serial;
	struct hp_id_map by_object;
	/* the threads of the dump; elements: struct thread */
	struct hp_vec threads;
	/*
	 * A cache: the thread (`met`) and the stack trace (`met_trace`) that
	 * were found last. NULL: none yet.
	 */
	const struct thread *met;
	const struct hp_trace *met_trace;
	/*
	 * number of roots, without the sub-records UNREACHABLE and HEAP DUMP
	 * INFO
	 */
	uint64_t real;
	uint64_t sticky;
	bool heaps; /* the dump has at least one HEAP DUMP INFO */
	struct hp_error *err;
};

static uint32_t
thread_of(const struct hp_root *r)
{
	return (uint32_t)(r->extra >> 32);
}

static uint32_t
third_of(const struct hp_root *r)
{
	return (uint32_t)r->extra;
}

static enum hp_status
no_memory(struct roots *k)
{
	return hp_no_memory(k->err);
}

/* --- check the threads that roots belong to ------------------------------ */

/*
 * Each thread must have one serial number and one object. Report a root that
 * gives a serial number to a second object, or a second serial number to an
 * object.
 */
static void
check_thread_dup(struct roots *k, const struct hp_root *r)
{
	const struct thread *all = k->threads.items;
	uint32_t serial = thread_of(r);
	const uint64_t *at = hp_id_map_get(&k->by_serial, serial);

	if (at && all[*at - 1].object != r->id) {
		hp_check_found(k->c, HP_RULE_THREAD_DUP, r, HP_WORD_THREAD,
			       serial, r->id, 0);
		return;
	}
	at = r->id ? hp_id_map_get(&k->by_object, r->id) : NULL;
	if (at && all[*at - 1].serial != serial)
		hp_check_found(k->c, HP_RULE_THREAD_DUP, r, HP_WORD_THREAD,
			       serial, r->id, 1);
}

static enum hp_status
gather_threads(struct roots *k)
{
	for (size_t i = 0; i < k->count; i++) {
		const struct hp_root *r = &k->list[i];
		uint64_t *serial, *object;

		if (r->tag != HP_SUB_ROOT_THREAD_OBJECT)
			continue;
		check_thread_dup(k, r);
		serial = hp_id_map_put(&k->by_serial, thread_of(r), NULL);
		if (!serial || !HP_VEC_PUSH(&k->threads, struct thread, r->id,
					    thread_of(r), third_of(r)))
			return no_memory(k);
		if (*serial == 0)
			*serial = k->threads.count;
		object = hp_id_map_put(&k->by_object, r->id, NULL);
		if (!object)
			return no_memory(k);
		if (*object == 0)
			*object = k->threads.count;
	}
	return HP_OK;
}

/*
 * Returns the thread with this serial number; NULL if there is none. The last
 * result is cached, because the roots of a thread are usually consecutive.
 */
static const struct thread *
find_thread(struct roots *k, uint32_t serial)
{
	const struct thread *all = k->threads.items;
	const uint64_t *at;

	if (k->met && k->met->serial == serial)
		return k->met;
	at = hp_id_map_get(&k->by_serial, serial);
	k->met = at ? &all[*at - 1] : NULL;
	k->met_trace =
		k->met ? hp_tables_trace(k->c->tables, k->met->trace) : NULL;
	return k->met;
}

/*
 * Whether the object is certainly not a thread: the dump contains it, and its
 * class is known and is neither java.lang.Thread nor a subclass of it.
 */
static bool
is_no_thread(const struct hp_references *refs, uint64_t id)
{
	return hp_references_defined(refs, id) &&
	       hp_references_is_thread(refs, id) == 0;
}

static void
check_thread_object(struct roots *k, const struct hp_root *r)
{
	uint32_t serial = thread_of(r), trace = third_of(r);
	const struct hp_trace *t = hp_tables_trace(k->c->tables, trace);

	if (r->id == 0)
		hp_check_found(k->c, HP_RULE_THREAD_OBJECT_ZERO, r, HP_WORD_ID,
			       serial);
	else if (is_no_thread(k->refs, r->id))
		hp_check_found(k->c, HP_RULE_THREAD_OBJECT_CLASS, r, HP_WORD_ID,
			       serial, r->id);
	if (!t)
		hp_check_found(k->c, HP_RULE_THREAD_TRACE_MISSING, r,
			       HP_WORD_TRACE, serial, trace);
	else if (t->thread != serial)
		hp_check_found(k->c, HP_RULE_THREAD_TRACE_MISMATCH, r,
			       HP_WORD_TRACE, serial, trace, t->thread);
}

/*
 * Check a root that belongs to a thread. If @has_frame is set, the root also
 * belongs to a frame of the stack of this thread.
 */
static void
check_local(struct roots *k, const struct hp_root *r, bool has_frame)
{
	const struct thread *t = find_thread(k, thread_of(r));
	const struct hp_trace *trace;
	int32_t frame = has_frame ? (int32_t)third_of(r) : -1;

	if (!t) {
		hp_check_found(k->c, HP_RULE_ROOT_THREAD_UNKNOWN, r,
			       HP_WORD_THREAD, r->tag, thread_of(r));
		return;
	}
	trace = k->met_trace;
	if (frame >= -1 && (!trace || frame < (int64_t)trace->nframes))
		return;
	hp_check_found(k->c, HP_RULE_ROOT_FRAME_RANGE, r, HP_WORD_FRAME, r->tag,
		       thread_of(r), (uint64_t)(int64_t)frame,
		       trace ? trace->nframes : 0);
}

/* --- check the roots ----------------------------------------------------- */

/*
 * Report a root whose object is not in the dump. HotSpot versions with a
 * permanent generation write JNI global roots for internal objects of the VM
 * that they do not dump. Such findings are only informational.
 */
static void
found_missing(struct roots *k, const struct hp_root *r)
{
	struct hp_finding f = {HP_CHECK_COMMON(k->c, HP_RULE_ROOT_MISSING,
					       r->offset, r->record),
			       .place = HP_PLACE_NAME, .index = HP_WORD_ID,
			       .args = {r->tag, r->id}};

	if (r->tag == HP_SUB_ROOT_JNI_GLOBAL &&
	    hp_references_permanent(k->refs))
		f.severity = HP_SEVERITY_INFO;
	hp_findings_add(k->c->findings, &f);
}

static void
check_target(struct roots *k, const struct hp_root *r)
{
	if (r->id == 0) {
		if (r->tag != HP_SUB_ROOT_THREAD_OBJECT)
			hp_check_found(k->c, HP_RULE_ROOT_ZERO, r, HP_WORD_ID,
				       r->tag);
		return;
	}
	if (!hp_references_defined(k->refs, r->id))
		found_missing(k, r);
	else if (r->tag == HP_SUB_ROOT_STICKY_CLASS &&
		 !hp_classes_get(hp_references_classes(k->refs), r->id))
		hp_check_found(k->c, HP_RULE_STICKY_NOT_CLASS, r, HP_WORD_ID,
			       r->tag, r->id);
}

static void
check_root(struct roots *k, const struct hp_root *r)
{
	k->real++;
	k->sticky += r->tag == HP_SUB_ROOT_STICKY_CLASS;
	check_target(k, r);
	switch (r->tag) {
	case HP_SUB_ROOT_JNI_GLOBAL:
		if (r->extra == 0)
			hp_check_found(k->c, HP_RULE_JNI_REF_ZERO, r,
				       HP_WORD_REFERENCE, 0, r->id);
		break;
	case HP_SUB_ROOT_THREAD_OBJECT:
		check_thread_object(k, r);
		break;
	case HP_SUB_ROOT_JNI_LOCAL:
	case HP_SUB_ROOT_JAVA_FRAME:
	case HP_SUB_ROOT_JNI_MONITOR:
		check_local(k, r, true);
		break;
	case HP_SUB_ROOT_NATIVE_STACK:
	case HP_SUB_ROOT_THREAD_BLOCK:
		check_local(k, r, false);
		break;
	default:
		break;
	}
}

/*
 * Check a HEAP DUMP INFO sub-record. The STRING record with the name of the
 * heap may come later; see heap_name() in check_tables.c.
 */
static enum hp_status
check_heap_info(struct roots *k, const struct hp_root *r)
{
	k->heaps = true;
	if (hp_heap_kind((uint32_t)r->extra) == HP_HEAP_OTHER)
		hp_check_whole(k->c, HP_RULE_HEAP_INFO_ID, r, r->extra, 1);
	return hp_check_string_use(k->c, r->id, HP_STRING_OF_HEAP,
				   (struct hp_position){r->offset, r->record},
				   k->c->dump, r->extra, k->err);
}

static int
compare_offset(const void *a, const void *b)
{
	const struct hp_root *x = a, *y = b;

	return hp_order(x->offset, y->offset);
}

/*
 * Sort roots by offset. The list is usually sorted already, unless some batches
 * (parts of the dump) were postponed.
 */
static void
sort_by_offset(struct hp_root *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (list[i - 1].offset > list[i].offset) {
			qsort(list, count, sizeof(*list), compare_offset);
			return;
		}
	}
}

static bool
same_root(const void *roots, uint32_t number, const void *root)
{
	const struct hp_root *x = roots, *y = root;

	x += number - 1;
	return x->tag == y->tag && x->id == y->id && x->extra == y->extra;
}

/*
 * Report the root with the index @i if an earlier root is equal to it. @hash is
 * the hash of this root.
 */
static void
check_double(struct roots *k, struct hp_hash_table *seen, size_t i,
	     uint32_t hash)
{
	const struct hp_root *r = &k->list[i];
	struct hp_hash_slot *slot =
		hp_hash_find(seen, hash, same_root, k->list, r);

	if (slot->number == 0)
		hp_hash_add(seen, slot, hash, (uint32_t)i + 1);
	else
		hp_check_whole(k->c, HP_RULE_ROOT_DUP, r, r->tag, r->id);
}

static uint32_t
hash_of_root(const struct hp_root *r, uint64_t seed)
{
	const uint64_t key[] = {r->id, r->extra, r->tag};

	return (uint32_t)XXH3_64bits_withSeed(key, sizeof(key), seed);
}

/*
 * Check @n roots, from index @from on, for duplicates. All slots of the hash
 * table are prefetched first, so that the waits for memory overlap.
 */
static void
check_some_doubles(struct roots *k, struct hp_hash_table *seen, size_t from,
		   size_t n)
{
	uint32_t hash[TOGETHER];

	for (size_t i = 0; i < n; i++) {
		hash[i] = hash_of_root(&k->list[from + i], seen->seed);
		hp_hash_prefetch(seen, hash[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (k->list[from + i].tag != HP_SUB_HEAP_DUMP_INFO)
			check_double(k, seen, from + i, hash[i]);
}

static enum hp_status
check_doubles(struct roots *k)
{
	struct hp_hash_table seen = {0};

	if (!hp_hash_reserve(&seen, k->count))
		return no_memory(k);
	for (size_t i = 0; i < k->count; i += TOGETHER)
		check_some_doubles(k, &seen, i,
				   k->count - i < TOGETHER ? k->count - i
							   : TOGETHER);
	hp_hash_release(&seen);
	return HP_OK;
}

static enum hp_status
check_list(struct roots *k)
{
	bool android = k->c->header->version == HP_VERSION_1_0_3;
	enum hp_status st = HP_OK;

	for (size_t i = 0; st == HP_OK && i < k->count; i++) {
		const struct hp_root *r = &k->list[i];

		if (!android && hp_subrecord_is_android(r->tag))
			hp_check_found(k->c, HP_RULE_SUBTAG_ANDROID, r,
				       HP_WORD_TAG, r->tag);
		if (k->c->framing_only)
			continue;
		if (r->tag == HP_SUB_HEAP_DUMP_INFO)
			st = check_heap_info(k, r);
		else if (r->tag != HP_SUB_UNREACHABLE)
			check_root(k, r);
	}
	return st;
}

/* --- report statistics of the dump --------------------------------------- */

/*
 * If the class is an array class of a primitive type, returns a mask with the
 * bit of that type; otherwise 0. The name may have two forms: "[I" or "int[]".
 */
static unsigned
array_class_of(const struct hp_string *s)
{
	if (!s || s->length < 2 ||
	    (s->data[0] != '[' && s->data[s->length - 1] != ']'))
		return 0;
	if (s->length == 2)
		return 1u << hp_type_of_letter((char)s->data[1]) & ~1u;
	for (unsigned t = HP_TYPE_BOOLEAN; t < HP_TYPE_END; t++) {
		const char *name = hp_type_name(t);
		size_t n = strlen(name);

		if (s->length == n + 2 && memcmp(s->data, name, n) == 0 &&
		    memcmp(s->data + n, "[]", 2) == 0)
			return 1u << t;
	}
	return 0;
}

/*
 * Returns a mask with the bits of all primitive types that have an array class
 * in the dump.
 */
static unsigned
array_classes(const struct roots *k)
{
	const struct hp_classes *classes = hp_references_classes(k->refs);
	unsigned types = 0;

	for (size_t i = 0; i < classes->count; i++)
		types |= array_class_of(hp_tables_class_name(
			k->c->tables, classes->list[i]->id));
	return types;
}

static void
check_arrays(struct roots *k, const struct hp_worker *w)
{
	unsigned classes = array_classes(k);

	for (unsigned t = HP_TYPE_BOOLEAN; t < HP_TYPE_END; t++) {
		if (w->types[t].count > 0 && !(classes >> t & 1))
			hp_check_found(k->c, HP_RULE_PRIM_ARRAY_CLASS,
				       &w->types[t], HP_WORD_TYPE, t);
	}
	if (w->empty_arrays > 0 && w->empty_arrays > w->arrays / 10 * 3 &&
	    w->empty_arrays * 10 > w->arrays * 3)
		hp_check_whole(k->c, HP_RULE_ZERO_LENGTH_ARRAYS,
			       &k->c->dump_spot, w->empty_arrays, w->arrays);
}

/*
 * Objects refer to stack traces by serial numbers. Remember those serial
 * numbers whose stack traces were not read yet. They are checked at the end of
 * the file.
 */
static enum hp_status
check_traces(struct roots *k, const struct hp_worker *w)
{
	size_t at = 0;
	uint64_t serial, index;

	while (hp_id_map_next(&w->traces.by_serial, &at, &serial, &index)) {
		const struct hp_first_seen *f = &w->traces.list[index - 1];

		if (serial == 0 ||
		    hp_tables_trace(k->c->tables, (uint32_t)serial))
			continue;
		if (!HP_VEC_PUSH(&k->c->uses, struct hp_mention,
				 .kind = HP_MENTION_TRACE, .id = serial,
				 .count = f->count, .dump = k->c->dump,
				 .offset = f->offset, .record = f->record))
			return no_memory(k);
	}
	return HP_OK;
}

/*
 * Report the number of objects in each Android heap, if the dump has several
 * heaps.
 */
static void
check_heaps(struct roots *k, const struct hp_worker *w)
{
	if (!k->heaps)
		return;
	for (unsigned i = 0; i < HP_HEAP_KINDS; i++) {
		if (w->heaps[i].count > 0)
			hp_check_whole(k->c, HP_RULE_HEAP_ID_CHANGE,
				       &w->heaps[i], i, w->heaps[i].count);
	}
}

/* --- all checks of the roots --------------------------------------------- */

enum hp_status
hp_check_roots(struct hp_check *c, struct hp_worker *w,
	       const struct hp_references *refs, struct hp_error *err)
{
	struct roots k = {.c = c,
			  .list = w->roots.items,
			  .count = w->roots.count,
			  .refs = refs,
			  .err = err};
	enum hp_status st = HP_OK;

	sort_by_offset(w->roots.items, k.count);
	if (!c->framing_only)
		st = gather_threads(&k);
	if (st == HP_OK)
		st = check_list(&k);
	if (st == HP_OK && !c->framing_only) {
		st = check_traces(&k, w);
		check_arrays(&k, w);
		check_heaps(&k, w);
		if (k.real == 0)
			hp_check_whole(c, HP_RULE_ROOTS_NONE, &c->dump_spot, 0);
		else if (k.sticky == 0)
			hp_check_whole(c, HP_RULE_STICKY_NONE, &c->dump_spot,
				       0);
	}
	hp_id_map_release(&k.by_serial);
	hp_id_map_release(&k.by_object);
	hp_free(k.threads.items);
	return st == HP_OK && !c->framing_only ? check_doubles(&k) : st;
}
