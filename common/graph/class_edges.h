/*
 * class_edges.h - enumerate the references of a class object
 *
 * A class object refers to its super class, its class loader, the values of its
 * static fields, and so on. All code that follows the references of class
 * objects uses hp_class_edge_next(). The references of other objects are
 * simpler: an instance refers to the values of its reference fields (c->ref_at)
 * and to its class; an object array refers to its elements and to its class.
 */
#ifndef HP_GRAPH_CLASS_EDGES_H
#define HP_GRAPH_CLASS_EDGES_H

#include "common/model/classes.h"

enum hp_class_edge_of {
	HP_CLASS_EDGE_SUPER,
	HP_CLASS_EDGE_LOADER,
	HP_CLASS_EDGE_SIGNERS,
	HP_CLASS_EDGE_DOMAIN,
	HP_CLASS_EDGE_STATIC,
	HP_CLASS_EDGE_CONSTANT,
	HP_CLASS_EDGES,
};

/*
 * A reference from a class object to another object. The struct is also the
 * iterator over these references: set it to zero before the first call of
 * hp_class_edge_next().
 */
struct hp_class_edge {
	/* id of the object that the reference refers to; 0 is null */
	uint64_t to;
	enum hp_class_edge_of of;
	/*
	 * For HP_CLASS_EDGE_STATIC and HP_CLASS_EDGE_CONSTANT: the index of the
	 * static field or constant in the list of the class.
	 */
	uint32_t index;
	/* The state of the iteration, used only by hp_class_edge_next(). */
	uint64_t next;
};

/*
 * Set @e to the next reference of the class object of @c. Returns false if
 * there are no more.
 */
static inline bool
hp_class_edge_next(const struct hp_class *c, struct hp_class_edge *e)
{
	const uint64_t parts[] = {c->super_id, c->loader, c->signers,
				  c->domain};
	const uint64_t statics = HP_ARRAY_LEN(parts);
	const uint64_t constants = statics + c->nstatics;
	uint64_t at;

	for (; e->next < constants + c->nconstants; e->next++) {
		at = e->next;
		if (at < statics) {
			e->of = (enum hp_class_edge_of)at;
			e->to = parts[at];
			break;
		}
		e->of = at < constants ? HP_CLASS_EDGE_STATIC
				       : HP_CLASS_EDGE_CONSTANT;
		e->index =
			(uint32_t)(at - (at < constants ? statics : constants));
		e->to = at < constants ? c->statics[e->index].value
				       : c->constants[e->index].value;
		if (hp_type_is_reference(at < constants
						 ? c->statics[e->index].type
						 : c->constants[e->index].type))
			break;
	}
	return e->next++ < constants + c->nconstants;
}

#endif
