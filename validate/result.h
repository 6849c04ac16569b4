/*
 * result.h - turn findings into a result: look up names, decide severities,
 * create texts
 */
#ifndef HP_VALIDATE_RESULT_H
#define HP_VALIDATE_RESULT_H

#include "common/model/classes.h"
#include "common/model/tables.h"
#include "validate/finding.h"
#include "validate/validate.h"

/*
 * Set the field names of the findings about dump @dump. Returns HP_OK or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_resolve(struct hp_findings *f, const struct hp_classes *classes,
		      unsigned dump, struct hp_error *err);

/**
 * hp_validation_build_report() - build the result from all findings
 * @r: its dialect must be set
 *
 * The function decides the severities, leaves out rules that could not be
 * checked, creates the texts, and computes the totals.
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT if the examples do not fit in memory.
 */
HP_MUST_USE enum hp_status
hp_validation_build_report(struct hp_validation *r, struct hp_findings *f,
			   const struct hp_tables *tables,
			   const struct hp_validate_options *o,
			   struct hp_error *err);

/* Clear the result, because the file could not be read. Only r->error stays. */
void hp_validation_unreadable(struct hp_validation *r);

#endif
