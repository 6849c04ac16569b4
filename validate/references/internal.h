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
 * Further passes use these marks to skip batches (parts of the dump). A granule
 * is a range of ids (common/object_ids/id_set.h). In the first pass, each
 * reference marks the granule that contains the id of its target. The marks of
 * each batch take some KiB for each MiB of the dump. If that exceeds the memory
 * limit, neighbouring batches share their marks.
 *
 * Like a Bloom filter, the answer is certain in one direction only: a batch
 * without a mark for a granule has no reference to it.
 */

/*
 * A slot: the marks of all batches that begin in one region of the file. Each
 * mark says that these batches refer to one granule (range of ids).
 */
struct hp_granule_slot {
	/*
	 * The range of the batches of this slot in the dump: the first batch
	 * begins at the offset `from`, and the last batch ends at the offset
	 * `to`. If `to` is 0, the slot has no batch.
	 */
	uint64_t from, to;
};

struct hp_batch_granules {
	pthread_mutex_t lock;
	bool ready;
	/*
	 * the memory for the marks (bits that say to which ids a batch refers)
	 * did not suffice, so no batch can be skipped
	 */
	bool lost;
	/*
	 * offset in the dump at which the region (part of the file) for the
	 * first slot begins
	 */
	uint64_t begin;
	/* one slot has the marks of the batches in 2^shift bytes of the dump */
	unsigned shift;
	/*
	 * number of 64-bit words in the bit map of a slot, which has one bit
	 * for each granule (range of ids)
	 */
	size_t words;
	/* maximum number of slots, computed from the memory limit */
	size_t most;
	size_t count;
	struct hp_granule_slot *slots;
	/*
	 * the bit maps of all slots, one after the other; each has `words`
	 * words
	 */
	uint64_t *bits;
	/*
	 * for each thread: a bit map for the granules (ranges of ids) to which
	 * the batch that it reads refers
	 */
	uint64_t *room;
};

/**
 * hp_batch_granules_init() - create an empty table of marks
 * @sets: the sets of ids; they determine how large a granule (range of ids) is
 * @memory: the limit for the memory of the marks, in bytes
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
 * Store the marks that a thread has collected for one batch: the granules
 * (ranges of ids) to which the batch refers. Any thread may call this. If some
 * sub-records of the batch were postponed, call this again after they were
 * processed.
 */
void hp_batch_granules_add(struct hp_batch_granules *g,
			   struct hp_id_worker *ids, const struct hp_batch *b);

/*
 * Whether a part of the dump may contain a reference to an id in one of the
 * granules (ranges of ids) in the bit set @bits. The part may begin and end at
 * other offsets than the batches of the first pass. Any thread may call this
 * when all batches were added.
 */
bool hp_batch_granules_may_hold(const struct hp_batch_granules *g,
				const struct hp_batch *b, const uint64_t *bits);

/* ----------------------------------------------------------------------
 * Ids that several objects of a dump have
 */

/* one of several objects with the same id, and its position in the file */
struct hp_duplicate {
	uint64_t id, offset;
	/* ordinal of the record << 8 | tag of the sub-record */
	uint64_t record_tag;
};

/* A list of objects with duplicate ids. A zeroed list is empty. */
struct hp_duplicates {
	struct hp_duplicate *items;
	/*
	 * `count`: number of objects in the list; `cap`: number of objects for
	 * which memory is allocated; `max`: limit for `count`, 0: no limit
	 */
	size_t count, cap, max;
	/*
	 * objects are missing in the list, because there were more than `max`,
	 * or memory ran out
	 */
	bool lost;
};

/* a comparison function for qsort(): by id, then by offset */
int hp_duplicate_compare(const void *a, const void *b);

void hp_duplicates_release(struct hp_duplicates *l);

/*
 * Allocate room for one more object. If that is not possible, or if the list
 * already has l->max objects, empty the list and set l->lost.
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

void hp_duplicates_append(struct hp_duplicates *into,
			  const struct hp_duplicates *from);

/*
 * For each id in the list, report all objects except the first one in the file.
 * Sorts the list.
 */
void hp_duplicates_report(struct hp_duplicates *l, unsigned dump,
			  struct hp_findings *findings);

/*
 * Check references: the data that all threads share, and the data of each
 * thread
 */

