/*
 * offset_bins.h - how much of something is in each part of a dump
 *
 * The number of bins is fixed. The length of a dump from a pipe is known only
 * at its end, so bins start narrow. Whenever an offset is beyond the last bin,
 * neighbours are added together and the width doubles. The result depends
 * neither on the order of the additions nor on how they were distributed over
 * collectors.
 */
#ifndef HP_VALIDATE_OFFSET_BINS_H
#define HP_VALIDATE_OFFSET_BINS_H

#include <stdint.h>

enum { HP_OFFSET_BINS = 256 };

/* Bin i has the offsets from i << shift on. A zeroed struct is empty. */
struct hp_offset_bins {
	uint64_t amounts[HP_OFFSET_BINS];
	unsigned shift;
};

/* Make the bins wide enough for offsets below @end. Bins never get narrower. */
void hp_offset_bins_widen(struct hp_offset_bins *b, uint64_t end);

/* Add @amount at @offset. */
void hp_offset_bins_add(struct hp_offset_bins *b, uint64_t offset,
			uint64_t amount);

/*
 * Add the @length bytes from @offset on to the bins that contain them. Bytes
 * beyond the largest possible offset are ignored.
 */
void hp_offset_bins_add_bytes(struct hp_offset_bins *b, uint64_t offset,
			      uint64_t length);

/* Add all bins of @from, which does not change. */
void hp_offset_bins_merge(struct hp_offset_bins *into,
			  const struct hp_offset_bins *from);

#endif
