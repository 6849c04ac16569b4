/*
 * classes.c - parse CLASS DUMP sub-records, add the classes to the table in
 * file order, and find a class by its id
 *
 * Parsing needs no lock, because each thread has memory of its own.
 * class_layout.c computes where the fields of an instance are.
 */
#include "common/model/classes.h"
#include "common/base/memory.h"
#include "common/base/vec.h"

#include <stdlib.h>

static enum hp_status
no_memory(struct hp_error *err)
{
	return hp_no_memory(err);
}

static bool
push_class(struct hp_class ***list, size_t *count, size_t *cap,
	   struct hp_class *k)
{
	return HP_LIST_PUSH(*list, *count, *cap, k);
}

enum hp_status
hp_classes_init(struct hp_classes *c, unsigned id_size, unsigned workers,
		struct hp_error *err)
{
	*c = (struct hp_classes){.layouts.id_size = id_size, .version = 1};
	c->arenas = hp_calloc(workers, sizeof(*c->arenas));
	if (!c->arenas)
		return no_memory(err);
	if (pthread_rwlock_init(&c->lock, NULL) != 0) {
		hp_free(c->arenas);
		c->arenas = NULL;
		return hp_fail(err, HP_NOMEM,
			       "cannot create a lock for the classes");
	}
	c->workers = workers;
	return HP_OK;
}

void
hp_classes_release(struct hp_classes *c)
{
	unsigned i;

	if (!c->arenas)
		return;
	for (i = 0; i < c->workers; i++)
		hp_arena_release(&c->arenas[i]);
	hp_free(c->arenas);
	hp_class_layouts_release(&c->layouts);
	hp_free(c->list);
	hp_free(c->pending);
	hp_free(c->duplicates);
	pthread_rwlock_destroy(&c->lock);
	*c = (struct hp_classes){0};
}

/* The state of parsing one CLASS DUMP sub-record. */
struct parsing {
	/* the bytes of the sub-record that were not parsed yet */
	struct hp_cursor body;
	unsigned id_size;
	struct hp_arena *arena;
	struct hp_class *class;
	bool no_memory;
};

static bool
parse_id(struct parsing *p, uint64_t *id)
{
	return hp_uint(&p->body, p->id_size, id);
}

/*
 * Parse a type code and the value after it. *@at receives the offset of the
 * value from the beginning of the sub-record.
 */
static bool
parse_value(struct parsing *p, uint8_t *type, uint64_t *at, uint64_t *value)
{
	uint32_t code;

	if (!hp_uint32(&p->body, 1, &code) ||
	    hp_type_size(code, p->id_size) == 0)
		return false;
	*type = (uint8_t)code;
	*at = p->body.pos;
	return hp_uint(&p->body, hp_type_size(code, p->id_size), value);
}

/*
 * Allocate a table with @n entries, one for each constant or field of a class.
 * Returns NULL only if out of memory.
 */
static void *
alloc_rows(struct parsing *p, uint32_t n, size_t size)
{
	void *room = hp_arena_alloc(p->arena, n * size);

	p->no_memory |= !room;
	return room;
}

/*
 * Parse the constant pool. A class has three tables (constants, static fields,
 * fields), each with at most 65535 entries. hp_heap_next() has checked that all
 * entries are in the dump, so the size of the dump limits the memory for them.
 */
static bool
parse_constants(struct parsing *p)
{
	struct hp_class *k = p->class;
	struct hp_class_constant *row;
	uint32_t i, index;

	if (!hp_uint32(&p->body, 2, &k->nconstants))
		return false;
	k->constants = alloc_rows(p, k->nconstants, sizeof(*row));
	for (i = 0; k->constants && i < k->nconstants; i++) {
		row = &k->constants[i];
		if (!hp_uint32(&p->body, 2, &index) ||
		    !parse_value(p, &row->type, &row->at, &row->value))
			return false;
		row->index = (uint16_t)index;
	}
	return k->constants != NULL;
}

static bool
parse_statics(struct parsing *p)
{
	struct hp_class *k = p->class;
	struct hp_class_static *row;
	uint32_t i;

	if (!hp_uint32(&p->body, 2, &k->nstatics))
		return false;
	k->statics = alloc_rows(p, k->nstatics, sizeof(*row));
	for (i = 0; k->statics && i < k->nstatics; i++) {
		row = &k->statics[i];
		if (!parse_id(p, &row->name) ||
		    !parse_value(p, &row->type, &row->at, &row->value))
			return false;
	}
	return k->statics != NULL;
}

