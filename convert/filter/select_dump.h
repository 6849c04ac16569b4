/*
 * select_dump.h - one heap dump out of a file that has several
 */
#ifndef HP_CONVERT_FILTER_SELECT_DUMP_H
#define HP_CONVERT_FILTER_SELECT_DUMP_H

#include "common/sink/sink.h"

/**
 * hp_select_dump() - write @src to @sink without the heap records of other
 * dumps
 * @dump: from 1
 *
 * Records that are no heap records stay: dumps share them. The sink is
 * finished.
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: there is no
 *          such dump; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_select_dump(struct hp_source *src,
					  struct hp_sink *sink, unsigned dump,
					  unsigned threads,
					  struct hp_error *err);

#endif
