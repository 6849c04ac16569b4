/*
 * gen.h - declarations that the parts of hprof-gen share
 *
 * hprof-gen.c has the options and the order of the file. gen-layout.c chooses
 * the objects. gen-records.c and gen-heap.c write them.
 */
#ifndef BENCH_GEN_H
#define BENCH_GEN_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * number of objects in the pattern; the heap consists of copies of this pattern
 */
#define SLOTS 4096
/*
 * number of bytes of random text; the elements of byte[] and char[] are copied
 * from this text
 */
#define TEXT_SIZE (1u << 16)
#define TRACES 64     /* number of allocation traces in a dump of an agent */
#define FRAMES 4      /* number of frames in each stack trace */
#define LONGEST 16384 /* approximate number of bytes of the largest array */
/* size of the output buffer in bytes; a segment may be larger */
#define SCRATCH 65536
#define HP_COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum dialect { HOTSPOT, AGENT, ART };

/*
 * The classes of the generated objects. The "kind" of an object is the value of
 * its class in this enum.
 */
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
	K_OBJECTS, /* Object[] */
	/*
	 * boolean[], the first class of primitive arrays; the classes of the
	 * other primitive arrays follow
	 */
	K_PRIMITIVES,
	KINDS = K_PRIMITIVES + 8
};

#define IS_INSTANCE(kind) ((kind) < K_OBJECTS)
#define IS_PRIMITIVE(kind) ((kind) >= K_PRIMITIVES)

/*
 * The signature letters of the primitive types with the codes 4 to 11. A
 * reference has code 2 and the letter 'L'.
 */
static const char TYPES[] = "ZCFDBSIJ";
static const uint8_t TYPE_SIZE[8] = {1, 2, 4, 8, 1, 2, 4, 8};

/*
 * A class of the generated heap. Fields have one-letter names, and no class has
 * two fields with the same letter.
 */
struct class
{
	const char *name,
		/*
		 * name of the class as in Java source; `name` is the name as in
		 * a class file
		 */
		*java;
	int super; /* kind (number) of the superclass; -1: there is none */
	/* one letter for the type of each field that the class declares */
	const char *fields;
	const char *names[6];
	/*
	 * one letter for the type of each field of an instance, inherited
	 * fields included
	 */
	char chain[24];
	/*
	 * sum of the sizes of all fields of an instance in the dump, in bytes
	 */
	uint32_t size;
};

/*
 * The numbers of records and objects in the dump. --truth prints them, so that
 * tests know the correct results.
 */
struct counts {
	uint64_t records[256], subrecords[256], kinds[KINDS];
	uint64_t references, nulls, dangling;
};

struct slot {
	uint8_t kind;
	uint32_t n; /* number of elements, if the object is an array */
	/* size of the object in the dump, with its header, in bytes */
	uint32_t bytes;
};

struct gen {
	enum dialect dialect;
	unsigned id_size;
	uint64_t size,
		/*
		 * the requested size of the heap in bytes, and the requested
		 * number of objects; the number is 0 if only a size was
		 * requested
		 */
		objects;
	/* percentage of the objects that have reference fields */
	uint64_t density;
	/* size of a segment in bytes, including its header of 9 bytes */
	uint64_t segment;
	uint64_t seed, dangling;
	/*
	 * number of objects in the class data archive: other objects refer to
	 * them, but they are not in the dump, as in dumps of HotSpot with G1
	 */
	uint64_t archived;
	/*
	 * factor by which the distances between the addresses of objects are
	 * larger than in a dense heap
	 */
	uint64_t spread;
	const char *truth;

	struct class classes[KINDS];
	struct slot slots[SLOTS];
	/*
	 * for each object of the pattern: its address, relative to the
	 * beginning of the pattern
	 */
	uint64_t offsets[SLOTS];
	uint64_t pattern_bytes, pattern_span;
	/*
	 * number of complete copies of the pattern, and number of objects in
	 * the last, incomplete copy
	 */
	uint64_t blocks, rest;
	uint64_t base; /* address of the first object in the dump */
	uint64_t holders, step,
		/*
		 * How the dangling references are distributed over the nodes.
		 * left: number of dangling references still to write. step:
		 * every step-th node gets one. holders: number of nodes so far.
		 */
		left;
	uint64_t random;
	uint8_t text[2 * TEXT_SIZE];

	uint8_t *buf; /* bytes that are not yet written to the output */
	size_t len, cap;
	bool heap, segmented, dry;
	/* number of objects in the heap segment that is being written */
	unsigned in_segment;
	uint64_t written;
	struct counts counts;
};

/*
 * The ids of the STRING records are consecutive numbers. The names come in this
 * order: the heap, the static fields, the method, the classes, the fields.
 */
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

/* Print @what and exit with status 2. */
_Noreturn void die(const char *what);

/*
 * gen-records.c: end the current segment, and write the buffer to the output.
 */
void flush(struct gen *g);
/* Begin a record that is not a heap segment. */
void record(struct gen *g, unsigned tag, uint32_t length);
/*
 * Begin a sub-record of at most @n bytes. If it does not fit into the current
 * segment, begin a new segment.
 */
void sub(struct gen *g, unsigned tag, size_t n);
void strings(struct gen *g);
void load_classes(struct gen *g);
void traces(struct gen *g);

/* gen-heap.c: write the sub-records. */
void objects(struct gen *g);
void class_dumps(struct gen *g);
void thread_instance(struct gen *g);
void archive_array(struct gen *g);
void roots(struct gen *g);

/*
 * gen-layout.c: choose the classes, the pattern of objects and their addresses,
 * as the options require.
 */
void layout_init(struct gen *g);
/*
 * The generated dump repeats a pattern of objects. Returns how many bytes the
 * first @slots objects of this pattern take in the dump.
 */
uint64_t slot_bytes(const struct gen *g, uint64_t slots);

/*
 * Returns the next pseudo-random number. It is computed from a counter, so that
 * no value repeats within 2^64 calls.
 */
static inline uint64_t
next_random(struct gen *g)
{
	uint64_t z = g->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
	z = (z ^ z >> 32) * 0xd6e8feb86659fd93u;
	return z ^ z >> 32;
}

/* Convert 24 random bits of @r to a number from 0 to n - 1. */
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

/* --- compute the ids of objects ----------------------------------------- */

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

/*
 * The id of the array that refers to the archived objects, and the id of the
 * first archived object.
 */
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
