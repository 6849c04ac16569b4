/*
 * references_state.h - the state of checking references, shared and per worker
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

#endif
