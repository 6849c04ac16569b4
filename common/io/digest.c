/* digest.c - XXH3-128, a hash of bytes that arrive in parts */
#include "common/io/source.h"
#include "common/base/memory.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <xxhash.h>

struct hp_digest {
	XXH3_state_t *state;
};

struct hp_digest *
hp_digest_open(void)
{
	struct hp_digest *d = hp_calloc(1, sizeof(*d));

	if (d)
		d->state = XXH3_createState();
	if (!d || !d->state) {
		hp_digest_close(d);
		return NULL;
	}
	hp_digest_restart(d);
	return d;
}

void
hp_digest_close(struct hp_digest *d)
{
	if (d)
		XXH3_freeState(d->state);
	hp_free(d);
}

void
hp_digest_add(struct hp_digest *d, const void *bytes, size_t n)
{
	XXH3_128bits_update(d->state, bytes, n);
}

void
hp_digest_restart(struct hp_digest *d)
{
	XXH3_128bits_reset(d->state);
}

static void
hash_text(XXH128_hash_t hash, char text[HP_DIGEST_TEXT])
{
	snprintf(text, HP_DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64,
		 (uint64_t)hash.high64, (uint64_t)hash.low64);
}

void
hp_digest_text(const struct hp_digest *d, char text[HP_DIGEST_TEXT])
{
	hash_text(XXH3_128bits_digest(d->state), text);
}

void
hp_digest_once(const void *bytes, size_t n, char text[HP_DIGEST_TEXT])
{
	hash_text(XXH3_128bits(bytes, n), text);
}
