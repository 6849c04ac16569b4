/*
 * policy.h - which payload a strip removes, as plain data
 *
 * Shared by what strips (strip.c) and by what proves it (proof.c), which have
 * nothing else in common.
 */
#ifndef HP_CONVERT_POLICY_H
#define HP_CONVERT_POLICY_H

#include "common/status.h"

/* Types as in the format: 4 (boolean) to 11 (long). */
enum { HP_POLICY_ALL_TYPES = 0xFF0 };

struct hp_policy {
	unsigned array_types; /* bit t: elements of type t become zero */
	unsigned field_types; /* bit t: fields, statics, constants likewise */
	bool strings;	      /* STRING records that name nothing */
	uint64_t keep_first;  /* elements of each array that stay */
};

static inline bool
hp_policy_strips(const struct hp_policy *p)
{
	return p->array_types || p->field_types || p->strings;
}

/* What a stripped byte of a STRING's text becomes; all others become 0. */
enum { HP_POLICY_TEXT = '?' };

#endif
