/*
 * graph_types.h - may an object stand in an array? As far as a dump can tell
 *
 * What an array's elements have to be follows from its class's name. Names
 * stand for classes here: several loaders may have one of the same name, and
 * nothing says which of them an array's class means. Which classes are
 * interfaces is not in the format; a class that has instances, fields or
 * subclasses is none.
 */
#ifndef HP_VALIDATE_REFERENCES_GRAPH_TYPES_H
#define HP_VALIDATE_REFERENCES_GRAPH_TYPES_H

#include "validate/references/references.h"

/*
 * What an object is, in 32 bits: 0 if that is not known; the index of its
 * class, plus 1; HP_KIND_PRIMITIVE and the type, for an array of primitives.
 */
#define HP_KIND_PRIMITIVE 0x80000000u

enum hp_fit {
	HP_FIT_UNKNOWN,
	HP_FIT_YES,
	HP_FIT_OTHER_KIND,  /* an array and no array, or of other dimensions */
	HP_FIT_OTHER_CLASS, /* not of the element class or one below it */
};

/* Bytes that a class takes, roughly: its name may stand in a map, too. */
enum { HP_GRAPH_TYPES_BYTES = 60 };

struct hp_graph_type;
struct hp_graph_name;

struct hp_graph_types {
	const struct hp_classes *classes;
	struct hp_graph_type *types; /* by index of the class */
	uint32_t *next;		     /* the next class of the same name, + 1 */
	bool *concrete;		     /* no interface */
	struct hp_graph_name *names; /* of classes without "[]" */
	size_t nnames;
	struct hp_id_map name_at; /* hash to index in names */
	uint64_t seed;
};

/**
 * hp_graph_types_init() - what the classes of a dump are
 * @r: its classes are complete, their uses merged
 *
 * Memory:  HP_GRAPH_TYPES_BYTES a class
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_graph_types_init(struct hp_graph_types *t,
					       const struct hp_references *r,
					       const struct hp_classes *classes,
					       const struct hp_tables *tables,
					       struct hp_error *err);
void hp_graph_types_release(struct hp_graph_types *t);

/* May all objects be in an array of that class, as far as can be told? */
bool hp_graph_fits_all(const struct hp_graph_types *t, uint32_t array);

/* May an object of kind @kind be in an array of the class with index @array? */
enum hp_fit hp_graph_fits(const struct hp_graph_types *t, uint32_t array,
			  uint32_t kind);

#endif
