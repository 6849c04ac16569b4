/*
 * guess.h - what a file may be that is no dump, by its first bytes
 */
#ifndef HP_FORMAT_GUESS_H
#define HP_FORMAT_GUESS_H

#include "common/format/reader.h"

/* A number for hp_guess_text(); 0: it cannot be told. */
unsigned hp_guess(const struct hp_header *h);

/* As in "a zip archive"; NULL for 0 and what is no guess. */
const char *hp_guess_text(uint64_t guess);

#endif
