/*
 * strip.h - zeroing payload in the bytes of a batch
 */
#ifndef HP_CONVERT_STRIP_H
#define HP_CONVERT_STRIP_H

#include "common/format/scan.h"
#include "convert/policy.h"

#include <xxhash.h>

/* What was removed; summed over workers. */
struct hp_strip_stats {
	uint64_t arrays, bytes;
};

static inline void
hp_strip_stats_add(struct hp_strip_stats *to, const struct hp_strip_stats *s)
{
	to->arrays += s->arrays;
	to->bytes += s->bytes;
}

/*
 * A batch while it is stripped. What stays is hashed as it was; @from is where
 * that hash has got to.
 */
struct hp_stripper {
	const struct hp_policy *policy;
	XXH3_state_t *hash;
	const uint8_t *from;
	struct hp_strip_stats stats;
};

void hp_strip_begin(struct hp_stripper *s, const struct hp_batch *b);
/* Arrays in whole sub-records: one sub-record, or a piece of one. */
void hp_strip_sub(struct hp_stripper *s, const struct hp_sub *sub,
		  unsigned id_size);
void hp_strip_piece(struct hp_stripper *s, const struct hp_batch *b,
		    const struct hp_run *run, unsigned id_size);
/* Returns the hash of all that stays. */
uint64_t hp_strip_end(struct hp_stripper *s, const struct hp_batch *b);

#endif
