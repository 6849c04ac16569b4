/*
 * mutator.h - changes of dumps that know what a dump looks like
 */
#ifndef HP_FUZZ_MUTATOR_H
#define HP_FUZZ_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

struct hp_mutator;

/* NULL: out of memory. */
struct hp_mutator *hp_mutator_new(unsigned seed);
void hp_mutator_free(struct hp_mutator *m);

/**
 * hp_mutate() - change an input in some places
 * @other: another input, to take records from; may be NULL
 * @max:   bytes that the result may have
 * @out:   borrowed until the next call
 *
 * Returns: bytes of the result, at least 1.
 */
size_t hp_mutate(struct hp_mutator *m, const uint8_t *data, size_t n,
		 const uint8_t *other, size_t nother, size_t max,
		 uint8_t **out);

#endif
