/*
 * class_layout.h - the layouts of classes as they become usable
 *
 * Classes come in any order; one gets its layout once its super class has one.
 */
#ifndef HP_MODEL_CLASS_LAYOUT_H
#define HP_MODEL_CLASS_LAYOUT_H

#include "common/base/arena.h"
#include "common/model/class.h"
#include "common/ids/id_map.h"

/* Zeroed but for id_size at first. */
struct hp_class_layouts {
	unsigned id_size;
	struct hp_id_map by_id;	  /* usable classes: pointers */
	struct hp_id_map waiting; /* super id: the first class without layout
				     that waits for it (a pointer) */
	struct hp_arena arena;	  /* lists of references */
	/*
	 * Lists of references are kept within a multiple of the class dumps'
	 * bytes. Classes beyond it, which only a crafted hierarchy has, keep
	 * none (ref_at NULL, nrefs 0).
	 */
	uint64_t dump_bytes, list_bytes;
};

void hp_class_layouts_release(struct hp_class_layouts *l);

/* Bytes taken from the system. */
uint64_t hp_class_layouts_bytes(const struct hp_class_layouts *l);

/* The usable class with an id; NULL if there is none. */
static inline struct hp_class *
hp_class_usable(const struct hp_class_layouts *l, uint64_t id)
{
	return hp_id_map_pointer(&l->by_id, id);
}

/**
 * hp_class_layout_admit() - @k, new in by_id, gets its layout or waits for its
 * super
 *
 * Classes that waited for @k get theirs, too.
 * Returns: false: out of memory.
 */
HP_MUST_USE bool hp_class_layout_admit(struct hp_class_layouts *l,
				       struct hp_class *k);

/**
 * hp_class_layout_finish() - all classes are there: lay out what still waits
 * @list: all usable ones, @count of them
 *
 * Chains that end nowhere and cycles get the layout of what is known.
 * Returns: false: out of memory.
 */
HP_MUST_USE bool hp_class_layout_finish(struct hp_class_layouts *l,
					struct hp_class *const *list,
					size_t count);

#endif
