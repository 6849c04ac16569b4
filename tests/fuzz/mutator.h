/*
 * mutator.h - mutate dumps with knowledge of their structure
 */
#ifndef HP_FUZZ_MUTATOR_H
#define HP_FUZZ_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

struct hp_mutator;

/* Returns a new mutator, or NULL if out of memory. */
struct hp_mutator *hp_mutator_new(unsigned seed);
void hp_mutator_free(struct hp_mutator *m);

/**
 * hp_mutate() - change an input in a few places
 *
 * @other: another input from which records may be copied; may be NULL
 * @max:   largest number of bytes of the result
 * @out:   receives the result; valid until the next call
 *
 * Returns: the number of bytes of the result, at least 1.
 */
size_t hp_mutate(struct hp_mutator *m, const uint8_t *data, size_t n,
		 const uint8_t *other, size_t nother, size_t max,
		 uint8_t **out);

#endif
