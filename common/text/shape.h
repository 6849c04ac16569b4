/*
 * shape.h - which fields classes have, as far as their objects show it
 *
 * The text has no field lists: an object's lines name those of its reference
 * fields that are not null, the topmost class's first. From all objects of a
 * class follows an order of its fields, and from the classes above it whose
 * they are: a field that an object of a superclass has, too, is inherited, and
 * so is one that comes before an inherited one. What the agent's size (sz) has
 * room for besides is taken for fields of primitives.
 */
#ifndef HP_TEXT_SHAPE_H
#define HP_TEXT_SHAPE_H

#include "common/ids/id_map.h"

enum {
	/*
	 * Of a class, and classes above each other: far more than any has. An
	 * object of few lines could otherwise be of any size.
	 */
	HP_TEXT_FIELDS_MOST = 2048,
	HP_TEXT_DEPTH_MOST = 128,
	HP_TEXT_FILLER_MOST = 4096, /* bytes of primitives that are made up */
};
#define HP_TEXT_NO_FIELD UINT32_MAX

struct hp_text_field {
	uint32_t name;	     /* a number of the texts */
	uint16_t occurrence; /* 0: the topmost of that name */
	uint16_t shown;	     /* if that is 0: how many of the name, from the
				topmost on, the object of the stamp has shown */
	uint32_t next;	     /* which one came behind it last */
	uint32_t at;	     /* byte of the object's data, once resolved;
				HP_TEXT_NO_FIELD: it is left out */
	uint64_t stamp;	     /* the object that showed it last */
	uint32_t owner;	     /* class above that has it, too; 0: none */
	uint32_t order;	     /* while it is resolved */
};

struct hp_text_shape { /* of one class; zeroed: nothing is known of it */
	struct hp_text_field *fields;
	uint64_t *edges; /* from << 32 | to: comes before */
	size_t room, edge_room;
	uint32_t count, edge_count;
	uint32_t first; /* which one objects began with last */
	uint32_t size;	/* sz of its objects; 0: there are none */
	uint32_t super; /* number of the class above; 0: none */
	uint32_t depth;
	/* once resolved: */
	uint32_t *sorted;	      /* all fields, in order */
	uint64_t basis;		      /* what that order was made from */
	uint64_t layout;	      /* a number of its own, and that of the */
	uint64_t above;		      /* class above; 0: sorted, no more */
	uint32_t own;		      /* reference fields of its own */
	uint32_t filler;	      /* bytes of primitives of its own */
	uint32_t references, fillers; /* of it and all above */
	uint32_t in_header; /* references: the topmost class's own ones */
};

struct hp_text_model { /* how sizes (sz) follow from fields: bytes */
	uint32_t id_size, reference, header;
};

struct hp_text_shapes {
	struct hp_text_shape *list; /* by number; [0] is none */
	size_t room;
	uint32_t count;
	struct hp_id_map fields; /* (class, name, occurrence): its place + 1 */
	struct hp_id_map edges;	 /* (class, from, to) that are known */
	/* A class that is known to declare a field, though no object may be of
	   that class itself; numbers, 0: not met. */
	uint32_t declares_class, declares_name;
	uint64_t layouts; /* that were made */
	uint64_t seed;
};

/* HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_text_shapes_init(struct hp_text_shapes *s,
					       struct hp_error *err);
void hp_text_shapes_release(struct hp_text_shapes *s);

/* A number for one class more, from 1; 0: out of memory. */
uint32_t hp_text_shapes_add(struct hp_text_shapes *s);

static inline struct hp_text_shape *
hp_text_shape(const struct hp_text_shapes *s, uint32_t class)
{
	return &s->list[class];
}

/* The name of the field that was seen behind @before the last time; 0: none. */
uint32_t hp_text_shapes_expected(const struct hp_text_shapes *s, uint32_t class,
				 uint32_t before);

/**
 * hp_text_shapes_field() - an object of a class shows a field
 * @before: what it returned for the field before, HP_TEXT_NO_FIELD at first
 * @stamp:  differs from object to object, never 0
 * @slot:   the field's number in its class; HP_TEXT_NO_FIELD: the class has
 *          too many
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_text_shapes_field(struct hp_text_shapes *s,
						uint32_t class, uint32_t before,
						uint32_t name, uint64_t stamp,
						uint32_t *slot,
						struct hp_error *err);

/**
 * hp_text_shapes_resolve() - lay out classes as they are known now
 * @classes: numbers of @n classes, each once; what is above one of them is
 *           another, or none
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_text_shapes_resolve(struct hp_text_shapes *s, const uint32_t *classes,
		       uint32_t n, const struct hp_text_model *model,
		       struct hp_error *err);

/* Bytes of an object's data. */
static inline uint64_t
hp_text_shape_data(const struct hp_text_shape *s, unsigned id_size)
{
	return (uint64_t)s->references * id_size + s->fillers;
}

/* Bytes taken from the system, about. */
uint64_t hp_text_shapes_bytes(const struct hp_text_shapes *s);

#endif
