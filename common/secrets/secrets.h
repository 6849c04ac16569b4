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
	size_t length;	/* characters, without those that only introduce it */
};

/* The name of a kind in reports. */
const char *hp_secret_name(unsigned kind);

/**
 * hp_secret_next() - find the next secret at or after byte @from
 *
 * Characters have one byte each (Latin-1, UTF-8) or two (UTF-16, of either byte
 * order). @data may begin and end with other bytes.
 *
 * Returns: false if there is none.
 */
bool hp_secret_next(const uint8_t *data, size_t n, size_t from,
		    struct hp_secret *s);

/*
 * A fast filter: the index of the first byte at or after @from where a secret
 * may begin; @n if there is none.
 */
size_t hp_secret_candidate(const uint8_t *data, size_t n, size_t from);

/* Bytes of two pieces of an array that must be searched together. */
enum { HP_SECRET_OVERLAP = 8192 };

#endif
