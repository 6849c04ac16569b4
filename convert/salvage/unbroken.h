/*
 * unbroken.h - find how far sub-records follow each other without a gap
 */
#ifndef HP_CONVERT_SALVAGE_UNBROKEN_H
#define HP_CONVERT_SALVAGE_UNBROKEN_H

#include "convert/salvage/plausible.h"
#include "convert/salvage/resync.h"

/**
 * hp_unbroken_to() - find the end of an unbroken series of sub-records
 * @at: offset of the first sub-record
 * @end: end of the heap record, or of the input
 * @sure: @end is the end of the heap record, and no other records come before
 *        it
 * @first: @at is the offset of the first sub-record of the heap record
 *
 * Inside the series, sub-records are accepted even if the ids in them are not
 * known. It ends at @end, at other records, or at a sub-record that is not
 * complete. If it ends elsewhere, only the part up to the last sub-record that
 * is sure counts. The walks cost effort as guesses do, because a wrong length
 * may lead back to where the same walk began.
 *
 * Returns: an offset; 0: no effort is left.
 */
uint64_t hp_unbroken_to(struct hp_resync *w, const struct hp_plausible *k,
			uint64_t at, uint64_t end, bool sure, bool first);

#endif
