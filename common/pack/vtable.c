/*
 * vtable.c - the table of functions through which the programs read and write
 * packs
 */
#include "common/pack/pack.h"

#include "common/pack/block/layout.h"
#include "common/pack/internal.h"

/*
 * Returns the memory in bytes for packing with one thread and blocks of @part
 * bytes. For levels up to 3, 54 MB were measured for blocks of 16 MiB,
 * proportionally less for smaller blocks, and a third more for very many
 * classes. At higher levels zstd needs more memory, which is added.
 */
static uint64_t
pack_memory(int level, uint64_t part)
{
	/*
	 * memory of a zstd compression context (ZSTD_sizeof_CCtx()) in MiB,
	 * rounded up, for levels from 4 on
	 */
	static const unsigned char mib[] = {5,	6,  6,	9,  9,	17, 29, 29,
					    53, 37, 53, 69, 37, 57, 58, 90};
	size_t context = level > 3 ? (size_t)level - 4 : 0;

	if (context >= HP_ARRAY_LEN(mib))
		context = HP_ARRAY_LEN(mib) - 1;
	return (UINT64_C(72) << 20) * part / HP_PACK_BLOCK +
	       (level > 3 ? (uint64_t)mib[context] << 20 : 0);
}

static bool
pack_begins(const uint8_t *head, size_t n)
{
	size_t length = strlen(HP_PACK_MAGIC);

	return n >= length && memcmp(head, HP_PACK_MAGIC, length) == 0;
}

const struct hp_pack_vtable hp_pack_vtable = {
	.container = {.name = "pack",
		      .begins = pack_begins,
		      .open = hp_pack_layer_open,
		      .begins_dump = true},
	.part = HP_PACK_BLOCK,
	.packing = pack_memory,
	.usual_part = hp_pack_writer_usual_part,
	.open = hp_pack_writer_open,
	.write = hp_pack_writer_write,
	.finish = hp_pack_writer_finish,
	.close = hp_pack_writer_close,
};
