/*
 * classes.h - classes, their fields, and the layout of their instances
 */
#ifndef HP_MODEL_CLASSES_H
#define HP_MODEL_CLASSES_H

#include "common/base/arena.h"
#include "common/format/heap.h"
#include "common/object_ids/id_map.h"

#include <pthread.h>

/*
 * ----------------------------------------------------------------------
 * A class, parsed from a CLASS DUMP sub-record, and the layout of its instances
 * (where each field is)
 *
 * classes.c parses the sub-record. class_layout.c computes the layout as soon
 * as the layout of the super class is known.
 */

/* An instance field that a class declares. */
struct hp_class_field {
	uint64_t name; /* id of the string with the name of the field */
	uint8_t type;
};

/* A static field of a class, with its value. */
struct hp_class_static {
	uint64_t name;	/* id of the string with the name of the field */
	uint64_t value; /* an object id, or the bits of a primitive in the
			   low-order bytes */
	/* offset of the value in the sub-record, in bytes */
	uint64_t at;
	uint8_t type;
};

/* An entry of the constant pool of a class. */
struct hp_class_constant {
	uint64_t value; /* an object id, or the bits of a primitive value */
	/* offset of the value in the sub-record, in bytes */
	uint64_t at;
	uint16_t index; /* index of the entry in the constant pool */
	uint8_t type;
};

/* What is known about the super classes of a class. */
enum hp_chain {
	HP_CHAIN_UNKNOWN, /* the layout of the class was not computed yet */
	/* all super classes of the class are known, direct and indirect ones */
	HP_CHAIN_FINE,
	/* A super class is not in the dump, or is part of a cycle. */
	HP_CHAIN_BROKEN,
	HP_CHAIN_CYCLE, /* the class is its own super class, directly or not */
};

struct hp_class {
	uint64_t id, super_id, loader, signers, domain, reserved[2];
	uint32_t trace, instance_size;
	uint32_t nconstants, nstatics, nfields;
	struct hp_class_constant *constants;
	struct hp_class_static *statics;
	/* the instance fields that the class itself declares, in file order */
	struct hp_class_field *fields;
	/*
	 * The CLASS DUMP sub-record: its offset in the dump, and its size in
	 * bytes. `record`: the number of the record that contains it, counted
	 * from 1 over all records of the dump.
	 */
	uint64_t offset, size, record;
	/* index of the batch (part of the dump) that contains the CLASS DUMP */
	uint64_t batch;
	/* the Android heap of the class object; 0 in other dumps */
	uint32_t heap;
	/*
	 * The number of the class among all classes of the dump, from 0.
	 * UINT32_MAX: another class with the same id came first, or the class
	 * cannot be looked up yet (see struct hp_classes).
	 */
	uint32_t index;
	/*
	 * What is known about the super classes. class_layout.c computes this
	 * member and those after it: the layout, that is, where the fields of
	 * an instance are. The fields that the class itself declares come
	 * first, then those of its super class, and so on.
	 */
	enum hp_chain chain;
	/*
	 * The super class. NULL: there is none, or it has no CLASS DUMP, or
	 * this class is part of a cycle.
	 */
	struct hp_class *super;
	/*
	 * A super class several levels above this class. With it,
	 * hp_class_is_a() skips levels. A class without a super class points to
	 * itself.
	 */
	struct hp_class *jump;
	/* number of super classes above this class, as far as they are known */
	uint32_t depth;
	/*
	 * size in bytes of all fields of an instance, including inherited
	 * fields, as in the dump
	 */
	uint64_t data_size;
	/* number of reference fields, including inherited fields */
	uint64_t references;
	/*
	 * Number of elements of `ref_at`. It equals `references`, or is 0 if
	 * the class has no list because of a limit (see `list_bytes` of struct
	 * hp_class_layouts).
	 */
	uint32_t nrefs;
	/*
	 * The offsets of all reference fields in the data of an instance in the
	 * dump, in ascending order.
	 */
	uint32_t *ref_at;
	/*
	 * Sizes in bytes, used by size_model.h. Index 0 is for references of 4
	 * bytes, index 1 for 8 bytes. `rounded`: size of all fields, without
	 * the object header; after the fields of each class, the sum is rounded
	 * up to the size of a reference. `below_root`: size of the fields that
	 * the topmost super class below java.lang.Object declares.
	 */
	uint64_t rounded[2], below_root[2];
	/*
	 * next class in the list of classes that wait for the layout of the
	 * same super class
	 */
	struct hp_class *next_waiting;
};

