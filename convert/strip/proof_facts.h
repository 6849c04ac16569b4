/*
 * proof_facts.h - what the proof has learnt of classes and names
 *
 * Of its own, so that the proof does not believe the tables that the strip
 * believed. Layouts are kept per heap dump: one id may have different ones in
 * two dumps of a file.
 */
#ifndef HP_CONVERT_STRIP_PROOF_FACTS_H
#define HP_CONVERT_STRIP_PROOF_FACTS_H

#include "common/base/arena.h"
#include "convert/pass/dump_id_sets.h"
#include "convert/strip/policy.h"

struct hp_model_class {
	uint64_t super;
	size_t first; /* of its types in hp_proof_model.types */
	uint32_t count;
	/* the nearest class above with fields: index + 1; 0 none; BROKEN */
	uint32_t up;
	/* of an instance's fields, with those above; HP_MODEL_ENDLESS: a ring,
	 * or a class that is not there. Only with patterns. */
	uint64_t bytes;
};

#define HP_MODEL_ENDLESS UINT64_MAX

/* Bytes of a value; 0: no type. Source: HPROF manual, "Basic Type" */
static inline unsigned
hp_proof_model_width(unsigned type, unsigned id)
{
	switch (type) {
	case 1:
	case 2:
		return id;
	case 4:
	case 8:
		return 1;
	case 5:
	case 9:
		return 2;
	case 6:
	case 10:
		return 4;
	case 7:
	case 11:
		return 8;
	default:
		return 0;
	}
}

/* What the policy's patterns mean to a class, a bit each. */
struct hp_model_keep {
	uint64_t own;	/* it is the CLASS */
	uint64_t under; /* it, or a class above it, is */
	uint64_t carry; /* a class between it and `up` is */
	bool linked;
	bool seen; /* its statics were looked at */
};

/* A LOAD CLASS. */
struct hp_model_load {
	uint64_t class_id, name;
};

#define HP_MODEL_BROKEN UINT32_MAX

struct hp_model_dump {
	uint64_t dump;		/* its number, from 1 */
	struct hp_id_map by_id; /* index + 1 in classes */
	struct hp_model_class *classes;
	struct hp_model_keep *keep; /* one a class; NULL: nothing is kept */
	size_t count, cap;
};

struct hp_proof_model {
	struct hp_model_dump *dumps; /* those with classes, ascending */
	size_t ndumps, dumps_cap;
	uint8_t *types; /* of all classes' own fields */
	size_t ntypes, types_cap;
	/* with patterns: */
	const struct hp_policy *policy;
	uint64_t *field_names; /* beside `types` */
	size_t field_names_cap;
	struct hp_model_load *loads;
	size_t nloads, loads_cap;
	struct hp_id_map class_bits; /* class id: the patterns of its loads */
	/* strings that are a pattern's CLASS, or its FIELD: a bit each */
	struct hp_id_map class_texts, field_texts;
	struct hp_dump_id_sets
		kept[2];	/* named by fields; the arrays of Strings */
	struct hp_id_map names; /* ids of strings that name something */
	bool open;		/* the class begun last takes fields */
	bool failed;		/* out of memory */
};

/* What the patterns mean to class @k of @d. */
static inline const struct hp_model_keep *
hp_proof_model_kind(const struct hp_model_dump *d,
		    const struct hp_model_class *k)
{
	return &d->keep[k - d->classes];
}
/* Does this object stay as it is? */
static inline bool
hp_proof_model_is_kept(const struct hp_proof_model *f, unsigned dump,
		       uint64_t id)
{
	return f && (hp_dump_id_sets_has(&f->kept[0], dump, id) ||
		     hp_dump_id_sets_has(&f->kept[1], dump, id));
}

#endif
