/*
 * scan_two.h - run two independent prepasses in one scan
 *
 * The input is read and decompressed once for both.
 */
#ifndef HP_CONVERT_PASS_SCAN_TWO_H
#define HP_CONVERT_PASS_SCAN_TWO_H

#include "common/format/scan.h"

/**
 * hp_scan_two() - scan as hp_scan(), for two passes with the same need
 * @second: called after @first each time; NULL: run @first alone
 *
 * Only these callbacks are called: header, record, heap_end, batch and
 * classes_complete. strings is also called if @second has no record callback.
 */
HP_MUST_USE enum hp_status hp_scan_two(struct hp_source *src,
				       const struct hp_pass *first,
				       const struct hp_pass *second,
				       const struct hp_scan_options *options,
				       struct hp_error *err);

#endif
