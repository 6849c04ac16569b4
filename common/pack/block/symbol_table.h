/*
 * symbol_table.h - the symbol table at the beginning of a block
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_SYMBOL_TABLE_H
#define HP_PACK_SYMBOL_TABLE_H

#include "common/pack/block/bits.h"
#include "common/pack/block/layout.h"

/* The symbol table of a block. Zero-initialise it. The lists are reused. */
struct hp_pack_table {
	uint8_t id_size; /* bytes of an id; 0: no header was parsed yet */
	uint32_t items;
	/* ids and traces that differ from the prediction */
	uint32_t id_count, trace_count;
	uint8_t id_planes, trace_planes;
	struct hp_pack_facts facts;
	struct hp_pack_symbol *symbols;
	uint32_t nsymbols;
	size_t symbols_room;
	struct hp_pack_column *columns;
	uint32_t ncolumns;
	size_t columns_room;
	struct hp_pack_residue *residues;
	uint32_t nresidues;
	size_t residues_room;
};

void hp_pack_table_release(struct hp_pack_table *t);

/* Append a zeroed symbol or column. Returns NULL if out of memory. */
struct hp_pack_symbol *hp_pack_table_symbol(struct hp_pack_table *t);
struct hp_pack_column *hp_pack_table_column(struct hp_pack_table *t);

/* Sums over arrays of a symbol. */
struct hp_pack_sum {
	uint64_t elements;
	uint32_t rows[256]; /* by residue of the length */
};

/* Add @n arrays with elements of @type and these lengths. */
void hp_pack_sum(struct hp_pack_sum *sum, unsigned type,
		 const uint32_t *lengths, size_t n);

/* Store the sums in the table. Returns false if out of memory. */
HP_MUST_USE bool hp_pack_table_sum(struct hp_pack_table *t,
				   struct hp_pack_symbol *s,
				   const struct hp_pack_sum *sum);

/* Whether the sums equal those that the table has for the symbol. */
bool hp_pack_table_sum_is(const struct hp_pack_table *t,
			  const struct hp_pack_symbol *s,
			  const struct hp_pack_sum *sum);

/* Compute the members fixed and unit from the other members. */
void hp_pack_symbol_shape(struct hp_pack_symbol *s,
			  const struct hp_pack_column *columns,
			  unsigned id_size);

void hp_pack_table_write(const struct hp_pack_table *t, struct hp_buf *out);

/**
 * hp_pack_table_read() - parse the table of a block of @plain bytes
 *
 * Checks everything that later loops rely on: kinds, widths, sums of widths,
 * numbers of rows.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_table_read(struct hp_pack_table *t,
					      const uint8_t *data, size_t n,
					      uint32_t plain);

#endif
