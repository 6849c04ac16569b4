/*
 * references_internal.h - what references*.c, id_window_passes.c and
 * locate_holders.c share
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_INTERNAL_H
#define HP_VALIDATE_REFERENCES_REFERENCES_INTERNAL_H

#include "validate/references/batch_granules.h"
#include "validate/references/duplicate_ids.h"
#include "validate/references/references.h"

enum { HP_USE_NEAR = 1024 };

/* A reference whose target was not defined yet; see references_pending.c. */
struct hp_pending_reference {
	uint64_t id;	 /* the target */
	uint64_t offset; /* of the holder's sub-record */
	uint64_t holder; /* its class */
	uint64_t index, record;
	uint64_t object; /* the holder's id */
	uint32_t place;
};

/* An instance of java.lang.Class or of a thread, in a worker's arena. */
struct hp_kept_object {
	uint64_t class_id, offset, record;
};

struct hp_reference_worker {
	struct hp_id_worker *ids;
	unsigned id_size;
	struct hp_class_cache classes;
	/* by class id; never NULL once begun */
	struct hp_class_use *near[HP_USE_NEAR];
	struct hp_id_map use_by_class; /* to struct hp_class_use * */
	struct hp_arena arena;	       /* of the uses */
	struct hp_id_map kept; /* object id to struct hp_kept_object * */
	uint64_t fields, null; /* references, null ones with them */
	struct hp_first_seen unaligned;
	uint64_t unaligned_id;
	struct hp_pending_reference *open;
	size_t nopen, open_cap;
	bool open_lost;		      /* some did not fit */
	struct hp_duplicates objects; /* of a pipe: all, for doubles */
};

/*
 * The ids of classes with one name, never 0: those loaded last. More than a few
 * no sound file has, and an input may not ask for more room than that.
 */
enum { HP_KNOWN_CLASSES_MOST = 8 };

struct hp_known_classes {
	uint64_t ids[HP_KNOWN_CLASSES_MOST];
	unsigned count;
};

static inline bool
hp_known_class(const struct hp_known_classes *k, uint64_t id)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->ids[i] == id)
			return true;
	return false;
}

struct hp_references {
	struct hp_references_options o;
	struct hp_classes classes;
	struct hp_id_sets sets;
	struct hp_reference_worker *workers;
	struct hp_reference_totals totals;
	/* java.lang.Thread, java.lang.Class */
	struct hp_known_classes thread_classes, class_classes;
	size_t looked;	  /* loads that were looked at for them */
	bool kin_unknown; /* what some instances descend from is not known */
	bool permanent;	  /* a HotSpot with a permanent generation */
	unsigned dump;
	bool once;	       /* it is not read a second time */
	struct hp_start place; /* where the dump's heap begins */
	bool begun;	       /* classes and sets are there */
	bool settled;	       /* something dangles, all of it kept aside */
	/* for locate_holders.c */
	struct hp_batch_granules granules;
	struct hp_id_map duplicates; /* ids to find: 1 */
	struct hp_id_map twins; /* ids of a class and of an object to find */
	/* with windows: Object[] with dangling elements; 1: referred to */
	struct hp_id_map holders;
	uint64_t *rooted; /* ids that roots name, in order */
	size_t nrooted;
	bool jni_globals; /* among them */
};

/**
 * hp_references_rescan() - show the dump's batches once more (rescan.c)
 * @src:    at its first byte
 * @wanted: see struct hp_pass; NULL: all are
 *
 * Returns: what hp_scan() and @batch return.
 */
HP_MUST_USE enum hp_status
hp_references_rescan(const struct hp_references *r, struct hp_source *src,
		     enum hp_status (*batch)(void *ctx, struct hp_batch *b,
					     struct hp_error *err),
		     bool (*wanted)(void *ctx, const struct hp_batch *b),
		     void *ctx, struct hp_error *err);

/* What one more pass is for. */
enum hp_pass_job {
	HP_PASS_FILL,	/* the sets of a window */
	HP_PASS_FIND,	/* what dangles; doubles, if they are wanted */
	HP_PASS_MARK,	/* which of the holders are referred to */
	HP_PASS_FINISH, /* what dangles in the holders */
};

/**
 * hp_references_locate_holders() - one more pass over a dump (locate_holders.c)
 * @src: at its first byte
 *
 * Returns: HP_OK; HP_LIMIT: too many holders; what hp_scan() returns.
 */
HP_MUST_USE enum hp_status
hp_references_locate_holders(struct hp_references *r, enum hp_pass_job job,
			     bool doubles, struct hp_source *src,
			     const struct hp_tables *tables,
			     struct hp_worker *into, struct hp_error *err);

/* A window is done: merge, add classes; @first: findings and counts, too. */
HP_MUST_USE enum hp_status hp_references_window_end(struct hp_references *r,
						    struct hp_worker *out,
						    bool first,
						    struct hp_error *err);

