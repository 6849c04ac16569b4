/*
 * references.h - which ids a dump defines and refers to
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_H
#define HP_VALIDATE_REFERENCES_REFERENCES_H

#include "common/format/scan.h"
#include "common/object_ids/id_set.h"
#include "common/mapping/mapping.h"
#include "common/model/classes.h"
#include "common/model/tables.h"
#include "validate/worker.h"

#include <stdbool.h>
#include <stdint.h>

/* ----------------------------------------------------------------------
 * The options and the results of checking references
 */

struct hp_references_options {
	unsigned id_size, workers;
	/* base-2 logarithm of the alignment of ids: 3 or 0 */
	unsigned shift;
	/* length of the uncompressed input in bytes; 0: unknown */
	uint64_t input_bytes;
	/* limit for everything that grows with the heap, in bytes */
	uint64_t memory;
	bool framing_only; /* check only lengths and tags (--level=framing) */
	/* the header has version 1.0.3, which Android writes */
	bool android;
	/*
	 * The header has version 1.0.1. The writer may be JDK 7 or older, whose
	 * dumps lack some objects of the permanent generation.
	 */
	bool old_hotspot;
	/* a second pass would have to decompress the input again */
	bool slow_again;
	/*
	 * Callback, may be NULL: pass @number, from 2, begins. @of is the total
	 * number of passes, or 0 if it is unknown.
	 */
	void (*pass)(void *ctx, unsigned number, unsigned of);
	void *ctx;
};

/* The results for one dump. */
struct hp_reference_totals {
	uint64_t checked, null, dangling;
	bool dangling_known; /* false: memory was not sufficient (see limits) */
	/*
	 * each dangling reference has a finding; false: only their number is
	 * known
	 */
	bool located;
	bool duplicates_located;
	/* number of objects with the id of an earlier object */
	uint64_t duplicates;
	/*
	 * Only for a pipe: a lower bound of the id ranges, in bytes, to which
	 * no reference could be checked. crowded: not even that is known.
	 */
	uint64_t unchecked;
	bool crowded;
};

/* ----------------------------------------------------------------------
 * Check the references of a dump in one fast pass
 *
 * One pass fills two bit sets (common/object_ids/id_set.h): the ids that are
 * defined, and the ids that are referred to. If some id is referred to but not
 * defined (it dangles), or is defined twice, a second pass over the dump finds
 * the places. If the sets do not fit in memory, they are filled window by
 * window, with one pass for each window of ids (id_window_passes.c). If an
 * input cannot be read twice, references to objects that are not defined yet
 * are kept, as far as memory allows.
 */

struct hp_references;

/**
 * hp_references_new() - create the state for checking a file
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: the caller calls hp_references_free(), which allows NULL.
 */
HP_MUST_USE enum hp_status
hp_references_new(struct hp_references **out,
		  const struct hp_references_options *options,
		  struct hp_error *err);
void hp_references_free(struct hp_references *r);

/*
 * Set the record at which the current dump begins. Further passes start there.
 */
void hp_references_begin_at(struct hp_references *r,
			    const struct hp_record *rec);

/*
 * Begin dump number @dump, from 1. @once: the input cannot be read a second
 * time. @tables has the records before the dump.
 */
HP_MUST_USE enum hp_status
hp_references_dump_begin(struct hp_references *r, unsigned dump, bool once,
			 const struct hp_tables *tables, struct hp_error *err);

/**
 * hp_references_batch() - process a batch, on a worker's thread
 * @w: the state of this worker, which receives counts, roots and findings
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_references_batch(struct hp_references *r,
					       struct hp_batch *b,
					       struct hp_worker *w,
					       struct hp_error *err);

/*
 * The scan of the dump calls these. hp_references_retired(): a batch is
 * finished, called in file order. hp_references_classes_complete(): all class
 * dumps of the dump are read.
 */
HP_MUST_USE enum hp_status hp_references_retired(struct hp_references *r,
						 const struct hp_batch *b,
						 struct hp_error *err);
HP_MUST_USE enum hp_status
hp_references_classes_complete(struct hp_references *r,
			       const struct hp_tables *tables,
			       struct hp_error *err);