enum { HP_USE_NEAR = 1024 };

/*
 * A pending reference: the object to which it refers was not read yet; see
 * references_pending.c.
 */
struct hp_pending_reference {
	uint64_t id; /* id of the object to which the reference refers */
	/* offset of the sub-record that contains the reference */
	uint64_t offset;
	/* id of the class of the object that contains the reference */
	uint64_t holder;
	uint64_t index, record;
	uint64_t object; /* id of the object that contains the reference */
	uint32_t place;
};

/*
 * An instance of java.lang.Class or of a thread class, which is kept because
 * later checks need its offset.
 */
struct hp_kept_object {
	uint64_t class_id, offset, record;
};

struct hp_reference_worker {
	struct hp_id_worker *ids;
	unsigned id_size;
	struct hp_class_cache classes;
	/*
	 * A cache for the map use_by_class. Once a dump has begun, no entry is
	 * NULL: an unused entry points to a dummy struct.
	 */
	struct hp_class_use *near[HP_USE_NEAR];
	/* maps a class id to its struct hp_class_use * */
	struct hp_id_map use_by_class;
	/* memory for the class uses and for the kept objects */
	struct hp_arena arena;
	/* maps the id of an object to its struct hp_kept_object * */
	struct hp_id_map kept;
	/*
	 * `fields`: number of references in fields and array elements that this
	 * thread has checked, including null references. `null`: number of null
	 * references among them.
	 */
	uint64_t fields, null;
	struct hp_first_seen unaligned;
	uint64_t unaligned_id;
	/*
	 * the pending references (to objects not read yet) in the batch that
	 * the thread processes
	 */
	struct hp_pending_reference *open;
	size_t nopen, open_cap;
	/* pending references are no longer kept, because memory ran out */
	bool open_lost;
	/*
	 * Only if the input is a pipe: all objects of the dump, to find
	 * duplicate ids at the end.
	 */
	struct hp_duplicates objects;
	/*
	 * Memory of `objects`, in bytes, when the last batch of this thread
	 * ended. Other threads read this number.
	 */
	_Atomic uint64_t object_bytes;
};

/*
 * The ids of all classes that have the same name, at most
 * HP_KNOWN_CLASSES_MOST; an id is never 0. If there are more, the last ones are
 * kept. Valid files have few of them; the limit keeps a crafted file from using
 * more memory.
 */
enum { HP_KNOWN_CLASSES_MOST = 8 };

struct hp_known_classes {
	uint64_t ids[HP_KNOWN_CLASSES_MOST];
	unsigned count;
};

/*
 * The pending references of all threads in all finished batches (parts of the
 * dump).
 */
struct hp_pending_list {
	pthread_mutex_t lock; /* protects the other members while threads run */
	struct hp_pending_reference *items;
	size_t count, cap;
	/*
	 * end of the last batch with appended references, as an offset in the
	 * dump
	 */
	uint64_t read;
};

struct hp_references {
	struct hp_references_options o;
	struct hp_classes classes;
	struct hp_id_sets sets;
	struct hp_reference_worker *workers;
	struct hp_reference_totals totals;
	/*
	 * The ids of the classes with the name java.lang.Thread, and the ids of
	 * those with the name java.lang.Class.
	 */
	struct hp_known_classes thread_classes, class_classes;
	/*
	 * number of LOAD CLASS records that were already searched for the names
	 * java.lang.Thread and java.lang.Class
	 */
	size_t looked;
	/*
	 * some instances belong to a class with an unknown superclass; such a
	 * class may be a thread class
	 */
	bool kin_unknown;
	/*
	 * the dump was written by a HotSpot that had a permanent generation
	 * (JDK 7 or older)
	 */
	bool permanent;
	unsigned dump;
	bool once; /* the input cannot be read a second time */
	/*
	 * the position in the file of the first heap record of the dump, for
	 * further passes
	 */
	struct hp_start place;
	/*
	 * a heap dump has begun: the classes and the sets of ids are
	 * initialised for this dump
	 */
	bool begun;
	/*
	 * the list of pending references contains all dangling references of
	 * the dump, so no further pass is needed
	 */
	bool settled;
	struct hp_pending_list pending;
	/* some thread could not keep a pending reference */
	atomic_bool pending_lost;
	/* The members from here on are used only by locate_holders.c. */
	struct hp_batch_granules granules;
	/*
	 * the ids that several objects have, as a set: each value in the map is
	 * 1; the pass must find these objects
	 */
	struct hp_id_map duplicates;
	/*
	 * the ids that both a class and an object have, as a set; the pass must
	 * find the objects with these ids
	 */
	struct hp_id_map twins;
	/*
	 * Used if the sets of all ids do not fit in memory at once. Maps the id
	 * of each Object[] with dangling elements to 1 if something refers to
	 * the array, otherwise to 0.
	 */
	struct hp_id_map holders;
	uint64_t *rooted; /* the ids to which roots refer, sorted */
	size_t nrooted;
	bool jni_globals; /* the dump has roots with the tag JNI GLOBAL */
};

