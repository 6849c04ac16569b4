/*
 * instance_lengths.c - collect the lengths of instances, and compare them with
 * the lengths of their classes
 */
#include "common/model/instance_lengths.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

void
hp_instance_lengths_release(struct hp_instance_lengths *l)
{
	hp_id_map_release(&l->by_class);
	hp_free(l->list);
	*l = (struct hp_instance_lengths){0};
}

uint64_t
hp_instance_lengths_held(const struct hp_instance_lengths *l)
{
	return hp_id_map_bytes(&l->by_class) + l->cap * sizeof(*l->list);
}

/*
 * Find the entry of a class. If there is none, create one with the first length
 * @length. Returns NULL if out of memory.
 */
static struct hp_class_lengths *
find(struct hp_instance_lengths *l, uint64_t class_id, struct hp_length length)
{
	uint64_t *place = hp_id_map_put(&l->by_class, class_id, NULL);

	if (!place)
		return NULL;
	if (*place)
		return &l->list[*place - 1];
	if (!HP_LIST_RESERVE(l->list, l->count, l->cap))
		return NULL;
	l->list[l->count] = (struct hp_class_lengths){
		.class_id = class_id, .first = length, .shortest = length};
	*place = ++l->count;
	return &l->list[l->count - 1];
}

static void
add(struct hp_class_lengths *e, struct hp_length length)
{
	struct hp_length later = length;

	if (length.bytes < e->shortest.bytes ||
	    (length.bytes == e->shortest.bytes &&
	     length.offset < e->shortest.offset))
		e->shortest = length;
	if (length.offset < e->first.offset) {
		later = e->first;
		e->first = length;
		/*
		 * e->other must differ from e->first. If it equals the new
		 * value of e->first, remove it.
		 */
		if (e->has_other && e->other.bytes == length.bytes)
			e->has_other = false;
	}
	if (later.bytes == e->first.bytes)
		return;
	if (!e->has_other || later.offset < e->other.offset)
		e->other = later;
	e->has_other = true;
}

bool
hp_instance_lengths_note(struct hp_instance_lengths *l, uint64_t class_id,
			 uint32_t bytes, uint64_t offset)
{
	const struct hp_length length = {.offset = offset, .bytes = bytes};
	struct hp_class_lengths *e = find(l, class_id, length);

	if (!e)
		return false;
	add(e, length);
	l->recent[hp_class_cache_slot(class_id)] = (struct hp_recent_length){
		.class_id = class_id, .bytes = bytes, .used = true};
	return true;
}

bool
hp_instance_lengths_merge(struct hp_instance_lengths *into,
			  const struct hp_instance_lengths *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct hp_class_lengths *f = &from->list[i];
		struct hp_class_lengths *e = find(into, f->class_id, f->first);

		if (!e)
			return false;
		add(e, f->first);
		add(e, f->shortest);
		if (f->has_other)
			add(e, f->other);
	}
	return true;
}

/*
 * Returns the length that is wrong for the class @c and occurs first in the
 * file; NULL if all lengths are right.
 */
static const struct hp_length *
wrong_length(const struct hp_class_lengths *e, const struct hp_class *c)
{
	if (!hp_instance_fits(c, e->first.bytes))
		return &e->first;
	if (e->has_other && !hp_instance_fits(c, e->other.bytes))
		return &e->other;
	/*
	 * If a super class is not in the dump, the instances may have different
	 * lengths.
	 */
	return hp_instance_fits(c, e->shortest.bytes) ? NULL : &e->shortest;
}

bool
hp_instance_lengths_wrong(const struct hp_instance_lengths *l,
			  const struct hp_classes *classes,
			  struct hp_length *found,
			  const struct hp_class **class)
{
	bool any = false;

	for (size_t i = 0; i < l->count; i++) {
		const struct hp_class *c =
			hp_classes_get(classes, l->list[i].class_id);
		const struct hp_length *w =
			c ? wrong_length(&l->list[i], c) : NULL;

		if (!w || (any && w->offset >= found->offset))
			continue;
		*found = *w;
		*class = c;
		any = true;
	}
	return any;
}
