/*
 * kinds.h - the class of every object of a dump, by the object's id
 *
 * Two passes: which ids there are, then a number for the class of each; two
 * or four bytes an object beside the set (common/model/id_table.h).
 */
#ifndef HP_CONVERT_KINDS_H
#define HP_CONVERT_KINDS_H

#include "common/model/id_table.h"
#include "convert/naming.h"

struct hp_kinds_dump;

struct hp_kinds {
	const struct hp_naming *naming;
	unsigned id_size, threads;
	struct hp_kinds_dump *dumps; /* one for each dump with classes */
	struct hp_name *names;	     /* of the kinds */
	struct hp_kinds_look *looks; /* of the passes; one a worker */
	bool limited;		     /* memory did not suffice: none is known */
};

/* A worker's way to look; zeroed at first. */
struct hp_kinds_look {
	const struct hp_kinds *kinds;
	unsigned number; /* of the dump that is looked at; 0: none yet */
	struct hp_kinds_dump *dump;
	struct hp_rank_near near;
};

/**
 * hp_kinds_run() - two passes over @src, which is rewound before each
 * @k:      zeroed
 * @naming: borrowed, with its survey
 * @memory: that the tables may take; with less than they need k->limited is
 *          set, and no object's class will be known
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM. Release it in any case.
 */
HP_MUST_USE enum hp_status hp_kinds_run(struct hp_kinds *k,
					const struct hp_naming *naming,
					struct hp_source *src, unsigned id_size,
					unsigned threads, uint64_t memory,
					struct hp_error *err);
void hp_kinds_release(struct hp_kinds *k);

/* From now on ids are those of this dump. */
void hp_kinds_turn_to(struct hp_kinds_look *l, unsigned dump);

/* The name of the class of the object @id; data NULL: not known. */
struct hp_name hp_kinds_name(struct hp_kinds_look *l, uint64_t id);

/* It will be asked about @id: fetch some of what that needs. */
void hp_kinds_fetch(struct hp_kinds_look *l, uint64_t id);

/* Is @id a class of the dump? */
bool hp_kinds_is_class(const struct hp_kinds_look *l, uint64_t id);

#endif
