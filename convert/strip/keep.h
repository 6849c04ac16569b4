/*
 * keep.h - the objects that --keep=CLASS#FIELD names, found before a strip
 */
#ifndef HP_CONVERT_STRIP_KEEP_H
#define HP_CONVERT_STRIP_KEEP_H

#include "convert/pass/dump_id_sets.h"
#include "convert/strip/policy.h"
#include "convert/pass/class_prepass.h"

/* What the patterns mean to a class, a bit each. */
struct hp_keep_class {
	uint64_t own;	/* it is the CLASS */
	uint64_t carry; /* a class between it and hp_prepass_above() is */
	uint64_t under; /* it, or one above it, is */
};

struct hp_keep_dump {
	unsigned dump;
	struct hp_keep_class *classes; /* by the class's index */
};

struct hp_keep {
	const struct hp_policy *policy;
	struct hp_prepass *prepass;
	unsigned id_size;
	struct hp_id_map class_bits; /* class id: the patterns of its loads */
	struct hp_id_map fields; /* string id: whose FIELD it is, a bit each */
	struct hp_keep_dump *dumps; /* those with classes, as the prepass's */
	uint64_t used;		    /* patterns that name a field: a bit each */
	uint64_t allowed;	    /* patterns that the current pass goes by */
	struct hp_dump_id_sets named, arrays; /* by fields; by such Strings */
};

/**
 * hp_keep_find() - two passes over @src, which is rewound before each
 * @k:       zeroed
 * @prepass: done, with tables; borrowed
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM. Problems of the dump are not
 *          looked at.
 */
HP_MUST_USE enum hp_status hp_keep_find(struct hp_keep *k,
					const struct hp_policy *policy,
					struct hp_prepass *prepass,
					struct hp_source *src, unsigned threads,
					struct hp_error *err);

void hp_keep_release(struct hp_keep *k);

/* Does this object stay as it is? Any thread. */
static inline bool
hp_keep_has(const struct hp_keep *k, unsigned dump, uint64_t id)
{
	return hp_dump_id_sets_has(&k->named, dump, id) ||
	       hp_dump_id_sets_has(&k->arrays, dump, id);
}

#endif
