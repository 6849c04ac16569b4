/*
 * html.h - write HTML, and the page of a report
 */
#ifndef HP_HTML_HTML_H
#define HP_HTML_HTML_H

#include "common/base/buf.h"
#include "common/cli/json.h"

/* ----------------------------------------------------------------------
 * A streaming HTML writer
 *
 * Markup comes only from the program. All text is escaped (cli/escape.h), so
 * that nothing in a dump can become markup. The caller must close elements in
 * the right order.
 */

struct hp_html {
	struct hp_buf buf;
	FILE *file;
	struct hp_error err; /* the first error while writing the page */
};

/* Start writing to @file. End with hp_html_finish(). */
void hp_html_init(struct hp_html *h, FILE *file);

/**
 * hp_html_finish() - write the text that is still in the buffer, and free the
 *                    buffer
 *
 * Returns: HP_OK; HP_NOMEM or HP_IO, if this write or an earlier one has
 * failed.
 */
HP_MUST_USE enum hp_status hp_html_finish(struct hp_html *h,
					  struct hp_error *err);

/*
 * Write markup, such as "<table>" or "</td>". The markup must be a text of the
 * program, because it is not escaped.
 */
void hp_html_markup(struct hp_html *h, const char *markup);

/*
 * Write any text, escaped. The text may be the content of an element, or a part
 * of a quoted attribute.
 */
void hp_html_text(struct hp_html *h, const char *text);
/*
 * Like hp_html_text(), but for text in the visible form of escape.h, in which
 * control characters are already escaped. These escapes are not escaped again.
 */
void hp_html_visible(struct hp_html *h, const char *text);

/*
 * Write an element that contains a text: "<td>text</td>". Escapes that are
 * already in the text (the visible form of escape.h) are not escaped again.
 */
void hp_html_element(struct hp_html *h, const char *tag, const char *text);

/* ----------------------------------------------------------------------
 * Write a report as one self-contained HTML page
 *
 * The build creates the hp_page_text of a program from common/html/ and from
 * the program's own report/page.html, page.css and page.js: see
 * scripts/embed-page. The page loads nothing from elsewhere. Its
 * Content-Security-Policy allows exactly the style and the scripts of the
 * build, by their hashes. The program adds only data:
 *
 * - a title;
 * - a fallback: plain HTML for browsers without JavaScript, and in case the
 *   script fails;
 * - JSON, which the page's script reads from the element "data". The JSON
 *   cannot end that element early, because '<', '>' and '&' are escaped.
 */

/*
 * The constant parts of the page: the text before the title, the text between
 * the title and the fallback, the text between the fallback and the data, and
 * the text after the data.
 */
struct hp_page_text {
	const char *to_title, *to_fallback, *to_data, *to_end;
};

struct hp_page {
	const struct hp_page_text *text;
	/* writes the title of the page; the text may contain any bytes */
	void (*write_title)(struct hp_buf *b, const void *ctx);
	void (*write_fallback)(struct hp_html *h, const void *ctx);
	void (*write_data)(struct hp_json *j, const void *ctx);
	const void *ctx;
};

/* Write a complete HTML page to @out. Returns: HP_OK; HP_IO; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_page_write(const struct hp_page *p, FILE *out,
					 struct hp_error *err);

#endif
