/*
 * offset_bins.h - how much of something lies where in a dump, in a fixed number
 * of bins
 *
 * How long a dump is, is known only at its end where it comes through a pipe.
 * So bins begin small, and neighbours are added together whenever an offset
 * lies behind the last one: what is in them depends neither on the order in
 * which it came nor on how it was spread over collectors.
 */
#ifndef HP_VALIDATE_OFFSET_BINS_H
#define HP_VALIDATE_OFFSET_BINS_H

#include <stdint.h>

enum { HP_OFFSET_BINS = 256 };

/* Bin i is about offsets from i << shift on. Zeroed: nothing. */
struct hp_offset_bins {
	uint64_t amounts[HP_OFFSET_BINS];
	unsigned shift;
};

/* Bins wide enough for offsets below @end. They never get narrower. */
void hp_offset_bins_widen(struct hp_offset_bins *b, uint64_t end);

/* Add @amount at @offset. */
void hp_offset_bins_add(struct hp_offset_bins *b, uint64_t offset,
			uint64_t amount);

/*
 * Add the @length bytes from @offset on, each where it lies. What would pass
 * the last possible offset is left out.
 */
void hp_offset_bins_add_bytes(struct hp_offset_bins *b, uint64_t offset,
			      uint64_t length);

/* Add all of @from, which stays as it is. */
void hp_offset_bins_merge(struct hp_offset_bins *into,
			  const struct hp_offset_bins *from);

#endif
