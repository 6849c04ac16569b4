/*
 * glob.h - patterns in which only `*` and `?` are special
 */
#ifndef HP_CLI_GLOB_H
#define HP_CLI_GLOB_H

#include "common/base/status.h"

/**
 * hp_glob_match() - does all of @text match @pattern?
 * @pattern: `*` stands for any text, also none, dots and slashes included; `?`
 *	     for one code point of UTF-8 (a byte that is no UTF-8 counts as
 *	     one); everything else, backslash and brackets too, for itself
 * @text:    @len bytes
 *
 * No backtracking past the last `*`: at most pattern times text steps.
 */
bool hp_glob_match(const char *pattern, const void *text, size_t len);

#endif
