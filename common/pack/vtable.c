/*
 * vtable.c - the operations of packs in one place
 */
#include "common/pack/vtable.h"

#include "common/pack/pack.h"
#include "common/pack/internal.h"

const struct hp_pack_vtable hp_pack_vtable = {
	.magic = {0x89, 'H', 'P', 'K', '\r', '\n', 0x1a, '\n'},
	.packing = 72 << 20, /* measured: 70 MB */
	.part = HP_PACK_BLOCK,
	.read = hp_pack_layer_open,
	.open = hp_pack_writer_open,
	.write = hp_pack_writer_write,
	.finish = hp_pack_writer_finish,
	.close = hp_pack_writer_close,
};
