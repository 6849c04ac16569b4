/*
 * upgrade_v1_0.h - dumps of version 1.0 (JDK 1.2 beta 3) as dumps of 1.0.1
 *
 * Under 1.0 a basic type is a character, as in a signature, not a code; and
 * there is no PRIMITIVE ARRAY DUMP: an OBJECT ARRAY DUMP with a type's code
 * where its class's id should be is an array of that type.
 */
#ifndef HP_CONVERT_VERSION_UPGRADE_V1_0_H
#define HP_CONVERT_VERSION_UPGRADE_V1_0_H

#include "common/sink/sink.h"

/* Is it such a dump? *@is says so. Only before the first read. */
HP_MUST_USE enum hp_status hp_is_version_1_0(struct hp_source *src, bool *is,
					     struct hp_error *err);

/**
 * hp_upgrade_v1_0() - write @src to @sink as 1.0.1; the sink is finished
 * @src:  read twice, from its first byte; must be rewindable
 * @same: true: as it is, once it was found to be whole
 *
 * Returns: HP_OK; HP_DAMAGED with the place; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_upgrade_v1_0(struct hp_source *src,
					   struct hp_sink *sink, bool same,
					   struct hp_error *err);

#endif
