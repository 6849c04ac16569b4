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
	/* maximum number of fields of an example of a suspect */
	HP_OBJECT_EXAMPLE_FIELDS = 20,
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
	/* index of the element, if this is an element of an array */
	uint64_t index;
	/* an id, or the bits of a primitive value in the low-order bytes */
	uint64_t value;
	uint8_t type;
	bool is_static;
	/*
	 * the class of the object that it refers to; NULL: null, or the dump
	 * has no such object
	 */
	const char *class;
	/* text of the String that the field refers to; NULL: not read */
	const char *text;
};

/* What kind of reference leads to an object. */
enum hp_reference_kind {
	HP_REFERENCE_FIELD,
	HP_REFERENCE_STATIC,  /* a static field */
	HP_REFERENCE_ELEMENT, /* an element of an array */
	HP_REFERENCE_LOCAL,   /* a local variable of a thread */
	/* another reference of a class, for example to its loader */
	HP_REFERENCE_CLASS,
	/* a weak reference, which does not keep the object alive */
	HP_REFERENCE_WEAK
};

/* A reference to the object. */
struct hp_object_referrer {
	uint64_t id;	   /* id of the object that has the reference */
	const char *class; /* class of the object that has the reference */
	enum hp_reference_kind kind;
	/*
	 * the field with its class, such as "Shop.BUS"; for other references a
	 * description
	 */
	const char *field;
};

struct hp_object_facts {
	uint64_t id;
	enum hp_node_is is;
	/* the class; for a class object "class Shop" */
	const char *class;
	/* text of a String; NULL: not read, or not a String */
	const char *text;
	uint64_t bytes; /* shallow size */
	bool is_reachable;
	bool is_waiting; /* only a finalizer keeps it alive */
	/* what it retains, if it is reachable or waits for its finalizer */
	struct hp_graph_sum retained;
	uint64_t length; /* number of elements of an array */
	/* the fields cannot be decoded, because a class dump is missing */
	bool fields_unknown;
	/* the fields that were read, at most as many as the reader asks for */
	struct hp_object_field *fields;
	size_t nfields;
	uint64_t more_fields; /* number of fields that are not listed */
	/* the next members are set for the object of --object only */
	/* the path from a root or a static field; NULL: there is none */
	const char *path;
	/* the object that retains it; 0: no single object */
	uint64_t dominator;
	const char *dominator_class;
	/* the kind of root that refers to the object; NULL: none */
	const char *root;
	struct hp_object_referrer *referrers;
	size_t nreferrers;
	uint64_t all_referrers; /* number of references to it */
	/* number of instances of a class object, without those of subclasses */
	uint64_t instances;
};

#endif
