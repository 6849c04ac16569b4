/*
 * waste.h - the rows of --by=waste: memory that the program could save
 *
 * A row is a kind of waste and the field that holds it, for example
 * "duplicate-strings → com.acme.Order.country". Each byte of the heap counts in
 * at most one row.
 */
#ifndef HP_DIFF_WASTE_WASTE_H
#define HP_DIFF_WASTE_WASTE_H

#include "diff/keys/keys.h"
#include "diff/result/result.h"

struct hp_retained;

/* Which kinds of waste cannot be found in this dump, and why. */
struct hp_waste_notes {
	/*
	 * the texts of all Strings were removed from the dump, so they are not
	 * compared
	 */
	bool no_texts;
	/*
	 * the contents of all primitive arrays that are not the text of a
	 * String were removed from the dump
	 */
	bool no_data;
	/*
	 * the elements of all arrays from this index on were removed from the
	 * dump; 0: none were removed
	 */
	uint64_t removed_from;
	/*
	 * Strings may share arrays (JDK 6 and older), so their texts are not
	 * compared
	 */
	bool slices;
};

/**
 * hp_waste_rows_add() - find the waste of a counted dump, and add it to the
 * rows
 *
 * @c: the counted dump; c->info->layout is the size model for shallow sizes
 * @src: the dump, which is read again from its beginning, so it must be
 *   rewindable
 * @graph: the object graph with its references, for the kinds of waste that
 *   need it; NULL: leave these kinds out
 *
 * Reads the dump twice. Needs 11 bytes of memory for each object, and 16 bytes
 * for the hash of each array. If this data does not fit in --memory, a part of
 * it is stored in temporary files.
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; HP_IO; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_waste_rows_add(const struct hp_column *c,
					     struct hp_source *src,
					     struct hp_retained *graph,
					     struct hp_waste_notes *notes,
					     struct hp_error *err);

#endif
