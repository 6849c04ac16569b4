/*
 * sampling.h - the margins of error of estimates from sampled files
 *
 * libhprof-agent samples an object of s bytes with probability p = 1 - exp(-s /
 * interval), and counts it as 1/p objects. So a row of C objects and B bytes
 * was estimated from about C * p samples of s = B / C bytes each. The variance
 * follows from this. Files with every object have no margin, and neither have
 * the objects of dumps.
 *
 * The arrays of a row may have different sizes, which the file does not
 * contain. For them, the variance is the maximum for all possible sizes with
 * this count and sum.
 */
#ifndef HP_DIFF_SAMPLING_H
#define HP_DIFF_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The sampling interval in the agent's settings, which are in a STRING record.
 * Returns 0 if every object was counted, or if @text has no settings.
 */
uint64_t hp_sampling_interval(const void *text, size_t length);

struct hp_estimate {
	/* average bytes between samples; 0: every object was counted */
	uint64_t interval;
	uint64_t count, bytes; /* values of a row */
	bool is_mixed;	       /* objects may have different sizes: arrays */
};

/*
 * The variance of a row's bytes if @of_bytes, else of its count. Returns 0 for
 * interval 0.
 */
double hp_sampling_variance(const struct hp_estimate *e, bool of_bytes);

/*
 * The z-score of a confidence level: the number of standard deviations on both
 * sides of the mean of a normal distribution. Returns 1.96 for 0.95, and 0 for
 * 0.
 */
double hp_sampling_deviations(double confidence);

#endif
