/*
 * heap.h - iterate over the sub-records of a heap record
 *
 * This is the only code in the project that decodes sub-records. Most of the
 * time of a program is spent here. The code checks once that all fixed fields
 * of a sub-record are available, and then loads them without further checks.
 * Where speed matters, callers pass the id size as a constant, so that the
 * compiler can use its value. Callers pass only a copy of struct hp_sub to
 * functions that are rarely called, so that the original can stay in registers.
 */
#ifndef HP_FORMAT_HEAP_H
#define HP_FORMAT_HEAP_H

#include "common/format/cursor.h"
#include "common/format/format.h"

/* The reason why hp_heap_next() returned false. */
enum hp_heap_stop {
	/* the last sub-record ends exactly where the record ends */
	HP_HEAP_END,
	/*
	 * The available bytes end inside a sub-record. The record has more
	 * bytes, so the sub-record may be valid.
	 */
	HP_HEAP_CUT,
	HP_HEAP_UNKNOWN_TAG, /* the tag of the next sub-record is unknown */
	/*
	 * the rest of the record is shorter than the fixed fields of the
	 * sub-record
	 */
	HP_HEAP_REMAINDER,
	/*
	 * the tables of a class, or the fields of an instance, extend past the
	 * end of the record
	 */
	HP_HEAP_OVERRUN,
	/* the elements of an array extend past the end of the record */
	HP_HEAP_ARRAY,
	/* a type code (enum hp_type) in the sub-record is invalid */
	HP_HEAP_TYPE,
};

struct hp_sub {
	uint8_t tag;
	uint8_t type; /* element type of a primitive array */
	/* serial number of the stack trace where the object was allocated */
	uint32_t trace;
	/*
	 * for an array: its number of elements; for an instance: the number of
	 * bytes of its fields
	 */
	uint32_t count;
	/*
	 * id of the object; for a root, id of the object to which it refers; 0
	 * for HEAP DUMP INFO
	 */
	uint64_t id;
	/* id of the class of an instance or of an object array */
	uint64_t class_id;
	uint64_t offset; /* offset of the tag of the sub-record in the dump */
	/* length of the sub-record in bytes, including its tag */
	uint64_t size;
	const uint8_t *start; /* pointer to the tag of the sub-record */
	/*
	 * the bytes after the fixed fields: field values of an instance,
	 * elements of an array, or the tables of a class
	 */
	const uint8_t *data;
};

/*
 * An iterator over the sub-records of a heap record. While it advances, only
 * the member `at` changes.
 */
struct hp_heap_iter {
	const uint8_t *at;
	/* end of the bytes of the record that are in memory */
	const uint8_t *end;
	/* number of bytes of the record after `end`, which are not in memory */
	uint64_t beyond;
	/*
	 * the number to add to the address of a byte to get its offset in the
	 * dump
	 */
	uint64_t shift;
	/* Set when hp_heap_next() returns false: the reason why it stopped. */
	enum hp_heap_stop stop;
	/*
	 * The number of bytes of the sub-record at which the iterator stopped.
	 * Fewer bytes are available.
	 */
	uint64_t need;
	/* for HP_HEAP_TYPE: the offset of the invalid type code in the dump */
	uint64_t bad;
};

/**
 * hp_heap_begin() - make an iterator
 * @left: number of available bytes at @data
 * @limit: number of bytes from @data to the end of the record; at least @left
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
 * Return how many bytes follow the current position. hp_heap_left() counts the
 * available bytes, hp_heap_limit() counts all bytes up to the end of the
 * record.
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

/* Returns the position of the iterator, as an offset in the dump. */
static inline uint64_t
hp_heap_offset(const struct hp_heap_iter *it)
{
	return it->shift + (uintptr_t)it->at;
}

/**
 * hp_class_tables_size() - compute the length of the tables of a CLASS DUMP:
 *                          constant pool, static fields and instance fields
 * @p: the tables; they start with the count of the constant pool
 * @left: number of bytes at @p
 * @need: receives the length of the tables. If the function returns
 *   HP_HEAP_CUT, it receives the minimum number of bytes that are needed; for
 *   HP_HEAP_TYPE, the offset from @p of the invalid type code
 *
 * Returns: HP_HEAP_END if the tables are complete; HP_HEAP_CUT if @left is too
 *          small; HP_HEAP_TYPE.
 */
