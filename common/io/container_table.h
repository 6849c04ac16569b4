/* container_table.h - find the container that begins with given bytes */
#ifndef HP_IO_CONTAINER_TABLE_H
#define HP_IO_CONTAINER_TABLE_H

#include "common/io/container.h"

/*
 * Find the container that begins with the @n bytes at @head. Returns NULL if
 * there is none. @extra: an additional container to try first, or NULL.
 */
const struct hp_container *hp_container_find(const struct hp_container *extra,
					     const uint8_t *head, size_t n);

#endif
