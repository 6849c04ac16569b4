/*
 * translation.h - the interface to read an input of another format as a binary
 * dump
 *
 * common/io does not know the other format (see common/text). Programs pass
 * this interface in the options of a source. The translation is the top layer,
 * above all compression. hp_source_compression() does not report it.
 */
#ifndef HP_IO_TRANSLATION_H
#define HP_IO_TRANSLATION_H

#include "common/base/status.h"

struct hp_layer;

struct hp_translation {
	/*
	 * Whether an input that begins with the @n bytes at @head has the
	 * format.
	 */
	bool (*begins)(const void *head, size_t n);

	/*
	 * Open a layer that hands out the dump. Its close operation closes it.
	 * @context: the option translation_context
	 * @threads: how many threads it may start; 0: none
	 * @memory: bytes of memory that it may use; 0: no limit. Reads fail
	 *   with HP_LIMIT if they need more. Returns HP_OK or HP_NOMEM.
	 */
	enum hp_status (*read)(struct hp_layer **out, struct hp_layer *below,
			       void *context, unsigned threads, uint64_t memory,
			       struct hp_error *err);
};

#endif
