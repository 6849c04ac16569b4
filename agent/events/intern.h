/*
 * intern.h - tables of strings, classes, frames and traces; equal items are
 * stored once
 *
 * Numbers start at 1; 0 means none. Items are never removed, and an item refers
 * only to items that were added before.
 *
 * Classes are distinguished by name only, because a report does so. Therefore a
 * program that loads the same class again and again adds one class.
 *
 * The caller holds the agent's lock to add an item. Reading a published item
 * needs no lock.
 */
#ifndef HP_AGENT_INTERN_H
#define HP_AGENT_INTERN_H

#include "agent/events/chunks.h"
#include "common/base/status.h"

struct hp_agent_string {
	uint64_t hash;
	/* the string in modified UTF-8, as the VM returns it */
	const char *text;
	uint32_t length;
	uint32_t class; /* number of the class with this name; 0: none */
};

struct hp_agent_class {
	uint32_t name;
	/*
	 * as in ALLOC SITES: 0: no array; 2: array of objects; otherwise the
	 * primitive type of the elements
	 */
	uint8_t array_kind;
};

struct hp_agent_frame {
	uint64_t hash;
	/*
	 * numbers: of the class; and of the strings with the method, its
	 * signature and the source file (source 0: unknown)
	 */
	uint32_t class, method, signature, source;
	int32_t line; /* line number in the source file; -1: not known */
};

/* A place in a method, and the frame that shows it. */
struct hp_agent_place {
	uint64_t hash;
	uint64_t method; /* jmethodID; the VM never uses a value twice */
	int64_t location;
	uint32_t frame;
};

struct hp_agent_trace {
	uint64_t hash;
	uint32_t count;
	uint32_t thread; /* serial of the thread if thread=y; 0: any thread */
	const uint32_t *frames;
	/* number of CPU samples in which a thread had this stack */
	_Atomic uint64_t samples;
};

/* A hash table (open addressing) for the items of one table. */
struct hp_agent_index {
	uint32_t *slots;
	size_t cap; /* number of entries of the hash table, a power of two */
	size_t count;
};

struct hp_agent_tables {
	uint64_t seed;
	struct hp_chunks strings, classes, frames, places, traces;
	struct hp_agent_index by_text, by_frame, by_place, by_trace;
};

/* The maximum number of traces. More are counted as the empty trace 300000. */
enum { HP_AGENT_TRACES_MOST = 4 << 20 };

/*
 * Initialize the tables. @seed must be secret, to prevent crafted collisions.
 */
void hp_agent_tables_init(struct hp_agent_tables *t, uint64_t seed);

/*
 * The following functions return a number, or 0 if out of memory or if the
 * table is full.
 */
/* Returns the number of a string. @text may be NULL; the result is then 0. */
uint32_t hp_agent_intern_text(struct hp_agent_tables *t, const char *text);
/*
 * Returns the number of a class. @signature: a JNI signature such as
 * "Ljava/lang/String;" or "[I".
 */
uint32_t hp_agent_intern_class(struct hp_agent_tables *t,
			       const char *signature);
uint32_t hp_agent_intern_frame(struct hp_agent_tables *t,
			       const struct hp_agent_frame *frame);
uint32_t hp_agent_intern_trace(struct hp_agent_tables *t,
			       const uint32_t *frames, uint32_t count,
			       uint32_t thread);
/* Remember the frame that shows a place in a method. */
void hp_agent_intern_place(struct hp_agent_tables *t, uint64_t method,
			   int64_t location, uint32_t frame);

/*
 * The frame of a place. Returns 0 if the place is new. The caller holds the
 * lock.
 */
uint32_t hp_agent_find_place(const struct hp_agent_tables *t, uint64_t method,
			     int64_t location);

/**
 * hp_agent_intern() - find an item, or add a copy of it
 * @item: starts with its hash, which this function sets in the copy; the next
 *   @n bytes are the key, without padding, see HP_AGENT_KEY()
 *
 * Returns: the number of the item; 0 if out of memory, or if the table is full.
 */
uint32_t hp_agent_intern(struct hp_agent_index *x, struct hp_chunks *items,
			 uint64_t seed, const void *item, size_t n);

/* The bytes of a key: from the member after the hash up to member @last. */
#define HP_AGENT_KEY(type, last)                                               \
	(offsetof(type, last) + sizeof(((type *)0)->last) - sizeof(uint64_t))

#endif
