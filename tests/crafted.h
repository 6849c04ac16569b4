/*
 * crafted.h - declarations for the files crafted*.c. They write dumps that are
 * expensive for naive programs
 */
#ifndef HP_TESTS_CRAFTED_H
#define HP_TESTS_CRAFTED_H

#include "tests/builder/builder.h"

enum {
	/*
	 * id of the class java.lang.Object, whose name is in the STRING record
	 * with the id 1
	 */
	OBJECT = 0x1000,
	CLASSES = 0x100000,
	OBJECTS = 0x4000000,
};

/*
 * The argument SCALE: the factor by which the dump is larger than by default.
 */
extern double scale;
#define TIMES(n) ((unsigned)((n)*scale))

static inline uint64_t
class_at(unsigned i)
{
	return CLASSES + 8 * (uint64_t)i;
}

void start(struct b *b, unsigned id_size, const char *version);
void begin_heap(struct b *b);
void class(struct b *b, uint64_t id, uint64_t super);

/*
 * These functions write one shape (kind of expensive dump) each. The caller has
 * already written the file header and the name of java.lang.Object.
 */

/* crafted_waste.c: shapes (kinds of dumps) that are expensive for --by=waste */
void copies(struct b *b);
void nests(struct b *b);

/* crafted_pack.c: shapes (kinds of dumps) that are expensive to pack */
void symbols(struct b *b);
void supers(struct b *b);
void singles(struct b *b);

/*
 * crafted_memory.c: shapes (kinds of dumps) for which a program needs much
 * memory; the limit --memory must count this memory
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
void named(struct b *b);
void shared(struct b *b);
void queued(struct b *b);
void constants(struct b *b);
void modules(struct b *b);
void rivals(struct b *b);
void tangled(struct b *b);
void fields(struct b *b);
void crowds(struct b *b);

#endif
