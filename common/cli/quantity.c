/*
 * quantity.c - parse and print sizes, counts, percentages and ids
 *
 * All arithmetic uses integers, so that the result depends neither on the
 * locale nor on floating-point rounding.
 */
#include "common/cli/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A parsed decimal number: its whole part, and its fraction in millionths. */
struct scanned_decimal {
	uint64_t whole;
	uint64_t millionths;
	bool has_point;
	bool overflow;
	/*
	 * The number has a digit other than 0 after the sixth decimal. Such
	 * digits are ignored.
	 */
	bool dropped;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char
lower_case(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/*
 * Parse digits with an optional fraction. Returns a pointer to the first
 * character after the number; NULL if there is no number. Digits after the
 * sixth decimal are ignored.
 */
static const char *
scan_decimal(const char *text, struct scanned_decimal *out)
{
	*out = (struct scanned_decimal){0};
	if (!is_digit(*text))
		return NULL;
	for (; is_digit(*text); text++) {
		if (__builtin_mul_overflow(out->whole, 10, &out->whole) ||
		    __builtin_add_overflow(out->whole, (uint64_t)(*text - '0'),
					   &out->whole))
			out->overflow = true;
	}
	if (*text != '.')
		return text;
	out->has_point = true;
	text++;
	if (!is_digit(*text))
		return NULL;
	for (uint64_t unit = 100000; is_digit(*text); text++, unit /= 10) {
		out->millionths += (uint64_t)(*text - '0') * unit;
		out->dropped |= unit == 0 && *text != '0';
	}
	return text;
}

/*
 * Parse a unit, after which the text must end. Returns its exponent of two: 0
 * for B, 10 for K, 20 for M and so on; -1 if the unit is invalid.
 */
static int
scan_unit(const char *text)
{
	static const char units[] = "kmgtpe";
	int shift = 0;
	char c = lower_case(*text);
	const char *unit = c ? strchr(units, c) : NULL;

	if (unit) {
		shift = 10 * (int)(unit - units + 1);
		text++;
		if (lower_case(text[0]) == 'i' && lower_case(text[1]) == 'b')
			text++;
	}
	if (lower_case(*text) == 'b')
		text++;
	return *text ? -1 : shift;
}

enum hp_status
hp_size_parse(const char *text, uint64_t *out, struct hp_error *err)
{
	struct scanned_decimal d;
	const char *end = scan_decimal(text, &d);

	if (end && *end == ' ' && end[1])
		end++;
	int shift = end ? scan_unit(end) : -1;
	if (shift < 0 || (d.has_point && shift == 0))
		return hp_fail(err, HP_DAMAGED,
			       "'%.80s' is not a size (such as 512KB, 64MB or "
			       "1.5G)",
			       text);
	if (d.overflow || d.whole > UINT64_MAX >> shift)
		return hp_fail(err, HP_LIMIT, "the size '%.80s' is too large",
			       text);
	unsigned __int128 part = d.millionths;
	part = (part << shift) / 1000000;
	*out = (d.whole << shift) + (uint64_t)part;
	return HP_OK;
}

enum hp_status
hp_count_parse(const char *text, uint64_t min, uint64_t max, uint64_t *out,
	       struct hp_error *err)
{
	struct scanned_decimal d;
	const char *end = scan_decimal(text, &d);

	if (!end || *end || d.has_point)
		return hp_fail(err, HP_DAMAGED, "'%.80s' is not a whole number",
			       text);
	if (!d.overflow && d.whole >= min && d.whole <= max) {
		*out = d.whole;
		return HP_OK;
	}
	if (max == UINT64_MAX && d.overflow)
		return hp_fail(err, HP_LIMIT, "'%.80s' is too large", text);
	if (max == UINT64_MAX)
		return hp_fail(err, HP_LIMIT, "'%.80s' is not at least %llu",
			       text, (unsigned long long)min);
	return hp_fail(err, HP_LIMIT, "'%.80s' is not between %llu and %llu",
		       text, (unsigned long long)min, (unsigned long long)max);
}

bool
hp_id_parse(const char *text, uint64_t *id)
{
	bool hex = strncmp(text, "0x", 2) == 0;
	const char *digits = hex ? text + 2 : text;
	size_t n =
		strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");

	if (n == 0 || digits[n] || (hex && n > 16))
		return false;
	if (!hex)
		return hp_count_parse(text, 0, UINT64_MAX, id, NULL) == HP_OK;
	*id = strtoull(digits, NULL, 16);
	return true;
}

bool
hp_percent_parse(const char *text, uint64_t *out)
{
	struct scanned_decimal d;
	const char *end = scan_decimal(text, &d);

	if (end && *end == ' ')
		end++;
	return end && end[0] == '%' && !end[1] && !d.dropped && !d.overflow &&
	       !__builtin_mul_overflow(d.whole, HP_PERCENT_ONE, out) &&
	       !__builtin_add_overflow(*out, d.millionths, out);
}

bool
hp_percent_exceeded(uint64_t growth, uint64_t first, uint64_t percent)
{
	/* The product of two 64-bit numbers always fits into 128 bits. */
	return (unsigned __int128)growth * (100 * HP_PERCENT_ONE) >
	       (unsigned __int128)first * percent;
}

int64_t
hp_growth(uint64_t first, uint64_t last)
{
	uint64_t by = hp_difference(first, last);
	int64_t size = by > INT64_MAX ? INT64_MAX : (int64_t)by;

	return last > first ? size : -size;
}

void
hp_size_text(struct hp_buf *b, uint64_t bytes)
{
	static const char *const names[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
	unsigned shift = 10;
	size_t unit = 0;

	if (bytes < 1024) {
		hp_buf_u64(b, bytes);
		hp_buf_text(b, " B");
		return;
	}
	/*
	 * Compute the size in tenths of the unit, rounded. If the result is
	 * 1024.0, use 1.0 of the next larger unit.
	 */
	for (;;) {
		unsigned __int128 t = (unsigned __int128)bytes * 10;
		uint64_t tenths = (uint64_t)((t + ((unsigned __int128)1
						   << (shift - 1))) >>
					     shift);
		if (tenths < 10240 || unit + 1 == HP_ARRAY_LEN(names)) {
			hp_buf_u64(b, tenths / 10);
			hp_buf_byte(b, '.');
			hp_buf_byte(b, (char)('0' + tenths % 10));
			hp_buf_byte(b, ' ');
			hp_buf_text(b, names[unit]);
			return;
		}
		shift += 10;
		unit++;
	}
}

/* Append the sign of @v. Returns its absolute value. */
static uint64_t
add_sign(struct hp_buf *b, int64_t v)
{
	if (v != 0)
		hp_buf_byte(b, v < 0 ? '-' : '+');
	return hp_magnitude(v);
}

void
hp_size_text_signed(struct hp_buf *b, int64_t bytes)
{
	hp_size_text(b, add_sign(b, bytes));
}

void
hp_count_text(struct hp_buf *b, uint64_t count)
{
	char digits[20], text[32];
	size_t n = 0, at = sizeof(text);

	do {
		digits[n++] = (char)('0' + count % 10);
		count /= 10;
	} while (count != 0);
	for (size_t i = 0; i < n; i++) {
		if (i != 0 && i % 3 == 0)
			text[--at] = ',';
		text[--at] = digits[i];
	}
	hp_buf_add(b, text + at, sizeof(text) - at);
}

void
hp_count_noun_text(struct hp_buf *b, uint64_t count, const char *one)
{
	hp_count_text(b, count);
	hp_buf_printf(b, " %s%s", one, count == 1 ? "" : "s");
}

void
hp_count_text_signed(struct hp_buf *b, int64_t count)
{
	hp_count_text(b, add_sign(b, count));
}

/* --- percentages as text -------------------------------------------------- */

/*
 * Append a percentage: with one decimal if it is less than 10 %, or between 99
 * % and 100 %; otherwise rounded to whole percents.
 */
static void
add_rounded(struct hp_buf *b, uint64_t percent)
{
	uint64_t tenth = HP_PERCENT_ONE / 10;
	uint64_t tenths = percent / tenth + (percent % tenth >= tenth / 2);

	if (tenths < 100 || (percent > 99 * HP_PERCENT_ONE && tenths < 1000))
		hp_buf_printf(b, "%" PRIu64 ".%" PRIu64, tenths / 10,
			      tenths % 10);
	else
		hp_count_text(b, percent / HP_PERCENT_ONE +
					 (percent % HP_PERCENT_ONE >=
					  HP_PERCENT_ONE / 2));
	hp_buf_text(b, " %");
}

void
hp_percent_text(struct hp_buf *b, uint64_t percent)
{
	if (percent == 0)
		hp_buf_text(b, "0 %");
	else if (percent < HP_PERCENT_ONE / 20)
		hp_buf_text(b, "<0.1 %");
	else if (percent >= 100 * HP_PERCENT_ONE - HP_PERCENT_ONE / 20 &&
		 percent < 100 * HP_PERCENT_ONE)
		hp_buf_text(b, ">99.9 %");
	else
		add_rounded(b, percent);
}

uint64_t
hp_percent_of(uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return 0;
	if (part >= whole)
		return 100 * HP_PERCENT_ONE;
	return (uint64_t)((unsigned __int128)part * 100 * HP_PERCENT_ONE /
			  whole);
}

void
hp_growth_percent_text(struct hp_buf *b, int64_t growth, uint64_t first)
{
	unsigned __int128 from = first;
	unsigned __int128 size = hp_magnitude(growth);
	uint64_t percent;

	if (growth == 0 || first == 0) {
		hp_buf_text(b, growth == 0 ? "0 %" : "new");
		return;
	}
	if (growth > 0 && size * 1000 >= from * 9995) {
		hp_buf_text(b, "×");
		hp_count_text(b,
			      (uint64_t)((size * 2 + from) / (from * 2)) + 1);
		return;
	}
	percent = (uint64_t)(size * 100 * HP_PERCENT_ONE / from);
	if (percent < HP_PERCENT_ONE / 20) {
		hp_buf_text(b, "<0.1 %");
		return;
	}
	/*
	 * Show at most 99.9 %: only a value that became 0 has shrunk by 100 %.
	 */
	if (growth < 0 && size < from &&
	    percent > 100 * HP_PERCENT_ONE - HP_PERCENT_ONE / 10)
		percent = 100 * HP_PERCENT_ONE - HP_PERCENT_ONE / 10;
	hp_buf_byte(b, growth < 0 ? '-' : '+');
	add_rounded(b, percent);
}
