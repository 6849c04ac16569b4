/*
 * categories.c - the categories of secrets: the words for them in options, and
 * a search for the secrets of some categories
 */
#include "common/secrets/secrets.h"

#include <string.h>

#include "common/base/bytes.h"

const char *const hp_secret_words[] = {
#define CATEGORY(symbol, standard, word, plural) word,
#include "common/secrets/secret_categories.def"
	"all", NULL};

const char *
hp_secret_plural(unsigned category)
{
	static const char *const plurals[] = {
#define CATEGORY(symbol, standard, word, plural) plural,
#include "common/secrets/secret_categories.def"
	};

	return plurals[category];
}

static unsigned
bits_of(struct hp_slice word)
{
	for (unsigned i = 0; hp_secret_words[i]; i++)
		if (hp_slice_is(word, hp_secret_words[i]))
			return i < HP_SECRET_CATEGORIES ? 1u << i
							: HP_SECRETS_ALL;
	return 0;
}

const char *
hp_secret_categories_add(const char *list, unsigned *categories)
{
	struct hp_slice word;

	while (hp_list_next(&list, &word)) {
		unsigned bits = bits_of(word);

		if (!bits)
			return word.text;
		*categories |= bits;
	}
	return NULL;
}

bool
hp_secrets_each(const uint8_t *data, size_t n, unsigned categories,
		bool (*found)(void *ctx, const struct hp_secret *s), void *ctx)
{
	static const enum hp_secret_kind plain[] = {HP_SECRET_EMAIL,
						    HP_SECRET_CARD};
	struct hp_secret s;
	bool ok = true;

	for (size_t at = 0; ok && hp_secret_next(data, n, at, categories, &s);
	     at = s.end)
		ok = found(ctx, &s);
	for (size_t i = 0; i < HP_ARRAY_LEN(plain); i++)
		for (size_t at = 0;
		     ok && (hp_secret_category(plain[i]) & categories) &&
		     hp_secret_next_plain(data, n, at, plain[i], &s);
		     at = s.end)
			ok = found(ctx, &s);
	return ok;
}
