/*
 * owners.h - rows of --by=dominator: who owns the heap
 */
#ifndef HP_DIFF_LEAKS_OWNERS_H
#define HP_DIFF_LEAKS_OWNERS_H

#include "diff/gate.h"
#include "diff/keys/keys.h"
#include "diff/retained.h"

/*
 * Objects that static fields refer to and do not own, because other paths also
 * lead there. A gate on such a field does not count them.
 */
struct hp_unowned {
	const struct hp_gate *gates; /* to look for objects that matter here */
	size_t ngates;
	size_t count;	/* objects on which a gate on their field would fail */
	uint64_t bytes; /* retained by the largest of them; */
	char *field;	/* the row of its field, which does not count it, */
	char *owner;	/* and the row that does; hp_unowned_release() */
};

void hp_unowned_release(struct hp_unowned *u);

/**
 * hp_owners_add() - give every reachable object to one owner
 * @t:   with its edges
 * @c:   rows with retained sizes
 * @src: is rewound and read again, for the names of threads
 * @u:   the gates are set; the rest is filled in
 *
 * An object's owner is the outermost class that all paths from the roots to the
 * object go through; or a static field of this class, if all paths use that
 * field. If there is no such class, the owner is the object next to the roots
 * that all paths go through: a thread by its name, others by the kind of root
 * and their class. The count and bytes of a row are those of the owners, its
 * retained count and bytes those of all objects that they own; the latter add
 * up to the reachable heap.
 *
 * Memory:  while it runs, some 4 bytes an object; the rows
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status hp_owners_add(const struct hp_retained *t,
					 const struct hp_column *c,
					 struct hp_source *src,
					 struct hp_unowned *u,
					 struct hp_error *err);

#endif
