/*
 * references_state.h - what the passes over a dump's references know, and each
 * of their workers
 */
#ifndef HP_VALIDATE_REFERENCES_REFERENCES_STATE_H
#define HP_VALIDATE_REFERENCES_REFERENCES_STATE_H

#include "common/format/batch.h"
#include "common/model/classes.h"
#include "common/ids/id_set.h"
#include "common/model/tables.h"
#include "validate/references/batch_granules.h"
#include "validate/references/duplicate_ids.h"
#include "validate/references/reference_totals.h"
#include "validate/worker.h"

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
	/* bytes of both lists when the last batch began, for other workers */
	_Atomic uint64_t pending_bytes;
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
	bool once;		  /* it is not read a second time */
	struct hp_start place;	  /* where the dump's heap begins */
	bool begun;		  /* classes and sets are there */
	bool settled;		  /* something dangles, all of it kept aside */
	atomic_bool pending_lost; /* by any worker: then it cannot be settled */
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

#endif
