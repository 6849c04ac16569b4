/*
 * symbol_table.h - the table at a block's begin: its symbols and their columns
 *
 * Private to common/pack.
 */
#ifndef HP_PACK_SYMBOL_TABLE_H
#define HP_PACK_SYMBOL_TABLE_H

#include "common/pack/block/bits.h"
#include "common/pack/block/layout.h"

/* Zeroed at first; symbols and columns keep their room from block to block. */
struct hp_pack_table {
	uint8_t id_size; /* 0: no header was met yet */
	uint32_t items;
	uint32_t id_count, trace_count; /* ids and traces not as predicted */
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

/* A new symbol or column at the end, zeroed; NULL: no memory. */
struct hp_pack_symbol *hp_pack_table_symbol(struct hp_pack_table *t);
struct hp_pack_column *hp_pack_table_column(struct hp_pack_table *t);

/* The sums of some arrays. */
struct hp_pack_sum {
	uint64_t elements;
	uint32_t rows[256]; /* by residue */
};

/* Add arrays of @type with so many elements each. */
void hp_pack_sum(struct hp_pack_sum *sum, unsigned type,
		 const uint32_t *lengths, size_t n);

/* Write the sums of a symbol of arrays down in it. False: no memory. */
HP_MUST_USE bool hp_pack_table_sum(struct hp_pack_table *t,
				   struct hp_pack_symbol *s,
				   const struct hp_pack_sum *sum);

/* Are these the sums that the table says a symbol of arrays has? */
bool hp_pack_table_sum_is(const struct hp_pack_table *t,
			  const struct hp_pack_symbol *s,
			  const struct hp_pack_sum *sum);

/* Fill in what follows from the others: fixed, unit. */
void hp_pack_symbol_shape(struct hp_pack_symbol *s,
			  const struct hp_pack_column *columns,
			  unsigned id_size);

void hp_pack_table_write(const struct hp_pack_table *t, struct hp_buf *out);

/**
 * hp_pack_table_read() - the table of a block of @plain bytes
 *
 * Everything that later loops rely on is checked: kinds, widths, sums of
 * widths, numbers of rows.
 * Returns: HP_OK; HP_DAMAGED; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_table_read(struct hp_pack_table *t,
					      const uint8_t *data, size_t n,
					      uint32_t plain);

#endif
