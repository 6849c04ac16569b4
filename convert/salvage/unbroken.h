/*
 * unbroken.h - how far sub-records stand behind each other
 */
#ifndef HP_CONVERT_SALVAGE_UNBROKEN_H
#define HP_CONVERT_SALVAGE_UNBROKEN_H

#include "convert/salvage/plausible.h"
#include "convert/salvage/resync.h"

/**
 * hp_unbroken_to() - as far as nothing says that the sub-records behind each
 * other from @at on are none, however little is known of what they name
 * @end:   of the heap record, or of the input
 * @sure:  it is the heap record's, no other records come before
 * @first: @at is where the heap record's begin
 *
 * That is @end, other records, or a sub-record that is not whole; else the last
 * one that is sure by itself. Walks are guesses: one that lies may lead back to
 * where the same walk begins.
 *
 * Returns: an offset; 0: there is nothing left for a guess.
 */
uint64_t hp_unbroken_to(struct hp_resync *w, const struct hp_plausible *k,
			uint64_t at, uint64_t end, bool sure, bool first);

#endif
