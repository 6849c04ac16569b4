/*
 * internal.h - the state and the steps of the check of references
 */
#ifndef HP_VALIDATE_REFERENCES_INTERNAL_H
#define HP_VALIDATE_REFERENCES_INTERNAL_H

#include "common/format/heap.h"
#include "common/format/scan.h"
#include "common/object_ids/id_set.h"
#include "common/model/classes.h"
#include "common/model/tables.h"
#include "validate/finding.h"
#include "validate/references/references.h"
#include "validate/worker.h"

#include <pthread.h>

/* ----------------------------------------------------------------------
 * Remember roughly which ids each part of a dump refers to
 *
 * Further passes use this to skip batches. A granule is a range of ids
 * (common/object_ids/id_set.h). In the first pass, each reference marks the
 * granule of its target. The marks of a batch are kept with its place in the
 * dump, some KiB for each MiB of the dump. If that exceeds the memory limit,
 * neighbouring batches share their marks.
 *
 * Like a Bloom filter, the answer is certain in one direction only: a batch
 * without a mark for a granule has no reference to it.
 */

/* the marks of batches that begin in one part of the dump */
struct hp_granule_slot {
	/* the part of the dump that these batches cover; to is 0: no batch */
	uint64_t from, to;
};

struct hp_batch_granules {
	pthread_mutex_t lock;
	bool ready;
	/* out of memory: nothing is known, so no batch is skipped */
	bool lost;
	uint64_t begin; /* offset of the first slot in the dump */
	unsigned shift; /* base-2 logarithm of the bytes of the dump per slot */
	size_t words;	/* number of 64-bit words of marks per slot */
	size_t most;	/* maximum number of slots */
	size_t count;
	struct hp_granule_slot *slots;
	uint64_t *bits; /* the marks of all slots, one slot after the other */
	/* for each worker, room for the marks of one batch */
	uint64_t *room;
};

/**
 * hp_batch_granules_init() - allocate the marks, with nothing marked
 * @sets:   the id sets that define the granules
 * @memory: the bytes that the marks may use
 *
 * Returns: HP_OK; HP_NOMEM.
 * Ownership: hp_batch_granules_release(), which allows a zeroed struct.
 */
HP_MUST_USE enum hp_status hp_batch_granules_init(struct hp_batch_granules *g,
						  const struct hp_id_sets *sets,
						  uint64_t memory,
						  struct hp_error *err);
void hp_batch_granules_release(struct hp_batch_granules *g);

/*
 * Store what a worker has marked in a batch. Any thread may call this. If a
 * part of a batch was deferred, the batch is added again.
 */
void hp_batch_granules_add(struct hp_batch_granules *g,
			   struct hp_id_worker *ids, const struct hp_batch *b);

/*
 * Whether something in the batch may refer to one of the granules in @bits. The
 * batch may begin and end elsewhere than in the first pass. Any thread may call
 * this, once all batches are added.
 */
bool hp_batch_granules_may_hold(const struct hp_batch_granules *g,
				const struct hp_batch *b, const uint64_t *bits);

/* ----------------------------------------------------------------------
 * Ids that several objects of a dump have
 */

struct hp_duplicate { /* an object and its place */
	uint64_t id, offset;
	uint64_t record_tag; /* record ordinal << 8 | sub-record tag */
};

/* A zeroed list is empty. */
struct hp_duplicates {
	struct hp_duplicate *items;
	size_t count, cap, max; /* max: maximum number of items; 0: no limit */
	/* there were more items than max or memory allow */
	bool lost;
};

/* Compare by id, then by offset. For qsort(). */
int hp_duplicate_compare(const void *a, const void *b);

void hp_duplicates_release(struct hp_duplicates *l);

/*
 * Make room for one more item. Beyond the limit the list is emptied, and lost
 * is set.
 */
void hp_duplicates_grow(struct hp_duplicates *l);

static inline void
hp_duplicates_put(struct hp_duplicates *l, const struct hp_duplicate *spot)
{
	if (HP_UNLIKELY(l->count == l->cap))
		hp_duplicates_grow(l);
	if (HP_UNLIKELY(l->lost))
		return;
	l->items[l->count++] = *spot;
}

static inline void
hp_duplicates_add(struct hp_duplicates *l, const struct hp_sub *s,
		  uint64_t record)
{
	hp_duplicates_put(l, &(struct hp_duplicate){s->id, s->offset,
						    record << 8 | s->tag});
}