enum hp_heap_stop hp_class_tables_size(const uint8_t *p, uint64_t left,
				       unsigned id_size, uint64_t *need);

/*
 * Used by hp_heap_next() if a sub-record needs @need bytes, but fewer are
 * available. If the sub-record extends past the end of the record, sets
 * it->stop to @over, otherwise to HP_HEAP_CUT. Always returns false.
 */
static inline bool
hp_heap_short(struct hp_heap_iter *it, uint64_t need, enum hp_heap_stop over)
{
	it->need = need;
	it->stop = need > hp_heap_limit(it) ? over : HP_HEAP_CUT;
	return false;
}

/*
 * Returns @v, and makes sure that the compiler reads it from memory only once.
 * In a mapped file, another process could change the number between a check of
 * bounds and its use.
 */
static inline uint32_t
hp_read_once(uint32_t v)
{
	__asm__("" : "+r"(v));
	return v;
}

/*
 * Load the fixed fields of an instance that come after its id. @p: pointer to
 * the tag of the sub-record.
 */
HP_HOT void
hp_heap_load_instance(struct hp_sub *s, const uint8_t *p, unsigned id_size)
{
	s->trace = hp_load4(p + 1 + id_size);
	s->class_id = hp_load_id(p + 5 + id_size, id_size);
	s->count = hp_read_once(hp_load4(p + 5 + 2 * id_size));
}

/**
 * hp_heap_next() - step to the next sub-record
 * @it: the iterator. If the function returns true, it has advanced; otherwise
 *      it stays at the sub-record that could not be read
 * @s: receives the sub-record if the function returns true; its pointers point
 *     into the bytes of the iterator
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
	 * One comparison finds two cases: too few bytes, and an unknown tag.
	 * For an unknown tag, fixed is 0, and fixed - 1 wraps around to a large
	 * number.
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
 * hp_heap_instance() - get the next sub-record if it is an instance, without
 *                      advancing the iterator
 * @s: if the function returns true, receives the instance: all members except
 *     `size`
 *
 * About 90 % of the sub-records are instances. A separate loop for them needs
 * half the instructions. To advance, the caller sets it->at to s->data +
 * s->count.
 * Returns: false if the sub-record is not an instance or not completely
 *          available: in this case, use hp_heap_next().
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
 * How far ahead a loop over sub-records prefetches, in bytes. HP_AHEAD: for
 * loops that only step over sub-records. HP_AHEAD_BUSY: for loops that do more
 * work.
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
 * Prefetch the bytes of the dump that end @ahead bytes after a sub-record. The
 * sub-record has @size bytes and ends at @p. The call for the previous
 * sub-record has prefetched everything up to @size bytes before that end. So
 * this call prefetches @size bytes, but at most @ahead bytes.
 */
HP_HOT void
hp_heap_prefetch_behind(const uint8_t *p, uint64_t size, unsigned ahead)
{
	const uint8_t *end = p + ahead;

	for (p = end - (size < ahead ? size : ahead); p < end; p += 64)
		__builtin_prefetch(p);
}

/*
 * Prefetch later elements of an array of ids, for a loop over the array. @i:
 * the index of the next id. The loop over sub-records also prefetches, but not
 * far enough for long arrays.
 */
HP_HOT void
hp_ids_prefetch(const uint8_t *ids, uint64_t i, unsigned id_size)
{
	if (i * id_size % 64 == 0)
		__builtin_prefetch(ids + i * id_size + HP_AHEAD_BUSY);
}

/*
 * Advance the iterator to the next sub-record that is not an instance, or is
 * not completely available. Returns the number of skipped instances.
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

/*
 * Returns the second field of a root, which is the serial number of its thread.
 */
static inline uint32_t
hp_root_thread(const struct hp_sub *s, unsigned id_size)
{
	return hp_load4(s->start + 1 + id_size);
}

/*
 * Returns the third field of a root: the index of a stack frame. For the root
 * THREAD OBJECT it is the serial number of a stack trace.
 */
static inline uint32_t
hp_root_third(const struct hp_sub *s, unsigned id_size)
{
	return hp_load4(s->start + 5 + id_size);
}

#endif
