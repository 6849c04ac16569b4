/*
 * references.h - the hot pass over heap batches: which objects a dump holds,
 * what they refer to, and who holds what refers to nothing
 *
 * One pass fills two bit sets (common/ids/id_set.h): ids defined and ids
 * referred to. Only if some id dangles, or is defined twice, a second pass
 * over the dump finds where. Sets that do not fit in memory are filled window
 * by window, with a pass for each (id_window_passes.c). An input that cannot be
 * read twice has the references that are still open kept aside as memory
 * allows.
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
 * hp_references_new() - make ready for a dump file
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: hp_references_free(), which allows NULL.
 */
HP_MUST_USE enum hp_status
hp_references_new(struct hp_references **out,
		  const struct hp_references_options *options,
		  struct hp_error *err);
void hp_references_free(struct hp_references *r);

/* The dump that began does so with this record: further passes start there. */
void hp_references_begin_at(struct hp_references *r,
			    const struct hp_record *rec);

/*
 * Dump @dump (from 1) begins; @once: it is not read a second time; @tables is
 * what was read before it.
 */
HP_MUST_USE enum hp_status
hp_references_dump_begin(struct hp_references *r, unsigned dump, bool once,
			 const struct hp_tables *tables, struct hp_error *err);

/**
 * hp_references_batch() - the hot loop, on a worker's thread
 * @w: the worker's own: sub-records, roots, findings go there
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_references_batch(struct hp_references *r,
					       struct hp_batch *b,
					       struct hp_worker *w,
					       struct hp_error *err);

/* Bytes that worker @worker has taken for classes and their use. */
uint64_t hp_references_bytes(const struct hp_references *r, unsigned worker);

/*
 * Bytes that the sets of ids may fill by now, and that tables of usable classes
 * take; any thread may ask.
 */
uint64_t hp_references_shared_bytes(const struct hp_references *r);
/* Both, of all workers. */
uint64_t hp_references_all_bytes(const struct hp_references *r);

/* For the pass's retired() and classes_complete(). */
HP_MUST_USE enum hp_status hp_references_retired(struct hp_references *r,
						 const struct hp_batch *b,
						 struct hp_error *err);
HP_MUST_USE enum hp_status
hp_references_classes_complete(struct hp_references *r,
			       const struct hp_tables *tables,
			       struct hp_error *err);

/**
 * hp_references_dump_end() - merge and sweep
 * @into: findings about objects and, unless more passes are needed, about
 *        references go there
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT: memory does not suffice.
 */
HP_MUST_USE enum hp_status
hp_references_dump_end(struct hp_references *r, const struct hp_tables *tables,
		       struct hp_worker *into, struct hp_error *err);

/* After dump_end: is there something that only more passes can tell? */
bool hp_references_needs_passes(const struct hp_references *r);

/**
 * hp_references_further_passes() - the passes after the first: the other
 * windows, then who holds what dangles, and where objects are dumped again
 * @again: the same input, opened anew
 * @into:  findings about references go there; its roots are looked at
 *
 * Returns: HP_OK; HP_LIMIT: memory does not suffice; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status
hp_references_further_passes(struct hp_references *r, struct hp_source *again,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

/*
 * May the dump be of HotSpot of JDK 5 to 7, which had a permanent generation? It
 * did not dump some objects there. Known once the classes are complete.
 */
bool hp_references_permanent(const struct hp_references *r);

/* After dump_end (and again), until the next dump begins. */
const struct hp_reference_totals *
hp_references_totals(const struct hp_references *r);
/* Of ids of classes' heads and of roots; what is not known counts as there. */
bool hp_references_defined(const struct hp_references *r, uint64_t id);
const struct hp_classes *hp_references_classes(const struct hp_references *r);
/*
 * Is the object an instance of java.lang.Thread or of a class below it? 0 no,
 * 1 yes; -1 not known: that class, or one of other instances, is not there.
 */
int hp_references_is_thread(const struct hp_references *r, uint64_t id);

#endif
