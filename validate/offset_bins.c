/*
 * offset_bins.c - offset bins: sums for parts of a file that have equal width.
 * If there would be too many bins, the width doubles
 */
#include "validate/finding.h"

#include <string.h>

static void
double_width(struct hp_offset_bins *b)
{
	unsigned half = HP_OFFSET_BINS / 2;

	for (unsigned i = 0; i < half; i++)
		b->amounts[i] = b->amounts[2 * i] + b->amounts[2 * i + 1];
	memset(b->amounts + half, 0, half * sizeof(b->amounts[0]));
	b->shift++;
}

/*
 * Returns the index of the bin for @offset. If @offset is after the last bin,
 * first makes the bins wider.
 */
static unsigned
reach_bin(struct hp_offset_bins *b, uint64_t offset)
{
	while (offset >> b->shift >= HP_OFFSET_BINS)
		double_width(b);
	return (unsigned)(offset >> b->shift);
}

void
hp_offset_bins_widen(struct hp_offset_bins *b, uint64_t end)
{
	if (end > 0)
		reach_bin(b, end - 1);
}

void
hp_offset_bins_add(struct hp_offset_bins *b, uint64_t offset, uint64_t amount)
{
	b->amounts[reach_bin(b, offset)] += amount;
}

void
hp_offset_bins_add_bytes(struct hp_offset_bins *b, uint64_t offset,
			 uint64_t length)
{
	if (length > UINT64_MAX - offset)
		length = UINT64_MAX - offset;
	if (length == 0)
		return;
	hp_offset_bins_widen(b, offset + length);
	while (length > 0) {
		uint64_t bin = offset >> b->shift;
		uint64_t left = ((bin + 1) << b->shift) - offset;
		uint64_t n = length < left ? length : left;

		b->amounts[bin] += n;
		offset += n;
		length -= n;
	}
}

void
hp_offset_bins_merge(struct hp_offset_bins *into,
		     const struct hp_offset_bins *from)
{
	while (into->shift < from->shift)
		double_width(into);
	for (uint64_t i = 0; i < HP_OFFSET_BINS; i++)
		into->amounts[i >> (into->shift - from->shift)] +=
			from->amounts[i];
}
