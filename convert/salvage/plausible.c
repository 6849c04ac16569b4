/*
 * plausible.c - collect facts about a damaged dump, such as ids and classes,
 * and decide with them whether a sub-record is genuine
 */
#include "convert/salvage/internal.h"

enum {
	/*
	 * Maximum number of entries in each set of facts. It limits the memory.
	 */
	NOTED_MOST = 1 << 20,
	/* Bits in class_ids: which records of a class the dump has. */
	CLASS_LOADED = 1,
	CLASS_DUMPED = 2,
};

enum hp_status
hp_plausible_begin(struct hp_plausible *k, struct hp_error *err)
{
	enum hp_status st;

	/*
	 * the previous round (scan of the damaged dump) ended early, so discard
	 * its classes
	 */
	if (k->has_next)
		hp_classes_release(&k->next);
	st = hp_classes_init(&k->next, k->id_size, 1, err);
	k->has_next = st == HP_OK;
	hp_id_map_release(&k->met);
	return st;
}

enum hp_status
hp_plausible_end(struct hp_plausible *k, bool *more, struct hp_error *err)
{
	enum hp_status st = hp_classes_complete(&k->next, err);

	*more = !k->has_classes || k->next.count > k->classes.count;
	if (k->has_classes)
		hp_classes_release(&k->classes);
	k->classes = k->next;
	k->has_classes = true;
	k->has_next = k->learning = false;
	return st;
}

void
hp_plausible_release(struct hp_plausible *k)
{
	if (k->has_classes)
		hp_classes_release(&k->classes);
	if (k->has_next)
		hp_classes_release(&k->next);
	hp_id_map_release(&k->class_ids);
	hp_id_map_release(&k->regions);
	hp_id_map_release(&k->traces);
	hp_id_map_release(&k->heaps);
	hp_id_map_release(&k->met);
	*k = (struct hp_plausible){0};
}

/* ---- collect facts about the damaged dump ---- */

static enum hp_status
add_fact(struct hp_id_map *m, uint64_t id, uint64_t bits, struct hp_error *err)
{
	uint64_t *place = hp_id_map_find(m, id);

	if (!place && m->count >= NOTED_MOST)
		return HP_OK;
	if (!place)
		place = hp_id_map_put(m, id, NULL);
	if (!place)
		return hp_no_memory(err);
	*place |= bits;
	return HP_OK;
}

/* Returns the region of an address: the number of its block of 1 MB. */
static uint64_t
region_of(uint64_t id)
{
	return id >> 20;
}

static uint64_t
heap_key(const struct hp_plausible *k, const struct hp_sub *s)
{
	return hp_load4(s->start + 1) ^ hp_load_id(s->start + 5, k->id_size)
						<< 8;
}

enum hp_status
hp_plausible_note_load(struct hp_plausible *k, uint64_t class_id,
		       struct hp_error *err)
{
	return add_fact(&k->class_ids, class_id, CLASS_LOADED, err);
}

enum hp_status
hp_plausible_note_trace(struct hp_plausible *k, uint32_t serial,
			struct hp_error *err)
{
	return add_fact(&k->traces, serial, 1, err);
}

static enum hp_status
note_class(struct hp_plausible *k, const struct hp_sub *s, struct hp_error *err)
{
	enum hp_status st = add_fact(&k->class_ids, s->id, CLASS_DUMPED, err);
	bool fresh = false;

	if (st != HP_OK || !k->has_next)
		return st;
	if (!hp_id_map_put(&k->met, s->id, &fresh))
		return hp_no_memory(err);
	return fresh ? hp_classes_add(&k->next, 0, 0, 0, 0, s, NULL, err)
		     : HP_OK;
}

enum hp_status
hp_plausible_note_sub(struct hp_plausible *k, const struct hp_sub *s,
		      struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (s->tag == HP_SUB_HEAP_DUMP_INFO)
		return add_fact(&k->heaps, heap_key(k, s), 1, err);
	if (!hp_subrecord_is_object(s->tag))
		/*
		 * the object of a root may be missing, so a root confirms no
		 * fact
		 */
		return HP_OK;
	if (s->tag == HP_SUB_CLASS_DUMP)
		st = note_class(k, s, err);
	if (st == HP_OK)
		st = add_fact(&k->regions, region_of(s->id), 1, err);
	return st == HP_OK ? hp_plausible_note_trace(k, s->trace, err) : st;
}

/* ---- decide with these facts whether a sub-record is genuine ---- */

bool
hp_plausible_class(const struct hp_plausible *k, uint64_t id)
{
	return hp_id_map_get(&k->class_ids, id) != NULL;
}

static bool
is_region(const struct hp_plausible *k, uint64_t id)
{
	return id != 0 && hp_id_map_get(&k->regions, region_of(id)) != NULL;
}

static bool
is_trace(const struct hp_plausible *k, uint32_t serial)
{
	return hp_id_map_get(&k->traces, serial) != NULL;
}

