/*
 * gen.h - what the parts of hprof-gen share
 *
 * hprof-gen.c has the options and the order of the file, gen-layout.c decides
 * what objects there are, gen-records.c and gen-heap.c write them.
 */
#ifndef BENCH_GEN_H
#define BENCH_GEN_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4096	     /* objects in a pattern */
#define TEXT_SIZE (1u << 16) /* words for byte[] and char[] */
#define TRACES 64	     /* allocation traces of the agent */
#define FRAMES 4	     /* frames in each trace */
#define LONGEST 16384	     /* bytes in the largest array, about */
#define SCRATCH 65536	     /* room for any one record but segments */
#define HP_COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum dialect { HOTSPOT, AGENT, ART };

/* Classes; an object's kind is the number of its class. */
enum kind {
	K_OBJECT,
	K_CLASS,
	K_LOADER,
	K_STRING,
	K_THREAD,
	K_BASE,
	K_NODE,
	K_ENTRY,
	K_LEAF,
	K_OBJECTS,    /* Object[] */
	K_PRIMITIVES, /* and one class for each type from here */
	KINDS = K_PRIMITIVES + 8
};

#define IS_INSTANCE(kind) ((kind) < K_OBJECTS)
#define IS_PRIMITIVE(kind) ((kind) >= K_PRIMITIVES)

/* Type codes 4 to 11 in signature letters; reference is 2, 'L'. */
static const char TYPES[] = "ZCFDBSIJ";
static const uint8_t TYPE_SIZE[8] = {1, 2, 4, 8, 1, 2, 4, 8};

/* Fields are letters; the reader never sees names of equal letters. */
struct class
{
	const char *name, *java; /* as in a class file, as in source */
	int super;		 /* -1: none */
	const char *fields;	 /* own ones, types in order */
	const char *names[6];
	char chain[24]; /* types of own and inherited fields */
	uint32_t size;	/* bytes of all fields in the dump */
};

/* What is counted for --truth. */
struct counts {
	uint64_t records[256], subrecords[256], kinds[KINDS];
	uint64_t references, nulls, dangling;
};

struct slot {
	uint8_t kind;
	uint32_t n;	/* elements of an array */
	uint32_t bytes; /* of its sub-record */
};

struct gen {
	enum dialect dialect;
	unsigned id_size;
	uint64_t size, objects; /* what was asked for; objects 0: by size */
	uint64_t density;	/* percent */
	uint64_t segment;	/* bytes, its 9-byte head included */
	uint64_t seed, dangling;
	uint64_t archived; /* objects that are named and not dumped, as G1's */
	uint64_t spread;   /* objects are so many times as far apart */
	const char *truth;

	struct class classes[KINDS];
	struct slot slots[SLOTS];
	uint64_t offsets[SLOTS]; /* of addresses in the pattern */
	uint64_t pattern_bytes, pattern_span;
	uint64_t blocks, rest; /* whole patterns, and slots of the last */
	uint64_t base;	       /* address of the first object */
	uint64_t holders, step, left; /* nodes; how dangling ones are spread */
	uint64_t random;
	uint8_t text[2 * TEXT_SIZE];

	uint8_t *buf; /* what is not yet written */
	size_t len, cap;
	bool heap, segmented, dry;
	unsigned in_segment; /* objects */
	uint64_t written;
	struct counts counts;
};

/* String numbers: heap name, statics, method, then classes, then fields. */
enum {
	S_APP,
	S_ALL,
	S_COUNT,
	S_FLAG,
	S_OVERHEAD,
	S_METHOD,
	S_SIGNATURE,
	S_SOURCE,
	S_THREAD,
	S_CLASS
};
#define S_FIELD(kind, i) (S_CLASS + KINDS + 6 * (unsigned)(kind) + (i))

/* Ends the program with exit code 2. */
_Noreturn void die(const char *what);

