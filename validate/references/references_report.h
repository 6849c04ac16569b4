/*
 * references_report.h - evaluate the passes over the references of a dump
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_REPORT_H
#define HP_VALIDATE_REFERENCES_REFERENCES_REPORT_H

#include "validate/references/references_state.h"

/*
 * Finish the id sets of a window: merge the workers, and define the ids of the
 * classes. @first: this window was not evaluated before, so count and report.
 * Returns HP_OK, HP_NOMEM or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_references_window_end(struct hp_references *r,
						    struct hp_worker *out,
						    bool first,
						    struct hp_error *err);

/*
 * Report the static fields that dangle. Call this when the id sets of all
 * windows are finished.
 */
void hp_references_statics(struct hp_references *r, struct hp_worker *out);

/*
 * Whether dangling elements of this array may be normal for the writer, so that
 * they are only informational.
 */
bool hp_reference_may_be_habit(const struct hp_references *r,
			       const struct hp_tables *t,
			       const struct hp_pending_reference *o);

/* Report one dangling reference. Call this when the sets are finished. */
void hp_reference_dangles(const struct hp_references *r,
			  const struct hp_tables *tables, struct hp_worker *w,
			  const struct hp_pending_reference *o);

#endif
