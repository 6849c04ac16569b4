/*
 * tables.h - export a dump as tables for database engines
 */
#ifndef HP_CONVERT_EXPORT_TABLES_H
#define HP_CONVERT_EXPORT_TABLES_H

#include "common/model/undescribed.h"
#include "convert/export/table_set.h"
#include "convert/options.h"

/**
 * hp_tables_convert() - write @src to the tables of @set, and finish them
 * @src: at its first byte; must be rewindable, and opened with the option
 *       digest; it is read four times. The dump_id is computed from this
 *       source. It is after a strip, so the dump_id reveals nothing that was
 *       stripped.
 * @options: elements and the path of the input apply. Half of the memory is
 *           used to look up classes.
 * @undescribed: receives the objects whose fields have no edges because no
 *               class dump describes them
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_LIMIT: the classes of all
 *          objects do not fit in memory; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_tables_convert(struct hp_source *src, struct hp_table_set *set,
		  const struct hp_convert_options *options,
		  struct hp_undescribed *undescribed, struct hp_error *err);

#endif
