/*
 * world_writers.h - functions that write the records before the heap, and the
 * heap, in the style of each writer
 */
#ifndef TESTS_BUILDER_WORLD_WRITERS_H
#define TESTS_BUILDER_WORLD_WRITERS_H

#include "tests/builder/builder.h"

void w_jvm_tables(struct b *b);
void w_jvm_heap(struct b *b);
void w_agent_tables(struct b *b);
void w_agent_heap(struct b *b);
void w_agent_end(struct b *b);
void w_android_tables(struct b *b);
void w_android_heap(struct b *b);

#endif