/*
 * Whether @c is the class @above or a subclass of @above. The layout of @c must
 * have been computed. Takes O(log depth) steps, because the member jump skips
 * levels (a skew-binary list).
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
 * Whether the fields of the instance @s can be decoded. @c: the class of the
 * instance, or NULL. The result is false in three cases: the class has no CLASS
 * DUMP; one of its super classes has no CLASS DUMP; or the length of the
 * instance differs from the layout of the class. Then the references of the
 * instance are unknown.
 */
static inline bool
hp_instance_decodable(const struct hp_class *c, const struct hp_sub *s)
{
	return c && c->chain == HP_CHAIN_FINE && c->data_size == s->count;
}

/*
 * ----------------------------------------------------------------------
 * Compute the field layout of each class
 *
 * The layout of a class says where the fields of its instances are. A dump
 * contains the classes in any order. The layout of a class is computed as soon
 * as the layout of its super class is known. Until then the class waits in a
 * list.
 */

/*
 * The state of computing the layouts of all classes of a dump. Zero-initialise
 * the struct, then set id_size.
 */
struct hp_class_layouts {
	unsigned id_size;
	/*
	 * Maps the id of each class that can be looked up to the address of its
	 * struct hp_class.
	 */
	struct hp_id_map by_id;
	/*
	 * Maps the id of a super class without a layout to the first class that
	 * waits for this layout. The other waiting classes follow in a list,
	 * linked by `next_waiting`.
	 */
	struct hp_id_map waiting;
	/* memory for the lists of reference fields (ref_at) */
	struct hp_arena arena;
	/*
	 * The memory of all lists ref_at is limited to a multiple of the bytes
	 * of the CLASS DUMP sub-records. Only a crafted class hierarchy exceeds
	 * this limit. Classes that exceed it have no list (ref_at is NULL and
	 * nrefs is 0). `dump_bytes`: size in bytes of all CLASS DUMPs so far.
	 * `list_bytes`: size in bytes of all lists so far.
	 */
	uint64_t dump_bytes, list_bytes;
};

void hp_class_layouts_release(struct hp_class_layouts *l);

/* Returns how many bytes of memory the layouts of all classes use. */
uint64_t hp_class_layouts_bytes(const struct hp_class_layouts *l);

/*
 * Returns the class with the id @id; NULL if there is no such class, or if it
 * cannot be looked up yet.
 */
static inline struct hp_class *
hp_class_usable(const struct hp_class_layouts *l, uint64_t id)
{
	return hp_id_map_pointer(&l->by_id, id);
}

/**
 * hp_class_layout_admit() - compute the layout of @k, or let it wait for the
 *                           layout of its super class
 * @k: a class that was just added to l->by_id
 *
 * Also computes the layouts of all classes that waited for @k.
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_class_layout_admit(struct hp_class_layouts *l,
				       struct hp_class *k);

/**
 * hp_class_layout_finish() - when all classes have been read: compute the
 * layouts of the classes that still wait
 * @list: all @count usable classes
 *
 * If a super class is not in the dump, the layout consists of the fields of the
 * known classes. If a class is its own super class (a cycle), the layout has
 * only the fields that it declares itself.
 * Returns: true; false if out of memory.
 */
HP_MUST_USE bool hp_class_layout_finish(struct hp_class_layouts *l,
					struct hp_class *const *list,
					size_t count);

/*
 * ----------------------------------------------------------------------
 * All class dumps of one heap dump, parsed, and looked up by id
 *
 * Worker threads parse CLASS DUMP sub-records in parallel. If several of them
 * have the same id, only the first one in the file is used. So a class becomes
 * "usable" (can be looked up) only when all earlier batches (parts of the dump)
 * are done. Otherwise the result would depend on the timing of threads. If a
 * worker reads an instance whose class is not usable yet, it postpones the
 * instance with hp_batch_defer().
 */