static bool
parse_fields(struct parsing *p)
{
	struct hp_class *k = p->class;
	uint32_t i, type;

	if (!hp_uint32(&p->body, 2, &k->nfields))
		return false;
	k->fields = alloc_rows(p, k->nfields, sizeof(*k->fields));
	for (i = 0; k->fields && i < k->nfields; i++) {
		if (!parse_id(p, &k->fields[i].name) ||
		    !hp_uint32(&p->body, 1, &type))
			return false;
		k->fields[i].type = (uint8_t)type;
	}
	return k->fields != NULL;
}

static bool
parse_class(struct parsing *p)
{
	struct hp_class *k = p->class;
	uint32_t tag;

	return hp_uint32(&p->body, 1, &tag) && parse_id(p, &k->id) &&
	       hp_uint32(&p->body, 4, &k->trace) && parse_id(p, &k->super_id) &&
	       parse_id(p, &k->loader) && parse_id(p, &k->signers) &&
	       parse_id(p, &k->domain) && parse_id(p, &k->reserved[0]) &&
	       parse_id(p, &k->reserved[1]) &&
	       hp_uint32(&p->body, 4, &k->instance_size) &&
	       parse_constants(p) && parse_statics(p) && parse_fields(p);
}

enum hp_status
hp_classes_add(struct hp_classes *c, unsigned worker, uint64_t batch,
	       uint64_t record, uint32_t heap, const struct hp_sub *s,
	       struct hp_class **out, struct hp_error *err)
{
	struct parsing p = {
		.body = {.data = s->start, .len = s->size, .origin = s->offset},
		.id_size = c->layouts.id_size,
		.arena = &c->arenas[worker],
	};
	struct hp_class *k = hp_arena_alloc(p.arena, sizeof(*k));
	bool pushed;

	if (!k)
		return no_memory(err);
	*k = (struct hp_class){.offset = s->offset,
			       .size = s->size,
			       .record = record,
			       .batch = batch,
			       .heap = heap,
			       .index = UINT32_MAX};
	p.class = k;
	if (!parse_class(&p))
		return p.no_memory ? no_memory(err)
				   : hp_fail(err, HP_DAMAGED,
					     "a class dump is truncated");
	pthread_rwlock_wrlock(&c->lock);
	pushed = push_class(&c->pending, &c->npending, &c->pending_cap, k);
	pthread_rwlock_unlock(&c->lock);
	if (!pushed)
		return no_memory(err);
	if (out)
		*out = k;
	return HP_OK;
}

static int
by_offset(const void *a, const void *b)
{
	const struct hp_class *x = *(struct hp_class *const *)a;
	const struct hp_class *y = *(struct hp_class *const *)b;

	return hp_order(x->offset, y->offset);
}

/*
 * The list c->pending contains classes that cannot be looked up yet. Classes
 * from batches (parts of the dump) after @batch must wait longer: move them to
 * the front of the list. Returns the number of classes that must wait.
 */
static size_t
keep_later(struct hp_classes *c, uint64_t batch)
{
	struct hp_class *k;
	size_t i, kept = 0;

	for (i = 0; i < c->npending; i++) {
		k = c->pending[i];
		if (k->batch <= batch)
			continue;
		c->pending[i] = c->pending[kept];
		c->pending[kept++] = k;
	}
	return kept;
}

/*
 * Add one class to the table of classes, so that it can be looked up. If an
 * earlier class has the same id, record the class as a duplicate instead. The
 * caller holds the lock.
 */
static enum hp_status
admit_class(struct hp_classes *c, struct hp_class *k, struct hp_error *err)
{
	uint64_t *place;
	bool fresh;

	if (c->count >= UINT32_MAX)
		return hp_fail(err, HP_LIMIT, "too many classes");
	place = hp_id_map_put(&c->layouts.by_id, k->id, &fresh);
	if (!place)
		return no_memory(err);
	if (!fresh && *place != 0)
		return push_class(&c->duplicates, &c->nduplicates,
				  &c->duplicates_cap, k)
			       ? HP_OK
			       : no_memory(err);
	k->index = (uint32_t)c->count;
	if (!push_class(&c->list, &c->count, &c->cap, k))
		return no_memory(err);
	*place = (uint64_t)(uintptr_t)k;
	c->layouts.dump_bytes += k->size;
	return hp_class_layout_admit(&c->layouts, k) ? HP_OK : no_memory(err);
}

