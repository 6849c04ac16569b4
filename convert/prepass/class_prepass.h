/*
 * class_prepass.h - passes before a conversion that collect classes and ids
 */
#ifndef HP_CONVERT_PASS_CLASS_PREPASS_H
#define HP_CONVERT_PASS_CLASS_PREPASS_H

#include "common/format/scan.h"
#include "common/object_ids/id_map.h"
#include "common/object_ids/id_set.h"
#include "common/model/classes.h"
#include "common/model/dialect.h"
#include "common/model/size_model.h"
#include "common/model/tables.h"

/* ----------------------------------------------------------------------
 * Run two independent prepasses in one scan
 *
 * The input is read and decompressed only once for both passes.
 */

/**
 * hp_scan_two() - scan as hp_scan(), for two passes that need the same parts of
 * the dump
 * @second: its callbacks are called after those of @first; NULL: run @first
 *          alone
 *
 * Only these callbacks are called: header, record, heap_end, batch and
 * classes_complete. strings is also called if @second has no record callback.
 */
HP_MUST_USE enum hp_status hp_scan_two(struct hp_source *src,
				       const struct hp_pass *first,
				       const struct hp_pass *second,
				       const struct hp_scan_options *options,
				       struct hp_error *err);

/* ----------------------------------------------------------------------
 * A first pass that collects classes, names and the layout
 *
 * The pass collects the classes of each dump, the ids of the strings that are
 * used as names, and hints at the sizes of objects in memory. Conversions need
 * them before they convert the first instance, because an instance may come
 * before its class in the file.
 */

struct hp_prepass_dump {
	unsigned dump; /* number of the dump, from 1 */
	struct hp_classes classes;
	/*
	 * for each class (index: hp_class.index): the nearest superclass that
	 * declares fields; NULL: there is none
	 */
	const struct hp_class **above;
};

struct hp_prepass {
	/*
	 * Set by the caller. want_layout: detect the memory layout.
	 * want_tables: fill `tables` (strings, loaded classes and so on).
	 * want_evidence: collect evidence about the program that wrote the
	 * file.
	 */
	bool want_layout, want_tables, want_evidence;
	/*
	 * number of the only dump to read; 0: all dumps. Later passes must read
	 * the same dump.
	 */
	unsigned dump;
	/* limit for the memory of this struct, in bytes; 0: no limit */
	uint64_t memory;
	uint64_t bytes; /* memory that this struct uses, in bytes */
	struct hp_header header;
	/* the dumps with classes, sorted by their number */
	struct hp_prepass_dump **dumps;
	size_t ndumps, cap;
	unsigned begun; /* number of dumps in the file */
	/*
	 * numbers of the first and the last dump with sub-records; 0: there is
	 * none
	 */
	unsigned first_dump, last_dump;
	/*
	 * ids of the STRING records that other records use as a name; never
	 * contains 0
	 */
	struct hp_id_map names;
	/*
	 * for dumps of Android: maps the number of a heap to the string id of
	 * its name
	 */
	struct hp_id_map heaps;
	/*
	 * If the file has a heap record of 4 GB or more: the offset of this
	 * record and the real length of the body, because the 32-bit length
	 * field is wrong. 0: there is no such record.
	 */
	uint64_t overflow_at, overflow_body;
	struct hp_tables tables;
	struct hp_size_model layout;
	/*
	 * bitwise OR of all object ids; its low zero bits show the alignment of
	 * ids; computed only if want_layout is set
	 */
	uint64_t id_bits;
	/*
	 * evidence in the records (but not in instances) about the program that
	 * wrote the file; hp_prepass_dialect() adds the evidence in classes
	 */
	struct hp_dialect_evidence evidence;
};

/**
 * hp_prepass_run() - read all of @src
 * @s: zeroed, apart from the members that the caller sets
 * @also: a second pass to run during the same scan, see scan_two.c; or NULL
 *
 * This pass ignores problems inside the dump, because the pass that converts
 * reports them. But it reports a missing header, damaged compression, and
 * damage in a text input, because later error messages that result from such
 * damage would mislead.
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
 * Detect which program wrote the file, from the evidence and the classes.
 * want_evidence must have been set.
 */
