/*
 * container_table.c - the table of all compressed formats and archives
 * (containers)
 */
#include "common/io/layer.h"

static const struct hp_container *const containers[] = {
	&hp_gzip_container,
	&hp_zstd_container,
	&hp_zip_container,
	&hp_tar_container,
};

const struct hp_container *
hp_container_find(const struct hp_container *extra, const uint8_t *head,
		  size_t n)
{
	if (extra && extra->begins(head, n))
		return extra;
	for (size_t i = 0; i < HP_ARRAY_LEN(containers); i++)
		if (containers[i]->begins(head, n))
			return containers[i];
	return NULL;
}
