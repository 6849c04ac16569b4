/*
 * report_suspects.h - what probably leaks, in words and as JSON
 */
#ifndef HP_DIFF_REPORT_REPORT_SUSPECTS_H
#define HP_DIFF_REPORT_REPORT_SUSPECTS_H

#include "common/cli/json.h"
#include "diff/result.h"

/* Below the table, the first few; nothing if none were sought. */
void hp_suspects_text(struct hp_buf *b, const struct hp_result *r);

/* "suspects":[...]; null if none were sought. */
void hp_suspects_json(struct hp_json *j, const struct hp_result *r);

#endif
