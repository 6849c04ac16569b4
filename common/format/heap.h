/*
 * heap.h - the sub-records of a heap record, one after the other
 *
 * The only decoder of heap bytes in the project, and its hot loop: the head of
 * a sub-record is checked once as a whole, then loaded unchecked. Callers pass
 * the id size as a constant where speed matters, so that it folds away, and
 * give rarely called functions a copy of the sub-record, so that it can stay in
 * registers.
 */
#ifndef HP_FORMAT_HEAP_H
#define HP_FORMAT_HEAP_H

#include "common/format/cursor.h"
#include "common/format/format.h"

/* Why hp_heap_next() returned false. */
enum hp_heap_stop {
	HP_HEAP_END,	     /* exactly at the end of the bytes */
	HP_HEAP_CUT,	     /* the bytes end inside a sub-record, as they may:
				the record is longer than what is here */
	HP_HEAP_UNKNOWN_TAG, /* no such sub-record */
	HP_HEAP_REMAINDER,   /* less left in the record than a fixed part */
	HP_HEAP_OVERRUN,     /* tables or instance data pass the record's end */
	HP_HEAP_ARRAY,	     /* elements pass the record's end */
	HP_HEAP_TYPE,	     /* an invalid type code */
};

struct hp_sub {
	uint8_t tag;
	uint8_t type;	      /* arrays of primitives: the element type */
	uint32_t trace;	      /* objects and classes: trace serial */
	uint32_t count;	      /* arrays: elements; instances: bytes */
	uint64_t id;	      /* object or root; 0 for HEAP DUMP INFO */
	uint64_t class_id;    /* instances and object arrays */
	uint64_t offset;      /* of the tag byte, in the dump */
	uint64_t size;	      /* bytes with the tag */
	const uint8_t *start; /* the tag byte */
	const uint8_t *data;  /* instance bytes, elements, class tables */
};

/* Only @at moves from one sub-record to the next. */
struct hp_heap_iter {
	const uint8_t *at;
	const uint8_t *end; /* of the bytes that are here */
	uint64_t beyond;    /* bytes that the record has after them */
	uint64_t shift;	    /* offset in the dump, less the address */
	/* when hp_heap_next() returned false: */
	enum hp_heap_stop stop;
	uint64_t need; /* bytes that the sub-record at @at claims to have */
	uint64_t bad;  /* HP_HEAP_TYPE: the offset of the code */
};

/**
 * hp_heap_begin() - an iterator
 * @left:   bytes at @data
 * @limit:  bytes that the record has from there on; >= left
 * @offset: of @data in the dump
 */
static inline struct hp_heap_iter
hp_heap_begin(const uint8_t *data, uint64_t left, uint64_t limit,
	      uint64_t offset)
{
	return (struct hp_heap_iter){.at = data,
				     .end = data + left,
				     .beyond = limit - left,
				     .shift = offset - (uintptr_t)data};
}

/* Bytes from here on: those that are here; those of the record. */
static inline uint64_t
hp_heap_left(const struct hp_heap_iter *it)
{
	return (uint64_t)(it->end - it->at);
}

static inline uint64_t
hp_heap_limit(const struct hp_heap_iter *it)
{
	return hp_heap_left(it) + it->beyond;
}

/* Where in the dump the iterator is. */
static inline uint64_t
hp_heap_offset(const struct hp_heap_iter *it)
{
	return it->shift + (uintptr_t)it->at;
}

/**
 * hp_class_tables_size() - measure what follows a CLASS DUMP's fields
 * @p:    the constant pool's count
 * @left: bytes that are here
 * @need: bytes of the tables; on CUT: at least so many are needed; on
 *        TYPE: where, from @p, the bad code stands
 *
 * Returns: HP_HEAP_END if the tables are here whole; HP_HEAP_CUT;
 *          HP_HEAP_TYPE.
 */
enum hp_heap_stop hp_class_tables_size(const uint8_t *p, uint64_t left,
				       unsigned id_size, uint64_t *need);

