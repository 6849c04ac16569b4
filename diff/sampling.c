/*
 * sampling.c - variances, and the normal distribution
 */
#include "diff/sampling.h"

#include "common/text/records.h"

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

double
hp_sampling_variance(uint64_t interval, uint64_t count, uint64_t bytes,
		     bool of_bytes)
{
	double size, p, variance;

	if (!interval || !count)
		return 0;
	size = (double)bytes / (double)count;
	p = -expm1(-size / (double)interval);
	if (!(p > 0))
		return 0;
	variance = (double)count * (1 - p) / p;
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
