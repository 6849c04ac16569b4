/*
 * reports.h - translate reports that are tables: ALLOC SITES, CPU SAMPLES and
 * others
 */
#ifndef HP_TEXT_REPORTS_H
#define HP_TEXT_REPORTS_H

#include "common/text/records_state.h"

bool hp_text_report_begin(struct hp_text_records *r,
			  const struct hp_text_item *i);
bool hp_text_report_row(struct hp_text_records *r,
			const struct hp_text_item *i);
bool hp_text_report_end(struct hp_text_records *r, bool whole);

#endif
