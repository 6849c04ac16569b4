/*
 * keep.h - find the objects that --keep=CLASS#FIELD selects, before a strip
 */
#ifndef HP_CONVERT_STRIP_KEEP_H
#define HP_CONVERT_STRIP_KEEP_H

#include "convert/pass/dump_id_sets.h"
#include "convert/strip/policy.h"
#include "convert/pass/class_prepass.h"

/* How the patterns concern a class. Bit i stands for the pattern i. */
struct hp_keep_class {
	uint64_t own; /* the class is the CLASS of the pattern */
	/*
	 * a super class without fields, which hp_prepass_above() skips, is the
	 * CLASS
	 */
	uint64_t carry;
	uint64_t under; /* the class or one of its super classes is the CLASS */
};

struct hp_keep_dump {
	unsigned dump;
	/* classes of the dump, indexed by hp_class.index */
	struct hp_keep_class *classes;
};

struct hp_keep {
	const struct hp_policy *policy;
	struct hp_prepass *prepass;
	unsigned id_size;
	/*
	 * class id -> bits of the patterns whose CLASS its LOAD CLASS records
	 * name
	 */
	struct hp_id_map class_bits;
	/* string id -> bits of the patterns whose FIELD this string is */
	struct hp_id_map fields;
	/* state of the dumps, one for each entry of prepass->dumps */
	struct hp_keep_dump *dumps;
	/* bits of the patterns that match some field */
	uint64_t used;
	/* bits of the patterns that the current pass follows */
	uint64_t allowed;
	/*
	 * objects to keep: those that selected fields refer to, and the arrays
	 * of the Strings among them
	 */
	struct hp_dump_id_sets named, arrays;
};

/**
 * hp_keep_find() - find the objects to keep, in two passes over @src
 * @k: zeroed
 * @prepass: finished, with tables; borrowed
 * @src: rewound before each pass
 *
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM. Damage of the dump is ignored
 *          here.
 */
HP_MUST_USE enum hp_status hp_keep_find(struct hp_keep *k,
					const struct hp_policy *policy,
					struct hp_prepass *prepass,
					struct hp_source *src, unsigned threads,
					struct hp_error *err);

void hp_keep_release(struct hp_keep *k);

/*
 * Whether --keep selects this object, so that a strip must not change it.
 * Thread-safe.
 */
static inline bool
hp_keep_has(const struct hp_keep *k, unsigned dump, uint64_t id)
{
	return hp_dump_id_sets_has(&k->named, dump, id) ||
	       hp_dump_id_sets_has(&k->arrays, dump, id);
}

#endif
