/*
 * escape.h - escape untrusted text for each kind of output
 *
 * Text from a dump is modified UTF-8, standard UTF-8 or garbage; paths are any
 * bytes. All functions append to a buffer, in a single pass, and fail only if
 * out of memory.
 *
 * In the "visible form", characters that a reader cannot see or that are
 * dangerous are replaced by escapes such as \x1B. All outputs use this form, so
 * that a name looks the same everywhere. Only hp_escape_json_exact() and
 * hp_escape_json_given() differ. The rules of the visible form:
 * - Well-formed text becomes standard UTF-8: the two three-byte halves of a
 *   surrogate pair become one four-byte code point, and C0 80 becomes U+0000.
 * - \xNN replaces a byte that is not valid UTF-8 (overlong forms are invalid).
 * - \xNN also replaces the first # or : of a command for a CI runner. \x23#[
 *   stands for ##[, with or without letters before the bracket (##vso[,
 *   ##teamcity[). \x3A: stands for :: at the start of a text or after blanks.
 * - In TSV, \xNN also replaces the first character of a formula.
 * - \u{N} replaces a code point that must not be shown raw. N is in upper-case
 *   hexadecimal digits. These code points are control characters (also tab and
 *   line feed), lone surrogates, line and paragraph separators, and characters
 *   that Unicode calls default ignorable: direction controls, zero-width
 *   characters, variation selectors, fillers. hp_text_hidden() has the full
 *   list.
 * - A backslash stays as it is, unless the text after it reads like one of
 *   these escapes: then the backslash is written as \x5C. So \xNN and \u{N} are
 *   always escapes, a program can read the text back, and C:\dir stays legible.
 */
#ifndef HP_CLI_ESCAPE_H
#define HP_CLI_ESCAPE_H

#include "common/base/buf.h"

#define HP_TEXT_INVALID UINT32_MAX

/**
 * hp_text_decode() - decode one code point of modified or standard UTF-8
 * @p:    @left bytes, at least one
 * @cp:   receives the code point, also if it is a lone surrogate;
 *        HP_TEXT_INVALID if the byte at @p does not begin a code point
 *
 * Returns: the number of bytes, 1 to 6; 1 for HP_TEXT_INVALID.
 * Source:  JVM specification, 4.4.7 (modified UTF-8); RFC 3629
 */
size_t hp_text_decode(const uint8_t *p, size_t left, uint32_t *cp);

/*
 * Whether a code point is written as \u{N} in the visible form, because it is
 * invisible or dangerous. See the rules above.
 */
bool hp_text_hidden(uint32_t cp);

/*
 * Append a text in the visible form, for terminals and for keys that are the
 * same in all output formats.
 */
void hp_text_clean(struct hp_buf *b, const void *text, size_t len);

/*
 * Append about the first @max bytes of a text in the visible form. If the text
 * is longer, append an ellipsis. Used for messages, because a string in a dump
 * can have gigabytes.
 */
void hp_text_clean_cut(struct hp_buf *b, const void *text, size_t len,
		       size_t max);

/*
 * Append a text in the visible form, escaped for the inside of a JSON string.
 * The caller writes the quotes.
 */
void hp_escape_json(struct hp_buf *b, const void *text, size_t len);

/*
 * Append a text for the inside of a JSON string, such that a JSON parser
 * returns exactly this text. Hidden code points, and the # of a command for a
 * CI runner, become escapes of JSON (\n, \u0000, \u202E, \u0023). JSON cannot
 * express invalid bytes and lone surrogates, so these are written as in the
 * visible form.
 */
void hp_escape_json_exact(struct hp_buf *b, const void *text, size_t len);

/*
 * Like hp_escape_json_exact(), but for a text of the program or of its user,
 * not of a dump: a part that looks like \xNN or \u{N} is not changed.
 */
void hp_escape_json_given(struct hp_buf *b, const void *text, size_t len);

/*
 * Append a text in the visible form, escaped for text and quoted attributes of
 * XML 1.0 and HTML.
 */
void hp_escape_xml(struct hp_buf *b, const void *text, size_t len);

/*
 * Append a text that is already in the visible form as a complete CSV cell,
 * with quotes where necessary. If a spreadsheet would take the cell for a
 * formula (because it begins with = + - @ or their full-width forms), the
 * function adds a ' before it. Do not use the function for numbers.
 */
void hp_escape_csv_visible(struct hp_buf *b, const void *text, size_t len);

/*
 * Append a text in the visible form as a TSV cell. The visible form contains no
 * tab and no line feed. Each backslash is doubled. Databases that decode
 * escapes in TSV (the ClickHouse family) read two backslashes as one. With
 * other databases, the user must replace two backslashes by one. If a
 * spreadsheet would take the cell for a formula, the first character is
 * escaped: \\x3D for =. Do not use the function for numbers.
 */
void hp_escape_tsv(struct hp_buf *b, const void *text, size_t len);

/*
 * Append a text in the visible form, escaped for the message of a GitHub
 * workflow command, or for the value of one of its properties. For a line break
 * in the message, the caller writes %0A.
 */
void hp_escape_github(struct hp_buf *b, const void *text, size_t len);
void hp_escape_github_property(struct hp_buf *b, const void *text, size_t len);

/*
 * Append a path as a relative URI reference (RFC 3986). All bytes except
 * unreserved characters and slashes are percent-encoded.
 */
void hp_escape_uri(struct hp_buf *b, const void *path, size_t len);

/*
 * Variants of the functions above for a text that is already in the visible
 * form, such as a key or the message of a finding. The escapes in the text are
 * not escaped again. Characters that the visible form does not allow are still
 * escaped.
 */
void hp_text_clean_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_json_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_xml_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_tsv_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_github_visible(struct hp_buf *b, const void *text, size_t len);

#endif
