/*
 * joined_parts.h - join the internal parts of each collection to one set, so
 * that all of them have the same holder as the collection
 *
 * A collection, its array and its entries refer to each other in many ways,
 * also in cycles. A disjoint-set forest joins them in almost linear time, with
 * all threads. The node with the smallest number represents the set.
 *
 * During the first pass, the array `link` contains the forest and the arrays of
 * Strings: an object is nearly always a String or a part of a collection, but
 * not both. Afterwards, hp_joined_settle() removes the forest.
 *
 * Source: R. Anderson and H. Woll, "Wait-free parallel algorithms for the
 * union-find problem", 1991
 */
#ifndef HP_DIFF_WASTE_JOINED_PARTS_H
#define HP_DIFF_WASTE_JOINED_PARTS_H

#include "common/base/status.h"

#include <stdint.h>

struct hp_waste;

/*
 * Join two sets to one set: the set that contains the object @a, and the set
 * that contains @b. Any thread may call this. Returns HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_joined_join(struct hp_waste *w, uint32_t a,
					  uint32_t b, struct hp_error *err);

/*
 * Store that @array is the array of the String @node. Called once for each
 * String, by any thread. Returns HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_joined_set_array(struct hp_waste *w,
					       uint32_t node, uint32_t array,
					       struct hp_error *err);

/*
 * After the first pass, choose one holder for each object that can be waste,
 * and store it so that hp_waste_holder() returns it. The caller has marked the
 * internal parts of collections.
 *
 * A collection and its internal parts (a set of objects) may have different
 * holders; the holder with the greatest number is chosen (see HP_HELD_FIELD). A
 * container that is in the set itself is not chosen. If the holder is a
 * container, its holder is taken instead, until the holder is a field.
 *
 * Afterwards, the link of a String is 1 + the number of its array, and all
 * other links are 0.
 */
void hp_joined_settle(struct hp_waste *w);

#endif
