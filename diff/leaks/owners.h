/*
 * owners.h - rows of --by=dominator: who owns the heap
 */
#ifndef HP_DIFF_LEAKS_OWNERS_H
#define HP_DIFF_LEAKS_OWNERS_H

#include "diff/gate.h"
#include "diff/keys/keys.h"
#include "diff/retained.h"

/*
 * What a static field names and something else keeps, too, the field does not
 * own: a gate about the field sees nothing of it.
 */
struct hp_unowned {
	const struct hp_gate *gates; /* that are asked about */
	size_t ngates;
	size_t count;	/* objects that could trip one that does not see them */
	uint64_t bytes; /* that the largest of them retains */
	char *field;	/* which names it, and the row that it is counted in; */
	char *owner;	/* hp_unowned_release() */
};

void hp_unowned_release(struct hp_unowned *u);

/**
 * hp_owners_add() - give every reachable object to one owner
 * @c:   rows with retained sizes; info's objects and bytes are set to those of
 *       the owners
 * @src: is rewound and read again, for the names of threads
 * @u:   says what gates do not see
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
					 struct hp_unowned *u,
					 struct hp_error *err);

#endif
