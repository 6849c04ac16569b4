/*
 * crafted.h - what the files with shapes of crafted dumps share
 */
#ifndef TESTS_CRAFTED_H
#define TESTS_CRAFTED_H

#include "tests/builder/builder.h"

enum {
	OBJECT = 0x1000,
	CLASSES = 0x100000,
	OBJECTS = 0x4000000,
};

extern double scale;
#define TIMES(n) ((unsigned)((n)*scale))

static inline uint64_t
class_at(unsigned i)
{
	return CLASSES + 8 * (uint64_t)i;
}

void class(struct b *b, uint64_t id, uint64_t super);

/* crafted_pack.c: what costs where a pack is written. */
void symbols(struct b *b);
void supers(struct b *b);

#endif
