/*
 * policy.h - which values a strip removes
 *
 * strip.c removes the values. proof.c checks the output with independent code:
 * the two files share only this header, and the list of --strip-matching.
 */
#ifndef HP_CONVERT_STRIP_POLICY_H
#define HP_CONVERT_STRIP_POLICY_H

#include "convert/strip/matching.h"

/*
 * The set of all primitive types, as bits: bit t is the type with the number t
 * in HPROF, from 4 (boolean) to 11 (long).
 */
enum { HP_POLICY_ALL_TYPES = 0xFF0 };

enum { HP_KEEP_MAX = 62, HP_KEEP_TEXT = 1000 };

struct hp_policy {
	/*
	 * if bit t is set: zero the elements of arrays of the primitive type t
	 */
	unsigned array_types;
	/*
	 * if bit t is set: zero the fields, static fields and constants of the
	 * primitive type t
	 */
	unsigned field_types;
	/* replace the text of STRING records that are not used as a name */
	bool strings;
	/*
	 * --strip-matching: the categories of secrets to remove (HP_SECRETS_
	 * bits). An array that contains a secret becomes zero, and the text of
	 * a STRING record is replaced.
	 */
	unsigned matching;
	/*
	 * the arrays and texts with secrets, borrowed; NULL: the dump was not
	 * searched for secrets
	 */
	const struct hp_matching *matched;
	/* zero the time of the dump and the times of records */
	bool times;
	/* number of elements at the start of each array that do not change */
	uint64_t keep_first;
	/*
	 * Borrowed patterns "CLASS#FIELD". An object to which such a field
	 * refers does not change. If it is a String, its character array does
	 * not change either. CLASS and FIELD are shorter than HP_KEEP_TEXT.
	 */
	const char *keep[HP_KEEP_MAX];
	unsigned nkeep;
};

/* Whether the options ask to remove any value. */
static inline bool
hp_policy_strips(const struct hp_policy *p)
{
	return p->array_types || p->field_types || p->strings || p->times ||
	       p->matching;
}

static inline bool
hp_policy_needs_prepass(const struct hp_policy *p)
{
	return p->field_types || p->strings || p->nkeep || p->matching;
}

/* The byte that replaces each byte of a text. Other removed values become 0. */
enum { HP_POLICY_TEXT = '?' };

#endif
