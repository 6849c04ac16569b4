/*
 * internal.h - declarations for the builder's own files
 */
#ifndef TESTS_BUILDER_INTERNAL_H
#define TESTS_BUILDER_INTERNAL_H

#include "tests/builder/builder.h"

_Noreturn void b_fail(const char *what);
void *b_grow(void *p, size_t n, size_t size);
void *b_grow_one(void *p, size_t n, size_t size);
void b_uint(struct b *b, unsigned width, uint64_t v);

#endif
