/*
 * report.h - functions that write a result in the output formats of hprof-diff
 */
#ifndef HP_DIFF_REPORT_REPORT_H
#define HP_DIFF_REPORT_REPORT_H

#include "common/cli/flat_rows.h"
#include "common/cli/json.h"
#include "common/cli/quantity.h"
#include "common/cli/table.h"
#include "common/html/html.h"
#include "diff/result/answer.h"

/*
 * ----------------------------------------------------------------------
 * Write a result in each output format, and write the parts that several
 * formats share
 */

/*
 * Each of these functions writes the result in one format, which is the last
 * word of its name. It returns HP_OK, HP_IO or HP_NOMEM.
 */
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
 * Write the table as text. If @out is a terminal, the table has colors and fits
 * the width of the terminal, unless options say otherwise.
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

/* Write the result in the format that the option --format chooses. */
HP_MUST_USE enum hp_status hp_report_write(const struct hp_result *r, FILE *out,
					   struct hp_error *err);

/*
 * --- rows for databases (--format=rows and --format=tsv) -------------------
 */

/*
 * Start the output of rows for databases. For TSV, this writes the header line
 * with the names of the columns, which depend only on the options, not on the
 * dumps.
 */
void hp_report_rows_open(struct hp_flat_rows *f,
			 const struct hp_diff_options *o, bool retained,
			 FILE *out);

/**
 * hp_report_rows() - write the rows of one dump
 *
 * @r: the result of this dump only; if @error is empty, hp_result_finish() was
 *   called for it
 * @error: why the dump could not be read, with control characters escaped; an
 *   empty text if it was read
 *
 * Returns: HP_OK, HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_report_rows(struct hp_flat_rows *f,
					  const struct hp_result *r,
					  const struct hp_buf *error,
					  struct hp_error *err);

/*
 * Write a format for continuous integration. Each of these functions returns
 * HP_OK, HP_IO or HP_NOMEM.
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
 * Append how much was read from all dumps together, for example "1,234 objects"
 * or "1,113 ms".
 */
void hp_report_work_text(struct hp_buf *b, const struct hp_result *r);

/*
 * Append a summary of one dump, for example "5,300 objects, 1.5 MB" or "1,113
 * ms, 275,129 calls".
 */
void hp_report_dump_text(struct hp_buf *b, const struct hp_result *r,
			 size_t dump);

/*
 * Append the size model of a dump (rules for the sizes of its objects) as text
 * in parentheses; or write it as the JSON member "layout".
 */
void hp_report_layout_text(struct hp_buf *b, const struct hp_dump_info *d);
void hp_report_layout_json(struct hp_json *j, const struct hp_dump_info *d);

/* Write the members of a JSON result that are about the program. */
void hp_report_tool_json(struct hp_json *j, const struct hp_result *r);

/*
 * Begin a JSON result about one dump: write the members about the program and
 * about the file. The caller ends the object.
 */
void hp_report_begin_json(struct hp_json *j, const struct hp_result *r,
			  FILE *out);

/*
 * Write all members of the JSON result. The caller writes the braces around
 * them.
 * @growth: whether rows have members such as "delta_bytes". The HTML page does
 *   not need them, because it has the values of all dumps.
 */
void hp_report_json_members(struct hp_json *j, const struct hp_result *r,
			    bool growth);

/*
 * Write the member "site" of a row in JSON. The member is a hash of the stack;
 * it distinguishes rows that have equal keys and different stacks.
 */
void hp_report_json_site(struct hp_json *j, const struct hp_row *row);

/*
 * Write the member "moved" in JSON: @count objects were on other paths in the
 * first dump, most of them on the path @from. If @from is NULL, the path is
 * left out.
 */
void hp_report_json_moved(struct hp_json *j, uint64_t count, const char *from);

/*
 * Append one line, without a line feed, that sums up the ignored paths
 * (--ignore-path). If the ignored paths did not change, appends nothing.
 */
void hp_ignored_text(struct hp_buf *b, const struct hp_result *r);

/*
 * Append, on one line, a row on which a gate (--fail-if) failed: its name and
 * the values that the gate compared.
 */
void hp_gate_row_text(struct hp_buf *b, const struct hp_result *r,
		      const struct hp_gate *g, const struct hp_row *row);

/*
 * Append the name of a row or suspect on which a gate (--fail-if) failed:
 * number @k, from 0, of the failures of this gate.
 */
void hp_gate_failure_name(struct hp_buf *b, const struct hp_result *r,
			  const struct hp_gate *g, size_t k);
