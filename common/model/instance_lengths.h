/*
 * instance_lengths.h - check that the length of each instance equals the length
 * of the fields of its class
 *
 * In some dumps, classes come after their instances, and some inputs can be
 * read only once. So the lengths of instances are collected first. At the end
 * of the dump, they are compared with the classes. To find the first wrong
 * instance, three lengths for each class suffice: the length of the first
 * instance in the file, the first length that differs from it, and the shortest
 * length.
 */
#ifndef HP_MODEL_INSTANCE_LENGTHS_H
#define HP_MODEL_INSTANCE_LENGTHS_H

#include "common/format/heap.h"
#include "common/model/classes.h"
#include "common/object_ids/id_map.h"

/*
 * A length that some instances of a class have. `bytes`: size in bytes of all
 * fields. `offset`: file offset of the first instance with this length.
 */
struct hp_length {
	uint64_t offset;
	uint32_t bytes;
};

struct hp_class_lengths {
	uint64_t class_id;
	struct hp_length first, other, shortest;
	bool has_other;
};

/* The lengths that one thread collected. Zero-initialise it. */
struct hp_instance_lengths {
	/* maps a class id to 1 + the index of the class in `list` */
	struct hp_id_map by_class;
	struct hp_class_lengths *list;
	size_t count, cap;
	struct hp_recent_length {
		uint64_t class_id;
		uint32_t bytes;
		bool used;
	} recent[HP_CLASS_CACHE];
};

void hp_instance_lengths_release(struct hp_instance_lengths *l);

/* Returns how many bytes of memory @l uses. */
uint64_t hp_instance_lengths_held(const struct hp_instance_lengths *l);

/**
 * hp_instance_lengths_note() - record the length of an instance: it is at
 * @offset in the dump, and its fields have @bytes bytes
 *
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_instance_lengths_note(struct hp_instance_lengths *l,
					  uint64_t class_id, uint32_t bytes,
					  uint64_t offset);

/*
 * Add the lengths that another thread has collected in @from to @into. Returns
 * false if out of memory.
 */
HP_MUST_USE bool
hp_instance_lengths_merge(struct hp_instance_lengths *into,
			  const struct hp_instance_lengths *from);

/**
 * hp_instance_lengths_wrong() - find the first instance in the dump that has
 * another length than its class describes
 * @classes: the complete classes of the dump
 * @found:   receives the offset and length of the instance
 * @class:   receives the class of the instance
 *
 * Returns: false if all instances have the right length. An instance whose
 *          class is not in the dump may have any length.
 */
bool hp_instance_lengths_wrong(const struct hp_instance_lengths *l,
			       const struct hp_classes *classes,
			       struct hp_length *found,
			       const struct hp_class **class);

/*
 * Whether an instance of the class @c can have @bytes bytes of fields. If a
 * super class of @c is not in the dump, the instance may have more than the
 * known fields.
 */
static inline bool
hp_instance_fits(const struct hp_class *c, uint64_t bytes)
{
	return bytes >= c->data_size &&
	       (c->chain != HP_CHAIN_FINE || bytes == c->data_size);
}

/*
 * Whether the cache already contains the class of the instance @s with this
 * length, so that the length need not be recorded again.
 */
HP_HOT bool
hp_instance_length_known(const struct hp_instance_lengths *l,
			 const struct hp_sub *s)
{
	const struct hp_recent_length *r =
		&l->recent[hp_class_cache_slot(s->class_id)];

	return r->class_id == s->class_id && r->bytes == s->count && r->used;
}

/* Record the length of the instance @s. Returns false if out of memory. */
HP_HOT HP_MUST_USE bool
hp_instance_length_see(struct hp_instance_lengths *l, const struct hp_sub *s)
{
	return HP_LIKELY(hp_instance_length_known(l, s)) ||
	       hp_instance_lengths_note(l, s->class_id, s->count, s->offset);
}

/*
 * Skip the next instances whose class and length are already in the cache, so
 * that their lengths need not be recorded. Stops at an instance whose id is 0,
 * and at the end of the bytes that can be read.
 */
HP_HOT void
hp_instance_lengths_pass(const struct hp_instance_lengths *l,
			 struct hp_heap_iter *at, unsigned id_size)
{
	struct hp_heap_iter it = *at;
	struct hp_sub s;

	while (hp_heap_instance(&it, &s, id_size)) {
		if (HP_UNLIKELY(!hp_instance_length_known(l, &s) || s.id == 0))
			break;
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD);
	}
	*at = it;
}

#endif
