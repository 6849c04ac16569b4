/*
 * result.h - from findings to a result: names looked up, severities decided,
 * text made
 */
#ifndef HP_VALIDATE_RESULT_H
#define HP_VALIDATE_RESULT_H

#include "common/model/classes.h"
#include "common/model/tables.h"
#include "validate/finding.h"
#include "validate/validate.h"

/* Note what could not be done. HP_OK or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_validation_limit(struct hp_validation *r,
					       struct hp_error *err,
					       const char *fmt, ...)
	HP_PRINTF(3, 4);

/* Name the fields that findings of dump @dump are about. */
void hp_validation_resolve(struct hp_findings *f,
			   const struct hp_classes *classes, unsigned dump);

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
