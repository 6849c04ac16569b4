/*
 * tables.h - a dump as tables for database engines
 */
#ifndef HP_CONVERT_EXPORT_TABLES_H
#define HP_CONVERT_EXPORT_TABLES_H

#include "common/model/undescribed.h"
#include "convert/export/table_set.h"
#include "convert/options.h"

/**
 * hp_tables_convert() - write @src to the tables of @set, which are finished
 * @src:     read four times, from its first byte; must be rewindable, and
 *           opened with the option digest: dump_id is of what the tables are
 *           made of, so that nothing which was stripped before goes into it
 * @options: elements, the input's path; half of the memory is for looking up
 *           classes
 * @undescribed: objects with fields that have no edges, as they are not known
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_LIMIT: the classes of all
 *          objects do not fit in memory; HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_convert(struct hp_source *src, struct hp_table_set *set,
		  const struct hp_convert_options *options,
		  struct hp_undescribed *undescribed, struct hp_error *err);

#endif
