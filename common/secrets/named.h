/*
 * named.h - names of fields and map keys whose values are secrets, such as
 * "password", and which of these values are reported
 */
#ifndef HP_SECRETS_NAMED_H
#define HP_SECRETS_NAMED_H

#include "common/base/vec.h"
#include "common/format/heap.h"
#include "common/secrets/find.h"

/*
 * maximum number of characters of the name of a field or key, and of its value
 */
enum { HP_SECRET_NAME_MOST = 64, HP_SECRET_VALUE_MOST = 4096 };

/*
 * Whether the values of a field or key with this name are secrets. Returns 0 if
 * they are not; otherwise the number, from 1, of the entry for the name in
 * secret_holders.def. @step: number of bytes from one character to the next;
 * the text is ASCII.
 */
unsigned hp_secret_holder(const uint8_t *name, size_t n, size_t step);

/*
 * Whether the text in the array @s can be a secret. @holder: the entry of
 * secret_holders.def for the name of the field or key. Returns the number of
 * characters of the secret. Returns 0 if the text is empty, a placeholder, a
 * name, a path or a message.
 */
size_t hp_secret_value(const struct hp_sub *s, unsigned holder);

/**
 * hp_secrets_find_named() - find the values of fields, static fields and map
 *                           keys with the names of secret_holders.def
 * @src: rewindable; it is read up to six times
 * @hits: a list of struct hp_secret_hit; the values are appended
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_secrets_find_named(struct hp_source *src, const struct hp_secret_search *q,
		      struct hp_vec *hits, struct hp_error *err);

#endif
