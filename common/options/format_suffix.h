/*
 * format_suffix.h - find the output format for the suffix of a file
 */
#ifndef HP_OPTIONS_FORMAT_SUFFIX_H
#define HP_OPTIONS_FORMAT_SUFFIX_H

#include "common/base/status.h"

/**
 * hp_format_by_suffix() - the format for the suffix of an output file
 * @suffixes: for each format a text such as ".html .htm", or ""; ends with NULL
 * @path:     its length is @len, which may leave out ".gz"; case is ignored
 * @given:    index of the format that the user asked for; -1: none
 *
 * Several formats may have the same suffix: any of them suits it, and the first
 * is chosen if the user asked for none.
 * Returns: an index into @suffixes, which is @given if that format has the
 *          suffix or no format has it; -1: no format has it, and none is given.
 */
int hp_format_by_suffix(const char *const *suffixes, const char *path,
			size_t len, int given);

#endif
