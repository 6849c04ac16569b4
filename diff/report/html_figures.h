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
/*
 * Like hp_html_text_number() for the text in a buffer. Empties the buffer.
 * hp_html_number() writes numbers with a typographic minus.
 */
void hp_html_name_number(struct hp_json *j, struct hp_rows *texts,
			 struct hp_buf *text);
void hp_html_number(struct hp_json *j, struct hp_rows *texts,
		    struct hp_buf *text);
/*
 * Write a number of objects or bytes, or its change, as the index of a text:
 * "1,234", "+1,200", "3.4 KB", "−12 B".
 */
void hp_html_count_number(struct hp_json *j, struct hp_rows *texts, uint64_t v);
void hp_html_count_change(struct hp_json *j, struct hp_rows *texts,
			  uint64_t first, uint64_t last);
void hp_html_size_number(struct hp_json *j, struct hp_rows *texts, uint64_t v);
void hp_html_size_change(struct hp_json *j, struct hp_rows *texts,
			 uint64_t first, uint64_t last);
/* Write a number of objects and their size: "12 objects, 3.4 KB". */
void hp_html_objects(struct hp_json *j, struct hp_rows *texts, uint64_t objects,
		     uint64_t bytes);
/* Write the list as the JSON member "texts", and release it. */
void hp_html_texts(struct hp_json *j, struct hp_rows *texts);

/*
 * Write the texts for a box of a picture, as their indexes: its value, for
 * example "1.2 MB". With several dumps, also its change, "+3.4 KB", and a note
 * about the change, "(+0.3 %)" or "unchanged".
 *
 * @c: the column of the values; HP_COLS: bytes
 * @v: the values in the first and in the last dump
 */
void hp_html_box(struct hp_json *j, const struct hp_result *r,
		 struct hp_rows *texts, enum hp_col c, const uint64_t v[2]);

/*
 * Write the texts for a step of a path, as their indexes: the objects and their
 * size, "12 objects, 3.4 KB" and, with several dumps, the change of the number
 * of objects, "+3" or "0". The arrays have the first and the last dump.
 */
void hp_html_step(struct hp_json *j, const struct hp_result *r,
		  struct hp_rows *texts, const uint64_t objects[2],
		  const uint64_t bytes[2]);

/*
 * Write sentences about objects that moved from other paths, as indexes of
 * texts: the JSON member "moved_texts" has [row, text] for each row with such
 * objects. With --why, the member "why_texts" has for each step, in depth-first
 * order, such a sentence or an empty text, then the texts of hp_html_step().
 */
void hp_html_paths(struct hp_json *j, const struct hp_result *r,
		   struct hp_rows *texts);

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
 * Write the JSON member "thread_texts": for each thread stack two texts, "3 × "
 * or nothing and "retains 1.2 KB", and for each of its local variables, then
 * for each value of a ThreadLocal, the same two texts and "keeps suspect 1
 * alive" or nothing. All texts are written as their indexes.
 */
void hp_html_threads(struct hp_json *j, const struct hp_result *r,
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

/* The rows that the page shows, and the index of each row among them. */
struct hp_html_places {
	/*
	 * for each row of the result: 1 + its index among the shown rows; 0:
	 * not shown
	 */
	uint32_t *of;
	const struct hp_rows *rows;
};

/*
 * Find the rows of the page. The caller frees p->of. Returns false if out of
 * memory.
 */
bool hp_html_find_places(struct hp_html_places *p, const struct hp_result *r);

/*
 * Write the JSON member "references": the references that the page shows for
 * its rows. Its member "list" has five numbers for each kind of reference:
 * class, field, held class, references, change; with one dump, it has four,
 * without the change. Classes are indexes of rows, the others are indexes of
 * texts. A class that has no row is written as its name. A reference that is
 * not in an object, such as a local variable, has its whole name instead of a
 * class.
 *
 * The member "to" has for each class the kinds of references to its objects, as
 * [row, text, kind ...]; "from" has the references in its objects. The text
 * says how many kinds are left out, or is empty.
 */
void hp_html_references(struct hp_json *j, const struct hp_result *r,
			const struct hp_html_places *p, struct hp_rows *texts);

/*
 * Write the boxes of the dominator tree: the JSON members "dominators" and
 * "box_texts", "owners" for the treemap and, for rows of classes or boxes,
 * "places" and "kept". If out of memory, marks @j as failed.
 */
void hp_html_boxes(struct hp_json *j, const struct hp_result *r,
		   struct hp_rows *texts);

/*
 * Write the details of rows of classes: the JSON members "references", "paths",
 * "loaders" and "sites". With --heap, writes only "references". If out of
 * memory, marks @j as failed.
 */
void hp_html_details(struct hp_json *j, const struct hp_result *r,
		     struct hp_rows *texts);

#endif
