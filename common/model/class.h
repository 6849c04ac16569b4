/*
 * class.h - a parsed class dump, and the layout of the class's instances
 *
 * classes.c parses the dump. class_layout.c computes the layout as soon as the
 * super class has one.
 */
#ifndef HP_MODEL_CLASS_H
#define HP_MODEL_CLASS_H

#include "common/format/heap.h"

/* An instance field. */
struct hp_class_field {
	uint64_t name; /* string id */
	uint8_t type;
};

/* A static field. */
struct hp_class_static {
	uint64_t name;	/* string id */
	uint64_t value; /* an object id, or the bits of a primitive in the
			   low-order bytes */
	uint64_t at;	/* position of the value: bytes from the start of the
			   sub-record */
	uint8_t type;
};

/* An entry of the constant pool. */
struct hp_class_constant {
	uint64_t value; /* as in struct hp_class_static */
	uint64_t at;	/* as in struct hp_class_static */
	uint16_t index; /* in the constant pool */
	uint8_t type;
};

/* The state of the chain of super classes. */
enum hp_chain {
	HP_CHAIN_UNKNOWN, /* not computed yet */
	HP_CHAIN_FINE,	  /* every super class up to the root is known */
	/* A super class has no class dump, or is part of a cycle. */
	HP_CHAIN_BROKEN,
	HP_CHAIN_CYCLE, /* the class is its own ancestor */
};

struct hp_class {
	uint64_t id, super_id, loader, signers, domain, reserved[2];
	uint32_t trace, instance_size;
	uint32_t nconstants, nstatics, nfields;
	struct hp_class_constant *constants;
	struct hp_class_static *statics;
	/* own fields, without inherited ones, in file order */
	struct hp_class_field *fields;
	/*
	 * The class dump: its file offset, its size in bytes, and the ordinal
	 * of the record that contains it.
	 */
	uint64_t offset, size, record;
	uint64_t batch; /* index of the batch that contains it */
	uint32_t heap;	/* id of the Android heap; 0 in other dumps */
	/*
	 * The number of the class among the dump's classes, from 0. UINT32_MAX:
	 * a duplicate, or not usable yet.
	 */
	uint32_t index;
	/*
	 * The layout, computed by class_layout.c. The data of an instance are
	 * the class's own fields, then the fields of its super class, and so
	 * on.
	 */
	enum hp_chain chain;
	/*
	 * NULL: no super class, or it has no class dump, or this class is part
	 * of a cycle.
	 */
	struct hp_class *super;
	/*
	 * An ancestor further up, for hp_class_is_a(). A class without
	 * ancestors points to itself.
	 */
	struct hp_class *jump;
	uint32_t depth;	    /* number of known ancestors */
	uint64_t data_size; /* bytes of data of an instance */
	/* number of reference fields, with inherited ones */
	uint64_t references;
	/*
	 * Length of ref_at: all references, or 0 if the class keeps no list
	 * (see struct hp_class_layouts).
	 */
	uint32_t nrefs;
	uint32_t *ref_at; /* offsets of the references in the data, ascending */
	/*
	 * For size_model.h. rounded: bytes of all fields without the object
	 * header, rounded up to the reference size at each level of the
	 * hierarchy. below_root: bytes of the own fields of the topmost
	 * ancestor below java.lang.Object. Index 0 is for references of 4
	 * bytes, index 1 for 8 bytes.
	 */
	uint64_t rounded[2], below_root[2];
	struct hp_class *next_waiting; /* next class that waits for the same
					  super class */
};

/*
 * Whether @c is the class @above or one of its subclasses. @c must have its
 * layout. Takes O(log depth) steps: the jump pointers form a skew-binary list.
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
 * Whether the data of the instance @s can be decoded into fields. They cannot
 * if @c is NULL, if an ancestor has no class dump, or if the length of the
 * instance differs from the layout. The references of such an instance are
 * unknown.
 */
static inline bool
hp_instance_decodable(const struct hp_class *c, const struct hp_sub *s)
{
	return c && c->chain == HP_CHAIN_FINE && c->data_size == s->count;
}

#endif
