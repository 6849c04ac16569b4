/*
 * result.h - from findings to a result: names looked up, severities decided,
 * text made
 */
#ifndef HP_VALIDATE_RESULT_H
#define HP_VALIDATE_RESULT_H

#include "common/model/classes.h"
#include "common/model/tables.h"
#include "validate/finding.h"
#include "validate/references/references.h"
#include "validate/validate.h"

/* Note what could not be done. HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_validation_limit(struct hp_validation *r,
					       struct hp_error *err,
					       const char *fmt, ...)
	HP_PRINTF(3, 4);

/*
 * Note what of dump @dump was not checked for want of memory; @once: the input
 * cannot be read twice. HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_limits(struct hp_validation *r, unsigned dump,
		     const struct hp_reference_totals *t, bool once,
		     struct hp_error *err);

/* Name the fields that findings of dump @dump are about. HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status
hp_validation_resolve(struct hp_findings *f, const struct hp_classes *classes,
		      unsigned dump, struct hp_error *err);

/**
 * hp_validation_build_report() - decide severities, silence what is not worth
 * saying, make the texts, sum
 * @r: its dialect is known
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_validation_build_report(struct hp_validation *r, struct hp_findings *f,
			   const struct hp_tables *tables,
			   const struct hp_validate_options *o,
			   struct hp_error *err);

/* The file could not be read: r->error says why, nothing else counts. */
void hp_validation_unreadable(struct hp_validation *r);

#endif
