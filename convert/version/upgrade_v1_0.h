/*
 * upgrade_v1_0.h - convert dumps of version 1.0 (JDK 1.2 beta 3) to 1.0.1
 *
 * In version 1.0 a basic type is a character, as in a signature, and not a
 * number. There is no PRIMITIVE ARRAY DUMP. Instead, an OBJECT ARRAY DUMP whose
 * class id is the number of a primitive type is an array of that type.
 */
#ifndef HP_CONVERT_VERSION_UPGRADE_V1_0_H
#define HP_CONVERT_VERSION_UPGRADE_V1_0_H

#include "common/sink/sink.h"

/*
 * Store in *@is whether @src is a dump of version 1.0. Call this before the
 * first read.
 */
HP_MUST_USE enum hp_status hp_is_version_1_0(struct hp_source *src, bool *is,
					     struct hp_error *err);

/**
 * hp_upgrade_v1_0() - write @src to @sink as 1.0.1, and finish the sink
 * @src: at its first byte; must be rewindable, and is read twice
 * @same: only check the dump, and copy it unchanged
 *
 * Returns: HP_OK; HP_DAMAGED with the offset; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_upgrade_v1_0(struct hp_source *src,
					   struct hp_sink *sink, bool same,
					   struct hp_error *err);

#endif