/* Append all items of @from. */
void hp_duplicates_append(struct hp_duplicates *into,
			  const struct hp_duplicates *from);

/* Report all but the first object of each id. Sorts the list. */
void hp_duplicates_report(struct hp_duplicates *l, unsigned dump,
			  struct hp_findings *findings);

/* ----------------------------------------------------------------------
 * The state of checking references, shared and per worker
 */

enum { HP_USE_NEAR = 1024 };

/*
 * A reference to an object that is not defined yet; see references_pending.c.
 */
struct hp_pending_reference {
	uint64_t id;	 /* id of the target */
	uint64_t offset; /* offset of the holder's sub-record */
	uint64_t holder; /* class id of the holder */
	uint64_t index, record;
	uint64_t object; /* id of the holder */
	uint32_t place;
};

/* An instance of java.lang.Class or of a thread class, in a worker's arena. */
struct hp_kept_object {
	uint64_t class_id, offset, record;
};

struct hp_reference_worker {
	struct hp_id_worker *ids;
	unsigned id_size;
	struct hp_class_cache classes;
	/*
	 * Cache of use_by_class, indexed by class id. Entries are never NULL
	 * once a dump has begun.
	 */
	struct hp_class_use *near[HP_USE_NEAR];
	/* from a class id to a struct hp_class_use * */
	struct hp_id_map use_by_class;
	/* memory of the uses and the kept objects */
	struct hp_arena arena;
	/* from an object id to a struct hp_kept_object * */
	struct hp_id_map kept;
	/* number of references, including null; number of null */
	uint64_t fields, null;
	struct hp_first_seen unaligned;
	uint64_t unaligned_id;
	struct hp_pending_reference *open;
	size_t nopen, open_cap;
	/* some references did not fit in memory */
	bool open_lost;
	/* for a pipe: all objects, to find duplicates */
	struct hp_duplicates objects;
	/*
	 * The bytes of both lists when the last batch began, for other workers.
	 */
	_Atomic uint64_t pending_bytes;
};

/*
 * The ids of the classes with one name, never 0. If there are more than this,
 * the last ones are kept. Valid files have few, and a crafted file must not be
 * able to use more memory.
 */
enum { HP_KNOWN_CLASSES_MOST = 8 };

struct hp_known_classes {
	uint64_t ids[HP_KNOWN_CLASSES_MOST];
	unsigned count;
};

struct hp_references {
	struct hp_references_options o;
	struct hp_classes classes;
	struct hp_id_sets sets;
	struct hp_reference_worker *workers;
	struct hp_reference_totals totals;
	/* The classes named java.lang.Thread and java.lang.Class. */
	struct hp_known_classes thread_classes, class_classes;
	/* number of LOAD CLASS records searched for these classes */
	size_t looked;
	bool kin_unknown; /* the super classes of some instances are unknown */
	/* the writer is a HotSpot with a permanent generation */
	bool permanent;
	unsigned dump;
	bool once;	       /* the input cannot be read a second time */
	struct hp_start place; /* where the heap of the dump begins */
	bool begun;	       /* classes and sets are initialised */
	/* all dangling references were kept, no pass is needed */
	bool settled;
	/* set by any worker: the kept references are incomplete */
	atomic_bool pending_lost;
	/* The following members are for locate_holders.c. */
	struct hp_batch_granules granules;
	struct hp_id_map duplicates; /* keys: ids to find; values: 1 */
	/* ids that both a class and an object have, to find */
	struct hp_id_map twins;
	/*
	 * Used if the id sets do not fit in memory at once: each Object[] with
	 * dangling elements. The value is 1 if something refers to the array.
	 */
	struct hp_id_map holders;
	uint64_t *rooted; /* ids that roots refer to, sorted */
	size_t nrooted;
	bool jni_globals; /* there are JNI GLOBAL roots */
};

/* ----------------------------------------------------------------------
 * Create findings about sub-records
 */

/*
 * Returns a finding with the common parts filled in: the rule, the place, the
 * dump, and the tag as the first argument.
 */
struct hp_finding hp_reference_finding(const struct hp_references *r,
				       enum hp_rule rule, uint64_t offset,
				       uint64_t record, uint8_t tag);

/* ----------------------------------------------------------------------
 * Find java.lang.Class and java.lang.Thread by name
 */

static inline bool
hp_known_class(const struct hp_known_classes *k, uint64_t id)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->ids[i] == id)
			return true;
	return false;
}

