/*
 * html_figures.h - numbers of the HTML page as texts, which are written once
 *
 * Many rows have the same share or the same growth, for example "<0.1 %". So
 * the page has each text once, in its JSON member "texts", and elsewhere the
 * index of a text.
 */
#ifndef HP_DIFF_REPORT_HTML_FIGURES_H
#define HP_DIFF_REPORT_HTML_FIGURES_H

#include "diff/keys/keys.h"
#include "diff/report/report.h"

/*
 * Write a text as its index in the list @texts. If the list does not contain
 * the text, append it.
 */
void hp_html_text_number(struct hp_json *j, struct hp_rows *texts,
			 const char *text);
/* Write the list as the JSON member "texts", and release it. */
void hp_html_texts(struct hp_json *j, struct hp_rows *texts);

/*
 * Write how much a value grew, for example "+35 %", as the index of a text.
 */
void hp_html_growth_number(struct hp_json *j, struct hp_rows *texts,
			   uint64_t first, uint64_t last);

/*
 * Write the JSON member "figures": for each row of the page the texts that are
 * computed from its values, as lists of indexes of texts. A negative number -N
 * repeats the index before it N times.
 */
void hp_html_row_figures(struct hp_json *j, const struct hp_result *r,
			 struct hp_rows *texts);
/*
 * Write the member "figures" of a row that is a sum of rows: {"growth": index,
 * "share": index, "each": index}, and the growth of its further columns.
 */
void hp_html_sum_figures(struct hp_json *j, const struct hp_result *r,
			 struct hp_rows *texts, const struct hp_row *sum);
/*
 * Write the JSON member "box_growth": how much each box of the dominator tree
 * grew, as indexes of texts.
 */
void hp_html_box_figures(struct hp_json *j, const struct hp_result *r,
			 struct hp_rows *texts);

/*
 * Write the JSON members "packages", "treemap" and "flame": sums over the rows
 * of the page.
 */
void hp_html_sums(struct hp_json *j, const struct hp_result *r,
		  struct hp_rows *texts);

/*
 * Write the JSON member "trend": the lines of the chart of three or more dumps,
 * and the labels of its axes. Writes nothing if there is no line.
 */
void hp_html_trend(struct hp_json *j, const struct hp_result *r);

#endif
