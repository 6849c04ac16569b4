/*
 * internal.h - functions that only diff/estimate uses
 */
#ifndef HP_DIFF_ESTIMATE_INTERNAL_H
#define HP_DIFF_ESTIMATE_INTERNAL_H

#include "common/model/classes.h"

/**
 * hp_old_layout() - compute where the fields of each class end in an instance,
 * in JDK 8 to 14
 * @header: size of the header of an instance in bytes
 * @reference: size of a reference in bytes
 *
 * Returns: for each class, by hp_class.index, the bytes of an instance before
 *          they are rounded up to the alignment; the caller frees the list.
 *          NULL if out of memory.
 */
uint64_t *hp_old_layout(const struct hp_classes *classes, unsigned header,
			unsigned reference);

#endif