/* Whether this is the name of java.lang.Class. */
static inline bool
hp_reference_is_class_class(const struct hp_string *name)
{
	return hp_string_is(name, "java/lang/Class", "java.lang.Class");
}

/*
 * Find these classes among the LOAD CLASS records so far. Each record is
 * examined once, even if the file has many dumps.
 */
void hp_reference_find_classes(struct hp_references *r,
			       const struct hp_tables *t);
/* The CLASS DUMP of java.lang.Class; NULL if there is none. */
const struct hp_class *hp_reference_class_class(const struct hp_references *r);

/* ----------------------------------------------------------------------
 * The classes that objects refer to, with their layout and counts
 *
 * Each worker has a hash map of them, and in front of it a direct-mapped cache
 * for the hot loop.
 */

/* A class that objects refer to. */
struct hp_class_use {
	uint64_t class_id;
	/*
	 * For the hot loop, in the byte order of the dump: the class id, and
	 * the length of an ordinary instance. UINT32_MAX, which no instance in
	 * a batch has, means that each instance needs the slow path.
	 */
	uint64_t raw_class;
	uint32_t raw_size;
	const uint32_t *ref_at; /* offsets of the references; owned by class */
	uint32_t nrefs;
	/* layout; NULL: the class has no CLASS DUMP, or it is not usable yet */
	const struct hp_class *class;
	struct hp_first_seen instances, arrays;
	/* false only in the dummy entry of hp_reference_uses_init() */
	bool known;
	/* keep instances by id: java.lang.Class or a thread class */
	bool keep_ids;
	bool is_object_array; /* java.lang.Object[] */
};

/* Empty the cache of a worker. @id_size is 4 or 8. */
void hp_reference_uses_init(struct hp_reference_worker *w, unsigned id_size);
/* The slow case of hp_reference_class_use(): the class is not in the cache. */
struct hp_class_use *hp_reference_use_far(struct hp_reference_worker *w,
					  uint64_t id, struct hp_worker *out);

/* The cache slot in which a worker looks for a class first. */
static inline struct hp_class_use **
hp_reference_use_slot(struct hp_reference_worker *w, uint64_t id)
{
	return &w->near[(id >> 3) & (HP_USE_NEAR - 1)];
}

/*
 * Get this worker's entry for a class, and create it if needed. Returns NULL if
 * out of memory, or if the memory limit of @out does not allow a new entry.
 * With NULL as @out there is no limit.
 */
static inline struct hp_class_use *
hp_reference_class_use(struct hp_reference_worker *w, uint64_t id,
		       struct hp_worker *out)
{
	struct hp_class_use *use = *hp_reference_use_slot(w, id);

	return HP_LIKELY(use->known && use->class_id == id)
		       ? use
		       : hp_reference_use_far(w, id, out);
}

/*
 * Look up the layout of a class, if it is usable by now, and store it in @use.
 * Returns the class, or NULL.
 */
const struct hp_class *hp_reference_resolve_use(struct hp_references *r,
						struct hp_reference_worker *w,
						struct hp_class_use *use);

/*
 * Iterate over all classes in no particular order. @at begins with 0. Returns
 * NULL at the end.
 */
const struct hp_class_use *
hp_references_class_uses(const struct hp_references *r, size_t *at);

/* ----------------------------------------------------------------------
 * Ids that both a class and another object have
 */

/*
 * Keep an object by its id. If an id is dumped several times, the result is
 * independent of the order: an object that is not a java.lang.Class wins, then
 * the one with the smaller offset. Returns false if out of memory.
 */
HP_MUST_USE bool hp_reference_keep(const struct hp_references *r,
				   struct hp_reference_worker *w, uint64_t id,
				   struct hp_kept_object *kept);

/**
 * hp_class_object_conflicts_note() - note that a class and an object have the
 * same id
 * @kept: the object; NULL if its place must still be found
 *
 * Returns: false if out of memory.
 */
HP_MUST_USE bool hp_class_object_conflicts_note(
	struct hp_references *r, const struct hp_class *c,
	const struct hp_kept_object *kept, struct hp_worker *out);

/*
 * Report the objects in @l, whose ids were noted. If l->lost is set, the places
 * of the objects are not known, and the findings are at the classes. Sorts the
 * list.
 */
void hp_class_object_conflicts_report(const struct hp_references *r,
				      const struct hp_tables *tables,
				      struct hp_duplicates *l,
				      struct hp_worker *out);

/* ----------------------------------------------------------------------
 * Read the batches of a dump again
 */

