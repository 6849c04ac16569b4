/*
 * policy.h - which payload a strip removes, as plain data
 *
 * The strip (strip.c) and its proof (proof.c) share this file and nothing else.
 */
#ifndef HP_CONVERT_STRIP_POLICY_H
#define HP_CONVERT_STRIP_POLICY_H

#include "common/base/status.h"

/*
 * A mask of the primitive types, numbered as in HPROF: 4 (boolean) to 11
 * (long).
 */
enum { HP_POLICY_ALL_TYPES = 0xFF0 };

enum { HP_KEEP_MAX = 62, HP_KEEP_TEXT = 1000 };

struct hp_policy {
	unsigned array_types; /* bit t: zero the elements of arrays of type t */
	/* bit t: zero fields, static fields and constants of type t */
	unsigned field_types;
	/* blank STRING records that are not used as a name */
	bool strings;
	/* zero the time of the dump, and the times of records */
	bool times;
	/* number of elements to keep at the start of each array */
	uint64_t keep_first;
	/*
	 * Patterns "CLASS#FIELD": keep the objects that these fields refer to.
	 * If such an object is a String, its array is also kept. Borrowed.
	 * CLASS and FIELD are both shorter than HP_KEEP_TEXT.
	 */
	const char *keep[HP_KEEP_MAX];
	unsigned nkeep;
};

/* Whether the policy removes anything. */
static inline bool
hp_policy_strips(const struct hp_policy *p)
{
	return p->array_types || p->field_types || p->strings || p->times;
}

/* Whether the strip must read the input in a prepass first. */
static inline bool
hp_policy_needs_prepass(const struct hp_policy *p)
{
	return p->field_types || p->strings || p->nkeep;
}

/* The replacement for the bytes of a STRING. Other payload becomes 0. */
enum { HP_POLICY_TEXT = '?' };

#endif
