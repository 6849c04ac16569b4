/*
 * references_finding.c - create findings about sub-records
 */
#include "validate/references/internal.h"

struct hp_finding
hp_reference_finding(const struct hp_references *r, enum hp_rule rule,
		     uint64_t offset, uint64_t record, uint8_t tag)
{
	return (struct hp_finding){.rule = (uint16_t)rule,
				   .severity = HP_SEVERITY_DEFAULT,
				   .offset = offset,
				   .record = record,
				   .dump = r->dump,
				   .args = {tag}};
}

enum hp_status
hp_references_rename(struct hp_references *r, struct hp_rename *names,
		     struct hp_error *err)
{
	return hp_rename_fields(names, &r->classes, err);
}

struct hp_classes *
hp_references_class_list(struct hp_references *r)
{
	return r ? &r->classes : NULL;
}