/*
 * Called after classes were added to the table: update the members `bytes` and
 * `version`, which other threads read without the lock. The caller holds the
 * lock.
 */
static void
publish(struct hp_classes *c)
{
	uint64_t bytes = hp_class_layouts_bytes(&c->layouts) +
			 (c->cap + c->pending_cap + c->duplicates_cap) *
				 sizeof(struct hp_class *);

	__atomic_store_n(&c->bytes, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&c->version, 1, __ATOMIC_RELEASE);
}

/*
 * Make classes available for look-ups, in the order of the file: add the
 * classes that were read in the batches (parts of the dump) up to @batch to the
 * table. The caller holds the lock.
 */
static enum hp_status
retire_class(struct hp_classes *c, uint64_t batch, struct hp_error *err)
{
	size_t kept = keep_later(c, batch), i;
	enum hp_status status = HP_OK;

	if (kept == c->npending)
		return HP_OK;
	qsort(c->pending + kept, c->npending - kept, sizeof(*c->pending),
	      by_offset);
	for (i = kept; i < c->npending && status == HP_OK; i++)
		status = admit_class(c, c->pending[i], err);
	c->npending = kept;
	publish(c);
	return status;
}

enum hp_status
hp_classes_retire(struct hp_classes *c, uint64_t batch, struct hp_error *err)
{
	enum hp_status status;

	pthread_rwlock_wrlock(&c->lock);
	status = retire_class(c, batch, err);
	c->retired = batch + 1;
	pthread_rwlock_unlock(&c->lock);
	return status;
}

bool
hp_classes_retire_begun(struct hp_classes *c, uint64_t batch)
{
	enum hp_status status = HP_OK;

	pthread_rwlock_wrlock(&c->lock);
	if (c->retired == batch)
		status = retire_class(c, batch, NULL);
	pthread_rwlock_unlock(&c->lock);
	return status == HP_OK;
}

enum hp_status
hp_classes_complete(struct hp_classes *c, struct hp_error *err)
{
	enum hp_status status;

	pthread_rwlock_wrlock(&c->lock);
	status = retire_class(c, UINT64_MAX, err);
	if (status == HP_OK &&
	    !hp_class_layout_finish(&c->layouts, c->list, c->count))
		status = no_memory(err);
	publish(c);
	pthread_rwlock_unlock(&c->lock);
	return status;
}

uint64_t
hp_classes_bytes_of(const struct hp_classes *c, unsigned worker)
{
	return c->arenas[worker].held;
}

uint64_t
hp_classes_bytes(const struct hp_classes *c)
{
	return __atomic_load_n(&c->bytes, __ATOMIC_RELAXED);
}

static int
by_depth(const void *a, const void *b)
{
	const struct hp_class *x = *(struct hp_class *const *)a;
	const struct hp_class *y = *(struct hp_class *const *)b;

	int c = hp_order(x->depth, y->depth);

	return c ? c : hp_order(x->index, y->index);
}

struct hp_class **
hp_classes_topmost_first(const struct hp_classes *c)
{
	struct hp_class **order = hp_calloc(c->count + 1, sizeof(*order));

	if (!order || c->count == 0)
		return order;
	memcpy(order, c->list, c->count * sizeof(*order));
	qsort(order, c->count, sizeof(*order), by_depth);
	return order;
}

/*
 * Remove from the cache the ids for which no class was found, because the table
 * may contain these classes now.
 */
static void
forget_unknown(struct hp_class_cache *cache, uint64_t version)
{
	unsigned i;

	for (i = 0; i < HP_CLASS_CACHE; i++)
		if (!cache->slots[i].class)
			cache->slots[i].id = 0;
	cache->version = version;
}

const struct hp_class *
hp_classes_look_up(struct hp_classes *c, struct hp_class_cache *cache,
		   uint64_t id)
{
	unsigned slot = hp_class_cache_slot(id);
	uint64_t version = __atomic_load_n(&c->version, __ATOMIC_ACQUIRE);
	const struct hp_class *k;

	if (cache->version != version)
		forget_unknown(cache, version);
	/* an empty slot of the cache has the id 0 */
	if (id != 0 && cache->slots[slot].id == id && !cache->slots[slot].class)
		return NULL;
	pthread_rwlock_rdlock(&c->lock);
	k = hp_classes_get(c, id);
	if (k && k->chain == HP_CHAIN_UNKNOWN)
		k = NULL;
	pthread_rwlock_unlock(&c->lock);
	cache->slots[slot].id = id;
	cache->slots[slot].class = k;
	return k;
}
