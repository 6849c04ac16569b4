/* parse.h - parse one line of a text dump */
#ifndef HP_TEXT_PARSE_H
#define HP_TEXT_PARSE_H

#include "common/base/bytes.h"
#include "common/base/status.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

/*
 * ----------------------------------------------------------------------
 * Parse decimal and hexadecimal numbers in a line of text
 *
 * Most bytes of a text dump are digits, so these functions must be fast.
 * Numbers have no sign, and hexadecimal digits are lower case, as the agent
 * prints them.
 */

#define HP_EIGHT_OF(byte) (UINT64_C(0x0101010101010101) * (byte))

/*
 * Returns the value of a hexadecimal digit; a negative number for other
 * characters.
 */
static inline int
hp_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Returns the number of hexadecimal digits at the beginning of the eight
 * characters, 0 to 8. The first character is in the low-order byte. The
 * function tests all eight bytes at once (SWAR).
 */
static inline unsigned
hp_hex_count(uint64_t eight)
{
	const uint64_t low = HP_EIGHT_OF(0x7f);
	uint64_t d = eight ^ HP_EIGHT_OF('0'), l = eight ^ HP_EIGHT_OF('`');
	/*
	 * Three tests of all eight characters at once: is the character a
	 * decimal digit; is it one of '`' to 'f'; is it '`'. In each result,
	 * the top bit of a byte is set if the character in this byte fails the
	 * test.
	 */
	uint64_t no_digit = ((d & low) + HP_EIGHT_OF(0x7f - 9)) | d;
	uint64_t no_letter = ((l & low) + HP_EIGHT_OF(0x7f - 6)) | l;
	uint64_t not_before = (l & low) + low;
	uint64_t none =
		no_digit & (no_letter | ~not_before) & HP_EIGHT_OF(0x80);

	return none ? (unsigned)__builtin_ctzll(none) / 8 : 8;
}

/*
 * Returns the value of the first @n (1 to 8) of eight hexadecimal digits. The
 * first digit is in the low-order byte.
 */
static inline uint64_t
hp_hex_value(uint64_t eight, unsigned n)
{
	uint64_t v =
		(eight & HP_EIGHT_OF(0x0f)) + 9 * (eight >> 6 & HP_EIGHT_OF(1));

	/*
	 * shift out the characters after the first n; the zeros that are
	 * shifted in become leading digits
	 */
	v <<= 64 - 8 * n;
	v = (v << 4 | v >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v << 8 | v >> 16) & UINT64_C(0x0000ffff0000ffff);
	return (v << 16 | v >> 32) & UINT32_MAX;
}

/*
 * Parse a hexadecimal number of 1 to 16 digits at @p. Returns the position
 * after the number; NULL if there is no number. A third of a text consists of
 * such digits, so the function parses eight digits at a time.
 */
static inline const char *
hp_hex_number(const char *p, const char *end, uint64_t *out)
{
	const char *from = p;
	uint64_t v = 0, eight;
	int digit;

	if (end - p >= 8) {
		unsigned n;

		memcpy(&eight, p, sizeof(eight));
		eight = le64toh(eight);
		n = hp_hex_count(eight);
		if (n == 0)
			return NULL;
		v = hp_hex_value(eight, n);
		p += n;
		if (n < 8) {
			*out = v;
			return p;
		}
	}
	while (p < end && (digit = hp_hex_digit(*p)) >= 0) {
		v = v << 4 | (unsigned)digit;
		p++;
	}
	*out = v;
	return p > from && p - from <= 16 ? p : NULL;
}

/*
 * Parse a decimal number at @p. Returns the position after the number; NULL if
 * there is no number or it exceeds 64 bits.
 */
static inline const char *
hp_decimal_number(const char *p, const char *end, uint64_t *out)
{
	const char *from = p;
	uint64_t v = 0;

	while (p < end && *p >= '0' && *p <= '9') {
		if (v > (UINT64_MAX - 9) / 10)
			return NULL;
		v = v * 10 + (unsigned)(*p++ - '0');
	}
	*out = v;
	return p > from ? p : NULL;
}

/*
 * Parse the line of an array element, "\t[%u]\t\t%x", beginning with its first
 * tab. Returns the position after the line; NULL if it has another format.
 */