/**
 * hp_references_dump_end() - merge the workers and compare the id sets
 * @into: receives the findings about objects and, unless further passes are
 *        needed, the findings about references
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT if memory is not sufficient.
 */
HP_MUST_USE enum hp_status
hp_references_dump_end(struct hp_references *r, const struct hp_tables *tables,
		       struct hp_worker *into, struct hp_error *err);

/*
 * Whether further passes are needed. Call this after hp_references_dump_end().
 */
bool hp_references_needs_passes(const struct hp_references *r);

/**
 * hp_references_further_passes() - run all passes after the first one
 * @again: the same input, opened again
 * @into:  receives the findings about references; its roots are used
 *
 * The passes fill the remaining windows, and find the objects that hold
 * dangling references or have duplicate ids.
 *
 * Returns: HP_OK; HP_LIMIT if memory is not sufficient; errors of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_further_passes(struct hp_references *r, struct hp_source *again,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

/*
 * Whether the writer may be HotSpot of JDK 5 to 7, which had a permanent
 * generation and did not dump some of its objects. Known once the classes are
 * complete.
 */
bool hp_references_permanent(const struct hp_references *r);

/*
 * The results. Valid after hp_references_dump_end() and again after the further
 * passes, until the next dump begins.
 */
const struct hp_reference_totals *
hp_references_totals(const struct hp_references *r);
/*
 * Whether the dump defines an object with this id. Call it only for ids in the
 * heads of class dumps and in roots. If this is not known, the answer is true.
 */
bool hp_references_defined(const struct hp_references *r, uint64_t id);
const struct hp_classes *hp_references_classes(const struct hp_references *r);
/*
 * Whether the object is an instance of java.lang.Thread or of a subclass.
 * Returns 0: no; 1: yes; -1: unknown, because java.lang.Thread or the class of
 * some instances is missing.
 */
int hp_references_is_thread(const struct hp_references *r, uint64_t id);

/* ----------------------------------------------------------------------
 * --level=graph: the rules that need all objects at once
 *
 * The check needs two more passes over a dump. The first pass builds the graph
 * (common/graph/graph.h), in which everything reachable from the roots is
 * visited. The second pass compares the elements of arrays with the array's
 * class, and reports unreachable objects. Strong, soft, weak and phantom
 * references are all treated the same.
 */

/* Why some rules were not checked. */
enum hp_graph_gap {
	HP_GRAPH_DONE,
	HP_GRAPH_MEMORY, /* the object graph does not fit in --memory */
	/*
	 * Unreachable objects are not known, because the class or the layout of
	 * some instances is missing and so are their references.
	 */
	HP_GRAPH_UNKNOWN,
};

struct hp_graph_request {
	const struct hp_tables *tables;
	uint64_t memory; /* the bytes that the object graph may use */
	uint64_t bytes;	 /* length of the dump, or an upper limit of it */
	bool reach;	 /* report unreachable objects also */
};

struct hp_graph_result {
	enum hp_graph_gap gap;
	/* peak size of the temporary files, which replace missing memory */
	uint64_t in_files;
};

/**
 * hp_references_graph() - apply the rules to the dump that has just ended
 * @r:      all other passes are finished
 * @src:    the same input, opened again, at its first byte
 * @into:   receives the findings; its roots are those of the dump
 * @out:    receives what was left out, and what did not fit in memory
 *
 * Memory:  about 22 bytes per object and 4 per reference, until the function
 *          returns. What does not fit goes to temporary files, except the ids
 * Returns: HP_OK, also if @out has a gap; HP_NOMEM; HP_IO; errors of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_graph_request *request,
		    struct hp_worker *into, struct hp_graph_result *out,
		    struct hp_error *err);

/* The classes of the dump, for passes that look up layouts. */
struct hp_classes *hp_references_class_list(struct hp_references *r);

/*
 * Rename the fields of all classes, at the end of a dump. Returns HP_OK;
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_references_rename(struct hp_references *r,
						struct hp_rename *names,
						struct hp_error *err);

#endif
