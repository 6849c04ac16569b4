/*
 * crafted.h - declarations that the files crafted*.c share, which write dumps
 * that are expensive for naive programs
 */
#ifndef HP_TESTS_CRAFTED_H
#define HP_TESTS_CRAFTED_H

#include "tests/builder/builder.h"

enum {
	/*
	 * id of the class java.lang.Object, whose name is the string with the
	 * id 1
	 */
	OBJECT = 0x1000,
	CLASSES = 0x100000,
	OBJECTS = 0x4000000,
};

/* SCALE, the factor by which the user wants the dump to be larger. */
extern double scale;
#define TIMES(n) ((unsigned)((n)*scale))

static inline uint64_t
class_at(unsigned i)
{
	return CLASSES + 8 * (uint64_t)i;
}

/* Write the file header and the STRING with the name of java.lang.Object. */
void start(struct b *b, unsigned id_size, const char *version);
/* Begin a HEAP DUMP with the class java.lang.Object. */
void begin_heap(struct b *b);
/* Write a class that has no fields. */
void class(struct b *b, uint64_t id, uint64_t super);

/*
 * Functions that write one shape (kind of expensive dump) each. The caller has
 * already written the header and the name of java.lang.Object.
 */

/* crafted_waste.c: kinds of dumps that are expensive for --by=waste */
void copies(struct b *b);
void nests(struct b *b);

/* crafted_pack.c: kinds of dumps that are expensive for writing a pack */
void symbols(struct b *b);
void supers(struct b *b);
void singles(struct b *b);

/*
 * crafted_memory.c: kinds of dumps that need much memory, which --memory must
 * include
 */
void statics(struct b *b);
void owned(struct b *b);
void waiting(struct b *b);
void loaded(struct b *b);
void kinds(struct b *b);
void buffers(struct b *b);
void threads(struct b *b);
void started(struct b *b);
void leaks(struct b *b);
void shared(struct b *b);

#endif
