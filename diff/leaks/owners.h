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
	/* the gates that look for unowned objects */
	const struct hp_gate *gates;
	size_t ngates;
	/* number of objects for which a gate on their field would fail */
	size_t count;
	uint64_t bytes; /* retained size of the largest of these objects */
	/* the row of the largest object's field, which does not count it */
	char *field;
	/* the row that counts it; freed by hp_unowned_release() */
	char *owner;
};

void hp_unowned_release(struct hp_unowned *u);

/**
 * hp_owners_add() - assign every reachable object to one owner
 * @t: with its edges
 * @c: the column of the dump; receives rows with retained sizes
 * @src: rewound and read again, for the names of threads
 * @u: the caller sets the gates, this function sets the rest
 *
 * The owner of an object is the outermost class that all paths from the roots
 * to the object go through. It is a static field of this class if all paths use
 * that field. If there is no such class, the owner is the object next to the
 * roots that all paths go through. A thread is shown by its name, other objects
 * by the kind of root and their class.
 *
 * The count and bytes of a row are those of the owners. Its retained count and
 * bytes are those of all objects that they own; these add up to the reachable
 * heap.
 *
 * Memory: temporarily about 4 bytes an object; the rows
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_owners_add(const struct hp_retained *t,
					 const struct hp_column *c,
					 struct hp_source *src,
					 struct hp_unowned *u,
					 struct hp_error *err);

#endif
