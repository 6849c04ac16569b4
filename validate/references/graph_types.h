/*
 * graph_types.h - whether an object may be an element of an array
 *
 * The required type of the elements follows from the name of the array's class.
 * Classes are identified by name here: several loaders may have a class of the
 * same name, and the dump does not say which one an array class means. The
 * format does not say either which classes are interfaces. A class that has
 * instances, fields or subclasses is not an interface. Where a dump is not
 * sufficient to decide, the answer is "unknown".
 */
#ifndef HP_VALIDATE_REFERENCES_GRAPH_TYPES_H
#define HP_VALIDATE_REFERENCES_GRAPH_TYPES_H

#include "validate/references/references.h"

/*
 * The kind of an object, in 32 bits. 0: unknown. HP_KIND_PRIMITIVE | the
 * element type: an array of primitives. Otherwise 1 + the index of its class.
 */
#define HP_KIND_PRIMITIVE 0x80000000u

enum hp_fit {
	HP_FIT_UNKNOWN,
	HP_FIT_YES,
	/* only one of them is an array, or the dimensions differ */
	HP_FIT_OTHER_KIND,
	HP_FIT_OTHER_CLASS, /* neither the element class nor a subclass of it */
};

/* Bytes per class, approximately, including the hash map of the names. */
enum { HP_GRAPH_TYPES_BYTES = 60 };

struct hp_graph_type;
struct hp_graph_name;

struct hp_graph_types {
	const struct hp_classes *classes;
	struct hp_graph_type *types; /* by class index */
	/* by class index: 1 + the next class of the same name; 0: none */
	uint32_t *next;
	/* by class index: certainly not an interface */
	bool *concrete;
	/* names of all classes that are not arrays */
	struct hp_graph_name *names;
	size_t nnames;
	/* from the hash of a name to 1 + its index in names */
	struct hp_id_map name_at;
	uint64_t seed;
};

/**
 * hp_graph_types_init() - derive the types of all classes of a dump
 * @r: its classes are complete, and the uses of all workers are merged
 *
 * Memory:  HP_GRAPH_TYPES_BYTES per class
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_graph_types_init(struct hp_graph_types *t,
					       const struct hp_references *r,
					       const struct hp_classes *classes,
					       const struct hp_tables *tables,
					       struct hp_error *err);
void hp_graph_types_release(struct hp_graph_types *t);

/*
 * Whether an array of this class accepts every object, or its element type is
 * unknown. @array is the index of the class.
 */
bool hp_graph_fits_all(const struct hp_graph_types *t, uint32_t array);

/*
 * Whether an object of kind @kind may be in an array of the class with index
 * @array.
 */
enum hp_fit hp_graph_fits(const struct hp_graph_types *t, uint32_t array,
			  uint32_t kind);

#endif
