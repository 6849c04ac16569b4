/*
 * references_framing.h - findings about where sub-records and arrays end
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_FRAMING_H
#define HP_VALIDATE_REFERENCES_REFERENCES_FRAMING_H

#include "validate/references/references_state.h"

/* Why a run's sub-records end before it does; @count: of a too long array. */
void hp_reference_framing(const struct hp_references *r, struct hp_worker *out,
			  const struct hp_heap_iter *it, uint32_t count,
			  uint64_t record);

/* Of a very long array: does it fill its record, does Java allow so many? */
void hp_reference_length(const struct hp_references *r, struct hp_worker *out,
			 struct hp_sub s, const struct hp_run *run);

/* The first run of an array in pieces: all that framing wants of it. */
void hp_reference_long_head(const struct hp_references *r,
			    struct hp_worker *out, const struct hp_run *run);

#endif
