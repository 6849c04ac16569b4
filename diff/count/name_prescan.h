/*
 * name_prescan.h - a dump without the texts that a comparison by class never
 * looks at
 *
 * Nearly all STRING records name methods and fields. Names of classes are the
 * few that a LOAD CLASS refers to; the others need not go through tables.
 */
#ifndef HP_DIFF_COUNT_NAME_PRESCAN_H
#define HP_DIFF_COUNT_NAME_PRESCAN_H

#include "common/sink/sink.h"

/**
 * hp_name_prescan() - write a dump without texts that name no class
 * @dump: a header and whole records; what is no such is written as it is
 *
 * The first record stays in any case, since it tells the dialect. So does
 * every text of an id that has several.
 * Returns: HP_OK; as hp_sink_write(); HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_name_prescan(const uint8_t *dump, size_t n,
					   struct hp_sink *out,
					   struct hp_error *err);

#endif
