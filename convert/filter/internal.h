/*
 * internal.h - find out which instance sizes are normal in a dump, and which
 * classes become unused when objects are removed
 */
#ifndef HP_CONVERT_FILTER_INTERNAL_H
#define HP_CONVERT_FILTER_INTERNAL_H

#include "convert/prepass/class_prepass.h"

/* ----------------------------------------------------------------------
 * Find out how the writer of a dump computes the instance size in class dumps
 */

struct hp_size_habits {
	/*
	 * in each class dump, the instance size is the sum of all fields,
	 * inherited fields included
	 */
	bool exact;
	/* in this dump, the instance size of a class without objects is 0 */
	bool zero;
	/*
	 * the program that wrote the dump always follows the rules of `exact`
	 * and `zero`, so hprof-validate reports any other instance size as an
	 * error
	 */
	bool strict;
};

/*
 * Detect how the writer of the dump computes instance sizes. hp_prepass_run()
 * was called for @prepass, with want_tables and want_evidence set.
 */
struct hp_size_habits hp_size_habits_of(const struct hp_prepass *prepass);

/*
 * ----------------------------------------------------------------------
 * Find classes that become unused when objects are removed
 *
 * A class of a dump is used if the kept part of the dump needs it:
 * - an object or array of the class is kept. A primitive array uses the class
 *   with its name, such as int[]. Any class uses java.lang.Class.
 * - a reference in a kept object or array refers to the class.
 * - a root refers to the class, except STICKY CLASS and VM INTERNAL. The VM of
 *   Android has such a root for nearly every class. So these roots do not
 *   count, and are removed together with the class.
 * - a stack frame, allocation site or UNLOAD CLASS refers to the serial number
 *   of the class.
 *
 * An unused class is also kept if one of its static fields or constants refers
 * to a kept object, because that object would otherwise look unreachable. ART
 * copies fields of the class object into statics ($class$..., $classOverhead,
 * $staticOverhead); these do not count.
 *
 * A kept class also keeps its superclass, its element class (if it is an array
 * class), and the classes to which its loader, signers, protection domain,
 * reserved fields, static fields and constants refer. Classes that are kept in
 * this way keep further classes. All other classes are removed. No kept record
 * refers to a removed class.
 */

struct hp_prune_dump; /* the classes of one dump, and which of them are used */

struct hp_prune {
	const struct hp_prepass *prepass;
	/* the classes of each dump, in the order of prepass->dumps */
	struct hp_prune_dump *dumps;
};

/**
 * hp_prune_init() - initialise @p, and mark as used the classes that records
 * outside the heap need
 * @prepass: hp_prepass_run() was called for it, with want_tables set; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_prune_init(struct hp_prune *p,
					 const struct hp_prepass *prepass,
					 struct hp_error *err);
void hp_prune_release(struct hp_prune *p);

/*
 * Mark the class @id as used, because a kept object or root refers to it. Does
 * nothing if @id is not the id of a class. Any thread may call this.
 */
void hp_prune_use(struct hp_prune *p, unsigned dump, uint64_t id);

/*
 * Mark the class of arrays of this primitive type as used, because such an
 * array is kept. Thread-safe.
 */
void hp_prune_use_array(struct hp_prune *p, unsigned dump, uint8_t type);

/*
 * Call this after the last call of hp_prune_use(). It also marks the classes
 * that refer to kept objects, and all classes that kept classes need. @stays
 * contains the ids of the kept objects that are not classes.
 */
void hp_prune_finish(struct hp_prune *p, const struct hp_dump_id_sets *stays);

/*
 * Whether the class @id of the dump is kept. Call this after hp_prune_finish().
 * Thread-safe.
 */
bool hp_prune_is_used(const struct hp_prune *p, unsigned dump, uint64_t id);
/*
 * Whether @id is the id of a class that was removed, and no dump of the file
 * keeps a class with this id.
 */
bool hp_prune_is_unused(const struct hp_prune *p, uint64_t id);

#endif