static inline const char *
hp_array_element(const char *p, const char *end, uint64_t *index,
		 uint64_t *value)
{
	if (end - p < 2 || p[0] != '\t' || p[1] != '[')
		return NULL;
	p = hp_decimal_number(p + 2, end, index);
	if (!p || end - p < 3 || p[0] != ']' || p[1] != '\t' || p[2] != '\t')
		return NULL;
	return hp_hex_number(p + 3, end, value);
}

/*
 * ----------------------------------------------------------------------
 * Parse one line of the agent's text into values
 *
 * The parser sees only one line at a time. Its callers combine the values of
 * several lines. parse.c shows the format of each kind of line.
 * Source: hprof_io.c of the JDK's agent
 */

enum hp_text_kind {
	HP_TEXT_OTHER, /* the line has none of the known formats */
	HP_TEXT_THREAD_START,
	HP_TEXT_THREAD_END,
	HP_TEXT_TRACE,
	HP_TEXT_FRAME,
	/* The line "<empty>": the stack trace has no frames. */
	HP_TEXT_NO_FRAME,
	HP_TEXT_HEAP_BEGIN,
	HP_TEXT_HEAP_END,
	HP_TEXT_ROOT,
	HP_TEXT_OBJECT,
	HP_TEXT_FIELD,
	/* the line of an array of references or of primitive values */
	HP_TEXT_ARRAY,
	HP_TEXT_ELEMENT,
	HP_TEXT_CLASS,
	/*
	 * A reference from a class to its super class, loader, signers or
	 * protection domain. The member `count` of the item says to which of
	 * these (enum hp_text_link).
	 */
	HP_TEXT_LINK,
	HP_TEXT_STATIC,
	HP_TEXT_CONSTANT,
	HP_TEXT_SITES_BEGIN,
	HP_TEXT_SITES_END,
	HP_TEXT_SITE,
	HP_TEXT_SAMPLES_BEGIN,
	HP_TEXT_SAMPLES_END,
	HP_TEXT_TIMES_BEGIN,
	HP_TEXT_TIMES_END,
	HP_TEXT_MONITORS_BEGIN, /* the line MONITOR TIME BEGIN */
	HP_TEXT_MONITORS_END,
	/* a row of the table of CPU samples, CPU times or monitors */
	HP_TEXT_ROW,
	HP_TEXT_OLD_BEGIN,
	HP_TEXT_OLD_ROW,
	HP_TEXT_MONITOR_DUMP_BEGIN,
	HP_TEXT_MONITOR_DUMP_END,
	HP_TEXT_MONITOR_LINE, /* a line inside a MONITOR DUMP */
	/* a line about a thread that waits, has waited, sleeps or exits */
	HP_TEXT_MONITOR_EVENT,
	HP_TEXT_HEADING, /* the column headings of a table */
	HP_TEXT_BLANK,
};

/*
 * The report or object to which a line belongs. The meaning of a line that
 * begins with a tab or a blank depends on it.
 */
enum hp_text_within {
	HP_WITHIN_NOTHING,
	HP_WITHIN_TRACE,
	/*
	 * in a heap dump, but not among the lines that belong to an object,
	 * array or class
	 */
	HP_WITHIN_HEAP,
	HP_WITHIN_OBJECT,
	HP_WITHIN_ARRAY,
	HP_WITHIN_CLASS,
	HP_WITHIN_SITES,
	HP_WITHIN_SAMPLES,
	HP_WITHIN_TIMES,
	HP_WITHIN_MONITORS,
	HP_WITHIN_MONITOR_DUMP,
	HP_WITHIN_OLD,
};

enum hp_text_root {
	HP_TEXT_ROOT_UNKNOWN,
	HP_TEXT_ROOT_THREAD,
	HP_TEXT_ROOT_JNI_GLOBAL,
	HP_TEXT_ROOT_JNI_LOCAL,
	HP_TEXT_ROOT_CLASS,
	HP_TEXT_ROOT_MONITOR,
	HP_TEXT_ROOT_THREAD_BLOCK,
	HP_TEXT_ROOT_JAVA_FRAME,
	HP_TEXT_ROOT_NATIVE,
};

