/*
 * class_fields.h - the types of the fields of the classes seen so far
 *
 * One thread adds classes in the order of the dump; worker threads look them
 * up. A look-up only considers the first @known classes. So its result does not
 * depend on the progress of other threads. Private to common/pack.
 */
#ifndef HP_PACK_CLASS_FIELDS_H
#define HP_PACK_CLASS_FIELDS_H

#include "common/base/arena.h"
#include "common/ids/id_map.h"

#include <pthread.h>

struct hp_pack_layouts {
	pthread_mutex_t lock;
	/* class id: struct class *, see class_fields.c */
	struct hp_id_map classes;
	struct hp_arena arena;
	uint32_t count;
};

void hp_pack_layouts_init(struct hp_pack_layouts *l);
void hp_pack_layouts_release(struct hp_pack_layouts *l);

/*
 * Add the CLASS DUMP of @size bytes at @at. If a class occurs twice, the first
 * one wins. Classes over the memory limit, which only a crafted dump has, are
 * not stored. Returns HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_pack_layouts_add(struct hp_pack_layouts *l,
					       const uint8_t *at, size_t size,
					       unsigned id_size,
					       struct hp_error *err);

/**
 * hp_pack_layouts_fields() - the types of the fields of an instance, in the
 * order of its data
 * @known: consider only the first @known classes
 * @types: room for @room types
 *
 * Returns: the number of types; 0 if a class is unknown, or there are too many
 *          fields.
 */
size_t hp_pack_layouts_fields(struct hp_pack_layouts *l, uint64_t class_id,
			      uint32_t known, uint8_t *types, size_t room);

#endif