/* gen-records.c: writes what is buffered; ends a segment that is open. */
void flush(struct gen *g);
/* Begins a record outside the heap. */
void record(struct gen *g, unsigned tag, uint32_t length);
/* Begins a sub-record of @n bytes at most, in a new segment if need be. */
void sub(struct gen *g, unsigned tag, size_t n);
void strings(struct gen *g);
void load_classes(struct gen *g);
void traces(struct gen *g);

/* gen-heap.c: sub-records. */
void objects(struct gen *g);
void class_dumps(struct gen *g);
void thread_instance(struct gen *g);
void archive_array(struct gen *g);
void roots(struct gen *g);

/* gen-layout.c: from the options, everything that is decided beforehand. */
void layout_init(struct gen *g);
/* Bytes of the first @slots objects of a pattern. */
uint64_t slot_bytes(const struct gen *g, uint64_t slots);

/* A mixing counter: each value once in 2^64. */
static inline uint64_t
next_random(struct gen *g)
{
	uint64_t z = g->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
	z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
	return z ^ z >> 32;
}

/* 0 to n - 1, from 24 bits of @r. */
static inline uint64_t
scale(uint64_t r, uint64_t n)
{
	return ((r & 0xffffff) * n) >> 24;
}

static inline void
put1(struct gen *g, unsigned v)
{
	g->buf[g->len++] = (uint8_t)v;
}

static inline void
put2(struct gen *g, unsigned v)
{
	uint16_t be = __builtin_bswap16((uint16_t)v);

	memcpy(g->buf + g->len, &be, 2);
	g->len += 2;
}

static inline void
put4(struct gen *g, uint32_t v)
{
	uint32_t be = __builtin_bswap32(v);

	memcpy(g->buf + g->len, &be, 4);
	g->len += 4;
}

static inline void
put8(struct gen *g, uint64_t v)
{
	uint64_t be = __builtin_bswap64(v);

	memcpy(g->buf + g->len, &be, 8);
	g->len += 8;
}

static inline void
put_id(struct gen *g, uint64_t id)
{
	if (g->id_size == 8)
		put8(g, id);
	else
		put4(g, (uint32_t)id);
}

/* --- ids ---------------------------------------------------------------- */

static inline uint64_t
string_id(const struct gen *g, unsigned i)
{
	if (g->dialect == AGENT)
		return 0xa0000001u + i;
	if (g->dialect == ART)
		return 0x400000 + i;
	return (g->id_size == 8 ? 0x7f0000001000u : 0x8001000u) + 16 * i;
}

static inline uint64_t
class_id(const struct gen *g, int kind)
{
	if (g->dialect == AGENT)
		return 0x50000001u + (unsigned)kind;
	return g->base - 0x100000 + (unsigned)kind * 256;
}

static inline uint64_t
thread_id(const struct gen *g)
{
	return g->dialect == AGENT ? 0x50000080u : g->base - 0x80000;
}

static inline uint64_t
object_id(const struct gen *g, uint64_t block, uint64_t slot)
{
	if (g->dialect == AGENT)
		return g->base + block * SLOTS + slot;
	return g->base + block * g->pattern_span + g->offsets[slot];
}

/* The array of archived objects, and the first of these. */
static inline uint64_t
archive_id(const struct gen *g)
{
	return g->base - 0x70000;
}

static inline uint64_t
archived_id(const struct gen *g, uint64_t i)
{
	return g->base + (g->blocks + 1) * g->pattern_span + 0x1000000 +
	       i % 700 * 320;
}

static inline uint32_t
class_serial(const struct gen *g, int kind)
{
	return (g->dialect == AGENT ? 100000u : 1u) + (uint32_t)kind;
}

static inline uint32_t
object_trace(const struct gen *g, uint64_t slot)
{
	static const uint32_t TRACE[] = {1, 300001, 0};

	return TRACE[g->dialect] +
	       (g->dialect == AGENT ? (uint32_t)(slot % TRACES) : 0);
}

static inline uint64_t
object_count(const struct gen *g)
{
	return g->blocks * SLOTS + g->rest;
}

#endif