enum hp_text_link {
	HP_TEXT_SUPER,
	HP_TEXT_LOADER,
	HP_TEXT_SIGNERS,
	HP_TEXT_DOMAIN,
};

/*
 * The values that were parsed from a line. A member is 0 if lines of this kind
 * do not have it.
 */
struct hp_text_item {
	enum hp_text_kind kind;
	/*
	 * the line describes an array of primitive values: it has no class id
	 */
	bool primitive;
	/*
	 * for a frame, the line number in the source file; for a ROOT line, the
	 * number of the stack frame
	 */
	int32_t line;
	uint32_t serial, trace;
	/*
	 * id of the object or class; for a thread, the id of its thread object
	 */
	uint64_t id;
	/*
	 * depends on the kind of line: class id, value of a field, or JNI
	 * reference
	 */
	uint64_t other;
	/*
	 * Depends on the kind of line: number of elements of an array, index of
	 * an element, number of objects, enum hp_text_root, or enum
	 * hp_text_link.
	 */
	uint64_t count;
	/*
	 * the value "sz=" of an object, the number of bytes of a heap dump, or
	 * the total of a report
	 */
	uint64_t size;
	/*
	 * Names. Their meaning depends on the kind of line:
	 * name:   class, thread, field or called method
	 * method: thread group, method or calling method
	 * source: source file
	 */
	struct hp_slice name;
	/*
	 * Only lines outside of heap dumps set this member and those after it.
	 * A line of a heap dump does not change these members.
	 */
	struct hp_slice method, source;
	/*
	 * the table of allocation sites is sorted by allocated bytes, not by
	 * live bytes
	 */
	bool by_allocated;
	uint64_t time_ms; /* milliseconds since 1970, UTC; 0: none */
	/*
	 * This member and those after it are the columns of a row in a table.
	 */
	/*
	 * `rank`: the row number, from 1. `self`: the percentage of the row.
	 * `accum`: the sum of the percentages up to this row. Percentages are
	 * in units of 0.01 %.
	 */
	uint32_t rank, self, accum;
	uint64_t live_bytes, live_count, all_bytes, all_count;
};

/**
 * hp_text_parse() - parse one line
 * @within: the report or object to which the line belongs
 *
 * Returns: item->kind; HP_TEXT_OTHER if no line inside of @within has this
 *          format.
 */
enum hp_text_kind hp_text_parse(const char *line, size_t length,
				enum hp_text_within within,
				struct hp_text_item *item);

/*
 * Returns a percentage of @total. @hundredths: the percentage in units of 0.01
 * %; for example, 2550 (25.5 %) of a total of 1000 is 255. The result is
 * rounded, and limited to UINT64_MAX.
 */
static inline uint64_t
hp_text_share(uint64_t hundredths, uint64_t total)
{
	unsigned __int128 part =
		((unsigned __int128)hundredths * total + 5000) / 10000;

	return part > UINT64_MAX ? UINT64_MAX : (uint64_t)part;
}

/*
 * The parts of a method such as "java.lang.String.length()I": class, name and
 * signature. hp_text_method() splits the text at the last dot before the
 * parenthesis. If there is no such dot, it returns false.
 */
struct hp_text_method {
	struct hp_slice class_name, name, signature;
};
bool hp_text_method(struct hp_slice text, struct hp_text_method *out);

/*
 * Parse a time as ctime() prints it ("Sat Jan  1 12:00:00 2022"), in UTC.
 * Returns milliseconds since 1970; 0 if the text is not a time.
 */
uint64_t hp_text_time_ms(const char *text, size_t length);

/*
 * Returns the type code of the elements of a primitive array class such as
 * "int[]"; 0 for other names.
 */
unsigned hp_text_array_type(struct hp_slice name);

/*
 * Returns the type code of a primitive type, or of the elements of an array
 * class, such as "int" or "int[]"; 0 for other names.
 */
unsigned hp_text_element_type(struct hp_slice name);

/*
 * Whether @name is the name of an array class, such as "int[]" or
 * "java.lang.String[]".
 */
bool hp_text_is_array(struct hp_slice name);

#endif
