/*
 * prune_classes.h - which classes nothing uses any more once objects were left
 * out
 *
 * A class of a dump is used if what stays needs it:
 *  - an object or array of it stays; a primitive array keeps the class of its
 *    name, int[]; any class keeps java.lang.Class;
 *  - a reference of an object or array that stays names the class;
 *  - a root names it, other than STICKY CLASS and VM INTERNAL: Android's VM
 *    holds nearly every class by these, so they go with their class;
 *  - a stack frame, an allocation site or an UNLOAD CLASS has its serial.
 * A class that is not used holds something if a static or a constant of it
 * names an object that stays: without it that object would look unreachable.
 * ART's copies of the class object's own fields ($class$..., $classOverhead,
 * $staticOverhead) do not count here.
 * A class that is used or holds something stays, and so do its super class,
 * what it is an array of, and the classes that its loader, signers, protection
 * domain, reserved fields, statics and constants name; and what these need.
 * All others go: nothing that stays refers to them.
 */
#ifndef HP_CONVERT_FILTER_PRUNE_CLASSES_H
#define HP_CONVERT_FILTER_PRUNE_CLASSES_H

#include "convert/pass/dump_id_sets.h"
#include "convert/pass/class_prepass.h"

struct hp_prune_dump; /* the classes of one dump */

struct hp_prune {
	const struct hp_prepass *prepass;
	struct hp_prune_dump *dumps; /* one for each of the prepass's */
};

/**
 * hp_prune_init() - nothing is used yet but what records name
 * @prepass: done, with tables; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_prune_init(struct hp_prune *p,
					 const struct hp_prepass *prepass,
					 struct hp_error *err);
void hp_prune_release(struct hp_prune *p);

/* Something that stays names @id, which need not be a class. Any thread. */
void hp_prune_use(struct hp_prune *p, unsigned dump, uint64_t id);

/* An array of this primitive type stays. Any thread. */
void hp_prune_use_array(struct hp_prune *p, unsigned dump, uint8_t type);

/*
 * All uses are told: add the classes that hold something, and what all of
 * these need. @stays: the objects that stay, without classes; finished.
 */
void hp_prune_finish(struct hp_prune *p, const struct hp_dump_id_sets *stays);

/* After that: is it a class of the dump that stays? Any thread. */
bool hp_prune_is_used(const struct hp_prune *p, unsigned dump, uint64_t id);
/* Is it a class of some dumps, and goes from all of them? */
bool hp_prune_is_unused(const struct hp_prune *p, uint64_t id);

#endif
