/*
 * holder_pass.h - the passes that find what references of each kind name
 *
 * A pass counts how many references of each kind name each object, by its
 * number (common/graph/nodes.h); what each object is stands in 4 bytes by that
 * number, which the first pass fills in.
 */
#ifndef HP_DIFF_HOLDERS_HOLDER_PASS_H
#define HP_DIFF_HOLDERS_HOLDER_PASS_H

#include "diff/holders/holder_worker.h"

/**
 * hp_holder_pass_begin() - number the objects
 * @p:   zeroed, but for g, o and layout
 * @src: is rewound, so it must be rewindable
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; what hp_scan() returns.
 * Ownership: hp_holder_pass_release() in any case.
 */
HP_MUST_USE enum hp_status hp_holder_pass_begin(struct hp_holder_pass *p,
						struct hp_keys *keys,
						struct hp_source *src,
						struct hp_error *err);

/**
 * hp_holder_pass_next() - a pass over the references of the next kinds
 *
 * As many as fit in --memory: p->counts is of them. The first one also finds
 * p->kinds, p->objects, p->pairs, and the kinds of these. Returns: HP_OK;
 * HP_EOF: all kinds are done; as above.
 */
HP_MUST_USE enum hp_status hp_holder_pass_next(struct hp_holder_pass *p,
					       struct hp_source *src,
					       struct hp_error *err);
void hp_holder_pass_release(struct hp_holder_pass *p);

#endif
