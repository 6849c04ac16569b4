/*
 * foreign_file.h - recognise files by their first bytes: files that are not
 * heap dumps, and dumps that were damaged by copying them as text
 */
#ifndef HP_FORMAT_FOREIGN_FILE_H
#define HP_FORMAT_FOREIGN_FILE_H

#include "common/base/status.h"

/*
 * The maximum number of bytes at the beginning of a file that are searched. In
 * a dump, these bytes contain about 256 line feeds and tens of thousands of
 * bytes above 0x7f. So a program that copied the dump as text, and changed line
 * feeds or such bytes, is detected reliably.
 */
enum { HP_FOREIGN_BYTES = 64 << 10 };

/**
 * hp_foreign_file() - identify a file that does not begin like a dump
 * @p: the first @n bytes of the file; @n is at most HP_FOREIGN_BYTES
 *
 * Returns: a number that stands for the kind of file, for
 *          hp_foreign_file_text(); 0 if the kind is unknown.
 */
uint64_t hp_foreign_file(const uint8_t *p, size_t n);

/**
 * hp_foreign_transfer() - detect whether a dump was copied as text, which
 *                         changes line feeds or bytes above 0x7f
 * @p: the first @n bytes of a file that has the header of a dump
 *
 * In rare cases an intact dump looks as if it had been changed, for example a
 * tiny dump in which each line feed follows a carriage return. So the result
 * does not prove damage. Use it only to explain damage that was found in
 * another way.
 * Returns: a number for hp_foreign_file_text(); 0 if the bytes do not look
 *          changed.
 */
uint64_t hp_foreign_transfer(const uint8_t *p, size_t n);

/*
 * Whether a file that begins with the @n bytes @p is a JSON text that these
 * programs have not written, such as a heap snapshot of V8 or an error message
 * of a server.
 */
bool hp_foreign_is_other_json(const uint8_t *p, size_t n);

enum { HP_FOREIGN_TEXT = 256 };

/*
 * Get a text for @kind, a result of hp_foreign_file() or hp_foreign_transfer().
 * It says what the file is and what the user can do, such as "a JFR recording;
 * ...". If @kind is 0 or invalid, returns false and an empty text.
 */
bool hp_foreign_file_text(uint64_t kind, char text[HP_FOREIGN_TEXT]);

#endif
