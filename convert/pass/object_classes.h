/*
 * object_classes.h - a table that maps the id of each object to its class
 *
 * Two passes build it. The first pass collects the ids of all objects. The
 * second pass stores the class of each object as a number, which takes two or
 * four bytes for each object (see common/ids/id_table.h). If ids occur more
 * than once, a third pass finds the first dump of each such id. Its class is
 * the one that counts.
 */
#ifndef HP_CONVERT_PASS_OBJECT_CLASSES_H
#define HP_CONVERT_PASS_OBJECT_CLASSES_H

#include "convert/pass/dump_tables.h"
#include "convert/pass/name_cache.h"

struct hp_object_classes {
	const struct hp_name_cache *naming;
	unsigned id_size, threads;
	/* object id -> kind, see object_classes.c */
	struct hp_dump_tables tables;
	struct hp_name *names; /* names of the kinds, indexed by kind */
	/*
	 * One map for each table: id that occurs more than once -> offset of
	 * its first dump, which is the one that counts.
	 */
	struct hp_id_map *repeated;
	/* protects these maps, and the adding of ids, during the passes */
	pthread_mutex_t lock;
	/* memory of these maps in bytes, and its limit */
	uint64_t repeated_bytes, repeated_most;
	/* some id occurs more than once */
	bool repeats;
	struct hp_object_classes_lookup
		/* lookup caches, one for each worker, used during the passes */
		*looks;
	/* the memory did not suffice, and the class of no object is known */
	bool limited;
};

/* The reason why @k is limited, for a message. */
static inline const char *
hp_object_classes_limit(const struct hp_object_classes *k)
{
	return k->tables.crowded
		       ? "the file has too many dumps for its size; select "
			 "one with --dump"
		       : "--memory is too small for the classes of all "
			 "objects";
}

/* The access of one thread to the table. Zeroed at first, except @kinds. */
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
 *          is set and the class of no object is known.
 *
 * Returns: HP_OK; HP_IO; HP_LIMIT; HP_NOMEM. Release @k in any case.
 */
HP_MUST_USE enum hp_status
hp_object_classes_run(struct hp_object_classes *k,
		      const struct hp_name_cache *naming, struct hp_source *src,
		      unsigned threads, uint64_t memory, struct hp_error *err);
void hp_object_classes_release(struct hp_object_classes *k);

/* Select the dump whose ids the following calls mean. */
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
 * @id. Always true if the table is limited, because then this is not known.
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

/* Prefetch memory for a later call with the same @id. */
void hp_object_classes_prefetch(struct hp_object_classes_lookup *l,
				uint64_t id);

/* Whether @id is the id of a class of the selected dump. */
bool hp_object_classes_is_class(const struct hp_object_classes_lookup *l,
				uint64_t id);

#endif
