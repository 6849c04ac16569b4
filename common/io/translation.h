/*
 * translation.h - an input of another format, read as a binary dump
 *
 * What that format is (common/text) is not known on this floor: programs hand
 * it in with the options of a source. It lies on top of all compression and is
 * none itself: hp_source_compression() is what it is without.
 */
#ifndef HP_IO_TRANSLATION_H
#define HP_IO_TRANSLATION_H

#include "common/base/status.h"

struct hp_layer;

struct hp_translation {
	/* Does an input that begins so have that format? @n: bytes there. */
	bool (*begins)(const void *head, size_t n);

	/*
	 * A layer that hands out the dump; closed by its close operation.
	 * @context: the option translation_context
	 * @threads: that it may start; 0: none
	 * @memory:  bytes that it may take; 0: no limit. Reading is HP_LIMIT
	 *           where that does not suffice
	 * HP_OK; HP_NOMEM.
	 */
	enum hp_status (*read)(struct hp_layer **out, struct hp_layer *below,
			       void *context, unsigned threads, uint64_t memory,
			       struct hp_error *err);
};

#endif
