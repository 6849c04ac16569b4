/*
 * secrets.h - search bytes for credentials: keys, tokens and passwords
 */
#ifndef HP_SECRETS_SECRETS_H
#define HP_SECRETS_SECRETS_H

#include "common/base/status.h"

enum hp_secret_kind {
#define SECRET(symbol, name, prefix, rest, source) HP_SECRET_##symbol,
#include "common/secrets/secrets.def"
	HP_SECRET_KINDS
};

struct hp_secret {
	enum hp_secret_kind kind;
	size_t at, end; /* range in the bytes; @end is after the last byte */
	/*
	 * number of characters of the secret, without a prefix such as
	 * "password="
	 */
	size_t length;
};

/* The name of a kind of secret, as reports show it: "private key". */
const char *hp_secret_name(unsigned kind);

/**
 * hp_secret_next() - find the next secret at or after byte @from
 *
 * A character has one byte (Latin-1, UTF-8) or two bytes (UTF-16, in either
 * byte order). Before and after the secret, @data may contain any bytes.
 *
 * Returns: false if there is no further secret.
 */
bool hp_secret_next(const uint8_t *data, size_t n, size_t from,
		    struct hp_secret *s);

/*
 * A fast filter. Returns the index of the first byte at or after @from where a
 * secret may begin; @n if there is none.
 */
size_t hp_secret_candidate(const uint8_t *data, size_t n, size_t from);

/*
 * If an array is read in pieces, this number of bytes at the end of a piece and
 * at the beginning of the next one are also searched together. So a secret at
 * the boundary is found.
 */
enum { HP_SECRET_OVERLAP = 8192 };

#endif
