/*
 * glob.h - match patterns in which only `*` and `?` are special
 */
#ifndef HP_CLI_GLOB_H
#define HP_CLI_GLOB_H

#include "common/base/status.h"

/**
 * hp_glob_match() - whether all of @text matches @pattern
 * @pattern: `*` matches any text, including the empty text, dots and slashes.
 *           `?` matches one UTF-8 code point, or one byte that is not UTF-8.
 *           Every other character matches itself, also backslash and brackets
 * @text:    @len bytes
 *
 * There is no backtracking beyond the last `*`, so the time is at most the
 * product of both lengths.
 */
bool hp_glob_match(const char *pattern, const void *text, size_t len);

#endif
