/*
 * container.h - what an input can be packed in: gzip, zstd, zip, tar, and packs
 *
 * One table: an entry knows its name, how to recognise its first bytes, and how
 * to open a layer that unpacks it. A new container is a file with a struct
 * hp_container, its line in the table of container_table.c, and the rules for
 * its damage (common/model/damage.c).
 */
#ifndef HP_IO_CONTAINER_H
#define HP_IO_CONTAINER_H

#include "common/io/layer.h"

struct hp_container {
	const char *name; /* in results: "gzip" */

	/* Do @n bytes, HP_LAYER_HEAD at most, begin one? */
	bool (*begins)(const uint8_t *head, size_t n);

	/*
	 * A layer that unpacks what @below hands out; closed by its close
	 * operation. HP_OK; HP_NOMEM; HP_IO (no thread).
	 */
	enum hp_status (*open)(struct hp_layer **out, struct hp_layer *below,
			       const struct hp_layer_options *options,
			       struct hp_error *err);

	bool begins_dump; /* its first bytes are enough to know that a dump is
			     inside */
};

extern const struct hp_container hp_gzip_container;
extern const struct hp_container hp_zstd_container;
extern const struct hp_container hp_zip_container;
extern const struct hp_container hp_tar_container;

#endif
