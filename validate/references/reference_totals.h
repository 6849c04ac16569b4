/*
 * reference_totals.h - the options and the results of checking references
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCE_TOTALS_H
#define HP_VALIDATE_REFERENCES_REFERENCE_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

struct hp_references_options {
	unsigned id_size, workers;
	unsigned shift;	      /* log2 of the alignment of ids: 3 or 0 */
	uint64_t input_bytes; /* uncompressed length; 0: unknown */
	/* limit for everything that grows with the heap, in bytes */
	uint64_t memory;
	bool framing_only; /* --level=framing */
	bool android;	   /* the header has version 1.0.3 */
	/*
	 * The header has version 1.0.1. The writer may be JDK 7 or older, whose
	 * dumps lack some objects of the permanent generation.
	 */
	bool old_hotspot;
	bool slow_again; /* a second pass has to unpack the input again */
	/*
	 * Callback, may be NULL: pass @number, from 2, begins. @of is the total
	 * number of passes, or 0 if it is unknown.
	 */
	void (*pass)(void *ctx, unsigned number, unsigned of);
	void *ctx;
};

/* The results for one dump. */
struct hp_reference_totals {
	uint64_t checked, null, dangling;
	bool dangling_known; /* false: memory was not sufficient (see limits) */
	bool located;	     /* dangling references have findings */
	bool duplicates_located;
	uint64_t duplicates; /* objects whose id an earlier object has */
	/*
	 * Only for a pipe: a lower bound of the id ranges, in bytes, to which
	 * no reference could be checked. crowded: not even that is known.
	 */
	uint64_t unchecked;
	bool crowded;
};

#endif
