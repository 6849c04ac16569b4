/*
 * select_dump.h - extract one heap dump from a file that contains several
 */
#ifndef HP_CONVERT_FILTER_SELECT_DUMP_H
#define HP_CONVERT_FILTER_SELECT_DUMP_H

#include "common/sink/sink.h"

/**
 * hp_select_dump() - copy @src without the heap records of other dumps
 * @dump: number of the dump, from 1
 *
 * All other records are kept, because the dumps share them. Finishes the sink.
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_UNSUPPORTED: there is no
 *          such dump; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_select_dump(struct hp_source *src,
					  struct hp_sink *sink, unsigned dump,
					  unsigned threads,
					  struct hp_error *err);

#endif
