/*
 * object_classes.h - a table of each object's class, by the object's id
 *
 * Two passes: which ids there are, then a number for the class of each; two
 * or four bytes an object beside the set (common/ids/id_table.h). One more if
 * ids were dumped more than once: where the first dump of each is, whose class
 * it has.
 */
#ifndef HP_CONVERT_PASS_OBJECT_CLASSES_H
#define HP_CONVERT_PASS_OBJECT_CLASSES_H

#include "convert/pass/dump_tables.h"
#include "convert/pass/name_cache.h"

struct hp_object_classes {
	const struct hp_name_cache *naming;
	unsigned id_size, threads;
	struct hp_dump_tables tables; /* the kinds of objects */
	struct hp_name *names;	      /* of the kinds */
	/* as the tables: ids that were dumped more than once, with the offset
	   of the first dump, which is the one that counts */
	struct hp_id_map *repeated;
	pthread_mutex_t lock; /* of these, and of noting ids, in the passes */
	uint64_t repeated_bytes, repeated_most; /* that they take, and may */
	bool repeats;				/* there are any */
	struct hp_object_classes_lookup
		*looks; /* of the passes; one a worker */
	bool limited;	/* memory did not suffice: none is known */
};

/* Why they are limited, for a message. */
static inline const char *
hp_object_classes_limit(const struct hp_object_classes *k)
{
	return k->tables.crowded
		       ? "the file has too many dumps for its size; select "
			 "one with --dump"
		       : "--memory is too small for the classes of all "
			 "objects";
}

/* A worker's way to look; zeroed at first. */
struct hp_object_classes_lookup {
	const struct hp_object_classes *kinds;
	struct hp_dump_table at;
};

/**
 * hp_object_classes_run() - two passes over @src, which is rewound before each
 * @k:      zeroed
 * @naming: borrowed, with its prepass
 * @memory: that the tables may take; with less than they need k->limited is
 *          set, and no object's class will be known
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status
hp_object_classes_run(struct hp_object_classes *k,
		      const struct hp_name_cache *naming, struct hp_source *src,
		      unsigned threads, uint64_t memory, struct hp_error *err);
void hp_object_classes_release(struct hp_object_classes *k);

/* From now on ids are those of this dump. */
static inline void
hp_object_classes_select_dump(struct hp_object_classes_lookup *l, unsigned dump)
{
	hp_dump_table_select(&l->at, &l->kinds->tables, dump);
}

/* The name of the class of the object @id; data NULL: not known. */
struct hp_name hp_object_classes_name(struct hp_object_classes_lookup *l,
				      uint64_t id);

/* Is @id an object of the dump, whether its class has a name or not? */
bool hp_object_classes_has(struct hp_object_classes_lookup *l, uint64_t id);

/*
 * Is the dump of @id at @offset its first one? Where classes are limited that
 * is not known, and all are.
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

/* The name of an array class of that primitive type. */
struct hp_name hp_object_classes_array(const struct hp_object_classes *k,
				       unsigned type);

/* It will be asked about @id: fetch some of what that needs. */
void hp_object_classes_prefetch(struct hp_object_classes_lookup *l,
				uint64_t id);

/* Is @id a class of the dump? */
bool hp_object_classes_is_class(const struct hp_object_classes_lookup *l,
				uint64_t id);

#endif
