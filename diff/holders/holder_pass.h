/*
 * holder_pass.h - the passes over a dump that count references for --by=holder
 *
 * A pass counts for each kind of reference how many refer to each object.
 * Objects are numbered (common/graph/nodes.h). The first pass also stores the
 * kind of each object, in 4 bytes by that number.
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_PASS_H
#define HP_DIFF_HOLDERS_HOLDER_PASS_H

#include "diff/holders/holder_worker.h"

/**
 * hp_holder_pass_begin() - number the objects of the dump
 * @p: zeroed, except for g, o and layout
 * @src: rewound, so it must be rewindable
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 * Ownership: call hp_holder_pass_release() after a failure also.
 */
HP_MUST_USE enum hp_status hp_holder_pass_begin(struct hp_holder_pass *p,
						struct hp_keys *keys,
						struct hp_source *src,
						struct hp_error *err);

/**
 * hp_holder_pass_next() - count the references of the next kinds in one pass
 *
 * Counts as many kinds as fit in --memory, into p->counts. The first call also
 * sets p->kinds, p->objects and p->pairs.
 * Returns: HP_OK; HP_EOF if all kinds are done; the failures of
 *          hp_holder_pass_begin().
 */
HP_MUST_USE enum hp_status hp_holder_pass_next(struct hp_holder_pass *p,
					       struct hp_source *src,
					       struct hp_error *err);
void hp_holder_pass_release(struct hp_holder_pass *p);

#endif