static const struct hp_class *
layout_of(const struct hp_plausible *k, const struct hp_sub *s)
{
	const struct hp_class *c =
		k->has_classes ? hp_classes_get(&k->classes, s->class_id)
			       : NULL;

	return c && c->chain == HP_CHAIN_FINE ? c : NULL;
}

bool
hp_plausible_agrees(const struct hp_plausible *k, const struct hp_sub *s)
{
	bool region = is_region(k, s->id), trace = is_trace(k, s->trace);

	if (k->learning)
		return s->id != 0 && (region || trace || k->regions.count == 0);
	return region && trace;
}

bool
hp_plausible_resembles(const struct hp_plausible *k, const struct hp_sub *s)
{
	unsigned agree = is_region(k, s->id) + is_trace(k, s->trace);

	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return agree + hp_plausible_class(k, s->class_id) >= 2;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
		return agree + hp_type_is_primitive(s->type) >= 2;
	/*
	 * the ids in a class dump prove nothing, so only the stack trace counts
	 */
	case HP_SUB_CLASS_DUMP:
		return is_trace(k, s->trace);
	default:
		return false;
	}
}

/*
 * Judge an object only by its id and its stack trace, because the object has no
 * class, or the class is not known.
 */
static enum hp_trust
weigh_object(const struct hp_plausible *k, const struct hp_sub *s)
{
	return hp_plausible_agrees(k, s) ? HP_TRUST_LIKELY : HP_TRUST_ODD;
}

/*
 * Whether both reserved ids of a class dump are 0, as in all dumps that are
 * known.
 */
static bool
is_reserved_zero(const struct hp_plausible *k, const struct hp_sub *s)
{
	const uint8_t *reserved = s->start + 5 + 5 * k->id_size;

	return (hp_load_id(reserved, k->id_size) |
		hp_load_id(reserved + k->id_size, k->id_size)) == 0;
}

static enum hp_trust
weigh_class(const struct hp_plausible *k, const struct hp_sub *s)
{
	const uint64_t *how = hp_id_map_get(&k->class_ids, s->id);
	uint64_t super = hp_load_id(s->start + 5 + k->id_size, k->id_size);

	bool super_known = hp_plausible_class(k, super);

	if (how && *how & CLASS_LOADED && is_reserved_zero(k, s) &&
	    (super == 0 || super_known))
		return HP_TRUST_SURE;
	return how || super_known ? weigh_object(k, s) : HP_TRUST_ODD;
}

/*
 * Whether this is a ROOT THREAD OBJECT without an object. libhprof-agent writes
 * at least one such root.
 */
static bool
is_thread_without_object(const struct hp_plausible *k, const struct hp_sub *s)
{
	return s->tag == HP_SUB_ROOT_THREAD_OBJECT &&
	       is_trace(k, hp_load4(s->start + 1 + k->id_size + 4));
}

enum hp_trust
hp_plausible_sub(const struct hp_plausible *k, const struct hp_sub *s)
{
	const struct hp_class *c;

	if (s->tag == HP_SUB_HEAP_DUMP_INFO)
		return hp_id_map_get(&k->heaps, heap_key(k, s))
			       ? HP_TRUST_LIKELY
			       : HP_TRUST_ODD;
	if (s->id == 0)
		return is_thread_without_object(k, s) ? HP_TRUST_LIKELY
						      : HP_TRUST_ODD;
	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		c = layout_of(k, s);
		if (c)
			return c->data_size == s->count ? HP_TRUST_SURE
							: HP_TRUST_MISFIT;
		__attribute__((fallthrough));
	case HP_SUB_OBJECT_ARRAY_DUMP:
		if (hp_plausible_class(k, s->class_id))
			return HP_TRUST_SURE;
		return k->learning || is_region(k, s->class_id)
			       ? weigh_object(k, s)
			       : HP_TRUST_ODD;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		return weigh_object(k, s);
	case HP_SUB_CLASS_DUMP:
		return weigh_class(k, s);
	default:
		return is_region(k, s->id) ? HP_TRUST_LIKELY : HP_TRUST_ODD;
	}
}

bool
hp_plausible_data_size(const struct hp_plausible *k, const struct hp_sub *s,
		       uint64_t *size)
{
	const struct hp_class *c =
		s->tag == HP_SUB_INSTANCE_DUMP ? layout_of(k, s) : NULL;

	*size = c ? c->data_size : 0;
	return c != NULL;
}

bool
hp_plausible_length(const struct hp_plausible *k, const struct hp_sub *s)
{
	uint64_t size;

	if (s->tag == HP_SUB_INSTANCE_DUMP)
		return hp_plausible_data_size(k, s, &size) && size == s->count;
	return s->tag != HP_SUB_OBJECT_ARRAY_DUMP &&
	       s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       s->tag != HP_SUB_CLASS_DUMP;
}
