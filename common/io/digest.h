/*
 * digest.h - the hash of bytes that come in pieces: XXH3-128
 */
#ifndef HP_IO_DIGEST_H
#define HP_IO_DIGEST_H

#include <stddef.h>

#define HP_DIGEST_TEXT 33 /* hexadecimal digits and a zero byte */

struct hp_digest;

/* Of no bytes yet; NULL: no memory. */
struct hp_digest *hp_digest_open(void);
void hp_digest_close(struct hp_digest *d); /* NULL is allowed */
void hp_digest_add(struct hp_digest *d, const void *bytes, size_t n);
/* Forget all bytes. */
void hp_digest_restart(struct hp_digest *d);
/* Of all bytes that were added, as hexadecimal digits. */
void hp_digest_text(const struct hp_digest *d, char text[HP_DIGEST_TEXT]);

/* Of bytes that are there at once. */
void hp_digest_once(const void *bytes, size_t n, char text[HP_DIGEST_TEXT]);

#endif
