/*
 * proof_facts.h - what the proof has learnt about classes and names
 *
 * The proof has its own data, so that it does not trust the tables of the
 * strip. Layouts are stored for each heap dump, because a class id may have
 * different layouts in two dumps of a file.
 */
#ifndef HP_CONVERT_STRIP_PROOF_FACTS_H
#define HP_CONVERT_STRIP_PROOF_FACTS_H

#include "common/base/arena.h"
#include "convert/pass/dump_id_sets.h"
#include "convert/strip/policy.h"

struct hp_model_class {
	uint64_t super;
	/*
	 * index of its first field in hp_proof_model.types; count: number of
	 * its fields
	 */
	size_t first;
	uint32_t count;
	/*
	 * Index + 1 of the nearest super class with fields; 0: none;
	 * HP_MODEL_BROKEN: a super class is missing, or the super classes form
	 * a cycle.
	 */
	uint32_t up;
	/*
	 * Size of the fields of an instance in bytes, with inherited fields.
	 * Computed only if there are patterns. HP_MODEL_ENDLESS: a super class
	 * is missing, or there is a cycle.
	 */
	uint64_t bytes;
};

#define HP_MODEL_ENDLESS UINT64_MAX

/*
 * The size of a value in bytes; 0 if there is no such type. Source: HPROF
 * manual, "Basic Type".
 */
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

/*
 * How the patterns of --keep concern a class. Bit i stands for the pattern i.
 */
struct hp_model_keep {
	uint64_t own;	/* the class is the CLASS of the pattern */
	uint64_t under; /* the class or one of its super classes is the CLASS */
	/* a super class without fields, before @up, is the CLASS */
	uint64_t carry;
	bool linked;
	bool seen; /* the static fields of the class were read */
};

/* The contents of a LOAD CLASS record. */
struct hp_model_load {
	uint64_t class_id, name;
};

#define HP_MODEL_BROKEN UINT32_MAX

struct hp_model_dump {
	uint64_t dump;		/* number of the dump, from 1 */
	struct hp_id_map by_id; /* class id -> index in @classes + 1 */
	struct hp_model_class *classes;
	/*
	 * how the patterns concern each class, parallel to @classes; NULL: no
	 * patterns
	 */
	struct hp_model_keep *keep;
	size_t count, cap;
};

struct hp_proof_model {
	/* dumps that have classes, ascending by number */
	struct hp_model_dump *dumps;
	size_t ndumps, dumps_cap;
	/*
	 * types of the declared fields of all classes, one class after the
	 * other
	 */
	uint8_t *types;
	size_t ntypes, types_cap;
	/* The following members are used only if there are patterns. */
	const struct hp_policy *policy;
	uint64_t *field_names; /* string ids of the names, parallel to @types */
	size_t field_names_cap;
	struct hp_model_load *loads;
	size_t nloads, loads_cap;
	/*
	 * class id -> bits of the patterns whose CLASS its LOAD CLASS records
	 * name
	 */
	struct hp_id_map class_bits;
	/*
	 * string id -> bits of the patterns whose CLASS, or FIELD, this string
	 * is
	 */
	struct hp_id_map class_texts, field_texts;
	struct hp_dump_id_sets
		/*
		 * objects to keep: [0] those that selected fields refer to, [1]
		 * the arrays of the Strings among them
		 */
		kept[2];
	/* set of the ids of STRING records that are used as a name */
	struct hp_id_map names;
	/* the last class is new and takes the fields that follow */
	bool open;
	bool failed; /* an allocation failed */
};

/* Returns how the patterns concern the class @k of the dump @d. */
static inline const struct hp_model_keep *
hp_proof_model_kind(const struct hp_model_dump *d,
		    const struct hp_model_class *k)
{
	return &d->keep[k - d->classes];
}
/* Whether --keep selects this object, so that it must not have changed. */
static inline bool
hp_proof_model_is_kept(const struct hp_proof_model *f, unsigned dump,
		       uint64_t id)
{
	return f && (hp_dump_id_sets_has(&f->kept[0], dump, id) ||
		     hp_dump_id_sets_has(&f->kept[1], dump, id));
}

#endif
