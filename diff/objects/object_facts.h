/*
 * object_facts.h - what is known of a single object, as plain values
 */
#ifndef HP_DIFF_OBJECTS_OBJECT_FACTS_H
#define HP_DIFF_OBJECTS_OBJECT_FACTS_H

#include "common/graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* maximum number of fields, elements or references that are listed */
	HP_OBJECT_LISTED = 100,
	/* maximum length of the text of a String, in UTF-16 units */
	HP_OBJECT_TEXT = 80
};

/*
 * A field of an instance, a static field or another reference of a class
 * object, or an element of an array. Control characters in texts are escaped.
 */
struct hp_object_field {
	const char *name; /* NULL: an element of an array */
	/* the class that declares the field; NULL: no field of a class */
	const char *declared_in;
	uint64_t index; /* of an element of an array */
	/* an id, or the bits of a primitive value in the low-order bytes */
	uint64_t value;
	uint8_t type;
	bool is_static;
	/*
	 * the class of the object that it refers to; NULL: null, or the dump
	 * has no such object
	 */
	const char *class;
	const char *text; /* of the String that it refers to; NULL: not read */
};

/* What kind of reference leads to an object. */
enum hp_reference_kind {
	HP_REFERENCE_FIELD,
	HP_REFERENCE_STATIC,  /* a static field */
	HP_REFERENCE_ELEMENT, /* an element of an array */
	HP_REFERENCE_LOCAL,   /* a thread has it on its stack */
	HP_REFERENCE_CLASS,   /* a class has it, but not as a static field */
	HP_REFERENCE_WEAK     /* it does not keep the object alive */
};

/* A reference to the object. */
struct hp_object_referrer {
	uint64_t id;	   /* of the object that has the reference */
	const char *class; /* of that object */
	enum hp_reference_kind kind;
	/* a field with its class, "Shop.BUS"; else what it is, in words */
	const char *field;
};

struct hp_object_facts {
	uint64_t id;
	enum hp_node_is is;
	/* the class; for a class object "class Shop" */
	const char *class;
	const char *text; /* of a String; NULL: not read, or no String */
	uint64_t bytes;	  /* shallow size */
	bool is_reachable;
	bool is_waiting;	      /* only a finalizer keeps it alive */
	struct hp_graph_sum retained; /* if it is reachable or waits */
	uint64_t length;	      /* of an array: number of elements */
	/* the fields cannot be decoded, because a class dump is missing */
	bool fields_unknown;
	/* contents were read for fields, at most HP_OBJECT_LISTED */
	struct hp_object_field *fields;
	size_t nfields;
	uint64_t more_fields; /* number of fields that are not listed */
	/* the next members are set for the object of --object only */
	const char *path; /* from a root or a static field; NULL: none */
	/* the object that retains it; 0: only the roots together do */
	uint64_t dominator;
	const char *dominator_class;
	const char *root; /* the kind of root that refers to it; NULL: none */
	struct hp_object_referrer *referrers;
	size_t nreferrers;
	uint64_t all_referrers; /* number of references to it */
	/* of a class object: number of its instances without subclasses' */
	uint64_t instances;
};

#endif
