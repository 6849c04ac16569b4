/*
 * container_table.h - which container begins with some bytes
 */
#ifndef HP_IO_CONTAINER_TABLE_H
#define HP_IO_CONTAINER_TABLE_H

#include "common/io/container.h"

/*
 * The container that begins with these bytes; NULL: none. @extra: one more
 * entry, which the program brings along; or NULL.
 */
const struct hp_container *hp_container_find(const struct hp_container *extra,
					     const uint8_t *head, size_t n);

#endif
