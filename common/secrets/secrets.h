/*
 * secrets.h - search bytes for credentials: keys, tokens and passwords
 */
#ifndef HP_SECRETS_SECRETS_H
#define HP_SECRETS_SECRETS_H

#include "common/base/status.h"

enum hp_secret_kind {
#define SECRET(symbol, category, name, prefix, rest, source) HP_SECRET_##symbol,
#include "common/secrets/secrets.def"
	HP_SECRET_KINDS,
	/*
	 * The value of a field or key with the name of a secret. The bytes of
	 * the value do not show that it is a secret, so this kind is no entry
	 * of secrets.def.
	 */
	HP_SECRET_NAMED = HP_SECRET_KINDS
};

/*
 * Bits for the categories of secrets that a search looks for. Each category is
 * an entry of secret_categories.def.
 */
enum hp_secret_categories {
#define CATEGORY(symbol, standard, word, plural) HP_SECRETS_##symbol##_BIT,
#include "common/secrets/secret_categories.def"
	HP_SECRET_CATEGORIES,
#define CATEGORY(symbol, standard, word, plural)                               \
	HP_SECRETS_##symbol = 1 << HP_SECRETS_##symbol##_BIT,
#include "common/secrets/secret_categories.def"
	/* the categories that are always searched */
	HP_SECRETS_STANDARD = 0
#define CATEGORY(symbol, standard, word, plural)                               \
	| (standard) << HP_SECRETS_##symbol##_BIT
#include "common/secrets/secret_categories.def"
	,
	HP_SECRETS_ALL = (1 << HP_SECRET_CATEGORIES) - 1,
	/*
	 * The categories whose kinds of secrets have no prefix such as
	 * "password="; see plain_forms.c.
	 */
	HP_SECRETS_PLAIN = HP_SECRETS_EMAIL | HP_SECRETS_CARDS,
};

/*
 * The words that stand for the categories in the values of options. They are in
 * the order of secret_categories.def. After them come "all" and NULL.
 */
extern const char *const hp_secret_words[];

/*
 * Returns the name, in the plural, of the secrets in the category number
 * @category, such as "card numbers".
 */
const char *hp_secret_plural(unsigned category);

/*
 * Parse a list of words for categories, which are separated by commas, and add
 * their bits to *@categories. Returns NULL if all words are known. Otherwise
 * returns a pointer to the first unknown word, which ends at a comma or at the
 * end of the list.
 */
const char *hp_secret_categories_add(const char *list, unsigned *categories);

struct hp_secret {
	enum hp_secret_kind kind;
	/*
	 * The bytes of the secret in the searched data, with its prefix: from
	 * index `at` to before index `end`.
	 */
	size_t at, end;
	/*
	 * number of characters of the secret, without a prefix such as
	 * "password="
	 */
	size_t length;
};

/* The name of a kind of secret, as reports show it: "private key". */
const char *hp_secret_name(unsigned kind);

/* The category of a kind of secret, one of the bits of hp_secret_categories. */
unsigned hp_secret_category(unsigned kind);

/**
 * hp_secret_next() - find the next secret of a kind that has a prefix such as
 * "password=", at or after byte @from
 * @categories: find only kinds of these categories
 *
 * A character has one byte (Latin-1, UTF-8) or two bytes (UTF-16, in either
 * byte order). Before and after the secret, @data may contain any bytes.
 *
 * Returns: false if there is no further secret.
 */
bool hp_secret_next(const uint8_t *data, size_t n, size_t from,
		    unsigned categories, struct hp_secret *s);

/*
 * Like hp_secret_next(), for one of the kinds without a prefix:
 * HP_SECRET_EMAIL or HP_SECRET_CARD.
 */
bool hp_secret_next_plain(const uint8_t *data, size_t n, size_t from,
			  enum hp_secret_kind kind, struct hp_secret *s);

/*
 * Call @found for each secret of the categories @categories in the @n bytes at
 * @data. If @found returns false, stop and return false.
 */
bool hp_secrets_each(const uint8_t *data, size_t n, unsigned categories,
		     bool (*found)(void *ctx, const struct hp_secret *s),
		     void *ctx);

/*
 * A fast filter. Returns the index of the first byte, at or after @from, at
 * which a secret with a prefix may begin. Returns @n if there is no such byte.
 */
size_t hp_secret_candidate(const uint8_t *data, size_t n, size_t from);

/*
 * The number of bytes at each side of a boundary that are searched together. An
 * array may be read in pieces. With this overlap, a secret that begins in one
 * piece and ends in the next piece is also found.
 */
enum { HP_SECRET_OVERLAP = 8192 };

#endif
