/*
 * pattern_hints.h - suggest a pattern if one matches no class with objects
 */
#ifndef HP_DIFF_PATTERN_HINTS_H
#define HP_DIFF_PATTERN_HINTS_H

#include "diff/keys/keys.h"

/**
 * hp_pattern_hint() - look for a reason in the classes of a dump
 * @c: the column of a counted dump
 * @glob: a pattern of class names
 * @text: the hint is appended: a matching class without objects and its
 *   subclasses that have some, or another spelling; nothing is appended if the
 *   pattern matches a class with objects, or if no reason is found
 *
 * Time and memory are linear in the number of classes.
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pattern_hint(const struct hp_column *c,
					   const char *glob,
					   struct hp_buf *text,
					   struct hp_error *err);

#endif
