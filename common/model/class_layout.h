/*
 * class_layout.h - for classes.c: the layouts of classes as they become usable
 */
#ifndef HP_MODEL_CLASS_LAYOUT_H
#define HP_MODEL_CLASS_LAYOUT_H

#include "common/model/classes.h"

/**
 * hp_class_layout_admit() - @k, new in by_id, gets its layout or waits for its
 * super
 *
 * Classes that waited for @k get theirs, too. The caller holds the lock.
 * Returns: false: out of memory.
 */
bool hp_class_layout_admit(struct hp_classes *c, struct hp_class *k);

/**
 * hp_class_layout_finish() - all classes are there: lay out what still waits
 *
 * Chains that end nowhere and cycles get the layout of what is known.
 * Returns: false: out of memory.
 */
bool hp_class_layout_finish(struct hp_classes *c);

#endif
