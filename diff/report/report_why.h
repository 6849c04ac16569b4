/*
 * report_why.h - who keeps what --why asks about, as lines and as JSON
 */
#ifndef HP_DIFF_REPORT_WHY_H
#define HP_DIFF_REPORT_WHY_H

#include "common/cli/json.h"
#include "common/cli/table.h"
#include "diff/result.h"

/*
 * A line for each branch of the tree, instead of the rows. Flushed to @out; @b
 * may have text before. HP_OK; HP_NOMEM; HP_IO.
 */
HP_MUST_USE enum hp_status hp_why_table(const struct hp_result *r,
					const struct hp_table_style *style,
					struct hp_buf *b, FILE *out,
					struct hp_error *err);

/* "why": {"of": ..., "tree": [...]}; nothing where it was not asked. */
void hp_why_json(struct hp_json *j, const struct hp_result *r);

#endif
