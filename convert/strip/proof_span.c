/*
 * proof_span.c - divide an instance into ranges of bytes that are kept and
 * ranges that are replaced
 */
#include "convert/strip/proof_internal.h"

#include "common/base/vec.h"

bool
hp_proof_span(struct hp_proof *p, bool clear, uint32_t n)
{
	struct span *last;

	if (p->nstretches == 0 ||
	    (!clear && p->stretches[p->nstretches - 1].clear > 0)) {
		if (!HP_LIST_PUSH(p->stretches, p->nstretches, p->stretches_cap,
				  (struct span){0}))
			return false;
	}
	last = &p->stretches[p->nstretches - 1];
	*(clear ? &last->clear : &last->keep) += n;
	p->class_size += n;
	return true;
}
