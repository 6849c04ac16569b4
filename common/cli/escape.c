/*
 * escape.c - escape untrusted text in one pass, for each kind of output
 *
 * One loop copies sequences of plain bytes, and passes all other bytes to small
 * functions. For each byte value, a table has one bit for each kind of output.
 * The bit says whether the byte must be escaped in this output.
 */
#include "common/cli/escape.h"

/*
 * Reasons why a byte of a text may have to be escaped, one bit each. The first
 * reason applies to all outputs; each of the others applies only to some
 * outputs.
 */
/*
 * must be escaped in all outputs: control characters, DEL, non-ASCII bytes,
 * backslash, #
 */
#define HP_STOP_ALWAYS 1
#define HP_STOP_QUOTE 2 /* the double quote, which must be escaped in JSON */
#define HP_STOP_XML 4	/* must be escaped in XML: & < > " ' */
/* the percent sign, which must be escaped in the message of a GitHub command */
#define HP_STOP_DATA 8
#define HP_STOP_PROPERTY 16 /* % : , must be escaped in GitHub properties */

#define HP_STOP_4 HP_STOP_ALWAYS, HP_STOP_ALWAYS, HP_STOP_ALWAYS, HP_STOP_ALWAYS
#define HP_STOP_16 HP_STOP_4, HP_STOP_4, HP_STOP_4, HP_STOP_4
#define HP_STOP_64 HP_STOP_16, HP_STOP_16, HP_STOP_16, HP_STOP_16

/* clang-format off */
static const uint8_t stop_bytes[256] = {
	HP_STOP_16, HP_STOP_16,				/* bytes 00 to 1F */
	[' '] = 0,
	['"'] = HP_STOP_QUOTE | HP_STOP_XML,
	['#'] = HP_STOP_ALWAYS,
	['%'] = HP_STOP_DATA | HP_STOP_PROPERTY,
	['&'] = HP_STOP_XML,
	['\''] = HP_STOP_XML,
	[','] = HP_STOP_PROPERTY,
	[':'] = HP_STOP_PROPERTY,
	['<'] = HP_STOP_XML,
	['>'] = HP_STOP_XML,
	['\\'] = HP_STOP_ALWAYS,
	[0x7F] = HP_STOP_ALWAYS,
	HP_STOP_64, HP_STOP_64,				/* bytes 80 to FF */
};
/* clang-format on */

/*
 * The options of escape_text(): how a text is escaped for one kind of output,
 * such as JSON.
 */
struct escape_style {
	/*
	 * HP_STOP_ bits: the bytes that must be escaped in addition to those of
	 * HP_STOP_ALWAYS
	 */
	uint8_t stops;
	/*
	 * Use the escapes of JSON (\uNNNN) instead of those of the visible form
	 * (see escape.h), so that a JSON parser returns the original text.
	 */
	bool exact;
	/*
	 * The text is already in the visible form (see escape.h), so its
	 * escapes must not be escaped again.
	 */
	bool visible;
	/*
	 * the text is a property of a GitHub command, where colons are always
	 * escaped
	 */
	bool property;
	const char *backslash; /* the text that replaces a backslash */
	/* the function that escapes and appends the bytes of `stops` */
	void (*special)(struct hp_buf *b, uint8_t c);
};

/*
 * Code points that are escaped because a reader cannot see them, or because
 * they change how the text around them looks. Each entry has the first and the
 * last code point of a range; the ranges are sorted. Sources: all of Unicode
 * 17.0's property Default_Ignorable_Code_Point (DerivedCoreProperties.txt;
 * Unicode 14.0 has the same list); the general categories Cc, Cs, Zl and Zp;
 * the interlinear annotations of Cf; and the noncharacters. The last two code
 * points of each plane are also noncharacters: hp_text_hidden() computes these.
 */
