/*
 * sampling.h - how far estimates of a sampled file may be off
 *
 * libhprof-agent counts an object of s bytes with probability
 * p = 1 - exp(-s / interval), as 1/p objects. A row of C objects and B bytes
 * was then made of C * p of them, of about s = B / C bytes each, and its
 * variance follows. Files with every object, and the objects of dumps, have
 * none.
 *
 * Arrays of a row may be of any sizes, which the file does not tell: theirs is
 * the greatest variance that any sizes of the same count and sum have.
 */
#ifndef HP_DIFF_SAMPLING_H
#define HP_DIFF_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The interval in a STRING of the agent's settings; 0: every object, or it says
 * nothing. */
uint64_t hp_sampling_interval(const void *text, size_t length);

struct hp_estimate {
	uint64_t interval;     /* bytes; 0: every object was counted */
	uint64_t count, bytes; /* of a row */
	bool is_mixed;	       /* of any sizes: arrays */
};

/* Variance of a row's bytes, or of its count; 0 for interval 0. */
double hp_sampling_variance(const struct hp_estimate *e, bool of_bytes);

/*
 * How many standard deviations to both sides of a normal distribution hold
 * @confidence of it: 1.96 for 0.95; 0 for 0.
 */
double hp_sampling_deviations(double confidence);

#endif
