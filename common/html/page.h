/*
 * page.h - write a report as one self-contained HTML page
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
 * - JSON, which the page's script reads from the element "data". It cannot end
 *   that element, because '<', '>' and '&' are escaped.
 */
#ifndef HP_HTML_PAGE_H
#define HP_HTML_PAGE_H

#include "common/cli/json.h"
#include "common/html/html.h"

/*
 * The constant parts of the page: the text before the title, before the
 * fallback, before the data, and after the data.
 */
struct hp_page_text {
	const char *to_title, *to_fallback, *to_data, *to_end;
};

struct hp_page {
	const struct hp_page_text *text;
	void (*write_title)(struct hp_buf *b, const void *ctx); /* any bytes */
	void (*write_fallback)(struct hp_html *h, const void *ctx);
	void (*write_data)(struct hp_json *j, const void *ctx);
	const void *ctx;
};

/* Write a complete page to @out. Returns: HP_OK; HP_IO; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_page_write(const struct hp_page *p, FILE *out,
					 struct hp_error *err);

#endif
