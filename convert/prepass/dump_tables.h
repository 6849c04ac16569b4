/*
 * dump_tables.h - tables for each dump of a file: names, classes and the
 * objects by id
 */
#ifndef HP_CONVERT_PASS_DUMP_TABLES_H
#define HP_CONVERT_PASS_DUMP_TABLES_H

#include "common/base/buf.h"
#include "common/format/reader.h"
#include "common/object_ids/id_ranks.h"
#include "convert/prepass/class_prepass.h"

#include <pthread.h>

/* ----------------------------------------------------------------------
 * Filter out the heap records of dumps that were not chosen
 *
 * A file can hold several heap dumps. --dump=N selects one by its number.
 */

struct hp_chosen_dump {
	/* number of the chosen dump, from 1; 0: all dumps are chosen */
	unsigned dump;
	/*
	 * number of the dump that has begun but whose HEAP DUMP END has not
	 * been read yet; 0: there is none
	 */
	unsigned last;
};

/*
 * Whether the caller must skip @rec, because it is a heap record or the HEAP
 * DUMP END of a dump that was not chosen. All other records belong to every
 * dump. Call this for all records in file order, because the result depends on
 * earlier records.
 */
static inline bool
hp_chosen_dump_skips(struct hp_chosen_dump *c, const struct hp_record *rec)
{
	unsigned last = c->last;

	if (rec->tag == HP_REC_HEAP_DUMP ||
	    rec->tag == HP_REC_HEAP_DUMP_SEGMENT)
		last = c->last = rec->dump;
	else if (rec->tag == HP_REC_HEAP_DUMP_END)
		c->last = 0;
	else
		return false;
	return c->dump != 0 && last != 0 && last != c->dump;
}

/* ----------------------------------------------------------------------
 * A cache of the escaped names of classes and fields
 *
 * Each name is escaped once, by the rules of the output format. Equal names
 * share their bytes.
 */

/* An escaped name, ready for output. data is NULL if there is no such name. */
struct hp_name {
	const char *data;
	size_t length;
};

struct hp_planned_field {
	/*
	 * name of the class that declares this field, set only if a subclass
	 * has a field with the same name; otherwise its data is NULL
	 */
	struct hp_name owner;
	struct hp_name key; /* name of the field, escaped */
	uint8_t type, width;
	/*
	 * If several fields of the instance have the same owner and key: 2 for
	 * the second of these fields, 3 for the third, and so on. 0 for the
	 * first of them, and for all other fields.
	 */
	uint32_t number;
};

/*
 * The plan of a class: a list of the fields that an instance has, in the order
 * of their bytes in the dump.
 */
struct hp_field_plan {
	uint32_t count;
	struct hp_planned_field fields[];
};

typedef void hp_escape_fn(struct hp_buf *b, const void *text, size_t len);

struct hp_name_cache {
	const struct hp_prepass *prepass;
	hp_escape_fn *escape;
	struct hp_arena arena;
	/*
	 * maps a class id to the escaped name of the class, a struct hp_name *
	 */
	struct hp_id_map classes;
	/*
	 * maps the string id of a class name to the escaped name, a struct
	 * hp_name *
	 */
	struct hp_id_map texts;
	pthread_mutex_t lock; /* protects `plans`, `fields` and `arena` */
	/*
	 * maps the string id of a field name to the escaped name, a struct
	 * hp_name *
	 */
	struct hp_id_map fields;
	/*
	 * maps a struct hp_class * to the list of the fields of its instances,
	 * a struct hp_field_plan *
	 */
	struct hp_id_map plans;
	/*
	 * for classes without a name: maps the class id to a substitute name, a
	 * struct hp_name *
	 */
	struct hp_id_map owners;
	/* maps the hash of an escaped name to that name, a struct hp_name * */
	struct hp_id_map by_hash;
	/* size of all plans (lists of fields) in the cache, in bytes */
	uint64_t plan_bytes;
	/* limit for plan_bytes, in bytes; set by the caller */
	uint64_t plan_most;
	/*
	 * limit for the size of a single plan (list of fields) that does not
	 * fit into the cache, in bytes; set by the caller
	 */
	uint64_t own_most;
};

/**
 * hp_name_cache_init() - build the names of all loaded classes, as in Java
 * source
 * @prepass: hp_prepass_run() was called for it, with want_tables set; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_name_cache_init(struct hp_name_cache *n,
					      const struct hp_prepass *prepass,
					      hp_escape_fn *escape,
					      struct hp_error *err);
void hp_name_cache_release(struct hp_name_cache *n);

/*
 * Returns the name of the class @id. Its data is NULL if the class has no name.
 * Any thread may call this.
 */
struct hp_name hp_name_cache_class(const struct hp_name_cache *n, uint64_t id);

/*
 * Returns the escaped name of a field, given the id of its STRING. All fields
 * with this STRING share the result. If the STRING is missing, the name is its
 * id as "0x...". Returns NULL if out of memory. The caller holds the lock.
 */
