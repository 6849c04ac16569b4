/*
 * suggest.h - "did you mean": find the word that is most similar to a typo
 */
#ifndef HP_OPTIONS_SUGGEST_H
#define HP_OPTIONS_SUGGEST_H

#include <stddef.h>

/* Longer words are never suggested. */
#define HP_SUGGEST_MAX 48

/**
 * hp_edit_distance() - the edit distance between two words
 *
 * An insertion, a deletion, a replacement and a swap of two neighbours each
 * count as one (optimal string alignment). The lengths are in bytes.
 *
 * Returns: the distance; SIZE_MAX if a word is longer than HP_SUGGEST_MAX.
 */
size_t hp_edit_distance(const char *a, size_t a_len, const char *b,
			size_t b_len);

/**
 * hp_suggest() - find the word that is most similar to @text
 * @words: ends with NULL
 *
 * A word is similar if the distance is at most a third of the length of @text,
 * or 1. Among equally similar words the first is chosen.
 *
 * Returns: one of @words; NULL if none is similar.
 */
const char *hp_suggest(const char *text, size_t len, const char *const *words);

#endif
