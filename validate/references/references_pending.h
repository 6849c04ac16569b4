/*
 * references_pending.h - references whose target was not defined yet
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_PENDING_H
#define HP_VALIDATE_REFERENCES_REFERENCES_PENDING_H

#include "validate/references/references_state.h"

/*
 * Are references kept aside? Keep one, unless its target is defined. Drop what
 * @w kept if all workers together keep too much after @read bytes of the dump.
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