enum hp_dialect hp_prepass_dialect(const struct hp_prepass *s);

/*
 * Returns the index of dump number @dump in s->dumps, or s->ndumps if that dump
 * has no class.
 */
size_t hp_prepass_place(const struct hp_prepass *s, unsigned dump);
struct hp_prepass_dump *hp_prepass_dump(const struct hp_prepass *s,
					unsigned dump);

/*
 * Finds the classes of the selected dump, with a cache for one thread. No dump
 * is selected in a zeroed struct.
 */
struct hp_dump_classes {
	/* number of the selected dump; 0: none is selected yet */
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
 * Returns the class @id with a computed layout, or NULL if the dump has no such
 * class.
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

/* Returns the nearest superclass of @k that declares fields, or NULL. */
static inline const struct hp_class *
hp_prepass_above(const struct hp_prepass_dump *d, const struct hp_class *k)
{
	return d->above[k->index];
}

/*
 * ----------------------------------------------------------------------
 * Sets of object ids, one set for each heap dump of a file
 *
 * A file may have very many dumps. So a set with few ids is a sorted list, and
 * only a set with many ids becomes a bit set, which needs address space and
 * memory mappings of its own.
 */

struct hp_dump_id_set {
	uint64_t dump; /* number of the dump in the file, from 1 */
	/*
	 * a list of the ids, as long as there are few; hp_dump_id_sets_finish()
	 * sorts the list
	 */
	uint64_t *few;
	size_t count, cap;
	/* a bit set of the ids, if there are many; NULL: there are few */
	struct hp_id_sets *many;
};

/*
 * The caller sets id_size, bytes and memory. Only one thread at a time may add
 * ids.
 */
struct hp_dump_id_sets {
	unsigned id_size;
	/*
	 * size of the input in bytes, which limits the memory of the bit sets
	 * (the members `many`); 0: not known
	 */
	uint64_t bytes;
	/* limit for the memory of all sets, in bytes; 0: no limit */
	uint64_t memory;
	/*
	 * memory of all sets, in bytes; the memory of a bit set is added only
	 * when the set is finished
	 */
	uint64_t taken;
	struct hp_dump_id_set *dumps;
	size_t count, cap;
	bool finished;
};

/*
 * Create an empty set for dump number @dump, if it has none. Call this for the
 * dumps in file order. hp_dump_id_sets_add() calls this if necessary.
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT: the limit for the memory was exceeded.
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_announce(struct hp_dump_id_sets *s,
						    unsigned dump,
						    struct hp_error *err);

/*
 * Add @id to the set of the dump with the number @dump. Returns the same
 * statuses as hp_dump_id_sets_announce().
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_add(struct hp_dump_id_sets *s,
					       unsigned dump, uint64_t id,
					       struct hp_error *err);

/*
 * Call this after the last id was added, and before the first lookup. Returns
 * the same statuses as hp_dump_id_sets_add().
 */
HP_MUST_USE enum hp_status hp_dump_id_sets_finish(struct hp_dump_id_sets *s,
						  struct hp_error *err);

/*
 * Returns the set of dump number @dump, or NULL if the dump has no ids, or if
 * the sets are not finished. Any thread may call this.
 */
const struct hp_dump_id_set *
hp_dump_id_sets_get(const struct hp_dump_id_sets *s, unsigned dump);

/* Whether @id is in the set @d. @d may be NULL, which is an empty set. */
bool hp_dump_ids_has(const struct hp_dump_id_set *d, uint64_t id);

/* Whether the set of the dump with the number @dump contains @id. */
static inline bool
hp_dump_id_sets_has(const struct hp_dump_id_sets *s, unsigned dump, uint64_t id)
{
	return hp_dump_ids_has(hp_dump_id_sets_get(s, dump), id);
}

void hp_dump_id_sets_release(struct hp_dump_id_sets *s);

#endif