/* Static fields that dangle; all windows are done. */
void hp_references_statics(struct hp_references *r, struct hp_worker *out);

/* Might the elements of this array dangle out of habit? */
bool hp_reference_may_be_habit(const struct hp_references *r,
			       const struct hp_tables *t,
			       const struct hp_pending_reference *o);

/* What a finding about a sub-record begins with. */
struct hp_finding hp_reference_finding(const struct hp_references *r,
				       enum hp_rule rule, uint64_t offset,
				       uint64_t record, uint8_t tag);

/* Why a run's sub-records end before it does; @count: of a too long array. */
void hp_reference_framing(const struct hp_references *r, struct hp_worker *out,
			  const struct hp_heap_iter *it, uint32_t count,
			  uint64_t record);

/* Of a very long array: does it fill its record, does Java allow so many? */
void hp_reference_length(const struct hp_references *r, struct hp_worker *out,
			 struct hp_sub s, const struct hp_run *run);

/* The first run of an array in pieces: all that framing wants of it. */
void hp_reference_long_head(const struct hp_references *r,
			    struct hp_worker *out, const struct hp_run *run);

/*
 * Keep an object by its id (class_object_conflicts.c). Of one that is dumped
 * several times that stays which is no java.lang.Class, then the first one,
 * whoever meets them in which order. Returns false without memory.
 */
HP_MUST_USE bool hp_reference_keep(const struct hp_references *r,
				   struct hp_reference_worker *w, uint64_t id,
				   struct hp_kept_object *kept);

/*
 * Uses of classes (class_uses.c).
 */

/* No class was used; for an id size of 4 or 8. */
void hp_reference_uses_init(struct hp_reference_worker *w, unsigned id_size);
/* hp_reference_class_use() of a class that is not in its slot. */
struct hp_class_use *hp_reference_use_far(struct hp_reference_worker *w,
					  uint64_t id);

/* Where a worker looks for the use of a class first. */
static inline struct hp_class_use **
hp_reference_use_slot(struct hp_reference_worker *w, uint64_t id)
{
	return &w->near[(id >> 3) & (HP_USE_NEAR - 1)];
}

/* The use of a class by this worker; NULL without memory. */
static inline struct hp_class_use *
hp_reference_class_use(struct hp_reference_worker *w, uint64_t id)
{
	struct hp_class_use *use = *hp_reference_use_slot(w, id);

	return HP_LIKELY(use->known && use->class_id == id)
		       ? use
		       : hp_reference_use_far(w, id);
}

/* The layout of a class in use, looked up once it may be used; or NULL. */
const struct hp_class *hp_reference_resolve_use(struct hp_references *r,
						struct hp_reference_worker *w,
						struct hp_class_use *use);

/**
 * hp_class_object_conflicts_note() - an id is that of a class and of an object
 * (class_object_conflicts.c)
 * @kept: the object, NULL: its place is to be found
 *
 * Returns: false without memory.
 */
HP_MUST_USE bool hp_class_object_conflicts_note(
	struct hp_references *r, const struct hp_class *c,
	const struct hp_kept_object *kept, struct hp_worker *out);

/* The objects of @l, which have the ids noted; lost: their places are not
 * known. Sorts the list. */
void hp_class_object_conflicts_report(const struct hp_references *r,
				      const struct hp_tables *tables,
				      struct hp_duplicates *l,
				      struct hp_worker *out);

/* Is it java.lang.Class's name? */
static inline bool
hp_reference_is_class_class(const struct hp_string *name)
{
	return hp_string_is(name, "java/lang/Class", "java.lang.Class");
}

/*
 * Classes known by their names (known_classes.c): as far as loaded by now. A
 * load is looked at once, however many dumps there are.
 */
void hp_reference_find_classes(struct hp_references *r,
			       const struct hp_tables *t);
/* The CLASS DUMP of java.lang.Class; NULL: none. */
const struct hp_class *hp_reference_class_class(const struct hp_references *r);

/*
 * References that are kept aside (references_pending.c): are they? Keep one,
 * unless its target is there; give up what was kept if it is too much, with
 * @read bytes of the dump behind the worker.
 */
static inline bool
hp_reference_keeps_pending(const struct hp_references *r)
{
	return r->once || r->o.slow_again;
}
void hp_reference_keep_pending(struct hp_reference_worker *w,
			       const struct hp_pending_reference *o);
void hp_reference_release_pending(const struct hp_references *r,
				  struct hp_reference_worker *w, uint64_t read);

/* A finding about one dangling reference; after the sets are finished. */
void hp_reference_dangles(const struct hp_references *r,
			  const struct hp_tables *tables, struct hp_worker *w,
			  const struct hp_pending_reference *o);

#endif