/*
 * Append, on one line, the name of a row or suspect on which a gate (--fail-if)
 * failed, and the values that the gate compared. @k: number of the failure,
 * from 0, among those of this gate.
 */
void hp_gate_failure_text(struct hp_buf *b, const struct hp_result *r,
			  const struct hp_gate *g, size_t k);

/*
 * Write a summary of the ignored paths (--ignore-path) as the JSON member
 * "ignored". Writes nothing if rows are not paths.
 */
void hp_ignored_json(struct hp_json *j, const struct hp_result *r);

/*
 * Append the answer (the first lines of the report): the dumps, how the heap
 * changed, and the suspects. @width: maximum length of a line; 0: no limit.
 */
void hp_answer_text(struct hp_buf *b, const struct hp_result *r, size_t width);

/*
 * Write "answer": {...}: the texts of the answer (the first lines of the
 * report) for the HTML page. The script of the page does not compose these
 * texts itself.
 */
void hp_answer_json(struct hp_json *j, const struct hp_result *r);

/*
 * Write "lead": {...}: the headline and the cards of the HTML page, as texts
 * and as values for the bars.
 */
void hp_html_lead(struct hp_json *j, const struct hp_result *r);
/*
 * Write "compared": [...]: for each dump that the page lists, texts about it:
 * {"word": "After", "file": "after.hprof", "path": ..., "facts": "4.4 MB · ...,
 * 6 s later", "problems": ...}.
 */
void hp_html_dumps(struct hp_json *j, const struct hp_result *r);
/*
 * Write "failed": {...}: the sentence about the thread that ran out of memory.
 * Writes nothing if there is no such thread.
 */
void hp_html_failed_thread(struct hp_json *j, const struct hp_result *r);
/*
 * Write "growth": {...}: the chart of the owners or rows that changed most.
 * Writes nothing if nothing changed.
 */
void hp_html_growth(struct hp_json *j, const struct hp_result *r);
/* Write the headline of the HTML page as one text. */
void hp_html_headline(struct hp_html *h, const struct hp_result *r);

/*
 * Append a text of numbers. A minus before a number becomes a typographic
 * minus.
 */
void hp_html_figures(struct hp_buf *b, const char *text);
/*
 * Write numbers as text for the HTML page, with a typographic minus instead of
 * a hyphen; then empty @text. @key: the JSON key; NULL: an element of an array.
 */
void hp_html_put_figures(struct hp_json *j, const char *key,
			 struct hp_buf *text);
/*
 * Returns the column number @k of those by which the growth of rows is
 * compared: from 0 the size or the time, then the count. Returns HP_COLS if
 * there is none.
 */
enum hp_col hp_html_weight(const struct hp_result *r, size_t k);
/*
 * Returns what counts as 100 % in a dump for the page: the total in the first
 * of these columns. With --heap, the rows are a part of this total.
 */
uint64_t hp_html_whole(const struct hp_result *r, size_t dump);
/*
 * Whether the headline of the page counts the whole heap, so that the parts of
 * the heap explain its numbers. Otherwise the headline counts events, or a part
 * of the heap such as waste.
 */
bool hp_html_of_heap(const struct hp_result *r);
/*
 * Returns the row with the largest share in the first of these columns in a
 * dump; NULL: all values are 0. @value: returns its value. For a profile, rows
 * that are sums, such as the methods of stacks, come before other rows.
 */
const struct hp_row *hp_html_largest(const struct hp_result *r, size_t dump,
				     uint64_t *value);
/* Returns the value of a row in a column; 0: the row has none, or HP_COLS. */
uint64_t hp_html_row_value(const struct hp_result *r, const struct hp_row *row,
			   enum hp_col c, size_t dump);
/* Append a value of a column, with its noun: "1.4 MB", "12 samples". */
void hp_html_value(struct hp_buf *b, enum hp_col c, uint64_t v);
/* Returns the CSS class of a growth: "up", "down" or "same". */
const char *hp_html_tone(int64_t growth);

/*
 * Write the JSON member "out_of_memory": the thread that ran out of memory.
 * Writes nothing if there is none.
 */
void hp_failed_thread_json(struct hp_json *j, const struct hp_result *r);

/*
 * Append the stacks of threads, if --stacks was given and the dump has stacks.
 */
void hp_stacks_text(struct hp_buf *b, const struct hp_result *r);
/*
 * Write the stacks of threads as the JSON member "stacks". Writes nothing
 * without --stacks.
 */