/* For hp_heap_next(): a sub-record that is not all here. */
static inline bool
hp_heap_short(struct hp_heap_iter *it, uint64_t need, enum hp_heap_stop over)
{
	it->need = need;
	it->stop = need > hp_heap_limit(it) ? over : HP_HEAP_CUT;
	return false;
}

/*
 * A number that bounds depend on, read once: the compiler may not look at the
 * bytes again, which somebody may change meanwhile if they are a mapped file.
 */
static inline uint32_t
hp_read_once(uint32_t v)
{
	__asm__("" : "+r"(v));
	return v;
}

/* What an instance's head has after its id; @p: the tag byte. */
HP_HOT void
hp_heap_load_instance(struct hp_sub *s, const uint8_t *p, unsigned id_size)
{
	s->trace = hp_load4(p + 1 + id_size);
	s->class_id = hp_load_id(p + 5 + id_size, id_size);
	s->count = hp_read_once(hp_load4(p + 5 + 2 * id_size));
}

/**
 * hp_heap_next() - step to the next sub-record
 * @it: advanced on true, otherwise left where the trouble is
 * @s:  valid on true; borrows from the iterator's bytes
 *
 * Returns: true; false with it->stop set.
 * Source:  HPROF manual, "HEAP DUMP"; hprof.cc of ART
 */
HP_HOT bool
hp_heap_next(struct hp_heap_iter *it, struct hp_sub *s, unsigned id_size)
{
	const uint8_t *p = it->at;
	enum hp_heap_stop stop;
	unsigned fixed, tag;
	uint64_t left = hp_heap_left(it), size, tables;

	if (HP_UNLIKELY(left == 0)) {
		it->stop = it->beyond ? HP_HEAP_CUT : HP_HEAP_END;
		it->need = 1;
		return false;
	}
	tag = hp_read_once(p[0]);
	s->tag = (uint8_t)tag;
	fixed = hp_subrecord_fixed[hp_widen(id_size)][tag];
	/* one comparison: for an unknown tag, fixed - 1 wraps around */
	if (HP_UNLIKELY((uint64_t)fixed - 1 >= left)) {
		if (fixed != 0)
			return hp_heap_short(it, fixed, HP_HEAP_REMAINDER);
		it->stop = HP_HEAP_UNKNOWN_TAG;
		return false;
	}
	s->offset = hp_heap_offset(it);
	s->start = p;
	s->data = p + fixed;
	s->id = hp_load_id(p + 1, id_size);
	switch (tag) {
	case HP_SUB_INSTANCE_DUMP:
		hp_heap_load_instance(s, p, id_size);
		size = fixed + (uint64_t)s->count;
		if (HP_UNLIKELY(size > left))
			return hp_heap_short(it, size, HP_HEAP_OVERRUN);
		break;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		s->trace = hp_load4(p + 1 + id_size);
		s->count = hp_read_once(hp_load4(p + 5 + id_size));
		s->class_id = hp_load_id(p + 9 + id_size, id_size);
		size = fixed + (uint64_t)s->count * id_size;
		if (HP_UNLIKELY(size > left))
			return hp_heap_short(it, size, HP_HEAP_ARRAY);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
		s->trace = hp_load4(p + 1 + id_size);
		s->count = hp_read_once(hp_load4(p + 5 + id_size));
		s->type = (uint8_t)hp_read_once(p[9 + id_size]);
		if (HP_UNLIKELY(!hp_type_is_primitive(s->type))) {
			it->stop = HP_HEAP_TYPE;
			it->bad = s->offset + 9 + id_size;
			return false;
		}
		size = fixed +
		       (uint64_t)s->count * hp_type_size(s->type, id_size);
		if (HP_UNLIKELY(size > left))
			return hp_heap_short(it, size, HP_HEAP_ARRAY);
		break;
	case HP_SUB_CLASS_DUMP:
		s->trace = hp_load4(p + 1 + id_size);
		stop = hp_class_tables_size(p + fixed, left - fixed, id_size,
					    &tables);
		size = fixed + tables;
		if (stop == HP_HEAP_TYPE) {
			it->stop = HP_HEAP_TYPE;
			it->bad = s->offset + size;
			return false;
		}
		if (stop != HP_HEAP_END)
			return hp_heap_short(it, size, HP_HEAP_OVERRUN);
		break;
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		s->trace = hp_load4(p + 1 + id_size);
		s->count = hp_read_once(hp_load4(p + 5 + id_size));
		s->type = (uint8_t)hp_read_once(p[9 + id_size]);
		size = fixed;
		if (HP_UNLIKELY(!hp_type_is_primitive(s->type))) {
			it->stop = HP_HEAP_TYPE;
			it->bad = s->offset + 9 + id_size;
			return false;
		}
		break;
	default:
		size = fixed;
	}
	s->size = size;
	it->at = p + size;
	return true;
}

