/*
 * heap.h - iterate over the sub-records of a heap record
 *
 * This is the only decoder of heap bytes in the project, and its hot loop. It
 * checks once that the whole head of a sub-record is available, and then loads
 * its fields without further checks. Where speed matters, callers pass the id
 * size as a constant, so that the compiler can fold it. They pass a copy of the
 * sub-record to functions that are rarely called, so that the original can stay
 * in registers.
 */
#ifndef HP_FORMAT_HEAP_H
#define HP_FORMAT_HEAP_H

#include "common/format/cursor.h"
#include "common/format/format.h"

/* The reason why hp_heap_next() returned false. */
enum hp_heap_stop {
	HP_HEAP_END, /* the sub-records end exactly where the bytes end */
	/*
	 * the available bytes end inside a sub-record, but the record is longer
	 * than the available bytes
	 */
	HP_HEAP_CUT,
	HP_HEAP_UNKNOWN_TAG, /* an unknown sub-record tag */
	/*
	 * the rest of the record is shorter than the fixed part of the
	 * sub-record
	 */
	HP_HEAP_REMAINDER,
	/* class tables or instance data extend past the end of the record */
	HP_HEAP_OVERRUN,
	/* array elements extend past the end of the record */
	HP_HEAP_ARRAY,
	HP_HEAP_TYPE, /* the number of a type is invalid */
};

struct hp_sub {
	uint8_t tag;
	uint8_t type; /* element type of a primitive array */
	/* serial of the stack trace of an object or class */
	uint32_t trace;
	/* arrays: number of elements; instances: number of bytes */
	uint32_t count;
	uint64_t id;	   /* id of the object or root; 0 for HEAP DUMP INFO */
	uint64_t class_id; /* class of the instance, or of the object array */
	uint64_t offset;   /* offset of the tag byte in the dump */
	/* length of the sub-record in bytes, including its tag */
	uint64_t size;
	const uint8_t *start; /* pointer to the tag of the sub-record */
	/* bytes of an instance, elements of an array, or tables of a class */
	const uint8_t *data;
};

/* An iterator. Only @at changes between sub-records. */
struct hp_heap_iter {
	const uint8_t *at;
	const uint8_t *end; /* end of the available bytes */
	/* number of bytes of the record that are not available */
	uint64_t beyond;
	/* add this to the address of any byte to get its offset in the dump */
	uint64_t shift;
	/* set when hp_heap_next() returns false: why it stopped */
	enum hp_heap_stop stop;
	/* how many bytes the sub-record at this offset claims to have */
	uint64_t need;
	uint64_t bad; /* for HP_HEAP_TYPE: offset of the invalid number */
};

/**
 * hp_heap_begin() - make an iterator
 * @left: number of bytes at @data
 * @limit: number of bytes of the record from @data on; at least @left
 * @offset: offset of @data in the dump
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

/*
 * The number of bytes from the iterator to the end of the available bytes, and
 * to the end of the record.
 */
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

/* The offset of the iterator in the dump. */
static inline uint64_t
hp_heap_offset(const struct hp_heap_iter *it)
{
	return it->shift + (uintptr_t)it->at;
}

/**
 * hp_class_tables_size() - compute the length of the tables of a CLASS DUMP
 * @p: the tables; they start with the count of the constant pool
 * @left: number of bytes at @p
 * @need: receives the length of the tables; with HP_HEAP_CUT, the minimum
 *   number of bytes needed; with HP_HEAP_TYPE, the offset from @p of the
 *   invalid code
 *
 * Returns: HP_HEAP_END if the tables are complete; HP_HEAP_CUT; HP_HEAP_TYPE.
 */
enum hp_heap_stop hp_class_tables_size(const uint8_t *p, uint64_t left,
				       unsigned id_size, uint64_t *need);

/*
 * Used by hp_heap_next() if a sub-record of @need bytes is not completely
 * available. @over: the reason if it also exceeds the record. Returns false.
 */
static inline bool
hp_heap_short(struct hp_heap_iter *it, uint64_t need, enum hp_heap_stop over)
{
	it->need = need;
	it->stop = need > hp_heap_limit(it) ? over : HP_HEAP_CUT;
	return false;
}

/*
 * Make the compiler read a number only once. Bounds depend on the number, and
 * in a mapped file another process could change it between two reads.
 */
static inline uint32_t
hp_read_once(uint32_t v)
{
	__asm__("" : "+r"(v));
	return v;
}

/* Load the fields of an instance after its id. @p: the tag byte. */
HP_HOT void
hp_heap_load_instance(struct hp_sub *s, const uint8_t *p, unsigned id_size)
{
	s->trace = hp_load4(p + 1 + id_size);
	s->class_id = hp_load_id(p + 5 + id_size, id_size);
	s->count = hp_read_once(hp_load4(p + 5 + 2 * id_size));
}

/**
 * hp_heap_next() - step to the next sub-record
 * @it: advanced if the function returns true; otherwise it stays at the problem
 * @s: set if the function returns true; points into the iterator's bytes
 *
 * Returns: true; false with it->stop set.
 * Source: HPROF manual, "HEAP DUMP"; hprof.cc of ART
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
	/*
	 * One comparison for two cases: for an unknown tag, fixed is 0, and
	 * fixed - 1 wraps around.
	 */
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
 * hp_heap_instance() - get the next sub-record, if it is an instance
 * @s: set, except for its size, if the function returns true
 *
 * About 90 % of the sub-records are instances. A separate loop for them needs
 * half the instructions. The caller continues at s->data + s->count.
 * Returns: false if the sub-record is not an instance or not completely
 *          available: use hp_heap_next() instead.
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
 * Prefetch distances in bytes: HP_AHEAD for loops that only step over
 * sub-records, HP_AHEAD_BUSY for loops that do more work.
 */
enum { HP_AHEAD = 4096, HP_AHEAD_BUSY = 2048 };

/*
 * Prefetch the memory @ahead bytes after @p. On average an instance is longer
 * than a cache line, so stepping over instances would otherwise wait for
 * memory.
 */
HP_HOT void
hp_heap_prefetch(const uint8_t *p, unsigned ahead)
{
	__builtin_prefetch(p + ahead);
	__builtin_prefetch(p + ahead + 64);
}

/*
 * Prefetch the bytes after a sub-record of @size bytes that ends at @p. Works
 * also after a long array: no cache line that is needed soon is left out.
 */
HP_HOT void
hp_heap_prefetch_behind(const uint8_t *p, uint64_t size, unsigned ahead)
{
	const uint8_t *end = p + ahead;

	for (p = end - (size < ahead ? size : ahead); p < end; p += 64)
		__builtin_prefetch(p);
}

/*
 * Prefetch for a loop over an array of ids; @i is the index of the next id. An
 * array can be longer than the prefetch distance for sub-records.
 */
HP_HOT void
hp_ids_prefetch(const uint8_t *ids, uint64_t i, unsigned id_size)
{
	if (i * id_size % 64 == 0)
		__builtin_prefetch(ids + i * id_size + HP_AHEAD_BUSY);
}

/*
 * Skip all instances that come next and are completely available. Returns their
 * number.
 */
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

/* The second field of a root: the serial of the thread. */
static inline uint32_t
hp_root_thread(const struct hp_sub *s, unsigned id_size)
{
	return hp_load4(s->start + 1 + id_size);
}

/*
 * The third field of a root: a frame index, or the serial of a stack trace for
 * THREAD OBJECT.
 */
static inline uint32_t
hp_root_third(const struct hp_sub *s, unsigned id_size)
{
	return hp_load4(s->start + 5 + id_size);
}

#endif
