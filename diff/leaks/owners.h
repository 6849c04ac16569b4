/*
 * owners.h - rows of --by=dominator: who owns the heap
 */
#ifndef HP_DIFF_LEAKS_OWNERS_H
#define HP_DIFF_LEAKS_OWNERS_H

#include "diff/keys/keys.h"
#include "diff/retained.h"

/**
 * hp_owners_add() - give every reachable object to one owner
 * @c:   rows with retained sizes; info's objects and bytes are set to those of
 *       the owners
 * @src: is rewound and read again, for the names of threads
 *
 * An object's owner is the first of these that all its paths go through, from
 * the roots on: a static field, a class; else what the roots keep directly, by
 * the root (a thread by its name, others by their kind) and class. Counts and
 * bytes are of the owners themselves, retained ones of all that they own; these
 * add up to what is reachable. Returns: HP_OK; HP_LIMIT; HP_NOMEM; what
 * hp_scan() returns.
 */
HP_MUST_USE enum hp_status hp_owners_add(const struct hp_retained *t,
					 const struct hp_column *c,
					 struct hp_source *src,
					 struct hp_error *err);

#endif