/* ----------------------------------------------------------------------
 * Create findings about sub-records
 */

/*
 * Returns a finding about a sub-record. Sets its rule, offset, record, dump
 * and, as its first argument, the tag.
 */
struct hp_finding hp_reference_finding(const struct hp_references *r,
				       enum hp_rule rule, uint64_t offset,
				       uint64_t record, uint8_t tag);

/* ----------------------------------------------------------------------
 * Find the classes java.lang.Class and java.lang.Thread by name
 */

static inline bool
hp_known_class(const struct hp_known_classes *k, uint64_t id)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->ids[i] == id)
			return true;
	return false;
}

/* Whether @name is the name of java.lang.Class. */
static inline bool
hp_reference_is_class_class(const struct hp_string *name)
{
	return hp_string_is(name, "java/lang/Class", "java.lang.Class");
}

/*
 * Find java.lang.Class and java.lang.Thread in the LOAD CLASS records that were
 * read so far. Each record is searched only once, even if the file has many
 * dumps.
 */
void hp_reference_find_classes(struct hp_references *r,
			       const struct hp_tables *t);
/* Returns the CLASS DUMP of java.lang.Class; NULL if the dump has none. */
const struct hp_class *hp_reference_class_class(const struct hp_references *r);

/* ----------------------------------------------------------------------
 * The classes of the objects that were read, with their layouts and numbers of
 * instances
 *
 * Each worker has a hash map of the classes whose objects it has seen. The
 * innermost loop first looks into a small direct-mapped cache of this map.
 */

/*
 * A class use: a class of which a thread has seen instances, with the number of
 * these instances.
 */
struct hp_class_use {
	uint64_t class_id;
	/*
	 * For the innermost loop, in the byte order of the dump: the class id,
	 * and the length that an instance of the class has. If the length is
	 * UINT32_MAX, which no instance in a batch has, each instance needs the
	 * slow path.
	 */
	uint64_t raw_class;
	uint32_t raw_size;
	/*
	 * offsets of the reference fields in an instance; the struct hp_class
	 * owns this array
	 */
	const uint32_t *ref_at;
	uint32_t nrefs;
	/*
	 * the class with its layout; NULL: the class has no CLASS DUMP, or its
	 * layout is not complete yet
	 */
	const struct hp_class *class;
	struct hp_first_seen instances, arrays;
	/*
	 * false only in the dummy entry that fills empty slots of the cache;
	 * see hp_reference_uses_init()
	 */
	bool known;
	/*
	 * Keep all instances of the class as struct hp_kept_object, because it
	 * is java.lang.Class or a thread class.
	 */
	bool keep_ids;
	bool is_object_array; /* the class is java.lang.Object[] */
};

/* Empty the cache of a thread. @id_size is 4 or 8. */
void hp_reference_uses_init(struct hp_reference_worker *w, unsigned id_size);
/* Used by hp_reference_class_use() if the class is not in the cache. */
struct hp_class_use *hp_reference_use_far(struct hp_reference_worker *w,
					  uint64_t id);

/* Returns the element of the cache `near` that can contain the class @id. */
static inline struct hp_class_use **
hp_reference_use_slot(struct hp_reference_worker *w, uint64_t id)
{
	return &w->near[(id >> 3) & (HP_USE_NEAR - 1)];
}

/*
 * Returns the entry for a class in the map of this thread, and creates it if
 * there is none. NULL if out of memory.
 */
