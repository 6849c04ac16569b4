/*
 * report.h - a result in each of the formats, and the pieces that several of
 * them have
 */
#ifndef HP_DIFF_REPORT_REPORT_H
#define HP_DIFF_REPORT_REPORT_H

#include "common/cli/flat_rows.h"
#include "common/cli/json.h"
#include "common/cli/table.h"
#include "common/html/page.h"
#include "diff/result.h"

/* Each returns HP_OK, HP_IO or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_report_json(const struct hp_result *r, FILE *out,
					  struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_ndjson(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_csv(const struct hp_result *r, FILE *out,
					 struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_table(const struct hp_result *r,
					   const struct hp_table_style *style,
					   FILE *out, struct hp_error *err);
/* The table in the style that suits the options and @out. */
HP_MUST_USE enum hp_status hp_report_screen(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_folded(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_html(const struct hp_result *r, FILE *out,
					  struct hp_error *err);

/* In the format that the options of the result say. */
HP_MUST_USE enum hp_status hp_report_write(const struct hp_result *r, FILE *out,
					   struct hp_error *err);

/* --- rows for engines ----------------------------------------------------- */

/* Start; of TSV the header line depends on the options alone. */
void hp_report_rows_open(struct hp_flat_rows *f,
			 const struct hp_diff_options *o, bool retained,
			 FILE *out);

/**
 * hp_report_rows() - what is in one dump as rows
 * @r:     of that dump alone
 * @error: why it could not be used, in the visible form; empty: it could.
 *         Then hp_result_finish() has been called
 *
 * Returns: HP_OK, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_report_rows(struct hp_flat_rows *f,
					  const struct hp_result *r,
					  const struct hp_buf *error,
					  struct hp_error *err);

/* --- pieces --------------------------------------------------------------- */

/* "1,234 objects", "1,113 ms": how much was looked at, in all dumps. */
void hp_report_work_text(struct hp_buf *b, const struct hp_result *r);

/* How much is in a dump: "5,300 objects, 1.5 MB", "1,113 ms, 275,129 calls". */
void hp_report_dump_text(struct hp_buf *b, const struct hp_result *r,
			 size_t dump);

/* A value of a column, and its growth. */
void hp_column_json(struct hp_json *j, enum hp_col c, uint64_t v);
void hp_column_json_growth(struct hp_json *j, enum hp_col c, int64_t v);

/* The whole JSON result; the object that it is in is the caller's. */
void hp_report_json_members(struct hp_json *j, const struct hp_result *r);

/* "site": what tells rows of one key apart that have stacks. */
void hp_report_json_site(struct hp_json *j, const struct hp_row *row);

/* "moved": so many objects of a gain were on other paths before, most of them
 * on @from; NULL: which one is not said. */
void hp_report_json_moved(struct hp_json *j, uint64_t count, const char *from);

/* A line about the paths that the ignore list hides, without its end; nothing
 * if they did not change. */
void hp_ignored_text(struct hp_buf *b, const struct hp_result *r);

/* The same as "ignored":{...}; nothing if rows are no paths. */
void hp_ignored_json(struct hp_json *j, const struct hp_result *r);

/* What probably leaks, below a table: the first few; nothing if none were
 * sought. */
void hp_suspects_text(struct hp_buf *b, const struct hp_result *r);

/* "suspects":[...]; null if none were sought. */
void hp_suspects_json(struct hp_json *j, const struct hp_result *r);

/*
 * Who keeps what --why asks about: a line for each branch of the tree, instead
 * of the rows. Flushed to @out; @b may have text before. HP_OK; HP_NOMEM;
 * HP_IO.
 */
HP_MUST_USE enum hp_status hp_why_table(const struct hp_result *r,
					const struct hp_table_style *style,
					struct hp_buf *b, FILE *out,
					struct hp_error *err);

/* "why": {"of": ..., "tree": [...]}; nothing where it was not asked. */
void hp_why_json(struct hp_json *j, const struct hp_result *r);

/*
 * What the HTML report knows of a row that opens: "holders", "paths", "loaders"
 * and "sites", into the object at hand; with --heap the first alone. Out of
 * memory, @j fails.
 */
void hp_html_details(struct hp_json *j, const struct hp_result *r);

/* The HTML report for those who have no JavaScript: struct hp_result *. */
void hp_html_fallback(struct hp_html *h, const void *result);

#endif