/**
 * hp_heap_instance() - look at the next sub-record if it is an instance
 * @s: set on true, but for its size
 *
 * Nine of ten sub-records are instances: a loop of its own for them needs half
 * the instructions. Go on at s->data + s->count.
 * Returns: false if it is none, or not here whole: ask hp_heap_next().
 */
HP_HOT bool
hp_heap_instance(const struct hp_heap_iter *it, struct hp_sub *s,
		 unsigned id_size)
{
	const unsigned fixed = 9 + 2 * id_size;
	const uint8_t *p = it->at;
	uint64_t left = hp_heap_left(it);

	if (HP_UNLIKELY(left < fixed) ||
	    hp_read_once(p[0]) != HP_SUB_INSTANCE_DUMP)
		return false;
	hp_heap_load_instance(s, p, id_size);
	if (HP_UNLIKELY(s->count > left - fixed))
		return false;
	s->tag = HP_SUB_INSTANCE_DUMP;
	s->start = p;
	s->data = p + fixed;
	s->offset = hp_heap_offset(it);
	s->id = hp_load_id(p + 1, id_size);
	return true;
}

/*
 * Bytes that a prefetch is in front: of loops that only hop from one sub-record
 * to the next, and of those that have more to do.
 */
enum { HP_AHEAD = 4096, HP_AHEAD_BUSY = 2048 };

/*
 * What is needed next: an instance is more than a cache line on average, and
 * hopping from one to the next waits for memory otherwise.
 */
HP_HOT void
hp_heap_prefetch(const uint8_t *p, unsigned ahead)
{
	__builtin_prefetch(p + ahead);
	__builtin_prefetch(p + ahead + 64);
}

/*
 * The same behind a sub-record of any @size, which ends at @p: a hop over a
 * long array must not leave lines out that come soon.
 */
HP_HOT void
hp_heap_prefetch_behind(const uint8_t *p, uint64_t size, unsigned ahead)
{
	const uint8_t *end = p + ahead;

	for (p = end - (size < ahead ? size : ahead); p < end; p += 64)
		__builtin_prefetch(p);
}

/*
 * The same for a loop over ids side by side, of which @i is next: an array is
 * longer than what the prefetches of sub-records are in front of.
 */
HP_HOT void
hp_ids_prefetch(const uint8_t *ids, uint64_t i, unsigned id_size)
{
	if (i * id_size % 64 == 0)
		__builtin_prefetch(ids + i * id_size + HP_AHEAD_BUSY);
}

/* Pass over the instances that come next, as far as they are here: how many? */
HP_HOT uint64_t
hp_heap_skip_instances(struct hp_heap_iter *at, unsigned id_size)
{
	struct hp_heap_iter it = *at;
	struct hp_sub s;
	uint64_t n = 0;

	for (; hp_heap_instance(&it, &s, id_size); n++) {
		it.at = s.data + s.count;
		hp_heap_prefetch(it.at, HP_AHEAD);
	}
	*at = it;
	return n;
}

/* A root's second field: the thread serial. */
static inline uint32_t
hp_root_thread(const struct hp_sub *s, unsigned id_size)
{
	return hp_load4(s->start + 1 + id_size);
}

/* A root's third field: a frame index or, of THREAD OBJECT, a trace serial. */
static inline uint32_t
hp_root_third(const struct hp_sub *s, unsigned id_size)
{
	return hp_load4(s->start + 5 + id_size);
}

#endif