static const uint32_t hidden[][2] = {
	{0x0000, 0x001F}, /* control characters (category Cc) */
	{0x007F, 0x009F}, /* control characters (category Cc) */
	{0x00AD, 0x00AD}, /* soft hyphen */
	{0x034F, 0x034F}, /* combining grapheme joiner */
	{0x061C, 0x061C}, /* Arabic letter mark */
	{0x115F, 0x1160}, /* Hangul fillers */
	{0x17B4, 0x17B5}, /* Khmer inherent vowels */
	{0x180B, 0x180F}, /* Mongolian variation selectors and separator */
	{0x200B, 0x200F}, /* zero-width characters, direction marks */
	/* line and paragraph separators (Zl, Zp), direction controls */
	{0x2028, 0x202E},
	{0x2060, 0x206F},   /* word joiner, invisible operators, directions */
	{0x3164, 0x3164},   /* Hangul filler */
	{0xD800, 0xDFFF},   /* surrogates (category Cs) */
	{0xFDD0, 0xFDEF},   /* noncharacters */
	{0xFE00, 0xFE0F},   /* variation selectors */
	{0xFEFF, 0xFEFF},   /* byte order mark */
	{0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
	{0xFFF0, 0xFFFB},   /* unassigned; interlinear annotations */
	{0x1BCA0, 0x1BCA3}, /* shorthand format controls */
	{0x1D173, 0x1D17A}, /* musical format controls */
	{0xE0000, 0xE0FFF}, /* tags, more variation selectors */
};

bool
hp_text_hidden(uint32_t cp)
{
	size_t low = 0, high = HP_ARRAY_LEN(hidden);

	if ((cp & 0xFFFE) == 0xFFFE)
		return true;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (cp > hidden[mid][1])
			low = mid + 1;
		else
			high = mid;
	}
	return low < HP_ARRAY_LEN(hidden) && cp >= hidden[low][0];
}

/*
 * Whether the @n bytes after the byte at @p are UTF-8 continuation bytes.
 * @left: the number of available bytes at @p.
 */
static bool
are_continuation_bytes(const uint8_t *p, size_t left, size_t n)
{
	if (n >= left)
		return false;
	for (size_t i = 1; i <= n; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return false;
	}
	return true;
}

static uint32_t
decode_3(const uint8_t *p)
{
	return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 |
	       (p[2] & 0x3F);
}

/*
 * Decode a character of three bytes, or of six bytes if these are the two
 * halves of a surrogate pair. Returns the number of bytes.
 */
static size_t
decode_long(const uint8_t *p, size_t left, uint32_t *cp)
{
	uint32_t high = decode_3(p);

	if (high < 0x800)
		return 1;
	*cp = high;
	if ((high & 0xFC00) != 0xD800 || left < 6 || p[3] != 0xED ||
	    !are_continuation_bytes(p + 3, left - 3, 2))
		return 3;
	uint32_t low = decode_3(p + 3);
	if ((low & 0xFC00) != 0xDC00)
		return 3;
	*cp = 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
	return 6;
}

size_t
hp_text_decode(const uint8_t *p, size_t left, uint32_t *cp)
{
	uint8_t c = p[0];

	*cp = HP_TEXT_INVALID;
	if (c < 0x80) {
		*cp = c;
		return 1;
	}
	if (c >= 0xC0 && c < 0xE0 && are_continuation_bytes(p, left, 1)) {
		uint32_t v = (uint32_t)(c & 0x1F) << 6 | (p[1] & 0x3F);
		if (v != 0 && v < 0x80)
			return 1;
		*cp = v;
		return 2;
	}
	if (c >= 0xE0 && c < 0xF0 && are_continuation_bytes(p, left, 2))
		return decode_long(p, left, cp);
	if (c >= 0xF0 && c < 0xF5 && are_continuation_bytes(p, left, 3)) {
		uint32_t v = (uint32_t)(c & 0x07) << 18 |
			     (uint32_t)(p[1] & 0x3F) << 12 |
			     (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3F);
		if (v < 0x10000 || v > 0x10FFFF)
			return 1;
		*cp = v;
		return 4;
	}
	return 1;
}

static void
encode_utf8(struct hp_buf *b, uint32_t cp)
{
	uint8_t out[4];
	size_t n;

	if (cp < 0x80) {
		out[0] = (uint8_t)cp;
		n = 1;
	} else if (cp < 0x800) {
		out[0] = (uint8_t)(0xC0 | cp >> 6);
		n = 2;
	} else if (cp < 0x10000) {
		out[0] = (uint8_t)(0xE0 | cp >> 12);
		n = 3;
	} else {
		out[0] = (uint8_t)(0xF0 | (cp >> 18 & 0x07));
		n = 4;
	}
	for (size_t i = n; i > 1; i--, cp >>= 6)
		out[i - 1] = (uint8_t)(0x80 | (cp & 0x3F));
	hp_buf_add(b, out, n);
}

static void
add_hex(struct hp_buf *b, uint32_t v, unsigned digits)
{
	for (int shift = 28; shift >= 0; shift -= 4) {
		if (v >> shift != 0 || (unsigned)shift < 4 * digits)
			hp_buf_byte(b, "0123456789ABCDEF"[v >> shift & 15]);
	}
}

static bool
is_hex(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') ||
	       (c >= 'a' && c <= 'f');
}

/*
 * Append a backslash of the text. If the text after the backslash looks like
 * the rest of an escape of the visible form, such as "xA9", the backslash is
 * written as \x5C.
 */
