/*
 * holder_counts.h - sum up the counters of a pass by kind of object
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_COUNTS_H
#define HP_DIFF_HOLDERS_HOLDER_COUNTS_H

#include "diff/holders/holder_worker.h"

/*
 * Sum up the counters of a pass by kind of reference and kind of object, into
 * p->counts. Returns HP_OK, HP_LIMIT or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_holder_counts_find(struct hp_holder_pass *p,
						 struct hp_error *err);

#endif
