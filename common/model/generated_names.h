/*
 * generated_names.h - class names without the parts that change from run to run
 *
 * Libraries and compilers that generate classes while a program runs number
 * them, or give them a random or a hashed suffix. generated_names.def lists
 * how these names look.
 */
#ifndef HP_MODEL_GENERATED_NAMES_H
#define HP_MODEL_GENERATED_NAMES_H

#include "common/base/buf.h"

#include <stddef.h>

/**
 * hp_generated_name() - append a name without what changes from run to run
 * @name: as hp_class_name() shows it, without "[]" and without the suffix of a
 *        hidden class
 *
 * A name that fits no pattern is appended as it is. Takes time in proportion
 * to @length.
 */
void hp_generated_name(struct hp_buf *out, const char *name, size_t length);

#endif
