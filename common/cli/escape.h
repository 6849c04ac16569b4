/*
 * escape.h - escape untrusted text for each kind of output
 *
 * Text from a dump is modified UTF-8, standard UTF-8 or garbage; paths are any
 * bytes. All functions append to a buffer and never fail but for memory. They
 * work in one pass and are fast where there is nothing to escape.
 *
 * The visible form, which every output but the two "exact" ones shares, so
 * that a name reads the same everywhere:
 * - well-formed text is kept, as standard UTF-8: the two three-byte halves of
 *   a surrogate pair become one four-byte code point, C0 80 becomes U+0000;
 * - \xNN is a byte that is not UTF-8 (overlong forms are not), or (in TSV) a
 *   character that would begin a formula, or a # or : that a CI runner would
 *   execute: \x23#[ for ##[, with or without letters before
 *   the bracket (##vso[, ##teamcity[), and \x3A: for :: at the start of a text,
 *   after blanks;
 * - \u{N} is a code point that must not be seen raw: C0 (also tab and line
 *   feed), DEL, C1, lone surrogates, line and paragraph separators, and what
 *   Unicode calls default ignorable: direction controls, zero-width characters,
 *   variation selectors, fillers (the set is hp_text_hidden()); hexadecimal
 *   digits in upper case;
 * - a backslash stays as it is, unless what follows it reads like one of
 *   these escapes: then it is written \x5C. So \xNN and \u{N} are always
 *   escapes, a program can read the text back, and C:\dir stays legible.
 */
#ifndef HP_CLI_ESCAPE_H
#define HP_CLI_ESCAPE_H

#include "common/base/buf.h"

#define HP_TEXT_INVALID UINT32_MAX

/**
 * hp_text_decode() - the next code point of modified or standard UTF-8
 * @p:    @left bytes, at least one
 * @cp:   the code point; a lone surrogate as itself; HP_TEXT_INVALID if the
 *	  byte at @p begins none
 *
 * Returns: how many bytes it takes, 1 to 6; 1 for HP_TEXT_INVALID.
 * Source:  JVM specification, 4.4.7 (modified UTF-8); RFC 3629
 */
size_t hp_text_decode(const uint8_t *p, size_t left, uint32_t *cp);

/* Must @cp not be seen raw? (See above.) */
bool hp_text_hidden(uint32_t cp);

/* The visible form: for terminals, and as a key that all formats share. */
void hp_text_clean(struct hp_buf *b, const void *text, size_t len);

/*
 * The visible form of the first @max bytes or so, with an ellipsis if there is
 * more: for messages, since a dump's strings can be gigabytes long.
 */
void hp_text_clean_cut(struct hp_buf *b, const void *text, size_t len,
		       size_t max);

/* Inside a JSON string (the quotes are the caller's): the visible form. */
void hp_escape_json(struct hp_buf *b, const void *text, size_t len);

/*
 * Inside a JSON string, for data rather than for people: hidden code points and
 * the # of a command to a CI runner become JSON's own escapes (\n, \u0000,
 * \u202E, \u0023) and read back as themselves.
 * Bad bytes and lone surrogates, which JSON cannot hold, are as in the visible
 * form.
 */
void hp_escape_json_exact(struct hp_buf *b, const void *text, size_t len);

/*
 * As hp_escape_json_exact(), but for a text of the program or of its user: what
 * looks like one of our escapes stays as it is.
 */
void hp_escape_json_given(struct hp_buf *b, const void *text, size_t len);

/* Text and quoted attributes of XML 1.0 and HTML: the visible form. */
void hp_escape_xml(struct hp_buf *b, const void *text, size_t len);

/*
 * A whole CSV cell of the visible form, quoted where it needs to be. What a
 * spreadsheet would take for a formula (= + - @ and their wide forms in front)
 * gets a ' in front. Numbers are not for this function.
 */
void hp_escape_csv_visible(struct hp_buf *b, const void *text, size_t len);

/*
 * A cell of tab-separated values: the visible form, which has neither tab nor
 * line feed, and each backslash twice. Engines that know escapes in TSV (the
 * ClickHouse family) read one; for others replacing two by one is exact. A text
 * that a spreadsheet would take for a formula begins with an escape: \\x3D for
 * =. Numbers are not for this function.
 */
void hp_escape_tsv(struct hp_buf *b, const void *text, size_t len);

/*
 * The message, and a property's value, of a GitHub workflow command: the
 * visible form. A line break of one's own is written as %0A by the caller.
 */
void hp_escape_github(struct hp_buf *b, const void *text, size_t len);
void hp_escape_github_property(struct hp_buf *b, const void *text, size_t len);

/*
 * A path as a relative URI reference: what is not unreserved or a slash is
 * percent-encoded, byte by byte (RFC 3986).
 */
void hp_escape_uri(struct hp_buf *b, const void *path, size_t len);

/*
 * The same for text that is in the visible form already (keys, messages of
 * findings): its escapes are not escaped again. What the form does not hold is
 * escaped as elsewhere, so that nothing raw gets through.
 */
void hp_text_clean_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_json_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_xml_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_tsv_visible(struct hp_buf *b, const void *text, size_t len);
void hp_escape_github_visible(struct hp_buf *b, const void *text, size_t len);

#endif
