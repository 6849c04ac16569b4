/*
 * class_fields.h - which fields the classes met so far have
 *
 * One thread adds classes as it walks the dump; workers ask. An answer depends
 * on the classes up to a number alone, so it does not matter how far the other
 * threads are. Private to common/pack.
 */
#ifndef HP_PACK_CLASS_FIELDS_H
#define HP_PACK_CLASS_FIELDS_H

#include "common/base/arena.h"
#include "common/ids/id_map.h"

#include <pthread.h>

struct hp_pack_layouts {
	pthread_mutex_t lock;
	struct hp_id_map classes; /* to struct class *, see class_fields.c */
	struct hp_arena arena;
	uint32_t count;
};

void hp_pack_layouts_init(struct hp_pack_layouts *l);
void hp_pack_layouts_release(struct hp_pack_layouts *l);

/*
 * Note a CLASS DUMP of @size bytes; the first of a class counts. Of very many,
 * which only a crafted dump has, the last are not known.
 */
HP_MUST_USE enum hp_status hp_pack_layouts_add(struct hp_pack_layouts *l,
					       const uint8_t *at, size_t size,
					       unsigned id_size,
					       struct hp_error *err);

/**
 * hp_pack_layouts_fields() - the types of an instance's fields, in its order
 * @known: classes that count: the first so many
 * @types: room for @room of them
 *
 * Returns: how many there are; 0 if a class is not known, or there are more.
 */
size_t hp_pack_layouts_fields(struct hp_pack_layouts *l, uint64_t class_id,
			      uint32_t known, uint8_t *types, size_t room);

#endif
