/*
 * directory.c - the directory at the end of a pack: the position of each block,
 * the size of the dump, and the hash of the dump
 *
 * Code that reads the pack from the beginning to the end needs only the tail,
 * the last part of the directory. Code that reads blocks at their offsets needs
 * the whole directory.
 */
#include "common/pack/block/coding.h"
#include "common/pack/block/layout.h"
#include "common/pack/internal.h"

static const uint8_t directory_magic[4] = {'H', 'P', 'K', 'D'};

/*
 * pack-format.md describes the format. The hash in the tail (the last part of
 * the directory) covers all bytes of the directory before the hash.
 */
void
hp_pack_directory_write(const struct hp_pack_entry *entries,
			const struct hp_pack_tail *tail, struct hp_buf *out)
{
	size_t start = out->len;
	uint8_t p[HP_PACK_TAIL];

	memcpy(p, directory_magic, 4);
	hp_put_le4(p + 4, (uint32_t)tail->blocks);
	hp_buf_add(out, p, HP_PACK_DIRECTORY_HEAD);
	for (uint64_t i = 0; i < tail->blocks; i++) {
		hp_put_le8(p, entries[i].at);
		hp_put_le8(p + 8, entries[i].offset);
		hp_put_le4(p + 16, entries[i].plain);
		hp_put_le4(p + 20, entries[i].stored);
		hp_buf_add(out, p, HP_PACK_DIRECTORY_ENTRY);
	}
	hp_put_le8(p, tail->plain);
	hp_put_le8(p + 8, tail->hash.low64);
	hp_put_le8(p + 16, tail->hash.high64);
	hp_put_le8(p + 24, tail->blocks);
	hp_put_le8(p + 32, tail->directory);
	hp_buf_add(out, p, 40);
	if (!hp_buf_ok(out))
		return;
	hp_put_le8(p, XXH3_64bits(out->data + start, out->len - start));
	memcpy(p + 8, HP_PACK_END, 8);
	hp_buf_add(out, p, 16);
}

bool
hp_pack_directory_begins(const uint8_t *p)
{
	return memcmp(p, directory_magic, 4) == 0;
}

bool
hp_pack_tail_read(const uint8_t *p, struct hp_pack_tail *tail)
{
	tail->plain = hp_le8(p);
	tail->hash.low64 = hp_le8(p + 8);
	tail->hash.high64 = hp_le8(p + 16);
	tail->blocks = hp_le8(p + 24);
	tail->directory = hp_le8(p + 32);
	return memcmp(p + 48, HP_PACK_END, 8) == 0;
}

bool
hp_pack_directory_intact(const uint8_t *p, size_t n)
{
	return n >= HP_PACK_DIRECTORY_HEAD + HP_PACK_TAIL &&
	       hp_pack_directory_begins(p) &&
	       (n - HP_PACK_DIRECTORY_HEAD - HP_PACK_TAIL) ==
		       HP_PACK_DIRECTORY_ENTRY * (size_t)hp_le4(p + 4) &&
	       hp_le4(p + 4) == hp_le8(p + n - HP_PACK_TAIL + 24) &&
	       hp_le8(p + n - 16) == XXH3_64bits(p, n - 16);
}

struct hp_pack_entry
hp_pack_directory_entry(const uint8_t *p, size_t i)
{
	p += HP_PACK_DIRECTORY_HEAD + HP_PACK_DIRECTORY_ENTRY * i;
	return (struct hp_pack_entry){.at = hp_le8(p),
				      .offset = hp_le8(p + 8),
				      .plain = hp_le4(p + 16),
				      .stored = hp_le4(p + 20)};
}
