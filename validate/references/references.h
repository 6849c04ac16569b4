/*
 * references.h - find out which ids the objects of a dump have, and to which
 * ids the dump refers
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
	/* limit, in bytes, of all memory whose size grows with the heap */
	uint64_t memory;
	bool framing_only; /* check only lengths and tags (--level=framing) */
	/* the header has version 1.0.3, which Android writes */
	bool android;
	/*
	 * The header has version 1.0.1. The writer may be JDK 7 or older, whose
	 * dumps lack some objects of the permanent generation.
	 */
	bool old_hotspot;
	/*
	 * the input is compressed, so a second pass would have to decompress it
	 * again
	 */
	bool slow_again;
	/*
	 * Called when pass number @number over a dump begins, from pass 2 on.
	 * @of: the total number of passes, or 0 if it is unknown. May be NULL.
	 */
	void (*pass)(void *ctx, unsigned number, unsigned of);
	void *ctx;
};

/* The results of the check of references for one dump. */
struct hp_reference_totals {
	uint64_t checked, null, dangling;
	/*
	 * All dangling references were found or counted. False: memory ran out
	 * (see `limits` of struct hp_validation).
	 */
	bool dangling_known;
	/*
	 * Each dangling reference has a finding with its offset. False: only
	 * the number of dangling references is known.
	 */
	bool located;
	bool duplicates_located;
	/* number of objects that have the same id as an earlier object */
	uint64_t duplicates;
	/*
	 * Set only if the input is a pipe and the memory did not suffice, so
	 * that the references to some ranges of ids were not checked.
	 * `unchecked`: the total size of these ranges, in bytes of address
	 * space (a lower bound). `crowded`: not even this size is known.
	 */
	uint64_t unchecked;
	bool crowded;
};

/* ----------------------------------------------------------------------
 * Check the references of a dump in one fast pass
 *
 * One pass fills two bit sets (common/object_ids/id_set.h): the ids that are
 * defined, and the ids that are referred to. If an id dangles (it is referred
 * to, but no object has it), or if several objects have it, a second pass over
 * the dump finds the offsets of the objects. If the sets do not fit in memory,
 * the ids are divided into ranges ("windows"). One pass for each window fills
 * the sets of this window (id_window_passes.c). If an input cannot be read
 * twice, references to objects that were not read yet are kept in lists, as
 * long as the memory suffices.
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
 * Store the position of the record with which the current dump begins. Further
 * passes start there.
 */
void hp_references_begin_at(struct hp_references *r,
			    const struct hp_record *rec);

/*
 * Begin dump number @dump, from 1. @once: the input cannot be read a second
 * time. @tables: the records before the dump.
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
 * Callbacks for the scan of the dump. hp_references_retired() is called in file
 * order for each finished batch. hp_references_classes_complete() is called
 * when all class dumps of the dump were read.
 */
HP_MUST_USE enum hp_status hp_references_retired(struct hp_references *r,
						 const struct hp_batch *b,
						 struct hp_error *err);
HP_MUST_USE enum hp_status
hp_references_classes_complete(struct hp_references *r,
			       const struct hp_tables *tables,
			       struct hp_error *err);

/**
 * hp_references_dump_end() - merge the results of all workers, and compare the
 * ids of objects with the ids in references
 * @into: receives the findings about objects and, unless further passes are
 *        needed, the findings about references
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT if memory is not sufficient.
 */
HP_MUST_USE enum hp_status
hp_references_dump_end(struct hp_references *r, const struct hp_tables *tables,
		       struct hp_worker *into, struct hp_error *err);

/*
 * Whether further passes over the dump are needed. Call this after
 * hp_references_dump_end().
 */
bool hp_references_needs_passes(const struct hp_references *r);

/**
 * hp_references_further_passes() - run all passes after the first one
 * @again: the same input, opened again
 * @into: receives the findings about references; its list of roots is read
 *
 * The passes fill the sets of ids of the remaining windows (ranges of ids), and
 * find the objects that hold dangling references or have duplicate ids.
 *
 * Returns: HP_OK; HP_LIMIT if memory is not sufficient; errors of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_further_passes(struct hp_references *r, struct hp_source *again,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

/*
 * Whether the program that wrote the dump may be HotSpot of JDK 5 to 7, which
 * had a permanent generation and did not dump some objects of this generation.
 * Call this after hp_references_classes_complete().
 */
bool hp_references_permanent(const struct hp_references *r);

/*
 * Returns the results for the current dump. They are valid after
 * hp_references_dump_end(), and updated by the further passes.
 */
const struct hp_reference_totals *
hp_references_totals(const struct hp_references *r);
/*
 * Whether the dump contains an object with this id; true if this is not known.
 * Call this only for ids in the fixed fields of class dumps, and in roots.
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
 * --level=graph: the rules that need the graph of all objects
 *
 * The check needs two more passes over a dump. The first pass builds the object
 * graph (common/graph/graph.h), and then finds everything that is reachable
 * from the roots. The second pass compares the elements of arrays with the
 * array's class, and reports unreachable objects. Strong, soft, weak and
 * phantom references are all treated the same.
 */

/* Why rules of --level=graph were not checked. */
enum hp_graph_gap {
	HP_GRAPH_DONE,
	HP_GRAPH_MEMORY, /* the object graph does not fit in --memory */
	/*
	 * It cannot be determined which objects are unreachable: the class or
	 * the layout of some instances is missing, so the references of these
	 * instances are not known.
	 */
	HP_GRAPH_UNKNOWN,
};

struct hp_graph_request {
	const struct hp_tables *tables;
	/* limit for the memory of the object graph, in bytes */
	uint64_t memory;
	/* length of the dump in bytes, or an upper bound of it */
	uint64_t bytes;
	bool reach; /* whether to report unreachable objects */
	/*
	 * the dump does not list the fields of java.lang.Class, so objects to
	 * which only these fields refer are not unreachable
	 */
	bool hidden_fields;
};

struct hp_graph_result {
	enum hp_graph_gap gap;
	/*
	 * largest total size that the temporary files had at any time, in
	 * bytes; 0: memory did suffice
	 */
	uint64_t in_files;
};

/**
 * hp_references_graph() - apply the rules of --level=graph to the dump that has
 * just ended
 * @r: its other passes are all finished
 * @src:    the same input, opened again, at its first byte
 * @into:   receives the findings; it contains the roots of the dump
 * @out:    receives which rules were left out, and how many bytes did not fit
 * in memory
 *
 * Memory:  about 22 bytes per object and 4 per reference, until the function
 *          returns. The ids must fit in memory; other data that does not fit is
 *          stored in temporary files
 * Returns: HP_OK, also if @out has a gap; HP_NOMEM; HP_IO; errors of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_graph(struct hp_references *r, struct hp_source *src,
		    const struct hp_graph_request *request,
		    struct hp_worker *into, struct hp_graph_result *out,
		    struct hp_error *err);

/*
 * Returns the classes of the dump, for passes that need the layouts of
 * instances. Returns NULL if @r is NULL, because the input has no heap dump.
 */
struct hp_classes *hp_references_class_list(struct hp_references *r);

/*
 * Rename the fields of all classes with the mapping files (--mapping), at the
 * end of a dump. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_references_rename(struct hp_references *r,
						struct hp_rename *names,
						struct hp_error *err);

#endif
