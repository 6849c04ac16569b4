/*
 * references_framing.h - findings about the lengths and tags of sub-records
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_FRAMING_H
#define HP_VALIDATE_REFERENCES_REFERENCES_FRAMING_H

#include "validate/references/references_state.h"

/*
 * If decoding the sub-records of a record stopped at an error, report the
 * error. @count is the element count of an array that is too long.
 */
void hp_reference_framing(const struct hp_references *r, struct hp_worker *out,
			  const struct hp_heap_iter *it, uint32_t count,
			  uint64_t record);

/*
 * Report an array whose length equals the limit of a record, which means that
 * the writer truncated it, or an array with more elements than Java allows.
 */
void hp_reference_length(const struct hp_references *r, struct hp_worker *out,
			 struct hp_sub s, const struct hp_run *run);

/*
 * Check the length of an array that comes in pieces, given its first piece. For
 * --level=framing.
 */
void hp_reference_long_head(const struct hp_references *r,
			    struct hp_worker *out, const struct hp_run *run);

#endif
