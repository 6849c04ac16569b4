/*
 * intern.h - strings, classes, frames and traces, each kept once
 *
 * Numbers are from 1 on, 0 is none, and a lower number never comes later in
 * the file. Classes are told apart by their names alone: a report's rows are,
 * and a program that loads a class again and again keeps one.
 *
 * Adding takes the agent's lock, which the caller holds; reading what was
 * published takes none.
 */
#ifndef HP_AGENT_INTERN_H
#define HP_AGENT_INTERN_H

#include "agent/events/chunks.h"
#include "common/base/status.h"

struct hp_agent_string {
	uint64_t hash;
	const char *text; /* modified UTF-8, as the VM gives it */
	uint32_t length;
	uint32_t class; /* of that name; 0: none */
};

struct hp_agent_class {
	uint32_t name;
	uint8_t array_kind; /* as ALLOC SITES has it: 0, 2, or a type */
};

struct hp_agent_frame {
	uint64_t hash;
	uint32_t class, method, signature, source; /* source: 0: unknown */
	int32_t line;				   /* -1: unknown */
};

/* A place in a method: which frame shows it. */
struct hp_agent_place {
	uint64_t hash;
	uint64_t method; /* jmethodID; the VM never gives one twice */
	int64_t location;
	uint32_t frame;
};

struct hp_agent_trace {
	uint64_t hash;
	uint32_t count;
	uint32_t thread; /* serial, with thread=y; 0: any */
	const uint32_t *frames;
	_Atomic uint64_t samples; /* of cpu=samples */
};

/* Open addressing over one kind of item. */
struct hp_agent_index {
	uint32_t *slots;
	size_t cap; /* a power of two */
	size_t count;
};

struct hp_agent_tables {
	uint64_t seed;
	struct hp_chunks strings, classes, frames, places, traces;
	struct hp_agent_index by_text, by_frame, by_place, by_trace;
};

/* Traces beyond so many are told as none: trace 300000. */
enum { HP_AGENT_TRACES_MOST = 4 << 20 };

/* @seed: a number that nobody outside can know. */
void hp_agent_tables_init(struct hp_agent_tables *t, uint64_t seed);

/* Each returns a number; 0: out of memory, or the table is full. */
/* @text may be NULL: 0. */
uint32_t hp_agent_intern_text(struct hp_agent_tables *t, const char *text);
/* @signature: "Ljava/lang/String;", "[I" ... */
uint32_t hp_agent_intern_class(struct hp_agent_tables *t,
			       const char *signature);
uint32_t hp_agent_intern_frame(struct hp_agent_tables *t,
			       const struct hp_agent_frame *frame);
uint32_t hp_agent_intern_trace(struct hp_agent_tables *t,
			       const uint32_t *frames, uint32_t count,
			       uint32_t thread);
/* Remembers which frame shows a place. */
void hp_agent_intern_place(struct hp_agent_tables *t, uint64_t method,
			   int64_t location, uint32_t frame);

/* The frame of a place; 0: it was not seen before. Under the lock. */
uint32_t hp_agent_find_place(const struct hp_agent_tables *t, uint64_t method,
			     int64_t location);

/**
 * hp_agent_intern() - the number of an item, which is added if it is new
 * @item: begins with its hash, which is set here; behind it stand the @n bytes
 *        that tell items apart, without padding. See HP_AGENT_KEY()
 *
 * Returns: 0: out of memory, or the table is full.
 */
uint32_t hp_agent_intern(struct hp_agent_index *x, struct hp_chunks *items,
			 uint64_t seed, const void *item, size_t n);

/* The bytes of a key: from behind the hash to @last, with it. */
#define HP_AGENT_KEY(type, last)                                               \
	(offsetof(type, last) + sizeof(((type *)0)->last) - sizeof(uint64_t))

#endif
