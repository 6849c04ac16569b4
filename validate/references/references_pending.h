/*
 * references_pending.h - keep references to objects that are not defined yet
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_PENDING_H
#define HP_VALIDATE_REFERENCES_REFERENCES_PENDING_H

#include "validate/references/references_state.h"

/*
 * hp_reference_keeps_pending() returns whether references are kept at all.
 * hp_reference_keep_pending() keeps a reference unless its target is defined.
 * hp_reference_release_pending() frees what @w has kept if all workers together
 * keep too much after @read bytes of the dump.
 */
static inline bool
hp_reference_keeps_pending(const struct hp_references *r)
{
	return r->once || r->o.slow_again;
}
void hp_reference_keep_pending(struct hp_reference_worker *w,
			       const struct hp_pending_reference *o);
void hp_reference_release_pending(struct hp_references *r,
				  struct hp_reference_worker *w, uint64_t read);

#endif