static void
add_backslash(struct hp_buf *b, const struct escape_style *style,
	      const uint8_t *p, size_t left)
{
	hp_buf_text(b, style->backslash);
	if (style->visible)
		return;
	if ((left >= 4 && p[1] == 'x' && is_hex(p[2]) && is_hex(p[3])) ||
	    (left >= 3 && p[1] == 'u' && p[2] == '{'))
		hp_buf_text(b, "x5C");
}

static bool
is_letter(uint8_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/*
 * Whether the # at @p begins a command for a CI system. Such systems look for
 * ##[ (GitHub, Azure), ##vso[ (Azure) and ##teamcity[ anywhere in a line, so
 * two # and letters before a bracket are enough. If the text ends before the
 * bracket, the function also returns true, because the next text on the same
 * line may begin with a bracket.
 */
static bool
begins_command(const uint8_t *p, size_t left)
{
	size_t n = 2;

	if (left < 2 || p[1] != '#')
		return false;
	while (n < left && is_letter(p[n]))
		n++;
	return n == left || p[n] == '[';
}

/*
 * Append a # of the text, escaped if it begins a command for a CI system. For
 * JSON, a # at the end of the text is also escaped, because texts may be
 * written in pieces. A JSON parser returns the original text.
 */
static void
add_number_sign(struct hp_buf *b, const struct escape_style *style,
		const uint8_t *p, size_t left)
{
	bool escaped = begins_command(p, left) || (style->exact && left == 1);

	if (!escaped)
		hp_buf_byte(b, '#');
	else if (style->exact)
		hp_buf_text(b, "\\u0023");
	else {
		hp_buf_text(b, style->backslash);
		hp_buf_text(b, "x23");
	}
}

/*
 * Returns the length in bytes of the blank character at @p, if CI systems
 * ignore this character at the beginning of a line; otherwise 0.
 */
static size_t
blank_length(const uint8_t *p, size_t left)
{
	uint32_t cp;
	size_t n = left > 0 ? hp_text_decode(p, left, &cp) : 0;

	if (n > 0 && (cp == ' ' || cp == 0xA0 || cp == 0x1680 ||
		      (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F ||
		      cp == 0x205F || cp == 0x3000))
		return n;
	return 0;
}

/*
 * Escape a colon at the beginning of a text. GitHub executes a line that begins
 * with blanks and ::, and this text may be the first one of its line. A single
 * colon at the end of the text is also escaped, because the text that is
 * written next may begin with a colon. Returns how many bytes of the text were
 * handled.
 */
static size_t
add_first_colon(struct hp_buf *b, const struct escape_style *style,
		const uint8_t *p, size_t len)
{
	size_t i = 0, n;

	if (style->exact || style->property)
		return 0;
	while ((n = blank_length(p + i, len - i)) > 0)
		i += n;
	if (i == len || p[i] != ':' || (i + 1 < len && p[i + 1] != ':'))
		return 0;
	hp_buf_add(b, p, i);
	hp_buf_text(b, style->backslash);
	hp_buf_text(b, "x3A");
	return i + 1;
}

static void
add_json_code(struct hp_buf *b, uint32_t cp)
{
	/* the letters of JSON's escapes for the bytes 08 to 0D, such as \n */
	static const char letters[] = "btn\0fr";

	hp_buf_byte(b, '\\');
	if (cp >= 8 && cp <= 13 && letters[cp - 8]) {
		hp_buf_byte(b, letters[cp - 8]);
		return;
	}
	hp_buf_byte(b, 'u');
	if (cp >= 0x10000) {
		add_hex(b, 0xD800 + ((cp - 0x10000) >> 10), 4);
		hp_buf_text(b, "\\u");
		cp = 0xDC00 + ((cp - 0x10000) & 0x3FF);
	}
	add_hex(b, cp, 4);
}

/*
 * Append the character at @p, whose first byte is in HP_STOP_ALWAYS: a control
 * character, a backslash, a #, or a non-ASCII character. Returns how many bytes
 * of the text it has.
 */
static size_t
add_special(struct hp_buf *b, const struct escape_style *style,
	    const uint8_t *p, size_t left)
{
	uint32_t cp;

	if (*p == '\\') {
		add_backslash(b, style, p, left);
		return 1;
	}
	if (*p == '#') {
		add_number_sign(b, style, p, left);
		return 1;
	}
	size_t n = hp_text_decode(p, left, &cp);
	if (cp == HP_TEXT_INVALID) {
		hp_buf_text(b, style->backslash);
		hp_buf_byte(b, 'x');
		add_hex(b, *p, 2);
	} else if (!hp_text_hidden(cp)) {
		if (n <= 4)
			hp_buf_add(b, p, n);
		else
			encode_utf8(b, cp);
	} else if (style->exact && (cp < 0xD800 || cp > 0xDFFF)) {
		add_json_code(b, cp);
	} else {
		hp_buf_text(b, style->backslash);
		hp_buf_text(b, "u{");
		add_hex(b, cp, 1);
		hp_buf_byte(b, '}');
	}
	return n;
}

#define HP_BYTES(c) (UINT64_C(0x0101010101010101) * (uint64_t)(c))

/*
 * Returns a number in which the highest bit of at least one byte is set if @v
 * contains a zero byte; otherwise no such bit is set.
 */
static inline uint64_t
has_zero_byte(uint64_t v)
{
	return (v - HP_BYTES(0x01)) & ~v;
}

/*
 * Returns how many bytes at @p can be copied without escapes in all outputs.
 * The number is a multiple of eight: the function stops at a group of eight
 * bytes with a control character, DEL, a non-ASCII byte, a backslash, a # or a
 * quote.
 */
static size_t
plain_groups(const uint8_t *p, size_t len)
{
	size_t i = 0;

	for (; len - i >= 8; i += 8) {
		uint64_t v;
		memcpy(&v, p + i, 8);
		uint64_t stop = (v - HP_BYTES(0x20)) | (v + HP_BYTES(0x01)) |
				v | has_zero_byte(v ^ HP_BYTES('\\')) |
				has_zero_byte(v ^ HP_BYTES('#')) |
				has_zero_byte(v ^ HP_BYTES('"'));
		if (stop & HP_BYTES(0x80))
			break;
	}
	return i;
}

static void
escape_text(struct hp_buf *b, const struct escape_style *style,
	    const void *text, size_t len)
{
	const uint8_t *p = text;
	const uint8_t stops = (uint8_t)(style->stops | HP_STOP_ALWAYS);
	const bool groups = !(stops & ~(HP_STOP_ALWAYS | HP_STOP_QUOTE));
	size_t i, run;

	if (len == 0) /* @text may be NULL in this case */
		return;
	hp_buf_reserve(b, len);
	i = run = add_first_colon(b, style, p, len);
	while (i < len) {
		if (groups)
			i += plain_groups(p + i, len - i);
		while (i < len && !(stop_bytes[p[i]] & stops))
			i++;
		hp_buf_add(b, p + run, i - run);
		if (i == len)
			break;
		if (stop_bytes[p[i]] & HP_STOP_ALWAYS)
			i += add_special(b, style, p + i, len - i);
		else
			style->special(b, p[i++]);
		run = i;
	}
}

static void
special_json(struct hp_buf *b, uint8_t c)
{
	hp_buf_byte(b, '\\');
	hp_buf_byte(b, (char)c);
}

static void
special_xml(struct hp_buf *b, uint8_t c)
{
	hp_buf_text(b, c == '&'	  ? "&amp;"
		       : c == '<' ? "&lt;"
		       : c == '>' ? "&gt;"
		       : c == '"' ? "&quot;"
				  : "&#39;");
}

static void
special_csv(struct hp_buf *b, uint8_t c)
{
	hp_buf_byte(b, (char)c);
	hp_buf_byte(b, (char)c);
}

static void
special_percent(struct hp_buf *b, uint8_t c)
{
	hp_buf_byte(b, '%');
	add_hex(b, c, 2);
}

/*
 * Define the function that escapes a text for one kind of output. @apply:
 * escape_text(), or the function for a cell of CSV or TSV.
 */
#define ESCAPE(name, apply, ...)                                               \
	void name(struct hp_buf *b, const void *text, size_t len)              \
	{                                                                      \
		static const struct escape_style style = {__VA_ARGS__};        \
                                                                               \
		apply(b, &style, text, len);                                   \
	}

ESCAPE(hp_text_clean, escape_text, .backslash = "\\")
ESCAPE(hp_text_clean_visible, escape_text, .visible = true, .backslash = "\\")
ESCAPE(hp_escape_json, escape_text, .stops = HP_STOP_QUOTE, .backslash = "\\\\",
       .special = special_json)
ESCAPE(hp_escape_json_exact, escape_text, .stops = HP_STOP_QUOTE, .exact = true,
       .backslash = "\\\\", .special = special_json)
ESCAPE(hp_escape_json_given, escape_text, .stops = HP_STOP_QUOTE, .exact = true,
       .visible = true, .backslash = "\\\\", .special = special_json)
ESCAPE(hp_escape_json_visible, escape_text, .stops = HP_STOP_QUOTE,
       .visible = true, .backslash = "\\\\", .special = special_json)
ESCAPE(hp_escape_xml, escape_text, .stops = HP_STOP_XML, .backslash = "\\",
       .special = special_xml)
ESCAPE(hp_escape_xml_visible, escape_text, .stops = HP_STOP_XML,
       .visible = true, .backslash = "\\", .special = special_xml)
ESCAPE(hp_escape_github, escape_text, .stops = HP_STOP_DATA, .backslash = "\\",
       .special = special_percent)
ESCAPE(hp_escape_github_visible, escape_text, .stops = HP_STOP_DATA,
       .visible = true, .backslash = "\\", .special = special_percent)
ESCAPE(hp_escape_github_property, escape_text, .stops = HP_STOP_PROPERTY,
       .property = true, .backslash = "\\", .special = special_percent)

void
hp_text_clean_cut(struct hp_buf *b, const void *text, size_t len, size_t max)
{
	const uint8_t *p = text;
	size_t n = len < max ? len : max;

	/*
	 * Do not cut the text inside a UTF-8 character, or between the two
	 * halves of a surrogate pair.
	 */
	for (int back = 0; n < len && n > 0 && back < 3; back++) {
		if ((p[n] & 0xC0) != 0x80)
			break;
		n--;
	}
	if (n < len && n >= 3 && len - n >= 2 && p[n] == 0xED &&
	    p[n + 1] >= 0xB0 && p[n - 3] == 0xED && p[n - 2] >= 0xA0)
		n -= 3;
	hp_text_clean(b, text, n);
	if (n < len)
		hp_buf_text(b, "\u2026");
}

/*
 * Whether a spreadsheet would interpret a cell that begins with these bytes as
 * a formula.
 */
static bool
is_formula(const uint8_t *p, size_t len)
{
	if (len != 0 && strchr("=+-@", *p) && *p)
		return true;
	/*
	 * Also test for U+FF1D, U+FF0B, U+FF0D and U+FF20, the full-width forms
	 * of the same characters.
	 */
	return len >= 3 && p[0] == 0xEF && p[1] == 0xBC &&
	       (p[2] == 0x9D || p[2] == 0x8B || p[2] == 0x8D || p[2] == 0xA0);
}

/*
 * Whether a CSV cell needs quotes. The cell contains no line breaks, because
 * these are already escaped.
 */
static bool
needs_quotes(const uint8_t *p, size_t len)
{
	if (len == 0)
		return false;
	return memchr(p, ',', len) || memchr(p, '"', len) ||
	       memchr(p, ';', len) || p[0] == ' ' || p[len - 1] == ' ';
}

static void
add_cell(struct hp_buf *b, const struct escape_style *style, const void *text,
	 size_t len)
{
	bool quotes = needs_quotes(text, len);

	if (quotes)
		hp_buf_byte(b, '"');
	if (is_formula(text, len))
		hp_buf_byte(b, '\'');
	escape_text(b, style, text, len);
	if (quotes)
		hp_buf_byte(b, '"');
}

/*
 * Append a cell of TSV. In CSV, a ' is added before a cell that looks like a
 * formula. A database would read this ' as a part of the text. So in TSV, the
 * first character of such a cell is written as an escape, which the database
 * converts back.
 */
static void
add_tsv_cell(struct hp_buf *b, const struct escape_style *style,
	     const void *text, size_t len)
{
	const uint8_t *p = text;
	size_t n = 0;

	if (is_formula(p, len)) {
		n = *p < 0x80 ? 1 : 3;
		hp_buf_text(b, style->backslash);
		hp_buf_text(b, n == 1 ? "x" : "u{FF");
		add_hex(b, n == 1 ? *p : (uint32_t)p[2] - 0x80, 2);
		hp_buf_text(b, n == 1 ? "" : "}");
	}
	escape_text(b, style, p + n, len - n);
}

ESCAPE(hp_escape_tsv, add_tsv_cell, .backslash = "\\\\")
ESCAPE(hp_escape_tsv_visible, add_tsv_cell, .visible = true,
       .backslash = "\\\\")

ESCAPE(hp_escape_csv_visible, add_cell, .stops = HP_STOP_QUOTE, .visible = true,
       .backslash = "\\", .special = special_csv)

void
hp_escape_uri(struct hp_buf *b, const void *path, size_t len)
{
	const uint8_t *p = path;

	for (size_t i = 0; i < len; i++) {
		uint8_t c = p[i];
		bool kept = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			    (c >= '0' && c <= '9') || (c && strchr("-._~/", c));

		if (kept)
			hp_buf_byte(b, (char)c);
		else
			special_percent(b, c);
	}
}
