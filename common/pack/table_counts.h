/*
 * table_counts.h - what a comparison by class needs of a pack, and nothing else
 *
 * How many instances and arrays there are of each class in a block, and what
 * the arrays hold, stands in its table. All other records and sub-records
 * (names, classes, roots) make up a dump without objects, which is read like
 * any other. Fields, lengths, elements and ids are never unpacked.
 */
#ifndef HP_PACK_TABLE_COUNTS_H
#define HP_PACK_TABLE_COUNTS_H

#include "common/io/source.h"
#include "common/pack/block/layout.h"

struct hp_table_counts_options {
	uint64_t memory; /* bytes that may be taken */
	void *context;
	/*
	 * Objects of a class or of a type, in one block: @s->rows of them.
	 * Of arrays: @s->elements in all, @s->nresidues @residues. HP_OK or
	 * what ends the skim.
	 */
	enum hp_status (*count)(void *context, const struct hp_pack_symbol *s,
				const struct hp_pack_residue *residues);
	/* The dump without objects; called once. */
	enum hp_status (*put)(void *context, const void *bytes, size_t n,
			      struct hp_error *err);
};

struct hp_table_counts_facts {
	uint64_t id_bits; /* or of the objects' ids */
	bool overlap;	  /* as in struct hp_size_hints */
};

/* Is it a pack, in a file where reads at an offset are possible? */
bool hp_table_counts_possible(struct hp_source *raw);

/**
 * hp_table_counts() - read a pack by its table of blocks
 * @raw: opened without hp_pack_vtable, so that its bytes are the pack's
 *
 * Returns: HP_OK; HP_UNSUPPORTED: anything about the pack or its dump is not
 *          plain (damage, several dumps, Android's heaps, repaired lengths,
 *          more than memory allows), so that it has to be read in full, and
 * nothing that was counted or put is to be used; HP_IO, HP_NOMEM; what a
 * callback returned.
 */
HP_MUST_USE enum hp_status
hp_table_counts(struct hp_source *raw,
		const struct hp_table_counts_options *options,
		struct hp_table_counts_facts *facts, struct hp_error *err);

#endif
