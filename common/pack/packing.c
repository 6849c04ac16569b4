/*
 * packing.c - the operations of packs in one place
 */
#include "common/pack/packing.h"

#include "common/pack/pack.h"
#include "common/pack/parts.h"

const struct hp_packing hp_packing = {
	.magic = {0x89, 'H', 'P', 'K', '\r', '\n', 0x1a, '\n'},
	/* measured: 67 and 137 MB for blocks of 32 MB */
	.unpacking = 72 << 20,
	.packing = 144 << 20,
	.part = HP_PACK_BLOCK,
	.read = hp_pack_layer_open,
	.open = hp_pack_writer_open,
	.write = hp_pack_writer_write,
	.finish = hp_pack_writer_finish,
	.close = hp_pack_writer_close,
};
