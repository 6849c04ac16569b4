/*
 * suggest.h - "did you mean": the word that a mistyped one is nearest to
 */
#ifndef HP_OPTIONS_SUGGEST_H
#define HP_OPTIONS_SUGGEST_H

#include <stddef.h>

/* Longer words are never taken for a mistyped one. */
#define HP_SUGGEST_MAX 48

/**
 * hp_edit_distance() - how many keys were hit wrongly between two words
 *
 * An insertion, a deletion, a replacement and a swap of two neighbours count
 * one each (optimal string alignment). The lengths are bytes.
 * Returns: the distance; SIZE_MAX if a word is longer than HP_SUGGEST_MAX.
 */
size_t hp_edit_distance(const char *a, size_t a_len, const char *b,
			size_t b_len);

/**
 * hp_suggest() - the nearest of @words
 * @words: ends with NULL
 *
 * Near is a distance of at most a third of the length of @text, at least one.
 * Of several that are as near the first is taken. Returns: one of @words; NULL:
 * none is near.
 */
const char *hp_suggest(const char *text, size_t len, const char *const *words);

#endif