/**
 * hp_references_rescan() - call @batch for all batches of the dump
 * @src:    the input, at its first byte
 * @wanted: whether a batch is needed, see struct hp_pass; NULL: all are
 *
 * Returns: errors of hp_scan() and of @batch.
 */
HP_MUST_USE enum hp_status
hp_references_rescan(const struct hp_references *r, struct hp_source *src,
		     enum hp_status (*batch)(void *ctx, struct hp_batch *b,
					     struct hp_error *err),
		     bool (*wanted)(void *ctx, const struct hp_batch *b),
		     void *ctx, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Find the holders of dangling references, and duplicate ids
 */

/* The job of a further pass. */
enum hp_pass_job {
	HP_PASS_FILL, /* fill the id sets of the current window of ids */
	/* find dangling references, and duplicate ids if asked */
	HP_PASS_FIND,
	HP_PASS_MARK,	/* find out which deferred arrays are referred to */
	HP_PASS_FINISH, /* report the dangling references of deferred arrays */
};

/**
 * hp_references_locate_holders() - run one further pass over a dump
 * @doubles: also look for objects whose ids are not unique
 * @src:     the input, at its first byte
 *
 * Returns: HP_OK; HP_LIMIT if there are too many deferred arrays; errors of
 *          hp_scan().
 */
HP_MUST_USE enum hp_status
hp_references_locate_holders(struct hp_references *r, enum hp_pass_job job,
			     bool doubles, struct hp_source *src,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Findings about the lengths and tags of sub-records
 */

/*
 * If decoding the sub-records of a record stopped at an error, report the
 * error. @count is the element count of an array that is too long.
 */
void hp_reference_framing(const struct hp_references *r, struct hp_worker *out,
			  const struct hp_heap_iter *it, uint32_t count,
			  uint64_t record);

/*
 * Report an array whose length equals the limit of a record, which means that
 * the writer truncated it, or an array with more elements than Java allows.
 */
void hp_reference_length(const struct hp_references *r, struct hp_worker *out,
			 struct hp_sub s, const struct hp_run *run);

/*
 * Check the length of an array that comes in pieces, given its first piece. For
 * --level=framing.
 */
void hp_reference_long_head(const struct hp_references *r,
			    struct hp_worker *out, const struct hp_run *run);

/* ----------------------------------------------------------------------
 * Keep references to objects that are not defined yet
 */

/*
 * hp_reference_keeps_pending() returns whether references are kept at all.
 * hp_reference_keep_pending() keeps a reference unless its target is defined.
 * hp_reference_release_pending() frees what @w has kept if all workers together
 * keep too much after @read bytes of the dump.
 */
static inline bool
hp_reference_keeps_pending(const struct hp_references *r)
{
	return r->once || r->o.slow_again;
}
void hp_reference_keep_pending(struct hp_reference_worker *w,
			       const struct hp_pending_reference *o);
void hp_reference_release_pending(struct hp_references *r,
				  struct hp_reference_worker *w, uint64_t read);

/* ----------------------------------------------------------------------
 * Evaluate the passes over the references of a dump
 */

/*
 * Finish the id sets of a window: merge the workers, and define the ids of the
 * classes. @first: this window was not evaluated before, so count and report.
 * Returns HP_OK, HP_NOMEM or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_references_window_end(struct hp_references *r,
						    struct hp_worker *out,
						    bool first,
						    struct hp_error *err);

/*
 * Report the static fields that dangle. Call this when the id sets of all
 * windows are finished.
 */
void hp_references_statics(struct hp_references *r, struct hp_worker *out);

/*
 * Whether dangling elements of this array may be normal for the writer, so that
 * they are only informational.
 */
bool hp_reference_may_be_habit(const struct hp_references *r,
			       const struct hp_tables *t,
			       const struct hp_pending_reference *o);

/* Report one dangling reference. Call this when the sets are finished. */
void hp_reference_dangles(const struct hp_references *r,
			  const struct hp_tables *tables, struct hp_worker *w,
			  const struct hp_pending_reference *o);

/* ----------------------------------------------------------------------
 * Whether an object may be an element of an array
 *
 * The required type of the elements follows from the name of the array's class.
 * Classes are identified by name here: several loaders may have a class of the
 * same name, and the dump does not say which one an array class means. The
 * format does not say either which classes are interfaces. A class that has
 * instances, fields or subclasses is not an interface. Where a dump is not
 * sufficient to decide, the answer is "unknown".
 */

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
