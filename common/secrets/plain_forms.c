/*
 * plain_forms.c - search bytes for e-mail addresses and card numbers, which
 * have no prefix that search.c could look for
 *
 * These categories are off by default, because many programs have such texts
 * for good reasons. To find a match, the code looks at a limited number of
 * characters. So the time of a search is linear.
 */
#include "common/secrets/secrets.h"

#include <string.h>

enum {
	/* limits of RFC 5321, section 4.5.3.1 */
	LOCAL_MOST = 64,
	DOMAIN_MOST = 253,
	LOCAL_LEAST = 2,
	CARD_LEAST = 13,
	CARD_MOST = 19,
};

/* Characters of one or two bytes (UTF-16, in either byte order). */
struct chars {
	const uint8_t *data;
	size_t n;
	unsigned width;
};

/*
 * Returns the character data[at]; -1 if the text ends before it. If characters
 * have two bytes, data[at] is the low-order byte. The high-order byte must be
 * 0; otherwise returns -1. @from: the index of a character before or after @at.
 */
static int
char_at(const struct chars *t, size_t at, size_t from)
{
	if (at >= t->n)
		return -1;
	if (t->width == 2 && at > from && t->data[at - 1] != 0)
		return -1;
	if (t->width == 2 && at < from && t->data[at + 1] != 0)
		return -1;
	return t->data[at];
}

static bool
is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_local(int c)
{
	return is_letter(c) || is_digit(c) || (c > 0 && strchr("._%+-", c));
}

/*
 * Returns the index of the first byte of the local part of an e-mail address
 * (the part before the "@").
 */
static size_t
local_begin(const struct chars *t, size_t at)
{
	size_t begin = at, n = 0;

	while (n < LOCAL_MOST && begin >= t->width &&
	       is_local(char_at(t, begin - t->width, at))) {
		begin -= t->width;
		n++;
	}
	return begin;
}

/*
 * Match a domain after the "@" at byte @at: labels with dots between them. The
 * last label must have at least two letters. Returns the number of characters;
 * 0: no match.
 */
static size_t
domain_length(const struct chars *t, size_t at)
{
	size_t k = 0, label = 0, dots = 0, good = 0, before = 0;
	bool letters = true;

	for (; k < DOMAIN_MOST; k++) {
		int c = char_at(t, at + (k + 1) * t->width, at);

		if (c == '.' && label > 0) {
			dots++;
			label = 0;
			letters = true;
			before = good;
		} else if (is_letter(c) || is_digit(c) || c == '-') {
			label++;
			letters &= is_letter(c);
			good = dots > 0 && letters && label >= 2 ? k + 1
								 : before;
		} else {
			break;
		}
	}
	return good;
}

static bool
match_email(const struct chars *t, size_t at, size_t from, struct hp_secret *s)
{
	size_t begin = local_begin(t, at), after = domain_length(t, at);
	size_t before = (at - begin) / t->width;

	if (begin < from || before < LOCAL_LEAST || after == 0)
		return false;
	s->kind = HP_SECRET_EMAIL;
	s->at = begin;
	s->end = at + after * t->width + 1;
	s->length = before + 1 + after;
	return true;
}

/*
 * Whether these digits can be the number of a payment card: the first digits
 * and the length must be those of a brand, and the last digit must be the right
 * check digit (Luhn).
 */
static bool
is_card(const uint8_t *digits, size_t n)
{
	unsigned sum = 0, two = digits[0] * 10u + digits[1];
	bool brand = (digits[0] == 4 && (n == 13 || n == 16 || n == 19)) ||
		     (n == 16 &&
		      ((two >= 51 && two <= 55) || (two >= 22 && two <= 27) ||
		       two == 35 || two == 60 || two == 65)) ||
		     (n == 15 && (two == 34 || two == 37));

	for (size_t i = 0; i < n; i++) {
		unsigned d = digits[n - 1 - i] * (i % 2 ? 2u : 1u);

		sum += d > 9 ? d - 9 : d;
	}
	return brand && sum % 10 == 0;
}

/*
 * Match the digits of a card number at byte @at, in groups that are separated
 * by single spaces or "-".
 */
static bool
match_card(const struct chars *t, size_t at, struct hp_secret *s)
{
	uint8_t digits[CARD_MOST + 1];
	size_t n = 0, k = 0, end = 0;
	int before = at >= t->width ? char_at(t, at - t->width, at) : -1, c;

	if (is_digit(before) || is_letter(before) || before == '.')
		return false;
	for (; n <= CARD_MOST; k++) {
		c = char_at(t, at + k * t->width, at);
		if (is_digit(c)) {
			digits[n++] = (uint8_t)(c - '0');
			end = k + 1;
		} else if ((c != ' ' && c != '-') || end < k) {
			break;
		}
	}
	c = char_at(t, at + end * t->width, at);
	if (n < CARD_LEAST || n > CARD_MOST || is_letter(c) ||
	    !is_card(digits, n))
		return false;
	s->kind = HP_SECRET_CARD;
	s->at = at;
	s->end = at + (end - 1) * t->width + 1;
	s->length = end;
	return true;
}

bool
hp_secret_next_plain(const uint8_t *data, size_t n, size_t from,
		     enum hp_secret_kind kind, struct hp_secret *s)
{
	struct chars t = {.data = data, .n = n};

	for (size_t at = from; at < n; at++) {
		if (kind == HP_SECRET_EMAIL) {
			const uint8_t *sign = memchr(data + at, '@', n - at);

			if (!sign)
				return false;
			at = (size_t)(sign - data);
		} else if (!is_digit(data[at])) {
			continue;
		}
		for (t.width = 1; t.width <= 2; t.width++)
			if (kind == HP_SECRET_EMAIL
				    ? match_email(&t, at, from, s)
				    : match_card(&t, at, s))
				return true;
	}
	return false;
}
