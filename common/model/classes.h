/*
 * classes.h - classes, their fields, and the layout of their instances
 */
#ifndef HP_MODEL_CLASSES_H
#define HP_MODEL_CLASSES_H

#include "common/base/arena.h"
#include "common/format/heap.h"
#include "common/object_ids/id_map.h"

#include <pthread.h>

/* ----------------------------------------------------------------------
 * A parsed class dump, and the layout of the class's instances
 *
 * classes.c parses the dump. class_layout.c computes the layout as soon as the
 * super class has one.
 */

/* An instance field that a class declares. */
struct hp_class_field {
	uint64_t name; /* string id of the name */
	uint8_t type;
};

/* A static field of a class, with its value. */
struct hp_class_static {
	uint64_t name;	/* string id of the name */
	uint64_t value; /* an object id, or the bits of a primitive in the
			   low-order bytes */
	uint64_t at;	/* position of the value: bytes from the start of the
			   sub-record */
	uint8_t type;
};

/* An entry of the constant pool of a class. */
struct hp_class_constant {
	uint64_t value; /* value; as in struct hp_class_static */
	uint64_t at;	/* where the value is; as in struct hp_class_static */
	uint16_t index; /* index in the constant pool */
	uint8_t type;
};

/* What is known about the superclasses of a class. */
enum hp_chain {
	HP_CHAIN_UNKNOWN, /* not computed yet */
	HP_CHAIN_FINE,	  /* every super class up to the root is known */
	/* A super class has no class dump, or is part of a cycle. */
	HP_CHAIN_BROKEN,
	HP_CHAIN_CYCLE, /* the class is its own superclass, directly or not */
};

struct hp_class {
	uint64_t id, super_id, loader, signers, domain, reserved[2];
	uint32_t trace, instance_size;
	uint32_t nconstants, nstatics, nfields;
	struct hp_class_constant *constants;
	struct hp_class_static *statics;
	/* own fields, without inherited ones, in file order */
	struct hp_class_field *fields;
	/*
	 * The class dump: its file offset, its size in bytes, and the ordinal
	 * of the record that contains it.
	 */
	uint64_t offset, size, record;
	/* index of the part of the dump that has the class dump */
	uint64_t batch;
	/* the Android heap of the class object; 0 in other dumps */
	uint32_t heap;
	/*
	 * The number of the class among the dump's classes, from 0. UINT32_MAX:
	 * a duplicate, or not usable yet.
	 */
	uint32_t index;
	/*
	 * Where the fields of an instance are, computed by class_layout.c. The
	 * fields that the class itself declares come first, then those of its
	 * superclass, and so on.
	 */
	enum hp_chain chain;
	/*
	 * NULL: no super class, or it has no class dump, or this class is part
	 * of a cycle.
	 */
	struct hp_class *super;
	/*
	 * An ancestor further up, for hp_class_is_a(). A class without
	 * ancestors points to itself.
	 */
	struct hp_class *jump;
	/* number of superclasses that are known, up to the root */
	uint32_t depth;
	uint64_t data_size; /* bytes of data of an instance */
	/* number of reference fields, with inherited ones */
	uint64_t references;
	/*
	 * Length of ref_at: all references, or 0 if the class keeps no list
	 * (see struct hp_class_layouts).
	 */
	uint32_t nrefs;
	uint32_t *ref_at; /* offsets of the references in the data, ascending */
	/*
	 * For size_model.h. rounded: bytes of all fields without the object
	 * header, rounded up to the reference size at each level of the
	 * hierarchy. below_root: bytes of the own fields of the topmost
	 * ancestor below java.lang.Object. Index 0 is for references of 4
	 * bytes, index 1 for 8 bytes.
	 */
	uint64_t rounded[2], below_root[2];
	struct hp_class *next_waiting; /* next class that waits for the same
					  super class */
};

