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
	 * zero the elements of arrays of the primitive type t if bit t is set
	 */
	unsigned array_types;
	/*
	 * zero fields, static fields and constants of the primitive type t if
	 * bit t is set
	 */
	unsigned field_types;
	/* replace the text of STRING records that are not used as a name */
	bool strings;
	/*
	 * --strip-matching: arrays that contain secrets of these categories
	 * (HP_SECRETS_ bits) become zero, and texts of STRING records that
	 * contain them are replaced
	 */
	unsigned matching;
	/* the arrays and texts with secrets; NULL: not searched. Borrowed */
	const struct hp_matching *matched;
	/* zero the time of the dump and the times of records */
	bool times;
	/* number of elements at the start of each array that are not removed */
	uint64_t keep_first;
	/*
	 * Patterns "CLASS#FIELD": do not change the objects to which these
	 * fields refer. If such an object is a String, its character array does
	 * not change either. Borrowed. CLASS and FIELD are both shorter than
	 * HP_KEEP_TEXT.
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

/* Whether the input must be read completely before any value can be removed. */
static inline bool
hp_policy_needs_prepass(const struct hp_policy *p)
{
	return p->field_types || p->strings || p->nkeep || p->matching;
}

/* The byte that replaces each byte of a text. Other removed values become 0. */
enum { HP_POLICY_TEXT = '?' };

#endif
