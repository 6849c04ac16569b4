/*
 * shape.h - reconstruct the fields of classes from the objects in a text dump
 *
 * The text contains no list of fields. The lines of an object name only its
 * reference fields that are not null, with the fields of the topmost class
 * first. The order of the fields of a class follows from all its objects. A
 * field is inherited if an object of a super class also has it, or if it
 * precedes an inherited field. The remaining bytes of the agent's size (sz) are
 * assumed to be primitive fields.
 */
#ifndef HP_TEXT_SHAPE_H
#define HP_TEXT_SHAPE_H

#include "common/ids/id_map.h"

enum {
	/*
	 * The maximum number of fields of a class, and of ancestors of a class.
	 * Real classes have far fewer. Without the limits a few lines could
	 * create objects of any size.
	 */
	HP_TEXT_FIELDS_MOST = 2048,
	HP_TEXT_DEPTH_MOST = 128,
	/* maximum bytes of filler fields of a class */
	HP_TEXT_FILLER_MOST = 4096,
};
#define HP_TEXT_NO_FIELD UINT32_MAX

struct hp_text_field {
	uint32_t name; /* number of its name */
	/*
	 * Several fields may have the same name, if a subclass shadows one. 0:
	 * the topmost of them.
	 */
	uint16_t occurrence;
	/*
	 * Used if occurrence is 0: how many fields of this name the object with
	 * this stamp has shown.
	 */
	uint16_t shown;
	uint32_t next; /* the field that followed it last time */
	/*
	 * Offset in the data of an object, once resolved. HP_TEXT_NO_FIELD:
	 * left out.
	 */
	uint32_t at;
	uint64_t stamp; /* the last object that showed the field */
	uint32_t owner; /* ancestor that also has it; 0: none */
	uint32_t order; /* position in sorted, while resolving */
};

struct hp_text_shape { /* the fields of one class; initially zero */
	struct hp_text_field *fields;
	uint64_t *edges; /* pairs (from << 32 | to): from precedes to */
	size_t room, edge_room;
	uint32_t count, edge_count;
	uint32_t first; /* the first field of the last object */
	uint32_t size;	/* sz of its objects; 0: no object was seen */
	uint32_t super; /* class number of the super class; 0: none */
	uint32_t depth;
	/* The rest is set by hp_text_shapes_resolve(). */
	uint32_t *sorted; /* all field numbers, in order */
	/* hash of everything that the order depends on */
	uint64_t basis;
	/* serial of this layout; 0: sorted only */
	uint64_t layout;
	uint64_t above;	 /* serial of the super class's layout */
	uint32_t own;	 /* number of own reference fields */
	uint32_t filler; /* bytes of own filler fields */
	/* references and filler bytes, with inherited ones */
	uint32_t references, fillers;
	/*
	 * Number of references that are in the object header: the own ones of
	 * the topmost class.
	 */
	uint32_t in_header;
};

struct hp_text_model { /* how sz follows from the fields; sizes in bytes */
	uint32_t id_size, reference, header;
};

struct hp_text_shapes {
	struct hp_text_shape *list; /* by class number; [0] is unused */
	size_t room;
	uint32_t count;
	/* hash of (class, name, occurrence): field number + 1 */
	struct hp_id_map fields;
	/* hash of (class, from, to) of the known edges */
	struct hp_id_map edges;
	/*
	 * A class and the name of a field that it is known to declare, even if
	 * it has no objects of its own. 0: not in this text.
	 */
	uint32_t declares_class, declares_name;
	uint64_t layouts; /* number of layouts made */
	uint64_t seed;
};

/* Make an empty set of shapes. Returns HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_text_shapes_init(struct hp_text_shapes *s,
					       struct hp_error *err);
void hp_text_shapes_release(struct hp_text_shapes *s);

/* Add a class. Returns its number, from 1; 0 if out of memory. */
uint32_t hp_text_shapes_add(struct hp_text_shapes *s);

static inline struct hp_text_shape *
hp_text_shape(const struct hp_text_shapes *s, uint32_t class)
{
	return &s->list[class];
}

/*
 * The name of the field that followed @before in the last object of the class.
 * HP_TEXT_NO_FIELD as @before means the first field. Returns 0 if there is
 * none.
 */
uint32_t hp_text_shapes_expected(const struct hp_text_shapes *s, uint32_t class,
				 uint32_t before);

/**
 * hp_text_shapes_field() - record that an object of a class shows a field
 * @before: the slot of the object's previous field; HP_TEXT_NO_FIELD for the
 *          first
 * @stamp:  identifies the object; never 0
 * @slot:   receives the number of the field in its class; HP_TEXT_NO_FIELD if
 *          the class has too many fields
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_shapes_field(struct hp_text_shapes *s,
						uint32_t class, uint32_t before,
						uint32_t name, uint64_t stamp,
						uint32_t *slot,
						struct hp_error *err);

/**
 * hp_text_shapes_resolve() - lay out classes from what is known so far
 * @classes: @n different class numbers; the super class of each must also be in
 *           the list, or 0
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_shapes_resolve(struct hp_text_shapes *s, const uint32_t *classes,
		       uint32_t n, const struct hp_text_model *model,
		       struct hp_error *err);

/* The length in bytes of the data of an object. */
static inline uint64_t
hp_text_shape_data(const struct hp_text_shape *s, unsigned id_size)
{
	return (uint64_t)s->references * id_size + s->fillers;
}

/* Approximate memory in bytes. */
uint64_t hp_text_shapes_bytes(const struct hp_text_shapes *s);

#endif