/*
 * Whether @c is the class @above or one of its subclasses. @c must have its
 * layout. Takes O(log depth) steps: the jump pointers form a skew-binary list.
 * Source: E. Myers, "An applicative random-access stack", 1983
 */
static inline bool
hp_class_is_a(const struct hp_class *c, const struct hp_class *above)
{
	while (c->depth > above->depth)
		c = c->jump->depth >= above->depth ? c->jump : c->super;
	return c == above;
}

/*
 * Whether the data of the instance @s can be decoded into fields. They cannot
 * if @c is NULL, if an ancestor has no class dump, or if the length of the
 * instance differs from the layout. The references of such an instance are
 * unknown.
 */
static inline bool
hp_instance_decodable(const struct hp_class *c, const struct hp_sub *s)
{
	return c && c->chain == HP_CHAIN_FINE && c->data_size == s->count;
}

/* ----------------------------------------------------------------------
 * Compute the field layout of each class
 *
 * Class dumps come in any order. A class gets its layout once its super class
 * has one; until then it waits in a list.
 */

/* The state of laying out classes. Zero-initialise it, but set id_size. */
struct hp_class_layouts {
	unsigned id_size;
	/* maps a class id to the address of a usable class */
	struct hp_id_map by_id;
	/*
	 * Super class id: pointer to the first class in the list of classes
	 * that wait for it.
	 */
	struct hp_id_map waiting;
	/* memory for the lists of reference fields (ref_at) */
	struct hp_arena arena;
	/*
	 * Limit for the memory of reference lists: a multiple of the bytes of
	 * the class dumps. Only a crafted hierarchy exceeds it. Classes over
	 * the limit keep no list (ref_at is NULL and nrefs is 0). dump_bytes:
	 * bytes of all class dumps so far; list_bytes: bytes of the lists.
	 */
	uint64_t dump_bytes, list_bytes;
};

void hp_class_layouts_release(struct hp_class_layouts *l);

/* Bytes that the struct has allocated. */
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

/* ----------------------------------------------------------------------
 * All class dumps of one heap dump, parsed, and looked up by id
 *
 * Worker threads parse class dumps in parallel. A class becomes usable only
 * when all earlier batches are done. This makes "the first class dump of an id
 * wins" independent of thread timing. If a worker reads an instance whose class
 * is not usable yet, it defers the instance with hp_batch_defer().
 */

struct hp_classes {
	pthread_rwlock_t lock;
	struct hp_class_layouts layouts; /* usable classes only */
	/* Usable classes; sorted by file offset after hp_classes_complete(). */
	struct hp_class **list;
	size_t count, cap;
	/*
	 * parsed, but not usable yet, because an earlier part of the dump is
	 * not done
	 */
	struct hp_class **pending;
	size_t npending, pending_cap;
	/* index of the first part of the dump that is not done */
	uint64_t retired;
	/*
	 * Further class dumps of an id that already has one. They are kept for
	 * reports only.
	 */
	struct hp_class **duplicates;
	size_t nduplicates, duplicates_cap;
	/*
	 * Bytes of everything but the arenas of the workers. The value is
	 * computed whenever classes become usable. Atomic.
	 */
	uint64_t bytes;
	/* Incremented whenever classes become usable. Atomic. */
	uint64_t version;
	/* for each thread, the memory of the classes that it parses */
	struct hp_arena *arenas;
	unsigned workers;
};

HP_MUST_USE enum hp_status hp_classes_init(struct hp_classes *c,
					   unsigned id_size, unsigned workers,
					   struct hp_error *err);
void hp_classes_release(struct hp_classes *c);

