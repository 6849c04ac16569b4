/*
 * references.h - check the references of a dump in one fast pass
 *
 * One pass fills two bit sets (common/ids/id_set.h): the ids that are defined,
 * and the ids that are referred to. If some id is referred to but not defined
 * (it dangles), or is defined twice, a second pass over the dump finds the
 * places. If the sets do not fit in memory, they are filled window by window,
 * with one pass for each window of ids (id_window_passes.c). If an input cannot
 * be read twice, references to objects that are not defined yet are kept, as
 * far as memory allows.
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_H
#define HP_VALIDATE_REFERENCES_REFERENCES_H

#include "common/format/scan.h"
#include "common/model/classes.h"
#include "common/ids/id_set.h"
#include "common/model/tables.h"
#include "validate/references/reference_totals.h"
#include "validate/worker.h"

struct hp_references;

/**
 * hp_references_new() - create the state for checking a file
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: hp_references_free(), which allows NULL.
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

/* The memory that worker @worker uses for classes and their uses, in bytes. */
uint64_t hp_references_bytes(const struct hp_references *r, unsigned worker);

/*
 * The memory that all workers share, in bytes: the id sets (their reservation)
 * and the table of usable classes. Any thread may call this.
 */
uint64_t hp_references_shared_bytes(const struct hp_references *r);
/* The sum of both, for all workers. */
uint64_t hp_references_all_bytes(const struct hp_references *r);

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
 * Whether an id is defined. Only for ids in class heads and roots. If it is not
 * known, the answer is true.
 */
bool hp_references_defined(const struct hp_references *r, uint64_t id);
const struct hp_classes *hp_references_classes(const struct hp_references *r);
/*
 * Whether the object is an instance of java.lang.Thread or of a subclass.
 * Returns 0: no; 1: yes; -1: unknown, because java.lang.Thread or the class of
 * some instances is missing.
 */
int hp_references_is_thread(const struct hp_references *r, uint64_t id);

#endif
