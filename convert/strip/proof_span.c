/*
 * proof_span.c - the stretches of an instance: kept, or replaced
 */
#include "convert/strip/proof_state.h"

#include <stdlib.h>

/* @n more bytes of an instance. */
bool
hp_proof_span(struct hp_proof *p, bool clear, uint32_t n)
{
	struct span *last;

	if (p->nstretches == 0 ||
	    (!clear && p->stretches[p->nstretches - 1].clear > 0)) {
		if (p->nstretches == p->stretches_cap) {
			size_t cap =
				p->stretches_cap ? 2 * p->stretches_cap : 32;
			last = realloc(p->stretches, cap * sizeof(*last));
			if (!last)
				return false;
			p->stretches = last;
			p->stretches_cap = cap;
		}
		p->stretches[p->nstretches++] = (struct span){0};
	}
	last = &p->stretches[p->nstretches - 1];
	*(clear ? &last->clear : &last->keep) += n;
	p->class_size += n;
	return true;
}