const struct hp_name *hp_name_cache_field(struct hp_name_cache *n,
					  uint64_t string);

/*
 * Append the escaped text of the STRING with the id @string. Returns false if
 * it is missing. Any thread may call this.
 */
bool hp_name_cache_string(const struct hp_name_cache *n, uint64_t string,
			  struct hp_buf *out);

/*
 * Append the name of a field as "name", "Owner.name" or "Owner.name#2", so that
 * all fields of an instance have different names.
 */
void hp_planned_field_name(const struct hp_planned_field *f,
			   struct hp_buf *out);

/*
 * Finds the plans of classes (the lists of their fields) for one thread, and
 * caches the last plan. Initially zeroed.
 */
struct hp_field_plans {
	struct hp_dump_classes classes;
	const struct hp_class *class;
	/*
	 * the plan of `class`; valid until the next call of
	 * hp_field_plans_find()
	 */
	const struct hp_field_plan *plan;
	/*
	 * a plan that is too large for the cache; finally the caller frees it
	 */
	struct hp_field_plan *own;
};

/**
 * hp_field_plans_find() - return the plan of the class @k, that is, the fields
 * of its instance @s
 * @k: a class of the dump that p->classes has selected;
 *     hp_instance_decodable(@k, @s) is true
 *
 * The name of a field includes its class if a field of a subclass hides it, or
 * if one class declares several fields with this name, as in obfuscated
 * programs. The plan of a class includes all inherited fields, so a few hostile
 * classes could have very large plans. A plan beyond the limit is therefore not
 * cached but rebuilt in p->own. Rebuilding a plan takes no longer than reading
 * the instance.
 * Returns: the plan, valid until the next call; NULL with HP_LIMIT in @err if
 *          the plan does not fit in memory.
 */
const struct hp_field_plan *
hp_field_plans_find(struct hp_field_plans *p, struct hp_name_cache *n,
		    unsigned id_size, const struct hp_class *k,
		    const struct hp_sub *s, struct hp_error *err);

/* ----------------------------------------------------------------------
 * For each dump that has classes: a table of its objects by id
 * (common/object_ids/id_ranks.h)
 */

struct hp_dump_tables {
	const struct hp_prepass *prepass;
	/*
	 * the table of each dump, in the order of prepass->dumps; NULL: there
	 * are no tables
	 */
	struct hp_id_table *list;
	/*
	 * there are no tables, because the file has too many dumps for its size
	 */
	bool crowded;
};

/**
 * hp_dump_tables_init() - create an empty table for each dump with classes
 * @t: zeroed
 * @prepass: hp_prepass_run() was called for it, with want_tables set; borrowed
 * @src: the input, whose size limits the memory
 * @memory: limit for the memory of all tables, in bytes. Threads share the
 *          tables, so whether the tables fit does not depend on the number of
 *          threads.
 * @what: the purpose of the tables; the error message begins with this text
 *
 * Returns: HP_OK; HP_LIMIT: too many dumps for the memory; HP_NOMEM. Release @t
 *          in any case.
 */
HP_MUST_USE enum hp_status
hp_dump_tables_init(struct hp_dump_tables *t, const struct hp_prepass *prepass,
		    const struct hp_source *src, uint64_t memory,
		    const char *what, struct hp_error *err);
void hp_dump_tables_release(struct hp_dump_tables *t);

/*
 * Call this after the last id was added, and before values are stored for the
 * ids. Returns the same statuses as hp_id_table_settle().
 */
HP_MUST_USE enum hp_status hp_dump_tables_settle(struct hp_dump_tables *t,
						 uint64_t most,
						 struct hp_error *err);

/*
 * Number of ids that a thread collects before it takes the lock and adds them
 * to the table.
 */
enum { HP_DUMP_TABLE_IDS = 512 };

/*
 * The dump that a thread reads, and the table of this dump. Initially zeroed.
 */
struct hp_dump_table {
	/* number of the selected dump; 0: none is selected yet */
	unsigned dump;
	size_t place; /* index of the dump in prepass->dumps */
	/* table of the selected dump; NULL: it has none */
	struct hp_id_table *table;
	struct hp_rank_near near;
	/* number of ids in `ids`; they are not yet added to the table */
	size_t count;
	uint64_t ids[HP_DUMP_TABLE_IDS];
};

/* The slow case of hp_dump_table_select(): select another dump. */
void hp_dump_table_change(struct hp_dump_table *at,
			  const struct hp_dump_tables *t, unsigned dump);

/* Select the dump to which the ids in the following calls belong. */
static inline void
hp_dump_table_select(struct hp_dump_table *at, const struct hp_dump_tables *t,
		     unsigned dump)
{
	if (HP_UNLIKELY(at->dump != dump))
		hp_dump_table_change(at, t, dump);
}

