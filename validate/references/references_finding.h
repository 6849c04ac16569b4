/*
 * references_finding.h - a finding about a sub-record, begun
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_FINDING_H
#define HP_VALIDATE_REFERENCES_REFERENCES_FINDING_H

#include "validate/references/references_state.h"

/* What a finding about a sub-record begins with. */
struct hp_finding hp_reference_finding(const struct hp_references *r,
				       enum hp_rule rule, uint64_t offset,
				       uint64_t record, uint8_t tag);

#endif
