/*
 * classes.h - the class dumps of one heap dump, and the layout of instances
 *
 * Workers parse class dumps as they meet them; a class may be used once every
 * batch before it is done, so that "the first class dump of an id wins" holds
 * whatever the threads do. Who meets an instance of a class that may not be
 * used yet puts it off (hp_batch_defer).
 */
#ifndef HP_MODEL_CLASSES_H
#define HP_MODEL_CLASSES_H

#include "common/model/class_layout.h"

#include <pthread.h>

struct hp_classes {
	pthread_rwlock_t lock;
	struct hp_class_layouts layouts; /* of usable ones */
	/* by file offset, after hp_classes_complete() */
	struct hp_class **list;
	size_t count, cap;
	struct hp_class **pending; /* parsed, their batch not retired yet */
	size_t npending, pending_cap;
	uint64_t retired; /* the least batch that is not */
	/* second class dumps of an id: kept for reports, never used */
	struct hp_class **duplicates;
	size_t nduplicates, duplicates_cap;
	/* what is not the workers', as classes last became usable (atomic) */
	uint64_t bytes;
	uint64_t version; /* moves when a class becomes usable (atomic) */
	struct hp_arena *arenas; /* one a worker */
	unsigned workers;
};

HP_MUST_USE enum hp_status hp_classes_init(struct hp_classes *c,
					   unsigned id_size, unsigned workers,
					   struct hp_error *err);
void hp_classes_release(struct hp_classes *c);

/**
 * hp_classes_add() - a worker met a class dump
 * @batch: the batch's index; the class becomes usable with
 *         hp_classes_retire(@batch)
 * @out:   may be NULL; the parsed class, valid until release
 *
 * Returns: HP_OK; HP_NOMEM. @s was measured by hp_heap_next().
 */
HP_MUST_USE enum hp_status hp_classes_add(struct hp_classes *c, unsigned worker,
					  uint64_t batch, uint64_t record,
					  uint32_t heap, const struct hp_sub *s,
					  struct hp_class **out,
					  struct hp_error *err);

/*
 * Batch @batch and all before it are done: its classes may be used. To be
 * called in the order of batches. HP_OK; HP_NOMEM; HP_LIMIT: 2^32 classes.
 */
HP_MUST_USE enum hp_status
hp_classes_retire(struct hp_classes *c, uint64_t batch, struct hp_error *err);

/*
 * Batch @batch is under way, and needs the classes that it has met so far: they
 * may be used if all batches before it are done. Worth it once a batch, since
 * all classes that wait are looked at. False: out of memory.
 */
HP_MUST_USE bool hp_classes_retire_begun(struct hp_classes *c, uint64_t batch);

/* All batches are done: all classes are usable, and have layouts. */
HP_MUST_USE enum hp_status hp_classes_complete(struct hp_classes *c,
					       struct hp_error *err);

/* What a worker remembers of recent look-ups; zeroed at first. */
enum { HP_CLASS_CACHE = 1024 };
struct hp_class_cache {
	uint64_t version; /* of the classes when a miss was last noted */
	struct {
		uint64_t id;
		const struct hp_class *class; /* NULL: known to be unknown */
	} slots[HP_CLASS_CACHE];
};

static inline unsigned
hp_class_cache_slot(uint64_t id)
{
	return (unsigned)(id * UINT64_C(0x9E3779B97F4A7C15) >> 54);
}

/* For loops over instances: a class that was looked up lately; or NULL. */
HP_HOT const struct hp_class *
hp_classes_cached(const struct hp_class_cache *cache, uint64_t id)
{
	unsigned slot = hp_class_cache_slot(id);

	return HP_LIKELY(cache->slots[slot].id == id) ? cache->slots[slot].class
						      : NULL;
}

/* For hp_classes_layout(): what the cache does not have, or not yet. */
const struct hp_class *hp_classes_look_up(struct hp_classes *c,
					  struct hp_class_cache *cache,
					  uint64_t id);

/**
 * hp_classes_layout() - a usable class with its layout, for any worker
 *
 * Returns: the class, chain not UNKNOWN; NULL if it, or a super class of it,
 *          may not be used yet (after hp_classes_complete(): if it has no
 *          class dump at all, and then broken chains are returned, too).
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
 * Bytes taken from the system: by one worker for the class dumps it met, to be
 * asked by that worker; and for all else, when classes last became usable: any
 * worker may ask.
 */
uint64_t hp_classes_bytes_of(const struct hp_classes *c, unsigned worker);
uint64_t hp_classes_bytes(const struct hp_classes *c);

/* By id, after hp_classes_complete(); NULL if there is none. */
static inline struct hp_class *
hp_classes_get(const struct hp_classes *c, uint64_t id)
{
	return hp_class_usable(&c->layouts, id);
}

/*
 * All classes after hp_classes_complete(), those above a class in front of it;
 * to be freed by the caller. NULL: out of memory.
 */
struct hp_class **hp_classes_topmost_first(const struct hp_classes *c);

#endif
