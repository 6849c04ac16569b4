/*
 * suspect.h - the leak suspects of a result
 */
#ifndef HP_DIFF_RESULT_SUSPECT_H
#define HP_DIFF_RESULT_SUSPECT_H

#include "common/graph/graph.h"
#include "diff/result/known.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HP_SUSPECT_PARTS = 3, HP_SUSPECTS_MOST = 16 };

/* The objects of one class that a suspect retains. */
struct hp_suspect_part {
	const char *key;
	/*
	 * number and bytes of the objects of this class that the suspect
	 * retains in the last dump
	 */
	struct hp_graph_sum sum;
};

/* Facts which suggest that a suspect is a leak. */
struct hp_suspect_evidence {
	/*
	 * steps: number of dumps minus 1. grew: how many times the suspect grew
	 * from one dump to the next, at most `steps`.
	 */
	unsigned grew, steps;
	/*
	 * how many of the objects of which the suspect consists have grown;
	 * usually 1
	 */
	uint64_t owners;
	/*
	 * The path of the suspect begins with a static field, but paths from
	 * other roots also lead to the suspect. So clearing the field would not
	 * free the suspect.
	 */
	bool has_other_roots;
	/*
	 * The path of the suspect begins with a static field, but other static
	 * fields of the same class also keep the suspect alive. So clearing the
	 * field would not free the suspect.
	 */
	bool has_other_fields;
	/*
	 * new_elements: number of elements that the suspect gained between the
	 * dumps. element_bytes: average size of these elements in bytes; 0: not
	 * known.
	 */
	uint64_t new_elements, element_bytes;
	/*
	 * the sizes of the suspect in three or more dumps are close to a
	 * straight line
	 */
	bool is_linear;
	/*
	 * average growth from one dump to the next in bytes (the slope of the
	 * straight line through the sizes); 0 if is_linear is false
	 */
	double bytes_per_dump;
	/*
	 * average growth in an hour, in bytes; 0: is_linear is false, or the
	 * times of the dumps are not known
	 */
	double bytes_per_hour;
};

/*
 * A leak suspect, see leaks/suspects.c: one object, or several objects on the
 * same path. With one dump, it is one of the objects that retain most. In all
 * texts, control characters are escaped.
 */
struct hp_suspect {
	/* the label of the suspect, for example "list of 1,500 CartItem" */
	const char *label;
	/*
	 * the field that refers to the suspect, for example
	 * "ApplicationContext.attributes"; NULL: no field is known
	 */
	const char *field;
	/*
	 * object id of the suspect; if the suspect is several objects, the id
	 * of the object that grew most
	 */
	uint64_t id;
	/*
	 * the index of the object `id` in the dominator tree of the last dump;
	 * valid while the graph of the dump exists
	 */
	uint32_t place;
	/*
	 * for the HTML report: the index in hp_result.boxes of the box that
	 * contains the object
	 */
	uint32_t box;
	/*
	 * the report calls the suspect a leak: it is a container of objects of
	 * the application, and retains more than a fifth of the heap
	 */
	bool is_leak;
	struct hp_suspect_evidence evidence;
	/*
	 * with three or more dumps: the retained size of the suspect in each
	 * dump in bytes, UINT64_MAX where it is not known; with fewer dumps:
	 * NULL
	 */
	uint64_t *sizes;
	/*
	 * the path that keeps the suspect alive, from a root or from a static
	 * field
	 */
	const char *path;
	/*
	 * if `path` begins with a static field: the loader that has loaded the
	 * class of this field, as in --by=loader; NULL: the boot loader, or no
	 * static field
	 */
	const char *loader;
	/* the id of this loader; 0: several loaders, or none */
	uint64_t loader_id;
	const char *holder; /* the class of the suspect's objects */
	/*
	 * number of objects of which the suspect consists, in the first and in
	 * the last dump
	 */
	uint64_t holders[2];
	/*
	 * class of the elements that accumulate in the suspect; NULL: there are
	 * none
	 */
	const char *element;
	/* less than half of the elements have this class */
	bool is_mixed;
	uint64_t elements[2];
	/*
	 * elements[0] is not known, because in the first dump the suspect was
	 * one of several small objects, which are counted together
	 */
	bool elements_unknown;
	/*
	 * number and bytes of the objects that the suspect retains, in the
	 * first and in the last dump
	 */
	struct hp_graph_sum retained[2];
	/*
	 * bytes outside the heap that the retained objects own, such as those
	 * of direct buffers, in the first and in the last dump
	 */
	uint64_t native[2];
	/*
	 * the suspect was found in the first dump, so its values there are
	 * known; otherwise it may have been elsewhere in that heap
	 */
	bool was_known;
	/*
	 * the objects of the suspect have no common path; `path` is the path of
	 * the object that grew most
	 */
	bool of_largest;
	/*
	 * examples of the suspect's elements, as indexes in hp_result.examples:
	 * first the `nlargest` largest elements, then the `nnewest` newest
	 * elements
	 */
	uint32_t *examples;
	size_t nlargest, nnewest;
	/*
	 * the classes that have the most bytes among the objects that the
	 * suspect retains, largest first
	 */
	struct hp_suspect_part parts[HP_SUSPECT_PARTS];
	size_t nparts;
	/*
	 * The class for the option --why of the command that explains the
	 * suspect. With several dumps, the heap has more objects of this class
	 * than before, and the suspect retains some of them. NULL: there is no
	 * such class.
	 */
	const char *why;
	/*
	 * the fingerprint of `path`, by which the suspect is recognised in
	 * other runs
	 */
	struct hp_fingerprint fingerprint;
	/*
	 * the entry of the --known file that describes this suspect; NULL: none
	 */
	struct hp_known_leak *known;
};

#endif
