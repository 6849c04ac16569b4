/*
 * references_finding.h - create findings about sub-records
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_FINDING_H
#define HP_VALIDATE_REFERENCES_REFERENCES_FINDING_H

#include "validate/references/references_state.h"

/*
 * Returns a finding with the common parts filled in: the rule, the place, the
 * dump, and the tag as the first argument.
 */
struct hp_finding hp_reference_finding(const struct hp_references *r,
				       enum hp_rule rule, uint64_t offset,
				       uint64_t record, uint8_t tag);

#endif
