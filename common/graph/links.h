/*
 * links.h - whom each reachable object refers to, and by which field
 *
 * The graph's edges say who refers to whom; paths also want to know the field.
 * Two passes over the dump make lists by place of the dominator tree: of an
 * array whom its elements name, of an instance that and the field's number. A
 * field is numbered where it is declared, so that all classes below share its
 * number. References that are not followed, those to nothing, and those of
 * classes, which are in memory already, are left out.
 */
#ifndef HP_GRAPH_LINKS_H
#define HP_GRAPH_LINKS_H

#include "common/graph/tree.h"

enum { HP_LINK_FIELDS = 1 << 29 }; /* there are fewer numbers of fields */

/* A reference field where it is declared. */
struct hp_link_field {
	uint64_t name;	      /* id of a string */
	uint32_t class_index; /* in hp_classes.list */
};

/* Of a class: its own reference fields, and where to go on. */
struct hp_link_class {
	uint32_t first, count; /* of its own, in the list of fields */
	uint32_t above;	       /* the next class above that has some; itself:
				  there is none */
};

struct hp_links {
	struct hp_big_memory *memory;
	struct hp_big_array places;    /* uint32_t by node; 0: unreachable */
	struct hp_big_array starts;    /* uint64_t by place: in words; one
					  more, where the last ends */
	struct hp_big_array lengths;   /* uint32_t by place: references */
	struct hp_big_array words;     /* uint32_t: a place, of an instance with
					  the field behind it */
	struct hp_link_field *fields;  /* from 1 */
	uint32_t nfields;	       /* with 0 */
	struct hp_link_class *classes; /* by class index */
};

/**
 * hp_links_build() - read the references of what the roots reach
 * @l:   zeroed
 * @src: is rewound, so it must be rewindable
 *
 * Memory:  4 bytes a node, 12 a reachable object, 8 a reference of an instance
 *          and 4 of an array's element
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; what hp_scan() returns.
 * Ownership: hp_links_release() in any case, before the graph is released.
 */
HP_MUST_USE enum hp_status
hp_links_build(struct hp_links *l, struct hp_graph *g, const struct hp_tree *t,
	       struct hp_source *src, struct hp_error *err);
void hp_links_release(struct hp_links *l);

/* The place of a node; 0: the roots do not reach it, or there is none. */
static inline uint32_t
hp_links_place(const struct hp_links *l, uint32_t node)
{
	return node == HP_NO_NODE ? 0 : ((const uint32_t *)l->places.at)[node];
}

#endif