static inline struct hp_class_use *
hp_reference_class_use(struct hp_reference_worker *w, uint64_t id)
{
	struct hp_class_use *use = *hp_reference_use_slot(w, id);

	return HP_LIKELY(use->known && use->class_id == id)
		       ? use
		       : hp_reference_use_far(w, id);
}

/*
 * If the layout of a class is complete by now, store the class and its
 * reference fields in @use. Returns the class, or NULL.
 */
const struct hp_class *hp_reference_resolve_use(struct hp_references *r,
						struct hp_reference_worker *w,
						struct hp_class_use *use);

/*
 * Iterate over the classes of which the dump has objects, in no particular
 * order. *@at must be 0 before the first call. Returns NULL at the end.
 */
const struct hp_class_use *
hp_references_class_uses(const struct hp_references *r, size_t *at);

/* ----------------------------------------------------------------------
 * Ids that both a class and another object have
 */

/*
 * Keep an object for a later lookup by its id. If several objects have the id,
 * the result does not depend on their order: an object that is not a
 * java.lang.Class is preferred, then the one with the smaller offset. Returns
 * false if out of memory.
 */
HP_MUST_USE bool hp_reference_keep(const struct hp_references *r,
				   struct hp_reference_worker *w, uint64_t id,
				   struct hp_kept_object *kept);

/**
 * hp_class_object_conflicts_note() - remember that a class and an object have
 * the same id
 * @kept: the object; NULL if its offset must still be found
 *
 * Returns: false if out of memory.
 */
HP_MUST_USE bool hp_class_object_conflicts_note(
	struct hp_references *r, const struct hp_class *c,
	const struct hp_kept_object *kept, struct hp_worker *out);

/*
 * Report the objects in @l, which hp_class_object_conflicts_note() has
 * recorded: each of them has the same id as a class. If l->lost is set, the
 * offsets of the objects are not known, and the findings have the offsets of
 * the classes instead. Sorts the list.
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
 * @wanted: says whether a batch is needed, see struct hp_pass; NULL: all
 * batches are needed
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
 * Find the objects that have dangling references ("holders"), and objects with
 * duplicate ids
 */

/* The task of a further pass over a dump. */
enum hp_pass_job {
	/* fill the sets of ids for the current window (a range of ids) */
	HP_PASS_FILL,
	/*
	 * find the dangling references and, if requested, objects with
	 * duplicate ids
	 */
	HP_PASS_FIND,
	/*
	 * The severity of dangling elements of an Object[] depends on whether
	 * something refers to the array. Find out for which arrays this is the
	 * case.
	 */
	HP_PASS_MARK,
	/*
	 * report the dangling elements of the arrays for which HP_PASS_MARK was
	 * run
	 */
	HP_PASS_FINISH,
};

/**
 * hp_references_locate_holders() - run one further pass over a dump
 * @doubles: also look for objects with duplicate ids
 * @src:     the input, at its first byte
 *
 * Returns: HP_OK; HP_LIMIT if there are too many arrays with dangling elements
 * (see HP_PASS_MARK); errors of hp_scan().
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
 * Report the error at which decoding the sub-records of a record stopped.
 * @count is the element count of an array that is too long.
 */
void hp_reference_framing(const struct hp_references *r, struct hp_worker *out,
			  const struct hp_heap_iter *it, uint32_t count,
			  uint64_t record);

/*
 * Report an array that is as long as the format allows in a record, because the
 * program that wrote the dump has probably truncated it. Also report an array
 * that has more elements than Java allows.
 */
void hp_reference_length(const struct hp_references *r, struct hp_worker *out,
			 struct hp_sub s, const struct hp_run *run);

/*
 * For --level=framing: check the length of an array that is divided into
 * several pieces. Called for its first piece.
 */
void hp_reference_long_head(const struct hp_references *r,
			    struct hp_worker *out, const struct hp_run *run);

/* ----------------------------------------------------------------------
 * Keep pending references: references to objects that were not read yet
 */

/*
 * Whether pending references are kept at all. If so, call
 * hp_reference_begin_pending() before each batch, and
 * hp_reference_end_pending() after it, with the offset at which the batch ends
 * as @read. In between, hp_reference_keep_pending() keeps a reference, unless
 * its target was already read. At the end of the batch, the kept references are
 * appended to r->pending. If that list becomes too long, it is freed, and
 * r->pending_lost is set.
 */
