/*
 * sampling.h - how exact the estimates are that are made from a sample of
 * objects
 */
#ifndef HP_DIFF_RESULT_SAMPLING_H
#define HP_DIFF_RESULT_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * The margins of error of estimates from samples
 *
 * libhprof-agent samples an object of s bytes with probability p = 1 - exp(-s /
 * interval), and counts it as 1/p objects. So a row of C objects and B bytes
 * was estimated from about C * p samples of s = B / C bytes each. The variance
 * of the row follows from this. Rows have no margin if the agent wrote every
 * object, or if they come from a heap dump.
 *
 * The arrays of a row may have different sizes, but the file has only their
 * number and the sum of their sizes. So the variance of such a row is the
 * maximum for all possible sizes with this number and sum.
 */

/*
 * Returns the sampling interval of the agent: the average number of bytes
 * between two sampled objects. @text: the text of a STRING record, which may
 * contain the settings of the agent. Returns 0 if every object was counted, or
 * if @text contains no settings.
 */
uint64_t hp_sampling_interval(const void *text, size_t length);

struct hp_estimate {
	/*
	 * average number of bytes between two sampled objects; 0: every object
	 * was counted
	 */
	uint64_t interval;
	/* number and bytes of the objects of the row in one dump */
	uint64_t count, bytes;
	/*
	 * the objects of the row may have different sizes, because they are
	 * arrays
	 */
	bool is_mixed;
};

/*
 * Returns the variance of the estimated number of objects of a row or, if
 * @of_bytes is true, of their estimated bytes. It is 0 if every object was
 * counted (interval 0).
 */
double hp_sampling_variance(const struct hp_estimate *e, bool of_bytes);

/*
 * Returns the z-score of a confidence level, for example 1.96 for 0.95, and 0
 * for 0. A normally distributed value differs from the mean by at most this
 * many standard deviations with the probability @confidence.
 */
double hp_sampling_deviations(double confidence);

#endif
