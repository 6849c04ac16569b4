/*
 * class.h - a class: what its dump says, and what its instances look like
 */
#ifndef HP_MODEL_CLASS_H
#define HP_MODEL_CLASS_H

#include "common/format/heap.h"

struct hp_class_field {
	uint64_t name; /* string id */
	uint8_t type;
};

struct hp_class_static {
	uint64_t name;
	uint64_t value; /* id or bits, right-aligned */
	uint64_t at;	/* of the value, bytes from the sub-record's tag */
	uint8_t type;
};

struct hp_class_constant {
	uint64_t value;
	uint64_t at;
	uint16_t index;
	uint8_t type;
};

enum hp_chain {
	HP_CHAIN_UNKNOWN, /* not computed yet */
	HP_CHAIN_FINE,	  /* ends at a class without super */
	HP_CHAIN_BROKEN,  /* a super class has no class dump, or is its own
			     ancestor */
	HP_CHAIN_CYCLE,	  /* the class is its own ancestor */
};

struct hp_class {
	uint64_t id, super_id, loader, signers, domain, reserved[2];
	uint32_t trace, instance_size;
	uint32_t nconstants, nstatics, nfields;
	struct hp_class_constant *constants;
	struct hp_class_static *statics;
	struct hp_class_field *fields; /* its own, in the file's order */
	uint64_t offset, size, record;
	uint64_t batch;
	uint32_t heap;
	uint32_t index; /* among the dump's; UINT32_MAX: a duplicate */
	/*
	 * The layout, from class_layout.h: an instance's data are the
	 * class's own fields, then its super class's, and so on.
	 */
	enum hp_chain chain;
	struct hp_class *super; /* NULL: none, not there, or in a cycle */
	struct hp_class *jump;	/* some class above it; itself: there is none */
	uint32_t depth;		/* known classes above it */
	uint64_t data_size;	/* bytes of an instance's data */
	uint64_t references;	/* reference fields, inherited ones too */
	uint32_t nrefs;		/* of them in ref_at: all, or none: see
				   class_layout.h */
	uint32_t *ref_at;	/* their places in the data, ascending */
	/*
	 * For size_model.h: bytes of the fields without a header, rounded up to
	 * the reference at each level, for references of 4 and of 8 bytes;
	 * and those of the first class below the one without super alone.
	 */
	uint64_t rounded[2], below_root[2];
	struct hp_class *next_waiting; /* for the same super class */
};

/*
 * Is @c, which has its layout, the class @above or below it? Takes steps in
 * the logarithm of the depth.
 * Source: E. Myers, "An applicative random-access stack", 1983
 */
static inline bool
hp_class_is_a(const struct hp_class *c, const struct hp_class *above)
{
	while (c->depth > above->depth)
		c = c->jump->depth >= above->depth ? c->jump : c->super;
	return c == above;
}

/*
 * Are the data of the instance @s the fields of its class @c, known to the
 * last? Else what it refers to is not known either: the class (NULL) or one
 * above it is not there, or the instance is of another length.
 */
static inline bool
hp_instance_decodable(const struct hp_class *c, const struct hp_sub *s)
{
	return c && c->chain == HP_CHAIN_FINE && c->data_size == s->count;
}

#endif
