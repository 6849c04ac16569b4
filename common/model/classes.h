/*
 * classes.h - all class dumps of one heap dump, parsed, and looked up by id
 *
 * Worker threads parse class dumps in parallel. A class becomes usable only
 * when all earlier batches are done. This makes "the first class dump of an id
 * wins" independent of thread timing. If a worker reads an instance whose class
 * is not usable yet, it defers the instance with hp_batch_defer().
 */
#ifndef HP_MODEL_CLASSES_H
#define HP_MODEL_CLASSES_H

#include "common/model/class_layout.h"

#include <pthread.h>

struct hp_classes {
	pthread_rwlock_t lock;
	struct hp_class_layouts layouts; /* usable classes only */
	/* Usable classes; sorted by file offset after hp_classes_complete(). */
	struct hp_class **list;
	size_t count, cap;
	/* parsed, but their batch is not retired yet */
	struct hp_class **pending;
	size_t npending, pending_cap;
	uint64_t retired; /* smallest batch index that is not retired yet */
	/*
	 * Further class dumps of an id that already has one. They are kept for
	 * reports only.
	 */
	struct hp_class **duplicates;
	size_t nduplicates, duplicates_cap;
	/*
	 * Bytes of everything but the arenas of the workers, as of the last
	 * time that classes became usable. Atomic.
	 */
	uint64_t bytes;
	/* Incremented whenever classes become usable. Atomic. */
	uint64_t version;
	/* one for each worker, for the classes it parses */
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
 * A direct-mapped cache of class look-ups. Each worker has its own.
 * Zero-initialise it.
 */
enum { HP_CLASS_CACHE = 1024 };
struct hp_class_cache {
	/*
	 * hp_classes.version when this cache last dropped its failed look-ups.
	 */
	uint64_t version;
	struct {
		uint64_t id;
		/* NULL: no usable class has this id */
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