static inline bool
hp_reference_keeps_pending(const struct hp_references *r)
{
	return r->once || r->o.slow_again;
}
void hp_reference_keep_pending(struct hp_reference_worker *w,
			       const struct hp_pending_reference *o);
void hp_reference_begin_pending(struct hp_references *r,
				struct hp_reference_worker *w);
void hp_reference_end_pending(struct hp_references *r,
			      struct hp_reference_worker *w, uint64_t read);
void hp_pending_list_clear(struct hp_pending_list *list);

/* ----------------------------------------------------------------------
 * Evaluate the passes over the references of a dump
 */

/*
 * Finish the sets of ids of a window (a range of ids): merge the sets of all
 * workers, and add the ids of the classes. @first: also count and report the
 * references to ids of this window, because no earlier call did. Returns HP_OK,
 * HP_NOMEM or HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_references_window_end(struct hp_references *r,
						    struct hp_worker *out,
						    bool first,
						    struct hp_error *err);

/*
 * Report the static fields that refer to missing objects. Called when the sets
 * of ids of all windows (ranges of ids) are finished.
 */
void hp_references_statics(struct hp_references *r, struct hp_worker *out);

/*
 * Whether the program that wrote the dump normally leaves out objects to which
 * this array refers. Then the findings are only informational.
 */
bool hp_reference_may_be_habit(const struct hp_references *r,
			       const struct hp_tables *t,
			       const struct hp_pending_reference *o);

/*
 * Report one reference to a missing object. Called when the sets of ids are
 * finished.
 */
void hp_reference_dangles(const struct hp_references *r,
			  const struct hp_tables *tables, struct hp_worker *w,
			  const struct hp_pending_reference *o);

/* ----------------------------------------------------------------------
 * Whether an object may be an element of an array
 *
 * The required type of the elements follows from the name of the array's class.
 * Several loaders may have a class of the same name, and the dump does not say
 * which of them is the element class of an array class. So classes are compared
 * by name here. The format also does not say which classes are interfaces. A
 * class that has instances, fields or subclasses is not an interface. If the
 * dump does not contain enough information to decide, the answer is "unknown".
 */

/*
 * The kind of an object: a number of 32 bits that stands for its type. 0: the
 * type is unknown. For an array of primitives, the kind is HP_KIND_PRIMITIVE
 * plus the element type; for all other objects, it is 1 + the index of the
 * class.
 */
#define HP_KIND_PRIMITIVE 0x80000000u

enum hp_fit {
	HP_FIT_UNKNOWN,
	HP_FIT_YES,
	/*
	 * The object cannot be an element of the array: only one of the two
	 * types is an array type, or their numbers of dimensions differ.
	 */
	HP_FIT_OTHER_KIND,
	/*
	 * the class of the object is neither the element class of the array nor
	 * a subclass of it
	 */
	HP_FIT_OTHER_CLASS,
};

/*
 * approximate memory for each class in bytes, including the hash map of names
 */
enum { HP_GRAPH_TYPES_BYTES = 60 };

struct hp_graph_type;
struct hp_graph_name;

struct hp_graph_types {
	const struct hp_classes *classes;
	/* for each class: the type of its instances */
	struct hp_graph_type *types;
	/*
	 * for each class: 1 + the index of the next class with the same name;
	 * 0: there is none
	 */
	uint32_t *next;
	/* for each class: whether it is certainly not an interface */
	bool *concrete;
	/* the names of all classes that are not arrays */
	struct hp_graph_name *names;
	size_t nnames;
	/*
	 * maps the hash of a class name to 1 + the index of the name in the
	 * array `names`
	 */
	struct hp_id_map name_at;
	uint64_t seed;
};

/**
 * hp_graph_types_init() - derive the types of all classes of a dump
 * @r: its classes are complete, and the class uses (struct hp_class_use) of all
 *     workers are merged
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
 * Whether arrays of the class with the index @array may contain objects of any
 * class. Also true if the type of their elements is unknown.
 */
bool hp_graph_fits_all(const struct hp_graph_types *t, uint32_t array);

/*
 * Whether an object of the type @kind (a number, see HP_KIND_PRIMITIVE) may be
 * an element of an array of the class with the index @array.
 */
enum hp_fit hp_graph_fits(const struct hp_graph_types *t, uint32_t array,
			  uint32_t kind);

#endif
