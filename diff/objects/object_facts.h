/*
 * object_facts.h - the description of a single object (--object, --examples) as
 * plain values for the reports
 */
#ifndef HP_DIFF_OBJECTS_OBJECT_FACTS_H
#define HP_DIFF_OBJECTS_OBJECT_FACTS_H

#include "common/graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/*
	 * maximum number of fields, elements or references that a report lists
	 */
	HP_OBJECT_LISTED = 100,
	/*
	 * maximum number of fields that --examples shows for each example
	 * element of a suspect
	 */
	HP_OBJECT_EXAMPLE_FIELDS = 20,
	/* maximum length of the text of a String, in UTF-16 units */
	HP_OBJECT_TEXT = 80
};

/*
 * A value in an object: a field of an instance, an element of an array, a
 * static field, or another reference of a class object. In all texts, control
 * characters are escaped.
 */
struct hp_object_field {
	/* name of the field; NULL: an element of an array */
	const char *name;
	/* the class that declares the field; NULL: not a field */
	const char *declared_in;
	/* for an element of an array: its index in the array */
	uint64_t index;
	/*
	 * the value: an object id, or the bits of a primitive value in the
	 * low-order bytes
	 */
	uint64_t value;
	uint8_t type;
	bool is_static;
	/*
	 * the class of the object to which the value refers; NULL: the value is
	 * null, or the dump does not contain the object
	 */
	const char *class;
	/*
	 * text of the String to which the value refers; NULL: the text was not
	 * read, or the object is not a String
	 */
	const char *text;
};

/* The kind of a reference to the described object. */
enum hp_reference_kind {
	HP_REFERENCE_FIELD,
	HP_REFERENCE_STATIC,  /* a static field of a class */
	HP_REFERENCE_ELEMENT, /* an element of an array */
	HP_REFERENCE_LOCAL,   /* a local variable of a thread */
	/*
	 * another reference of a class object, for example to its class loader
	 */
	HP_REFERENCE_CLASS,
	/* a weak reference, which does not keep the object alive */
	HP_REFERENCE_WEAK
};

/* One reference to the object that is described. */
struct hp_object_referrer {
	uint64_t id;	   /* id of the object that has the reference */
	const char *class; /* class of the object that has the reference */
	enum hp_reference_kind kind;
	/*
	 * the name of the field, such as "Shop.BUS"; for a reference that is
	 * not in a field, a description
	 */
	const char *field;
};

struct hp_object_facts {
	uint64_t id;
	enum hp_node_is is;
	/*
	 * the class of the object; "class Shop" if the object is the class Shop
	 * itself
	 */
	const char *class;
	/*
	 * the text if the object is a String; NULL: it was not read, or the
	 * object is not a String
	 */
	const char *text;
	/*
	 * shallow size of the object in bytes, without the objects to which it
	 * refers
	 */
	uint64_t bytes;
	bool is_reachable;
	/* the object is kept alive only by a finalizer that has not run yet */
	bool is_waiting;
	/* index of the object in the dominator tree; 0: not known */
	uint32_t place;
	/*
	 * what the object is, for example "list of 1,370 CartItem" or "class
	 * loader of webapp 'shop'"; NULL: it is no container, or its place is
	 * not known
	 */
	const char *label;
	/*
	 * number and bytes of the objects that this object retains, if it is
	 * reachable or waits for its finalizer
	 */
	struct hp_graph_sum retained;
	uint64_t length; /* if the object is an array: number of its elements */
	/* the fields cannot be decoded, because a class dump is missing */
	bool fields_unknown;
	/*
	 * the fields or elements that were read, at most hp_object_reader.most
	 */
	struct hp_object_field *fields;
	size_t nfields;
	/*
	 * number of fields or elements that are not in `fields`, because the
	 * list is full
	 */
	uint64_t more_fields;
	/* only --object sets the following members */
	/*
	 * if the object is a class loader: its owner, for example "webapp
	 * 'shop'"; NULL: not known
	 */
	const char *loader_name;
	/*
	 * the path that keeps the object alive, from a root or a static field;
	 * NULL: there is none
	 */
	const char *path;
	/*
	 * id of the object that immediately dominates this object; 0: no single
	 * object dominates it
	 */
	uint64_t dominator;
	const char *dominator_class;
	/*
	 * the kind of root that refers to the object; NULL: no root refers to
	 * it
	 */
	const char *root;
	struct hp_object_referrer *referrers;
	size_t nreferrers;
	/* number of all references to the object, listed or not */
	uint64_t all_referrers;
	/*
	 * for a class object: number of instances of the class, without those
	 * of subclasses
	 */
	uint64_t instances;
};

#endif
