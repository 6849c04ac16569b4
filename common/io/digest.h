/* digest.h - XXH3-128, a hash of bytes that arrive in parts */
#ifndef HP_IO_DIGEST_H
#define HP_IO_DIGEST_H

#include <stddef.h>

#define HP_DIGEST_TEXT 33 /* room for the hexadecimal digits and a NUL */

struct hp_digest;

/* Create the hash of zero bytes. Returns NULL if out of memory. */
struct hp_digest *hp_digest_open(void);
void hp_digest_close(struct hp_digest *d); /* NULL is allowed */
void hp_digest_add(struct hp_digest *d, const void *bytes, size_t n);
/* Start again with zero bytes. */
void hp_digest_restart(struct hp_digest *d);
/* Get the hash of all bytes added so far, as hexadecimal digits. */
void hp_digest_text(const struct hp_digest *d, char text[HP_DIGEST_TEXT]);

/* Hash @n bytes in a single call. */
void hp_digest_once(const void *bytes, size_t n, char text[HP_DIGEST_TEXT]);

#endif
