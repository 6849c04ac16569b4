/*
 * policy.h - which payload a strip removes, as plain data
 *
 * Shared by what strips (strip.c) and by what proves it (proof.c), which have
 * nothing else in common.
 */
#ifndef HP_CONVERT_STRIP_POLICY_H
#define HP_CONVERT_STRIP_POLICY_H

#include "common/base/status.h"

/* Types as in the format: 4 (boolean) to 11 (long). */
enum { HP_POLICY_ALL_TYPES = 0xFF0 };

enum { HP_KEEP_MAX = 62, HP_KEEP_TEXT = 1000 };

struct hp_policy {
	unsigned array_types; /* bit t: elements of type t become zero */
	unsigned field_types; /* bit t: fields, statics, constants likewise */
	bool strings;	      /* STRING records that name nothing */
	uint64_t keep_first;  /* elements of each array that stay */
	/*
	 * "CLASS#FIELD": what it names stays; borrowed. A String stays with
	 * its array. Both parts are shorter than HP_KEEP_TEXT.
	 */
	const char *keep[HP_KEEP_MAX];
	unsigned nkeep;
};

static inline bool
hp_policy_strips(const struct hp_policy *p)
{
	return p->array_types || p->field_types || p->strings;
}

/* Has the input to be looked at before it is stripped? */
static inline bool
hp_policy_needs_prepass(const struct hp_policy *p)
{
	return p->field_types || p->strings || p->nkeep;
}

/* What a stripped byte of a STRING's text becomes; all others become 0. */
enum { HP_POLICY_TEXT = '?' };

#endif