/*
 * Add the collected ids to the table. Call this after each batch (part) of the
 * dump. It takes @lock, which all threads share.
 */
void hp_dump_table_flush(struct hp_dump_table *at, pthread_mutex_t *lock);

/*
 * Collect @id, the id of an object of the selected dump. The dump must have a
 * table.
 */
static inline void
hp_dump_table_note(struct hp_dump_table *at, uint64_t id, pthread_mutex_t *lock)
{
	at->ids[at->count++] = id;
	if (HP_UNLIKELY(at->count == HP_DUMP_TABLE_IDS))
		hp_dump_table_flush(at, lock);
}

/* ----------------------------------------------------------------------
 * A table that maps the id of each object to its class
 *
 * Two passes over the dump build this table. The first pass collects the ids of
 * all objects. The second pass stores the class of each object as a number,
 * which takes two or four bytes for each object (see
 * common/object_ids/id_ranks.h). If several objects have the same id, a third
 * pass finds the first of them. The table has the class of this first object.
 */

struct hp_object_classes {
	const struct hp_name_cache *naming;
	unsigned id_size, threads;
	/*
	 * maps an object id to the number of its class ("kind", see
	 * object_classes.c)
	 */
	struct hp_dump_tables tables;
	/* for each kind (number of a class): the name of the class */
	struct hp_name *names;
	/*
	 * For each table: if several objects have the same id, maps this id to
	 * the file offset of the first of these objects. The table contains the
	 * class of this first object.
	 */
	struct hp_id_map *repeated;
	/* protects `repeated` and `tables` while the passes add ids */
	pthread_mutex_t lock;
	/* memory of the maps in `repeated`, and its limit, in bytes */
	uint64_t repeated_bytes, repeated_most;
	/* several objects have the same id */
	bool repeats;
	struct hp_object_classes_lookup
		/*
		 * for each thread: a cache for finding the classes of objects;
		 * used during the passes
		 */
		*looks;
	/* the memory limit was exceeded, so no classes of objects are known */
	bool limited;
};

/*
 * Returns the reason why the classes of objects are not known, as a text for a
 * message. Call this only if k->limited is true.
 */
static inline const char *
hp_object_classes_limit(const struct hp_object_classes *k)
{
	return k->tables.crowded
		       ? "the file has too many dumps for its size; select "
			 "one with --dump"
		       : "--memory is too small for the classes of all "
			 "objects";
}

/*
 * The data with which one thread looks up the classes of objects. Initially
 * zeroed, except @kinds.
 */
struct hp_object_classes_lookup {
	const struct hp_object_classes *kinds;
	struct hp_dump_table at;
};

/**
 * hp_object_classes_run() - build the table in passes over @src
 * @k: zeroed
 * @naming: names of the classes; borrowed, with its prepass
 * @src: rewound before each pass
 * @memory: limit for the tables, in bytes. If the tables need more, k->limited
 *          is set, and no classes of objects are known.
 *
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM. Release @k in any case.
 */
HP_MUST_USE enum hp_status
hp_object_classes_run(struct hp_object_classes *k,
		      const struct hp_name_cache *naming, struct hp_source *src,
		      unsigned threads, uint64_t memory, struct hp_error *err);
void hp_object_classes_release(struct hp_object_classes *k);

/* Select the dump to which the ids in the following calls belong. */
static inline void
hp_object_classes_select_dump(struct hp_object_classes_lookup *l, unsigned dump)
{
	hp_dump_table_select(&l->at, &l->kinds->tables, dump);
}

/*
 * Returns the name of the class of the object @id; its data is NULL if the
 * class is not known.
 */
struct hp_name hp_object_classes_name(struct hp_object_classes_lookup *l,
				      uint64_t id);

/*
 * Whether the dump has an object with this id, even if its class has no name.
 */
bool hp_object_classes_has(struct hp_object_classes_lookup *l, uint64_t id);

/*
 * Whether the object at @offset is the first one in the dump that has the id
 * @id. If k->limited is true, this is not known, and the result is true.
 */
static inline bool
hp_object_classes_is_first(const struct hp_object_classes_lookup *l,
			   uint64_t id, uint64_t offset)
{
	const uint64_t *first;

	if (HP_LIKELY(!l->kinds->repeats) || !l->at.table)
		return true;
	first = hp_id_map_get(&l->kinds->repeated[l->at.place], id);
	return !first || *first == offset;
}

/* Returns the name of the class of arrays of this primitive type. */
struct hp_name hp_object_classes_array(const struct hp_object_classes *k,
				       unsigned type);

/* Prefetch memory for a later call with this @id. */
void hp_object_classes_prefetch(struct hp_object_classes_lookup *l,
				uint64_t id);

/* Whether @id is the id of a class of the selected dump. */
bool hp_object_classes_is_class(const struct hp_object_classes_lookup *l,
				uint64_t id);

#endif
