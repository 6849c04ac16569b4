/*
 * holder_counts.h - what a pass for holders comes to
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_COUNTS_H
#define HP_DIFF_HOLDERS_HOLDER_COUNTS_H

#include "diff/holders/holder_worker.h"

/* What the counts of a pass come to, in p->counts. HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_holder_counts_find(struct hp_holder_pass *p,
						 struct hp_error *err);

#endif
