/*
 * crafted.h - what the files with shapes of crafted dumps share
 */
#ifndef HP_TESTS_CRAFTED_H
#define HP_TESTS_CRAFTED_H

#include "tests/builder/builder.h"

enum {
	OBJECT = 0x1000, /* java.lang.Object: its name is string 1 */
	CLASSES = 0x100000,
	OBJECTS = 0x4000000,
};

/* How many times as much is asked for. */
extern double scale;
#define TIMES(n) ((unsigned)((n)*scale))

static inline uint64_t
class_at(unsigned i)
{
	return CLASSES + 8 * (uint64_t)i;
}

/* A header, and java.lang.Object's name. */
void start(struct b *b, unsigned id_size, const char *version);
/* A HEAP DUMP that begins with java.lang.Object. */
void begin_heap(struct b *b);
/* A class without fields. */
void class(struct b *b, uint64_t id, uint64_t super);

/* Shapes: the builder has the header and the name of java.lang.Object. */

/* crafted_pack.c: what costs where a pack is written. */
void symbols(struct b *b);
void supers(struct b *b);
void singles(struct b *b);

/* crafted_memory.c: what takes memory that has to be counted. */
void statics(struct b *b);
void owned(struct b *b);
void loaded(struct b *b);
void kinds(struct b *b);
void buffers(struct b *b);
void threads(struct b *b);
void started(struct b *b);
void shared(struct b *b);

#endif