/**
 * hp_classes_add() - parse a class dump that a worker has read
 * @s:     the sub-record; hp_heap_next() has checked its length
 * @batch: index of its batch; the class becomes usable with
 *         hp_classes_retire(@batch)
 * @out:   receives the parsed class, valid until release; may be NULL
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_classes_add(struct hp_classes *c, unsigned worker,
					  uint64_t batch, uint64_t record,
					  uint32_t heap, const struct hp_sub *s,
					  struct hp_class **out,
					  struct hp_error *err);

/*
 * Make the classes of batch @batch usable; all batches before it must be done.
 * Call it once for each batch, in order. Returns HP_OK; HP_NOMEM; HP_LIMIT if
 * there are 2^32 classes.
 */
HP_MUST_USE enum hp_status
hp_classes_retire(struct hp_classes *c, uint64_t batch, struct hp_error *err);

/*
 * Make the classes usable that the unfinished batch @batch has read so far.
 * Does nothing unless all earlier batches are retired. Call it at most once a
 * batch, because it visits every pending class. Returns false if out of memory.
 */
HP_MUST_USE bool hp_classes_retire_begun(struct hp_classes *c, uint64_t batch);

/*
 * Make all classes usable and lay them out, when all batches are done. Returns
 * HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_classes_complete(struct hp_classes *c,
					       struct hp_error *err);

/*
 * A cache for finding classes by id. Each thread has its own. Zero it at first.
 */
enum { HP_CLASS_CACHE = 1024 };
struct hp_class_cache {
	/*
	 * The value of hp_classes.version when this cache last removed its
	 * failed look-ups.
	 */
	uint64_t version;
	struct {
		uint64_t id;
		/* the class; NULL: no usable class has this id */
		const struct hp_class *class;
	} slots[HP_CLASS_CACHE];
};

static inline unsigned
hp_class_cache_slot(uint64_t id)
{
	return (unsigned)(id * UINT64_C(0x9E3779B97F4A7C15) >> 54);
}

/*
 * Look a class up in the cache only, for loops over instances. Returns NULL if
 * the cache does not hold a class with this id.
 */
HP_HOT const struct hp_class *
hp_classes_cached(const struct hp_class_cache *cache, uint64_t id)
{
	unsigned slot = hp_class_cache_slot(id);

	return HP_LIKELY(cache->slots[slot].id == id) ? cache->slots[slot].class
						      : NULL;
}

/*
 * The slow case of hp_classes_layout(): look a class up that is not in the
 * cache, and cache the result.
 */
const struct hp_class *hp_classes_look_up(struct hp_classes *c,
					  struct hp_class_cache *cache,
					  uint64_t id);

/**
 * hp_classes_layout() - look up a usable class that has its layout; thread-safe
 *
 * Returns: the class. NULL if the class, or one of its ancestors, is not usable
 *          yet. After hp_classes_complete() every class with a class dump has a
 *          layout, and NULL means that there is no class dump.
 */
static inline const struct hp_class *
hp_classes_layout(struct hp_classes *c, struct hp_class_cache *cache,
		  uint64_t id)
{
	unsigned slot = hp_class_cache_slot(id);

	if (HP_LIKELY(cache->slots[slot].id == id &&
		      cache->slots[slot].class != NULL))
		return cache->slots[slot].class;
	return hp_classes_look_up(c, cache, id);
}

/*
 * Bytes allocated from the system. hp_classes_bytes_of(): by @worker for the
 * classes it parsed; only that worker may call it. hp_classes_bytes(): for
 * everything else, as of the last time that classes became usable; any thread
 * may call it.
 */
uint64_t hp_classes_bytes_of(const struct hp_classes *c, unsigned worker);
uint64_t hp_classes_bytes(const struct hp_classes *c);

/*
 * The class with the id @id, after hp_classes_complete(). NULL: there is none.
 */
static inline struct hp_class *
hp_classes_get(const struct hp_classes *c, uint64_t id)
{
	return hp_class_usable(&c->layouts, id);
}

/*
 * All classes, ancestors before their subclasses. Call it after
 * hp_classes_complete(). The caller frees the list. Returns NULL if out of
 * memory.
 */
struct hp_class **hp_classes_topmost_first(const struct hp_classes *c);

#endif
