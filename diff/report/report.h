/*
 * report.h - the output formats of hprof-diff
 */
#ifndef HP_DIFF_REPORT_REPORT_H
#define HP_DIFF_REPORT_REPORT_H

#include "common/cli/flat_rows.h"
#include "common/cli/json.h"
#include "common/cli/quantity.h"
#include "common/cli/table.h"
#include "common/html/html.h"
#include "diff/result/result.h"

/* ----------------------------------------------------------------------
 * Write a result in each output format, and the parts that several formats
 * share
 */

/* The writers of the formats. Each returns HP_OK, HP_IO or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_report_json(const struct hp_result *r, FILE *out,
					  struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_ndjson(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_csv(const struct hp_result *r, FILE *out,
					 struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_table(const struct hp_result *r,
					   const struct hp_table_style *style,
					   FILE *out, struct hp_error *err);
/*
 * Write the table in the style that suits the options and the terminal, if @out
 * is one.
 */
HP_MUST_USE enum hp_status hp_report_screen(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_folded(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_pprof(const struct hp_result *r, FILE *out,
					   struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_speedscope(const struct hp_result *r,
						FILE *out,
						struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_known(const struct hp_result *r, FILE *out,
					   struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_html(const struct hp_result *r, FILE *out,
					  struct hp_error *err);

/* Write the result in the format of its options. */
HP_MUST_USE enum hp_status hp_report_write(const struct hp_result *r, FILE *out,
					   struct hp_error *err);

/* --- rows for databases (--format=rows and tsv) --------------------------- */

/*
 * Start the output. For TSV, write the header line, which depends on the
 * options only.
 */
void hp_report_rows_open(struct hp_flat_rows *f,
			 const struct hp_diff_options *o, bool retained,
			 FILE *out);

/**
 * hp_report_rows() - write one dump as rows
 * @r: the result of this dump only; finished by hp_result_finish() if @error is
 *   empty
 * @error: why the dump could not be used, escaped; empty if it could
 *
 * Returns: HP_OK, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_report_rows(struct hp_flat_rows *f,
					  const struct hp_result *r,
					  const struct hp_buf *error,
					  struct hp_error *err);

/*
 * The formats for continuous integration. Each function returns HP_OK, HP_IO or
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_report_sarif(const struct hp_result *r, FILE *out,
					   struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_junit(const struct hp_result *r, FILE *out,
					   struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_github(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_report_markdown(const struct hp_result *r,
					      FILE *out, struct hp_error *err);

/* --- parts of several formats --------------------------------------------- */

/*
 * Append the amount of data in all dumps, for example "1,234 objects" or "1,113
 * ms".
 */
void hp_report_work_text(struct hp_buf *b, const struct hp_result *r);

/*
 * Append the contents of a dump, for example "5,300 objects, 1.5 MB" or "1,113
 * ms, 275,129 calls".
 */
void hp_report_dump_text(struct hp_buf *b, const struct hp_result *r,
			 size_t dump);

/*
 * Write all members of the JSON result. The caller writes the object around
 * them.
 */
void hp_report_json_members(struct hp_json *j, const struct hp_result *r);

/*
 * Write the member "site", which distinguishes rows with equal keys and
 * different stacks.
 */
void hp_report_json_site(struct hp_json *j, const struct hp_row *row);

/*
 * Write the member "moved": @count objects of the growth were on other paths
 * before, most of them on @from. With NULL as @from, the path is left out.
 */
void hp_report_json_moved(struct hp_json *j, uint64_t count, const char *from);

/*
 * Append a line, without a line feed, about the paths that the ignore list
 * hides. Appends nothing if they did not change.
 */
void hp_ignored_text(struct hp_buf *b, const struct hp_result *r);

/*
 * Append, on one line, a row on which a gate (--fail-if) failed: its name and
 * the values that the gate compared.
 */
void hp_gate_row_text(struct hp_buf *b, const struct hp_result *r,
		      const struct hp_gate *g, const struct hp_row *row);

/* Append the name of the row or suspect number @k on which a gate failed. */
void hp_gate_failure_name(struct hp_buf *b, const struct hp_result *r,
			  const struct hp_gate *g, size_t k);
/* Append the same with the values that the gate compared, on one line. */
void hp_gate_failure_text(struct hp_buf *b, const struct hp_result *r,
			  const struct hp_gate *g, size_t k);

/*
 * Write the text of hp_ignored_text() as numbers: "ignored":{...}. Writes
 * nothing if rows are not paths.
 */
void hp_ignored_json(struct hp_json *j, const struct hp_result *r);

/*
 * Append the answer (the first lines of the report): the dumps, how the heap
 * changed, and the suspects. @width: maximum length of a line; 0: no limit.
 */
void hp_answer_text(struct hp_buf *b, const struct hp_result *r, size_t width);

/*
 * Write "answer": {...}: the texts of the answer (the first lines of the
 * report) for the HTML page, which computes none of them itself.
 */
void hp_answer_json(struct hp_json *j, const struct hp_result *r);

/*
 * Write "out_of_memory": {...}, the thread that ran out of memory. Writes
 * nothing if there is none.
 */
void hp_failed_thread_json(struct hp_json *j, const struct hp_result *r);

/* Append the stacks of --stacks, if there are any. */
void hp_stacks_text(struct hp_buf *b, const struct hp_result *r);
/* Write "stacks": [...]. Writes nothing without --stacks. */
void hp_stacks_json(struct hp_json *j, const struct hp_result *r);

/*
 * Append what is unusual in the last dump, in lines of @width columns (0: any
 * length). Appends nothing if nothing is.
 */
void hp_findings_text(struct hp_buf *b, const struct hp_result *r,
		      size_t width);

/*
 * Write "findings": [...] and "findings_checked": [...]. Writes nothing if no
 * finding was looked for.
 */
void hp_findings_json(struct hp_json *j, const struct hp_result *r);

/* Append what a suspect is, for example "list of 1,370 CartItem (+1,250)". */
void hp_suspect_label(struct hp_buf *b, const struct hp_suspect *s,
		      bool compared);

/*
 * Append on one line what a suspect is, how much it retains, and the path that
 * keeps it alive.
 */
void hp_suspect_words(struct hp_buf *b, const struct hp_result *r,
		      const struct hp_suspect *s);

/*
 * Append "known: REASON (OWNER, until DATE)", an entry of --known; appends
 * nothing for NULL.
 */
void hp_known_text(struct hp_buf *b, const struct hp_known_leak *known);
/* Write the same as "known":{...}; writes nothing for NULL. */
void hp_known_reason_json(struct hp_json *j, const struct hp_known_leak *known);

/*
 * Write "known":{...}: which entries of the --known file were found, if the
 * option was given.
 */
void hp_known_json(struct hp_json *j, const struct hp_result *r);

/* Write "suspects":[...], or null if there was no search for suspects. */
void hp_suspects_json(struct hp_json *j, const struct hp_result *r);

/*
 * Write the tree of --why as a table, one line for each branch, instead of the
 * rows. @b may contain text, which is written first. Returns HP_OK, HP_NOMEM or
 * HP_IO.
 */
HP_MUST_USE enum hp_status hp_why_table(const struct hp_result *r,
					const struct hp_table_style *style,
					struct hp_buf *b, FILE *out,
					struct hp_error *err);

/* Write "why": {"of": ..., "tree": [...]}. Writes nothing without --why. */
void hp_why_json(struct hp_json *j, const struct hp_result *r);

/* Write the object of --object instead of the rows, as text and as JSON. */
HP_MUST_USE enum hp_status hp_object_table(const struct hp_result *r,
					   const struct hp_table_style *style,
					   FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_object_json(const struct hp_result *r, FILE *out,
					  struct hp_error *err);

/*
 * Write the members "length", "text", and "fields" or "elements" of an object.
 * @values: also the values of primitive types.
 */
void hp_object_fields_json(struct hp_json *j, const struct hp_object_facts *f,
			   bool values);

/*
 * Write the details that the HTML report shows for an opened row: "holders",
 * "paths", "loaders" and "sites". With --heap, writes only "holders". Marks @j
 * as failed if out of memory.
 */
void hp_html_details(struct hp_json *j, const struct hp_result *r);

/*
 * Write "waste": {"words": "12.4 MB, 7 % of the heap, ...", "rows": [["key",
 * objects, bytes, "text"], ...]} with the largest rows of --by=waste in the
 * last dump. The text is that of --show-values. Writes nothing if there is no
 * waste, or if it was not computed.
 */
void hp_html_waste(struct hp_json *j, const struct hp_result *r);

/*
 * Write the part of the HTML report that is shown without JavaScript. @result
 * is a struct hp_result.
 */
void hp_html_fallback(struct hp_html *h, const void *result);

/* ----------------------------------------------------------------------
 * A table whose cells are described once
 *
 * The same function is called to make the columns, to measure all lines, and to
 * print them. So a table may have any number of lines, none of which is kept in
 * memory.
 */

struct hp_table_lines {
	size_t dumps;
	size_t most; /* maximum number of columns */
	const void *ctx;
	/*
	 * width of the table, for names that continue in further lines; 0: no
	 * limit
	 */
	size_t width;
	/*
	 * adds all cells of a line; called once to find the columns, with any
	 * values
	 */
	void (*plan)(struct hp_table_lines *l);
	/* writes all lines, and calls hp_table_lines_flush() after each */
	enum hp_status (*fill)(struct hp_table_lines *l, struct hp_error *err);
	/* all following members are 0 at first */
	struct hp_table_column *columns;
	char (*titles)[24];
	size_t count;
	bool planning;
	struct hp_table table;
	/* NULL: the first pass, which measures the lines */
	const struct hp_table_style *style;
	struct hp_buf *text;
	FILE *out;
	/*
	 * how early the next columns are left out if the table is too wide, see
	 * struct hp_table_column
	 */
	unsigned rank;
	/*
	 * the cells stay empty, because the line only continues the name of the
	 * line above
	 */
	bool blank;
};

/*
 * Create a column, or open its cell in the current line. Returns the cell to
 * fill, or NULL while columns are created or the line is blank. @shrink: the
 * column has names: it is aligned left and can be shortened.
 */
struct hp_buf *hp_table_lines_cell(struct hp_table_lines *l, const char *title,
				   enum hp_color color, bool right,
				   bool shrink);

/*
 * Open the cell of one dump's number. If there are several dumps, the title
 * gets the number of the dump. The title is copied.
 */
struct hp_buf *hp_table_lines_dump_cell(struct hp_table_lines *l,
					const char *title, size_t dump);

/* Open the cell of a number for all dumps. The title is copied. */
struct hp_buf *hp_table_lines_named_cell(struct hp_table_lines *l,
					 const char *title,
					 enum hp_color color);

/*
 * Fill a column of numbers for each dump. With NULL as @v the cells stay empty.
 */
void hp_table_lines_values(struct hp_table_lines *l, const char *title,
			   const uint64_t *v,
			   void (*add)(struct hp_buf *, uint64_t));

/*
 * Fill the column of the growth if there are several dumps. @colored: growth is
 * red, and a decrease is green.
 */
void hp_table_lines_growth(struct hp_table_lines *l, const char *title,
			   const uint64_t *v, bool colored,
			   void (*add)(struct hp_buf *, int64_t));

/*
 * Measure or write the gathered lines if they have at least @least bytes.
 * Returns HP_OK, HP_NOMEM or HP_IO.
 */
enum { HP_TABLE_LINES_TEXT = 1 << 16 };
HP_MUST_USE enum hp_status hp_table_lines_flush(struct hp_table_lines *l,
						size_t least,
						struct hp_error *err);

/*
 * Measure all lines, then print them to @out after the contents of @text.
 * Returns HP_OK, HP_NOMEM or HP_IO.
 */
HP_MUST_USE enum hp_status
hp_table_lines_print(struct hp_table_lines *l,
		     const struct hp_table_style *style, struct hp_buf *text,
		     FILE *out, struct hp_error *err);

#endif
