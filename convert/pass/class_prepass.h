/*
 * class_prepass.h - a first pass that collects classes, names and the layout
 *
 * The pass collects the classes of each dump, the ids of the strings that are
 * used as names, and hints at the sizes of objects in memory. Conversions need
 * them before they convert the first instance, because an instance may come
 * before its class in the file.
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
	unsigned dump; /* number of the dump, from 1 */
	struct hp_classes classes;
	/*
	 * indexed by hp_class.index: the nearest super class that declares
	 * fields; NULL if there is none
	 */
	const struct hp_class **above;
};

struct hp_prepass {
	/*
	 * Set by the caller: whether to detect the memory layout, to fill
	 * @tables, and to collect evidence about the writer of the file.
	 */
	bool want_layout, want_tables, want_evidence;
	/*
	 * Number of the only dump to read; 0: all. Later passes must choose the
	 * same.
	 */
	unsigned dump;
	/* limit for the memory of this struct, in bytes; 0: no limit */
	uint64_t memory;
	uint64_t bytes; /* memory in use, in bytes */
	struct hp_header header;
	/* dumps that have classes, ascending by number */
	struct hp_prepass_dump **dumps;
	size_t ndumps, cap;
	unsigned begun; /* number of dumps in the file */
	/* number of the first and the last dump with sub-records; 0: none */
	unsigned first_dump, last_dump;
	/*
	 * set of the ids of STRING records that other records use as a name;
	 * never has 0
	 */
	struct hp_id_map names;
	/* Android: heap number -> string id of its name */
	struct hp_id_map heaps;
	/*
	 * Offset and real body length of a heap record of 4 GB or more, whose
	 * length field wrapped; 0: none.
	 */
	uint64_t overflow_at, overflow_body;
	struct hp_tables tables;
	struct hp_size_model layout;
	/* bitwise or of all object ids; only with want_layout */
	uint64_t id_bits;
	/*
	 * evidence from records; hp_prepass_dialect() adds the evidence of the
	 * classes. Instances are not counted.
	 */
	struct hp_dialect_evidence evidence;
};

/**
 * hp_prepass_run() - read all of @src
 * @s: zeroed, apart from the members that the caller sets
 * @also: a second pass to run during the same scan, see scan_two.h; or NULL
 *
 * This pass ignores problems inside the dump, because the pass that converts
 * reports them. It does report a missing header, damaged compression, and
 * damage in a text input. These come first because they cause later problems,
 * whose messages would mislead.
 *
 * Returns: HP_OK; HP_IO; HP_NOMEM; HP_LIMIT: a limit of @src or s->memory was
 *          exceeded; HP_DAMAGED; HP_UNSUPPORTED: the file has no dump with the
 *          number s->dump.
 */
HP_MUST_USE enum hp_status
hp_prepass_run(struct hp_prepass *s, struct hp_source *src, unsigned threads,
	       const struct hp_pass *also, struct hp_error *err);

void hp_prepass_release(struct hp_prepass *s);

/*
 * Detect the program that wrote the file, from the collected evidence and the
 * classes. Needs want_evidence.
 */
enum hp_dialect hp_prepass_dialect(const struct hp_prepass *s);

/*
 * Returns the index of dump number @dump in s->dumps, or s->ndumps if that dump
 * has no class.
 */
size_t hp_prepass_place(const struct hp_prepass *s, unsigned dump);
/* Returns the entry of dump number @dump, or NULL if the dump has no class. */
struct hp_prepass_dump *hp_prepass_dump(const struct hp_prepass *s,
					unsigned dump);

/*
 * Looks up the classes of one dump, with a cache for one thread. Zeroed, it
 * refers to no dump.
 */
struct hp_dump_classes {
	/* number of the dump; 0: none selected yet */
	unsigned number;
	/* classes of the selected dump; NULL: it has no class */
	struct hp_prepass_dump *dump;
	struct hp_class_cache cache;
};

/* Select the dump whose classes the following calls look up. */
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

/*
 * Returns the class @id with its layout computed, as hp_classes_layout(), or
 * NULL if the dump has no such class.
 */
static inline const struct hp_class *
hp_dump_classes_layout(struct hp_dump_classes *c, uint64_t id)
{
	return c->dump ? hp_classes_layout(&c->dump->classes, &c->cache, id)
		       : NULL;
}

/* Returns the first CLASS DUMP of the class @id, or NULL if there is none. */
static inline const struct hp_class *
hp_dump_classes_get(const struct hp_dump_classes *c, uint64_t id)
{
	return c->dump ? hp_classes_get(&c->dump->classes, id) : NULL;
}

/* Returns the nearest super class of @k that declares fields, or NULL. */
static inline const struct hp_class *
hp_prepass_above(const struct hp_prepass_dump *d, const struct hp_class *k)
{
	return d->above[k->index];
}

#endif
