/*
 * named.c - decide whether the value of a field or key with a given name can be
 * a secret, and whether a given value is one
 *
 * Many fields called "password" have values that are no secrets: names of
 * properties, texts that are shown to users, placeholders. The rules for values
 * leave them out.
 */
#include "common/secrets/named.h"

#include <string.h>

static const struct {
	const char *word;
	unsigned least;
	bool mixed;
} holders[] = {
#define HOLDER(symbol, word, least, mixed) {word, least, mixed},
#include "common/secrets/secret_holders.def"
};

/* Returns the letter in lower case, or the digit; 0 for other characters. */
static char
plain(unsigned c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 'a' - 'A');
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? (char)c : 0;
}

/*
 * Whether the name ends with @word. Separators in the name, such as '.' and
 * '_', are ignored.
 */
static bool
ends_with(const uint8_t *name, size_t n, size_t step, const char *word)
{
	size_t k = strlen(word);

	while (n > 0 && k > 0) {
		char c = plain(name[--n * step]);

		if (c && c != word[--k])
			return false;
	}
	return k == 0;
}

unsigned
hp_secret_holder(const uint8_t *name, size_t n, size_t step)
{
	if (n < 3 || n > HP_SECRET_NAME_MOST || !plain(name[(n - 1) * step]))
		return 0;
	for (unsigned i = 0; i < HP_ARRAY_LEN(holders); i++)
		if (ends_with(name, n, step, holders[i].word))
			return i + 1;
	return 0;
}

/* The text of an array: its characters are @step bytes apart. */
struct text {
	/* the low-order byte of the first character of the text */
	const uint8_t *data;
	size_t n, step;
};

/*
 * Find out how an array encodes its text. Returns false if a character is not
 * printable ASCII.
 */
static bool
decode(const struct hp_sub *s, struct text *t)
{
	const uint8_t *p = s->data;
	bool big = s->type == HP_TYPE_CHAR;

	*t = (struct text){.data = p, .n = s->count, .step = 1};
	if (big || (s->count % 2 == 0 && s->count > 2 && p[1] == 0)) {
		t->data = p + big;
		t->step = 2;
		t->n = big ? s->count : s->count / 2;
	}
	/*
	 * do not count zeros and white space at the end, such as the line end
	 * of a file with a password
	 */
	while (t->n > 0 && t->data[(t->n - 1) * t->step] <= ' ')
		t->n--;
	if (t->n > HP_SECRET_VALUE_MOST)
		return false;
	for (size_t i = 0; i < t->n; i++)
		if (t->data[i * t->step] <= ' ' || t->data[i * t->step] > '~' ||
		    (t->step == 2 && p[2 * i + !big]))
			return false;
	return true;
}

/* Which kinds of characters a text contains. */
struct contents {
	bool letter, digit, other, slash, differs;
	unsigned dots;
};

static struct contents
contents_of(const struct text *t)
{
	struct contents c = {0};

	for (size_t i = 0; i < t->n; i++) {
		uint8_t b = t->data[i * t->step];
		char p = plain(b);

		c.letter |= p >= 'a';
		c.digit |= p && p < 'a';
		c.dots += b == '.';
		c.slash |= b == '/' && i > 0;
		c.other |= !p && b != '.' && b != '_' && b != '-' && b != '$';
		c.differs |= b != t->data[0];
	}
	return c;
}

size_t
hp_secret_value(const struct hp_sub *s, unsigned holder)
{
	struct text t;
	struct contents c;

	if (s->count > 2 * HP_SECRET_VALUE_MOST || !decode(s, &t) ||
	    t.n < holders[holder - 1].least)
		return 0;
	c = contents_of(&t);
	/*
	 * No secret: a text like "******", and a name such as db.password or
	 * com.acme.PasswordField.
	 */
	if (!c.differs || hp_secret_holder(t.data, t.n, t.step) ||
	    (c.dots && !c.digit && !c.other))
		return 0;
	/* no secret: ${db.password}, %s, {0}, and paths such as /home/app */
	if ((t.data[0] == '$' && t.data[t.step] == '{') || t.data[0] == '%' ||
	    t.data[0] == '{' || (t.data[0] == '/' && c.slash))
		return 0;
	return !holders[holder - 1].mixed || (c.letter && c.digit) ? t.n : 0;
}
