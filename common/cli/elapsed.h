/*
 * elapsed.h - how long the work took, for what -v says at the end
 */
#ifndef HP_CLI_ELAPSED_H
#define HP_CLI_ELAPSED_H

#include "common/buf.h"

/* Nanoseconds of a clock that nobody sets; only differences mean something. */
uint64_t hp_elapsed_begin(void);

/* Appends ", 0.1 s, 2 threads": since @begun, and who worked. */
void hp_elapsed_text(struct hp_buf *b, uint64_t begun, unsigned threads);

#endif
