/*
 * class_layout.h - compute the field layout of each class
 *
 * Class dumps come in any order. A class gets its layout once its super class
 * has one; until then it waits in a list.
 */
#ifndef HP_MODEL_CLASS_LAYOUT_H
#define HP_MODEL_CLASS_LAYOUT_H

#include "common/base/arena.h"
#include "common/model/class.h"
#include "common/ids/id_map.h"

/* The state of laying out classes. Zero-initialise it, but set id_size. */
struct hp_class_layouts {
	unsigned id_size;
	struct hp_id_map by_id; /* class id: pointer to a usable class */
	/*
	 * Super class id: pointer to the first class in the list of classes
	 * that wait for it.
	 */
	struct hp_id_map waiting;
	struct hp_arena arena; /* memory of the lists ref_at */
	/*
	 * Limit for the memory of reference lists: a multiple of the bytes of
	 * the class dumps. Only a crafted hierarchy exceeds it. Classes over
	 * the limit keep no list (ref_at is NULL and nrefs is 0). dump_bytes:
	 * bytes of all class dumps so far; list_bytes: bytes of the lists.
	 */
	uint64_t dump_bytes, list_bytes;
};

void hp_class_layouts_release(struct hp_class_layouts *l);

/* Bytes allocated from the system. */
uint64_t hp_class_layouts_bytes(const struct hp_class_layouts *l);

/* The usable class with the id @id; NULL if there is none. */
static inline struct hp_class *
hp_class_usable(const struct hp_class_layouts *l, uint64_t id)
{
	return hp_id_map_pointer(&l->by_id, id);
}

/**
 * hp_class_layout_admit() - lay out @k, or let it wait for its super class
 * @k: a class that was just added to by_id
 *
 * Also lays out all classes that waited for @k.
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_class_layout_admit(struct hp_class_layouts *l,
				       struct hp_class *k);

/**
 * hp_class_layout_finish() - lay out the classes that still wait, when all
 * class dumps have been read
 * @list: all @count usable classes
 *
 * A class with a missing ancestor gets the layout of its known ancestors. A
 * class in a cycle gets the layout of its own fields.
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_class_layout_finish(struct hp_class_layouts *l,
					struct hp_class *const *list,
					size_t count);

#endif