struct hp_classes {
	pthread_rwlock_t lock;
	/* the layouts of the usable classes, and a map from their ids */
	struct hp_class_layouts layouts;
	/*
	 * The classes that can be looked up. After hp_classes_complete() the
	 * list is sorted by file offset.
	 */
	struct hp_class **list;
	size_t count, cap;
	/*
	 * classes that were parsed but are not usable yet, because an earlier
	 * batch (part of the dump) is not done
	 */
	struct hp_class **pending;
	size_t npending, pending_cap;
	/*
	 * The number of batches (parts of the dump), counted from the first
	 * one, that are done. The classes in them can be looked up.
	 */
	uint64_t retired;
	/*
	 * Classes that have the same id as an earlier class. They are kept only
	 * to report them.
	 */
	struct hp_class **duplicates;
	size_t nduplicates, duplicates_cap;
	/*
	 * How many bytes of memory this struct uses, without the arenas of the
	 * workers. Recomputed whenever classes become usable. Atomic.
	 */
	uint64_t bytes;
	/*
	 * A number that is incremented whenever classes become usable. Atomic.
	 */
	uint64_t version;
	/*
	 * for each worker thread: the memory of the classes that the thread has
	 * parsed
	 */
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
 * @batch: index of the batch (part of the dump) that contains the class;
 *         hp_classes_retire(@batch) makes the class usable
 * @out:   receives the parsed class, valid until hp_classes_release(); may be
 *         NULL
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_classes_add(struct hp_classes *c, unsigned worker,
					  uint64_t batch, uint64_t record,
					  uint32_t heap, const struct hp_sub *s,
					  struct hp_class **out,
					  struct hp_error *err);

/*
 * Make the classes of the batch (part of the dump) with the index @batch
 * usable: from now on they can be looked up. Call it once for each batch, in
 * order, when this batch and all earlier ones are done. Returns HP_OK;
 * HP_NOMEM; HP_LIMIT if there are 2^32 classes.
 */
HP_MUST_USE enum hp_status
hp_classes_retire(struct hp_classes *c, uint64_t batch, struct hp_error *err);

/*
 * @batch is the index of a batch (part of the dump) that is not done yet. Make
 * the classes usable that were already read in this batch. Does nothing unless
 * hp_classes_retire() was called for all earlier batches. Call this function at
 * most once for each batch, because it visits every class that is not usable
 * yet. Returns false if out of memory.
 */
HP_MUST_USE bool hp_classes_retire_begun(struct hp_classes *c, uint64_t batch);

/*
 * Make all classes usable, and compute their layouts. Call it when all batches
 * (parts of the dump) are done. Returns HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_classes_complete(struct hp_classes *c,
					       struct hp_error *err);

/*
 * A cache for finding classes by id. Each thread has a cache of its own.
 * Zero-initialise it.
 */
enum { HP_CLASS_CACHE_BITS = 12, HP_CLASS_CACHE = 1 << HP_CLASS_CACHE_BITS };
struct hp_class_cache {
	/*
	 * The cache also contains ids for which no class was found. These ids
	 * are removed when more classes become usable, because an id may now
	 * have a class. This member is the value of hp_classes.version at the
	 * last removal.
	 */
	uint64_t version;
	struct {
		uint64_t id;
		/* the class with this id; NULL: no usable class has it */
		const struct hp_class *class;
	} slots[HP_CLASS_CACHE];
};

static inline unsigned
hp_class_cache_slot(uint64_t id)
{
	return (unsigned)(id * UINT64_C(0x9E3779B97F4A7C15) >>
			  (64 - HP_CLASS_CACHE_BITS));
}

/*
 * Look up a class only in the cache. This is fast, for loops over instances.
 * Returns NULL if the cache does not contain a class with this id.
 */
HP_HOT const struct hp_class *
hp_classes_cached(const struct hp_class_cache *cache, uint64_t id)
{
	unsigned slot = hp_class_cache_slot(id);

	return HP_LIKELY(cache->slots[slot].id == id) ? cache->slots[slot].class
						      : NULL;
}

/*
 * Used by hp_classes_layout() if the class is not in the cache: look up the
 * class by its id, and store the result in the cache.
 */
const struct hp_class *hp_classes_look_up(struct hp_classes *c,
					  struct hp_class_cache *cache,
					  uint64_t id);

/**
 * hp_classes_layout() - look up a class whose layout has been computed;
 *                       thread-safe
 *
 * Returns: the class; NULL if the class, or one of its super classes, is not
 *          usable yet. After hp_classes_complete() all classes of the dump have
 *          a layout, so NULL means that the dump does not contain the class.
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
 * How many bytes of memory the classes use. hp_classes_bytes_of() returns the
 * memory of the classes that @worker has parsed; only this worker may call it.
 * hp_classes_bytes() returns the memory of the struct itself when classes last
 * became usable; any thread may call it.
 */
uint64_t hp_classes_bytes_of(const struct hp_classes *c, unsigned worker);
uint64_t hp_classes_bytes(const struct hp_classes *c);

/*
 * Returns the class with the id @id; NULL if the dump does not contain it. Call
 * this after hp_classes_complete().
 */
static inline struct hp_class *
hp_classes_get(const struct hp_classes *c, uint64_t id)
{
	return hp_class_usable(&c->layouts, id);
}

/*
 * Returns a list of all classes, in which each class comes after its super
 * class. Call it after hp_classes_complete(). The caller frees the list.
 * Returns NULL if out of memory.
 */
struct hp_class **hp_classes_topmost_first(const struct hp_classes *c);

#endif
