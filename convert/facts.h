/*
 * facts.h - what the proof knows of layouts and names
 *
 * Filled by the proof's own decoder in a pass of its own, so that the proof
 * does not believe the tables that the strip believed. Layouts are kept per
 * heap dump: one id may have different ones in two dumps of a file.
 */
#ifndef HP_CONVERT_FACTS_H
#define HP_CONVERT_FACTS_H

#include "common/model/arena.h"
#include "common/model/id_map.h"

struct hp_fact_class {
	uint64_t super;
	size_t first; /* of its types in hp_facts.types */
	uint32_t count;
	/* the nearest class above with fields: index + 1; 0 none; BROKEN */
	uint32_t up;
};

#define HP_FACT_BROKEN UINT32_MAX

struct hp_fact_dump {
	unsigned dump;		/* its number, from 1 */
	struct hp_id_map by_id; /* index + 1 in classes */
	struct hp_fact_class *classes;
	size_t count, cap;
};

struct hp_facts {
	struct hp_fact_dump *dumps; /* those with classes, ascending */
	size_t ndumps, dumps_cap;
	uint8_t *types; /* of all classes' own fields */
	size_t ntypes, types_cap;
	struct hp_id_map names; /* ids of strings that name something */
	bool open;		/* the class begun last takes fields */
	bool failed;		/* out of memory */
};

void hp_facts_release(struct hp_facts *f);

/* A class dump; the first of an id in its dump counts. */
void hp_facts_class(struct hp_facts *f, unsigned dump, uint64_t id,
		    uint64_t super);
/* A field of it. */
void hp_facts_field(struct hp_facts *f, uint8_t type);
/* A string that names something. */
void hp_facts_name(struct hp_facts *f, uint64_t id);

/**
 * hp_facts_end() - all is told: link the classes
 *
 * Returns: HP_OK; HP_NOMEM, also for a failure before.
 */
HP_MUST_USE enum hp_status hp_facts_end(struct hp_facts *f,
					struct hp_error *err);

/* The dump's classes; NULL if it has none. */
const struct hp_fact_dump *hp_facts_dump(const struct hp_facts *f,
					 unsigned dump);
const struct hp_fact_class *hp_facts_find(const struct hp_fact_dump *d,
					  uint64_t id);

#endif