void hp_stacks_json(struct hp_json *j, const struct hp_result *r);

/*
 * Append the findings (unusual facts about the last dump), in lines of at most
 * @width columns; 0: no limit. Appends nothing if there is no finding.
 * @suspects: the report has shown the first @suspects suspects, so a finding
 *   about one of them does not describe it again
 */
void hp_findings_text(struct hp_buf *b, const struct hp_result *r,
		      size_t suspects, size_t width);

/*
 * Write the findings (unusual facts about the last dump) as the JSON members
 * "findings" and "findings_checked". Writes nothing if no finding was looked
 * for.
 */
void hp_findings_json(struct hp_json *j, const struct hp_result *r);

/*
 * What the reports call a suspect. With one dump, it is not known whether
 * anything grows, so they call it an owner.
 */
struct hp_suspect_words {
	const char *noun;    /* in a sentence */
	const char *title;   /* title of an annotation for a CI server */
	const char *heading; /* heading of the list */
	/* begins the sentence about a single one; its label follows */
	const char *only;
};

const struct hp_suspect_words *hp_suspect_words(const struct hp_result *r);

/*
 * Append that local variables keep a suspect alive, for example "keeps suspect
 * 1 alive". @x->suspect must not be 0.
 */
void hp_suspect_alive_text(struct hp_buf *b, const struct hp_result *r,
			   const struct hp_thread_local *x);

/*
 * Append the label of a suspect, for example "list of 1,370 CartItem (+1,250)".
 * @compared: there are several dumps, so the growth is appended.
 */
void hp_suspect_label(struct hp_buf *b, const struct hp_suspect *s,
		      bool compared);

/*
 * With --by=path: the label of the suspect whose path is the row's key, for
 * example "map of 1,370: Integer → Shop$Session". Returns NULL if the row is
 * not the path of a suspect, or if the label is only a class name, which ends
 * the path already.
 */
const char *hp_suspect_row_label(const struct hp_result *r,
				 const struct hp_row *row);

/*
 * Append, on one line, the label of a suspect, how much it retains, and the
 * path that keeps it alive.
 */
void hp_suspect_line(struct hp_buf *b, const struct hp_result *r,
		     const struct hp_suspect *s);

/*
 * Append an entry of the --known file as "known: REASON (OWNER, until DATE)".
 * Appends nothing if @known is NULL.
 */
void hp_known_text(struct hp_buf *b, const struct hp_known_leak *known);
/*
 * Write an entry of the --known file as the JSON member "known". Writes nothing
 * if @known is NULL.
 */
void hp_known_reason_json(struct hp_json *j, const struct hp_known_leak *known);

/*
 * Write the JSON member "known": for each entry of the --known file, whether
 * its leak was found. Writes nothing without --known.
 */
void hp_known_json(struct hp_json *j, const struct hp_result *r);

/*
 * Write the JSON member "suspects": a list, or null if there was no search for
 * suspects.
 */
void hp_suspects_json(struct hp_json *j, const struct hp_result *r);

/*
 * Instead of rows, write the tree of --why as text, one line for each branch.
 * If @b contains text, write this text first. Returns HP_OK, HP_NOMEM or HP_IO.
 */
HP_MUST_USE enum hp_status hp_why_table(const struct hp_result *r,
					const struct hp_table_style *style,
					struct hp_buf *b, FILE *out,
					struct hp_error *err);

/*
 * Write the tree of --why as the JSON member "why". Writes nothing without
 * --why.
 */
void hp_why_json(struct hp_json *j, const struct hp_result *r);

/*
 * Instead of rows, write the description of the object of --object, as text or
 * as JSON.
 */
