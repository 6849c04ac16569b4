/*
 * reference_totals.h - what is asked of the passes over a dump's references,
 * and what they come to
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCE_TOTALS_H
#define HP_VALIDATE_REFERENCES_REFERENCE_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

struct hp_references_options {
	unsigned id_size, workers;
	unsigned shift;	      /* log2 of the alignment of ids: 3 or 0 */
	uint64_t input_bytes; /* uncompressed, as far as known; 0: not */
	uint64_t memory;      /* bytes for all that grows with the heap */
	bool framing_only;    /* --level=framing */
	bool android;	      /* header 1.0.3 */
	bool old_hotspot;     /* header 1.0.1: may be JDK 7 and before, where
				 arrays of the permanent generation dangle */
	bool slow_again;      /* a second time it has to be unpacked anew */
	/* may be NULL: pass @number, from 2, begins; of so many, or 0 */
	void (*pass)(void *ctx, unsigned number, unsigned of);
	void *ctx;
};

/* What is known of one dump at its end. */
struct hp_reference_totals {
	uint64_t checked, null, dangling;
	bool dangling_known; /* false: memory did not suffice (see limits) */
	bool located;	     /* dangling references have findings */
	bool duplicates_located;
	uint64_t duplicates; /* objects dumped again */
	/* of a pipe: bytes of ids, at least, to which no reference could be
	 * checked; crowded: not even that is known */
	uint64_t unchecked;
	bool crowded;
};

#endif
