/*
 * name_prescan.h - copy a dump without the names that a comparison by class
 * does not need
 *
 * Nearly all STRING records are names of methods and fields. Only the few to
 * which a LOAD CLASS refers are names of classes. Leaving out the others makes
 * the tables small.
 */
#ifndef HP_DIFF_COUNT_NAME_PRESCAN_H
#define HP_DIFF_COUNT_NAME_PRESCAN_H

#include "common/sink/sink.h"

/**
 * hp_name_prescan() - copy a dump without the strings that are no class names
 * @dump: a header and complete records; anything else is copied unchanged
 *
 * Always keeps the first record, because the dialect is recognized by it. Keeps
 * all strings of an id that has several strings.
 * Returns: HP_OK; the failures of hp_sink_write(); HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_name_prescan(const uint8_t *dump, size_t n,
					   struct hp_sink *out,
					   struct hp_error *err);

#endif
