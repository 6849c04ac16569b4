/*
 * instance_lengths.h - how long the instances of each class are
 *
 * Some writers put classes behind their instances, and not every pass comes
 * twice. So what was met of each class is kept, and compared with the class
 * when the dump ends. Of a class three lengths suffice to find the first
 * instance that does not fit: the first one met, the first other one, and the
 * shortest.
 */
#ifndef HP_MODEL_INSTANCE_LENGTHS_H
#define HP_MODEL_INSTANCE_LENGTHS_H

#include "common/format/heap.h"
#include "common/model/classes.h"
#include "common/ids/id_map.h"

/* A length, and the first instance that has it. */
struct hp_length {
	uint64_t offset;
	uint32_t bytes;
};

struct hp_class_lengths {
	uint64_t class_id;
	struct hp_length first, other, shortest;
	bool has_other;
};

enum { HP_LENGTHS_RECENT = 1024 }; /* classes that are found at once */

/* A zeroed one is empty. Each worker has one of its own. */
struct hp_instance_lengths {
	struct hp_id_map by_class; /* class id: index + 1 */
	struct hp_class_lengths *list;
	size_t count, cap;
	struct hp_recent_length {
		uint64_t class_id;
		uint32_t bytes;
		bool used;
	} recent[HP_LENGTHS_RECENT];
};

void hp_instance_lengths_release(struct hp_instance_lengths *l);

/* Bytes taken from the system. */
uint64_t hp_instance_lengths_held(const struct hp_instance_lengths *l);

/**
 * hp_instance_lengths_note() - an instance of @bytes of fields at @offset
 *
 * Returns: false: out of memory.
 */
HP_MUST_USE bool hp_instance_lengths_note(struct hp_instance_lengths *l,
					  uint64_t class_id, uint32_t bytes,
					  uint64_t offset);

/* Add what @from met. False: out of memory. */
HP_MUST_USE bool
hp_instance_lengths_merge(struct hp_instance_lengths *into,
			  const struct hp_instance_lengths *from);

/**
 * hp_instance_lengths_wrong() - the first instance that does not fit its class
 * @classes: of the dump, complete
 * @found:   the instance's offset and length
 * @class:   its class
 *
 * Returns: false: all fit. Instances of classes that are not dumped always do.
 */
bool hp_instance_lengths_wrong(const struct hp_instance_lengths *l,
			       const struct hp_classes *classes,
			       struct hp_length *found,
			       const struct hp_class **class);

/*
 * Can an instance of the class have @bytes of fields? With a super class that
 * is not known it may have more than what is known.
 */
static inline bool
hp_instance_fits(const struct hp_class *c, uint64_t bytes)
{
	return bytes >= c->data_size &&
	       (c->chain != HP_CHAIN_FINE || bytes == c->data_size);
}

/* Was an instance of this class and length met before? Then all is noted. */
HP_HOT bool
hp_instance_length_known(const struct hp_instance_lengths *l,
			 const struct hp_sub *s)
{
	const struct hp_recent_length *r =
		&l->recent[hp_class_cache_slot(s->class_id)];

	return r->class_id == s->class_id && r->bytes == s->count && r->used;
}

/* Note an instance. False: out of memory. */
HP_HOT HP_MUST_USE bool
hp_instance_length_see(struct hp_instance_lengths *l, const struct hp_sub *s)
{
	return HP_LIKELY(hp_instance_length_known(l, s)) ||
	       hp_instance_lengths_note(l, s->class_id, s->count, s->offset);
}

/*
 * Pass over the instances that come next, as far as they are here and neither
 * their length nor their id has to be noted.
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
