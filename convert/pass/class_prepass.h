/*
 * class_prepass.h - a prepass that collects the classes of each dump, the
 * strings that name, and what tells how objects lie in memory
 *
 * For conversions that have to know them before they meet what depends on
 * them: instances may stand before their class.
 */
#ifndef HP_CONVERT_PASS_CLASS_PREPASS_H
#define HP_CONVERT_PASS_CLASS_PREPASS_H

#include "common/format/pass.h"
#include "common/model/classes.h"
#include "common/model/dialect.h"
#include "common/ids/id_map.h"
#include "common/model/size_model.h"
#include "common/model/tables.h"

struct hp_prepass_dump {
	unsigned dump; /* from 1 */
	struct hp_classes classes;
	/* by a class's index: the nearest class above it with fields */
	const struct hp_class **above;
};

struct hp_prepass {
	/* set by the caller: find the layout, fill the tables, gather what
	   tells the dialect, too */
	bool want_layout, want_tables, want_evidence;
	unsigned dump; /* the only dump to look at; 0: all. All passes after
			* this one look at the same */
	/* and what all of it may take; 0: any */
	uint64_t memory;
	uint64_t bytes; /* that it took */
	struct hp_header header;
	struct hp_prepass_dump **dumps; /* those with classes, ascending */
	size_t ndumps, cap;
	unsigned begun;			/* dumps in the file */
	unsigned first_dump, last_dump; /* those with sub-records; 0: none */
	struct hp_id_map names;		/* ids of strings that name something;
					   never 0 */
	struct hp_id_map heaps;		/* Android heap: the id of its name */
	uint64_t overflow_at, overflow_body; /* a record beyond 4 GB; or 0 */
	struct hp_tables tables;
	struct hp_size_model layout;
	uint64_t id_bits; /* with the layout: "or" of all objects' ids */
	/* but for what classes tell; instances are not counted */
	struct hp_dialect_evidence evidence;
};

/**
 * hp_prepass_run() - read all of @src
 * @s:    zeroed but for what is wanted
 * @also: another pass to be made in the same scan, see scan_two.h; or NULL
 *
 * Problems of the dump are not looked at: the pass that converts does. But
 * where there is no header, or at the end something is wrong with the
 * compression, or the text that the dump is made of, this is told first: of the
 * part that could be read, what would be said instead might be wrong.
 *
 * Returns: HP_OK; HP_IO, HP_NOMEM; HP_LIMIT: @src's limits, or what is found
 *          takes more than s->memory; HP_DAMAGED; HP_UNSUPPORTED: there is no
 *          dump s->dump.
 */
HP_MUST_USE enum hp_status
hp_prepass_run(struct hp_prepass *s, struct hp_source *src, unsigned threads,
	       const struct hp_pass *also, struct hp_error *err);

void hp_prepass_release(struct hp_prepass *s);

/* Who wrote the file, as far as classes and the evidence, which was wanted,
 * tell it. */
enum hp_dialect hp_prepass_dialect(const struct hp_prepass *s);

/* The dump's place in s->dumps; s->ndumps if it has no class. */
size_t hp_prepass_place(const struct hp_prepass *s, unsigned dump);
/* NULL if the dump has no class. */
struct hp_prepass_dump *hp_prepass_dump(const struct hp_prepass *s,
					unsigned dump);

/* The classes of one dump, for one thread. Zeroed: of none. */
struct hp_dump_classes {
	unsigned number;	      /* of the dump; 0: none yet */
	struct hp_prepass_dump *dump; /* NULL: it has no class */
	struct hp_class_cache cache;
};

/* From now on, classes are those of dump @number. */
static inline void
hp_dump_classes_select(struct hp_dump_classes *c, const struct hp_prepass *s,
		       unsigned number)
{
	if (HP_LIKELY(c->number == number))
		return;
	c->number = number;
	c->dump = hp_prepass_dump(s, number);
	c->cache = (struct hp_class_cache){0};
}

/* The class with its layout, as hp_classes_layout(); NULL: it is not there. */
static inline const struct hp_class *
hp_dump_classes_layout(struct hp_dump_classes *c, uint64_t id)
{
	return c->dump ? hp_classes_layout(&c->dump->classes, &c->cache, id)
		       : NULL;
}

/* The first class dump of the class @id; NULL: there is none. */
static inline const struct hp_class *
hp_dump_classes_get(const struct hp_dump_classes *c, uint64_t id)
{
	return c->dump ? hp_classes_get(&c->dump->classes, id) : NULL;
}

static inline const struct hp_class *
hp_prepass_above(const struct hp_prepass_dump *d, const struct hp_class *k)
{
	return d->above[k->index];
}

#endif
