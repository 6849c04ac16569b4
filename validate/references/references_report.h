/*
 * references_report.h - what the passes over references come to, as findings
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_REPORT_H
#define HP_VALIDATE_REFERENCES_REFERENCES_REPORT_H

#include "validate/references/references_state.h"

/* A window is done: merge, add classes; @first: findings and counts, too. */
HP_MUST_USE enum hp_status hp_references_window_end(struct hp_references *r,
						    struct hp_worker *out,
						    bool first,
						    struct hp_error *err);

/* Static fields that dangle; all windows are done. */
void hp_references_statics(struct hp_references *r, struct hp_worker *out);

/* Might the elements of this array dangle out of habit? */
bool hp_reference_may_be_habit(const struct hp_references *r,
			       const struct hp_tables *t,
			       const struct hp_pending_reference *o);

/* A finding about one dangling reference; after the sets are finished. */
void hp_reference_dangles(const struct hp_references *r,
			  const struct hp_tables *tables, struct hp_worker *w,
			  const struct hp_pending_reference *o);

#endif
