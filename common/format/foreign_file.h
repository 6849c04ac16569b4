/*
 * foreign_file.h - recognise files that are not heap dumps, and dumps that
 * were changed when they were copied, by their first bytes
 */
#ifndef HP_FORMAT_FOREIGN_FILE_H
#define HP_FORMAT_FOREIGN_FILE_H

#include "common/base/status.h"

/*
 * The first bytes of a file that are searched, at most. A dump of this length
 * holds about 256 line feeds and tens of thousands of bytes above 0x7f, so
 * that what changes either of them shows.
 */
enum { HP_FOREIGN_BYTES = 64 << 10 };

/**
 * hp_foreign_file() - what a file is that does not begin like a dump
 * @p: its first bytes, HP_FOREIGN_BYTES at most
 *
 * Returns: a number for hp_foreign_file_text(); 0: not known.
 */
uint64_t hp_foreign_file(const uint8_t *p, size_t n);

/**
 * hp_foreign_transfer() - how a dump was changed when it was copied
 * @p: the first bytes of a file with the header of a dump
 *
 * An intact dump may look the same in rare cases (a tiny one, whose only line
 * feeds follow carriage returns). So this explains damage that was found by
 * other means; it is no sign of damage by itself.
 * Returns: as hp_foreign_file(); 0: no evidence.
 */
uint64_t hp_foreign_transfer(const uint8_t *p, size_t n);

/* Is it a JSON text that is neither a dump nor a result of hprof-diff? */
bool hp_foreign_is_other_json(const uint8_t *p, size_t n);

enum { HP_FOREIGN_TEXT = 256 };

/*
 * What it is, and the command that helps: "a JFR recording; ...". False, and an
 * empty text: @kind is 0, or not a number of hp_foreign_file().
 */
bool hp_foreign_file_text(uint64_t kind, char text[HP_FOREIGN_TEXT]);

#endif
