/*
 * sampling.c - compute how exact the estimates from a sample of objects are:
 * their variance, and quantiles of the normal distribution
 */
#include "diff/result/sampling.h"

#include "common/text/text.h"

#include <math.h>
#include <string.h>

uint64_t
hp_sampling_interval(const void *text, size_t length)
{
	static const char head[] = HP_TEXT_SETTINGS, key[] = "sample=";
	const size_t n = sizeof(head) - 1;
	const char *p = text, *end = p + length;
	uint64_t v = 0;

	if (length < n || memcmp(p, head, n) != 0)
		return 0;
	p = memmem(p, length, key, sizeof(key) - 1);
	if (!p)
		return 0;
	for (p += sizeof(key) - 1; p < end && *p >= '0' && *p <= '9'; p++)
		if (v <= INT32_MAX)
			v = 10 * v + (uint64_t)(*p - '0');
	return v <= INT32_MAX ? v : 0;
}

/*
 * Returns the size of objects for which the variance of a row is largest. Only
 * the mean size of its objects is known.
 *
 * I is the average number of bytes between two samples, and s is the size of an
 * object.
 *
 * An object adds 1/(exp(s/I) - 1) to the variance of the number of objects.
 * This is largest for the smallest objects. So the worst case is that nearly
 * all objects are as small as possible, and a few large ones make up the mean.
 *
 * An object adds s^2/(exp(s/I) - 1) to the variance of the bytes. This function
 * of s has its maximum at s = 1.594 I. Below it is concave, and beyond it
 * decreases. So if the mean size is below 1.594 I, the worst case is that all
 * sizes are equal. If the mean is above, the worst case is that most objects
 * have the size 1.594 I.
 */
static double
worst_size(double size, double interval, bool of_bytes)
{
	const double most = 1.5936242600400401 * interval;
	/* the size in bytes of the smallest array in a 64-bit VM */
	const double least = 16;

	if (of_bytes)
		return size < most ? size : most;
	return size < least ? size : least;
}

double
hp_sampling_variance(const struct hp_estimate *e, bool of_bytes)
{
	const double interval = (double)e->interval;
	double size, p, variance;

	if (!e->interval || !e->count)
		return 0;
	size = (double)e->bytes / (double)e->count;
	if (e->is_mixed)
		size = worst_size(size, interval, of_bytes);
	p = -expm1(-size / interval);
	if (!(p > 0))
		return 0;
	variance = (double)e->count * (1 - p) / p;
	return of_bytes ? variance * size * size : variance;
}

double
hp_sampling_deviations(double confidence)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erf(middle / sqrt(2)) < confidence)
			low = middle;
		else
			high = middle;
	}
	return low;
}
