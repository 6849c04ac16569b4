/*
 * pack.h - read and write packs (compressed archives of dumps), and count the
 * objects of a pack without unpacking it
 */
#ifndef HP_PACK_PACK_H
#define HP_PACK_PACK_H

#include "common/io/layer.h"
#include "common/io/source.h"
#include "common/pack/block/layout.h"

/*
 * ----------------------------------------------------------------------
 * The functions for packs, for the code that opens inputs and outputs
 */

extern const struct hp_pack_vtable hp_pack_vtable;

/*
 * ----------------------------------------------------------------------
 * Count the objects of a pack without unpacking it
 */

struct hp_table_counts_options {
	/* maximum number of bytes of memory for counting the objects */
	uint64_t memory;
	void *context;
	/*
	 * Called for each symbol of each block of the pack. A symbol is a group
	 * of objects of the same class or type: s->rows is their number. For
	 * arrays, s->elements is the total number of elements, and @residues
	 * has s->nresidues entries; see struct hp_pack_residue. A status other
	 * than HP_OK ends the reading.
	 */
	enum hp_status (*count)(void *context, const struct hp_pack_symbol *s,
				const struct hp_pack_residue *residues);
	/*
	 * Called with the next bytes of a dump without objects: names, classes,
	 * roots and other records.
	 */
	enum hp_status (*put)(void *context, const void *bytes, size_t n,
			      struct hp_error *err);
};

struct hp_table_counts_facts {
	/*
	 * The bitwise OR of all object ids. Its lowest bits show how objects
	 * are aligned.
	 */
	uint64_t id_bits;
	/*
	 * arrays of references would overlap if references had 8 bytes; so
	 * references have 4 bytes
	 */
	bool overlap;
};

/*
 * Whether the objects can be counted from tables: the source is a pack in a
 * seekable file.
 */
bool hp_table_counts_possible(struct hp_source *raw);

/**
 * hp_table_counts() - count the objects of a pack by reading the tables of its
 * blocks
 * @raw: a source opened without hp_pack_vtable, so that it returns the bytes of
 *       the pack, not of the dump
 *
 * Returns: HP_OK; HP_UNSUPPORTED if the pack must be unpacked instead, because
 *          it is damaged, contains several dumps, Android heaps or repaired
 *          lengths, or needs too much memory. After HP_UNSUPPORTED, discard
 *          everything that the callbacks received. Also HP_IO, HP_NOMEM, or the
 *          status of a callback.
 */
HP_MUST_USE enum hp_status
hp_table_counts(struct hp_source *raw,
		const struct hp_table_counts_options *options,
		struct hp_table_counts_facts *facts, struct hp_error *err);

#endif
