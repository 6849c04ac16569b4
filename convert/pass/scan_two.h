/*
 * scan_two.h - two prepasses in one scan: what neither needs of the other is
 * read and unpacked once
 */
#ifndef HP_CONVERT_PASS_SCAN_TWO_H
#define HP_CONVERT_PASS_SCAN_TWO_H

#include "common/format/scan.h"

/**
 * hp_scan_two() - as hp_scan(), for two passes with the same need
 * @second: called after @first each time; NULL: @first alone
 *
 * Of the callbacks only header, record, heap_end, batch and classes_complete
 * are called; strings, if @second looks at no records.
 */
HP_MUST_USE enum hp_status hp_scan_two(struct hp_source *src,
				       const struct hp_pass *first,
				       const struct hp_pass *second,
				       const struct hp_scan_options *options,
				       struct hp_error *err);

#endif