HP_MUST_USE enum hp_status hp_object_table(const struct hp_result *r,
					   const struct hp_table_style *style,
					   FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_object_json(const struct hp_result *r, FILE *out,
					  struct hp_error *err);

/*
 * Instead of rows, write the result of --estimate, as text, as JSON or as CSV.
 */
HP_MUST_USE enum hp_status hp_estimate_table(const struct hp_result *r,
					     const struct hp_table_style *style,
					     FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_estimate_json(const struct hp_result *r,
					    FILE *out, struct hp_error *err);
HP_MUST_USE enum hp_status hp_estimate_csv(const struct hp_result *r, FILE *out,
					   struct hp_error *err);

/*
 * Write the JSON members "length", "text", and "fields" or "elements" of an
 * object. @values: also write the values of primitive types.
 */
void hp_object_fields_json(struct hp_json *j, const struct hp_object_facts *f,
			   bool values);

/*
 * Write the JSON member "waste": a summary "12.4 MB, 7 % of the heap, ..." and
 * the largest rows of --by=waste in the last dump, each as ["key",
 * "objects", "bytes", "text"]: all are texts. With --show-values, "text" is the
 * text that wastes the most. Writes nothing if there is no waste, or if it was
 * not computed.
 */
void hp_html_waste(struct hp_json *j, const struct hp_result *r);

/*
 * Write two JSON members. "suspect_words" has the words for suspects, "noun"
 * and "heading". "suspect_texts" has, for each suspect or owner, the texts of
 * its elements, "elements" and "grew"; of the objects in it, "holds"; and, if
 * its path is that of its largest object, "path_of".
 */
void hp_html_suspects(struct hp_json *j, const struct hp_result *r);

/*
 * Write the part of the HTML report that is shown without JavaScript. @result
 * is a struct hp_result.
 */
void hp_html_fallback(struct hp_html *h, const void *result);

/*
 * ----------------------------------------------------------------------
 * Write a table as text, with one function (plan) that adds all cells of a line
 *
 * The function is called once to create the columns, then for each line twice:
 * to measure the widths of its cells, and to print it. So a table may have any
 * number of lines, and no line is kept in memory.
 */

struct hp_table_lines {
	size_t dumps;
	size_t most; /* maximum number of columns that the table may have */
	const void *ctx;
	/*
	 * maximum width of the table; names that do not fit continue in further
	 * lines; 0: no limit
	 */
	size_t width;
	/*
	 * a function that adds all cells of one line; it is first called once
	 * to create the columns, and the values of these cells are ignored
	 */
	void (*plan)(struct hp_table_lines *l);
	/*
	 * a function that adds all lines one by one, and calls
	 * hp_table_lines_flush() after each
	 */
	enum hp_status (*fill)(struct hp_table_lines *l, struct hp_error *err);
	/*
	 * only table_lines.c uses the following members, which the caller sets
	 * to 0
	 */
	struct hp_table_column *columns;
	char (*titles)[24];
	size_t count;
	bool planning;
	struct hp_table table;
	/*
	 * the style in which lines are printed; NULL while the lines are only
	 * measured
	 */
	const struct hp_table_style *style;
	struct hp_buf *text;
	FILE *out;
	/*
	 * the rank of the columns that are added next: if the table is too
	 * wide, the columns with the highest rank are left out first (see
	 * struct hp_table_column)
	 */
	unsigned rank;
	/*
	 * all cells stay empty, because this line only continues the name in
	 * the previous line
	 */
	bool blank;
};

/*
 * Start the next cell of a line; called by the function hp_table_lines.plan. In
 * the first call of that function, this creates the column instead. Returns a
 * buffer for the text of the cell, or NULL while columns are created or if the
 * line is blank. @shrink: true for a column of names, which is aligned left and
 * whose names can be shortened.
 */
struct hp_buf *hp_table_lines_cell(struct hp_table_lines *l, const char *title,
				   enum hp_color color, bool right,
				   bool shrink);

/*
 * Start a cell for a number of one dump. If there are several dumps, the number
 * of the dump (from 1) is added to the title of the column. The title is
 * copied.
 */
struct hp_buf *hp_table_lines_dump_cell(struct hp_table_lines *l,
					const char *title, size_t dump);

/*
 * Start a cell for a number that is about all dumps together. The title of the
 * column is copied.
 */
struct hp_buf *hp_table_lines_named_cell(struct hp_table_lines *l,
					 const char *title,
					 enum hp_color color);

/*
 * Add the cells of a column that has a number for each dump. If @v is NULL, the
 * cells stay empty.
 */
void hp_table_lines_values(struct hp_table_lines *l, const char *title,
			   const uint64_t *v,
			   void (*add)(struct hp_buf *, uint64_t));

/*
 * Add the cell of a column with the growth, if there are several dumps.
 * @colored: an increase is red, and a decrease is green.
 */
void hp_table_lines_growth(struct hp_table_lines *l, const char *title,
			   const uint64_t *v, bool colored,
			   void (*add)(struct hp_buf *, int64_t));

/*
 * Process the lines that were added so far, if their texts have at least @least
 * bytes (HP_TABLE_LINES_TEXT, or 0 at the end). The first pass measures the
 * widths of the columns, and the second pass prints the lines. Returns HP_OK,
 * HP_NOMEM or HP_IO.
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
