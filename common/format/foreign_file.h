/*
 * foreign_file.h - recognise files of other kinds by their first bytes
 */
#ifndef HP_FORMAT_FOREIGN_FILE_H
#define HP_FORMAT_FOREIGN_FILE_H

#include "common/format/reader.h"

/* A number for hp_foreign_file_text(); 0: it cannot be told. */
unsigned hp_foreign_file(const struct hp_header *h);

/* As in "a zip archive"; NULL for 0 and what is no guess. */
const char *hp_foreign_file_text(uint64_t guess);

#endif
