/*
 * container.h - what an input can be packed in: gzip, zstd, zip, tar, and packs
 *
 * A struct hp_container has the name of a container, recognises its first
 * bytes, and opens a layer that decompresses it. To add a container:
 * - write a file with a struct hp_container,
 * - add the struct to the table of container_table.c,
 * - add the rules for its damage to common/model/damage.c.
 */
#ifndef HP_IO_CONTAINER_H
#define HP_IO_CONTAINER_H

#include "common/io/layer.h"

struct hp_container {
	const char *name; /* the name in results, such as "gzip" */

	/*
	 * Whether the @n bytes, at most HP_LAYER_HEAD, begin such a container.
	 */
	bool (*begins)(const uint8_t *head, size_t n);

	/*
	 * Open a layer that decompresses the bytes of @below. Its close
	 * operation closes it. Returns HP_OK; HP_NOMEM; HP_IO if no thread can
	 * be started.
	 */
	enum hp_status (*open)(struct hp_layer **out, struct hp_layer *below,
			       const struct hp_layer_options *options,
			       struct hp_error *err);

	/*
	 * True if the first bytes alone show that the container contains a
	 * dump.
	 */
	bool begins_dump;
};

extern const struct hp_container hp_gzip_container;
extern const struct hp_container hp_zstd_container;
extern const struct hp_container hp_zip_container;
extern const struct hp_container hp_tar_container;

#endif
